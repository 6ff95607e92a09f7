//! The end of a run: half-done work is taken back, and its row, its operation and the news of it are left behind.
//!
//! However it came to its end, its log is whole before anybody can read that it has ended.

use std::time::Duration;

use super::super::rows::{self, change_row};
use super::RunThread;
use crate::core::run::{LineLevel, LineSource, RunDone, RunStatus, RunStep};
use crate::core::{Call, Outcome};
use crate::engine::consult::guarded;
use crate::engine::runs::steps::{self, StepFailure};
use crate::engine::serve::serving;
use crate::engine::snapshots::around;
use crate::engine::{Event, RunEnded};

impl RunThread<'_> {
    /// Newest first, with a control of its own: a cancelled run still cleans up after itself.
    pub(super) fn take_back(&self, steps: &[RunStep]) {
        let calm = self.control.calm();
        let clipped = self.taken_up.as_deref().unwrap_or_default();
        for n in self.progress.done.iter().rev() {
            let Some(step) = steps.get(*n as usize).filter(|s| !s.revert.is_empty()) else { continue };
            self.say(LineLevel::Info, &step.label, format!("Taking back: {}", step.label));
            for work in &step.revert {
                let mut hear = |source: LineSource, text: &str| {
                    self.tell(LineLevel::Info, source, &step.label, text.to_string(), None);
                };
                let limit = Duration::from_secs(step.timeout_seconds);
                let done = match clipped.contains(n) {
                    true => Err(StepFailure::new("it needs a secret that is not kept")),
                    false => steps::work(self.shared, work, limit, &calm, &mut hear),
                };
                if let Err(e) = done {
                    let text = format!("Could not take back {}: {}.", step.label, e.message);
                    self.say(LineLevel::Error, &step.label, text);
                }
            }
        }
    }

    pub(super) fn end(mut self, steps: &[RunStep], aborted: bool) {
        let failed = aborted || !self.progress.failed_groups.is_empty();
        let status = match (self.control.cancelled(), failed) {
            _ if self.interrupted.is_some() => RunStatus::Interrupted,
            (true, true) if self.shared.runs.stopping() => RunStatus::Interrupted,
            (true, true) => RunStatus::Cancelled,
            (_, true) => RunStatus::Failed,
            (_, false) => RunStatus::Success,
        };
        let note = match status {
            RunStatus::Success => String::new(),
            RunStatus::Interrupted => {
                self.interrupted.take().unwrap_or_else(|| "The daemon was stopped.".to_string())
            }
            RunStatus::Cancelled => "It was cancelled; half-done steps were taken back.".to_string(),
            _ => self.progress.trouble.take().unwrap_or_default(),
        };
        let level = if status == RunStatus::Success { LineLevel::Info } else { LineLevel::Error };
        let colon = if note.is_empty() { "" } else { ": " };
        self.say(level, "", format!("Run ended: {}{colon}{note}", status.as_str()));
        let succeeded = |n: usize| self.progress.done.contains(&(n as u64));
        let complete = |group: &String| {
            let mut of = steps.iter().enumerate().filter(|(_, s)| s.group.as_ref() == Some(group));
            of.all(|(n, _)| succeeded(n))
        };
        let mut groups: Vec<String> = steps.iter().filter_map(|s| s.group.clone()).collect();
        groups.dedup();
        let done_groups = groups.into_iter().filter(complete).collect();
        let ended = RunDone {
            id: self.spec.id.clone(),
            root: self.spec.root.clone(),
            subject: self.spec.subject.clone(),
            status,
            note: note.clone(),
            begun: self.begun,
            captured: std::mem::take(&mut self.progress.captured),
            done_groups,
            data: std::mem::take(&mut self.spec.data),
        };
        let code = match status {
            RunStatus::Success => Some(0),
            _ => self.progress.exit_code,
        };
        // The log must be whole before anybody reads that the run has ended.
        self.log.close();
        let steps_done = self.progress.done.len() as u64;
        let trees = around::hold(self.shared, &self.spec, steps);
        let operation = self.record(ended, code, note, steps_done);
        trees.after(self.shared, operation.as_deref());
        if let Some(supervisor) = self.supervisor() {
            supervisor.forget(&self.spec.id);
        }
    }

    /// The row and the operation of a finished run are one commit. Answers with the operation, if there is one.
    fn record(&self, done: RunDone, code: Option<i32>, note: String, steps_done: u64) -> Option<String> {
        let shared = self.shared.clone();
        let (id, status) = (done.id.clone(), done.status);
        let info = self.spec.session.clone();
        let family = self.spec.family.clone();
        let call = Call { args: self.spec.args.clone(), ..serving(&self.spec.tool) };
        let news = RunEnded {
            session: info.id.clone(),
            run: done.id.clone(),
            subject: done.subject.clone(),
            tool: self.spec.tool.clone(),
            status,
            note: note.clone(),
        };
        let now = self.ended_at.get().unwrap_or_else(|| shared.clock.now());
        let stored = self.shared.in_writer_blocking(move |batch| {
            let family = shared.family(&family)?;
            let finished = guarded(&call.tool, || {
                shared.typed(&call.tool)?.finish(&shared.ctx(&batch.view(), &info, &call), &done)
            });
            let told = finished
                .and_then(|outcome: Outcome| shared.store_outcome(batch, family, &info, &call, outcome));
            let (op, problem) = match told {
                Ok(committed) => (committed.op, None),
                Err(e) => (None, Some(e.message)),
            };
            rows::forget(batch, &id)?;
            change_row(batch, &id, |row| {
                row.status = status;
                row.program = None;
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
        if self.taken_up.is_some() && !self.session_is_open() {
            self.shared.runs.keep_unheard(news.clone());
        }
        let _ = self.shared.events.send(Event {
            workspace: self.spec.session.workspace.clone(),
            family: self.spec.family.clone(),
            uris: Vec::new(),
            list_changed: false,
            ended: vec![news],
        });
        self.shared.runs.beat();
        match stored {
            Ok(Some(op)) => {
                crate::engine::trash::settle(self.shared, &op);
                self.shared.announce(&op);
                Some(op.id)
            }
            Ok(None) => None,
            Err(e) => {
                tracing::error!("the end of run {} could not be recorded: {e}", self.spec.id);
                None
            }
        }
    }
}
