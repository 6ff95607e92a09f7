//! One look at a tree: what its files are now, and what became of each since the last look.
//!
//! Costs a stamp per file; only what does not have its stamp any more is read. Contents that are new are kept before
//! anything is said about them. Records nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Mode, OFlags};

use super::index::{FileStamp, IndexedFile, IndexedState, TreeIndex};
use super::listing::TreeListing;
use super::objects::Objects;
use super::stats::stats;
use crate::core::snapshot::{MAX_FILE, Patterns};
use crate::core::world::{FileKind, Stat};
use crate::core::{Effect, FileImage, Result, Sha, Timestamp};
use crate::engine::files::reach::open_parent;
use crate::engine::files::staging::side_by_side;

/// What is looked at and how.
pub struct Eyes<'a> {
    pub root: &'a Path,
    pub objects: &'a Objects,
    pub exclude: &'a Patterns,
    /// Tells these patterns from others.
    pub rules: u64,
    /// Directories below the root that packd keeps for itself.
    pub own: &'a [PathBuf],
    /// Bytes that may still be stored.
    pub room: &'a AtomicU64,
    pub now: Timestamp,
    /// The tree was never looked at: what the repository has is borrowed until it changes.
    pub first: bool,
    /// Whether contents are kept; a look that only tells stores nothing.
    pub keeps: bool,
}

/// A path to look at.
struct At<'a> {
    path: &'a str,
    known: Option<&'a IndexedFile>,
    followed: bool,
}

/// A file that is not what it was.
#[derive(Debug, Clone)]
pub struct FileSeen {
    pub path: String,
    pub before: Option<IndexedFile>,
    pub after: Option<IndexedFile>,
    /// When it was touched last, as far as anything tells: of what is gone, its directory.
    pub touched: Timestamp,
}

pub struct TreeLook {
    pub found: Vec<FileSeen>,
    /// Entries whose content is the same under another stamp.
    pub restamped: Vec<IndexedFile>,
    /// No longer followed: ignored now, or excluded.
    pub unfollowed: BTreeSet<String>,
    pub files: usize,
}

impl Eyes<'_> {
    pub fn look(&self, listing: &mut TreeListing, index: &TreeIndex) -> Result<TreeLook> {
        let mut out =
            TreeLook { found: Vec::new(), restamped: Vec::new(), unfollowed: BTreeSet::new(), files: 0 };
        let listed = std::mem::take(&mut listing.paths);
        let union = self.union(&listed, listing, index);
        let paths: Vec<&str> = union.iter().map(|at| at.path).collect();
        let seen = stats(self.root, &paths);
        let mut doubtful = Vec::new();
        for (At { path, known, followed }, stat) in union.into_iter().zip(seen) {
            let stat = stat.filter(|stat| stat.kind != FileKind::Dir);
            match (known, stat) {
                (None, None) => {}
                (Some(entry), None) => out.found.push(FileSeen {
                    path: path.to_string(),
                    before: Some(entry.clone()),
                    after: None,
                    touched: self.gone_since(path),
                }),
                // It is there, and is not to be followed: it is ignored or excluded now.
                (Some(_), Some(_)) if !followed => drop(out.unfollowed.insert(path.to_string())),
                (Some(entry), Some(stat)) if entry.stamp == Some(FileStamp::of(&stat)) => out.files += 1,
                (known, Some(stat)) => {
                    out.files += 1;
                    doubtful.push((path.to_string(), known.cloned(), stat));
                }
            }
        }
        let judged = side_by_side(doubtful, |(path, before, stat)| {
            let state = self.state(&path, &stat, listing.object(&path));
            (path, before, stat, state)
        });
        for (path, before, stat, state) in judged {
            let Some(state) = state? else {
                // It went while it was looked at.
                if let Some(entry) = before {
                    out.found.push(FileSeen { path, before: Some(entry), after: None, touched: self.now });
                }
                continue;
            };
            // Of what is not kept, the stamp is all there is to compare.
            let lasts = stat.settled(self.now) || matches!(state, IndexedState::Unkept(_));
            let stamp = lasts.then(|| FileStamp::of(&stat));
            let after = IndexedFile { path: path.clone(), stamp, state, doubtful: false };
            match before {
                Some(before) if same(&before, &after) => {
                    // What was known of it besides is still true.
                    out.restamped.push(IndexedFile { state: before.state, ..after });
                }
                before => {
                    let touched = Timestamp(i64::try_from(stat.ctime / 1000).unwrap_or(i64::MAX));
                    out.found.push(FileSeen { path, before, after: Some(after), touched });
                }
            }
        }
        out.found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(out)
    }

    /// Everything that is listed or was known. What is never stored by its name is listed as skipped instead; what was
    /// known under the same rules need not be asked about again.
    fn union<'a>(
        &self,
        listed: &'a [String],
        listing: &mut TreeListing,
        index: &'a TreeIndex,
    ) -> Vec<At<'a>> {
        let mut out = Vec::with_capacity(listed.len());
        let mut known = index.entries.iter().peekable();
        for path in listed {
            while let Some(entry) = known.next_if(|entry| entry.path < *path) {
                out.push(At { path: &entry.path, known: Some(entry), followed: false });
            }
            let entry = known.next_if(|entry| entry.path == *path);
            let followed = (entry.is_some() && index.rules == self.rules) || self.follows(path, listing);
            if followed || entry.is_some() {
                out.push(At { path, known: entry, followed });
            }
        }
        out.extend(known.map(|entry| At { path: &entry.path, known: Some(entry), followed: false }));
        out
    }

    fn follows(&self, path: &str, listing: &mut TreeListing) -> bool {
        if self.own.iter().any(|own| Path::new(path).starts_with(own)) || temporary(path) {
            return false;
        }
        match self.exclude.meets(path) {
            Some(pattern) => {
                listing.skip(path.to_string(), &format!("it is excluded by '{pattern}'"));
                false
            }
            None => true,
        }
    }

    /// What a file is now; `None` = it is gone meanwhile.
    fn state(&self, path: &str, stat: &Stat, tracked: Option<&str>) -> Result<Option<IndexedState>> {
        let bytes = match stat.kind {
            FileKind::Other => return Ok(unkept("it is a socket, a pipe or a device")),
            FileKind::Dir => return Ok(None),
            FileKind::File if stat.size > MAX_FILE => return Ok(unkept("it is larger than 32 MiB")),
            FileKind::File => match self.read(path) {
                Reading::Bytes(bytes) => bytes,
                Reading::Gone => return Ok(None),
                Reading::No(why) => return Ok(unkept(&why)),
            },
            FileKind::Symlink => match std::fs::read_link(self.root.join(path)) {
                Ok(target) if self.leads_out(path, &target) => {
                    return Ok(unkept("it is a link out of the tree"));
                }
                Ok(target) => target.into_os_string().into_encoded_bytes(),
                Err(_) => return Ok(None),
            },
        };
        let object = self.objects.id_of(&bytes);
        let borrowed = self.first && tracked == Some(object.as_str());
        if self.keeps && !borrowed {
            if self.room.load(Ordering::Relaxed) < bytes.len() as u64 {
                return Ok(unkept("the space for snapshots is used up"));
            }
            let took = self.objects.put(&object, &bytes)?;
            // Another thread may have taken it meanwhile: a little over is no harm.
            let _ = self
                .room
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| Some(room.saturating_sub(took)));
        }
        let link = stat.kind == FileKind::Symlink;
        Ok(Some(IndexedState::Kept {
            object,
            mode: if link { FileImage::link(b"").mode } else { stat.mode },
            size: bytes.len() as u64,
            borrowed,
            sha: (!borrowed).then(|| Sha::of(&bytes)),
        }))
    }

    fn read(&self, path: &str) -> Reading {
        let effect =
            Effect { root: self.root.into(), path: path.into(), before: None, after: None, kept: false };
        let (dir, name) = match open_parent(&effect, false) {
            Ok(Some(found)) => found,
            Ok(None) | Err(_) => return Reading::Gone,
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(dir.as_fd(), &name, flags, Mode::empty()) {
            Ok(fd) => File::from(fd),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::LOOP) => return Reading::Gone,
            Err(e) => return Reading::No(format!("it cannot be read: {e}")),
        };
        let mut bytes = Vec::new();
        match file.take(MAX_FILE + 1).read_to_end(&mut bytes) {
            Ok(n) if n as u64 > MAX_FILE => Reading::No("it is larger than 32 MiB".into()),
            Ok(_) => Reading::Bytes(bytes),
            Err(e) => Reading::No(format!("it cannot be read: {e}")),
        }
    }

    /// By its letters, and by what it really leads to where that is there.
    fn leads_out(&self, path: &str, target: &Path) -> bool {
        let full = self.root.join(path).parent().unwrap_or(self.root).join(target);
        let mut depth: Vec<Component> = Vec::new();
        for part in full.components() {
            match part {
                Component::ParentDir => drop(depth.pop()),
                Component::CurDir => {}
                part => depth.push(part),
            }
        }
        let plain: PathBuf = depth.into_iter().collect();
        !plain.starts_with(self.root) || full.canonicalize().is_ok_and(|real| !real.starts_with(self.root))
    }

    /// When the nearest directory above that is still there was changed.
    fn gone_since(&self, path: &str) -> Timestamp {
        let above = Path::new(path).ancestors().skip(1);
        let found = above.filter_map(|dir| std::fs::symlink_metadata(self.root.join(dir)).ok()).next();
        let time = found
            .and_then(|meta| meta.modified().ok())
            .and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        time.map_or(self.now, |t| Timestamp(i64::try_from(t.as_micros()).unwrap_or(i64::MAX)))
    }
}

enum Reading {
    Bytes(Vec<u8>),
    Gone,
    No(String),
}

#[expect(clippy::unnecessary_wraps, reason = "what a file that is there comes to")]
fn unkept(why: &str) -> Option<IndexedState> {
    Some(IndexedState::Unkept(why.to_string()))
}

/// Files that packd is about to put in place.
fn temporary(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with(crate::engine::files::effects::TEMPORARY)
}

/// Is it the same file? Of what is not kept, only the stamp tells.
fn same(before: &IndexedFile, after: &IndexedFile) -> bool {
    match (&before.state, &after.state) {
        (IndexedState::Unkept(a), IndexedState::Unkept(b)) => a == b && before.stamp.is_none(),
        // Brought here from a row: known by its address alone.
        (
            IndexedState::Kept { object, mode, sha: Some(sha), .. },
            IndexedState::Kept { mode: now, sha: Some(content), .. },
        ) if object.is_empty() => sha == content && mode == now,
        (a, b) => a.same_content(b),
    }
}

/// The entries after a look.
pub fn settle(index: &mut TreeIndex, looked: &TreeLook, advance: &dyn Fn(&FileSeen) -> bool) {
    if looked.found.is_empty() && looked.restamped.is_empty() && looked.unfollowed.is_empty() {
        return;
    }
    let mut entries: BTreeMap<String, IndexedFile> =
        std::mem::take(&mut index.entries).into_iter().map(|e| (e.path.clone(), e)).collect();
    for path in &looked.unfollowed {
        entries.remove(path);
    }
    for entry in &looked.restamped {
        entries.insert(entry.path.clone(), entry.clone());
    }
    for found in looked.found.iter().filter(|found| advance(found)) {
        match &found.after {
            Some(entry) => drop(entries.insert(found.path.clone(), entry.clone())),
            None => drop(entries.remove(&found.path)),
        }
    }
    index.entries = entries.into_values().collect();
}
