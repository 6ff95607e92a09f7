//! `snap_diff`: what changed between two snapshots, or between one and the files as they are now.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::chain::{named, way};
use super::super::reply::{MOST, ShownChange};
use crate::core::arguments::trimmed;
use crate::core::diff::DiffRoom;
use crate::core::snapshot::{FileChange, TreeAsk, TreeSeen, joined, reversed};
use crate::core::{Ctx, Look, Needs, Outcome, Reply, Result, Tool};

pub struct SnapDiff;

const NOW: &str = "now";

#[derive(Debug, Deserialize)]
pub struct SnapDiffArgs {
    from: String,
    #[serde(default, deserialize_with = "trimmed")]
    to: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
    #[serde(default)]
    diff: bool,
}

/// What was found between the two.
pub struct Between {
    from: String,
    to: String,
    changed: usize,
    shown: Vec<ShownChange>,
}

#[derive(Serialize)]
struct DiffReply<'a> {
    from: &'a str,
    to: &'a str,
    changed: usize,
    files: &'a [ShownChange],
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

impl SnapDiffArgs {
    fn to(&self) -> &str {
        self.to.as_deref().unwrap_or(NOW)
    }

    fn changes(&self, ctx: &Ctx, seen: &TreeSeen) -> Result<Vec<FileChange>> {
        let from = named(ctx, &seen.root, &self.from)?.number;
        if self.to() == NOW {
            let known = way(ctx, &seen.root, from, seen.number)?;
            return Ok(joined([known.as_slice(), seen.changes.as_slice()]));
        }
        let to = named(ctx, &seen.root, self.to())?.number;
        let way = way(ctx, &seen.root, from.min(to), from.max(to))?;
        Ok(if from <= to { way } else { reversed(way) })
    }
}

impl Tool for SnapDiff {
    type Args = SnapDiffArgs;
    type Seen = Between;
    const NAME: &'static str = "snap_diff";
    const NEEDS: Needs = Needs::World;

    /// Contents are compared here, where nobody else waits. What a snapshot holds never changes.
    fn look(look: &Look, args: &SnapDiffArgs) -> Result<Between> {
        let ask = if args.to() == NOW { TreeAsk::Look } else { TreeAsk::Root };
        let seen = look.world.tree(&ask)?;
        let below = |change: &FileChange| {
            args.path.as_ref().is_none_or(|path| Path::new(&change.path).starts_with(path))
        };
        let changes: Vec<FileChange> = args.changes(look, &seen)?.into_iter().filter(below).collect();
        let mut room = DiffRoom::default();
        let shown = |change: &FileChange| match args.diff {
            true => ShownChange::with_diff(look.world, &seen.root, change, &mut room),
            false => Ok(ShownChange::of(change)),
        };
        let shown = changes.iter().take(MOST).map(shown).collect::<Result<_>>()?;
        Ok(Between { from: args.from.clone(), to: args.to().to_string(), changed: changes.len(), shown })
    }

    fn decide(_ctx: &Ctx, args: &SnapDiffArgs, seen: &Between) -> Result<Outcome> {
        let next = match seen.changed {
            0 => None,
            n if n > MOST => Some("Not all files are named here; narrow it with path."),
            _ if !args.diff => {
                Some("diff=true shows the contents, path narrows it to one file or directory.")
            }
            _ => None,
        };
        Ok(Outcome::reply(Reply::of(&DiffReply {
            from: &seen.from,
            to: &seen.to,
            changed: seen.changed,
            files: &seen.shown,
            next,
        })))
    }
}
