//! The codes of this family and the one shape its errors have: `[CODE] message hint`.
//!
//! The contract's twelve codes are the minimum; three more name what is wrong with a package itself.

use serde_json::{Value, json};

use crate::core::ctx::ErrorCtx;
use crate::core::layout::Next;
use crate::core::{Error, Kind, Reply, redact};

pub const INVALID: &str = "AAM_INVALID_ARGUMENT";
pub const NOT_INITIALIZED: &str = "AAM_NOT_INITIALIZED";
pub const MANIFEST_NOT_FOUND: &str = "AAM_MANIFEST_NOT_FOUND";
pub const MANIFEST_INVALID: &str = "AAM_MANIFEST_INVALID";
pub const NO_REGISTRY: &str = "AAM_REGISTRY_NOT_CONFIGURED";
pub const REGISTRY_NOT_FOUND: &str = "AAM_REGISTRY_NOT_FOUND";
pub const UNREACHABLE: &str = "AAM_REGISTRY_UNREACHABLE";
pub const PACKAGE_NOT_FOUND: &str = "AAM_PACKAGE_NOT_FOUND";
pub const NOT_INSTALLED: &str = "AAM_PACKAGE_NOT_INSTALLED";
pub const CONFLICT: &str = "AAM_DEPENDENCY_CONFLICT";
pub const DENIED: &str = "AAM_PERMISSION_DENIED";
/// A person must agree first; the confirmation is in the structured content.
const NEEDS_HUMAN: &str = "AAM_NEEDS_HUMAN";
pub const INTERNAL: &str = "AAM_INTERNAL_ERROR";
/// A file is in the way: the user's own, or another package's.
pub const FILE_CONFLICT: &str = "AAM_FILE_CONFLICT";
pub const CHECKSUM: &str = "AAM_CHECKSUM_MISMATCH";
/// An archive that is damaged, hostile or over a limit.
pub const ARCHIVE: &str = "AAM_ARCHIVE_INVALID";

pub fn fail(code: &str, message: impl Into<String>) -> Error {
    let kind = match code {
        MANIFEST_NOT_FOUND | REGISTRY_NOT_FOUND | PACKAGE_NOT_FOUND | NOT_INSTALLED => Kind::NotFound,
        CONFLICT | FILE_CONFLICT => Kind::Conflict,
        NOT_INITIALIZED | NO_REGISTRY => Kind::State,
        DENIED => Kind::Denied,
        UNREACHABLE | CHECKSUM => Kind::Io,
        INTERNAL => Kind::Internal,
        _ => Kind::Invalid,
    };
    Error::new(kind, code, message)
}

/// An error with the call that gets past it.
pub trait Then {
    #[must_use]
    fn then(self, next: impl Into<Option<Next>>) -> Self;
}

impl Then for Error {
    fn then(mut self, next: impl Into<Option<Next>>) -> Error {
        if let Some(next) = next.into() {
            let details = self.details.get_or_insert_with(|| Box::new(json!({})));
            details["next"] = json!(next);
        }
        self
    }
}

/// The contract's code for any error, also those of the engine and of policy.
pub fn code_of(error: &Error) -> &str {
    if error.code.starts_with("AAM_") {
        return &error.code;
    }
    match error.kind {
        _ if error.code == "needs_human" => NEEDS_HUMAN,
        Kind::Invalid => INVALID,
        Kind::Denied => DENIED,
        _ if error.code == "file_changed" => FILE_CONFLICT,
        _ => INTERNAL,
    }
}

pub fn render(error: &Error, ctx: &ErrorCtx) -> Reply {
    let mut text = format!("[{}] {}", code_of(error), shown(error, ctx));
    if let Some(next) = next_of(error, ctx) {
        text.push_str(&format!("\nNext: {next}"));
    }
    let mut reply = Reply::text(text).error();
    // The ask answer is text and structured content, and so is what a person is asked; every other error is its
    // text alone.
    if ["mode_denied", "needs_human", "needs_passphrase", "declined"].contains(&error.code.as_str()) {
        let mut details = error.details.as_deref().cloned().unwrap_or_else(|| serde_json::json!({}));
        if error.code != "mode_denied" {
            details["code"] = serde_json::json!(error.code);
        }
        reply.structured = Some(details);
    }
    reply
}

/// The call that an error brought along, as seen from the workspace; nobody is sent to a tool that is not listed.
fn next_of(error: &Error, ctx: &ErrorCtx) -> Option<String> {
    let next = error.details.as_deref()?.get("next")?;
    let session = ctx.session?;
    let tool = next.get("tool").and_then(Value::as_str)?;
    let text = redact::text(&next.to_string()).0;
    let here = relative(&text, &session.workspace, &session.home.to_string_lossy());
    session.offered.has(tool).then_some(here)
}

/// Message and hint without secrets, and with paths as seen from the workspace and the home directory.
fn shown(error: &Error, ctx: &ErrorCtx) -> String {
    let mut text = redact::text(&error.to_string()).0;
    if let Some(session) = ctx.session {
        text = relative(&text, &session.workspace, &session.home.to_string_lossy());
    }
    text
}

/// Absolute paths are nobody's business in a message: below the workspace they are relative, below home `~`.
pub fn relative(text: &str, workspace: &str, home: &str) -> String {
    let mut out = text.to_string();
    if workspace.len() > 1 {
        out = out.replace(&format!("{workspace}/"), "");
    }
    if home.len() > 1 {
        out = out.replace(&format!("{home}/"), "~/");
    }
    out
}
