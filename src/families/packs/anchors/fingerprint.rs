//! What is remembered of lines: their digest, their digest with white space squeezed, and a short mark of each.
//!
//! Line endings never count; a squeezed line is the same whatever its indentation and inner spacing.

use sha2::{Digest, Sha256};

use crate::core::Sha;

/// Letters of a mark: enough to tell the lines around an anchor apart.
const MARK: usize = 16;

pub fn digest<'a>(lines: impl Iterator<Item = &'a str>) -> Sha {
    let mut hash = Sha256::new();
    for (i, line) in lines.enumerate() {
        if i > 0 {
            hash.update(b"\n");
        }
        hash.update(line.as_bytes());
    }
    Sha(data_encoding::HEXLOWER.encode(&hash.finalize()))
}

pub fn squeezed<'a>(lines: impl Iterator<Item = &'a str>) -> Sha {
    let lines: Vec<String> = lines.map(squeeze).collect();
    digest(lines.iter().map(String::as_str))
}

/// A line with every run of white space as one space and none at its ends.
pub fn squeeze(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for word in line.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Tells one squeezed line from another; blank lines have none, because they say nothing about a place.
pub fn mark(line: &str) -> Option<String> {
    let line = squeeze(line);
    (!line.is_empty()).then(|| Sha::of(line.as_bytes()).0[..MARK].to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_line_endings_do_not_count_where_they_should_not() {
        let (unix, dos) = ("a\n  b  c", "a\r\n  b  c\r\n");
        assert_eq!(digest(unix.lines()), digest(dos.lines()));
        assert_eq!(digest(unix.lines()), Sha::of(unix.as_bytes()));
        assert_ne!(digest("a\n b c".lines()), digest(unix.lines()));
        assert_eq!(squeezed("a\n\tb c ".lines()), squeezed(unix.lines()));
        assert_ne!(squeezed("a\nbc".lines()), squeezed(unix.lines()), "words stay apart");
        assert_eq!(mark(" x  y"), mark("x y"));
        assert_eq!(mark("  "), None);
    }
}
