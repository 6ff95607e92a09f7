//! How things stand: what a family has to say to somebody who asks where they are.
//!
//! Each family tells of its own things and knows none of the others; who asks puts them together and cuts them to size.

use serde::Serialize;
use serde_json::Value;

use super::findable::Findable;
use super::{Ctx, Look, SessionInfo};

/// What one family contributes.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    pub work: Option<WorkInHand>,
    /// Who holds what, one line each.
    pub holders: Vec<String>,
    /// What somebody should look at: stale, drifted, waiting.
    pub remarks: Vec<Remark>,
}

/// What is to be done next, and how it was chosen.
#[derive(Debug, Clone, Default)]
pub struct WorkInHand {
    /// `TASK-003 Title, ACTIVE, 40 %`.
    pub what: String,
    /// A clause: `because it is the focus`.
    pub because: String,
    /// Facts about it in the order in which they matter, one line each; the last ones go first where it gets long.
    pub lines: Vec<String>,
    pub next: Option<NextCall>,
}

/// A line that asks for attention, with the call that looks closer.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Remark {
    pub text: String,
    #[serde(skip)]
    pub next: Option<NextCall>,
    /// The same for a person at a terminal.
    pub command: Option<String>,
}

/// A call that can be sent as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextCall {
    pub tool: String,
    pub arguments: Value,
}

impl NextCall {
    pub fn new(tool: &str, arguments: Value) -> NextCall {
        NextCall { tool: tool.to_string(), arguments }
    }

    /// The call, if this session has the tool.
    pub fn offered(self, session: &SessionInfo) -> Option<NextCall> {
        session.offered.has(&self.tool).then_some(self)
    }

    /// `tool {"argument":"value"}`.
    pub fn written(&self) -> String {
        format!("{} {}", self.tool, self.arguments)
    }
}

/// The other families, for the one that asks all of them.
pub trait Neighbours: Send + Sync {
    /// What each has to say; one that cannot say anything is left out.
    fn standings(&self, look: &Look) -> Vec<Standing>;

    /// What each lets be found.
    fn findables(&self, ctx: &Ctx) -> Vec<Findable>;
}
