//! Runs belong to the daemon: queued per lane, carried out on threads, logged line by line into the store.
//!
//! A run survives its client, can be cancelled, and is never left "running": its programs outlive the daemon under a
//! supervisor, and the next daemon takes them up (`adopt`).

mod adopt;
pub(super) mod control;
mod log;
mod rows;
mod run;
pub(super) mod steps;
mod supervisor;
mod told;

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use self::run::{Again, RunThread, follow};
use super::request::{CancelFlag, ProgressNote, ProgressSink};
use super::{RunEnded, Shared};
use crate::core::run::{RUNS, RUNS_BY_TIME, RunRow, RunSpec, RunStatus};
use crate::core::{IndexQuery, Key, Result, RowQuery, SessionInfo, View};
use control::Control;

pub(super) use self::adopt::take_up;
pub(super) use self::rows::outworn;
use self::rows::update;
pub use self::supervisor::Supervisor;

/// What becomes of programs that outlived their daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orphans {
    /// The next daemon takes them up.
    #[default]
    Adopt,
    End,
}

/// Ends that are kept for sessions to come back for.
const UNHEARD: usize = 256;
/// How long stopping waits for runs to come to an end.
const DRAIN: Duration = Duration::from_secs(8);

pub(crate) struct Keeper {
    state: Mutex<State>,
    changed: Condvar,
    /// Beats whenever the row of a run has changed.
    pulse: watch::Sender<u64>,
    supervisor: Option<Supervisor>,
    orphans: Orphans,
}

/// A run that waits for its turn, perhaps one that another daemon began.
pub(super) struct RunJob {
    spec: RunSpec,
    again: Option<Again>,
}

impl RunJob {
    pub fn new(spec: RunSpec) -> RunJob {
        RunJob { spec, again: None }
    }
}

#[derive(Default)]
struct State {
    /// Waiting runs; a lane that is present has a thread.
    lanes: HashMap<String, VecDeque<RunJob>>,
    controls: HashMap<String, Arc<Control>>,
    stopping: bool,
    waits_end: bool,
    /// Ends that nobody was there to hear.
    unheard: Vec<RunEnded>,
}

impl Keeper {
    pub fn new(supervisor: Option<Supervisor>, orphans: Orphans) -> Self {
        let (state, changed, pulse) = (Mutex::default(), Condvar::new(), watch::channel(0).0);
        Keeper { state, changed, pulse, supervisor, orphans }
    }

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

    /// Lets go of programs that can go on alone (or ends them, where the configuration wants that) and ends every
    /// other run, waiting a little.
    pub fn stop(&self) {
        {
            let mut state = self.state();
            state.stopping = true;
            for control in state.controls.values() {
                match (&self.supervisor, self.orphans) {
                    (Some(_), Orphans::Adopt) => control.release(),
                    _ => control.cancel(),
                }
            }
        }
        if !self.wait_idle(DRAIN) {
            tracing::warn!("some runs did not end in time; the next start marks them as interrupted");
        }
    }

    fn keep_unheard(&self, ended: RunEnded) {
        let mut state = self.state();
        if state.unheard.len() < UNHEARD {
            state.unheard.push(ended);
        }
    }

    /// Runs of a session that ended before it came back.
    pub fn ended_meanwhile(&self, session: &str) -> Vec<RunEnded> {
        self.state().unheard.extract_if(.., |ended| ended.session == session).collect()
    }

    /// Nobody may wait for a run any longer: the daemon ends.
    pub fn end_waits(&self) {
        self.state().waits_end = true;
        self.beat();
    }

    fn waits_end(&self) -> bool {
        self.state().waits_end
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

/// A run waits for its turn in its lane; whoever comes first there has a thread.
pub(super) fn enqueue(shared: &Arc<Shared>, job: RunJob) {
    let lane = job.spec.lane.clone();
    let control = Arc::new(Control::default());
    let mut env = shared.program_env(&job.spec.session, &job.spec.family);
    env.extend(shared.picked(&job.spec.session, &job.spec.pass));
    control.surround(env);
    let mut state = shared.runs.state();
    if state.stopping {
        return;
    }
    if job.again.as_ref().is_some_and(|again| again.cancel_asked) {
        control.cancel();
    }
    state.controls.insert(job.spec.id.clone(), control);
    if let Some(queue) = state.lanes.get_mut(&lane) {
        queue.push_back(job);
        return;
    }
    state.lanes.insert(lane.clone(), VecDeque::from([job]));
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
            let job = state.lanes.get_mut(lane).and_then(VecDeque::pop_front);
            match job {
                Some(job) => {
                    let control = state.controls.get(&job.spec.id).cloned().unwrap_or_default();
                    (job, control)
                }
                None => {
                    state.lanes.remove(lane);
                    return;
                }
            }
        };
        let (RunJob { spec, again }, control) = next;
        let id = spec.id.clone();
        let run = std::panic::AssertUnwindSafe(|| match again {
            None => RunThread::new(shared, spec, control).carry_out(None),
            Some(again) => RunThread::new(shared, spec, control).go_on(again),
        });
        if std::panic::catch_unwind(run).is_err() {
            tracing::error!("a defect stopped run {id}");
            give_up(shared, &id);
            let _ = update(shared, &id, |row, now| {
                row.status = RunStatus::Failed;
                row.program = None;
                row.finished = Some(now);
                row.note = "A defect in packd stopped it.".into();
            });
        }
        shared.runs.state().controls.remove(&id);
        shared.runs.changed.notify_all();
    }
}

/// After a defect: nothing of the run goes on, and nothing of it is kept for another daemon.
fn give_up(shared: &Arc<Shared>, id: &str) {
    let found = shared.store.read().and_then(|snapshot| {
        let view = snapshot.view();
        (&view as &dyn View).get::<RunRow>(RUNS, &Key::of(id))
    });
    if let Ok(Some((row, _))) = found {
        end_program(shared, &row);
    }
    let run = id.to_string();
    if let Err(e) = shared.in_writer_blocking(move |batch| rows::forget(batch, &run)) {
        tracing::error!("what run {id} was to do is still kept: {e}");
    }
}

/// Ends the program of a run that nobody will follow any more.
fn end_program(shared: &Shared, row: &RunRow) {
    if let (Some(supervisor), Some(program)) = (&shared.runs.supervisor, &row.program) {
        follow::end(&supervisor.place(&row.id, program.step), program);
        supervisor.forget(&row.id);
    }
}

/// A waiting run never starts; a running one loses its process group.
pub(super) fn cancel(shared: &Arc<Shared>, id: &str) {
    let mut state = shared.runs.state();
    let Some(control) = state.controls.get(id).cloned() else { return };
    control.cancel();
    let waiting = state.lanes.values_mut().find_map(|queue| {
        let at = queue.iter().position(|job| job.spec.id == id)?;
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

/// Does a session work where a run belongs? Asked before it is told anything about it.
fn sees(shared: &Shared, info: &SessionInfo, run: &RunRow) -> bool {
    let root = Path::new(&run.root);
    let mut named = shared.families.iter().flat_map(|family| family.work_places(info));
    Path::new(&info.workspace).starts_with(root)
        || named.any(|dir| std::fs::canonicalize(dir).is_ok_and(|dir| dir == root))
}

/// The newest run that a session sees, among those that are not over.
fn newest(shared: &Shared, info: &SessionInfo) -> Result<Option<String>> {
    let snapshot = shared.store.read()?;
    let view = snapshot.view();
    let active = view.index(&IndexQuery::new(RUNS_BY_TIME, Key::of("active")).reverse())?;
    for id in active.iter().map(|entry| String::from_utf8_lossy(&entry.value)) {
        if let Some((row, _)) = (&view as &dyn View).get::<RunRow>(RUNS, &Key::of(&id))?
            && sees(shared, info, &row)
        {
            return Ok(Some(row.id));
        }
    }
    Ok(None)
}

/// Waits until a run has ended, telling the caller how far it is. A run that is not known there ends the wait.
pub(super) async fn watch(
    shared: &Arc<Shared>,
    info: &SessionInfo,
    run: Option<&str>,
    limit: Duration,
    progress: Option<&ProgressSink>,
    cancel: &CancelFlag,
) -> Result<()> {
    let mut pulse = shared.runs.pulse.subscribe();
    let deadline = tokio::time::Instant::now() + limit;
    let mut told = None;
    let run = match run {
        Some(run) => run.to_string(),
        None => match newest(shared, info)? {
            Some(run) => run,
            None => return Ok(()),
        },
    };
    loop {
        let found = {
            let snapshot = shared.store.read()?;
            snapshot.view().rows(&RowQuery::new(RUNS, Key::from_bytes(run.as_bytes())).limit(50))?
        };
        let mut rows = found.iter().filter_map(|(key, row)| row.decode::<RunRow>(RUNS, key).ok());
        let Some(row) = rows.find(|row| sees(shared, info, row)) else { return Ok(()) };
        if let Some(sink) = progress.filter(|_| told != Some(row.steps_done)) {
            told = Some(row.steps_done);
            sink(ProgressNote {
                progress: row.steps_done as f64,
                total: Some(row.steps as f64),
                message: if row.note.is_empty() { row.action.clone() } else { row.note.clone() },
            });
        }
        let now = tokio::time::Instant::now();
        if !row.status.active() || cancel.is_set() || now >= deadline || shared.runs.waits_end() {
            return Ok(());
        }
        // A cancelled caller is noticed within this time; everything else comes with the pulse.
        let soon = deadline.min(now + Duration::from_millis(250));
        let _ = tokio::time::timeout_at(soon, pulse.changed()).await;
    }
}
