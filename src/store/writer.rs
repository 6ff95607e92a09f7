//! The one writer: drains whatever calls wait, runs them against one batch, makes it durable once, answers all.
//!
//! Batches form by themselves while one is being written; there is no timer. A call that fails has written nothing
//! and does not disturb its neighbours. Answers are given only after the batch is durable. When the disk under the
//! database fails, it is opened again in place.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::Store;
use super::apply::Batch;
use super::base::not_stored;
use super::checkpoint::Carrier;
use super::live::{Live, OUTCOME_UNKNOWN};
use super::staged::StagedTables;
use crate::core::{Error, Kind, Result};

/// How the batch that a job belonged to ended.
pub type Settled = std::result::Result<(), Error>;

/// What a job wants to be told once the outcome of the batch is known.
pub type OnSettled = Box<dyn FnOnce(Settled) + Send>;

/// Runs inside the batch, or is told why there is none.
pub type Job = Box<dyn FnOnce(Result<&Batch>) -> OnSettled + Send>;

/// Bigger batches would delay the first of them for nothing.
const MAX_BATCH: usize = 512;
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
    /// `on_fatal` is called when this process can store nothing more: it must end.
    pub fn start(store: &Store, on_fatal: impl Fn(&Error) + Send + 'static) -> Writer {
        let (queue, jobs) = channel();
        let stats = Arc::new(WriterStats::default());
        let worker =
            Worker { live: store.live.clone(), jobs, stats: stats.clone(), on_fatal: Box::new(on_fatal) };
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
            _ => Err(Error::new(Kind::State, "stopping", "The daemon is stopping.")
                .hint("Try again; the next call starts a new daemon.")),
        }
    }

    /// Finishes what waits, carries everything into the database and ends the thread.
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
    live: Arc<Live>,
    jobs: Receiver<Job>,
    stats: Arc<WriterStats>,
    on_fatal: Box<dyn Fn(&Error) + Send>,
}

impl Worker {
    fn run(self) {
        let mut carrier = Carrier::start(self.live.clone());
        while let Ok(first) = self.jobs.recv() {
            self.batch(first);
        }
        carrier.end();
    }

    fn batch(&self, first: Job) {
        let staged = match self.begin() {
            Ok(staged) => staged,
            Err(e) => {
                self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
                first(Err(e.clone()))(Err(e));
                return;
            }
        };
        let batch = Batch { tables: staged, catalog: &self.live.catalog };
        let (answers, defect) = self.run_jobs(&batch, first);
        let done = batch.end();
        let stored = defect.map_or_else(|| self.live.store(done), Err);
        let stored = stored.inspect_err(|e| tracing::error!("A change was not stored: {e}"));
        self.stats.commits.fetch_add(u64::from(matches!(stored, Ok(true))), Ordering::Relaxed);
        let settled = stored.map(|_| ());
        for answer in answers {
            answer(settled.clone());
        }
        // The answers go out first: whoever ends the daemon must not take them along.
        if let Err(e) = &settled
            && e.code == OUTCOME_UNKNOWN
        {
            (self.on_fatal)(e);
        }
    }

    /// Runs the first job and those that wait behind it; what is to be told them, and what kept them from being stored.
    fn run_jobs(&self, batch: &Batch, first: Job) -> (Vec<OnSettled>, Option<Error>) {
        let (mut answers, mut defect) = (Vec::new(), None);
        let mut next = Some(first);
        while let Some(job) = next.take() {
            self.stats.waiting.fetch_sub(1, Ordering::Relaxed);
            batch.tables.next_call();
            match catch_unwind(AssertUnwindSafe(|| job(Ok(batch)))) {
                Ok(answer) => answers.push(answer),
                // The engine guards families and the store guards redb, so a panic here was in our own writing.
                Err(_) => {
                    let message = "A defect in packd stopped this change; nothing was stored.";
                    defect = Some(Error::internal(message));
                    break;
                }
            }
            if answers.len() < MAX_BATCH {
                next = self.jobs.try_recv().ok();
            }
        }
        let count = answers.len() as u64;
        self.stats.jobs.fetch_add(count, Ordering::Relaxed);
        self.stats.largest_batch.fetch_max(count, Ordering::Relaxed);
        (answers, defect)
    }

    /// A batch on a database that is known to be the right one and to work, with room above it.
    fn begin(&self) -> Result<StagedTables> {
        if self.live.has_ended() {
            return Err(Error::new(
                Kind::State,
                "stopping",
                "The daemon is ending after a failure of the disk; nothing was changed.",
            )
            .hint("Try again; the next call starts a new daemon."));
        }
        self.live.base.room()?;
        if self.live.base.glance().is_err() || self.live.base.is_suspect() {
            self.reopen().map_err(not_stored)?;
        }
        std::thread::sleep(self.live.pause());
        while self.live.is_behind() {
            self.live.checkpoints.wait_for_one()?;
        }
        let shot = self.live.shot().map_err(not_stored)?;
        Ok(StagedTables::over(shot, Arc::clone(&self.live.catalog)))
    }

    fn reopen(&self) -> Result<()> {
        let opened = self.live.reopen();
        match &opened {
            Ok(()) => tracing::warn!("The database was opened again."),
            // Somebody else serves the file now, or there is nothing that could be opened.
            Err(e) if e.code == "already_running" || e.code == "store_closed" => (self.on_fatal)(e),
            Err(e) => tracing::error!("The database could not be opened again: {e}"),
        }
        opened
    }
}
