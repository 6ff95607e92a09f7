//! `tasks_evidence_get`: reads a captured artifact back, page by page.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, WholeNumber, text};
use super::super::artifact::cut;
use super::super::errors::{EnvelopeParts, fail};
use super::super::evidence::{SCHEME, stored};
use super::super::intent::Intent;
use super::super::request::IntentRequest;
use super::super::suggest;
use super::super::target::IntentTarget;

pub struct EvidenceGet;

/// A page unless another size was asked for; as long as a reply may be.
const PAGE: i64 = 12_000;
const MAX_PAGE: i64 = 256_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EvidenceGetArgs {
    #[serde(flatten)]
    common: Common,
    sha256: Given<String>,
    uri: Given<String>,
    offset: Given<WholeNumber>,
    max_chars: Given<WholeNumber>,
}

#[derive(Serialize)]
struct Page<'a> {
    sha256: &'a str,
    uri: &'a str,
    size: usize,
    offset: usize,
    next_offset: Option<usize>,
    content: &'a str,
}

#[derive(Serialize)]
struct NoArtifact<'a> {
    sha256: &'a str,
}

impl Intent for EvidenceGet {
    type Args = EvidenceGetArgs;
    const TOOL: &'static str = "tasks_evidence_get";

    fn common(args: &EvidenceGetArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &EvidenceGetArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let given = text(&args.sha256).or(text(&args.uri)).unwrap_or_default();
        let sha = given.strip_prefix(SCHEME).unwrap_or(given).to_lowercase();
        if sha.len() != 64 || !sha.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(fail("INVALID_ID", format!("'{given}' names no artifact."))
                .hint("Pass 'sha256' or 'uri' as evidence_capture reported them.")
                .result(NoArtifact { sha256: given })
                .suggest(suggest::pick_a_target(request.view(), request.workspace())?));
        }
        let Some(bytes) = stored(request.view(), request.workspace(), &sha)? else {
            return Err(fail("NOT_FOUND", "No item of this workspace refers to that artifact.")
                .hint("resume(compact=false) lists the attachments of a task with their uris.")
                .result(NoArtifact { sha256: &sha }));
        };
        let whole = String::from_utf8_lossy(&bytes);
        let offset = args::number(&args.offset, "offset", 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0);
        let limit =
            args::number(&args.max_chars, "max_chars", 1, MAX_PAGE, "INVALID_MAX_CHARS")?.unwrap_or(PAGE);
        let mut start = usize::try_from(offset).unwrap_or(whole.len()).min(whole.len());
        while !whole.is_char_boundary(start) {
            start -= 1;
        }
        let page = cut(&whole[start..], usize::try_from(limit).unwrap_or(usize::MAX));
        // A page smaller than one character would never get on.
        let page = if page.is_empty() { &whole[start..] } else { page };
        let end = start + page.len();
        let uri = format!("{SCHEME}{sha}");
        let mut answer = IntentAnswer::new(&Page {
            sha256: &sha,
            uri: &uri,
            size: whole.len(),
            offset: start,
            next_offset: (end < whole.len()).then_some(end),
            content: page,
        });
        answer.links.push((uri, "Task evidence".to_string()));
        Ok(answer)
    }
}
