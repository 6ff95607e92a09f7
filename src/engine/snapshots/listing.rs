//! Which files a tree has, as git sees it: tracked, and untracked but not ignored, with those of its submodules. Where
//! there is no git: all of them but what version control keeps for itself.
//!
//! Looks at names alone. The project's index is read, never written or locked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Dir, FileType, Mode, OFlags};

use super::index::FileStamp;
use super::place::{Repository, TreePlace};
use crate::core::git::Git;
use crate::core::snapshot::Skipped;
use crate::core::{Result, SessionInfo, World};

/// Directories in which version control keeps its own things.
const KEPT: [&str; 5] = [".git", ".hg", ".jj", ".svn", "_darcs"];
/// Submodules in submodules, at most.
const DEEPEST: usize = 8;

/// What a repository says it tracks, as long as its index is this one.
pub struct Tracked {
    stamp: FileStamp,
    /// Path and object.
    files: Vec<(String, String)>,
    /// Submodules.
    links: Vec<String>,
}

/// What was heard of indexes before.
pub type HeardIndexes = BTreeMap<PathBuf, Arc<Tracked>>;

#[derive(Default)]
pub struct TreeListing {
    /// Sorted, each once.
    pub paths: Vec<String>,
    /// What the project's own index says of them.
    pub tracked: Vec<(String, Arc<Tracked>)>,
    pub skipped: Vec<Skipped>,
    /// Object directories of the repository and its submodules.
    pub objects: Vec<PathBuf>,
}

impl TreeListing {
    pub fn skip(&mut self, path: String, because: &str) {
        self.skipped.push(Skipped { path, because: because.into() });
    }

    /// The object that the project's index has for a path.
    pub fn object(&self, path: &str) -> Option<&str> {
        self.tracked.iter().rev().find_map(|(prefix, tracked)| {
            let below = path.strip_prefix(prefix.as_str())?;
            let at = tracked.files.binary_search_by(|(known, _)| known.as_str().cmp(below)).ok()?;
            Some(tracked.files[at].1.as_str())
        })
    }
}

pub struct Lister<'a> {
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    pub heard: &'a mut HeardIndexes,
    /// Files beyond so many are not wanted.
    pub most: usize,
}

impl Lister<'_> {
    pub fn list(&mut self, place: &TreePlace) -> Result<TreeListing> {
        let mut out = TreeListing::default();
        let by_git = match &place.git {
            Some(git) => self.repository(&place.root, git, "", 0, &mut out),
            None => Ok(()),
        };
        // No program, or a repository that it cannot read: the files are there all the same.
        if place.git.is_none() || by_git.as_ref().is_err_and(|e| e.message.starts_with("Cannot start git")) {
            out = TreeListing::default();
            self.walk(&place.root, "", &mut out);
        } else {
            by_git?;
        }
        out.paths.sort_unstable();
        out.paths.dedup();
        Ok(out)
    }

    fn repository(
        &mut self,
        dir: &Path,
        git: &Repository,
        prefix: &str,
        depth: usize,
        out: &mut TreeListing,
    ) -> Result<()> {
        let others = Git::new(self.world, self.session, dir)
            .plumbing(&["ls-files", "-z", "--others", "--exclude-standard"], Vec::new())?;
        let tracked = self.tracked(dir, git)?;
        out.objects.push(git.objects.clone());
        for name in others.split(|b| *b == 0).filter(|name| !name.is_empty()) {
            match std::str::from_utf8(name) {
                Ok(name) => match name.strip_suffix('/') {
                    None => out.paths.push(format!("{prefix}{name}")),
                    Some(nested) => out.skip(format!("{prefix}{nested}"), "it is a repository of its own"),
                },
                Err(_) => out
                    .skip(format!("{prefix}{}", String::from_utf8_lossy(name)), "its name is not valid text"),
            }
        }
        out.paths.extend(tracked.files.iter().map(|(path, _)| format!("{prefix}{path}")));
        out.tracked.push((prefix.to_string(), tracked.clone()));
        for link in &tracked.links {
            let below = dir.join(link);
            match Repository::of(&below) {
                Some(git) if depth < DEEPEST => {
                    self.repository(&below, &git, &format!("{prefix}{link}/"), depth + 1, out)?;
                }
                // Not checked out: there is nothing in it.
                _ => {}
            }
        }
        Ok(())
    }

    fn tracked(&mut self, dir: &Path, git: &Repository) -> Result<Arc<Tracked>> {
        let index = git.dir.join("index");
        let stamp = self.world.stat(&index)?.map(|stat| FileStamp::of(&stat)).unwrap_or_default();
        if let Some(known) = self.heard.get(&index).filter(|known| known.stamp == stamp) {
            return Ok(known.clone());
        }
        let said =
            Git::new(self.world, self.session, dir).plumbing(&["ls-files", "-z", "--stage"], Vec::new())?;
        let (mut files, mut links) = (Vec::new(), Vec::new());
        for line in said.split(|b| *b == 0) {
            // mode SP object SP stage TAB path; names that are no text are told by the other list.
            let Some((facts, path)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once('\t'))
            else {
                continue;
            };
            let mut facts = facts.split(' ');
            match (facts.next(), facts.next()) {
                (Some("160000"), _) => links.push(path.to_string()),
                (Some(_), Some(object)) => files.push((path.to_string(), object.to_string())),
                _ => {}
            }
        }
        files.sort_unstable();
        files.dedup_by(|a, b| a.0 == b.0);
        let tracked = Arc::new(Tracked { stamp, files, links });
        self.heard.insert(index, tracked.clone());
        Ok(tracked)
    }

    /// Every file below a directory, without following links.
    fn walk(&self, dir: &Path, prefix: &str, out: &mut TreeListing) {
        if out.paths.len() > self.most {
            return;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(mut entries) = rustix::fs::open(dir, flags, Mode::empty()).and_then(Dir::new) else {
            return out.skip(prefix.trim_end_matches('/').to_string(), "it cannot be read");
        };
        let mut below = Vec::new();
        while let Some(Ok(entry)) = entries.read() {
            let Ok(name) = entry.file_name().to_str() else {
                let name = entry.file_name().to_string_lossy();
                out.skip(format!("{prefix}{name}"), "its name is not valid text");
                continue;
            };
            if matches!(name, "." | "..") || KEPT.contains(&name) {
                continue;
            }
            let path = format!("{prefix}{name}");
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    std::fs::symlink_metadata(dir.join(name)).map_or(FileType::Unknown, |m| {
                        if m.is_dir() { FileType::Directory } else { FileType::RegularFile }
                    })
                }
                known => known,
            };
            match kind {
                FileType::Directory if dir.join(name).join(".git").exists() => {
                    out.skip(path, "it is a repository of its own");
                }
                FileType::Directory => below.push((dir.join(name), path)),
                _ => out.paths.push(path),
            }
        }
        for (dir, path) in below {
            self.walk(&dir, &format!("{path}/"), out);
        }
    }

    /// Sockets, pipes and devices, which git does not list; those in ignored places do not count.
    pub fn special(&self, place: &TreePlace, out: &mut TreeListing) {
        if place.git.is_none() {
            return;
        }
        let mut found = Vec::new();
        special_below(&place.root, "", &mut found);
        if found.is_empty() {
            return;
        }
        let input = found.join("\0").into_bytes();
        let git = Git::new(self.world, self.session, &place.root);
        let ignored = git.plumbing(&["check-ignore", "-z", "--stdin"], input).unwrap_or_default();
        let ignored: Vec<&[u8]> = ignored.split(|b| *b == 0).collect();
        for path in found.into_iter().filter(|path| !ignored.contains(&path.as_bytes())) {
            out.skip(path, "it is a socket, a pipe or a device");
        }
    }
}

fn special_below(dir: &Path, prefix: &str, found: &mut Vec<String>) {
    use std::os::unix::fs::FileTypeExt;
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let (Ok(kind), name) = (entry.file_type(), entry.file_name().to_string_lossy().into_owned()) else {
            continue;
        };
        let special = kind.is_socket() || kind.is_fifo() || kind.is_block_device() || kind.is_char_device();
        if special {
            found.push(format!("{prefix}{name}"));
        } else if kind.is_dir() && !KEPT.contains(&name.as_str()) {
            special_below(&entry.path(), &format!("{prefix}{name}/"), found);
        }
    }
}
