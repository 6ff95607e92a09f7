//! How a command ends badly: what to print and which exit code.

use serde_json::Value;

use super::client::ToolAnswer;
use crate::ipc::SocketTrouble;

/// 1: refused, failed or not found. 2: a value that cannot be meant. 3: no daemon could be reached.
#[derive(Debug)]
pub struct CommandFailure {
    pub message: String,
    pub hint: Option<String>,
    pub code: u8,
    /// The machine-readable answer, for `--json`.
    pub details: Box<Value>,
    /// `--json` has already printed its one document, which tells of the failure.
    pub shown: bool,
}

impl CommandFailure {
    pub fn refused(message: impl Into<String>) -> Self {
        CommandFailure { message: message.into(), hint: None, code: 1, details: Box::default(), shown: false }
    }

    /// A value that cannot be meant: nobody was asked, nothing was tried.
    pub fn usage(message: impl Into<String>) -> Self {
        CommandFailure { code: 2, ..CommandFailure::refused(message) }
    }

    pub fn unreachable(message: impl Into<String>) -> Self {
        CommandFailure { message: message.into(), hint: None, code: 3, details: Box::default(), shown: false }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// For a command whose document says what is wrong: `--json` prints nothing after it.
    #[must_use]
    pub fn shown(mut self) -> Self {
        self.shown = true;
        self
    }

    /// A failed tool call in the words of its family.
    pub fn of_tool(answer: &ToolAnswer) -> Self {
        let told = super::view::told::of(&answer.text, &answer.structured);
        CommandFailure {
            message: told.message,
            hint: told.hint,
            code: 1,
            details: Box::new(answer.structured.clone()),
            shown: false,
        }
    }
}

impl From<SocketTrouble> for CommandFailure {
    fn from(trouble: SocketTrouble) -> Self {
        CommandFailure {
            message: trouble.message,
            hint: Some(trouble.hint).filter(|h| !h.is_empty()),
            code: 3,
            details: Box::default(),
            shown: false,
        }
    }
}
