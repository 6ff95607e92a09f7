//! Carries generations into the database, on a thread of its own: when one is full, and when nobody writes.
//!
//! The writer waits for it only where there is no room left above the database. When it fails, reading goes on, and
//! the next write waits for another attempt and gets its reason.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::generation::Generation;
use super::layout;
use super::live::{Frozen, Live};
use super::raw::{self, RawWrite};
use super::tables::Tables;
use super::unlisted::Unlisted;
use crate::core::{Error, Kind, Result};

/// So much silence, and what was written goes into the database.
const IDLE: Duration = Duration::from_millis(250);
/// After a failure nobody has to ask for the next attempt.
const RETRY: Duration = Duration::from_secs(1);
/// Entries taken from a generation at a time.
const AT_ONCE: usize = 256;

/// When the next checkpoint is due, and how the last one ended.
#[derive(Default)]
pub(super) struct Checkpoints {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct State {
    running: bool,
    asked: bool,
    ending: bool,
    due: Option<Instant>,
    finished: u64,
    failed: Option<Error>,
}

impl Checkpoints {
    /// Something was written: it is carried over at once, or when nothing follows it for a while.
    pub fn wrote(&self, now: bool) {
        let mut state = self.state();
        let armed = state.due.replace(Instant::now() + IDLE).is_some();
        state.asked |= now;
        if now || !armed {
            self.wake.notify_one();
        }
    }

    pub fn ask(&self) {
        self.state().asked = true;
        self.wake.notify_one();
    }

    /// Waits for the end of a checkpoint and says how it ended.
    pub fn wait_for_one(&self) -> Result<()> {
        let mut state = self.state();
        let before = state.finished;
        state.asked = true;
        self.wake.notify_one();
        while state.running && state.finished == before {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match &state.failed {
            Some(e) => Err(e.clone()),
            None if state.finished == before => {
                Err(Error::new(Kind::State, "stopping", "The daemon is stopping."))
            }
            None => Ok(()),
        }
    }

    pub fn failed(&self) -> bool {
        self.state().failed.is_some()
    }

    /// True when the thread is to end; otherwise a checkpoint is due.
    fn wait(&self) -> bool {
        let mut state = self.state();
        loop {
            if state.ending {
                return true;
            }
            let left = state.due.map(|due| due.saturating_duration_since(Instant::now()));
            if std::mem::take(&mut state.asked) || left == Some(Duration::ZERO) {
                state.due = None;
                return false;
            }
            state = match left {
                Some(left) => self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn finish(&self, ended: &Result<()>) {
        let mut state = self.state();
        state.finished += 1;
        state.failed = ended.as_ref().err().cloned();
        // What is damaged does not mend itself.
        if state.failed.as_ref().is_some_and(|e| e.code != raw::DAMAGED) {
            state.due = Some(Instant::now() + RETRY);
        }
        self.done.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread. Ends with [`end`](Self::end), which leaves the database complete without its journal.
pub(super) struct Carrier {
    live: Arc<Live>,
    thread: Option<JoinHandle<()>>,
}

impl Carrier {
    pub fn start(live: Arc<Live>) -> Carrier {
        live.checkpoints.state().running = true;
        if live.is_behind() {
            live.checkpoints.ask();
        }
        let carried = Arc::clone(&live);
        let run = move || {
            while !carried.checkpoints.wait() {
                let _ = carried.checkpoint_now();
            }
            carried.settle();
            carried.checkpoints.state().running = false;
            carried.checkpoints.done.notify_all();
        };
        let thread = std::thread::Builder::new().name("packd-checkpoint".into()).spawn(run).ok();
        if thread.is_none() {
            live.checkpoints.state().running = false;
        }
        Carrier { live, thread }
    }

    pub fn end(&mut self) {
        self.live.checkpoints.state().ending = true;
        self.live.checkpoints.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Live {
    /// Carries one generation over, if there is one. After a failure the database is open again, or the reason why
    /// it is not is known.
    pub fn checkpoint(&self) -> Result<()> {
        let _alone = self.alone();
        self.base.room()?;
        let Err(reported) = self.carry_over() else { return Ok(()) };
        let cause = self.base.cause(reported);
        if !self.checkpoints.failed() {
            tracing::error!("A checkpoint failed; nothing is lost, the journal has it: {cause}");
        }
        if cause.code != raw::DAMAGED
            && let Err(e) = self.reopen_alone()
        {
            tracing::error!("The database could not be opened again: {e}");
        }
        Err(super::base::not_stored(cause))
    }

    /// A checkpoint that nobody had to wait for to be due.
    pub fn checkpoint_now(&self) -> Result<()> {
        let ended = self.checkpoint();
        self.checkpoints.finish(&ended);
        ended
    }

    /// The last checkpoint: afterwards the database alone is complete, and nothing is left beside it.
    pub fn settle(&self) {
        let _alone = self.alone();
        self.settle_alone();
    }

    pub(super) fn settle_alone(&self) {
        if self.has_ended() {
            return;
        }
        loop {
            match self.carry_over() {
                Ok(true) => {}
                Ok(false) => return self.journal().remove(),
                Err(e) => {
                    tracing::error!("The last checkpoint failed; the journal is kept: {e}");
                    return;
                }
            }
        }
    }

    /// The oldest generation that the database does not have, written and shown; false if there is none.
    pub(super) fn carry_over(&self) -> Result<bool> {
        let Some(Frozen { generation, last, .. }) = self.freeze() else { return Ok(false) };
        let began = Instant::now();
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&generation, last)));
        written.unwrap_or_else(|_| Err(raw::damaged("", "its pages make no sense")))?;
        self.pace.carried(generation.bytes(), began.elapsed());
        let ground = Arc::new(self.base.ground()?);
        let mut journal = self.journal();
        let mut layers = self.layers_mut();
        layers.ground = Ok(ground);
        layers.frozen = None;
        layers.carried = last;
        drop(layers);
        journal.release();
        Ok(true)
    }

    /// What is written from now on belongs to the next generation. One that failed to be carried over comes first.
    fn freeze(&self) -> Option<Frozen> {
        // Between a record and its version nobody may change generations, so the journal is held.
        let mut journal = self.journal();
        let mut layers = self.layers_mut();
        if layers.frozen.is_none() && !layers.active.is_empty() {
            journal.freeze();
            let generation = std::mem::take(&mut layers.active);
            layers.frozen = Some(Frozen { generation, last: layers.version, recovered: false });
        }
        layers.frozen.clone()
    }

    /// One transaction in key order, which also says how far the database is.
    fn write(&self, generation: &Generation, last: u64) -> Result<()> {
        let db = self.base.current()?;
        let mut txn = db.begin_write().map_err(raw::storage)?;
        // Opening after a crash then needs no repair, however large the file is.
        txn.set_quick_repair(true);
        let tables = Tables::of(&txn);
        // Taken first: what is put into a list in memory meanwhile only says the same.
        let unlisted = generation.unlisted();
        for name in generation.tables_in_memory() {
            let mut last = None;
            loop {
                let some = generation.in_memory(&name, last.as_ref(), AT_ONCE);
                tables.fill(&name, some.iter().map(|(key, value)| (&key[..], value.as_deref())))?;
                match some.last() {
                    Some((key, _)) if some.len() == AT_ONCE => last = Some(Arc::clone(key)),
                    _ => break,
                }
            }
        }
        for entries in Unlisted::together(&unlisted).chunk_by(|one, next| one.0 == next.0) {
            let there = |there: bool| there.then_some(&[][..]);
            tables.fill(entries[0].0, entries.iter().map(|(_, entry, is)| (&entry[..], there(*is))))?;
        }
        tables.put(layout::META, layout::JOURNAL, &last.to_be_bytes())?;
        drop(tables);
        txn.commit().map_err(raw::storage)
    }
}
