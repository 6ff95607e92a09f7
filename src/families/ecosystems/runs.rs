//! Looking at runs: lists, one run, its log, what it came to; and asking for one to be stopped.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::reply::{Answer, Next, next};
use super::state::Place;
use super::survey::Survey;
use super::{scope, work};
use crate::core::ctx::Sweep;
use crate::core::run::{LOGS_BY_LEVEL, LogLine, Order, RUN_LOGS, RUNS, RUNS_BY_TIME, RunRow, RunStatus};
use crate::core::{Ctx, Error, IndexQuery, Key, Kind, Outcome, Record, Result, RowQuery, Timestamp, View};

/// The newest runs of a group, filtered; reads only as many rows as it has to.
fn newest(
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

/// Without a workspace root there are no runs; nothing has an empty root.
fn root_text(survey: &Survey) -> String {
    survey.root.as_ref().map_or(String::new(), |r| r.to_string_lossy().into_owned())
}

fn of_root(root: &str) -> Key {
    Key::of("root").text(root)
}

fn of_ecosystem(place: &Place) -> Key {
    Key::of("eco").text(&place.root.to_string_lossy()).text(&place.name)
}

/// How long the last successful runs of this kind took, on average.
pub fn usual_seconds(view: &dyn View, place: &Place, action: &str) -> Result<Option<i64>> {
    let wanted = |r: &RunRow| r.action == action && r.status == RunStatus::Success;
    let runs = newest(view, of_ecosystem(place), 5, wanted)?;
    let spans: Vec<i64> = runs.iter().filter_map(seconds).collect();
    Ok((!spans.is_empty()).then(|| (spans.iter().sum::<i64>() / spans.len() as i64).max(1)))
}

fn seconds(run: &RunRow) -> Option<i64> {
    Some((run.finished?.0 - run.started?.0) / 1_000_000)
}

pub fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}

/// A run by its id or an unambiguous beginning of it.
pub fn find(ctx: &Ctx, survey: &Survey) -> Result<RunRow> {
    let root = survey.root()?.to_string_lossy().into_owned();
    let Some(id) = ctx.call.text("run_id") else {
        let group = match scope::chosen(ctx)? {
            Some(name) => of_ecosystem(&Place { root: survey.root()?.clone(), name }),
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
        n => Err(Error::new(
            Kind::Invalid,
            "ambiguous_run",
            format!("'{id}' is the beginning of {n} run ids."),
        )
        .hint("Send more characters of the id.")
        .details(json!({"candidates": found.iter().map(|r| r.id.as_str()).collect::<Vec<_>>()}))),
    }
}

fn summary(run: &RunRow) -> Value {
    json!({
        "run_id": run.id, "ecosystem": run.ecosystem, "action": run.action, "status": run.status.as_str(),
        "created_at": run.created.zulu(), "started_at": run.started.map(Timestamp::zulu),
        "finished_at": run.finished.map(Timestamp::zulu), "exit_code": run.exit_code,
        "steps": run.steps, "steps_done": run.steps_done, "note": run.note,
    })
}

fn table(runs: &[RunRow]) -> Vec<Vec<String>> {
    let row = |r: &RunRow| {
        vec![
            short(&r.id).into(),
            r.ecosystem.clone(),
            r.action.clone(),
            r.status.as_str().into(),
            r.created.zulu(),
        ]
    };
    runs.iter().map(row).collect()
}

fn listed(ctx: &Ctx, runs: &[RunRow], summary_text: String, ecosystem: Option<String>) -> Result<Outcome> {
    let mut answer = Answer::new(summary_text)
        .ecosystem(ecosystem)
        .table(&["Run", "Ecosystem", "Action", "Status", "Created"], &table(runs))
        .field("runs", Value::Array(runs.iter().map(summary).collect()));
    if let Some(run) = runs.first() {
        answer = answer.next(about("amof_get_run_status", run)).next(about("amof_get_run_logs", run));
    }
    answer
        .next(next("amof_list_ecosystems", json!({})))
        .next(next("amof_global_telemetry", json!({})))
        .outcome(ctx)
}

fn about(tool: &'static str, run: &RunRow) -> Next {
    next(tool, json!({"run_id": run.id}))
}

pub fn list(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let root = survey.root.clone().unwrap_or_default();
    let chosen = scope::chosen(ctx)?;
    let status = ctx.call.text("status");
    let limit = ctx.call.number("limit").map_or(20, |n| usize::try_from(n).unwrap_or(20));
    let group = match &chosen {
        Some(name) => of_ecosystem(&Place { root: root.clone(), name: name.clone() }),
        None => of_root(&root.to_string_lossy()),
    };
    let runs = newest(ctx.view, group, limit, |r| status.is_none_or(|s| s == r.status.as_str()))?;
    listed(ctx, &runs, format!("{} run{}.", runs.len(), super::install::plural(runs.len())), chosen)
}

pub fn active(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let root = root_text(survey);
    let runs = newest(ctx.view, Key::of("active"), 100, |r| r.root == root)?;
    let text = match runs.len() {
        0 => "Nothing is running.".to_string(),
        n => format!("{n} active run{}.", super::install::plural(n)),
    };
    listed(ctx, &runs, text, None)
}

fn lines_of(view: &dyn View, run: &str) -> Result<u64> {
    let last = view.rows(&RowQuery::new(RUN_LOGS, Key::of(run)).reverse().limit(1))?;
    let number = last.first().and_then(|(key, _)| {
        let mut parts = key.parts();
        parts.text()?;
        parts.number()
    });
    Ok(number.map_or(0, |n| n + 1))
}

fn answer(run: &RunRow, text: String) -> Answer {
    Answer::new(text).ecosystem(Some(run.ecosystem.clone())).run(&run.id)
}

fn onward(answer: Answer, run: &RunRow) -> Answer {
    let answer = answer.next(about("amof_get_run_status", run)).next(about("amof_get_run_logs", run));
    if run.status.active() {
        return answer.next(next("amof_cancel_run", json!({"run_id": run.id, "mode": "execute"})));
    }
    answer
        .next(about("amof_summarize_run", run))
        .next(next("amof_list_runs", json!({"ecosystem": run.ecosystem})))
}

pub fn status(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let run = find(ctx, survey)?;
    let lines = lines_of(ctx.view, &run.id)?;
    let text = format!("Run {} ({}) is {}.", short(&run.id), run.action, run.status.as_str());
    let mut answer = answer(&run, text)
        .line(format!("steps: {} of {}", run.steps_done, run.steps))
        .line(format!("log lines: {lines}"))
        .fields(summary(&run))
        .field("log_lines", json!(lines));
    if !run.note.is_empty() {
        answer = answer.line(format!("note: {}", run.note));
    }
    onward(answer, &run).outcome(ctx)
}

pub fn logs(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let run = find(ctx, survey)?;
    let tail = ctx.call.number("tail").map_or(50, |n| usize::try_from(n).unwrap_or(50));
    let lines = match (ctx.call.number("after"), ctx.call.text("level")) {
        (Some(after), _) => {
            let from = Key::of(&run.id).number(after);
            ctx.view.rows(&RowQuery::new(RUN_LOGS, Key::of(&run.id)).from(from).limit(tail))?
        }
        (None, None | Some("info")) => {
            let mut rows = ctx.view.rows(&RowQuery::new(RUN_LOGS, Key::of(&run.id)).reverse().limit(tail))?;
            rows.reverse();
            rows
        }
        (None, Some(level)) => of_level(ctx.view, &run.id, level, tail)?,
    };
    let mut text = Vec::new();
    let mut json = Vec::new();
    let mut next_after = ctx.call.number("after").unwrap_or(0);
    for (key, row) in &lines {
        let line: LogLine = row.decode(RUN_LOGS, key)?;
        let mut parts = key.parts();
        parts.text();
        let n = parts.number().unwrap_or(0);
        next_after = next_after.max(n + 1);
        let mark = match line.stream {
            crate::core::run::Source::Stdout => " ",
            crate::core::run::Source::Stderr => "!",
            crate::core::run::Source::Packd => "#",
        };
        text.push(format!("{mark} {}", line.text));
        json.push(json!({"n": n, "time": line.time.zulu(), "level": line.level, "stream": line.stream, "step": line.step, "text": line.text}));
    }
    let total = lines_of(ctx.view, &run.id)?;
    let head =
        format!("Run {} ({}): {} of {total} log lines.", short(&run.id), run.status.as_str(), text.len());
    let answer = answer(&run, head).lines(text).fields(json!({
        "run_id": run.id, "status": run.status.as_str(), "lines": json, "total": total, "next_after": next_after,
    }));
    onward(answer, &run).outcome(ctx)
}

fn of_level(view: &dyn View, run: &str, level: &str, tail: usize) -> Result<Vec<(Key, crate::core::Row)>> {
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

pub fn summarize(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let run = find(ctx, survey)?;
    let mut errors = Vec::new();
    for (key, row) in of_level(ctx.view, &run.id, "error", 5)? {
        let line: LogLine = row.decode(RUN_LOGS, &key)?;
        errors.push(line.text.chars().take(120).collect::<String>());
    }
    let lines = lines_of(ctx.view, &run.id)?;
    let took = seconds(&run).map_or(String::new(), |s| format!(" in {s} s"));
    let text = format!("{} of {}: {}{took}.", run.action, run.ecosystem, run.status.as_str());
    let answer = answer(&run, text)
        .line(format!("log lines: {lines}"))
        .lines(errors.iter().map(|e| format!("error: {e}")))
        .fields(summary(&run))
        .fields(json!({"duration_seconds": seconds(&run), "log_lines": lines, "errors": errors}));
    onward(answer, &run).outcome(ctx)
}

pub fn cancel(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let mut run = find(ctx, survey)?;
    if !run.status.active() {
        return Err(Error::new(
            Kind::State,
            "run_finished",
            format!("Run {} is already {}.", short(&run.id), run.status.as_str()),
        )
        .hint("There is nothing to cancel."));
    }
    if ctx.call.preview {
        let text = format!("Dry run: would cancel run {} ({}).", short(&run.id), run.action);
        return onward(answer(&run, text).field("dry_run", json!(true)), &run).outcome(ctx);
    }
    run.cancel_asked = true;
    let mut draft = ctx.draft();
    draft.put(RUNS, &Key::of(&run.id), &run)?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    outcome.audit = true;
    outcome.record = Record {
        summary: format!("Asked to cancel run {} ({}).", run.id, run.action),
        targets: vec![format!("run:{}", run.id)],
        ..Record::default()
    };
    outcome.start = vec![work::order(Order::Cancel { run: run.id.clone() })?];
    let text = format!("Run {} ({}) is being cancelled.", short(&run.id), run.action);
    outcome.reply = onward(answer(&run, text).fields(json!({"run_id": run.id})), &run).reply(ctx);
    Ok(outcome)
}

/// Finished runs are kept this long, with their logs.
const KEEP_DAYS: i64 = 30;
/// Lines forgotten in one piece; the next round continues.
const FORGET: usize = 2000;

/// Old runs and their logs go, a bounded piece at a time. Operations they left stay in the history.
pub fn sweep(ctx: &Ctx) -> Result<Vec<Sweep>> {
    let old = ctx.now.plus_seconds(-KEEP_DAYS * 24 * 3600);
    let mut draft = ctx.draft();
    let mut room = FORGET;
    for (key, row) in ctx.view.rows(&RowQuery::new(RUNS, Key::empty()))? {
        let Ok(run) = row.decode::<RunRow>(RUNS, &key) else { continue };
        if room == 0 || run.finished.is_none_or(|at| at > old) {
            continue;
        }
        let lines = ctx.view.rows(&RowQuery::new(RUN_LOGS, Key::of(&run.id)).limit(room))?;
        room -= lines.len();
        for (line, _) in &lines {
            draft.delete(RUN_LOGS, line)?;
        }
        if room > 0 {
            draft.delete(RUNS, &key)?;
        }
    }
    if draft.is_empty() {
        return Ok(Vec::new());
    }
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    Ok(vec![Sweep { workspace: String::new(), tool: "amof_list_runs", outcome }])
}

pub fn telemetry(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let runs = newest(ctx.view, of_root(&root_text(survey)), 200, |_| true)?;
    let mut by_status: BTreeMap<&str, u64> = BTreeMap::new();
    let mut by_ecosystem: BTreeMap<&str, u64> = BTreeMap::new();
    for run in &runs {
        *by_status.entry(run.status.as_str()).or_default() += 1;
        *by_ecosystem.entry(&run.ecosystem).or_default() += 1;
    }
    let rows: Vec<Vec<String>> =
        by_status.iter().map(|(k, n)| vec![(*k).to_string(), n.to_string()]).collect();
    let lines: Vec<String> = by_ecosystem.iter().map(|(k, n)| format!("{k}: {n} runs")).collect();
    Answer::new(format!("The last {} runs of this workspace.", runs.len()))
        .table(&["Status", "Runs"], &rows)
        .lines(lines)
        .fields(json!({"runs": runs.len(), "by_status": by_status, "by_ecosystem": by_ecosystem}))
        .next(next("amof_list_runs", json!({})))
        .next(next("amof_get_active_runs", json!({})))
        .outcome(ctx)
}
