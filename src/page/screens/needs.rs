//! What needs the person: confirmations with everything they would do, operations left half-way, refs gone stale.

use maud::{Markup, html};
use serde_json::json;

use super::super::actions::digest;
use super::super::desk::{Desk, Refused};
use super::operation::unified;
use super::words::{address, none, project, when};
use super::{Log, Projects, READER, everywhere, later};
use crate::cli::view::confirm::{ConfirmationView, ConfirmationsView, headline};
use crate::cli::view::op::OpView;
use crate::cli::view::pack::{PackCheckView, PacksView};
use crate::cli::view::text::count;

/// Packs of a project that are checked.
const PACKS: u64 = 50;
/// More refs than a pack can hold in one reply.
const REFS: u64 = 100_000;

/// What was looked for; the packs come later.
pub struct PersonNeeds {
    asked: Result<Vec<ConfirmationView>, Refused>,
    attention: Vec<OpView>,
}

pub async fn look(desk: &Desk, projects: &Projects, log: &Log) -> PersonNeeds {
    let here = |workspace: &str| projects.chosen.as_deref().is_none_or(|chosen| chosen == workspace);
    let asker = everywhere(desk);
    let asked = asker
        .read::<ConfirmationsView>("amof_list_pending", json!({}), "")
        .await
        .map(|waiting| waiting.pending.into_iter().filter(|one| here(&one.workspace)).collect());
    let mut attention: Vec<OpView> = log.recent.iter().filter(|op| needs_attention(op)).cloned().collect();
    for id in &projects.unfinished {
        if log.recent.iter().any(|op| op.operation_id == *id) {
            continue;
        }
        let found = asker.read::<OpView>("history_show", json!({"operation_id": id}), "").await;
        attention.extend(found.ok().filter(|op| needs_attention(op) && here(&op.workspace)));
    }
    PersonNeeds { asked, attention }
}

fn needs_attention(op: &OpView) -> bool {
    op.status == "needs_attention"
}

pub fn show(needs: &PersonNeeds, projects: &Projects) -> Markup {
    let PersonNeeds { asked, attention } = needs;
    html! {
        section id="needs" aria-labelledby="needs-title" {
            h2 id="needs-title" { "Needs you" }
            @match asked {
                Ok(asked) => {
                    @if asked.is_empty() && attention.is_empty() { (none("Nothing waits for you.")) }
                    @for one in asked { (confirmation(one)) }
                }
                Err(refused) => p class="error" { (refused.told.message) }
            }
            @for op in attention {
                p class="attention" {
                    b { "Not finished: " }
                    a href=(address("operation", &op.operation_id, &op.workspace)) { (op.said()) }
                    " in " (project(&op.workspace)) ", " (when(&op.time))
                }
            }
            (stale_later(projects))
        }
    }
}

fn stale_later(projects: &Projects) -> Markup {
    let whole = later("stale", "Stale packs", projects);
    html! { div class="nested" { (whole) } }
}

fn confirmation(one: &ConfirmationView) -> Markup {
    let question = one.question.as_deref().unwrap_or_default();
    let name = format!("ask-{}", one.id);
    html! {
        article class="ask" data-confirmation=(one.id) aria-labelledby=(name) {
            h3 id=(name) { (headline(&one.summary)) }
            p class="quiet" {
                (if one.client.is_empty() { "An unnamed client" } else { &one.client })
                " in " (project(&one.workspace)) ", "
                @if one.status == "lapsed" { "asked a while ago; it is looked at again first" }
                @else { "expires " (when(&one.expires_at)) }
            }
            (unified(question))
            @if let Some(why) = &one.forbidden { p class="forbidden" { (why) } }
            p class="buttons" {
                button type="button" class="act main" data-act="approve" data-id=(one.id)
                    data-shown=(digest(question)) data-typed=[one.typed.as_deref()]
                    disabled[one.forbidden.is_some()] { "Approve" }
                " "
                button type="button" class="act" data-act="decline" data-id=(one.id) { "Decline" }
                span class="nojs" { code { "packd confirm " (one.id) } " in a terminal decides about it." }
            }
        }
    }
}

/// Packs whose refs no longer show what was anchored.
pub async fn stale(desk: &Desk, projects: &[String]) -> Markup {
    let mut rows = Vec::new();
    for workspace in projects {
        let asker = desk.asker(READER, workspace);
        let list: PacksView = asker
            .read("input", json!({"action": "list", "limit": PACKS}), "/payload")
            .await
            .unwrap_or_default();
        for pack in list.packs {
            let args = json!({"action": "check", "id": pack.id, "limit": REFS});
            let Ok(checked) = asker.read::<PackCheckView>("input", args, "/payload").await else { continue };
            let bad = checked.bad();
            if bad > 0 {
                rows.push((workspace.clone(), pack, bad));
            }
        }
    }
    html! {
        @if rows.is_empty() { (none("Every ref shows what it was made of.")) }
        @else {
            ul class="plain" {
                @for (workspace, pack, bad) in &rows {
                    li {
                        a href=(address("pack", &pack.id, workspace)) { (super::packs::named(pack)) }
                        ": " (count(*bad, "stale ref")) " in " (project(workspace))
                    }
                }
            }
        }
    }
}
