//! `tasks_evidence_capture`: attaches command output, diffs, addresses, checks and an outcome to a step.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Given, Result, redact};

use super::super::answer::IntentAnswer;
use super::super::args::{Common, text};
use super::super::checkpoints::Confirmation;
use super::super::errors::{EnvelopeParts, fail};
use super::super::evidence::{add_attachments, add_checks, parse_attachments};
use super::super::intent::{FocusUse, Intent};
use super::super::model::{Attachment, EvidenceCheck};
use super::super::request::IntentRequest;
use super::super::scene::TaskScene;
use super::super::target::IntentTarget;
use super::super::{artifact, reply, runway, suggest};

pub struct EvidenceCapture;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CaptureArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    said: Confirmation,
    artifacts: Given<Vec<Value>>,
    items: Given<Vec<Value>>,
}

#[derive(Serialize)]
struct Written {
    kind: String,
    uri: String,
    size: usize,
    sha256: String,
    truncated: bool,
    original_size: usize,
}

#[derive(Serialize)]
struct Captured {
    artifacts_written: Vec<Written>,
    attachments_added: Vec<Attachment>,
    checks_added: Vec<EvidenceCheck>,
    verification_outcome: Option<String>,
}

/// The same, short: what was kept is named by its digest, which close_step refers to.
#[derive(Serialize)]
struct CapturedBriefly<'a> {
    artifacts_written: &'a [Written],
    attachments_added: Vec<Named<'a>>,
    checks_added: Vec<Named<'a>>,
    verification_outcome: Option<&'a str>,
}

#[derive(Serialize)]
struct Named<'a> {
    kind: &'a str,
    digest: &'a str,
}

#[derive(Serialize)]
struct CaptureReply<'a, T> {
    task_id: &'a str,
    path: &'a str,
    captured: T,
    step: reply::NodeShown,
    task: reply::ItemShown,
}

fn named<'a>(kind: &'a str, digest: &'a str) -> Named<'a> {
    Named { kind, digest }
}

/// Entries that a short reply lists.
const LISTED: usize = 4;

impl Intent for EvidenceCapture {
    type Args = CaptureArgs;
    const TOOL: &'static str = "tasks_evidence_capture";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &CaptureArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &CaptureArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let (mut item, path) = request.step(target, &args.said.address())?;
        let now = request.ctx.now;
        let given = if args.artifacts.is_sent() { &args.artifacts } else { &args.items };
        let artifacts = artifact::requested(given, now)?;
        let mut attachments = parse_attachments(&args.said.attachments, now)?;
        let checks = args.said.requested_checks(now)?;
        let outcome = text(&args.said.verification_outcome).map(|o| redact::text(o).0);
        if artifacts.is_empty() && attachments.is_empty() && checks.is_empty() && outcome.is_none() {
            return Err(fail("MISSING_EVIDENCE", "There is nothing to capture.")
                .hint("Send artifacts, attachments, checks or verification_outcome.")
                .suggest(suggest::look_at(&item.id)));
        }
        let (mut written, mut links) = (Vec::new(), Vec::new());
        for artifact in artifacts {
            if let Some(bytes) = artifact.bytes {
                let size = bytes.len();
                let sha = request.draft.put_blob(bytes);
                let (kind, uri) = (artifact.attachment.kind.clone(), artifact.attachment.uri.clone());
                links.push((uri.clone(), format!("{kind} {path}")));
                let (truncated, original_size) = (artifact.truncated, artifact.original_size);
                written.push(Written {
                    kind,
                    uri,
                    size,
                    sha256: sha.as_str().into(),
                    truncated,
                    original_size,
                });
            }
            attachments.push(artifact.attachment);
        }
        let step = path.step_mut(&mut item)?;
        let added = add_attachments(&mut step.attachments, attachments);
        let checked = add_checks(step, checks);
        if let Some(outcome) = &outcome {
            step.verification_outcome = outcome.clone();
        }
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let (task_id, at) = (saved.item.id.as_str(), path.as_str());
        let step = reply::step(path.step(&saved.item)?, at, compact);
        let task = reply::item(&saved.item, saved.rev, compact);
        let mut answer = if compact {
            let captured = CapturedBriefly {
                artifacts_written: &written[..written.len().min(LISTED)],
                attachments_added: added.iter().take(LISTED).map(|a| named(&a.kind, &a.digest)).collect(),
                checks_added: checked.iter().take(LISTED).map(|c| named(&c.kind, &c.digest)).collect(),
                verification_outcome: outcome.as_deref(),
            };
            IntentAnswer::about(task_id, &CaptureReply { task_id, path: at, captured, step, task })
        } else {
            let captured = Captured {
                artifacts_written: written,
                attachments_added: added,
                checks_added: checked,
                verification_outcome: outcome,
            };
            IntentAnswer::about(task_id, &CaptureReply { task_id, path: at, captured, step, task })
        };
        if !request.preview {
            answer.links = links;
            if compact && request.depth == 0 {
                let scene = TaskScene::of(request.view(), request.workspace(), saved.clone())?;
                answer.suggestions.extend(runway::next(request, &scene)?);
            }
        }
        Ok(answer.at(&path))
    }
}
