//! The store in motion: the open database, the generations above it and the journal, and how a batch gets in.
//!
//! One writer stores batches, one thread carries generations into the database; readers take a [`Shot`] and wait for
//! neither. Locks are taken in this order: upkeep, journal, layers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::base::{Base, OpenedBase, not_stored};
use super::checkpoint::Checkpoints;
use super::generation::Generation;
use super::ground::Ground;
use super::journal::{Journal, JournalFailure};
use super::pace::WriterPace;
use super::record::DatabaseId;
use super::shot::{Readers, Shot};
use super::slots::Slots;
use super::source::BaseSource;
use super::staged::{BatchResult, StagedTables};
use super::{Catalog, faults, recover};
use crate::core::{Error, Kind, Result};

/// A generation of this size is carried into the database. Its lists are made on the way there and do not count.
pub(super) const FULL: usize = 2 * 1024 * 1024;
/// How often somebody looks whether the slots are still the ones that were opened.
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Live {
    pub base: Base,
    pub catalog: Arc<Catalog>,
    slots: Arc<dyn Slots>,
    pub(super) layers: RwLock<LiveLayers>,
    readers: Arc<Readers>,
    journal: Mutex<Journal>,
    looked: Mutex<Instant>,
    /// Held by whoever carries a generation over or opens the database again.
    upkeep: Mutex<()>,
    pub checkpoints: Checkpoints,
    pub(super) pace: WriterPace,
}

/// What a reader who comes now sees.
pub(super) struct LiveLayers {
    /// Or why the database is closed.
    pub ground: Result<Arc<Ground>>,
    pub frozen: Option<Frozen>,
    pub active: Arc<Generation>,
    /// The last version that is durable.
    pub version: u64,
    /// The last version that the database has.
    pub carried: u64,
    id: DatabaseId,
}

/// A generation on its way into the database.
#[derive(Clone)]
pub(super) struct Frozen {
    pub generation: Arc<Generation>,
    pub last: u64,
    /// Read back from the slots. Nothing is acknowledged above it before it is in the database: a disk that failed
    /// to sync may show what it does not have.
    pub recovered: bool,
}

impl Live {
    pub fn open(source: BaseSource, slots: Arc<dyn Slots>, catalog: Catalog) -> Result<Live> {
        let catalog = Arc::new(catalog);
        let (base, opened) = Base::open(source, Arc::clone(&catalog))?;
        let ground = base.ground()?;
        let (layers, journal, unclean) = load(&slots, &catalog, ground, &opened)?;
        base.note_unclean(unclean);
        Ok(Live {
            base,
            catalog,
            slots,
            layers: RwLock::new(layers),
            readers: Arc::default(),
            journal: Mutex::new(journal),
            looked: Mutex::new(Instant::now()),
            upkeep: Mutex::new(()),
            checkpoints: Checkpoints::default(),
            pace: WriterPace::default(),
        })
    }

    pub fn shot(&self) -> Result<Shot> {
        let layers = self.layers.read().unwrap_or_else(PoisonError::into_inner);
        let ground = layers.ground.clone()?;
        let frozen = layers.frozen.as_ref().map(|frozen| Arc::clone(&frozen.generation));
        Ok(Shot::of(ground, frozen, Arc::clone(&layers.active), layers.version, &self.readers))
    }

    /// Makes a batch durable and then shows it to readers. False: there was nothing in it.
    pub fn store(&self, done: BatchResult) -> Result<bool> {
        if let Some(failed) = done.failed {
            return Err(not_stored(self.base.cause(failed)));
        }
        if done.entries.is_empty() {
            return Ok(false);
        }
        let mut journal = self.journal();
        let (version, active) = {
            let layers = self.layers.read().unwrap_or_else(PoisonError::into_inner);
            (layers.version + 1, Arc::clone(&layers.active))
        };
        let failed = |failure: JournalFailure| match failure {
            JournalFailure::Refused(e) => {
                let cause = faults::error_of(e.kind(), &e.to_string());
                self.base.note(&cause);
                not_stored(cause)
            }
            JournalFailure::Unknown(e) => outcome_unknown(&faults::error_of(e.kind(), &e.to_string())),
        };
        journal.append(version, &done.entries).map_err(failed)?;
        // Before anybody is told: what is durable in a file that has lost its name helps nobody.
        if let Err(replaced) = self.base.glance().and_then(|()| self.glance_at(&journal)) {
            journal.renounce(version).map_err(failed)?;
            return Err(replaced);
        }
        // Readers that come meanwhile see the version before, so nothing they need is dropped.
        let oldest = self.readers.oldest().unwrap_or(version - 1).min(version - 1);
        active.add(version, oldest, done.written, done.unlisted);
        self.layers_mut().version = version;
        drop(journal);
        self.checkpoints.wrote(active.bytes() >= FULL);
        Ok(true)
    }

    /// True while a batch has to wait for a checkpoint: there is no room above the database, or an earlier checkpoint
    /// failed.
    pub fn is_behind(&self) -> bool {
        let full = {
            let layers = self.layers.read().unwrap_or_else(PoisonError::into_inner);
            let above = |frozen: &Frozen| frozen.recovered || layers.active.bytes() >= FULL;
            layers.frozen.as_ref().is_some_and(above)
        };
        full || self.checkpoints.failed() || self.journal().is_stuck()
    }

    /// What a batch should wait before it begins, lest a later one waits for a whole checkpoint.
    pub fn pause(&self) -> Duration {
        let layers = self.layers.read().unwrap_or_else(PoisonError::into_inner);
        self.pace.wait(layers.frozen.is_some(), layers.active.bytes())
    }

    pub fn has_ended(&self) -> bool {
        self.journal().has_ended()
    }

    /// Closes what is open and opens it anew, in place: after a failure, and when it was replaced.
    pub fn reopen(&self) -> Result<()> {
        let _alone = self.alone();
        if self.base.was_moved() {
            // Wherever it is now, it should be complete: its slots stay behind here.
            self.settle_alone();
        }
        self.reopen_alone()
    }

    pub(super) fn reopen_alone(&self) -> Result<()> {
        let opened = self.base.reopen().and_then(|opened| Ok((self.base.ground()?, opened)));
        let (ground, opened) = match opened {
            Ok(opened) => opened,
            Err(e) => {
                self.layers_mut().ground = Err(e.clone());
                return Err(e);
            }
        };
        let mut journal = self.journal();
        let known = {
            let mut layers = self.layers_mut();
            let last = layers.frozen.as_ref().map(|frozen| frozen.last);
            let known = opened.same_file
                && opened.id == layers.id
                && (opened.version == layers.carried || Some(opened.version) == last);
            if known {
                layers.ground = Ok(Arc::new(ground));
                // What it has is what everybody sees; carrying it over once more changes nothing.
                None
            } else {
                Some(ground)
            }
        };
        match known {
            Some(ground) => {
                let (layers, found, _) = load(&self.slots, &self.catalog, ground, &opened)
                    .inspect_err(|e| self.layers_mut().ground = Err(e.clone()))?;
                *journal = found;
                *self.layers_mut() = layers;
                drop(journal);
                self.checkpoints.ask();
                Ok(())
            }
            None if journal.is_same() => Ok(()),
            None => {
                drop(journal);
                // Only memory has it now.
                while self.carry_over()? {}
                self.journal().forget();
                Ok(())
            }
        }
    }

    /// Says, at most once a second, when somebody removed or replaced a slot.
    fn glance_at(&self, journal: &Journal) -> Result<()> {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() < LOOK_EVERY {
            return Ok(());
        }
        *looked = Instant::now();
        if journal.is_same() {
            return Ok(());
        }
        self.base.suspect();
        Err(Error::new(
            Kind::Io,
            "database_replaced",
            "The journal beside packd's database was removed or replaced while packd was running; \
             nothing was stored in it.",
        )
        .hint("packd begins a new one; try again."))
    }

    pub(super) fn alone(&self) -> MutexGuard<'_, ()> {
        self.upkeep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn layers_mut(&self) -> std::sync::RwLockWriteGuard<'_, LiveLayers> {
        self.layers.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The layers over a database that was just opened: what its slots hold is the first generation above it.
fn load(
    slots: &Arc<dyn Slots>,
    catalog: &Arc<Catalog>,
    ground: Ground,
    opened: &OpenedBase,
) -> Result<(LiveLayers, Journal, bool)> {
    let left = recover::look(&**slots, opened.id, opened.version)?;
    left.set_others_aside(&**slots)?;
    if left.unreached > 0 {
        tracing::error!(
            "{} records of the journal cannot be reached: what stands before them is damaged.",
            left.unreached
        );
    }
    let ground = Arc::new(ground);
    let (last, unclean) = (left.last, left.unclean);
    let mut frozen = None;
    if !left.is_empty() {
        let below = Shot::of(Arc::clone(&ground), None, Arc::default(), opened.version, &Arc::default());
        let staged = StagedTables::over(below, Arc::clone(catalog));
        left.replay(&staged, catalog)?;
        let generation = Arc::new(Generation::default());
        let replayed = staged.end();
        generation.add(last, last, replayed.written, replayed.unlisted);
        tracing::info!("{} changes were taken from the journal.", last - opened.version);
        frozen = Some(Frozen { generation, last, recovered: true });
    }
    let layers = LiveLayers {
        ground: Ok(ground),
        frozen,
        active: Arc::default(),
        version: last,
        carried: opened.version,
        id: opened.id,
    };
    Ok((layers, left.into_journal(Arc::clone(slots), opened.id), unclean))
}

fn outcome_unknown(cause: &Error) -> Error {
    Error::new(
        Kind::Io,
        OUTCOME_UNKNOWN,
        format!("It is not known whether this change was stored: {}", cause.message),
    )
    .hint("Look it up with history_show and the request key before trying again.")
}

pub(super) const OUTCOME_UNKNOWN: &str = "outcome_unknown";
