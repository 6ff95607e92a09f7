//! The stamps of many files of one tree at once: from the root downwards, never through a link, on a few threads.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};

use crate::core::world::Stat;
use crate::engine::disk::raw_stat;
use crate::engine::files::staging::side_by_side;

/// Fewer files are not worth a thread.
const SHARE: usize = 2000;

/// `None` = nothing is there, or a directory on the way is a link or missing. The paths are sorted.
pub fn stats<'a>(root: &Path, paths: &[&'a str]) -> Vec<Option<Stat>> {
    let shares: Vec<&[&'a str]> = paths.chunks(paths.len().div_ceil(4).max(SHARE)).collect();
    side_by_side(shares, |share| some(root, share)).into_iter().flatten().collect()
}

fn some(root: &Path, paths: &[&str]) -> Vec<Option<Stat>> {
    let mut way = Way { root: open_root(root), dirs: Vec::new() };
    paths.iter().map(|path| way.stat(path)).collect()
}

fn open_root(root: &Path) -> Option<OwnedFd> {
    rustix::fs::open(root, flags(), Mode::empty()).ok()
}

fn flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// The directories that lead to the file looked at last, each open; `None` = it cannot be entered.
struct Way<'a> {
    root: Option<OwnedFd>,
    dirs: Vec<(&'a str, Option<OwnedFd>)>,
}

impl<'a> Way<'a> {
    fn stat(&mut self, path: &'a str) -> Option<Stat> {
        let (dir, name) = path.rsplit_once('/').map_or((None, path), |(dir, name)| (Some(dir), name));
        self.enter(dir)?;
        let here = self.dirs.last().map_or(self.root.as_ref(), |(_, fd)| fd.as_ref())?;
        rustix::fs::statat(here, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| raw_stat(&stat))
    }

    fn enter(&mut self, dir: Option<&'a str>) -> Option<()> {
        let parts: Vec<&str> = dir.map(|dir| dir.split('/').collect()).unwrap_or_default();
        let same = self.dirs.iter().zip(&parts).take_while(|((known, _), part)| known == *part).count();
        self.dirs.truncate(same);
        for part in parts.into_iter().skip(same) {
            let above = self.dirs.last().map_or(self.root.as_ref(), |(_, fd)| fd.as_ref());
            let opened = above.and_then(|above| rustix::fs::openat(above, part, flags(), Mode::empty()).ok());
            self.dirs.push((part, opened));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_on_the_way_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a/b")).unwrap();
        std::fs::write(dir.path().join("a/b/file"), "x").unwrap();
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        let seen = stats(dir.path(), &["a/b/file", "a/b/none", "link", "link/b/file", "none/b"]);
        assert_eq!(seen.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true, false, false]);
    }
}
