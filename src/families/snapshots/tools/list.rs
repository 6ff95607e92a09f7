//! `snap_list`: the snapshots of this work tree that are kept, newest first.

use serde::{Deserialize, Serialize};

use super::super::chain::named;
use super::super::reply::ShownSnapshot;
use crate::core::arguments::trimmed;
use crate::core::snapshot::{SNAPSHOTS, SnapshotRow, TREES, TreeAsk, TreeRow, TreeSeen, key, tree_key};
use crate::core::view::RowQuery;
use crate::core::{Ctx, Key, Look, Needs, Outcome, Reply, Result, Tool};

pub struct SnapList;

const PAGE: usize = 20;
const MAX_PAGE: usize = 100;

#[derive(Debug, Deserialize)]
pub struct SnapListArgs {
    #[serde(default, deserialize_with = "trimmed")]
    before: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Serialize)]
struct ListReply<'a> {
    tree: &'a str,
    snapshots: Vec<ShownSnapshot<'a>>,
    has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_before: Option<String>,
    /// Why hooks take none.
    #[serde(skip_serializing_if = "Option::is_none")]
    automatic_off: Option<String>,
}

impl Tool for SnapList {
    type Args = SnapListArgs;
    type Seen = TreeSeen;
    const NAME: &'static str = "snap_list";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &SnapListArgs) -> Result<TreeSeen> {
        look.world.tree(&TreeAsk::Root)
    }

    fn decide(ctx: &Ctx, args: &SnapListArgs, seen: &TreeSeen) -> Result<Outcome> {
        let limit = args.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
        let mut query = RowQuery::new(SNAPSHOTS, Key::of(&seen.root)).reverse().limit(limit + 1);
        if let Some(before) = &args.before {
            query.from = Some(key(&seen.root, named(ctx, &seen.root, before)?.number));
        }
        let mut rows = Vec::new();
        for (at, row) in ctx.view.rows(&query)? {
            rows.push(row.decode::<SnapshotRow>(SNAPSHOTS, &at)?);
        }
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let tree = ctx.view.get::<TreeRow>(TREES, &tree_key(&seen.root))?;
        let off = tree.and_then(|(row, _)| row.off);
        Ok(Outcome::reply(Reply::of(&ListReply {
            tree: &seen.root,
            snapshots: rows.iter().map(ShownSnapshot::of).collect(),
            has_more,
            next_before: rows.last().filter(|_| has_more).map(SnapshotRow::name),
            automatic_off: off.map(|off| format!("The tree has {} files.", off.files)),
        })))
    }
}
