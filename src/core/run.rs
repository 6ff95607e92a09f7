//! Long work as data: a family plans a run step by step, the daemon owns and carries it out.
//!
//! Steps that can be taken back carry their own way back, so that a run that fails half-way leaves nothing
//! half-done. Rows and log lines of runs are bookkeeping of the daemon, not operations: they are never undone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Index, IndexEntry, Key, Row, SessionInfo, Table, Timestamp, row};

/// Run id → [`RunRow`].
pub const RUNS: Table = Table("runs");
/// Run id and line number → [`LogLine`].
pub const RUN_LOGS: Table = Table("run_logs");
/// Newest last; groups: everything of a root, one ecosystem of it, and what is not finished ("active").
pub const RUNS_BY_TIME: Index = Index("runs_by_time");
/// Numbers of the lines of one level; only warnings and errors are listed.
pub const LOGS_BY_LEVEL: Index = Index("run_logs_by_level");

/// One thing the daemon is told after a commit.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Start(Box<RunSpec>),
    Cancel { run: String },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunSpec {
    pub id: String,
    /// Whose run it is, as its row says.
    pub root: String,
    pub ecosystem: String,
    /// One run at a time per lane; the others wait their turn.
    pub lane: String,
    pub family: String,
    /// The call that asked for it: its operation is recorded under this tool when the run has succeeded.
    pub tool: String,
    pub args: Map<String, Value>,
    pub session: SessionInfo,
    pub steps: Vec<Step>,
    /// Whatever the family needs to record the result.
    pub data: Value,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Step {
    pub label: String,
    /// A failure skips the rest of its group and fails the run at its end; without a group it ends the run at once.
    #[serde(default)]
    pub group: Option<String>,
    pub work: Work,
    /// Carried out, newest first, when a later step fails for good or the run is cancelled.
    #[serde(default)]
    pub revert: Vec<Work>,
    pub timeout_seconds: u64,
    /// Output that the step must have, else it has failed: guards against a world that moved.
    #[serde(default)]
    pub expect: Option<String>,
    /// Keeps the output under this name for whoever records the result.
    #[serde(default)]
    pub capture: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// No shell; arguments as they are.
    Program {
        program: String,
        args: Vec<String>,
        cwd: PathBuf,
        env: Vec<(String, String)>,
    },
    /// Replaces a file whole. `before` is what must be there now (`None` = nothing).
    WriteFile {
        path: PathBuf,
        content: Option<String>,
        before: Option<String>,
    },
    /// Everything below and including `path`, which must be strictly below `root`.
    RemoveTree {
        root: PathBuf,
        path: PathBuf,
    },
    MakeDir {
        path: PathBuf,
    },
    /// Fails if there is anything at the path but an empty directory.
    CheckAbsent {
        path: PathBuf,
    },
    /// Fails unless the file has this content.
    CheckFile {
        path: PathBuf,
        sha: String,
    },
}

impl Step {
    pub fn new(label: impl Into<String>, work: Work, timeout_seconds: u64) -> Self {
        Step {
            label: label.into(),
            group: None,
            work,
            revert: Vec::new(),
            timeout_seconds,
            expect: None,
            capture: None,
        }
    }

    #[must_use]
    pub fn group(mut self, group: &str) -> Self {
        self.group = Some(group.to_string());
        self
    }

    #[must_use]
    pub fn revert(mut self, work: impl IntoIterator<Item = Work>) -> Self {
        self.revert.extend(work);
        self
    }

    #[must_use]
    pub fn expect(mut self, output: impl Into<String>) -> Self {
        self.expect = Some(output.into());
        self
    }

    #[must_use]
    pub fn capture(mut self, name: impl Into<String>) -> Self {
        self.capture = Some(name.into());
        self
    }
}

/// How an operation whose work was done by a run is taken back, in `Record.data["reversal"]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reversal {
    /// Checked before anything is touched; one that fails refuses the undo.
    pub guards: Vec<Step>,
    pub undo: Vec<Step>,
    /// Checked and carried out by redo; `None` = it cannot be brought back, only done again.
    pub redo: Option<Vec<Step>>,
}

impl Reversal {
    pub const KEY: &'static str = "reversal";

    pub fn of(data: &Value) -> Option<Reversal> {
        data.get(Self::KEY).and_then(|v| serde_json::from_value(v.clone()).ok())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    Queued,
    Running,
    Success,
    Failed,
    Cancelled,
    /// The daemon ended while it was queued or running.
    Interrupted,
}

impl RunStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Queued => "queued",
            RunStatus::Running => "running",
            RunStatus::Success => "success",
            RunStatus::Failed => "failed",
            RunStatus::Cancelled => "cancelled",
            RunStatus::Interrupted => "interrupted",
        }
    }

    pub fn active(self) -> bool {
        matches!(self, RunStatus::Queued | RunStatus::Running)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRow {
    pub id: String,
    pub root: String,
    pub ecosystem: String,
    pub action: String,
    pub tool: String,
    pub status: RunStatus,
    pub created: Timestamp,
    #[serde(default)]
    pub started: Option<Timestamp>,
    #[serde(default)]
    pub finished: Option<Timestamp>,
    #[serde(default)]
    pub exit_code: Option<i32>,
    pub session: String,
    pub steps: u64,
    #[serde(default)]
    pub steps_done: u64,
    /// What is being done, or why it failed.
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub cancel_asked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Info,
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Stdout,
    Stderr,
    /// Said by packd about the run.
    Packd,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LogLine {
    pub time: Timestamp,
    pub level: Level,
    pub stream: Source,
    #[serde(default)]
    pub step: String,
    pub text: String,
}

/// How a run ended, handed to the family's `call` as what was gathered.
#[derive(Debug, Clone)]
pub struct RunDone {
    pub id: String,
    pub root: String,
    pub ecosystem: String,
    pub status: RunStatus,
    pub captured: BTreeMap<String, String>,
    /// Groups whose every step succeeded.
    pub done_groups: Vec<String>,
    pub failed_groups: Vec<String>,
    pub data: Value,
}

/// Entries of `runs` and `run_logs`.
pub fn index(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table == RUNS {
        let Ok(run) = row::decode::<RunRow>(&row.value) else { return Vec::new() };
        let sort = Key::empty().number(run.created.sortable()).text(&run.id);
        let mut groups =
            vec![Key::of("root").text(&run.root), Key::of("eco").text(&run.root).text(&run.ecosystem)];
        if run.status.active() {
            groups.push(Key::of("active"));
        }
        let entry = |group| IndexEntry {
            index: RUNS_BY_TIME,
            group,
            sort: sort.clone(),
            value: run.id.clone().into_bytes(),
        };
        return groups.into_iter().map(entry).collect();
    }
    if table == RUN_LOGS {
        let mut parts = key.parts();
        let (Some(run), Some(line)) = (parts.text(), parts.number()) else { return Vec::new() };
        let level = match row::decode::<LogLine>(&row.value) {
            Ok(LogLine { level: Level::Error, .. }) => "error",
            Ok(LogLine { level: Level::Warning, .. }) => "warning",
            _ => return Vec::new(),
        };
        let group = Key::of(&run).text(level);
        return vec![IndexEntry {
            index: LOGS_BY_LEVEL,
            group,
            sort: Key::empty().number(line),
            value: Vec::new(),
        }];
    }
    Vec::new()
}
