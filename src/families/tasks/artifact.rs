//! Artifacts of a request: command output, diffs and addresses, redacted and cut to size.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::json::{sorted, type_name};
use crate::core::{Error, Given, Result, Sha, Timestamp, redact};

use super::errors::{EnvelopeParts, fail};
use super::evidence::SCHEME;
use super::model::{Attachment, Object};

const MAX_ARTIFACTS: usize = 20;
const MAX_ARTIFACT_BYTES: usize = 256_000;

/// An artifact of a request: bytes to keep (if any) and the attachment that stands for it.
pub struct RequestArtifact {
    pub attachment: Attachment,
    pub bytes: Option<Vec<u8>>,
    pub truncated: bool,
    pub original_size: usize,
}

#[derive(Serialize)]
struct Numbered {
    artifact: usize,
}

fn bad_artifact(code: &str, problem: String, artifact: usize) -> Error {
    fail(code, format!("artifacts[{artifact}]: {problem}"))
        .hint("Artifacts are {kind: cmd_output, command, stdout}, {kind: diff, diff} or {kind: url, url}.")
        .result(Numbered { artifact })
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

/// An artifact as it is sent; which members count depends on its kind.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ArtifactInput {
    kind: Given<String>,
    url: Given<String>,
    external_uri: Given<String>,
    diff: Given<String>,
    content: Given<String>,
    text: Given<String>,
    command: Given<String>,
    stdout: Given<String>,
    output: Given<String>,
    stderr: Given<String>,
    exit_code: Given<Value>,
    meta: Given<Object>,
}

/// A captured command as it is kept: sorted keys, as JSON.
#[derive(Default, Serialize)]
struct Capture {
    command: String,
    exit_code: Value,
    meta: Object,
    stderr: String,
    stdout: String,
}

impl Capture {
    fn text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        serde_json::to_string_pretty(&sorted(&value)).unwrap_or_default()
    }

    /// What fits the limit; the outputs are cut, never the JSON.
    fn fit(mut self) -> (String, bool, usize) {
        let mut text = self.text();
        let original = text.len();
        while text.len() > MAX_ARTIFACT_BYTES {
            let excess = text.len() - MAX_ARTIFACT_BYTES;
            let parts = [&mut self.stdout, &mut self.stderr, &mut self.command];
            match parts.into_iter().rev().max_by_key(|part| part.len()).filter(|part| !part.is_empty()) {
                Some(longest) => {
                    *longest = cut(longest, longest.len().saturating_sub(excess.max(64))).to_string()
                }
                None => self.meta = Object::new(),
            }
            text = self.text();
        }
        let truncated = text.len() < original;
        (text, truncated, original)
    }
}

fn word(given: &Given<String>) -> &str {
    given.get().map_or("", String::as_str)
}

/// The first that says something.
fn first<const N: usize>(given: [&Given<String>; N]) -> Option<&str> {
    given.into_iter().map(word).find(|text| !text.trim().is_empty())
}

fn parse_artifact(value: &Value, index: usize, now: Timestamp) -> Result<RequestArtifact> {
    let bad = |code: &str, problem: &str| bad_artifact(code, problem.to_string(), index);
    let value = redact::value(value);
    let input = Some(&value).filter(|v| v.is_object()).and_then(|v| ArtifactInput::deserialize(v).ok());
    let Some(input) = input else { return Err(bad("INVALID_ARTIFACTS", "must be an object.")) };
    if let Given::Wrong(meta) = &input.meta {
        return Err(bad(
            "INVALID_ARTIFACTS",
            &format!("'meta' must be an object, but is {}.", type_name(meta)),
        ));
    }
    let given = input.meta.get().cloned().unwrap_or_default();
    let mut meta = given.clone();
    let kind = word(&input.kind).trim().to_lowercase();
    let (text, truncated, original_size) = match kind.as_str() {
        "url" => {
            let Some(url) = first([&input.url, &input.external_uri]) else {
                return Err(bad("MISSING_URL", "'url' is required."));
            };
            let external_uri = url.trim().to_string();
            let attachment = Attachment { kind, external_uri, meta, ..Attachment::default() }.sealed(now);
            return Ok(RequestArtifact { attachment, bytes: None, truncated: false, original_size: 0 });
        }
        "diff" => {
            let Some(diff) = first([&input.diff, &input.content, &input.text]) else {
                return Err(bad("MISSING_DIFF", "'diff' is required."));
            };
            let kept = cut(diff, MAX_ARTIFACT_BYTES);
            (kept.to_string(), kept.len() < diff.len(), diff.len())
        }
        "cmd_output" => {
            let stdout =
                if word(&input.stdout).is_empty() { word(&input.output) } else { word(&input.stdout) };
            if stdout.is_empty() && word(&input.stderr).is_empty() && !input.exit_code.is_sent() {
                return Err(bad("MISSING_OUTPUT", "'stdout', 'stderr' or 'exit_code' is required."));
            }
            let capture = Capture {
                command: word(&input.command).to_string(),
                exit_code: input.exit_code.get().cloned().unwrap_or_default(),
                meta: given,
                stderr: word(&input.stderr).to_string(),
                stdout: stdout.to_string(),
            };
            meta.insert("command".into(), capture.command.clone().into());
            meta.insert("exit_code".into(), capture.exit_code.clone());
            capture.fit()
        }
        _ => return Err(bad("INVALID_ARTIFACT_KIND", "'kind' must be cmd_output, diff or url.")),
    };
    let sha = Sha::of(text.as_bytes());
    meta.insert("artifact_sha256".into(), sha.as_str().into());
    meta.insert("truncated".into(), truncated.into());
    meta.insert("original_size".into(), original_size.into());
    let attachment = Attachment {
        kind,
        uri: format!("{SCHEME}{sha}"),
        size: text.len() as u64,
        meta,
        ..Attachment::default()
    };
    let attachment = attachment.sealed(now);
    Ok(RequestArtifact { attachment, bytes: Some(text.into_bytes()), truncated, original_size })
}

#[derive(Serialize)]
struct TooMany {
    max_items: usize,
}

pub fn requested(given: &Given<Vec<Value>>, now: Timestamp) -> Result<Vec<RequestArtifact>> {
    match given {
        Given::Absent => Ok(Vec::new()),
        Given::Is(list) if list.len() > MAX_ARTIFACTS => {
            let message = format!("{} artifacts were sent; at most {MAX_ARTIFACTS} per call.", list.len());
            Err(fail("TOO_MANY_ARTIFACTS", message).result(TooMany { max_items: MAX_ARTIFACTS }))
        }
        Given::Is(list) => list.iter().enumerate().map(|(i, v)| parse_artifact(v, i, now)).collect(),
        Given::Wrong(value) => {
            let got = type_name(value);
            Err(fail("INVALID_ARTIFACTS", format!("'artifacts' must be a list, but is {got}.")))
        }
    }
}
