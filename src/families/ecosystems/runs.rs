//! Runs as they are stored: finding and listing them. What the tools about runs share.

use serde::Serialize;

use super::errors::listed as listing;
use super::rows::EcosystemId;
use super::scope;
use super::survey::Survey;
use super::tools::{
    CancelRun, EcosystemStatus, GlobalTelemetry, ListEcosystems, ListRuns, ReleaseStatus, RunLogs,
    RunStatusOf,
};
use crate::core::layout::{Answer, Next};
use crate::core::run::{LOGS_BY_LEVEL, RUN_LOGS, RUNS, RUNS_BY_TIME, RunRow, RunStatus};
use crate::core::{
    Ctx, Error, IndexQuery, Key, Kind, Mode, Outcome, Result, Row, RowQuery, Timestamp, Tool, View,
};

/// Seconds that a suggested call waits for a run to end.
pub const WAIT: u64 = 60;
/// What runs of the workspace itself are listed under.
pub const PLATFORM: &str = "platform";

/// The newest runs of a group, filtered; reads only as many rows as it has to.
pub fn newest(
    view: &dyn View,
    group: Key,
    limit: usize,
    wanted: impl Fn(&RunRow) -> bool,
) -> Result<Vec<RunRow>> {
    let mut out = Vec::new();
    let mut from = None;
    loop {
        let mut query = IndexQuery::new(RUNS_BY_TIME, group.clone()).reverse().limit(100);
        query.from = from.take();
        let page = view.index(&query)?;
        for entry in &page {
            let key = Key::of(&String::from_utf8_lossy(&entry.value));
            out.extend(view.get::<RunRow>(RUNS, &key)?.map(|(run, _)| run).filter(&wanted));
            if out.len() == limit {
                return Ok(out);
            }
        }
        match page.last() {
            Some(last) if page.len() == 100 => from = Some(last.sort.clone()),
            _ => return Ok(out),
        }
    }
}

pub fn of_root(root: &str) -> Key {
    Key::of("root").text(root)
}

pub fn of_ecosystem(id: &EcosystemId) -> Key {
    Key::of("eco").text(&id.root.to_string_lossy()).text(&id.name)
}

/// How long the last successful runs of this kind took, on average.
pub fn usual_seconds(view: &dyn View, id: &EcosystemId, action: &str) -> Result<Option<i64>> {
    let wanted = |r: &RunRow| r.action == action && r.status == RunStatus::Success;
    let runs = newest(view, of_ecosystem(id), 5, wanted)?;
    let spans: Vec<i64> = runs.iter().filter_map(seconds).collect();
    Ok((!spans.is_empty()).then(|| (spans.iter().sum::<i64>() / spans.len() as i64).max(1)))
}

pub fn seconds(run: &RunRow) -> Option<i64> {
    Some((run.finished?.0 - run.started?.0) / 1_000_000)
}

pub fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// A run by its id or an unambiguous beginning of it.
pub fn find(ctx: &Ctx, survey: &Survey, id: Option<&str>) -> Result<RunRow> {
    let root = survey.root()?.to_string_lossy().into_owned();
    let Some(id) = id else {
        let group = match scope::chosen(ctx, None)? {
            Some(name) => of_ecosystem(&EcosystemId { root: survey.root()?.clone(), name }),
            None => of_root(&root),
        };
        return newest(ctx.view, group, 1, |_| true)?.pop().ok_or_else(|| {
            Error::new(Kind::NotFound, "no_runs", "There are no runs yet.")
                .hint("Pass 'run_id', or start something first.")
        });
    };
    let rows = ctx.view.rows(&RowQuery::new(RUNS, Key::from_bytes(id.as_bytes())).limit(50))?;
    let mut found = Vec::new();
    for (key, row) in &rows {
        let run: RunRow = row.decode(RUNS, key)?;
        if run.root == root {
            found.push(run);
        }
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Error::new(Kind::NotFound, "unknown_run", format!("There is no run '{id}'."))
            .hint("amof_list_runs shows the runs there are.")),
        n => {
            let message = format!("'{id}' is the beginning of {n} run ids.");
            let error = Error::new(Kind::Invalid, "ambiguous_run", message);
            let candidates: Vec<String> = found.into_iter().map(|run| run.id).collect();
            Err(listing(error.hint("Send more characters of the id."), "candidates", &candidates))
        }
    }
}

/// A run as replies have it.
#[derive(Serialize)]
pub struct ShownRun<'a> {
    run_id: &'a str,
    ecosystem: &'a str,
    action: &'a str,
    status: &'static str,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    steps: u64,
    steps_done: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

impl<'a> ShownRun<'a> {
    pub fn of(run: &'a RunRow) -> ShownRun<'a> {
        ShownRun {
            run_id: &run.id,
            ecosystem: &run.subject,
            action: &run.action,
            status: run.status.as_str(),
            created_at: run.created.zulu(),
            started_at: run.started.map(Timestamp::zulu),
            finished_at: run.finished.map(Timestamp::zulu),
            exit_code: run.exit_code,
            steps: run.steps,
            steps_done: run.steps_done,
            note: &run.note,
        }
    }
}

/// A list of runs as an answer.
pub fn listed(ctx: &Ctx, runs: &[RunRow], summary: String, ecosystem: Option<&str>) -> Result<Outcome> {
    let row = |r: &RunRow| {
        let (id, status) = (short(&r.id).to_string(), r.status.as_str().to_string());
        let steps = format!("{} of {}", r.steps_done, r.steps);
        vec![id, r.subject.clone(), r.action.clone(), status, steps, r.created.zulu()]
    };
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    let mut answer = Answer::new(summary)
        .ecosystem(ecosystem)
        .table(&["Run", "Ecosystem", "Action", "Status", "Steps", "Created"], &rows)
        .field("runs", runs.iter().map(ShownRun::of).collect::<Vec<_>>());
    if let Some(run) = runs.first() {
        answer = answer.next(about(RunStatusOf::NAME, run)).next(about(RunLogs::NAME, run));
    } else {
        answer = answer.next(Next::call(ListEcosystems::NAME));
    }
    answer.next(Next::call(GlobalTelemetry::NAME)).outcome(ctx)
}

fn about(tool: &str, run: &RunRow) -> Next {
    Next::call(tool).with("run_id", run.id.as_str())
}

pub fn lines_of(view: &dyn View, run: &str) -> Result<u64> {
    let last = view.rows(&RowQuery::new(RUN_LOGS, Key::of(run)).reverse().limit(1))?;
    let number = last.first().and_then(|(key, _)| {
        let mut parts = key.parts();
        parts.text()?;
        parts.number()
    });
    Ok(number.map_or(0, |n| n + 1))
}

/// An answer about one run.
pub fn answer(run: &RunRow, text: String) -> Answer {
    Answer::new(text).ecosystem(Some(&run.subject)).run(&run.id)
}

/// The facts of a run, line by line.
pub fn lines(run: &RunRow) -> Vec<String> {
    let mut out = vec![
        format!("steps: {} of {}", run.steps_done, run.steps),
        format!("created at: {}", run.created.zulu()),
    ];
    out.extend(run.started.map(|at| format!("started at: {}", at.zulu())));
    out.extend(run.finished.map(|at| format!("finished at: {}", at.zulu())));
    out.extend(run.exit_code.map(|code| format!("exit code: {code}")));
    if !run.note.is_empty() {
        out.push(format!("note: {}", run.note));
    }
    out
}

/// What may come after looking at a run with `own`: never the same look again at what has ended.
pub fn onward(answer: Answer, run: &RunRow, own: &str) -> Answer {
    if run.status.active() {
        return answer
            .next(about(RunStatusOf::NAME, run).with("wait_seconds", WAIT))
            .next(about(RunLogs::NAME, run))
            .next(about(CancelRun::NAME, run).with("mode", Mode::Execute.as_str()));
    }
    let platform = run.subject == PLATFORM;
    let others = Next::call(ListRuns::NAME).with("ecosystem", run.subject.as_str());
    let answer = answer.next(match run.status {
        RunStatus::Failed if own != RunLogs::NAME => about(RunLogs::NAME, run),
        _ if platform => Next::call(ReleaseStatus::NAME),
        _ => Next::call(EcosystemStatus::NAME).with("ecosystem", run.subject.as_str()),
    });
    answer.next(others)
}

pub fn of_level(view: &dyn View, run: &str, level: &str, tail: usize) -> Result<Vec<(Key, Row)>> {
    let entries =
        view.index(&IndexQuery::new(LOGS_BY_LEVEL, Key::of(run).text(level)).reverse().limit(tail))?;
    let mut out = Vec::new();
    for entry in entries.iter().rev() {
        let key = Key::of(run).join(&entry.sort);
        if let Some(row) = view.row(RUN_LOGS, &key)? {
            out.push((key, row));
        }
    }
    Ok(out)
}
