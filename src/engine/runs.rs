//! Runs belong to the daemon: queued per lane, carried out on threads, logged line by line into the store.
//!
//! A run survives its client, can be cancelled, and is never left "running": what a crash interrupts is marked
//! at the next start.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use super::Shared;
use super::call::{CancelFlag, Progress, ProgressSink};
use super::run::Run;
use super::steps::Control;
use crate::core::run::{Order, RUNS, RUNS_BY_TIME, RunRow, RunSpec, RunStatus};
use crate::core::{Draft, IndexQuery, Key, Result, RowQuery, View};
use crate::store::Batch;

/// How long stopping waits for runs to come to an end.
const DRAIN: Duration = Duration::from_secs(8);

pub(crate) struct Keeper {
    state: Mutex<State>,
    changed: Condvar,
    /// Beats whenever the row of a run has changed.
    pulse: watch::Sender<u64>,
}

impl Default for Keeper {
    fn default() -> Self {
        Keeper { state: Mutex::default(), changed: Condvar::new(), pulse: watch::channel(0).0 }
    }
}

#[derive(Default)]
struct State {
    /// Waiting runs; a lane that is present has a thread.
    lanes: HashMap<String, VecDeque<RunSpec>>,
    controls: HashMap<String, Arc<Control>>,
    stopping: bool,
}

impl Keeper {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here can be half-changed by a panic: every change is one call on a collection.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nothing is queued or running; false when that took too long.
    pub fn wait_idle(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let mut state = self.state();
        while !state.controls.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Ends every run, waiting a little; they are recorded as interrupted.
    pub fn stop(&self) {
        {
            let mut state = self.state();
            state.stopping = true;
            for control in state.controls.values() {
                control.cancel();
            }
        }
        if !self.wait_idle(DRAIN) {
            tracing::warn!("some runs did not end in time; the next start marks them as interrupted");
        }
    }

    /// The row of a run has changed.
    pub fn beat(&self) {
        self.pulse.send_modify(|n| *n += 1);
    }

    pub fn stopping(&self) -> bool {
        self.state().stopping
    }

    pub fn active(&self) -> usize {
        self.state().controls.len()
    }
}

/// Does what committed outcomes asked for.
pub(super) fn obey(shared: &Arc<Shared>, orders: Vec<Value>) {
    for order in orders {
        match serde_json::from_value::<Order>(order) {
            Ok(Order::Start(spec)) => enqueue(shared, *spec),
            Ok(Order::Cancel { run }) => cancel(shared, &run),
            Err(e) => tracing::error!("an order for a run cannot be read: {e}"),
        }
    }
}

fn enqueue(shared: &Arc<Shared>, spec: RunSpec) {
    let lane = spec.lane.clone();
    let mut state = shared.runs.state();
    if state.stopping {
        return;
    }
    state.controls.insert(spec.id.clone(), Arc::new(Control::default()));
    if let Some(queue) = state.lanes.get_mut(&lane) {
        queue.push_back(spec);
        return;
    }
    state.lanes.insert(lane.clone(), VecDeque::from([spec]));
    drop(state);
    let worker = shared.clone();
    let name = lane.clone();
    let started = std::thread::Builder::new().name("packd-run".into()).spawn(move || drive(&worker, &name));
    if let Err(e) = started {
        tracing::error!("no thread for a run: {e}");
        shared.runs.state().lanes.remove(&lane);
    }
}

fn drive(shared: &Arc<Shared>, lane: &str) {
    loop {
        let next = {
            let mut state = shared.runs.state();
            let spec = state.lanes.get_mut(lane).and_then(VecDeque::pop_front);
            match spec {
                Some(spec) => {
                    let control = state.controls.get(&spec.id).cloned().unwrap_or_default();
                    (spec, control)
                }
                None => {
                    state.lanes.remove(lane);
                    return;
                }
            }
        };
        let (spec, control) = next;
        let id = spec.id.clone();
        let run = std::panic::AssertUnwindSafe(|| Run::new(shared, spec, control).carry_out());
        if std::panic::catch_unwind(run).is_err() {
            tracing::error!("a defect stopped run {id}");
            let _ = update(shared, &id, |row, now| {
                row.status = RunStatus::Failed;
                row.finished = Some(now);
                row.note = "A defect in packd stopped it.".into();
            });
        }
        shared.runs.state().controls.remove(&id);
        shared.runs.changed.notify_all();
    }
}

/// A waiting run never starts; a running one loses its process group.
fn cancel(shared: &Arc<Shared>, id: &str) {
    let mut state = shared.runs.state();
    let Some(control) = state.controls.get(id).cloned() else { return };
    control.cancel();
    let waiting = state.lanes.values_mut().find_map(|queue| {
        let at = queue.iter().position(|spec| spec.id == id)?;
        queue.remove(at)
    });
    if waiting.is_none() {
        return;
    }
    state.controls.remove(id);
    drop(state);
    let ended = update(shared, id, |row, now| {
        row.status = RunStatus::Cancelled;
        row.finished = Some(now);
        row.note = "Cancelled before it started.".into();
    });
    if let Err(e) = ended {
        tracing::error!("the cancelling of run {id} could not be recorded: {e}");
    }
    shared.runs.changed.notify_all();
}

/// At start: what a crash left queued or running is marked, never resumed.
pub(super) fn mark_interrupted(shared: &Arc<Shared>) -> Result<()> {
    let now = shared.clock.now();
    shared.in_writer_blocking(move |batch| {
        let view = batch.view();
        let entries = view.index(&IndexQuery::new(RUNS_BY_TIME, Key::of("active")))?;
        let mut draft = Draft::new(&view);
        for entry in entries {
            let key = Key::of(&String::from_utf8_lossy(&entry.value));
            let Some((mut row, _)) = (&view as &dyn View).get::<RunRow>(RUNS, &key)? else { continue };
            row.status = RunStatus::Interrupted;
            row.finished = Some(now);
            row.note = "The daemon ended while this was under way.".into();
            draft.put(RUNS, &key, &row)?;
        }
        batch.apply_quietly(&mut draft.into_outcome())
    })
}

pub(super) fn change_row(batch: &Batch, id: &str, change: impl FnOnce(&mut RunRow)) -> Result<()> {
    let view = batch.view();
    let key = Key::of(id);
    let Some((mut row, _)) = (&view as &dyn View).get::<RunRow>(RUNS, &key)? else { return Ok(()) };
    change(&mut row);
    let mut draft = Draft::new(&view);
    draft.put(RUNS, &key, &row)?;
    batch.apply_quietly(&mut draft.into_outcome())
}

/// Waits until a run has ended, telling the caller how far it is. A run that is not known ends the wait.
pub(super) async fn watch(
    shared: &Arc<Shared>,
    run: &str,
    limit: Duration,
    progress: Option<&ProgressSink>,
    cancel: &CancelFlag,
) -> Result<()> {
    let mut pulse = shared.runs.pulse.subscribe();
    let deadline = tokio::time::Instant::now() + limit;
    let mut told = None;
    loop {
        let found = {
            let snapshot = shared.store.read()?;
            snapshot.view().rows(&RowQuery::new(RUNS, Key::from_bytes(run.as_bytes())).limit(1))?
        };
        let Some((key, row)) = found.first() else { return Ok(()) };
        let row: RunRow = row.decode(RUNS, key)?;
        if let Some(sink) = progress.filter(|_| told != Some(row.steps_done)) {
            told = Some(row.steps_done);
            sink(Progress {
                progress: row.steps_done as f64,
                total: Some(row.steps as f64),
                message: if row.note.is_empty() { row.action.clone() } else { row.note.clone() },
            });
        }
        let now = tokio::time::Instant::now();
        if !row.status.active() || cancel.is_set() || now >= deadline {
            return Ok(());
        }
        // A cancelled caller is noticed within this time; everything else comes with the pulse.
        let soon = deadline.min(now + Duration::from_millis(250));
        let _ = tokio::time::timeout_at(soon, pulse.changed()).await;
    }
}

pub(super) fn update(
    shared: &Shared,
    id: &str,
    change: impl FnOnce(&mut RunRow, crate::core::Timestamp) + Send + 'static,
) -> Result<()> {
    let (id, now) = (id.to_string(), shared.clock.now());
    let done = shared.in_writer_blocking(move |batch| change_row(batch, &id, |row| change(row, now)));
    shared.runs.beat();
    done
}
