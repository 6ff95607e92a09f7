//! `packs_mirrored`, the daemon's own: notes up to which state the files of packs are known to be right.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::core::{Ctx, Look, Outcome, Result, Tool};

use super::super::mirror;
use super::super::rows::pack_key;

pub struct PacksMirrored;

#[derive(Debug, Deserialize)]
pub struct PacksMirroredArgs {
    space: String,
    /// Pack id → stamp.
    packs: BTreeMap<String, u64>,
}

impl Tool for PacksMirrored {
    type Args = PacksMirroredArgs;
    type Seen = ();
    const NAME: &'static str = mirror::SYNCED_TOOL;

    fn look(_look: &Look, _args: &PacksMirroredArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &PacksMirroredArgs, _seen: &()) -> Result<Outcome> {
        let mut draft = ctx.draft();
        for (id, stamp) in &args.packs {
            if mirror::synced(ctx.view, &args.space, id)? < *stamp {
                draft.put(mirror::SYNCED, &pack_key(&args.space, id), stamp)?;
            }
        }
        let mut out = draft.into_outcome();
        out.quiet = true;
        Ok(out)
    }
}
