//! When a session last looked at how things stand: the number of the newest operation it could have seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::core::ctx::Sweep;
use crate::core::op::Stream;
use crate::core::{Ctx, Draft, Key, Outcome, Result, RowQuery, Table, Timestamp};

/// (workspace, session); all commands of a person count as one session.
pub const LOOKS: Table = Table("looks");

/// Sessions that have not looked for so long count as new.
const REMEMBERED: i64 = 7 * 24 * 3600;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct LastLook {
    pub seq: u64,
    pub at: Timestamp,
}

fn key(ctx: &Ctx) -> Key {
    let session = if ctx.session.is_cli() { "" } else { &ctx.session.id };
    Key::of(&ctx.session.workspace).text(session)
}

pub fn last(ctx: &Ctx) -> Result<Option<LastLook>> {
    Ok(ctx.view.get::<LastLook>(LOOKS, &key(ctx))?.map(|(look, _)| look))
}

/// Remembers that this session has seen everything up to now.
pub fn looked(ctx: &Ctx) -> Result<Outcome> {
    let mut draft = ctx.draft();
    let look = LastLook { seq: ctx.view.log().head(Stream::Ops)?, at: ctx.now };
    draft.put(LOOKS, &key(ctx), &look)?;
    Ok(Outcome { quiet: true, ..draft.into_outcome() })
}

pub fn sweep(ctx: &Ctx) -> Result<Vec<Sweep>> {
    let mut drafts: BTreeMap<String, Draft> = BTreeMap::new();
    for (key, row) in ctx.view.rows(&RowQuery::new(LOOKS, Key::empty()))? {
        let look: LastLook = row.decode(LOOKS, &key)?;
        if look.at.plus_seconds(REMEMBERED) < ctx.now {
            let workspace = key.parts().text().unwrap_or_default();
            drafts.entry(workspace).or_insert_with(|| ctx.draft()).delete(LOOKS, &key)?;
        }
    }
    let piece = |(workspace, draft): (String, Draft)| Sweep {
        workspace,
        tool: "sweep",
        outcome: draft.into_outcome(),
    };
    Ok(drafts.into_iter().map(piece).collect())
}
