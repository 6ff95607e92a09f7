//! `packs_mirror`, the daemon's own: takes what somebody did to a pack's file into the store, as an operation.

use serde::Deserialize;

use crate::core::{Ctx, Look, Outcome, Record, Reply, Result, Tool};

use super::super::mirror;
use super::super::rows::{PACKS, pack_key, stored};

pub struct TakeIn;

#[derive(Debug, Deserialize)]
pub struct TakeInArgs {
    space: String,
    id: String,
    /// Absent where the file is gone.
    #[serde(default)]
    document: Option<String>,
}

impl Tool for TakeIn {
    type Args = TakeInArgs;
    type Seen = ();
    const NAME: &'static str = mirror::TOOL;

    fn look(_look: &Look, _args: &TakeInArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &TakeInArgs, _seen: &()) -> Result<Outcome> {
        let TakeInArgs { space, id, document } = args;
        let key = pack_key(space, id);
        let there = stored(ctx.view, space, id)?;
        let mut draft = ctx.draft();
        let what = match document {
            None if there.is_none() => return Ok(Outcome::reply(Reply::text("Nothing to take in."))),
            None => {
                draft.delete(PACKS, &key)?;
                "removed"
            }
            Some(text) => {
                let name = format!("{id}.md");
                let (mut pack, revision) = mirror::decode(text, &name, id, &ctx.session.workspace)?;
                if there.as_ref().is_some_and(|f| f.pack.same_content(&pack)) {
                    return Ok(Outcome::reply(Reply::text("Nothing to take in.")));
                }
                let what = if there.is_some() { "edited" } else { "added" };
                pack.workspace = there.map_or(pack.workspace, |f| f.pack.workspace);
                draft.put_at_least(PACKS, &key, &pack, revision)?;
                what
            }
        };
        let mut out = draft.into_outcome();
        let summary = format!("file of pack {id} {what} by hand");
        out.reply = Reply::text(format!("Took in: {summary}."));
        out.record = Record { summary, targets: vec![id.clone()], ..Record::default() };
        Ok(out)
    }
}
