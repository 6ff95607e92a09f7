//! One run from its first step to its last: what it prints goes into the store, what it did into the history.
//!
//! How far it is is recorded before and after every step, so that another daemon can go on from there.

mod end;
pub(super) mod follow;
mod step;

use std::cell::Cell;
use std::sync::Arc;

use self::step::StepFate;
use super::log::RunLog;
use super::rows::{self, change_row, update};
use super::supervisor::Supervisor;
use crate::core::run::{KeptRun, LineLevel, LineSource, LogLine, RunProgress, RunSpec, RunStatus, Watched};
use crate::core::{Result, Timestamp, redact};
use crate::engine::Shared;
use crate::engine::runs::control::Control;
use crate::engine::snapshots::around;

/// One run on its thread.
pub(super) struct RunThread<'a> {
    shared: &'a Arc<Shared>,
    spec: RunSpec,
    control: Arc<Control>,
    log: RunLog,
    progress: RunProgress,
    begun: u64,
    /// Taken up from an earlier daemon; these steps cannot be done here.
    taken_up: Option<Vec<u64>>,
    /// The daemon of this run ended, and it cannot go on.
    interrupted: Option<String>,
    /// When the program that was taken up ended, perhaps with nobody there to see it.
    ended_at: Cell<Option<Timestamp>>,
}

/// Where an earlier daemon left a run.
pub(super) struct Again {
    pub progress: RunProgress,
    /// The step that was under way.
    pub step: u64,
    pub program: Option<Watched>,
    pub clipped: Vec<u64>,
    pub cancel_asked: bool,
    /// Programs that outlived their daemon are to be ended.
    pub end: bool,
}

impl<'a> RunThread<'a> {
    pub fn new(shared: &'a Arc<Shared>, spec: RunSpec, control: Arc<Control>) -> Self {
        let log = RunLog::new(shared, &spec.id);
        RunThread {
            shared,
            spec,
            control,
            log,
            progress: RunProgress::default(),
            begun: 0,
            taken_up: None,
            interrupted: None,
            ended_at: Cell::new(None),
        }
    }

    /// Takes up what an earlier daemon began.
    pub fn go_on(mut self, again: Again) {
        self.progress = again.progress;
        self.begun = again.step + 1;
        self.taken_up = Some(again.clipped);
        let step = self.spec.steps.get(again.step as usize);
        let label = step.map_or(String::new(), |s| s.label.clone());
        // A program begins only once it is recorded; so this one has not.
        let not_begun = self.supervisor().is_some()
            && again.program.is_none()
            && step.is_some_and(|s| s.work.program().is_some());
        match again.program {
            Some(program) if !again.end && self.supervisor().is_some() => {
                self.say(LineLevel::Info, &label, "Taken up by the next daemon.");
                return self.carry_out(Some(program));
            }
            Some(program) => {
                if let Some(supervisor) = &self.shared.runs.supervisor {
                    follow::end(&supervisor.place(&self.spec.id, program.step), &program);
                }
                let why = "The daemon ended while this was under way; its program was ended, too.";
                self.interrupted = Some(why.into());
            }
            None if not_begun => {
                self.begun = again.step;
                self.interrupted = Some(format!("The daemon ended before \"{label}\" began."));
            }
            None => {
                let why = match label.as_str() {
                    "" => "The daemon ended while this was under way.".to_string(),
                    label => format!("The daemon ended during \"{label}\", which may be half-done."),
                };
                self.interrupted = Some(why);
            }
        }
        let steps = std::mem::take(&mut self.spec.steps);
        self.take_back(&steps);
        self.end(&steps, true);
    }

    /// From the first step, or from the one whose program outlived its daemon.
    pub fn carry_out(mut self, mut survivor: Option<Watched>) {
        if survivor.is_none()
            && let Err(e) = self.begin()
        {
            tracing::error!("run {} cannot be recorded and is not started: {e}", self.spec.id);
            return;
        }
        let from = survivor.as_ref().map_or(0, |program| program.step as usize);
        let steps = std::mem::take(&mut self.spec.steps);
        let mut aborted = false;
        for (n, step) in steps.iter().enumerate().skip(from) {
            let survivor = survivor.take();
            if survivor.is_none() {
                if self.control.cancelled() {
                    aborted = true;
                    break;
                }
                if step.group.as_ref().is_some_and(|g| self.progress.failed_groups.contains(g)) {
                    continue;
                }
                self.say(LineLevel::Info, &step.label, step.label.clone());
            }
            self.begun = n as u64 + 1;
            self.ended_at.set(None);
            let failure = match self.step(n as u64, step, survivor) {
                StepFate::Left => return self.log.close(),
                StepFate::Well(out) => {
                    self.progress.done.push(n as u64);
                    if let Some(name) = &step.capture {
                        self.progress.captured.insert(name.clone(), out.trim().to_string());
                    }
                    None
                }
                StepFate::Badly(failure) => Some(failure),
            };
            if let Some(failure) = failure {
                self.progress.exit_code = self.progress.exit_code.or(failure.code);
                let text = format!("{}: {}", step.label, failure.message);
                self.say(LineLevel::Error, &step.label, format!("Failed: {text}."));
                self.progress.trouble.get_or_insert(redact::line(&text));
                if step.group.is_none() || self.control.cancelled() {
                    aborted = true;
                    break;
                }
                self.progress.failed_groups.extend(step.group.clone());
            }
            // What is left of the step on the disk goes only once the store has all of it.
            self.log.settle();
            self.save(n as u64 + 1);
            if let Some(supervisor) = self.supervisor() {
                let _ = std::fs::remove_dir_all(supervisor.place(&self.spec.id, n as u64));
            }
        }
        if aborted {
            self.take_back(&steps);
        }
        self.end(&steps, aborted);
    }

    /// Records that it is under way, with what the next daemon would need.
    fn begin(&self) -> Result<()> {
        around::before(self.shared, &self.spec);
        let kept = KeptRun::of(&self.spec);
        let (id, now) = (self.spec.id.clone(), self.shared.clock.now());
        let begun = self.shared.in_writer_blocking(move |batch| {
            rows::keep(batch, &kept)?;
            change_row(batch, &id, |row| {
                row.status = RunStatus::Running;
                row.started = Some(now);
            })
        });
        self.shared.runs.beat();
        begun
    }

    fn supervisor(&self) -> Option<&'a Supervisor> {
        self.shared.runs.supervisor.as_ref()
    }

    fn say(&self, level: LineLevel, step: &str, text: impl Into<String>) {
        self.tell(level, LineSource::Packd, step, text.into(), None);
    }

    fn tell(&self, level: LineLevel, stream: LineSource, step: &str, text: String, heard: Option<u64>) {
        // What programs say comes without secrets already; packd's own words may quote an answer.
        let text = if stream == LineSource::Packd { redact::line(&text) } else { text };
        let line = LogLine { time: self.shared.clock.now(), level, stream, step: step.to_string(), text };
        self.log.say(line, heard);
    }

    /// Records how far it is.
    fn save(&self, steps_done: u64) {
        let progress = self.progress.clone();
        let saved = update(self.shared, &self.spec.id, move |row, _| {
            row.steps_done = steps_done;
            row.progress = progress;
            row.program = None;
        });
        if let Err(e) = saved {
            tracing::error!("how far run {} is could not be recorded: {e}", self.spec.id);
        }
    }
}
