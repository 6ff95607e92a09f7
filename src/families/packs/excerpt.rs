//! Why a ref cannot be shown, and which ranges of a file exist.

use crate::core::Error;

use super::errors::io;
use super::model::{LineRange, PackRef};

/// A longer excerpt would fill a reply alone.
const MAX_EXCERPT: usize = 900 << 10;

/// The code of an error that has nothing to do with the ref.
pub const NO_DESCRIPTORS: &str = "no_descriptors";

/// Why a ref cannot be shown.
#[derive(Debug, Clone)]
pub enum RefTrouble {
    /// The file or the lines are gone: the ref is out of date.
    Stale(String),
    /// The ref points at something that cannot be shown at all.
    Hard(Error),
}

impl RefTrouble {
    /// Why the whole call has to fail, if the file was not even looked at.
    pub fn untried(&self) -> Option<&Error> {
        match self {
            RefTrouble::Hard(e) if e.code == NO_DESCRIPTORS => Some(e),
            _ => None,
        }
    }

    /// The words after `stale ref: `.
    pub fn reason(&self) -> &str {
        match self {
            RefTrouble::Stale(why) => why,
            RefTrouble::Hard(error) => error.message.strip_prefix("invalid data: ").unwrap_or(&error.message),
        }
    }
}

/// Is the range of a ref in a file of so many lines?
pub fn range(r: &PackRef, total: usize) -> Result<(), RefTrouble> {
    let LineRange { start, end } = r.lines;
    let says =
        |what: String| Err(RefTrouble::Stale(format!("file '{}' has {total} lines but {what}", r.path)));
    let total = total as u64;
    match () {
        () if start > total => says(format!("ref starts at {start}")),
        () if end > total => says(format!("ref ends at {end}")),
        // Only a file written by hand can hold such a range.
        () if start == 0 || end < start => says(format!("ref asks for lines {start}-{end}")),
        () => Ok(()),
    }
}

/// Refuses lines that have more bytes than a reply can hold.
pub fn fits(path: &str, lines: LineRange, code: &str) -> Result<(), RefTrouble> {
    if code.len() <= MAX_EXCERPT {
        return Ok(());
    }
    let what = format!("lines {}-{} of file '{path}'", lines.start, lines.end);
    let why = format!("{what} have {} bytes, too many for one reply; anchor fewer lines", code.len());
    Err(RefTrouble::Hard(io(why)))
}
