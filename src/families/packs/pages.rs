//! Rendered pages that are still true: of a pack that did not change since, from files that nobody touched.
//!
//! A page is kept only where everything on it is what its refs were made of, and only while a look at the stamps of
//! its files says that they are the same ones. It knows nothing of how a page is made.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::anchors::verdict::RefVerdict;
use super::life;
use super::model::{ContextPack, PackStatus};
use super::render::{RefWindow, Rendered};
use crate::core::world::Stat;
use crate::core::{Key, Timestamp, World};

/// All pages together: two or three of the largest, or hundreds of usual ones.
const MOST_BYTES: usize = 4 << 20;

/// Which page it is: of which state of which pack, read from which directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageName {
    pub pack: Key,
    pub revision: u64,
    pub root: PathBuf,
    pub page: RefWindow,
}

pub struct CachedPage {
    name: PageName,
    pub status: PackStatus,
    expires_at: Timestamp,
    text: String,
    left: Range<usize>,
    /// By directory, each with every link resolved.
    files: Vec<(PathBuf, Vec<(OsString, Stat)>)>,
}

impl CachedPage {
    /// `None` where something on the page may be another thing the next time.
    pub fn of(name: PageName, pack: &ContextPack, rendered: &Rendered, now: Timestamp) -> Option<CachedPage> {
        let plain = rendered.refs.iter().all(|(.., judged)| {
            judged.verdict == RefVerdict::Ok && judged.new.is_none() && judged.trouble.is_none()
        });
        // A path that leads through a link could lead elsewhere the next time.
        let read: HashSet<&Path> = rendered.files.iter().map(|(path, _)| path.as_path()).collect();
        let paths: HashSet<&str> = rendered.refs.iter().map(|(_, r, _)| r.path.as_str()).collect();
        let direct = paths.iter().all(|path| read.contains(name.root.join(path).as_path()));
        let settled = rendered.files.iter().all(|(_, stat)| stat.settled(now));
        if !plain || !direct || !settled || rendered.text.len() > MOST_BYTES / 2 {
            return None;
        }
        let mut files: Vec<(PathBuf, Vec<(OsString, Stat)>)> = Vec::new();
        for (path, stat) in &rendered.files {
            let (dir, file) = (path.parent()?, path.file_name()?.to_os_string());
            match files.iter_mut().find(|(known, _)| known == dir) {
                Some((_, names)) => names.push((file, stat.clone())),
                None => files.push((dir.to_path_buf(), vec![(file, stat.clone())])),
            }
        }
        let (text, left) = (rendered.text.clone(), rendered.left.clone());
        Some(CachedPage { name, status: pack.status, expires_at: pack.expires_at, text, left, files })
    }

    /// Is the pack alive, and is every file the one that was read?
    pub fn stands(&self, world: &dyn World, now: Timestamp) -> bool {
        let same = |dir: &Path, files: &[(OsString, Stat)]| {
            let names: Vec<_> = files.iter().map(|(name, _)| name.as_os_str()).collect();
            let is = |(found, (_, stat)): (Option<Stat>, &(OsString, Stat))| found.as_ref() == Some(stat);
            world.canonical(dir).is_ok_and(|real| real.as_deref() == Some(dir))
                && world.stat_all(dir, &names).is_ok_and(|found| found.into_iter().zip(files).all(is))
        };
        self.expires_at > now && self.files.iter().all(|(dir, files)| same(dir, files))
    }

    /// The page as it is to be read now.
    pub fn text(&self, now: Timestamp) -> String {
        let ttl = life::human(self.expires_at, now);
        let mut out = String::with_capacity(self.text.len() + ttl.len());
        out.push_str(&self.text[..self.left.start]);
        out.push_str(&ttl);
        out.push_str(&self.text[self.left.end..]);
        out
    }
}

/// The pages that were read last.
#[derive(Default)]
pub struct CachedPages(Mutex<VecDeque<Arc<CachedPage>>>);

impl CachedPages {
    pub fn find(&self, name: &PageName) -> Option<Arc<CachedPage>> {
        let mut kept = self.kept();
        let at = kept.iter().position(|page| page.name == *name)?;
        let found = kept.remove(at)?;
        kept.push_front(Arc::clone(&found));
        Some(found)
    }

    pub fn keep(&self, page: CachedPage) {
        let mut kept = self.kept();
        // Another state of the same page is not asked for again.
        kept.retain(|known| {
            (&known.name.pack, &known.name.root, known.name.page)
                != (&page.name.pack, &page.name.root, page.name.page)
        });
        kept.push_front(Arc::new(page));
        let mut bytes = 0;
        kept.retain(|page| {
            bytes += page.text.len() + 4096;
            bytes <= MOST_BYTES
        });
    }

    /// A panic while holding the lock cannot leave half a page behind.
    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<CachedPage>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
