//! A task by what somebody calls it: its id in any spelling, or its title if only one open task has it.
//!
//! For reads, focus and claims. A write that changes a task wants the id itself.

use serde_json::json;

use crate::core::{Ctx, Error, Result};

use super::errors::{EnvelopeParts, fail};
use super::focus;
use super::model::{ItemKind, TaskStatus};
use super::rows::{self, ItemSummary};
use super::suggest::{self, Suggestion};

pub fn task(ctx: &Ctx, text: &str) -> Result<ItemSummary> {
    let (view, workspace) = (ctx.view, ctx.session.workspace.as_str());
    let text = text.trim();
    for id in [text.to_string(), focus::normalized(text)] {
        if let Some(found) = rows::summary(view, workspace, &id)? {
            return if found.kind == ItemKind::Task { Ok(found) } else { Err(no_task(&found)) };
        }
    }
    let mut titled = rows::titled(view, workspace, text, 11)?;
    titled.retain(|summary| summary.kind == ItemKind::Task);
    let open: Vec<&ItemSummary> = titled.iter().filter(|s| s.status != TaskStatus::Done).collect();
    match (open.as_slice(), titled.as_slice()) {
        ([one], _) => Ok((*one).clone()),
        ([], [one]) => Ok(one.clone()),
        ([], []) => {
            Err(fail("NOT_FOUND", format!("No task of this workspace has the id or title '{text}'."))
                .hint("List what there is with tasks_ready or tasks_context.")
                .result(json!({"task": text}))
                .suggest(suggest::pick_a_target(view, workspace)?))
        }
        _ => {
            let ids: Vec<&str> = titled.iter().map(|s| s.id.as_str()).collect();
            Err(fail("AMBIGUOUS_TARGET", format!("Several tasks are called '{text}': {}.", ids.join(", ")))
                .hint("Send the id of the one you mean.")
                .result(json!({"task": text, "candidates": ids})))
        }
    }
}

fn no_task(found: &ItemSummary) -> Error {
    fail("NOT_A_TASK", format!("{} is a plan; this needs a task.", found.id))
        .hint("tasks_claim with next=true and this plan takes the next task below it.")
        .result(json!({"task": found.id}))
        .suggest(suggest::list([Suggestion::high(
            "claim",
            "Takes the next task below it.",
            &json!({"next": true, "plan": found.id}),
        )]))
}
