//! The one writer: drains whatever calls wait, runs them against one transaction, commits once, answers all.
//!
//! Batches form by themselves while a commit is running; there is no timer. A call that fails has written
//! nothing and does not disturb its neighbours. Answers are given only after the commit is durable. When the disk
//! fails, the database is opened again in place, and what it then holds decides what is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::{Database, WriteTransaction};

use super::apply::Batch;
use super::base::{Base, not_stored};
use super::raw::{self, Raw};
use super::tables::{Tables, Witness};
use super::{Catalog, Store};
use crate::core::{Error, Result};

/// How the commit that a job belonged to ended.
pub type Settled = std::result::Result<(), Error>;

/// What a job wants to be told once the outcome of the commit is known.
pub type Answer = Box<dyn FnOnce(Settled) + Send>;

/// Runs inside the transaction, or is told why there is none.
pub type Job = Box<dyn FnOnce(Result<&Batch>) -> Answer + Send>;

/// Bigger batches would delay the first of them for nothing.
const MAX_BATCH: usize = 512;
/// Quiet time after which one quick-repair commit makes reopening after a crash cheap.
const IDLE: Duration = Duration::from_millis(250);
/// Above this size every commit saves the allocator state, which doubles its cost: a full repair, needed only
/// after a crash within [`IDLE`] of a write, takes about two seconds here.
const QUICK_REPAIR_ABOVE: u64 = 1024 * 1024 * 1024;

/// How often, and with which pause, the database is opened again before somebody is told that nothing is known.
const TRIES: usize = 3;
const PAUSE: Duration = Duration::from_millis(10);

#[derive(Default)]
pub struct WriterStats {
    pub commits: AtomicU64,
    pub jobs: AtomicU64,
    pub largest_batch: AtomicU64,
    pub waiting: AtomicU64,
}

pub struct Writer {
    queue: Mutex<Option<Sender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    pub stats: Arc<WriterStats>,
}

impl Writer {
    /// `on_fatal` is called when the database can never be opened again by this process: it must end.
    pub fn start(store: &Store, on_fatal: impl Fn(&Error) + Send + 'static) -> Writer {
        let (queue, jobs) = channel();
        let stats = Arc::new(WriterStats::default());
        let worker = Worker {
            base: store.base.clone(),
            catalog: store.catalog.clone(),
            path: store.path.clone(),
            jobs,
            stats: stats.clone(),
            on_fatal: Box::new(on_fatal),
        };
        let thread = std::thread::Builder::new().name("packd-writer".into()).spawn(move || worker.run()).ok();
        Writer { queue: Mutex::new(Some(queue)), thread: Mutex::new(thread), stats }
    }

    pub fn submit(&self, job: Job) -> Result<()> {
        self.stats.waiting.fetch_add(1, Ordering::Relaxed);
        // A poisoned lock only means that another thread panicked while sending; the channel is still sound.
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let sent = queue.as_ref().map(|q| q.send(job));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(Error::new(crate::core::Kind::State, "stopping", "The daemon is stopping.")
                .hint("Try again; the next call starts a new daemon.")),
        }
    }

    /// Finishes what waits, makes the last commit a quick-repair one and ends the thread.
    pub fn stop(&self) {
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        // The last owner may be a job, dropped on the writer's own thread: that one ends by itself.
        if let Some(thread) = thread.filter(|t| t.thread().id() != std::thread::current().id()) {
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Worker {
    base: Arc<Base>,
    catalog: Arc<Catalog>,
    path: Option<std::path::PathBuf>,
    jobs: Receiver<Job>,
    stats: Arc<WriterStats>,
    on_fatal: Box<dyn Fn(&Error) + Send>,
}

impl Worker {
    fn run(self) {
        let mut unrepaired = false;
        loop {
            let first = if unrepaired {
                match self.jobs.recv_timeout(IDLE) {
                    Ok(job) => job,
                    Err(RecvTimeoutError::Timeout) => {
                        // Where it fails, the next write opens the database again.
                        let _ = self.save_allocator();
                        unrepaired = false;
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            } else {
                match self.jobs.recv() {
                    Ok(job) => job,
                    Err(_) => break,
                }
            };
            unrepaired |= self.batch(first);
        }
        if unrepaired {
            let _ = self.save_allocator();
        }
    }

    /// Runs one batch; true if something was committed.
    fn batch(&self, first: Job) -> bool {
        let txn = match self.begin() {
            Ok(txn) => txn,
            Err(e) => {
                self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
                first(Err(e.clone()))(Err(e));
                return false;
            }
        };
        let batch =
            Batch { tables: Tables::of(&txn), catalog: &self.catalog, dirty: std::cell::Cell::new(false) };
        let mut answers = Vec::new();
        let mut broken = None;
        let mut next = Some(first);
        while let Some(job) = next.take() {
            self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
            match catch_unwind(AssertUnwindSafe(|| job(Ok(&batch)))) {
                Ok(answer) => answers.push(answer),
                // The engine guards families and the store guards redb, so a panic here was in our own writing.
                Err(_) => {
                    broken =
                        Some(Error::internal("A defect in packd stopped this change; nothing was stored."));
                    break;
                }
            }
            if answers.len() < MAX_BATCH {
                next = self.jobs.try_recv().ok();
            }
        }
        let dirty = batch.dirty.get();
        let (failed, witness) = batch.end();
        let count = answers.len() as u64;
        self.stats.jobs.fetch_add(count, Ordering::Relaxed);
        self.stats.largest_batch.fetch_max(count, Ordering::Relaxed);
        if broken.is_some() || failed.is_some() || !dirty {
            abort(txn);
            let settled = match (failed, broken) {
                (Some(reported), _) => Err(self.nothing_stored(reported)),
                (None, Some(defect)) => Err(defect),
                (None, None) => Ok(()),
            };
            settle(answers, &settled);
            return false;
        }
        let settled = match catch_unwind(AssertUnwindSafe(|| txn.commit())) {
            // Before anybody is told: a commit into a file that has lost its name helps nobody.
            Ok(Ok(())) => match self.base.glance() {
                Ok(()) => Ok(()),
                Err(replaced) => {
                    tracing::error!("{replaced}");
                    self.reopen().ok();
                    Err(replaced)
                }
            },
            Ok(Err(e)) => self.after_failed_commit(raw::storage(e), witness),
            Err(_) => {
                let why = raw::damaged("", "its pages make no sense");
                self.after_failed_commit(why, witness)
            }
        };
        if settled.is_ok() {
            self.stats.commits.fetch_add(1, Ordering::Relaxed);
        }
        settle(answers, &settled);
        settled.is_ok()
    }

    /// A transaction on a database that is known to be the right one and to work.
    fn begin(&self) -> Result<WriteTransaction> {
        self.base.grant(self.stats.commits.load(Ordering::SeqCst));
        self.base.room()?;
        if self.base.glance().is_err() || self.base.is_suspect() {
            self.reopen()?;
        }
        let begun = self.begin_now();
        match begun {
            Err(e) if e.code != "store_closed" => {
                tracing::warn!("The database is opened again: {}", self.base.cause(e));
                self.reopen()?;
                self.begin_now()
            }
            begun => begun,
        }
    }

    fn begin_now(&self) -> Result<WriteTransaction> {
        let db = self.base.current()?;
        self.base.begins();
        let mut txn = catch_unwind(AssertUnwindSafe(|| db.begin_write()))
            .map_err(|_| raw::interrupted())?
            .map_err(raw::storage)?;
        txn.set_quick_repair(self.large());
        Ok(txn)
    }

    fn reopen(&self) -> Result<()> {
        let opened = self.base.reopen();
        match &opened {
            Ok(()) => tracing::warn!("The database was opened again."),
            // Somebody else serves the file now, or there is nothing that could be opened.
            Err(e) if e.code == "already_running" || e.code == "store_closed" => (self.on_fatal)(e),
            Err(e) => tracing::error!("The database could not be opened again: {e}"),
        }
        opened
    }

    /// Tries for a moment: what an interrupted caller can be told depends on it.
    fn reopen_soon(&self) -> Result<()> {
        for _ in 0..TRIES {
            if self.base.reopen().is_ok() {
                tracing::warn!("The database was opened again.");
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        self.reopen()
    }

    /// A transaction that was not committed: whatever failed, nothing of it is in the file.
    fn nothing_stored(&self, reported: Error) -> Error {
        let cause = self.base.cause(reported);
        tracing::error!("A change was not stored: {cause}");
        if cause.code != raw::DAMAGED {
            self.reopen().ok();
        }
        not_stored(cause)
    }

    /// Finds out what became of a commit that failed: the file is opened again and asked for the witness.
    fn after_failed_commit(&self, reported: Error, witness: Option<Witness>) -> Settled {
        let cause = self.base.cause(reported);
        tracing::error!("A commit failed: {cause}");
        let possible = self.base.may_have_committed();
        let stored = self.reopen_soon().and_then(|()| self.holds(witness));
        match stored {
            _ if !possible => Err(not_stored(cause)),
            Ok(false) => Err(not_stored(cause)),
            // It was all written, and opening the file again has synced it.
            Ok(true) if self.save_allocator().is_ok() => Ok(()),
            _ => Err(Error::new(
                crate::core::Kind::Io,
                "outcome_unknown",
                format!("It is not known whether this change was stored: {}", cause.message),
            )
            .hint("Look it up with history_show and the request key before trying again.")),
        }
    }

    fn holds(&self, witness: Option<Witness>) -> Result<bool> {
        let Some(witness) = witness else { return Ok(false) };
        Ok(self.base.read()?.get(&witness.table, &witness.key)? != witness.before)
    }

    fn large(&self) -> bool {
        let size = self.path.as_ref().and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len());
        size > QUICK_REPAIR_ABOVE
    }

    /// An empty commit that stores the allocator state: reopening after a crash then needs no repair.
    fn save_allocator(&self) -> Result<()> {
        let db = self.base.current()?;
        let saved = catch_unwind(AssertUnwindSafe(|| save(&db)));
        saved.unwrap_or_else(|_| Err(raw::interrupted())).inspect_err(|_| {
            self.base.suspicion().store(true, Ordering::Release);
        })
    }
}

fn save(db: &Database) -> Result<()> {
    let mut txn = db.begin_write().map_err(raw::storage)?;
    txn.set_quick_repair(true);
    txn.commit().map_err(raw::storage)
}

/// Throws a transaction away; over damaged pages redb may panic even then.
fn abort(txn: WriteTransaction) {
    let _ = catch_unwind(AssertUnwindSafe(|| txn.abort()));
}

fn settle(answers: Vec<Answer>, settled: &Settled) {
    for answer in answers {
        answer(settled.clone());
    }
}
