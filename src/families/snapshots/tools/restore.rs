//! `snap_restore`: puts the files of the work tree back to what they were in a snapshot, as one operation that can be
//! undone. What they are now is kept first.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::chain::{named, way};
use super::super::reply::{MOST, ShownChange};
use crate::core::ctx::Explanation;
use crate::core::snapshot::{FileChange, LostFile, TreeAsk, TreeSeen, joined, restoring, reversed};
use crate::core::{Ctx, Look, Needs, Outcome, Record, Reply, Result, Tool, Writes};

pub struct SnapRestore;

const LOOK_FIRST: &str = "This changes files. Look at them, then call again with yes=true.";

#[derive(Debug, Deserialize)]
pub struct SnapRestoreArgs {
    snapshot: String,
    #[serde(default)]
    yes: bool,
    /// Only this file or directory.
    #[serde(default)]
    path: Option<PathBuf>,
}

#[derive(Serialize)]
struct RestoreReply<'a> {
    snapshot: &'a str,
    /// Null where nothing was recorded.
    operation_id: Option<&'a str>,
    changed: usize,
    files: Vec<ShownChange>,
    /// Files that stay as they are, because what they were was not kept.
    #[serde(skip_serializing_if = "<[LostFile]>::is_empty")]
    left: &'a [LostFile],
    preview: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

impl SnapRestoreArgs {
    /// From what the files are now to what they were.
    fn changes(&self, ctx: &Ctx, seen: &TreeSeen) -> Result<Vec<FileChange>> {
        let to = named(ctx, &seen.root, &self.snapshot)?.number;
        let known = way(ctx, &seen.root, to, seen.number)?;
        let unrecorded = if seen.new { &[] } else { seen.changes.as_slice() };
        let back = reversed(joined([known.as_slice(), unrecorded]));
        let meant =
            |change: &FileChange| self.path.as_ref().is_none_or(|p| Path::new(&change.path).starts_with(p));
        Ok(back.into_iter().filter(meant).collect())
    }
}

impl Tool for SnapRestore {
    type Args = SnapRestoreArgs;
    type Seen = TreeSeen;
    const NAME: &'static str = "snap_restore";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &SnapRestoreArgs) -> Result<TreeSeen> {
        // A name that is wrong is said before anything is taken.
        let root = look.world.tree(&TreeAsk::Root)?.root;
        named(look, &root, &args.snapshot)?;
        look.world.tree(if args.yes { &TreeAsk::BeforeRestore } else { &TreeAsk::Look })
    }

    fn decide(ctx: &Ctx, args: &SnapRestoreArgs, seen: &TreeSeen) -> Result<Outcome> {
        let changes = args.changes(ctx, seen)?;
        let (effects, left) = restoring(&seen.root, &changes);
        let id = ctx.record_id();
        let look_first = !args.yes && !effects.is_empty();
        let recorded = args.yes && !effects.is_empty() && !ctx.call.preview;
        let reply = Reply::of(&RestoreReply {
            snapshot: &args.snapshot,
            operation_id: recorded.then_some(&id),
            changed: effects.len(),
            files: changes.iter().take(MOST).map(ShownChange::of).collect(),
            left: &left,
            preview: look_first || ctx.call.preview,
            next: look_first.then_some(LOOK_FIRST),
        });
        let files =
            if effects.len() == 1 { "1 file".to_string() } else { format!("{} files", effects.len()) };
        let record = Record {
            id: Some(id),
            summary: format!("Restored {files} to {}", args.snapshot.trim()),
            paths: changes.iter().take(MOST).map(|change| change.path.clone()).collect(),
            data: serde_json::json!({"tree": seen.root, "snapshot": args.snapshot, "left": left}),
            file_by_file: true,
            ..Record::default()
        };
        Ok(Outcome { effects, record, reply, shown_first: look_first, ..Outcome::default() })
    }

    fn explain(ctx: &Ctx, args: &SnapRestoreArgs, seen: Option<&TreeSeen>) -> Explanation {
        let changes = seen.and_then(|seen| args.changes(ctx, seen).ok()).unwrap_or_default();
        Explanation {
            would: format!(
                "It would put {} files back to what they were in {}.",
                changes.len(),
                args.snapshot
            ),
            ..Explanation::default()
        }
    }
}
