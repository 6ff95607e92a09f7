//! Runs belong to the daemon: queued per lane, carried out on threads, logged line by line into the store.
//!
//! A run survives its client, can be cancelled, and is never left "running": what a crash interrupts is marked
//! at the next start.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use super::Shared;
use super::call::{CancelFlag, Progress, ProgressSink};
use super::serve::serving;
use super::steps::{self, Control};
use crate::core::ctx::Gathered;
use crate::core::run::{
    Level, LogLine, Order, RUN_LOGS, RUNS, RUNS_BY_TIME, RunDone, RunRow, RunSpec, RunStatus, Source, Step,
};
use crate::core::{Call, Draft, IndexQuery, Key, Outcome, Result, RowQuery, View};
use crate::store::Batch;

/// Lines written in one commit at most; they are gathered while the previous commit is under way.
const LOG_BATCH: usize = 500;
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

fn change_row(batch: &Batch, id: &str, change: impl FnOnce(&mut RunRow)) -> Result<()> {
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

fn update(
    shared: &Shared,
    id: &str,
    change: impl FnOnce(&mut RunRow, crate::core::Timestamp) + Send + 'static,
) -> Result<()> {
    let (id, now) = (id.to_string(), shared.clock.now());
    let done = shared.in_writer_blocking(move |batch| change_row(batch, &id, |row| change(row, now)));
    shared.runs.pulse.send_modify(|n| *n += 1);
    done
}

/// One run on its thread.
struct Run<'a> {
    shared: &'a Arc<Shared>,
    spec: RunSpec,
    control: Arc<Control>,
    log: Sender<LogLine>,
    logger: Option<std::thread::JoinHandle<()>>,
    captured: BTreeMap<String, String>,
    failed_groups: Vec<String>,
    exit_code: Option<i32>,
    /// The first thing that went wrong.
    trouble: Option<String>,
}

impl<'a> Run<'a> {
    fn new(shared: &'a Arc<Shared>, spec: RunSpec, control: Arc<Control>) -> Self {
        let (log, lines) = channel();
        let (writer, id) = (shared.clone(), spec.id.clone());
        let logger = std::thread::Builder::new()
            .name("packd-run-log".into())
            .spawn(move || keep_log(&writer, &id, &lines));
        Run {
            shared,
            spec,
            control,
            log,
            logger: logger.ok(),
            captured: BTreeMap::new(),
            failed_groups: Vec::new(),
            exit_code: None,
            trouble: None,
        }
    }

    fn carry_out(mut self) {
        let started = update(self.shared, &self.spec.id, |row, now| {
            row.status = RunStatus::Running;
            row.started = Some(now);
        });
        if let Err(e) = started {
            tracing::error!("run {} cannot be recorded and is not started: {e}", self.spec.id);
            return;
        }
        let steps = std::mem::take(&mut self.spec.steps);
        let mut done: Vec<&Step> = Vec::new();
        let mut aborted = false;
        for (n, step) in steps.iter().enumerate() {
            if self.control.cancelled() {
                aborted = true;
                break;
            }
            if step.group.as_ref().is_some_and(|g| self.failed_groups.contains(g)) {
                continue;
            }
            let label = step.label.clone();
            let _ = update(self.shared, &self.spec.id, move |row, _| {
                row.steps_done = n as u64;
                row.note = label;
            });
            match self.step(step) {
                true => done.push(step),
                false if step.group.is_some() && !self.control.cancelled() => {
                    self.failed_groups.extend(step.group.clone());
                }
                false => {
                    aborted = true;
                    break;
                }
            }
        }
        if aborted {
            self.take_back(&done);
        }
        self.end(&steps, &done, aborted);
    }

    fn say(&self, level: Level, step: &str, text: impl Into<String>) {
        self.tell(level, Source::Packd, step, text.into());
    }

    fn tell(&self, level: Level, stream: Source, step: &str, text: String) {
        let line = LogLine { time: self.shared.clock.now(), level, stream, step: step.to_string(), text };
        // The logger only goes away with the store; then there is nowhere to write to.
        let _ = self.log.send(line);
    }

    fn step(&mut self, step: &Step) -> bool {
        self.say(Level::Info, &step.label, step.label.clone());
        let done = {
            let mut hear = |source: Source, text: &str| {
                self.tell(level_of(text), source, &step.label, text.to_string());
            };
            steps::perform(step, &self.control, &mut hear)
        };
        match done {
            Ok(out) => {
                if let Some(name) = &step.capture {
                    self.captured.insert(name.clone(), out.trim().to_string());
                }
                true
            }
            Err(failure) => {
                self.exit_code = self.exit_code.or(failure.code);
                let text = format!("{}: {}", step.label, failure.message);
                self.say(Level::Error, &step.label, format!("Failed: {text}."));
                self.trouble.get_or_insert(text);
                false
            }
        }
    }

    /// Newest first, with a control of its own: a cancelled run still cleans up after itself.
    fn take_back(&mut self, done: &[&Step]) {
        let calm = Control::default();
        for step in done.iter().rev().filter(|s| !s.revert.is_empty()) {
            self.say(Level::Info, &step.label, format!("Taking back: {}", step.label));
            for work in &step.revert {
                let mut hear = |source: Source, text: &str| {
                    self.tell(Level::Info, source, &step.label, text.to_string());
                };
                if let Err(e) = steps::work(work, Duration::from_secs(step.timeout_seconds), &calm, &mut hear)
                {
                    self.say(
                        Level::Error,
                        &step.label,
                        format!("Could not take back {}: {}.", step.label, e.message),
                    );
                }
            }
        }
    }

    fn end(mut self, steps: &[Step], done: &[&Step], aborted: bool) {
        let status = match (self.control.cancelled(), aborted || !self.failed_groups.is_empty()) {
            (true, true) if self.shared.runs.state().stopping => RunStatus::Interrupted,
            (true, true) => RunStatus::Cancelled,
            (_, true) => RunStatus::Failed,
            (_, false) => RunStatus::Success,
        };
        let note = match status {
            RunStatus::Success => String::new(),
            RunStatus::Interrupted => "The daemon was stopped.".to_string(),
            RunStatus::Cancelled => "It was cancelled; half-done steps were taken back.".to_string(),
            _ => self.trouble.take().unwrap_or_default(),
        };
        let level = if status == RunStatus::Success { Level::Info } else { Level::Error };
        self.say(
            level,
            "",
            format!("Run ended: {}{}{note}", status.as_str(), if note.is_empty() { "" } else { ": " }),
        );
        let complete = |group: &String| {
            let of = |s: &&Step| s.group.as_ref() == Some(group);
            steps.iter().filter(of).count() == done.iter().filter(|s| of(s)).count()
        };
        let mut groups: Vec<String> = steps.iter().filter_map(|s| s.group.clone()).collect();
        groups.dedup();
        let ended = RunDone {
            id: self.spec.id.clone(),
            root: self.spec.root.clone(),
            ecosystem: self.spec.ecosystem.clone(),
            status,
            captured: std::mem::take(&mut self.captured),
            done_groups: groups.into_iter().filter(complete).collect(),
            failed_groups: std::mem::take(&mut self.failed_groups),
            data: std::mem::take(&mut self.spec.data),
        };
        let code = match status {
            RunStatus::Success => Some(0),
            _ => self.exit_code,
        };
        // The log must be whole before anybody reads that the run has ended.
        drop(std::mem::replace(&mut self.log, channel().0));
        if let Some(logger) = self.logger.take() {
            let _ = logger.join();
        }
        let steps_done = done.len() as u64;
        self.record(ended, code, note, steps_done);
    }

    /// The row and the operation of a finished run are one commit.
    fn record(&self, done: RunDone, code: Option<i32>, note: String, steps_done: u64) {
        let shared = self.shared.clone();
        let (id, status) = (done.id.clone(), done.status);
        let info = self.spec.session.clone();
        let family = self.spec.family.clone();
        let call = Call { args: self.spec.args.clone(), ..serving(&self.spec.tool) };
        let gathered: Gathered = Box::new(done);
        let now = shared.clock.now();
        let stored = self.shared.in_writer_blocking(move |batch| {
            let family = shared.family(&family)?;
            let told = shared
                .run_family(family, &batch.view(), &info, &call, Some(&gathered))
                .and_then(|outcome: Outcome| shared.store_outcome(batch, family, &info, &call, outcome));
            let (op, problem) = match told {
                Ok(committed) => (committed.op, None),
                Err(e) => (None, Some(e.message)),
            };
            change_row(batch, &id, |row| {
                row.status = status;
                row.finished = Some(now);
                row.exit_code = code;
                row.steps_done = steps_done;
                row.note = match problem {
                    Some(problem) => format!("{note} What it did could not be recorded: {problem}"),
                    None => note,
                };
            })?;
            Ok(op)
        });
        self.shared.runs.pulse.send_modify(|n| *n += 1);
        match stored {
            Ok(Some(op)) => self.shared.announce(&op),
            Ok(None) => {}
            Err(e) => tracing::error!("the end of run {} could not be recorded: {e}", self.spec.id),
        }
    }
}

/// Writes lines in the order they came, as many per commit as there are.
fn keep_log(shared: &Arc<Shared>, id: &str, lines: &Receiver<LogLine>) {
    let mut number = 0;
    while let Ok(first) = lines.recv() {
        let mut batch = vec![first];
        while batch.len() < LOG_BATCH {
            match lines.try_recv() {
                Ok(line) => batch.push(line),
                Err(_) => break,
            }
        }
        let (from, key) = (number, Key::of(id));
        number += batch.len() as u64;
        let written = shared.in_writer_blocking(move |open| {
            let view = open.view();
            let mut draft = Draft::new(&view);
            for (n, line) in (from..).zip(&batch) {
                draft.put(RUN_LOGS, &key.clone().number(n), line)?;
            }
            open.apply_quietly(&mut draft.into_outcome())
        });
        if let Err(e) = written {
            tracing::error!("log lines of run {id} were lost: {e}");
        }
    }
}

/// What a line calls itself; programs use stderr for progress, so the stream alone says nothing.
fn level_of(text: &str) -> Level {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word: String =
        text.chars().take_while(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase();
    match word.as_str() {
        "error" | "fatal" | "panic" | "critical" => Level::Error,
        "warning" | "warn" => Level::Warning,
        _ => Level::Info,
    }
}
