//! What an earlier life left in the slots: the records that follow on the database without a gap, and their replay.
//!
//! Looking changes nothing. Whatever is derived is computed again in the replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::faults::error_of;
use super::journal::{Before, Journal, OpenSlot};
use super::raw::{Raw, RawWrite};
use super::record::{DatabaseId, FoundRecord, Header, PAGE, record_at};
use super::slots::{SLOTS, Slot, Slots};
use super::staged::StagedTables;
use super::{Catalog, derive};
use crate::core::{Error, Result};

/// Right records that are looked for behind a wrong one have a version at most so much higher.
const NEAR: u64 = 1 << 20;

/// The slots of a database, as they were found.
pub(super) struct Left {
    before: Before,
    read: Vec<Read>,
    /// Slots that are not of this database, and what they are instead.
    pub others: Vec<(usize, &'static str)>,
    /// Where each record is that counts, oldest first: slot by its place in `read`, and offset.
    chain: Vec<(usize, usize)>,
    /// There were slots at all: the end was not an orderly one.
    pub unclean: bool,
    /// Records that were right but do not follow on anything.
    pub unreached: usize,
    pub last: u64,
}

struct Read {
    number: usize,
    header: Header,
    bytes: Vec<u8>,
    records: Vec<(u64, usize)>,
}

/// Reads every slot. `version` is the last one the database has.
pub(super) fn look(slots: &dyn Slots, id: DatabaseId, version: u64) -> Result<Left> {
    let mut left = Left {
        before: Before::default(),
        read: Vec::new(),
        others: Vec::new(),
        chain: Vec::new(),
        unclean: false,
        unreached: 0,
        last: version,
    };
    for number in 0..SLOTS {
        let Some(slot) = slots.find(number).map_err(cannot_read)? else { continue };
        left.unclean = true;
        match read(number, &slot, id).map_err(cannot_read)? {
            Slotful::Ours(read) => {
                left.before.epoch = left.before.epoch.max(read.header.epoch);
                left.before.open[number] = Some(OpenSlot { slot, capacity: read.bytes.len() as u64 });
                left.read.push(read);
            }
            Slotful::Blank(capacity) => left.before.open[number] = Some(OpenSlot { slot, capacity }),
            Slotful::Other(why) => left.others.push((number, why)),
        }
    }
    left.link(version);
    Ok(left)
}

impl Left {
    /// Takes what is not of this database out of the way, and keeps it.
    pub fn set_others_aside(&self, slots: &dyn Slots) -> Result<()> {
        for (number, why) in &self.others {
            let kept = slots.set_aside(*number, why).map_err(cannot_read)?;
            tracing::warn!("A slot of the journal is {why} and was set aside as {kept}.");
        }
        Ok(())
    }

    /// Finds out which records count.
    fn link(&mut self, version: u64) {
        self.read.sort_by_key(|read| read.header.epoch);
        let mut known = valid(&self.read);
        while let Some(place) = known.remove(&(self.last + 1)) {
            self.chain.push(place);
            self.last += 1;
        }
        let beyond = known.split_off(&(version + 1));
        self.unreached = beyond.len();
        for (i, read) in self.read.iter().enumerate() {
            if read.records.iter().any(|(v, _)| *v > version) {
                self.before.used.push(read.number);
            }
            if beyond.values().any(|(at, _)| *at == i) {
                self.before.doubtful.push(read.number);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.chain.is_empty()
    }

    /// Writes every record that counts, and what follows from it.
    pub fn replay(&self, to: &StagedTables, catalog: &Catalog) -> Result<()> {
        for (slot, at) in &self.chain {
            let read = &self.read[*slot];
            let found = record_at(&read.bytes, *at, read.header.seed());
            let entries = found.as_ref().and_then(FoundRecord::entries).ok_or_else(|| {
                Error::internal("A record of the journal is right, but its entries are not.")
            })?;
            for entry in entries {
                let before = to.get(entry.table, entry.key)?;
                match entry.value {
                    Some(value) => to.put(entry.table, entry.key, value)?,
                    None => to.remove(entry.table, entry.key)?,
                }
                derive::follow(to, catalog, entry.table, entry.key, before.as_deref(), entry.value)?;
            }
        }
        Ok(())
    }

    pub fn into_journal(self, slots: Arc<dyn Slots>, id: DatabaseId) -> Journal {
        Journal::new(slots, id, self.before)
    }
}

/// The places of all records that were not superseded, by version.
fn valid(read: &[Read]) -> BTreeMap<u64, (usize, usize)> {
    let mut known = BTreeMap::new();
    for (i, read) in read.iter().enumerate() {
        // An epoch begins where the one before it ended for good.
        known.split_off(&read.header.first);
        known.extend(read.records.iter().map(|(version, at)| (*version, (i, *at))));
    }
    known
}

/// Whose the slots are and which version they follow on, for a database that has forgotten both.
///
/// The records up to the newest one are all there is to say about what they touch, so it does no harm to replay some
/// that the database has already.
pub(super) fn owner(slots: &dyn Slots) -> Result<Option<(DatabaseId, u64)>> {
    let mut all = Vec::new();
    for number in 0..SLOTS {
        let Some(slot) = slots.find(number).map_err(cannot_read)? else { continue };
        let mut page = vec![0; PAGE.min(usize::try_from(slot.len().map_err(cannot_read)?).unwrap_or(PAGE))];
        slot.read(0, &mut page).map_err(cannot_read)?;
        let Some(header) = Header::decode(&page) else { continue };
        if let Slotful::Ours(read) = read(number, &slot, header.id).map_err(cannot_read)? {
            all.push(read);
        }
    }
    all.sort_by_key(|read| read.header.epoch);
    let Some(id) = all.last().map(|read| read.header.id) else { return Ok(None) };
    all.retain(|read| read.header.id == id);
    let known = valid(&all);
    let Some((last, _)) = known.last_key_value() else { return Ok(None) };
    let first = (0..*last).rev().find(|version| !known.contains_key(version)).unwrap_or(0);
    Ok(Some((id, first)))
}

enum Slotful {
    Ours(Read),
    Blank(u64),
    Other(&'static str),
}

fn read(number: usize, slot: &Slot, id: DatabaseId) -> std::io::Result<Slotful> {
    let length = slot.len()?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    slot.read(0, &mut bytes)?;
    let Some(header) = Header::decode(&bytes) else {
        let blank = bytes.iter().take(PAGE).all(|b| *b == 0);
        return Ok(if blank { Slotful::Blank(length) } else { Slotful::Other("unreadable") });
    };
    if header.id != id {
        return Ok(Slotful::Other("foreign"));
    }
    let records = records(&bytes, &header);
    Ok(Slotful::Ours(Read { number, header, bytes, records }))
}

/// Version and place of every right record. Normally they follow each other up to the first that is not there; what
/// is right behind a wrong one is found as well, because it was acknowledged once.
fn records(bytes: &[u8], header: &Header) -> Vec<(u64, usize)> {
    let mut out = Vec::new();
    let (mut at, mut next) = (PAGE, header.first);
    while at + PAGE <= bytes.len() {
        // A checksum is only computed where the version could be one.
        let version = bytes[at + 4..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        let near = (next..next.saturating_add(NEAR)).contains(&version);
        match near.then(|| record_at(bytes, at, header.seed())).flatten() {
            Some(found) => {
                out.push((found.version, at));
                (at, next) = (found.end, found.version + 1);
            }
            None => at += PAGE,
        }
    }
    out
}

fn cannot_read(e: std::io::Error) -> Error {
    let reason = error_of(e.kind(), &e.to_string());
    Error { message: format!("The journal cannot be read. {}", reason.message), ..reason }
        .hint("Check the disk; the journal holds changes that the database does not have yet.")
}
