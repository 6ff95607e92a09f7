//! Evidence: checks, attachments and artifacts of steps. Secrets are taken out before anything is kept.
//!
//! Artifacts are blobs named by their SHA-256; an item refers to them as `task-evidence://<sha>`, and only
//! what an item of the workspace refers to can be read back.

use serde_json::{Value, json};

use crate::core::json::{sorted, type_name};
use crate::core::{Result, Sha, Timestamp, View, redact};

use super::args::{self, flag, text};
use super::artifact::{self, cut};
use super::fail::{Envelope, fail};
use super::model::{Attachment, Check, Object, Step};
use super::run::{Answer, Run, STEP};
use super::store::{self, BY_BLOB};
use super::{shape, suggest};

pub const SCHEME: &str = "task-evidence://";

fn digest(value: &Value) -> String {
    Sha::of(sorted(value).to_string().as_bytes()).0
}

impl Check {
    /// Fills in the digest (independent of time) and the time.
    pub fn sealed(mut self, now: Timestamp) -> Check {
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
}

/// The digest that an artifact's address holds.
pub fn artifact(uri: &str) -> Option<&str> {
    uri.strip_prefix(SCHEME)
}

fn entries<'a>(value: &'a Value, what: &str, code: &str) -> Result<&'a Vec<Value>> {
    let list = value.as_array().filter(|list| list.len() <= args::MAX_LIST);
    list.ok_or_else(|| {
        let most = args::MAX_LIST;
        fail(code, format!("'{what}' must be a list of at most {most}, but is {}.", type_name(value)))
    })
}

fn part(entry: &Object, key: &str, what: &str, code: &str) -> Result<String> {
    let value = args::prose(entry, key, code).map_err(|e| fail(code, format!("{what}: {}", e.message)))?;
    Ok(value.unwrap_or_default())
}

pub fn detail(entry: &Object, key: &str, what: &str, code: &str) -> Result<Object> {
    match entry.get(key) {
        None | Some(Value::Null) => Ok(Object::new()),
        Some(Value::Object(map)) => Ok(map.clone()),
        Some(other) => {
            Err(fail(code, format!("{what}: '{key}' must be an object, but is {}.", type_name(other))))
        }
    }
}

/// Checks as strings (commands) or objects.
pub fn parse_checks(value: &Value, now: Timestamp) -> Result<Vec<Check>> {
    const CODE: &str = "INVALID_CHECKS";
    let value = redact::value(value);
    let mut out = Vec::new();
    for (i, entry) in entries(&value, "checks", CODE)?.iter().enumerate() {
        let what = format!("checks[{i}]");
        let check = match entry {
            Value::String(spec) if !spec.trim().is_empty() => Check {
                kind: "command".into(),
                spec: spec.trim().into(),
                outcome: "info".into(),
                ..Check::default()
            },
            Value::Object(map) => {
                let word = |key| part(map, key, &what, CODE);
                let or = |text: String, default: &str| {
                    if text.trim().is_empty() { default.to_string() } else { text.trim().to_string() }
                };
                Check {
                    kind: or(word("kind")?, "command"),
                    spec: word("spec")?.trim().to_string(),
                    outcome: or(word("outcome")?, "info"),
                    observed_at: word("observed_at")?,
                    digest: word("digest")?,
                    preview: word("preview")?,
                    details: detail(map, "details", &what, CODE)?,
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
pub fn parse_attachments(value: &Value, now: Timestamp) -> Result<Vec<Attachment>> {
    const CODE: &str = "INVALID_ATTACHMENTS";
    let value = redact::value(value);
    let mut out = Vec::new();
    for (i, entry) in entries(&value, "attachments", CODE)?.iter().enumerate() {
        let what = format!("attachments[{i}]");
        let attachment = match entry {
            Value::String(path) if !path.trim().is_empty() => {
                Attachment { kind: "file".into(), path: path.trim().into(), ..Attachment::default() }
            }
            Value::Object(map) => {
                let word = |key| part(map, key, &what, CODE);
                let path = match word("path")? {
                    path if path.trim().is_empty() => word("file_path")?,
                    path => path,
                };
                let kind = match word("kind")? {
                    kind if kind.trim().is_empty() => "file".to_string(),
                    kind => kind.trim().to_string(),
                };
                Attachment {
                    kind,
                    path: path.trim().to_string(),
                    uri: word("uri")?.trim().to_string(),
                    external_uri: word("external_uri")?.trim().to_string(),
                    size: map.get("size").and_then(Value::as_u64).unwrap_or(0),
                    digest: word("digest")?,
                    observed_at: word("observed_at")?,
                    meta: detail(map, "meta", &what, CODE)?,
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
pub fn add_checks(step: &mut Step, checks: Vec<Check>) -> Vec<Check> {
    let mut added = Vec::new();
    for check in checks {
        if !step.verification_checks.iter().any(|c| c.digest == check.digest) {
            step.verification_checks.push(check.clone());
            added.push(check);
        }
    }
    added
}

pub fn add_attachments(list: &mut Vec<Attachment>, new: Vec<Attachment>) -> Vec<Attachment> {
    let mut added = Vec::new();
    for attachment in new {
        if !list.iter().any(|a| a.digest == attachment.digest) {
            list.push(attachment.clone());
            added.push(attachment);
        }
    }
    added
}

/// `checks` under either of its names.
pub fn requested_checks(request: &Object, now: Timestamp) -> Result<Vec<Check>> {
    let value =
        ["checks", "verification_checks"].iter().find_map(|k| request.get(*k)).filter(|v| !v.is_null());
    value.map_or(Ok(Vec::new()), |v| parse_checks(v, now))
}

pub fn requested_attachments(request: &Object, now: Timestamp) -> Result<Vec<Attachment>> {
    let value = request.get("attachments").filter(|v| !v.is_null());
    value.map_or(Ok(Vec::new()), |v| parse_attachments(v, now))
}

pub fn capture(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let now = run.ctx.now;
    let artifacts = artifact::requested(request, now)?;
    let mut attachments = requested_attachments(request, now)?;
    let checks = requested_checks(request, now)?;
    let outcome = text(request, "verification_outcome").map(|o| redact::text(o).0);
    if artifacts.is_empty() && attachments.is_empty() && checks.is_empty() && outcome.is_none() {
        return Err(fail("MISSING_EVIDENCE", "There is nothing to capture.")
            .hint("Send artifacts, attachments, checks or verification_outcome.")
            .suggest(suggest::look_at(&item.id)));
    }
    let mut written = Vec::new();
    let mut links = Vec::new();
    for artifact in artifacts {
        if let Some(bytes) = artifact.bytes {
            let size = bytes.len();
            let sha = run.draft.put_blob(bytes);
            written.push(json!({"kind": artifact.attachment.kind, "uri": artifact.attachment.uri,
                "size": size, "sha256": sha.as_str(), "truncated": artifact.truncated,
                "original_size": artifact.original_size}));
            links.push((artifact.attachment.uri.clone(), format!("{} {path}", artifact.attachment.kind)));
        }
        attachments.push(artifact.attachment);
    }
    // Resolved in this very item just above.
    let step = path.step_mut(&mut item).expect("resolved step");
    let added = add_attachments(&mut step.attachments, attachments);
    let checked = add_checks(step, checks);
    if let Some(outcome) = &outcome {
        step.verification_outcome = outcome.clone();
    }
    let saved = run.save(item)?;
    let compact = flag(request, "compact", false);
    // The same path in the same tree.
    let step = path.step(&saved.item).expect("resolved step");
    let mut answer = Answer::about(
        &saved.item.id,
        json!({"task_id": saved.item.id, "path": path.to_string(),
            "captured": {"artifacts_written": written, "attachments_added": added,
                "checks_added": checked, "verification_outcome": outcome},
            "step": shape::step(step, &path.to_string(), compact, true),
            "task": shape::item(&saved.item, saved.rev, compact)}),
    );
    if !run.preview {
        answer.links = links;
    }
    Ok(answer)
}

/// The text of an artifact that an item of this workspace refers to.
pub fn stored(view: &dyn View, workspace: &str, sha: &str) -> Result<Option<Vec<u8>>> {
    if view.count(BY_BLOB, &store::group(workspace, &[sha]))? == 0 {
        return Ok(None);
    }
    view.blob(&Sha(sha.to_string()))
}

pub fn get(run: &mut Run, request: &Object) -> Result<Answer> {
    const PAGE: i64 = 64_000;
    let given = ["sha256", "uri"].iter().find_map(|k| text(request, k)).unwrap_or_default();
    let sha = given.strip_prefix(SCHEME).unwrap_or(given).to_lowercase();
    if sha.len() != 64 || !sha.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(fail("INVALID_ID", format!("'{given}' names no artifact."))
            .hint("Pass 'sha256' or 'uri' as evidence_capture reported them.")
            .result(json!({"sha256": given}))
            .suggest(suggest::pick_a_target(run.view(), run.workspace())?));
    }
    let Some(bytes) = stored(run.view(), run.workspace(), &sha)? else {
        return Err(fail("NOT_FOUND", "No item of this workspace refers to that artifact.")
            .hint("resume(compact=false) lists the attachments of a task with their uris.")
            .result(json!({"sha256": sha})));
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let offset = args::number(request, "offset", 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0);
    let limit = args::number(request, "max_chars", 1, PAGE * 4, "INVALID_MAX_CHARS")?.unwrap_or(PAGE);
    let mut start = usize::try_from(offset).unwrap_or(text.len()).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let page = cut(&text[start..], usize::try_from(limit).unwrap_or(usize::MAX));
    // A page smaller than one character would never get on.
    let page = if page.is_empty() { &text[start..] } else { page };
    let end = start + page.len();
    let next = (end < text.len()).then_some(end);
    let uri = format!("{SCHEME}{sha}");
    let mut answer = Answer::new(json!({"sha256": sha, "uri": uri, "size": text.len(), "offset": start,
        "next_offset": next, "content": page}));
    answer.links.push((uri, "Task evidence".to_string()));
    Ok(answer)
}
