//! Snapshots and changes of files as every client sees them.

use serde::Serialize;

use crate::core::diff::{Diff, DiffRoom};
use crate::core::snapshot::{FileChange, Side, Skipped, SnapshotRow, Why};
use crate::core::{FileImage, Result, World, redact};

/// Files that one answer names; the rest is counted.
pub const MOST: usize = 200;
/// Skipped files that an answer names.
pub const SKIPPED: usize = 20;

#[derive(Serialize)]
pub struct ShownSnapshot<'a> {
    snapshot: String,
    time: String,
    why: Why,
    by: Author<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    changed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    late: bool,
}

#[derive(Serialize)]
struct Author<'a> {
    client: &'a str,
    session: &'a str,
}

impl<'a> ShownSnapshot<'a> {
    pub fn of(row: &'a SnapshotRow) -> ShownSnapshot<'a> {
        ShownSnapshot {
            snapshot: row.name(),
            time: row.time.zulu(),
            why: row.why,
            by: Author { client: &row.by.client, session: &row.by.session },
            label: row.label.as_deref(),
            changed: row.changes.len(),
            operation_id: row.operation.as_deref(),
            late: row.late,
        }
    }
}

/// Files that are listed, not stored.
#[derive(Serialize)]
pub struct NotStored<'a> {
    #[serde(skip_serializing_if = "<[Skipped]>::is_empty")]
    skipped: &'a [Skipped],
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped_total: Option<usize>,
}

impl<'a> NotStored<'a> {
    pub fn of(skipped: &'a [Skipped]) -> NotStored<'a> {
        NotStored {
            skipped: &skipped[..skipped.len().min(SKIPPED)],
            skipped_total: (skipped.len() > SKIPPED).then_some(skipped.len()),
        }
    }
}

#[derive(Serialize)]
pub struct ShownChange {
    path: String,
    change: &'static str,
    /// Permission bits, where they are what changed or changed as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl ShownChange {
    pub fn of(change: &FileChange) -> ShownChange {
        let mode = |side: &Side| match side {
            Side::Kept(image) => Some(image.mode),
            _ => None,
        };
        let modes = mode(&change.before).zip(mode(&change.after)).filter(|(a, b)| a != b);
        let unkept = [&change.before, &change.after].into_iter().find_map(|side| match side {
            Side::Unkept(why) => Some(format!("Its content is not kept: {why}.")),
            _ => None,
        });
        ShownChange {
            path: change.path.clone(),
            change: change.verb(),
            mode: modes.map(|(a, b)| [format!("{a:o}"), format!("{b:o}")]),
            diff: None,
            note: unkept,
        }
    }

    /// With what became of its content, where that is text and has room.
    pub fn with_diff(
        world: &dyn World,
        root: &str,
        change: &FileChange,
        room: &mut DiffRoom,
    ) -> Result<ShownChange> {
        let mut out = ShownChange::of(change);
        let side = |side: &Side| -> Result<Option<Vec<u8>>> {
            match side {
                Side::Kept(image) => content(world, root, &change.path, image),
                _ => Ok(Some(Vec::new())),
            }
        };
        let note = match (side(&change.before)?, side(&change.after)?) {
            (Some(before), Some(after)) if before != after => {
                match room.unified(&change.path, Some(&before), Some(&after)) {
                    Diff::Text(text) => {
                        out.diff = Some(redact::text(&text).0);
                        return Ok(out);
                    }
                    Diff::TooLong(_) | Diff::NoRoom => "The diff is too long to be shown here.",
                    Diff::NotText => "It is not text.",
                }
            }
            (Some(_), Some(_)) => return Ok(out),
            _ => "Its content is no longer kept.",
        };
        out.note = out.note.or(Some(note.to_string()));
        Ok(out)
    }
}

/// From where it is kept; what was only looked at is still on disk.
fn content(world: &dyn World, root: &str, path: &str, image: &FileImage) -> Result<Option<Vec<u8>>> {
    let full = std::path::Path::new(root).join(path);
    if let Some(bytes) = world.content(std::path::Path::new(root), image)? {
        return Ok(Some(bytes));
    }
    let now = match image.is_link() {
        true => world.read_link(&full)?.map(|target| target.into_os_string().into_encoded_bytes()),
        false => world.load(&full, crate::core::snapshot::MAX_FILE).ok().map(|(_, bytes)| bytes),
    };
    Ok(now.filter(|bytes| crate::core::Sha::of(bytes) == image.sha))
}
