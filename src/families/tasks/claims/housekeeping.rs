//! Once in a while: renewals that so far were only in memory are written, claims that ended long ago go.

use std::collections::BTreeMap;

use crate::core::ctx::Sweep;
use crate::core::{Ctx, Draft, Key, Result, RowQuery};

use super::claim::{CLAIMS, Claim};

/// An ended claim is kept for so long, so that whoever takes the task over learns from whom.
const REMEMBERED: i64 = 24 * 3600;

/// A renewal is written when it is by so much longer than what the row says: a crash may take that much of a lease.
const WRITTEN_EVERY: i64 = 5 * 60;

pub fn sweep(ctx: &Ctx) -> Result<Vec<Sweep>> {
    let mut drafts: BTreeMap<String, Draft> = BTreeMap::new();
    for (key, row) in ctx.view.rows(&RowQuery::new(CLAIMS, Key::empty()))? {
        let Some(workspace) = key.parts().text() else { continue };
        let claim: Claim = row.decode(CLAIMS, &key)?;
        let ends = claim.ends(ctx.presence);
        if ends.plus_seconds(REMEMBERED) < ctx.now {
            drafts.entry(workspace).or_insert_with(|| ctx.draft()).delete(CLAIMS, &key)?;
        } else if ends >= claim.until.plus_seconds(WRITTEN_EVERY) {
            let renewed = Claim { until: ends, ..claim };
            drafts.entry(workspace).or_insert_with(|| ctx.draft()).put(CLAIMS, &key, &renewed)?;
        }
    }
    let piece = |(workspace, draft): (String, Draft)| Sweep {
        workspace,
        tool: "sweep",
        outcome: draft.into_outcome(),
    };
    Ok(drafts.into_iter().map(piece).collect())
}
