//! Which change last wrote a line: followed back through the versions of its file, newest first.
//!
//! Pure: whoever asks brings the versions.

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Where a line was before the change that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOrigin {
    /// It was there, under this number (from 0).
    Was(usize),
    /// The change wrote it.
    Written,
}

/// Follows the line `at` (from 0) of `after` into `before`.
pub fn trace(before: &str, after: &str, at: usize) -> LineOrigin {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    for part in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, old, new) = part.as_tag_tuple();
        if new.contains(&at) {
            return match tag {
                DiffTag::Equal => LineOrigin::Was(old.start + (at - new.start)),
                _ => LineOrigin::Written,
            };
        }
    }
    LineOrigin::Written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_followed_over_what_came_before_it() {
        assert_eq!(trace("a\nb\nc\n", "x\na\nb\nC\n", 2), LineOrigin::Was(1));
        assert_eq!(trace("a\nb\nc\n", "x\na\nb\nC\n", 3), LineOrigin::Written);
        assert_eq!(trace("a\nb\nc\n", "x\na\nb\nC\n", 0), LineOrigin::Written);
        assert_eq!(trace("", "one\n", 0), LineOrigin::Written);
    }
}
