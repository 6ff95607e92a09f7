//! One run from its first step to its last: what it prints goes into the store, what it did into the history.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::Shared;
use super::runs::{change_row, update};
use super::serve::serving;
use super::steps::{self, Control};
use crate::core::ctx::Gathered;
use crate::core::run::{Level, LogLine, RUN_LOGS, RunDone, RunSpec, RunStatus, Source, Step};
use crate::core::{Call, Draft, Key, Outcome};

/// Lines written in one commit at most; they are gathered while the previous commit is under way.
const LOG_BATCH: usize = 500;

/// One run on its thread.
pub(super) struct Run<'a> {
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
    pub fn new(shared: &'a Arc<Shared>, spec: RunSpec, control: Arc<Control>) -> Self {
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

    pub fn carry_out(mut self) {
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
            (true, true) if self.shared.runs.stopping() => RunStatus::Interrupted,
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
        self.shared.runs.beat();
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
