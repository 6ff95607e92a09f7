//! Artifacts of a request: command output, diffs and addresses, redacted and cut to size.

use serde_json::{Value, json};

use crate::core::json::{sorted, type_name};
use crate::core::{Error, Result, Sha, Timestamp, redact};

use super::args::has;
use super::evidence::{self, SCHEME};
use super::fail::{Envelope, fail};
use super::model::{Attachment, Object};

pub const MAX_ARTIFACTS: usize = 20;
pub const MAX_ARTIFACT_BYTES: usize = 256_000;

/// An artifact of a request: bytes to keep (if any) and the attachment that stands for it.
pub struct Artifact {
    pub attachment: Attachment,
    pub bytes: Option<Vec<u8>>,
    pub truncated: bool,
    pub original_size: usize,
}

fn bad_artifact(code: &str, problem: String, artifact: usize) -> Error {
    fail(code, format!("artifacts[{artifact}]: {problem}"))
        .hint("Artifacts are {kind: cmd_output, command, stdout}, {kind: diff, diff} or {kind: url, url}.")
        .result(json!({"artifact": artifact}))
}

/// The longest prefix of at most `limit` bytes that is whole text.
pub fn cut(text: &str, limit: usize) -> &str {
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
    let mut meta = evidence::detail(map, "meta", "artifact", "INVALID_ARTIFACTS")?;
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
            let given = evidence::detail(map, "meta", "artifact", "INVALID_ARTIFACTS")?;
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

pub fn requested(request: &Object, now: Timestamp) -> Result<Vec<Artifact>> {
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
