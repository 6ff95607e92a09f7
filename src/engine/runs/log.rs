//! What a run says, on its way into the store: in order, as many lines per commit as there are.
//!
//! With the lines of a supervised program goes how far its output was read: after a crash none is lost or doubled.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::rows::change_row;
use crate::core::run::{LineLevel, LogLine, RUN_LOGS};
use crate::core::{Draft, Key, Result, RowQuery, View};
use crate::engine::Shared;

/// Lines written in one commit at most; they are gathered while the previous commit is under way.
const BATCH: usize = 500;
/// Lines that may wait; whoever says more waits with them.
const WAITING: usize = 4 * BATCH;

pub(super) struct RunLog {
    lines: Option<SyncSender<Said>>,
    writer: Option<JoinHandle<()>>,
}

enum Said {
    /// And which line of the program's output it was.
    Line(Box<LogLine>, Option<u64>),
    /// Answered once everything before is in the store.
    Settle(SyncSender<()>),
}

impl RunLog {
    /// Continues after what the run has said so far.
    pub fn new(shared: &Arc<Shared>, run: &str) -> RunLog {
        let (lines, heard) = sync_channel(WAITING);
        let (shared, run) = (shared.clone(), run.to_string());
        let writer = std::thread::Builder::new()
            .name("packd-run-log".into())
            .spawn(move || keep(&shared, &run, &heard));
        RunLog { lines: Some(lines), writer: writer.ok() }
    }

    pub fn say(&self, line: LogLine, heard: Option<u64>) {
        if let Some(lines) = &self.lines {
            // The writer only goes away with the store; then there is nowhere to write to.
            let _ = lines.send(Said::Line(Box::new(line), heard));
        }
    }

    /// Returns once everything said is in the store.
    pub fn settle(&self) {
        let (tell, told) = sync_channel(1);
        if self.lines.as_ref().is_some_and(|lines| lines.send(Said::Settle(tell)).is_ok()) {
            let _ = told.recv();
        }
    }

    pub fn close(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn keep(shared: &Arc<Shared>, run: &str, lines: &Receiver<Said>) {
    let mut next = said_before(shared, run).unwrap_or_else(|e| {
        tracing::error!("the log of run {run} cannot be read: {e}");
        0
    });
    while let Ok(first) = lines.recv() {
        let mut batch = Vec::new();
        let mut waiting = Vec::new();
        let mut read = None;
        let mut said = Some(first);
        while let Some(one) = said.take() {
            match one {
                Said::Line(line, heard) => {
                    batch.push(*line);
                    read = heard.or(read);
                }
                Said::Settle(tell) => waiting.push(tell),
            }
            if batch.len() < BATCH {
                said = lines.try_recv().ok();
            }
        }
        let from = next;
        next += batch.len() as u64;
        if let Err(e) = write(shared, run, from, batch, read) {
            tracing::error!("log lines of run {run} were lost: {e}");
        }
        for tell in waiting {
            let _ = tell.send(());
        }
    }
}

fn said_before(shared: &Shared, run: &str) -> Result<u64> {
    let snapshot = shared.store.read()?;
    let last = snapshot.view().rows(&RowQuery::new(RUN_LOGS, Key::of(run)).reverse().limit(1))?;
    let number = last.first().and_then(|(key, _)| {
        let mut parts = key.parts();
        parts.text()?;
        parts.number()
    });
    Ok(number.map_or(0, |n| n + 1))
}

fn write(shared: &Shared, run: &str, from: u64, batch: Vec<LogLine>, read: Option<u64>) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let run = run.to_string();
    shared.in_writer_blocking(move |open| {
        let view = open.view();
        let mut draft = Draft::new(&view);
        let key = Key::of(&run);
        for (n, line) in (from..).zip(&batch) {
            draft.put(RUN_LOGS, &key.clone().number(n), line)?;
        }
        open.apply_quietly(&mut draft.into_outcome())?;
        match read {
            Some(read) => change_row(open, &run, |row| {
                if let Some(program) = &mut row.program {
                    program.heard = read;
                }
            }),
            None => Ok(()),
        }
    })
}

/// What a line calls itself; programs use stderr for progress, so the stream alone says nothing.
pub(super) fn level_of(text: &str) -> LineLevel {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word: String =
        text.chars().take_while(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase();
    match word.as_str() {
        "error" | "fatal" | "panic" | "critical" => LineLevel::Error,
        "warning" | "warn" => LineLevel::Warning,
        _ => LineLevel::Info,
    }
}
