//! `amof_get_run_logs`: a run's log: its last lines, one level, or what comes after a line.

use serde::{Deserialize, Serialize};

use crate::core::layout::Next;
use crate::core::run::{LineLevel, LineSource, LogLine, RUN_LOGS, RunRow};
use crate::core::{Ctx, Key, Look, Needs, Outcome, Result, Row, RowQuery, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::runs::{answer, find, lines_of, of_level, onward, short};
use crate::families::ecosystems::survey::{Depth, Survey, survey};

/// Bytes of log text in an answer nobody asked to be longer; they are sent twice.
const ROOM: usize = 5 * 1024;
/// A longer line says no more.
const LINE: usize = 4 * 1024;

pub struct RunLogs;

#[derive(Debug, Deserialize)]
pub struct RunLogsArgs {
    #[serde(default, deserialize_with = "said")]
    run_id: Option<String>,
    tail: Option<usize>,
    #[serde(default, deserialize_with = "said")]
    level: Option<String>,
    after: Option<u64>,
}

#[derive(Serialize)]
struct ShownLine {
    n: u64,
    time: String,
    level: LineLevel,
    stream: LineSource,
    step: String,
    text: String,
}

#[derive(Serialize)]
struct Shown<'a> {
    run_id: &'a str,
    status: &'static str,
    lines: Vec<ShownLine>,
    total: u64,
    next_after: u64,
    /// Lines that there was no room for; the next call shows them.
    #[serde(skip_serializing_if = "none")]
    left_out: usize,
}

fn none(count: &usize) -> bool {
    *count == 0
}

impl Tool for RunLogs {
    type Args = RunLogsArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_get_run_logs";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &RunLogsArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, args: &RunLogsArgs, survey: &Survey) -> Result<Outcome> {
        let run = find(ctx, survey, args.run_id.as_deref())?;
        let rows = wanted(ctx, &run, args)?;
        let mut room = if args.tail.is_some() { usize::MAX } else { ROOM };
        let (mut text, mut lines) = (Vec::new(), Vec::new());
        let mut next_after = args.after.unwrap_or(0);
        let mut left_out = 0;
        // Without a place to go on from, the newest lines matter most; with one, the next ones.
        let newest_first = args.after.is_none();
        let order: Vec<_> = if newest_first { rows.iter().rev().collect() } else { rows.iter().collect() };
        for (key, row) in order {
            let line: LogLine = row.decode(RUN_LOGS, key)?;
            let shown = clipped(&line.text);
            if room < shown.len() || left_out > 0 {
                left_out += 1;
                continue;
            }
            room -= shown.len();
            let mut parts = key.parts();
            parts.text();
            let n = parts.number().unwrap_or(0);
            next_after = next_after.max(n + 1);
            let mark = match line.stream {
                LineSource::Stdout => " ",
                LineSource::Stderr => "!",
                LineSource::Packd => "#",
            };
            text.push(format!("{mark} {shown}"));
            let LogLine { time, level, stream, step, .. } = line;
            lines.push(ShownLine { n, time: time.zulu(), level, stream, step, text: shown });
        }
        if newest_first {
            text.reverse();
            lines.reverse();
        }
        let total = lines_of(ctx.view, &run.id)?;
        let status = run.status.as_str();
        let head = format!("Run {} ({status}): {} of {total} log lines.", short(&run.id), text.len());
        let shown = Shown { run_id: &run.id, status, lines, total, next_after, left_out };
        let mut told = answer(&run, head).told(text).fields(shown);
        if left_out > 0 {
            let all = Next::call(Self::NAME).with("run_id", run.id.as_str());
            told = told.next(match newest_first {
                true => all.with("tail", rows.len()),
                false => all.with("after", next_after),
            });
        }
        onward(told, &run, Self::NAME).outcome(ctx)
    }
}

/// A line as it is shown: a long one is cut, with its length.
fn clipped(text: &str) -> String {
    if text.len() <= LINE {
        return text.to_string();
    }
    let mut end = LINE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{} … ({} bytes in all)", &text[..end], text.len())
}

fn wanted(ctx: &Ctx, run: &RunRow, args: &RunLogsArgs) -> Result<Vec<(Key, Row)>> {
    let tail = args.tail.unwrap_or(50);
    let all = RowQuery::new(RUN_LOGS, Key::of(&run.id)).limit(tail);
    match (args.after, args.level.as_deref()) {
        (Some(after), _) => ctx.view.rows(&all.from(Key::of(&run.id).number(after))),
        (None, None | Some("info")) => {
            let mut rows = ctx.view.rows(&all.reverse())?;
            rows.reverse();
            Ok(rows)
        }
        (None, Some(level)) => of_level(ctx.view, &run.id, level, tail),
    }
}
