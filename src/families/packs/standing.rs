//! Packs that no longer show the code as it is, for somebody who asks where they are.
//!
//! A glance, bounded in packs, refs and time: the newest packs, and of each ref whether its lines still stand where they
//! stood. Where lines that are gone stand now is for a check to find out.

use serde_json::json;

use super::anchors::Sight;
use super::anchors::memory::AnchorMemory;
use super::list::scan;
use super::rows::{PackSummary, space_of, status_group, stored};
use crate::core::standing::{NextCall, Remark, Standing};
use crate::core::{Look, Result};

/// Packs and refs that are looked at.
const PACKS: usize = 20;
const REFS: usize = 200;
/// Names that are told.
const NAMES: usize = 3;

pub fn of(look: &Look) -> Result<Standing> {
    let ctx = look.ctx;
    let space = space_of(ctx.session);
    let mut newest: Vec<PackSummary> = Vec::new();
    scan(ctx.view, &status_group(&space, None), ctx.now, |summary| {
        newest.push(summary);
        newest.len() <= PACKS
    })?;
    let (mut stale, mut left, mut looked): (Vec<&PackSummary>, usize, usize) = (Vec::new(), REFS, 0);
    let memory = look.memory::<AnchorMemory>();
    for summary in newest.iter().take(PACKS) {
        let Some(found) = stored(ctx.view, &space, &summary.id)? else { continue };
        let items: Vec<_> = found.pack.refs().map(|(section, r)| (section.key.as_str(), r)).collect();
        if items.len() > left || look.world.cancelled() {
            break;
        }
        left -= items.len();
        looked += 1;
        if items.is_empty() {
            continue;
        }
        let sight = Sight::of(ctx, look.world, &found)?;
        if sight.judge(ctx, look.world, &memory, false).any_stale(&items) {
            stale.push(summary);
        }
    }
    let all = looked == newest.len();
    let remark = match (stale.first(), all) {
        (None, true) => None,
        (None, false) => Some(Remark {
            text: format!("Only the newest {looked} packs were checked against the code; none is stale."),
            ..Remark::default()
        }),
        (Some(first), _) => Some(Remark {
            text: told(&stale, (!all).then_some(looked)),
            next: NextCall::new("input", json!({"action": "check", "id": first.id})).offered(ctx.session),
            command: Some("packd pack check".to_string()),
        }),
    };
    Ok(Standing { remarks: remark.into_iter().collect(), ..Standing::default() })
}

/// `looked` = how many packs were looked at, where that is not all of them.
fn told(stale: &[&PackSummary], looked: Option<usize>) -> String {
    let mut names: Vec<&str> = stale.iter().take(NAMES).map(|s| s.name.as_deref().unwrap_or(&s.id)).collect();
    if stale.len() > NAMES {
        names.push("…");
    }
    let (packs, show) = if stale.len() == 1 { ("pack", "shows") } else { ("packs", "show") };
    let of = looked.map(|n| format!(" of the newest {n}, the others were not checked,")).unwrap_or_default();
    format!("{} stale {packs} ({}){of} no longer {show} the code as it is.", stale.len(), names.join(", "))
}
