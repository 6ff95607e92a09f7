//! Evidence: checks, attachments and artifacts of steps. Secrets are taken out before anything is kept.
//!
//! Artifacts are blobs named by their SHA-256; an item refers to them as `task-evidence://<sha>`, and only
//! what an item of the workspace refers to can be read back.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::json::{sorted, type_name};
use crate::core::{Given, Result, Sha, Timestamp, View, redact};

use super::args;
use super::errors::fail;
use super::model::{Attachment, EvidenceCheck, Object, TaskStep};
use super::rows::{self, BY_BLOB};

pub const SCHEME: &str = "task-evidence://";

fn digest(value: &Value) -> String {
    Sha::of(sorted(value).to_string().as_bytes()).0
}

impl EvidenceCheck {
    /// Fills in the digest (independent of time) and the time.
    pub fn sealed(mut self, now: Timestamp) -> EvidenceCheck {
        if self.digest.is_empty() {
            self.digest = digest(&json!({"kind": self.kind, "spec": self.spec, "outcome": self.outcome,
                "preview": self.preview, "details": self.details}));
        }
        if self.observed_at.is_empty() {
            self.observed_at = now.offset();
        }
        self
    }
}

impl Attachment {
    pub fn sealed(mut self, now: Timestamp) -> Attachment {
        if self.digest.is_empty() {
            self.digest = digest(&json!({"kind": self.kind, "path": self.path, "uri": self.uri,
                "external_uri": self.external_uri, "size": self.size, "meta": self.meta}));
        }
        if self.observed_at.is_empty() {
            self.observed_at = now.offset();
        }
        self
    }

    /// The command whose output it is.
    pub fn command(&self) -> &str {
        self.meta.get("command").and_then(Value::as_str).unwrap_or_default()
    }

    /// The command ended with another code than 0, however hosts write it.
    pub fn failed(&self) -> bool {
        let code = match self.meta.get("exit_code") {
            Some(Value::Number(code)) => code.as_i64(),
            Some(Value::String(code)) => code.trim().parse().ok(),
            _ => None,
        };
        code.is_some_and(|code| code != 0)
    }
}

/// The digest that an artifact's address holds.
pub fn artifact(uri: &str) -> Option<&str> {
    uri.strip_prefix(SCHEME)
}

/// The entries of a list, without secrets.
fn entries(given: &Given<Vec<Value>>, what: &str, code: &str) -> Result<Vec<Value>> {
    let most = args::MAX_LIST;
    match given {
        Given::Absent => Ok(Vec::new()),
        Given::Is(list) if list.len() <= most => Ok(list.iter().map(redact::value).collect()),
        Given::Is(_) => Err(fail(code, format!("'{what}' must be a list of at most {most}."))),
        Given::Wrong(other) => Err(fail(
            code,
            format!("'{what}' must be a list of at most {most}, but is {}.", type_name(other)),
        )),
    }
}

/// What a text or object of a request is where its parts have the right types.
fn read<T: for<'a> Deserialize<'a>>(value: &Value, what: &str, code: &str) -> Result<T> {
    T::deserialize(value).map_err(|e| fail(code, format!("{what}: {e}.")))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckInput {
    kind: Option<String>,
    spec: Option<String>,
    outcome: Option<String>,
    observed_at: Option<String>,
    digest: Option<String>,
    preview: Option<String>,
    details: Option<Object>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AttachmentInput {
    kind: Option<String>,
    path: Option<String>,
    file_path: Option<String>,
    uri: Option<String>,
    external_uri: Option<String>,
    size: Given<u64>,
    digest: Option<String>,
    observed_at: Option<String>,
    meta: Option<Object>,
}

fn or(text: Option<String>, default: &str) -> String {
    match text.as_deref().map(str::trim) {
        None | Some("") => default.to_string(),
        Some(text) => text.to_string(),
    }
}

/// Checks as strings (commands) or objects.
pub fn parse_checks(given: &Given<Vec<Value>>, now: Timestamp) -> Result<Vec<EvidenceCheck>> {
    const CODE: &str = "INVALID_CHECKS";
    let mut out = Vec::new();
    for (i, entry) in entries(given, "checks", CODE)?.iter().enumerate() {
        let what = format!("checks[{i}]");
        let check = match entry {
            Value::String(spec) if !spec.trim().is_empty() => EvidenceCheck {
                kind: "command".into(),
                spec: spec.trim().into(),
                outcome: "info".into(),
                ..EvidenceCheck::default()
            },
            Value::Object(_) => {
                let input: CheckInput = read(entry, &what, CODE)?;
                EvidenceCheck {
                    kind: or(input.kind, "command"),
                    spec: or(input.spec, ""),
                    outcome: or(input.outcome, "info"),
                    observed_at: input.observed_at.unwrap_or_default(),
                    digest: input.digest.unwrap_or_default(),
                    preview: input.preview.unwrap_or_default(),
                    details: input.details.unwrap_or_default(),
                    extra: Object::new(),
                }
            }
            _ => return Err(fail(CODE, format!("{what} must be a command or an object."))),
        };
        if check.spec.is_empty() && check.preview.is_empty() && check.details.is_empty() {
            return Err(fail(CODE, format!("{what} says nothing: give 'spec'.")));
        }
        out.push(check.sealed(now));
    }
    Ok(out)
}

/// Attachments as paths or objects.
pub fn parse_attachments(given: &Given<Vec<Value>>, now: Timestamp) -> Result<Vec<Attachment>> {
    const CODE: &str = "INVALID_ATTACHMENTS";
    let mut out = Vec::new();
    for (i, entry) in entries(given, "attachments", CODE)?.iter().enumerate() {
        let what = format!("attachments[{i}]");
        let attachment = match entry {
            Value::String(path) if !path.trim().is_empty() => {
                Attachment { kind: "file".into(), path: path.trim().into(), ..Attachment::default() }
            }
            Value::Object(_) => {
                let input: AttachmentInput = read(entry, &what, CODE)?;
                let file = or(input.file_path, "");
                Attachment {
                    kind: or(input.kind, "file"),
                    path: or(input.path, &file),
                    uri: or(input.uri, ""),
                    external_uri: or(input.external_uri, ""),
                    size: input.size.get().copied().unwrap_or(0),
                    digest: input.digest.unwrap_or_default(),
                    observed_at: input.observed_at.unwrap_or_default(),
                    meta: input.meta.unwrap_or_default(),
                    extra: Object::new(),
                }
            }
            _ => return Err(fail(CODE, format!("{what} must be a path or an object."))),
        };
        if attachment.path.is_empty() && attachment.uri.is_empty() && attachment.external_uri.is_empty() {
            return Err(fail(CODE, format!("{what} points nowhere: give 'path' or 'uri'.")));
        }
        out.push(attachment.sealed(now));
    }
    Ok(out)
}

/// Adds what is not there yet (by digest) and returns what was added.
pub fn add_checks(step: &mut TaskStep, checks: Vec<EvidenceCheck>) -> Vec<EvidenceCheck> {
    let mut added = Vec::new();
    for check in checks {
        if !step.verification_checks.iter().any(|c| c.digest == check.digest) {
            step.verification_checks.push(check.clone());
            added.push(check);
        }
    }
    added
}

/// The same for attachments. One that is seen again is the newest now: a command that succeeds again, after it failed,
/// prints what it printed before.
pub fn add_attachments(list: &mut Vec<Attachment>, new: Vec<Attachment>) -> Vec<Attachment> {
    let mut added = Vec::new();
    for attachment in new {
        match list.iter().position(|a| a.digest == attachment.digest) {
            Some(at) => list[at..].rotate_left(1),
            None => {
                list.push(attachment.clone());
                added.push(attachment);
            }
        }
    }
    added
}

/// The text of an artifact that an item of this workspace refers to.
pub fn stored(view: &dyn View, workspace: &str, sha: &str) -> Result<Option<Vec<u8>>> {
    if view.count(BY_BLOB, &rows::group(workspace, &[sha]))? == 0 {
        return Ok(None);
    }
    view.blob(&Sha(sha.to_string()))
}
