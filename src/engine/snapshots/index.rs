//! What a tree's files were at the last look: packd's own index of it, with what tells an untouched file.
//!
//! Kept in a file of packd's own. One that is missing or damaged costs a first look; one that is behind the rows of
//! the store is led up to them by the changes that those hold.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::core::snapshot::{FileChange, Side, Skipped};
use crate::core::world::Stat;
use crate::core::{FileImage, Sha, Timestamp};
use crate::engine::files::effects::TEMPORARY;

const MAGIC: &[u8; 8] = b"packdsn1";

/// What tells an untouched file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    pub mtime: i64,
    pub ctime: i64,
    pub size: u64,
    pub inode: u64,
    pub device: u64,
    pub mode: u32,
}

impl FileStamp {
    pub fn of(stat: &Stat) -> FileStamp {
        let nanos = |n: i128| i64::try_from(n).unwrap_or(i64::MAX);
        FileStamp {
            mtime: nanos(stat.mtime),
            ctime: nanos(stat.ctime),
            size: stat.size,
            inode: stat.inode,
            device: stat.device,
            mode: stat.mode,
        }
    }
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedFile {
    pub path: String,
    /// `None` = its stamp alone can never say that nobody touched it.
    pub stamp: Option<FileStamp>,
    pub state: IndexedState,
    /// The first look at it was late: what it held may be the work of the call that was under way.
    pub doubtful: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexedState {
    Kept {
        object: String,
        mode: u32,
        size: u64,
        /// The content lies in the project's repository alone.
        borrowed: bool,
        /// Its address, once somebody needed it.
        sha: Option<Sha>,
    },
    /// Something whose content is not kept, and why.
    Unkept(String),
}

impl IndexedState {
    pub fn same_content(&self, other: &IndexedState) -> bool {
        match (self, other) {
            (
                IndexedState::Kept { object: a, mode: m, .. },
                IndexedState::Kept { object: b, mode: n, .. },
            ) => a == b && m == n,
            (IndexedState::Unkept(_), IndexedState::Unkept(_)) => true,
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TreeIndex {
    /// The snapshot it is the state of.
    pub number: u64,
    /// When the tree was looked at last.
    pub looked: Timestamp,
    /// Which patterns it was made under.
    pub rules: u64,
    /// By path.
    pub entries: Vec<IndexedFile>,
    pub skipped: Vec<Skipped>,
}

impl TreeIndex {
    pub fn find(&self, path: &str) -> Option<&IndexedFile> {
        self.entries.binary_search_by(|e| e.path.as_str().cmp(path)).ok().map(|at| &self.entries[at])
    }

    /// Is there a file below a directory?
    pub fn has_below(&self, dir: &str) -> bool {
        let at = self.entries.partition_point(|e| e.path.as_str() < dir);
        let mut near = self.entries[at..].iter().take_while(|e| e.path.starts_with(dir));
        near.any(|e| e.path.as_bytes().get(dir.len()) == Some(&b'/'))
    }

    pub fn load(path: &Path) -> Option<TreeIndex> {
        let bytes = fs::read(path).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, body) = rest.split_first_chunk::<8>()?;
        (u64::from_le_bytes(*sum) == xxh3_64(body)).then(|| rmp_serde::from_slice(body).ok()).flatten()
    }

    /// Failing to keep it only costs the next daemon a longer look.
    pub fn save(&self, path: &Path) {
        let Ok(body) = rmp_serde::to_vec(self) else { return };
        let Some(dir) = path.parent() else { return };
        let temporary = dir.join(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
        let bytes = [MAGIC.as_slice(), &xxh3_64(&body).to_le_bytes(), &body].concat();
        let written = fs::create_dir_all(dir)
            .and_then(|()| fs::write(&temporary, bytes))
            .and_then(|()| fs::rename(&temporary, path));
        if let Err(e) = written {
            let _ = fs::remove_file(&temporary);
            tracing::warn!("the index {} could not be kept: {e}", path.display());
        }
    }

    /// Leads it on by changes that are known to have happened since.
    pub fn follow(&mut self, number: u64, changes: &[FileChange]) {
        for change in changes {
            let found = self.entries.binary_search_by(|e| e.path.as_str().cmp(&change.path));
            let state = match &change.after {
                Side::Absent => {
                    if let Ok(at) = found {
                        self.entries.remove(at);
                    }
                    continue;
                }
                Side::Kept(image) => kept(image),
                Side::Unkept(why) => IndexedState::Unkept(why.clone()),
            };
            let entry = IndexedFile { path: change.path.clone(), stamp: None, state, doubtful: false };
            match found {
                Ok(at) => self.entries[at] = entry,
                Err(at) => self.entries.insert(at, entry),
            }
        }
        self.number = number;
    }
}

/// As an entry knows what a row holds. A content that is not among the objects is known by its address alone.
fn kept(image: &FileImage) -> IndexedState {
    IndexedState::Kept {
        object: image.object.clone().unwrap_or_default(),
        mode: image.mode,
        size: 0,
        borrowed: false,
        sha: Some(image.sha.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str) -> IndexedFile {
        IndexedFile {
            path: path.into(),
            stamp: None,
            state: IndexedState::Unkept("x".into()),
            doubtful: false,
        }
    }

    #[test]
    fn it_comes_back_from_its_file_and_damage_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index");
        let index = TreeIndex { number: 3, entries: vec![entry("a"), entry("b/c")], ..TreeIndex::default() };
        index.save(&path);
        assert_eq!(TreeIndex::load(&path).unwrap().entries, index.entries);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(TreeIndex::load(&path).is_none());
    }

    #[test]
    fn it_knows_what_lies_below_a_directory() {
        let index =
            TreeIndex { entries: vec![entry("a-b/c"), entry("a/b"), entry("b")], ..TreeIndex::default() };
        assert!(index.has_below("a") && index.has_below("a-b"));
        assert!(!index.has_below("a/c") && !index.has_below("c") && !index.has_below("b"), "b is a file");
    }

    #[test]
    fn it_follows_what_rows_say() {
        let mut index =
            TreeIndex { number: 1, entries: vec![entry("a"), entry("c")], ..TreeIndex::default() };
        let image = FileImage { object: Some("0f".into()), ..FileImage::new(Sha::of(b"x"), 0o600) };
        let change = |path: &str, after| FileChange { path: path.into(), before: Side::Absent, after };
        index.follow(2, &[change("a", Side::Absent), change("b", Side::Kept(image.clone()))]);
        assert_eq!(index.entries.iter().map(|e| e.path.as_str()).collect::<Vec<_>>(), ["b", "c"]);
        assert!(
            matches!(&index.find("b").unwrap().state, IndexedState::Kept { object, mode: 0o600, .. } if object == "0f")
        );
        assert_eq!(index.number, 2);
    }
}
