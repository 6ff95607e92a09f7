//! What this family remembers between calls: search indexes and the commits of git registries. Never the truth.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::index::RegistryIndex;
use crate::core::world::Stat;
use crate::core::{Result, Timestamp};

/// More registries than anybody has; beyond it the caches start afresh.
const MAX: usize = 64;
/// What cannot be looked at cheaply (a web address, a git remote) is asked again after this time.
const FRESH_SECONDS: i64 = 60;

/// Tells whether a cached index is still that of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryStamp {
    File(Option<Stat>),
    /// Asked over the network at this time.
    Asked(Timestamp),
}

impl RegistryStamp {
    fn covers(&self, now: &RegistryStamp) -> bool {
        match (self, now) {
            (RegistryStamp::Asked(then), RegistryStamp::Asked(now)) => {
                now.seconds() - then.seconds() < FRESH_SECONDS
            }
            (a, b) => a == b,
        }
    }
}

#[derive(Default)]
pub struct Caches {
    indexes: Mutex<HashMap<String, (RegistryStamp, Arc<RegistryIndex>)>>,
    checkouts: Mutex<HashMap<String, (Timestamp, PathBuf)>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Caches {
    pub fn index(
        &self,
        key: &str,
        stamp: RegistryStamp,
        load: impl FnOnce() -> Result<RegistryIndex>,
    ) -> Result<Arc<RegistryIndex>> {
        if let Some((known, index)) = held(&self.indexes).get(key)
            && known.covers(&stamp)
        {
            return Ok(index.clone());
        }
        let index = Arc::new(load()?);
        let mut indexes = held(&self.indexes);
        if indexes.len() >= MAX {
            indexes.clear();
        }
        indexes.insert(key.to_string(), (stamp, index.clone()));
        Ok(index)
    }

    /// The directory a git registry was checked out to, asked for at most once a minute.
    pub fn checkout(
        &self,
        key: &str,
        now: Timestamp,
        find: impl FnOnce() -> Result<PathBuf>,
    ) -> Result<PathBuf> {
        if let Some((then, path)) = held(&self.checkouts).get(key)
            && now.seconds() - then.seconds() < FRESH_SECONDS
        {
            return Ok(path.clone());
        }
        let path = find()?;
        let mut checkouts = held(&self.checkouts);
        if checkouts.len() >= MAX {
            checkouts.clear();
        }
        checkouts.insert(key.to_string(), (now, path.clone()));
        Ok(path)
    }
}
