//! A file as it is now, for an undo that keeps what others wrote into it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::core::{FileImage, Sha};

/// Larger files are no configuration that anybody mends.
const MOST: u64 = 64 * 1024 * 1024;

/// What the file holds, if it is a file with text.
pub fn read(path: &Path) -> Option<(FileImage, String)> {
    let meta = std::fs::symlink_metadata(path).ok().filter(|m| m.is_file() && m.len() <= MOST)?;
    let text = String::from_utf8(std::fs::read(path).ok()?).ok()?;
    Some((FileImage::new(Sha::of(text.as_bytes()), meta.permissions().mode() & 0o7777), text))
}
