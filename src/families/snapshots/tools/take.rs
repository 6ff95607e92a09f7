//! `snap_take`: the state of the work tree now. What changed since the last one is recorded as an operation, by whoever
//! is known to have been at work, else by *outside*.

use serde::{Deserialize, Serialize};

use super::super::reply::NotStored;
use crate::core::arguments::trimmed;
use crate::core::ctx::Explanation;
use crate::core::snapshot::{self, TreeAsk, TreeSeen, name};
use crate::core::{Ctx, Look, Needs, Outcome, Reply, Result, Tool};

pub struct SnapTake;

#[derive(Debug, Deserialize)]
pub struct SnapTakeArgs {
    #[serde(default, deserialize_with = "trimmed")]
    label: Option<String>,
}

#[derive(Serialize)]
struct TakeReply<'a> {
    /// Null where nothing was recorded, as in a preview of the first one.
    snapshot: Option<String>,
    new: bool,
    tree: &'a str,
    files: u64,
    changed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_id: Option<&'a str>,
    #[serde(flatten)]
    skipped: NotStored<'a>,
}

impl Tool for SnapTake {
    type Args = SnapTakeArgs;
    type Seen = TreeSeen;
    const NAME: &'static str = snapshot::TAKE;
    const NEEDS: Needs = Needs::World;

    /// The engine records what it sees, for a call that may change things: a snapshot is nothing that a decision could
    /// still turn down.
    fn look(look: &Look, args: &SnapTakeArgs) -> Result<TreeSeen> {
        look.world.tree(&TreeAsk::Take { label: args.label.clone() })
    }

    fn decide(_ctx: &Ctx, _args: &SnapTakeArgs, seen: &TreeSeen) -> Result<Outcome> {
        Ok(Outcome::reply(Reply::of(&TakeReply {
            snapshot: (seen.number > 0).then(|| name(seen.number)),
            new: seen.new,
            tree: &seen.root,
            files: seen.files,
            changed: seen.changes.len(),
            operation_id: seen.operation.as_deref(),
            skipped: NotStored::of(&seen.skipped),
        })))
    }

    fn explain(_ctx: &Ctx, _args: &SnapTakeArgs, seen: Option<&TreeSeen>) -> Explanation {
        let state = seen.map(|seen| format!("{} files changed since the last snapshot.", seen.changes.len()));
        Explanation {
            would: "It would keep the state of the work tree in packd's own directory.".into(),
            state: state.into_iter().collect(),
            ..Explanation::default()
        }
    }
}
