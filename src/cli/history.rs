//! `packd history`, `show`, `log`: what was done, for people. Every filter is checked against what exists.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::args::{HistoryArgs, LogArgs, ShowArgs};
use super::view::op::{self, OWN_CLIENT, OpView};
use super::view::render::Render;
use super::view::{show as shown, time};
use super::{Client, CommandFailure, CommandScope, ToolArgs, ids, listen};

/// What the daemon lists at most at once.
const PAGE: u64 = 500;

/// Families that operations belong to although no agent sees a tool of theirs.
const QUIET_FAMILIES: [&str; 2] = ["hosts", "workspaces"];

/// Tools that no agent sees; `setup` is how older operations call theirs.
const OWN_TOOLS: [&str; 5] = ["packd_setup", "packd_hooks", "packd_guide", "packd_init", "setup"];

/// Every family that operations belong to.
pub fn families() -> BTreeSet<String> {
    let mut known: BTreeSet<String> =
        crate::daemon::assemble::declared().unwrap_or_default().into_iter().map(|t| t.family).collect();
    known.extend(QUIET_FAMILIES.map(str::to_string));
    known.remove("history");
    known
}

/// A family a person named, if there is one.
pub fn family(said: Option<&str>) -> Result<Option<String>, CommandFailure> {
    let Some(said) = said else { return Ok(None) };
    let known = families();
    match known.contains(said) {
        true => Ok(Some(said.to_string())),
        false => {
            let names: Vec<_> = known.iter().map(String::as_str).collect();
            Err(CommandFailure::usage(format!("There is no family '{said}'."))
                .hint(format!("Known: {}.", names.join(", "))))
        }
    }
}

/// A target a person named: a pack by its name is the pack.
fn target(client: &mut Client, said: Option<&str>) -> Result<Option<String>, CommandFailure> {
    let Some(said) = said else { return Ok(None) };
    let pack = ids::pack(client, said).ok();
    Ok(Some(pack.unwrap_or_else(|| said.to_string())))
}

/// The same, where something was done to it.
pub fn touched(client: &mut Client, said: Option<&str>) -> Result<Option<String>, CommandFailure> {
    let target = target(client, said)?;
    if let (Some(said), Some(target)) = (said, &target) {
        let page = client.must("history_list", json!({"target": target, "limit": 1}))?;
        if page["operations"].as_array().is_some_and(Vec::is_empty) {
            return Err(untouched(said));
        }
    }
    Ok(target)
}

/// A target that nobody ever worked on cannot be meant.
fn untouched(said: &str) -> CommandFailure {
    CommandFailure::usage(format!("Nothing here was ever done to '{said}'."))
        .hint("`packd pack list` and `packd task list` show what there is; files by their whole path.")
}

fn tool(said: Option<&str>) -> Result<Option<String>, CommandFailure> {
    let Some(said) = said else { return Ok(None) };
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    match tools.iter().any(|t| t.name == said) || OWN_TOOLS.contains(&said) {
        true => Ok(Some(said.to_string())),
        false => {
            Err(CommandFailure::usage(format!("There is no tool '{said}'."))
                .hint("`packd tools` lists them."))
        }
    }
}

/// A time a person named.
pub fn since(said: Option<&str>, render: Render) -> Result<Option<jiff::Timestamp>, CommandFailure> {
    let Some(said) = said else { return Ok(None) };
    time::since(said, render.now()).map(Some).ok_or_else(|| {
        CommandFailure::usage(format!("'{said}' is no time."))
            .hint("Examples: 90s, 15m, 1h, 2d, 2026-11-18, 2026-11-18T09:30:00Z.")
    })
}

pub fn list(args: &HistoryArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let family = family(args.family.as_deref())?;
    let tool = tool(args.tool.as_deref())?;
    let since = since(args.since.as_deref(), render)?;
    let mut client = Client::open(scope)?;
    // Set-ups of the user's own files belong to no project and are listed in each.
    let everywhere = args.all || family.as_deref() == Some("hosts");
    let target = target(&mut client, args.target.as_deref())?;
    let before = args.before.as_deref().map(|id| ids::operation(&mut client, id)).transpose()?;
    let request = ToolArgs::new()
        .with("all_workspaces", everywhere)
        .given("stream", args.audit.then_some("audit"))
        .given("family", family.as_ref())
        .given("target", target.as_ref())
        .given("tool", tool.as_ref())
        .given("path", args.path.as_ref())
        .given("before", before.as_ref());
    let picky = args.by.is_some() || args.session.is_some() || since.is_some();
    let reply = if picky || args.limit > PAGE {
        picked(&mut client, args, request, before.clone(), since)?
    } else {
        client.must("history_list", request.with("limit", args.limit))?
    };
    let none = reply["operations"].as_array().is_some_and(Vec::is_empty);
    if let Some(said) = args.target.as_deref().filter(|_| none && !picky && before.is_none()) {
        return Err(untouched(said));
    }
    let narrowed = picky || [&family, &tool, &args.path, &target, &before].iter().any(|by| by.is_some());
    render.long().view(&reply, |r, history: op::HistoryView| {
        if history.operations.is_empty() && narrowed {
            r.line("Nothing that was done here fits.");
            return r.hint("`packd history` shows what was done.");
        }
        if history.operations.is_empty() {
            r.line(if args.audit { "Nothing was noted here yet." } else { "Nothing was done here yet." });
            return r.hint("`packd history --all` shows every project.");
        }
        op::lines(r, &history.operations, args.all).iter().for_each(|line| r.line(line));
        if let Some(next) = &history.next_before {
            r.hint(format!("more: packd history --before {}", op::short(next)));
        }
    })
}

/// What the daemon has no filter for is picked here, newest first, until the limit or the time is reached.
fn picked(
    client: &mut Client,
    args: &HistoryArgs,
    request: ToolArgs,
    mut before: Option<String>,
    since: Option<jiff::Timestamp>,
) -> Result<Value, CommandFailure> {
    let by = args.by.as_deref().map(|name| if name == "you" { OWN_CLIENT } else { name });
    let mut clients = BTreeSet::new();
    let mut sessions = BTreeSet::new();
    let mut found: Vec<Value> = Vec::new();
    let mut old = false;
    'pages: loop {
        let page = request.clone().with("limit", PAGE).given("before", before);
        let reply = client.must("history_list", page)?;
        for value in reply["operations"].as_array().into_iter().flatten() {
            let op: OpView = super::view::read(value)?;
            old |=
                since.is_some_and(|since| op.time.parse::<jiff::Timestamp>().is_ok_and(|time| time < since));
            let is_by = by.is_none_or(|name| op.who.client == name);
            let said = args.session.as_deref().unwrap_or_default();
            let in_session = op.who.session.starts_with(said) || op.who.session.ends_with(said);
            clients.insert(op.who.client);
            if in_session && !said.is_empty() {
                sessions.insert(op.who.session);
            }
            if !old && is_by && in_session && (found.len() as u64) < args.limit {
                found.push(value.clone());
            }
            // Whether the client exists at all may only be known further back.
            let known =
                by.is_none_or(|name| clients.contains(name)) && (said.is_empty() || !sessions.is_empty());
            if (old || found.len() as u64 == args.limit) && known {
                break 'pages;
            }
        }
        match reply["next_before"].as_str() {
            Some(next) => before = Some(next.to_string()),
            None => break,
        }
    }
    if let Some(name) = by.filter(|name| !clients.contains(*name)) {
        let known: Vec<_> =
            clients.iter().map(|c| if c == OWN_CLIENT { "you" } else { c.as_str() }).collect();
        let known = if known.is_empty() { "nobody yet".to_string() } else { known.join(", ") };
        return Err(CommandFailure::usage(format!("No client '{name}' has done anything here."))
            .hint(format!("Known: {known}.")));
    }
    if let Some(said) = args.session.as_deref() {
        match sessions.len() {
            0 => {
                return Err(CommandFailure::refused(format!("No session '{said}' has done anything here."))
                    .hint("`packd mode` shows the open sessions."));
            }
            1 => {}
            n => {
                let ids: Vec<_> = sessions.iter().map(String::as_str).collect();
                return Err(CommandFailure::refused(format!("'{said}' fits {n} sessions."))
                    .hint(format!("Type more of one of: {}.", ids.join(", "))));
            }
        }
    }
    let full = found.len() as u64 >= args.limit && !old;
    let next = found.last().filter(|_| full).map(|op| op["operation_id"].clone());
    Ok(json!({"operations": found, "has_more": full, "next_before": next}))
}

pub fn show(args: &ShowArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let request = match (&args.id, args.request) {
        (Some(key), true) => ToolArgs::new().with("request_key", key),
        (id, _) => {
            ToolArgs::new().with("operation_id", ids::operation(&mut client, id.as_deref().unwrap_or("@"))?)
        }
    };
    let op = client.must("history_show", request)?;
    render.long().view(&op, |r, op: shown::WholeOpView| shown::print(r, &op))
}

pub fn log(args: &LogArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let mut since = args.since.as_deref().map(|id| ids::operation(&mut client, id)).transpose()?;
    let stream = if args.audit { "audit" } else { "ops" };
    if args.follow {
        // Whatever happens while the log is read makes itself heard afterwards.
        listen::begin(&mut client)?;
    }
    loop {
        let request =
            ToolArgs::new().with("limit", 200).with("all_workspaces", args.all).with("stream", stream);
        let page = client.must("history_delta", request.given("since", since.as_ref()))?;
        let records = page["operations"].as_array().cloned().unwrap_or_default();
        if render.json {
            records.iter().for_each(|op| render.line(op.to_string()));
        } else {
            let ops: Vec<OpView> = super::view::read(&page["operations"])?;
            op::lines(render, &ops, args.all).iter().for_each(|line| render.line(line));
        }
        if let Some(latest) = page["latest_id"].as_str() {
            since = Some(latest.to_string());
        }
        if page["has_more"] == true {
            continue;
        }
        if !args.follow {
            return Ok(());
        }
        client = listen::wait(client, render, scope)?;
    }
}
