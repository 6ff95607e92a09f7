//! What a ref saw when it was made, kept beside the pack: enough to find the same code again, or to say that it
//! is gone.
//!
//! An anchor belongs to the exact path and lines it was made of. A ref that was given others since (by a file
//! written elsewhere, by an older packd) has no anchor until it is read again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::model::LineRange;
use super::super::rows::pack_key;
use super::super::source::SourceFile;
use super::definitions;
use super::fingerprint::{digest, mark, squeezed};
use crate::core::{Draft, Key, Result, RowQuery, Sha, Table, Timestamp, View};

/// Space, pack id, section key and ref key → [`Anchor`], written with the operation that made the ref.
pub const ANCHORS: Table = Table("pack_anchors");
/// The same and the source root, for refs that had none when they were first read there. Written by reads, never by an operation, so that it
/// can never be in the way of an undo.
pub const LATE_ANCHORS: Table = Table("pack_anchors_late");

/// So much of the text is kept.
const KEPT: usize = 16 * 1024;
/// Lines remembered on each side.
const AROUND: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The source root it was made in: the same path below another one is another file.
    pub root: String,
    pub path: String,
    pub lines: LineRange,
    pub digest: Sha,
    pub squeezed: Sha,
    /// Marks of the nearest lines that are not blank, nearest first.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// The content that holds the text, cut at a line if it is long.
    pub text: Sha,
    /// The definition the lines belong to, outermost name first.
    #[serde(default)]
    pub definition: Vec<String>,
    /// Lines from the first one to the one in which the definition begins; negative inside of it.
    #[serde(default)]
    pub lead: i64,
    /// The lines reach to the end of the definition.
    #[serde(default)]
    pub to_its_end: bool,
    /// The lines go on after the end of the definition.
    #[serde(default)]
    pub beyond: bool,
    /// What the last commit had for the file, if it had it: git's name of that content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    pub since: Timestamp,
    /// Made when the ref was first read, not when it was made: what it pointed to before nobody knows.
    #[serde(default)]
    pub late: bool,
}

/// An anchor on its way into the store.
#[derive(Debug, Clone)]
pub struct NewAnchor {
    pub anchor: Anchor,
    pub text: String,
}

impl NewAnchor {
    /// Remembers lines that exist in the source.
    pub fn of(source: &SourceFile, root: &Path, path: &str, lines: LineRange, now: Timestamp) -> NewAnchor {
        let text = kept(source.lines(lines));
        let all = definitions::all(source, path);
        let own = all.of_range(lines);
        let offset = |to: u64| i64::try_from(to).unwrap_or(i64::MAX);
        let anchor = Anchor {
            root: root.display().to_string(),
            path: path.to_string(),
            lines,
            digest: digest(source.lines(lines)),
            squeezed: squeezed(source.lines(lines)),
            before: marks_before(source, lines.start as usize),
            after: marks_after(source, lines.end as usize),
            text: Sha::of(text.as_bytes()),
            definition: own.map(|d| all.trail(d)).unwrap_or_default(),
            lead: own.map_or(0, |d| offset(d.lines.start) - offset(lines.start)),
            to_its_end: own.is_some_and(|d| lines.end >= d.lines.end),
            beyond: own.is_some_and(|d| {
                let rest = LineRange { start: d.lines.end + 1, end: lines.end };
                lines.end > d.lines.end && source.lines(rest).any(|line| !line.trim().is_empty())
            }),
            blob: None,
            since: now,
            late: false,
        };
        NewAnchor { anchor, text }
    }

    pub fn put(&self, draft: &mut Draft, key: &Key) -> Result<()> {
        draft.put_blob(self.text.clone().into_bytes());
        match self.anchor.late {
            true => draft.put(LATE_ANCHORS, &key.clone().text(&self.anchor.root), &self.anchor),
            false => draft.put(ANCHORS, key, &self.anchor),
        }
        .map(|_| ())
    }
}

fn kept<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines {
        if text.len() + line.len() >= KEPT && !text.is_empty() {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Marks of the nearest lines above a line that are not blank, nearest first.
pub fn marks_before(source: &SourceFile, first: usize) -> Vec<String> {
    (1..first).rev().filter_map(|n| mark(source.line(n)?)).take(AROUND).collect()
}

/// The same below a line.
pub fn marks_after(source: &SourceFile, last: usize) -> Vec<String> {
    (last + 1..=source.total()).filter_map(|n| mark(source.line(n)?)).take(AROUND).collect()
}

pub fn key_of(space: &str, id: &str, section: &str, key: &str) -> Key {
    pack_key(space, id).text(section).text(key)
}

/// Takes the anchors of a pack, or of one section or ref of it, out of the store with it.
pub fn forget(draft: &mut Draft, prefix: &Key) -> Result<()> {
    for (key, _) in draft.rows(&RowQuery::new(ANCHORS, prefix.clone()))? {
        draft.delete(ANCHORS, &key)?;
    }
    Ok(())
}
