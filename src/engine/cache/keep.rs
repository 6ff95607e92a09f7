//! What the cache has: when each checkout was used last, how large it is, and which of them go.
//!
//! Only what packd made is ever removed: each entry has a stamp in the daemon's own directory, whose age is the
//! time since the entry was used.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::{Cache, failed};
use crate::core::cache::is_commit;
use crate::core::{Result, Sha};
use crate::engine::files::effects::TEMPORARY;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// How much is kept.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Of one checkout.
    pub entry_bytes: u64,
    pub entry_files: u64,
    pub bytes: u64,
    pub entries: usize,
    /// Not used for so long, an entry goes.
    pub age: Duration,
    /// Used so recently, it stays whatever the limits say: a call may be reading it.
    pub rest: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entry_bytes: 1 << 30,
            entry_files: 200_000,
            bytes: 4 << 30,
            entries: 256,
            age: 30 * DAY,
            rest: HOUR,
        }
    }
}

/// What a collection removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheDropped {
    pub entries: u64,
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Stamp {
    dir: PathBuf,
    bytes: u64,
}

struct Entry {
    stamp: PathBuf,
    dir: PathBuf,
    bytes: u64,
    idle: Duration,
}

impl Cache {
    fn stamp(&self, dir: &Path) -> Option<PathBuf> {
        let name = Sha::of(dir.as_os_str().as_encoded_bytes());
        Some(self.home.as_ref()?.join("entries").join(format!("{name}.json")))
    }

    /// Not being able to note it only means that the entry is collected later, or never.
    pub(super) fn entered(&self, dir: &Path, bytes: u64) {
        if let Some(path) = self.stamp(dir)
            && let Ok(text) = serde_json::to_string(&Stamp { dir: dir.to_path_buf(), bytes })
        {
            let _ = write(&path, &text);
        }
    }

    pub(super) fn used(&self, dir: &Path) {
        let Some(path) = self.stamp(dir) else { return };
        let recent = std::fs::metadata(&path).ok().map(|m| idle(&m)).is_some_and(|idle| idle < HOUR / 2);
        if !recent && let Ok(file) = std::fs::File::options().write(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    fn ref_file(&self, url: &str, names: &[String]) -> Option<PathBuf> {
        let key = Sha::of(format!("{url}\n{}", names.join("\n")).as_bytes());
        Some(self.home.as_ref()?.join("refs").join(key.as_str()))
    }

    /// What a ref meant when its remote was asked last.
    pub(super) fn remembered(&self, url: &str, names: &[String]) -> Option<String> {
        let text = std::fs::read_to_string(self.ref_file(url, names)?).ok()?;
        Some(text.trim().to_string()).filter(|commit| is_commit(commit))
    }

    pub(super) fn remember(&self, url: &str, names: &[String], commit: &str) {
        if let Some(path) = self.ref_file(url, names) {
            let _ = write(&path, &format!("{commit}\n"));
        }
    }

    /// Entries that nobody used for long go, and the least used until the rest is within its limits. So do
    /// checkouts in the cache's own directory that no stamp knows, once they are old.
    pub fn collect(&self) -> CacheDropped {
        let Some(home) = &self.home else { return CacheDropped::default() };
        let mut entries = self.entries(home);
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.idle));
        let mut bytes: u64 = entries.iter().map(|e| e.bytes).sum();
        let mut count = entries.len();
        let mut dropped = CacheDropped::default();
        for entry in &entries {
            let over = bytes > self.limits.bytes || count > self.limits.entries;
            if entry.idle < self.limits.rest || (entry.idle < self.limits.age && !over) {
                continue;
            }
            self.forget(entry);
            bytes -= entry.bytes;
            count -= 1;
            dropped.entries += 1;
            dropped.bytes += entry.bytes;
        }
        for parent in list(&home.join("git")) {
            sweep(&parent);
            // Goes only if it is empty.
            let _ = std::fs::remove_dir(&parent);
        }
        for file in list(&home.join("refs")) {
            if std::fs::metadata(&file).is_ok_and(|m| idle(&m) > self.limits.age) {
                let _ = std::fs::remove_file(&file);
            }
        }
        dropped
    }

    fn entries(&self, home: &Path) -> Vec<Entry> {
        let mut out = Vec::new();
        for stamp in list(&home.join("entries")) {
            let Ok(meta) = std::fs::metadata(&stamp) else { continue };
            let text = std::fs::read_to_string(&stamp).unwrap_or_default();
            match serde_json::from_str::<Stamp>(&text) {
                Ok(Stamp { dir, bytes }) if dir.is_dir() => {
                    out.push(Entry { stamp, dir, bytes, idle: idle(&meta) });
                }
                // Somebody removed the checkout, or the stamp is damaged.
                _ => drop(std::fs::remove_file(&stamp)),
            }
        }
        for dir in list(&home.join("git")).iter().flat_map(|parent| list(parent)) {
            let known = out.iter().any(|entry| entry.dir == dir);
            let Some(stamp) = self.stamp(&dir).filter(|_| !known) else { continue };
            if let Ok(meta) = std::fs::metadata(&dir) {
                out.push(Entry { stamp, dir, bytes: 0, idle: idle(&meta) });
            }
        }
        out
    }

    /// Under another name first: half of a checkout never has its name.
    fn forget(&self, entry: &Entry) {
        let Some(parent) = entry.dir.parent() else { return };
        let gone = Temporary::below(parent);
        if std::fs::rename(&entry.dir, gone.path()).is_ok() {
            drop(gone);
            let _ = std::fs::remove_file(&entry.stamp);
        }
    }
}

/// A directory under a name that nobody looks for; removed unless it is put in place.
pub struct Temporary(PathBuf);

impl Temporary {
    pub fn below(parent: &Path) -> Temporary {
        Temporary(parent.join(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple())))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn put(self, dir: &Path) -> Result<()> {
        match std::fs::rename(&self.0, dir) {
            // Another daemon of the same user was as fast: its checkout of this commit is as good.
            Err(_) if dir.is_dir() => Ok(()),
            Err(e) => Err(failed("put in place", dir, &e)),
            Ok(()) => Ok(()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Only ever for a name that begins as ours do.
pub fn remove(temporary: &Path) {
    let ours = temporary.file_name().is_some_and(|n| n.to_string_lossy().starts_with(TEMPORARY));
    if ours {
        let _ = std::fs::remove_dir_all(temporary);
    }
}

/// What a crash left; young ones may be at work in another daemon.
pub fn sweep(parent: &Path) {
    for path in list(parent) {
        if std::fs::symlink_metadata(&path).is_ok_and(|m| idle(&m) > HOUR) {
            remove(&path);
        }
    }
}

/// Bytes below a directory; `None` = over the limit for one entry.
pub fn measure(dir: &Path, limits: &Limits) -> Option<u64> {
    let (mut bytes, mut files) = (0, 0);
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        for path in list(&dir) {
            let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
            files += 1;
            bytes += meta.len();
            if meta.is_dir() {
                open.push(path);
            }
        }
        if bytes > limits.entry_bytes || files > limits.entry_files {
            return None;
        }
    }
    Some(bytes)
}

/// A name must not outlive its content through a power cut: git does not wait for the files of a work tree.
pub fn flush(dir: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = std::fs::File::open(dir) {
        let _ = rustix::fs::syncfs(&file);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = dir;
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent)?;
    let temporary = parent.join(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
    std::fs::write(&temporary, text)?;
    std::fs::rename(&temporary, path)
}

fn list(dir: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn idle(meta: &std::fs::Metadata) -> Duration {
    meta.modified().ok().and_then(|at| at.elapsed().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry that was used so long ago.
    fn entry(cache: &Cache, parent: &Path, name: &str, bytes: u64, idle: Duration) -> PathBuf {
        let dir = parent.join(name);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("file"), "x").unwrap();
        cache.entered(&dir, bytes);
        age(&cache.stamp(&dir).unwrap(), idle);
        dir
    }

    fn age(path: &Path, idle: Duration) {
        let file = std::fs::File::open(path).unwrap();
        file.set_modified(SystemTime::now() - idle).unwrap();
    }

    #[test]
    fn what_is_old_or_too_much_goes_and_what_is_not_ours_stays() {
        let home = tempfile::tempdir().unwrap();
        let shelf = home.path().join("shelf/url");
        let mut cache = Cache::at(Some(home.path().to_path_buf()));
        cache.limits = Limits { bytes: 100, ..Limits::default() };
        let old = entry(&cache, &shelf, "old", 1, 31 * DAY);
        let first = entry(&cache, &shelf, "first", 60, 3 * DAY);
        let second = entry(&cache, &shelf, "second", 60, 2 * DAY);
        let now = entry(&cache, &shelf, "now", 90, Duration::ZERO);
        let theirs = shelf.join("theirs");
        std::fs::create_dir_all(&theirs).unwrap();
        age(&theirs, 99 * DAY);
        let unknown = home.path().join("cache/git/url/unknown");
        std::fs::create_dir_all(&unknown).unwrap();
        age(&unknown, 31 * DAY);
        let left = home.path().join(format!("cache/git/url/{TEMPORARY}x"));
        std::fs::create_dir_all(&left).unwrap();
        age(&left, 2 * HOUR);
        assert_eq!(cache.collect().entries, 4);
        assert!(
            !old.exists() && !first.exists() && !second.exists(),
            "old, and the least used over the limit"
        );
        assert!(now.exists() && theirs.exists(), "in use, and another program's");
        assert!(!unknown.exists() && !left.exists(), "nobody's, in our own directory");
        assert_eq!(cache.collect(), CacheDropped::default());
        assert_eq!(list(&shelf).len(), 2, "nothing temporary is left");
    }

    #[test]
    fn one_checkout_is_bounded_and_refs_are_remembered() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(home.path().to_path_buf()));
        std::fs::write(home.path().join("file"), vec![0; 5000]).unwrap();
        let small = Limits { entry_bytes: 4000, ..Limits::default() };
        assert_eq!(measure(home.path(), &small), None);
        assert!(measure(home.path(), &Limits::default()).is_some_and(|bytes| bytes >= 5000));
        let (names, commit) = (vec!["HEAD".to_string()], "0123456789".repeat(4));
        assert_eq!(cache.remembered("u", &names), None);
        cache.remember("u", &names, &commit);
        assert_eq!(cache.remembered("u", &names), Some(commit));
        assert_eq!(cache.remembered("v", &names), None);
    }
}
