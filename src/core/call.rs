//! One tool call as a family sees it, and the session it belongs to.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::arguments::Read;
use super::{Offered, Table, Timestamp};

/// What a session said that must outlive the daemon, keyed by session id.
pub const SESSIONS: Table = Table("sessions");

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SessionState {
    #[serde(default)]
    pub mode: Option<Mode>,
}

/// How much a caller wants to happen. Ordered: a ceiling is `min`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Ask,
    Plan,
    Execute,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Ask, Mode::Plan, Mode::Execute];

    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Ask => "ask",
            Mode::Plan => "plan",
            Mode::Execute => "execute",
        }
    }

    pub fn parse(text: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.as_str() == text)
    }
}

/// What belongs to the shim process for its whole life. Every call has its own: a copy is made only where one of
/// them changes something.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionInfo(Arc<SessionFacts>);

impl From<SessionFacts> for SessionInfo {
    fn from(facts: SessionFacts) -> Self {
        SessionInfo(Arc::new(facts))
    }
}

impl Deref for SessionInfo {
    type Target = SessionFacts;
    fn deref(&self) -> &SessionFacts {
        &self.0
    }
}

impl DerefMut for SessionInfo {
    fn deref_mut(&mut self) -> &mut SessionFacts {
        Arc::make_mut(&mut self.0)
    }
}

/// Comes from its Hello. What it does not say is as by default: nowhere, and allowed nothing in particular.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SessionFacts {
    pub id: String,
    /// The host's name for itself, once it said so.
    pub client: String,
    /// Canonical directory; the scope of packs, tasks and history.
    pub workspace: String,
    /// Canonical directory of the tree that is worked in: the workspace, unless that is the main checkout of a linked
    /// work tree. The scope of files, snapshots and deploys.
    #[serde(default)]
    pub tree: String,
    pub cwd: PathBuf,
    /// Only the variables that a contract names.
    pub env: BTreeMap<String, String>,
    /// The user's home directory.
    pub home: PathBuf,
    pub allow_write: bool,
    pub read_only: bool,
    /// Mode said for the session (flag or `amof_set_mode`).
    pub mode: Option<Mode>,
    /// Ceiling a human set; no call can raise it.
    pub max_mode: Option<Mode>,
    /// The command line runs in the foreground of its controlling terminal, as far as the daemon can tell.
    #[serde(skip)]
    pub terminal: bool,
    /// Its person said the passphrase.
    #[serde(skip)]
    pub unlocked: bool,
    /// The tools it lists.
    #[serde(skip)]
    pub offered: Offered,
}

/// The name under which the command line calls.
pub const CLI_CLIENT: &str = "packd-cli";
/// The name under which a person acts on the local page.
pub const PAGE_CLIENT: &str = "ui";

/// Variables that packd itself reads from a client, whichever families there are.
pub const OWN_VARIABLES: [&str; 3] = ["HOME", "PACKD_*", "CLAUDE_PROJECT_DIR"];

impl SessionFacts {
    /// The command line: a program that a person, a script or an agent may have started.
    pub fn is_cli(&self) -> bool {
        self.env.get("PACKD_CLI").is_some_and(|v| v == "1")
    }

    /// The command line in a terminal of its own, through which a person acts: it may confirm for other sessions.
    pub fn is_person(&self) -> bool {
        self.terminal && self.is_cli()
    }
}

/// A call after policy: `mode` is already taken out of the arguments.
#[derive(Debug, Clone)]
pub struct Call {
    pub tool: String,
    pub args: Map<String, Value>,
    /// JSON-RPC id as the client wrote it; `null` for a notification.
    pub request_id: Value,
    /// Session and request id: answers "did my write happen?" after a lost reply.
    pub request_key: Option<String>,
    /// The host's own names for this request, copied into the records it leaves.
    pub trace: Value,
    /// Nothing will be applied: plan mode, or the engine asking for a preview.
    pub preview: bool,
    /// The mode that policy arrived at; for texts only, families never decide by it.
    pub mode: Mode,
    /// Somebody said a mode (in the call, for the session, or as a ceiling).
    pub mode_said: bool,
    /// When it was first asked for, if it waited for a person since.
    pub asked: Option<Timestamp>,
    /// What was odd about the arguments; tools whose contract ignores such things say it in their reply.
    pub warnings: Vec<String>,
    /// The arguments in their tool's own type, once they were read.
    pub typed: Read,
}

impl Call {
    /// A call of nobody's: housekeeping, a request of the protocol, a step of the engine itself.
    pub fn of(tool: &str, args: Map<String, Value>) -> Call {
        Call {
            tool: tool.to_string(),
            args,
            request_id: Value::Null,
            request_key: None,
            trace: Value::Null,
            preview: false,
            mode: Mode::Ask,
            mode_said: false,
            asked: None,
            warnings: Vec::new(),
            typed: Read::default(),
        }
    }

    /// The same call with other arguments.
    #[must_use]
    pub fn with(&self, args: Map<String, Value>) -> Call {
        Call { args, typed: Read::default(), ..self.clone() }
    }
}
