//! Both sides of what changed, each with a content that packd keeps itself: what lay in the project's repository alone
//! is copied, since a repository may forget it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::index::{IndexedFile, IndexedState};
use super::look::FileSeen;
use super::objects::Objects;
use crate::core::snapshot::{FileChange, Side};
use crate::core::{FileImage, Result, SessionInfo, Sha, World};

const FORGOTTEN: &str = "its earlier content is no longer in the repository";
const DOUBTFUL: &str = "it was changed while its first snapshot was taken";
const FULL: &str = "the space for snapshots is used up";

pub struct Sides<'a> {
    pub objects: &'a Objects,
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    pub room: &'a AtomicU64,
}

/// An object on its way to be a content of packd's own.
enum Copied {
    Here(Sha),
    NoRoom,
}

impl Sides<'_> {
    pub fn changes<'f>(&self, found: impl Iterator<Item = &'f FileSeen>) -> Result<Vec<FileChange>> {
        let found: Vec<&FileSeen> = found.collect();
        let entries = found.iter().flat_map(|f| [f.before.as_ref(), f.after.as_ref()]).flatten();
        let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
        for entry in entries {
            if let IndexedState::Kept { object, size, sha: None, .. } = &entry.state {
                wanted.insert(object.clone(), *size);
            }
        }
        let copied = self.copy(wanted.into_iter().collect())?;
        let change = |f: &&FileSeen| FileChange {
            path: f.path.clone(),
            before: side(f.before.as_ref(), &copied),
            after: side(f.after.as_ref(), &copied),
        };
        Ok(found
            .iter()
            .map(change)
            .filter(|change| change.before != change.after || unkept(change))
            .collect())
    }

    fn copy(&self, wanted: Vec<(String, u64)>) -> Result<BTreeMap<String, Copied>> {
        let mut out = BTreeMap::new();
        self.objects.get_all(self.world, self.session, &wanted, &mut |id, bytes| {
            if self.room.load(Ordering::Relaxed) < bytes.len() as u64 {
                out.insert(id.to_string(), Copied::NoRoom);
                return Ok(());
            }
            let took = self.objects.put(id, &bytes)?;
            let less = |room: u64| Some(room.saturating_sub(took));
            let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            out.insert(id.to_string(), Copied::Here(Sha::of(&bytes)));
            Ok(())
        })?;
        Ok(out)
    }
}

fn unkept(change: &FileChange) -> bool {
    matches!((&change.before, &change.after), (Side::Unkept(_), Side::Unkept(_)))
}

fn side(entry: Option<&IndexedFile>, copied: &BTreeMap<String, Copied>) -> Side {
    let Some(entry) = entry else { return Side::Absent };
    if entry.doubtful {
        return Side::Unkept(DOUBTFUL.into());
    }
    match &entry.state {
        IndexedState::Unkept(why) => Side::Unkept(why.clone()),
        IndexedState::Kept { object, mode, sha, .. } => {
            let sha = match (sha, copied.get(object)) {
                (Some(sha), _) | (None, Some(Copied::Here(sha))) => sha.clone(),
                (None, Some(Copied::NoRoom)) => return Side::Unkept(FULL.into()),
                (None, None) => return Side::Unkept(FORGOTTEN.into()),
            };
            let object = (!object.is_empty()).then(|| object.clone());
            Side::Kept(FileImage { object, ..FileImage::new(sha, *mode) })
        }
    }
}
