//! Telling whether files have changed, and how much they hold, without reading more than is reasonable.
//!
//! Small files count with their content, large or very many ones with size, time and inode. Nothing here fails: what
//! cannot be read counts as that.

use std::path::Path;

use super::world::FileKind;
use super::{Sha, World};

/// Larger files are told by size, time and inode.
const WHOLE: u64 = 1 << 20;
/// All files of one checkout together are read up to so many bytes, and so many are looked at.
const BYTES: u64 = 64 << 20;
const FILES: usize = 10_000;

/// How much there is below a path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    pub bytes: u64,
    pub files: u64,
    /// There is more than was looked at.
    pub more: bool,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let over = if self.more { "more than " } else { "" };
        match (self.files, self.more) {
            (0 | 1, false) => write!(f, "{} bytes", self.bytes),
            (n, _) => write!(f, "{over}{} bytes in {n} files", self.bytes),
        }
    }
}

/// Gathers what files hold into one digest.
pub struct ContentsDigest<'a> {
    world: &'a dyn World,
    seen: String,
    bytes: u64,
    files: usize,
}

impl<'a> ContentsDigest<'a> {
    pub fn new(world: &'a dyn World) -> Self {
        ContentsDigest { world, seen: String::new(), bytes: 0, files: 0 }
    }

    pub fn digest(&self) -> String {
        Sha::of(self.seen.as_bytes()).to_string()
    }

    pub fn note(&mut self, text: &str) {
        self.seen.push_str(&format!("{text:?}\n"));
    }

    /// A file, or everything below a directory, with its content.
    pub fn take(&mut self, dir: &Path, path: &str) {
        self.walk(&dir.join(path), true, &mut Measured::default());
    }

    /// The same without reading files: names, sizes and times.
    pub fn measure(&mut self, dir: &Path, path: &str) -> Measured {
        let mut measured = Measured::default();
        self.walk(&dir.join(path), false, &mut measured);
        measured
    }

    fn walk(&mut self, path: &Path, read: bool, measured: &mut Measured) {
        self.files += 1;
        if self.files > FILES {
            measured.more = true;
            return;
        }
        let stat = match self.world.stat(path) {
            Ok(Some(stat)) => stat,
            Ok(None) => return self.note(&format!("{} is gone", path.display())),
            Err(e) => return self.note(&format!("{}: {}", path.display(), e.message)),
        };
        let name = path.display();
        match stat.kind {
            FileKind::Dir => {
                self.note(&format!("{name}/ {:o}", stat.mode));
                let entries = self.world.list(path).ok().flatten().unwrap_or_default();
                for (name, _) in entries {
                    self.walk(&path.join(name), read, measured);
                }
                return;
            }
            FileKind::Symlink => {
                let to = self.world.read_link(path).ok().flatten().unwrap_or_default();
                self.note(&format!("{name} -> {}", to.display()));
            }
            FileKind::File if read && stat.size <= WHOLE && self.bytes + stat.size <= BYTES => {
                self.bytes += stat.size;
                let content = match self.world.load(path, WHOLE) {
                    Ok((_, bytes)) => Sha::of(&bytes).to_string(),
                    Err(e) => e.to_string(),
                };
                self.note(&format!("{name} {:o} {content}", stat.mode));
            }
            _ => self.note(&format!(
                "{name} {:o} {} {} {} {}",
                stat.mode, stat.size, stat.mtime, stat.ctime, stat.inode
            )),
        }
        measured.files += 1;
        measured.bytes += stat.size;
    }
}
