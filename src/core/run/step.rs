//! One step of a run: a piece of work, how long it may take and what must come of it.
//!
//! Steps that can be taken back carry their own way back, so that a run that fails half-way leaves nothing
//! half-done. An operation that a run has done carries its way back, too.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::git;
use crate::core::trash::{Discard, Saved};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunStep {
    pub label: String,
    /// A failure skips the rest of its group and fails the run at its end; without a group it ends the run at once.
    #[serde(default)]
    pub group: Option<String>,
    pub work: StepWork,
    /// Carried out, newest first, when a later step fails for good or the run is cancelled.
    #[serde(default)]
    pub revert: Vec<StepWork>,
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
pub enum StepWork {
    /// No shell; arguments as they are.
    Program {
        program: String,
        args: Vec<String>,
        cwd: PathBuf,
        env: Vec<(String, String)>,
    },
    /// Git without hooks, and without any filter or helper but the user's own: what the repository names is found
    /// out and switched off when it runs.
    Git {
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
    /// Keeps directories out of the untracked files of the repositories around them; its output is the paths that
    /// were not kept out before.
    Exclude {
        paths: Vec<PathBuf>,
    },
    /// Takes that back.
    Include {
        paths: Vec<PathBuf>,
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
    /// Fails if a checkout holds work that exists nowhere else.
    CheckSaved(Box<Saved>),
    /// Remembers which tags a fresh clone has: they are its remote's.
    NoteTags {
        dir: PathBuf,
        home: PathBuf,
    },
    /// Moves directories to the trash.
    Trash(Box<Discard>),
    /// Puts an entry of the trash back where it was, which is `path`.
    Untrash {
        entry: String,
        path: PathBuf,
        /// What to do where the trash no longer holds it.
        #[serde(default = "make_anew")]
        otherwise: String,
    },
}

/// Of steps that an older packd recorded.
pub fn make_anew() -> String {
    "make again what it took away".into()
}

impl StepWork {
    /// The program it starts, if it starts one.
    pub fn program(&self) -> Option<&str> {
        match self {
            StepWork::Program { program, .. } => Some(program),
            StepWork::Git { .. } => Some(git::PROGRAM),
            _ => None,
        }
    }
}

impl RunStep {
    pub fn new(label: impl Into<String>, work: StepWork, timeout_seconds: u64) -> Self {
        RunStep {
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
    pub fn revert(mut self, work: impl IntoIterator<Item = StepWork>) -> Self {
        self.revert.extend(work);
        self
    }

    /// A step that fails unless it prints exactly this.
    #[must_use]
    pub fn prints(mut self, output: impl Into<String>) -> Self {
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
    pub guards: Vec<RunStep>,
    pub undo: Vec<RunStep>,
    /// Checked and carried out by redo; `None` = it cannot be brought back, only done again.
    pub redo: Option<Vec<RunStep>>,
}

impl Reversal {
    pub const KEY: &'static str = "reversal";

    pub fn of(data: &Value) -> Option<Reversal> {
        data.get(Self::KEY).and_then(|v| serde_json::from_value(v.clone()).ok())
    }
}
