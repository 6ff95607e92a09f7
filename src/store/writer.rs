//! The one writer: drains whatever calls wait, runs them against one transaction, commits once, answers all.
//!
//! Batches form by themselves while a commit is running; there is no timer. A call that fails has written
//! nothing and does not disturb its neighbours. Answers are given only after the commit is durable.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::Database;

use super::apply::Batch;
use super::tables::Tables;
use super::{Catalog, Store, raw};
use crate::core::{Error, Result};

/// How the commit that a job belonged to ended.
pub type Settled = std::result::Result<(), Error>;

/// Runs inside the transaction; what it returns is called once the outcome of the commit is known.
pub type Job = Box<dyn FnOnce(&Batch) -> Box<dyn FnOnce(Settled) + Send> + Send>;

/// Bigger batches would delay the first of them for nothing.
const MAX_BATCH: usize = 512;
/// Quiet time after which one quick-repair commit makes reopening after a crash cheap.
const IDLE: Duration = Duration::from_millis(250);
/// Above this size every commit saves the allocator state, which doubles its cost: a full repair, needed only
/// after a crash within [`IDLE`] of a write, takes about two seconds here.
const QUICK_REPAIR_ABOVE: u64 = 1024 * 1024 * 1024;

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
    /// `on_fatal` is called when the outcome of a commit is unknown: the process must end and reopen.
    pub fn start(store: &Store, on_fatal: impl Fn(&Error) + Send + 'static) -> Writer {
        let (queue, jobs) = channel();
        let stats = Arc::new(WriterStats::default());
        let worker = Worker {
            db: store.db.clone(),
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
    db: Arc<Database>,
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
                        unrepaired = self.save_allocator().is_err();
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
        let mut txn = match self.db.begin_write() {
            Ok(txn) => txn,
            Err(e) => {
                self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
                return self.fatal(raw::storage(e), Vec::new());
            }
        };
        txn.set_quick_repair(self.large());
        let batch =
            Batch { tables: Tables::of(&txn), catalog: &self.catalog, dirty: std::cell::Cell::new(false) };
        let mut answers = Vec::new();
        let mut broken = None;
        let mut next = Some(first);
        while let Some(job) = next.take() {
            self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
            match catch_unwind(AssertUnwindSafe(|| job(&batch))) {
                Ok(answer) => answers.push(answer),
                // The engine guards families itself, so a panic here was in the middle of writing.
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
        drop(batch);
        if let Some(error) = broken {
            let _ = txn.abort();
            for answer in answers {
                answer(Err(error.clone()));
            }
            return false;
        }
        let count = answers.len() as u64;
        self.stats.jobs.fetch_add(count, Ordering::Relaxed);
        self.stats.largest_batch.fetch_max(count, Ordering::Relaxed);
        if dirty {
            if let Err(e) = txn.commit() {
                return self.fatal(raw::storage(e), answers);
            }
            self.stats.commits.fetch_add(1, Ordering::Relaxed);
        } else {
            let _ = txn.abort();
        }
        for answer in answers {
            answer(Ok(()));
        }
        dirty
    }

    fn fatal(&self, error: Error, answers: Vec<Box<dyn FnOnce(Settled) + Send>>) -> bool {
        let unknown = Error::new(
            crate::core::Kind::Io,
            "outcome_unknown",
            format!("It is not known whether this change was stored: {}", error.message),
        )
        .hint("Look it up with history_show and the request key before trying again.");
        for answer in answers {
            answer(Err(unknown.clone()));
        }
        (self.on_fatal)(&error);
        false
    }

    fn large(&self) -> bool {
        let size = self.path.as_ref().and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len());
        size > QUICK_REPAIR_ABOVE
    }

    /// An empty commit that stores the allocator state: reopening after a crash then needs no repair.
    fn save_allocator(&self) -> Result<()> {
        let mut txn = self.db.begin_write().map_err(raw::storage)?;
        txn.set_quick_repair(true);
        txn.commit().map_err(raw::storage)
    }
}
