//! One step of a run: here, or by a supervised program that is followed to its end, whoever's daemon began it.
//!
//! A program begins only once it is recorded. What the outcome means for the rest of the run is not known here.

use std::time::{Duration, Instant};

use super::super::log::level_of;
use super::super::rows::update;
use super::super::supervisor::ProgramSpec;
use super::RunThread;
use crate::core::run::{LineLevel, LineSource, RunStep, StepWork, Watched};
use crate::engine::runs::steps::{self, StepFailure};

/// How long the session that asked for a run may take to come back to the next daemon.
const COMES_BACK: Duration = Duration::from_secs(15);

/// What became of a step.
pub(super) enum StepFate {
    Well(String),
    Badly(StepFailure),
    /// The daemon ends; the program goes on.
    Left,
}

impl From<std::result::Result<String, StepFailure>> for StepFate {
    fn from(done: std::result::Result<String, StepFailure>) -> StepFate {
        done.map_or_else(StepFate::Badly, StepFate::Well)
    }
}

impl RunThread<'_> {
    pub(super) fn step(&self, n: u64, step: &RunStep, survivor: Option<Watched>) -> StepFate {
        if let (Some(watched), Some(supervisor), Some(name)) =
            (survivor, self.supervisor(), step.work.program())
        {
            return self.follow(&supervisor.place(&self.spec.id, n), watched, None, name, step);
        }
        if let Err(refused) = self.may_begin(n, step) {
            return refused;
        }
        let work = match steps::settled(&step.work, &self.control) {
            Ok(work) => work,
            Err(failure) => return StepFate::Badly(failure),
        };
        let StepWork::Program { program, args, cwd, env } = &work else {
            self.note(n, step);
            return self.here(step);
        };
        let name = program.as_str();
        let Some(supervisor) = self.supervisor() else {
            self.note(n, step);
            return self.here(step);
        };
        let place = supervisor.place(&self.spec.id, n);
        let seconds = step.timeout_seconds;
        let env = self.control.around(env);
        let waiting = match supervisor.start(&place, &ProgramSpec { program, args, cwd, env: &env, seconds })
        {
            Ok(waiting) => waiting,
            Err(e) => {
                let why = format!("{} cannot supervise it ({e})", supervisor.program.display());
                tracing::warn!("run {}: {why}", self.spec.id);
                self.say(
                    LineLevel::Warning,
                    &step.label,
                    format!("warning: {why}: this ends if the daemon does."),
                );
                self.note(n, step);
                return self.here(step);
            }
        };
        let (pid, start, boot) = (waiting.pid, waiting.start, waiting.boot.clone());
        let watched = Watched { step: n, pid, start, boot, heard: 0 };
        let (recorded, label) = (watched.clone(), step.label.clone());
        let written = update(self.shared, &self.spec.id, move |row, _| {
            row.steps_done = n;
            row.note = label;
            row.program = Some(recorded);
        });
        if let Err(e) = written {
            waiting.give_up();
            return StepFate::Badly(StepFailure::new(format!(
                "it could not be recorded and was not begun: {e}"
            )));
        }
        self.follow(&place, watched, Some(waiting.go()), name, step)
    }

    fn note(&self, n: u64, step: &RunStep) {
        let label = step.label.clone();
        let _ = update(self.shared, &self.spec.id, move |row, _| {
            row.steps_done = n;
            row.note = label;
        });
    }

    /// Does a step in this process: what is not a program, and programs where there is no supervisor.
    fn here(&self, step: &RunStep) -> StepFate {
        let mut hear = |source: LineSource, text: &str| {
            self.tell(level_of(text), source, &step.label, text.to_string(), None);
        };
        self.control.set_mortal(step.work.program().is_some());
        let done = steps::perform(self.shared, step, &self.control, &mut hear);
        self.control.set_mortal(false);
        done.into()
    }

    /// A run that was taken up begins further programs only with the environment of the session that asked for it,
    /// and that is nowhere but with the session.
    fn may_begin(&self, n: u64, step: &RunStep) -> std::result::Result<(), StepFate> {
        let Some(clipped) = self.taken_up.as_ref().filter(|_| step.work.program().is_some()) else {
            return Ok(());
        };
        let refuse = |why: &str| Err(StepFate::Badly(StepFailure::new(why)));
        if clipped.contains(&n) {
            return refuse("the daemon was restarted, and this needs a secret that it does not keep");
        }
        let by = Instant::now() + COMES_BACK;
        while !self.session_is_open() {
            if self.control.released() {
                return Err(StepFate::Left);
            }
            if self.control.cancelled() {
                return refuse("cancelled");
            }
            if Instant::now() >= by {
                return refuse(
                    "the daemon was restarted and the session that asked for this is gone, and with it its environment",
                );
            }
            self.control.wait(Duration::from_millis(50));
        }
        if let Some(mut env) = self.shared.env_of_open(&self.spec.session, &self.spec.family) {
            env.extend(self.shared.picked(&self.spec.session, &self.spec.pass));
            self.control.surround(env);
        }
        Ok(())
    }

    pub(super) fn session_is_open(&self) -> bool {
        self.shared.sessions.all().iter().any(|s| s.info().id == self.spec.session.id)
    }
}
