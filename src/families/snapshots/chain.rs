//! The line of a tree's snapshots: finding one by its name, and every change between two of them.

use crate::core::snapshot::{FileChange, SNAPSHOTS, SnapshotRow, Why, joined, key, name, number};
use crate::core::view::RowQuery;
use crate::core::{Ctx, Error, Key, Kind, Result};

/// The snapshot that somebody named.
pub fn named(ctx: &Ctx, root: &str, text: &str) -> Result<SnapshotRow> {
    let wanted = number(text).ok_or_else(|| {
        Error::invalid("invalid_arguments", format!("'{text}' is not the name of a snapshot."))
            .hint("They are called sn-1, sn-2 and so on; snap_list shows them.")
    })?;
    let found = ctx.view.get::<SnapshotRow>(SNAPSHOTS, &key(root, wanted))?;
    found.map(|(row, _)| row).ok_or_else(|| {
        Error::not_found(format!("This work tree has no snapshot {text}."))
            .hint("snap_list shows those that are kept.")
    })
}

/// Everything that changed from one snapshot to a later one.
pub fn way(ctx: &Ctx, root: &str, from: u64, to: u64) -> Result<Vec<FileChange>> {
    let mut query = RowQuery::new(SNAPSHOTS, Key::of(root)).from(key(root, from + 1));
    query.limit = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
    let mut steps = Vec::new();
    let mut next = from + 1;
    for (at, row) in ctx.view.rows(&query)? {
        let row: SnapshotRow = row.decode(SNAPSHOTS, &at)?;
        if row.number != next || row.why == Why::First {
            return Err(broken(row.number));
        }
        next += 1;
        steps.push(row.changes);
    }
    if next != to + 1 {
        return Err(broken(next));
    }
    Ok(joined(steps.iter().map(Vec::as_slice)))
}

fn broken(number: u64) -> Error {
    Error::new(
        Kind::State,
        "collected",
        format!("What led to {} is no longer known: the tree was looked at anew there.", name(number)),
    )
    .hint("Choose a snapshot after it; snap_list shows them.")
}
