//! Which blobs were referred to while a collection looks for those that nobody refers to.
//!
//! The writer notes every hash in what it writes, with everything the named content names in turn, so a sweep that
//! asks here before it drops a blob never drops one that came into use since it was looked at.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::raw::Raw;
use super::{blobs, layout};
use crate::core::{Result, Sha};

/// A SHA-256: of a blob, or of a piece of one.
pub(super) type Hash = [u8; 32];

/// Empty while no collection is under way.
#[derive(Default)]
pub struct Watch(Mutex<Option<HashSet<Hash>>>);

impl Watch {
    /// Called in the writer: what it commits from here on is noted, and everything before is in the next snapshot.
    pub(super) fn begin(&self) {
        *self.noted() = Some(HashSet::new());
    }

    pub(super) fn end(&self) {
        *self.noted() = None;
    }

    pub(super) fn has(&self, hash: &Hash) -> bool {
        self.noted().as_ref().is_some_and(|noted| noted.contains(hash))
    }

    /// Notes what some written bytes refer to.
    pub(super) fn note(&self, raw: &impl Raw, written: &[u8]) -> Result<()> {
        let mut noted = self.noted();
        let Some(noted) = noted.as_mut() else { return Ok(()) };
        let mut names = hashes_in(written);
        while let Some(hash) = names.pop() {
            let sha = sha(&hash);
            if noted.contains(&hash) {
                continue;
            }
            let Some(value) = raw.get(layout::BLOBS, sha.as_str().as_bytes())? else { continue };
            noted.insert(hash);
            noted.extend(blobs::listed(&value).filter_map(|key| Hash::try_from(key).ok()));
            names.extend(blobs::get(raw, &sha)?.map(|content| hashes_in(&content)).unwrap_or_default());
        }
        Ok(())
    }

    fn noted(&self) -> MutexGuard<'_, Option<HashSet<Hash>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn sha(hash: &Hash) -> Sha {
    Sha(data_encoding::HEXLOWER.encode(hash))
}

/// The hash that a key of the table of blobs spells.
pub(super) fn hash_of_key(key: &[u8]) -> Option<Hash> {
    data_encoding::HEXLOWER.decode(key).ok()?.try_into().ok()
}

/// Runs of 64 lower-case hex digits: what a SHA-256 looks like in any row.
pub(super) fn hashes_in(bytes: &[u8]) -> Vec<Hash> {
    let hex = |b: &u8| b.is_ascii_digit() || (b'a'..=b'f').contains(b);
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let run = bytes[i..].iter().take_while(|b| hex(b)).count();
        // A msgpack length byte may itself look like a digit, so longer runs are searched whole.
        for at in 0..(run + 1).saturating_sub(64) {
            out.extend(hash_of_key(&bytes[i + at..i + at + 64]));
        }
        i += run.max(1);
    }
    out
}
