//! The journal: each batch is one record, written in one go and synced once before anybody is told of it.
//!
//! A write that fails leaves its slot behind and begins a new epoch in another, so that what it may have left can
//! never be taken for a record. A sync that fails is the end: nobody can say what it wrote, and it is not tried again.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::record::{DatabaseId, Header, JournalEntries, PAGE};
use super::slots::{SLOTS, Slot, Slots};

/// Slots grow in such steps of zeros: a sync of a record then changes nothing but the record.
const STEP: u64 = 256 * 1024;
/// A slot that had to take more than this gives the rest back when it becomes free.
const KEPT: u64 = 8 * 1024 * 1024;

/// Why a batch is not in the journal.
#[derive(Debug)]
pub(super) enum JournalFailure {
    /// Nothing of it will ever be read back.
    Refused(io::Error),
    /// It may be on the disk or not. The journal takes nothing more.
    Unknown(io::Error),
}

pub(super) struct Journal {
    slots: Arc<dyn Slots>,
    id: DatabaseId,
    epoch: u64,
    open: [Option<OpenSlot>; SLOTS],
    current: Option<Current>,
    /// Slots with records of the generation that is being written, and of the one that was.
    active: Vec<usize>,
    frozen: Vec<usize>,
    /// Slots with records that cannot be reached: kept aside instead of used again.
    doubtful: Vec<usize>,
    ended: bool,
}

pub(super) struct OpenSlot {
    pub slot: Slot,
    /// How many bytes of it are there.
    pub capacity: u64,
}

struct Current {
    number: usize,
    seed: u64,
    end: u64,
}

/// What was found of an earlier life.
#[derive(Default)]
pub(super) struct Before {
    pub epoch: u64,
    pub open: [Option<OpenSlot>; SLOTS],
    pub used: Vec<usize>,
    pub doubtful: Vec<usize>,
}

impl Journal {
    pub fn new(slots: Arc<dyn Slots>, id: DatabaseId, before: Before) -> Journal {
        let Before { epoch, open, used, doubtful } = before;
        Journal {
            slots,
            id,
            epoch,
            open,
            current: None,
            active: Vec::new(),
            frozen: used,
            doubtful,
            ended: false,
        }
    }

    /// Makes a batch durable. The version must follow the last one that was.
    pub fn append(&mut self, version: u64, entries: &JournalEntries) -> Result<(), JournalFailure> {
        if self.ended {
            return Err(JournalFailure::Refused(io::Error::other("an earlier failure ended the journal")));
        }
        let (current, mut bytes) = match self.current.take() {
            Some(current) => (current, Vec::new()),
            None => self.begin(version).map_err(JournalFailure::Refused)?,
        };
        let Some(record) = entries.record(current.seed, version) else {
            self.keep(current);
            return Err(JournalFailure::Refused(ErrorKind::FileTooLarge.into()));
        };
        if bytes.is_empty() {
            bytes = record;
        } else {
            bytes.extend_from_slice(&record);
        }
        let end = current.end + bytes.len() as u64;
        let slot = match self.reserve(current.number, end) {
            Ok(slot) => slot,
            Err(e) => {
                // Nothing of the record was written: its place is still good.
                self.keep(current);
                return Err(JournalFailure::Refused(e));
            }
        };
        if let Err(e) = slot.write(current.end, &bytes) {
            return Err(self.renounce(version).err().unwrap_or(JournalFailure::Refused(e)));
        }
        self.sync(&slot)?;
        if !self.active.contains(&current.number) {
            self.active.push(current.number);
        }
        self.current = Some(Current { end, ..current });
        Ok(())
    }

    /// Begins a new epoch at this version, so that no record of it that may be there already counts.
    ///
    /// Where there is no room for that now, the next batch does it: it cannot be written anywhere else.
    pub fn renounce(&mut self, version: u64) -> Result<(), JournalFailure> {
        self.current = None;
        let Ok((mut current, header)) = self.begin(version) else { return Ok(()) };
        let written = self.reserve(current.number, PAGE as u64).and_then(|slot| {
            slot.write(0, &header)?;
            Ok(slot)
        });
        let Ok(slot) = written else { return Ok(()) };
        self.sync(&slot)?;
        current.end = PAGE as u64;
        self.active.push(current.number);
        self.current = Some(current);
        Ok(())
    }

    /// True while the next batch has no place to go before a checkpoint made one.
    pub fn is_stuck(&self) -> bool {
        self.current.is_none() && self.free().is_none()
    }

    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// From now on records belong to the next generation.
    pub fn freeze(&mut self) {
        self.frozen.append(&mut self.active);
        self.current = None;
    }

    /// What was frozen is in the database: its slots can be used again.
    pub fn release(&mut self) {
        for number in std::mem::take(&mut self.frozen) {
            if self.doubtful.contains(&number) {
                self.open[number] = None;
                match self.slots.set_aside(number, "damaged") {
                    Ok(kept) => {
                        tracing::error!("A part of the journal that cannot be read is kept as {kept}.")
                    }
                    Err(e) => tracing::error!("A damaged part of the journal could not be set aside: {e}"),
                }
            } else if let Some(open) = self.open[number].as_mut().filter(|open| open.capacity > KEPT)
                && open.slot.set_len(STEP).is_ok()
            {
                open.capacity = STEP;
            }
        }
        self.doubtful.clear();
    }

    /// Everything is in the database: nothing is left beside it.
    pub fn remove(&mut self) {
        self.freeze();
        self.release();
        for number in 0..SLOTS {
            if self.open[number].take().is_some()
                && let Err(e) = self.slots.remove(number)
            {
                tracing::warn!("A slot of the journal that is not needed any more stays behind: {e}");
            }
        }
    }

    /// True unless somebody removed or replaced a slot with records that count.
    pub fn is_same(&self) -> bool {
        self.active.iter().chain(&self.frozen).all(|number| self.slots.is_same(*number))
    }

    /// Lets go of slots that somebody took away; what was in them must be in the database by now.
    pub fn forget(&mut self) {
        self.freeze();
        self.frozen.clear();
        self.doubtful.clear();
        self.open = Default::default();
    }

    /// Goes on in a slot where nothing went wrong; one that has no header yet is begun anew.
    fn keep(&mut self, current: Current) {
        self.current = self.active.contains(&current.number).then_some(current);
    }

    fn free(&self) -> Option<usize> {
        (0..SLOTS).find(|n| !self.active.contains(n) && !self.frozen.contains(n))
    }

    /// The next epoch in a free slot: where it is, and the header that must stand before its first record.
    fn begin(&mut self, first: u64) -> io::Result<(Current, Vec<u8>)> {
        let number = self.free().ok_or_else(|| io::Error::other("every slot of the journal is in use"))?;
        if self.open[number].is_none() {
            // One that is there and was not taken at the start is none of ours, or came since.
            let found = self.slots.find(number)?;
            if found.is_some() {
                self.slots.set_aside(number, "foreign")?;
            }
            self.open[number] = Some(OpenSlot { slot: self.slots.make(number)?, capacity: 0 });
        }
        self.epoch += 1;
        let salt = uuid::Uuid::new_v4().as_u64_pair().0;
        let header = Header { id: self.id, epoch: self.epoch, salt, first };
        Ok((Current { number, seed: header.seed(), end: 0 }, header.encode()))
    }

    /// Fills the slot with zeros up to a place that is about to be written.
    fn reserve(&mut self, number: usize, end: u64) -> io::Result<Slot> {
        let gone = || io::Error::other("the slot of the journal is not open");
        let open = self.open[number].as_mut().ok_or_else(gone)?;
        if open.capacity < end {
            let target = end.next_multiple_of(STEP);
            open.slot.set_len(target)?;
            // Page by page: a system that was given more at once may treat it as one piece ever after, and count all of
            // it as written with each record.
            while open.capacity < target {
                let page = PAGE as u64 - open.capacity % PAGE as u64;
                open.slot.write(open.capacity, &[0; PAGE][..page as usize])?;
                open.capacity += page;
            }
        }
        Ok(Arc::clone(&open.slot))
    }

    fn sync(&mut self, slot: &Slot) -> Result<(), JournalFailure> {
        slot.sync_data().map_err(|e| {
            self.ended = true;
            JournalFailure::Unknown(e)
        })
    }
}
