//! Evidence: checks, attachments and artifacts of steps. Secrets are taken out before anything is kept.
//!
//! Artifacts are blobs named by their SHA-256; an item refers to them as `task-evidence://<sha>`, and only
//! what an item of the workspace refers to can be read back.

use serde_json::{Value, json};

use crate::core::json::{sorted, type_name};
use crate::core::{Error, Result, Sha, Timestamp, redact};

use super::args::{self, flag, has, text};
use super::fail::{Envelope, fail};
use super::model::{Attachment, Check, Object, Step};
use super::run::{Answer, Run, STEP};
use super::store::{self, BY_BLOB};
use super::{shape, suggest};

pub const MAX_ARTIFACTS: usize = 20;
pub const MAX_ARTIFACT_BYTES: usize = 256_000;
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

    /// The artifact this stands for.
    pub fn blob(&self) -> Option<&str> {
        self.uri.strip_prefix(SCHEME)
    }
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

fn detail(entry: &Object, key: &str, what: &str, code: &str) -> Result<Object> {
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

/// An artifact of a request: bytes to keep (if any) and the attachment that stands for it.
struct Artifact {
    attachment: Attachment,
    bytes: Option<Vec<u8>>,
    truncated: bool,
    original_size: usize,
}

fn bad_artifact(code: &str, problem: String, artifact: usize) -> Error {
    fail(code, format!("artifacts[{artifact}]: {problem}"))
        .hint("Artifacts are {kind: cmd_output, command, stdout}, {kind: diff, diff} or {kind: url, url}.")
        .result(json!({"artifact": artifact}))
}

/// The longest prefix of at most `limit` bytes that is whole text.
fn cut(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Sorted JSON of a captured command that fits the limit; the outputs are cut, never the JSON.
fn fit(mut capture: Value) -> (String, bool, usize) {
    let whole = serde_json::to_string_pretty(&sorted(&capture)).unwrap_or_default();
    let original = whole.len();
    let mut text = whole;
    while text.len() > MAX_ARTIFACT_BYTES {
        let excess = text.len() - MAX_ARTIFACT_BYTES;
        let length = |key: &str| capture[key].as_str().map_or(0, str::len);
        let key = ["stdout", "stderr", "command"].into_iter().max_by_key(|k| length(k)).unwrap_or("stdout");
        let keep = length(key).saturating_sub(excess.max(64));
        if length(key) == 0 {
            capture["meta"] = json!({});
        } else {
            capture[key] = json!(cut(capture[key].as_str().unwrap_or_default(), keep));
        }
        text = serde_json::to_string_pretty(&sorted(&capture)).unwrap_or_default();
    }
    let truncated = text.len() < original;
    (text, truncated, original)
}

fn parse_artifact(value: &Value, index: usize, now: Timestamp) -> Result<Artifact> {
    let value = redact::value(value);
    let bad = |code: &str, problem: &str| bad_artifact(code, problem.to_string(), index);
    let Some(map) = value.as_object() else { return Err(bad("INVALID_ARTIFACTS", "must be an object.")) };
    let word = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut meta = detail(map, "meta", "artifact", "INVALID_ARTIFACTS")?;
    let kind = word("kind").trim().to_lowercase();
    let (text, truncated, original_size) = match kind.as_str() {
        "url" => {
            let url = [word("url"), word("external_uri")].into_iter().find(|u| !u.trim().is_empty());
            let Some(url) = url else { return Err(bad("MISSING_URL", "'url' is required.")) };
            let attachment =
                Attachment { kind, external_uri: url.trim().to_string(), meta, ..Attachment::default() };
            let attachment = attachment.sealed(now);
            return Ok(Artifact { attachment, bytes: None, truncated: false, original_size: 0 });
        }
        "diff" => {
            let diff = [word("diff"), word("content"), word("text")].into_iter().find(|d| !d.is_empty());
            let Some(diff) = diff else { return Err(bad("MISSING_DIFF", "'diff' is required.")) };
            let kept = cut(diff, MAX_ARTIFACT_BYTES);
            (kept.to_string(), kept.len() < diff.len(), diff.len())
        }
        "cmd_output" => {
            let stdout = if word("stdout").is_empty() { word("output") } else { word("stdout") };
            if stdout.is_empty() && word("stderr").is_empty() && !has(map, "exit_code") {
                return Err(bad("MISSING_OUTPUT", "'stdout', 'stderr' or 'exit_code' is required."));
            }
            let code = map.get("exit_code").cloned().unwrap_or(Value::Null);
            meta.insert("command".into(), json!(word("command")));
            meta.insert("exit_code".into(), code.clone());
            let given = detail(map, "meta", "artifact", "INVALID_ARTIFACTS")?;
            fit(json!({"command": word("command"), "exit_code": code, "stdout": stdout,
                "stderr": word("stderr"), "meta": given}))
        }
        _ => return Err(bad("INVALID_ARTIFACT_KIND", "'kind' must be cmd_output, diff or url.")),
    };
    let sha = Sha::of(text.as_bytes());
    meta.insert("artifact_sha256".into(), json!(sha.as_str()));
    meta.insert("truncated".into(), json!(truncated));
    meta.insert("original_size".into(), json!(original_size));
    let attachment = Attachment {
        kind,
        uri: format!("{SCHEME}{sha}"),
        size: text.len() as u64,
        meta,
        ..Attachment::default()
    };
    let attachment = attachment.sealed(now);
    Ok(Artifact { attachment, bytes: Some(text.into_bytes()), truncated, original_size })
}

fn requested_artifacts(request: &Object, now: Timestamp) -> Result<Vec<Artifact>> {
    let value = ["artifacts", "items"].iter().find_map(|k| request.get(*k)).filter(|v| !v.is_null());
    let Some(value) = value else { return Ok(Vec::new()) };
    let Some(list) = value.as_array() else {
        let got = type_name(value);
        return Err(fail("INVALID_ARTIFACTS", format!("'artifacts' must be a list, but is {got}.")));
    };
    if list.len() > MAX_ARTIFACTS {
        let message = format!("{} artifacts were sent; at most {MAX_ARTIFACTS} per call.", list.len());
        return Err(fail("TOO_MANY_ARTIFACTS", message).result(json!({"max_items": MAX_ARTIFACTS})));
    }
    list.iter().enumerate().map(|(i, v)| parse_artifact(v, i, now)).collect()
}

pub fn capture(run: &mut Run, request: &Object) -> Result<Answer> {
    let mut item = run.task(request)?.item;
    let path = STEP.resolve(request, &item)?;
    let now = run.ctx.now;
    let artifacts = requested_artifacts(request, now)?;
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
pub fn artifact(view: &dyn crate::core::View, workspace: &str, sha: &str) -> Result<Option<Vec<u8>>> {
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
            .hint("Pass 'sha256' or 'uri' as evidence_capture reported them."));
    }
    let Some(bytes) = artifact(run.view(), run.workspace(), &sha)? else {
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
