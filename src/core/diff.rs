//! Unified diffs of file contents, as many as an answer has room for.

use std::time::Duration;

use similar::TextDiff;

/// Longer diffs say nothing to anybody.
const MAX_ONE: usize = 100 * 1024;
const MAX_ALL: usize = 512 * 1024;
/// A beginning that is shorter than this is not worth its room.
const LEAST: usize = 512;
/// Comparing contents that have nothing in common takes the square of their length; after this the rest of a diff
/// is coarser.
const PATIENCE: Duration = Duration::from_millis(50);

/// The room that an answer still has.
pub struct DiffRoom(usize);

#[derive(Debug, PartialEq, Eq)]
pub enum Diff {
    Text(String),
    /// Longer than one diff may be: so many bytes.
    TooLong(usize),
    /// The answer is full.
    NoRoom,
    /// One of the two sides is not text.
    NotText,
}

impl DiffRoom {
    /// So many bytes.
    pub fn of(bytes: usize) -> DiffRoom {
        DiffRoom(bytes)
    }

    /// The difference between two contents; a missing one counts as empty.
    pub fn unified(&mut self, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Diff {
        let text = |side: Option<&[u8]>| side.is_none_or(|bytes| std::str::from_utf8(bytes).is_ok());
        if !text(before) || !text(after) {
            return Diff::NotText;
        }
        // A full answer must not cost more work.
        if self.0 == 0 {
            return Diff::NoRoom;
        }
        let text = compared(path, before, after);
        match text.len() {
            long if long > MAX_ONE => {
                // Not shown, but it was work all the same.
                self.0 = self.0.saturating_sub(MAX_ONE);
                Diff::TooLong(long)
            }
            long if long > self.0 => Diff::NoRoom,
            fits => {
                self.0 -= fits;
                Diff::Text(text)
            }
        }
    }
}

impl DiffRoom {
    /// The same, but of one that does not fit its beginning, in whole lines and with its length.
    pub fn beginning(&mut self, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Diff {
        let mut room = self.0;
        let text = match self.unified(path, before, after) {
            Diff::NoRoom if room >= LEAST => compared(path, before, after),
            other => return other,
        };
        let fits = |line: &&str| {
            let left = room.checked_sub(line.len());
            room = left.unwrap_or(0);
            left.is_some()
        };
        let head: String = text.split_inclusive('\n').take_while(fits).collect();
        self.0 = 0;
        Diff::Text(format!("{head}… ({} bytes in all)\n", text.len()))
    }
}

/// The whole difference of two texts; of what is none, nothing.
fn compared(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return String::new();
    };
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}

impl Default for DiffRoom {
    fn default() -> Self {
        DiffRoom(MAX_ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_given_while_there_is_room() {
        let mut room = DiffRoom::default();
        assert_eq!(
            room.unified("x", Some(b"a\nb\n"), Some(b"a\nc\n")),
            Diff::Text("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n".into())
        );
        assert_eq!(
            room.unified("x", Some(b"a\n"), None),
            Diff::Text("--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n".into())
        );
        assert_eq!(room.unified("x", Some(b"\xff"), Some(b"a")), Diff::NotText);
        let long = "line\n".repeat(30_000);
        assert!(matches!(room.unified("x", None, Some(long.as_bytes())), Diff::TooLong(_)));
        let fits = "line\n".repeat(15_000);
        let given =
            (0..20).filter(|_| matches!(room.unified("x", None, Some(fits.as_bytes())), Diff::Text(_)));
        let given = given.count();
        assert!((1..20).contains(&given), "{given}");
        assert_eq!(room.unified("x", None, Some(fits.as_bytes())), Diff::NoRoom);
        let mut room = DiffRoom::default();
        let tried = (0..20).filter(|_| room.unified("x", None, Some(long.as_bytes())) != Diff::NoRoom);
        assert_eq!(tried.count(), 6, "what is too long to be shown is not compared for ever");
    }
}
