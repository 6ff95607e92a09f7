//! Long work as data: a family plans a run step by step, the daemon owns and carries it out.
//!
//! What is done is in its steps (`step`); here is how a run is asked for, followed and recorded. Rows and log
//! lines of runs are bookkeeping of the daemon, not operations: they are never undone.

mod step;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Index, IndexEntry, Key, Row, SessionInfo, Table, Timestamp, redact, row};

pub use step::{Reversal, RunStep, StepWork, make_anew};

/// Run id → [`RunRow`].
pub const RUNS: Table = Table("runs");
/// Run id and line number → [`LogLine`].
pub const RUN_LOGS: Table = Table("run_logs");
/// Run id → [`KeptRun`], while it runs.
pub const RUN_SPECS: Table = Table("run_specs");
/// Newest last; groups: everything of a root, one subject of it, and what is not finished ("active").
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

impl Order {
    /// The run that it starts.
    pub fn starts(&self) -> Option<&str> {
        match self {
            Order::Start(spec) => Some(&spec.id),
            Order::Cancel { .. } => None,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunSpec {
    pub id: String,
    /// Whose run it is, as its row says.
    pub root: String,
    /// What it is about, as its family calls it.
    #[serde(rename = "ecosystem")]
    pub subject: String,
    /// One run at a time per lane; the others wait their turn.
    pub lane: String,
    pub family: String,
    /// The call that asked for it: its operation is recorded under this tool when the run has succeeded.
    pub tool: String,
    pub args: Map<String, Value>,
    pub session: SessionInfo,
    pub steps: Vec<RunStep>,
    /// Variables of the session's environment that its programs get beside the usual ones; only their names.
    #[serde(default)]
    pub pass: Vec<String>,
    /// Whatever the family needs to record the result.
    pub data: Value,
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

/// The program of a run that is under way, in a process group that outlives the daemon. A pid alone could be
/// another's by now; with its start and the boot it cannot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    pub step: u64,
    pub pid: u32,
    pub start: u64,
    pub boot: String,
    /// Lines of its output that are in the log.
    #[serde(default)]
    pub heard: u64,
}

/// How far a run has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunProgress {
    /// Steps that succeeded.
    pub done: Vec<u64>,
    pub failed_groups: Vec<String>,
    pub captured: BTreeMap<String, String>,
    pub exit_code: Option<i32>,
    /// The first thing that went wrong.
    pub trouble: Option<String>,
}

/// What the next daemon needs to go on with a run. It holds no value of anybody's environment and no secret.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptRun {
    pub spec: RunSpec,
    /// Steps whose words held a secret: they cannot be done from here.
    #[serde(default)]
    pub clipped: Vec<u64>,
}

impl KeptRun {
    pub fn of(spec: &RunSpec) -> KeptRun {
        let mut spec = spec.clone();
        let mut clipped = Vec::new();
        spec.session.env.clear();
        spec.args = redact::object(&spec.args);
        for (n, step) in (0..).zip(&mut spec.steps) {
            let works = std::iter::once(&mut step.work).chain(&mut step.revert);
            if works.map(without_secrets).fold(false, |any, one| any | one) {
                clipped.push(n);
            }
        }
        KeptRun { spec, clipped }
    }
}

/// Takes secrets out of a piece of work; true if there were any.
fn without_secrets(work: &mut StepWork) -> bool {
    fn clean(value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let shown = redact::line(text);
                let changed = shown != *text;
                *text = shown;
                changed
            }
            Value::Array(items) => items.iter_mut().map(clean).fold(false, |any, one| any | one),
            Value::Object(map) => map.values_mut().map(clean).fold(false, |any, one| any | one),
            _ => false,
        }
    }
    let Ok(mut value) = serde_json::to_value(&*work) else { return false };
    let changed = clean(&mut value);
    if let (true, Ok(shown)) = (changed, serde_json::from_value(value)) {
        *work = shown;
    }
    changed
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRow {
    pub id: String,
    pub root: String,
    #[serde(rename = "ecosystem")]
    pub subject: String,
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
    #[serde(default)]
    pub program: Option<Watched>,
    #[serde(default)]
    pub progress: RunProgress,
}

impl RunRow {
    /// Of a run that was asked for and has not begun. `note` is what it will do.
    pub fn queued(spec: &RunSpec, action: &str, note: &str, created: Timestamp) -> RunRow {
        RunRow {
            id: spec.id.clone(),
            root: spec.root.clone(),
            subject: spec.subject.clone(),
            action: action.to_string(),
            tool: spec.tool.clone(),
            status: RunStatus::Queued,
            created,
            started: None,
            finished: None,
            exit_code: None,
            session: spec.session.id.clone(),
            steps: spec.steps.len() as u64,
            steps_done: 0,
            note: note.to_string(),
            cancel_asked: false,
            program: None,
            progress: RunProgress::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineLevel {
    Info,
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineSource {
    Stdout,
    Stderr,
    /// Said by packd about the run.
    Packd,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LogLine {
    pub time: Timestamp,
    pub level: LineLevel,
    pub stream: LineSource,
    #[serde(default)]
    pub step: String,
    pub text: String,
}

/// How a run ended, handed to its tool's `finish`.
#[derive(Debug, Clone)]
pub struct RunDone {
    pub id: String,
    pub root: String,
    pub subject: String,
    pub status: RunStatus,
    /// Why it did not succeed.
    pub note: String,
    /// Steps that were begun.
    pub begun: u64,
    pub captured: BTreeMap<String, String>,
    /// Groups whose every step succeeded.
    pub done_groups: Vec<String>,
    pub data: Value,
}

/// Entries of `runs` and `run_logs`.
pub fn index(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table == RUNS {
        let Ok(run) = row::decode::<RunRow>(&row.value) else { return Vec::new() };
        let sort = Key::empty().number(run.created.sortable()).text(&run.id);
        let mut groups =
            vec![Key::of("root").text(&run.root), Key::of("eco").text(&run.root).text(&run.subject)];
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
            Ok(LogLine { level: LineLevel::Error, .. }) => "error",
            Ok(LogLine { level: LineLevel::Warning, .. }) => "warning",
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
