//! `packd setup`: enters packd into MCP hosts. The daemon edits the files, so that it can be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::args::SetupArgs;
use super::view::place;
use super::view::render::{Ink, Render};
use super::view::table::TextTable;
use super::{Client, CommandFailure, CommandScope, ToolArgs, setup_more, setup_plugin};
use crate::core::Safety;
use crate::daemon::assemble::hosts::table::{HOSTS, McpHost, SMALL_SET, UserDirs};
use crate::ipc::home::user_home;

/// The tool behind it, which no agent knows.
const TOOL: &str = "packd_setup";
/// Every tool of every family.
const ALL: &str = "all";

pub fn run(args: &SetupArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if args.agents_md {
        return setup_more::guide(args, render, scope);
    }
    if args.hooks {
        return setup_more::hooks(args, render, scope);
    }
    if args.plugin && setup_plugin::run(args, render)?.is_some() {
        return Ok(());
    }
    let verb = verb(args)?;
    let hosts = args.host.as_ref().map(|host| [host]);
    let request = request(verb, args.project)?.given("hosts", hosts).with("args", flags(args)?);
    // The user's own files belong to no project.
    let user_wide = CommandScope { user_wide: true, ..CommandScope::default() };
    let mut client = Client::open(if args.project { scope } else { &user_wide })?;
    let answer = match args.all {
        true => one_by_one(&mut client, verb, request, args)?,
        false => client.own_tool(TOOL, request, args.dry_run || verb == "list")?,
    };
    let rows = answer["hosts"].as_array().cloned().unwrap_or_default();
    render.show(&answer, |r| match verb {
        "list" => list(r, &rows),
        _ => done(r, &rows, args, &answer),
    });
    if rows.iter().any(|row| row["action"] == "refused") && verb != "list" {
        return Err(CommandFailure {
            details: Box::new(answer),
            ..CommandFailure::refused("Not every file could be edited.")
        });
    }
    Ok(())
}

/// What is to be done to the hosts that were named.
pub fn verb(args: &SetupArgs) -> Result<&'static str, CommandFailure> {
    match (args.host.is_some() || args.all, args.remove) {
        (false, true) => {
            Err(CommandFailure::refused("From which host?").hint("Name one, or use --remove --all."))
        }
        (false, false) => Ok("list"),
        (true, true) => Ok("remove"),
        (true, false) => Ok("add"),
    }
}

/// Every host that is found, or from which something is to be removed.
fn one_by_one(
    client: &mut Client,
    verb: &str,
    request: ToolArgs,
    args: &SetupArgs,
) -> Result<Value, CommandFailure> {
    let found = client.own_tool(TOOL, request.clone().with("verb", "list"), true)?;
    let wanted = |row: &&Value| match verb {
        "remove" => row["configured"] == true || row["action"] == "refused",
        _ => row["installed"] == true,
    };
    let rows = found["hosts"].as_array().into_iter().flatten();
    let hosts: Vec<&str> = rows.filter(wanted).map(|row| text(row, "host")).collect();
    if hosts.is_empty() {
        return client.own_tool(TOOL, request, args.dry_run || verb == "list");
    }
    each(client, TOOL, &hosts, &request, verb, args)
}

/// One call for each host, and their answers as one.
#[derive(Serialize)]
struct Each {
    hosts: Vec<Value>,
    changed: bool,
    dry_run: bool,
    operation_ids: Vec<Value>,
    operation_id: Option<Value>,
}

/// Each host is an operation of its own, so that each can be taken back by itself.
pub fn each(
    client: &mut Client,
    tool: &str,
    hosts: &[&str],
    request: &ToolArgs,
    verb: &str,
    args: &SetupArgs,
) -> Result<Value, CommandFailure> {
    let mut all = Each {
        hosts: Vec::new(),
        changed: false,
        dry_run: args.dry_run,
        operation_ids: Vec::new(),
        operation_id: None,
    };
    for host in hosts {
        let one =
            client.own_tool(tool, request.clone().with("hosts", [host]), args.dry_run || verb == "list")?;
        all.hosts.extend(one["hosts"].as_array().cloned().unwrap_or_default());
        all.operation_ids.extend(Some(one["operation_id"].clone()).filter(|id| !id.is_null()));
        all.changed |= one["changed"] == true;
    }
    all.operation_id = all.operation_ids.last().cloned();
    Ok(serde_json::to_value(all).unwrap_or_default())
}

/// Every host as it is now, for `packd doctor`.
pub fn survey(client: &mut Client) -> Result<Vec<Value>, CommandFailure> {
    let answer = client.own_tool(TOOL, request("list", false)?, true)?;
    Ok(answer["hosts"].as_array().cloned().unwrap_or_default())
}

/// packd's hooks in every host's settings, for `packd doctor`.
pub fn survey_hooks(client: &mut Client) -> Result<Vec<Value>, CommandFailure> {
    let answer = client.own_tool("packd_hooks", request("list", false)?, true)?;
    Ok(answer["hosts"].as_array().cloned().unwrap_or_default())
}

/// Points the entries of these hosts at the shim beside this program; everything else in them stays.
pub fn repair(hosts: &[String]) -> Result<(), CommandFailure> {
    let mut client = Client::open(&CommandScope { user_wide: true, ..CommandScope::default() })?;
    client.own_tool(TOOL, request("repair", false)?.with("hosts", hosts), false).map(|_| ())
}

/// What to do about a host's file that changed since: hosts write to their own files, Claude Code all the time.
pub fn remedy(path: &str) -> Option<String> {
    let places = UserDirs {
        home: user_home().ok()?,
        macos: cfg!(target_os = "macos"),
        env: variables(),
        ..UserDirs::default()
    };
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let path = real(PathBuf::from(path));
    let (host, flag) = HOSTS.iter().find_map(|host| match path {
        _ if real(host.file(&places, false)) == path => Some((host, "")),
        _ if path.ends_with(host.servers) => Some((host, " --project")),
        _ => None,
    })?;
    Some(format!(
        "{} changed it since. `packd setup {}{flag} --remove` takes only packd's entry out.",
        host.title, host.id
    ))
}

/// The shim beside this program.
pub fn shim() -> Result<PathBuf, CommandFailure> {
    let exe =
        std::env::current_exe().map_err(|e| CommandFailure::refused(format!("Where is packd? {e}.")))?;
    let shim = exe.with_file_name("packd-mcp");
    if !shim.is_file() {
        return Err(CommandFailure::refused(format!("{} is missing.", shim.display()))
            .hint("Build or install both programs: cargo build --release."));
    }
    Ok(shim)
}

/// What the daemon cannot know by itself: this caller's environment and programs.
pub fn request(verb: &str, project: bool) -> Result<ToolArgs, CommandFailure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = |program: &&str| std::env::split_paths(&path).any(|dir| dir.join(program).is_file());
    let programs: Vec<_> = HOSTS.iter().flat_map(|h| h.programs).copied().filter(installed).collect();
    let own_home = std::env::var("PACKD_HOME").ok().filter(|home| !home.is_empty());
    Ok(ToolArgs::new()
        .with("verb", verb)
        .with("project", project)
        .with("env", variables())
        .with("programs", programs)
        .with("macos", cfg!(target_os = "macos"))
        .with("command", shim()?)
        .given("packd_home", own_home))
}

fn variables() -> BTreeMap<String, String> {
    let set =
        UserDirs::VARIABLES.iter().filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?)));
    set.collect()
}

pub fn flags(args: &SetupArgs) -> Result<Vec<String>, CommandFailure> {
    let mut flags = Vec::new();
    if let Some(list) = &args.toolsets {
        let known = toolsets();
        let wrong = list.split(',').map(str::trim).find(|t| *t != ALL && !known.contains(*t));
        if let Some(wrong) = wrong {
            let names: Vec<_> = known.iter().map(String::as_str).collect();
            return Err(CommandFailure::usage(format!("There is no toolset '{wrong}'."))
                .hint(format!("Known: {} or all.", names.join(", "))));
        }
        flags.extend(["--toolsets".to_string(), list.replace(' ', "")]);
    }
    for (on, flag) in [(args.read_only, "--read-only"), (args.allow_write, "--allow-write")] {
        if on {
            flags.push(flag.to_string());
        }
    }
    if let Some(mode) = &args.max_mode {
        flags.extend(["--max-mode".to_string(), mode.clone()]);
    }
    Ok(flags)
}

/// The families that have tools, and the sets across them.
fn toolsets() -> BTreeSet<String> {
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    tools.into_iter().flat_map(|tool| tool.rules.sets.into_iter().chain([tool.family])).collect()
}

/// How many tools a host is offered with these flags.
fn offered(host: &McpHost, args: &SetupArgs) -> usize {
    let usual = if host.sends_every_tool { SMALL_SET } else { ALL };
    let list = args.toolsets.as_deref().unwrap_or(usual);
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    let listed = tools.iter().filter(|tool| {
        let chosen = list
            .split(',')
            .map(str::trim)
            .any(|t| t == ALL || t == tool.family || tool.rules.sets.iter().any(|set| set == t));
        let writes = tool.rules.safety != Safety::ReadOnly;
        chosen && !(args.read_only && writes) && (args.allow_write || tool.rules.needs_flag.is_none())
    });
    listed.count()
}

pub fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_default()
}

/// A path as people write it.
pub fn short(path: &str) -> String {
    place::shown(path)
}

fn list(r: Render, rows: &[Value]) {
    let mut table = TextTable::new(&["HOST", "STATE", "FILE"]).fluid(2);
    for row in rows {
        let state = match (text(row, "action"), row["configured"] == true, row["installed"] == true) {
            ("refused", _, _) => r.ink(Ink::Red, "unreadable file"),
            (_, true, _) => r.ink(Ink::Green, "set up"),
            (_, false, true) => r.ink(Ink::Yellow, "found, not set up"),
            _ => r.ink(Ink::Dim, "not found"),
        };
        table.row([text(row, "host").to_string(), state, short(text(row, "file"))]);
    }
    table.print(r);
    r.hint("`packd setup HOST` enters packd into one, `packd setup --all` into all found.");
}

fn done(r: Render, rows: &[Value], args: &SetupArgs, answer: &Value) {
    if rows.is_empty() {
        return r.line("No host has an entry of packd.");
    }
    for row in rows {
        let (title, file) = (text(row, "title"), short(text(row, "file")));
        match text(row, "action") {
            "refused" => {
                r.line(format!("{}  {title}: {file} was left alone:", r.ink(Ink::Red, "refused")));
                r.line(format!("  {}", text(row, "why")));
                r.line("  Correct it and try again, or paste this:");
                r.line("");
                text(row, "snippet").lines().for_each(|line| r.line(format!("    {line}")));
                continue;
            }
            "unchanged" => r.line(format!("{}  {title}: {file} says so already", r.ink(Ink::Green, "ok"))),
            "absent" => r.line(format!("{}  {title}: {file} has no entry of packd", r.ink(Ink::Green, "ok"))),
            action if args.dry_run => {
                let action = placed(action);
                r.line(format!("{}  {title}: would be {action} {file}", r.ink(Ink::Yellow, "dry run")));
                let changed = text(row, "diff").lines().filter(|line| !line.starts_with("@@"));
                changed.for_each(|line| r.line(coloured(r, line)));
            }
            action => {
                let action = placed(action);
                r.line(format!("{}  {title}: {action} {file}", r.ink(Ink::Green, "ok")));
                if !args.remove {
                    r.line(format!("    {}", text(row, "then")));
                }
            }
        }
        if let Some(host) = McpHost::find(text(row, "host")) {
            for note in crowded(host, args).into_iter().chain(narrowed(host, args)) {
                r.line(format!("    {note}"));
            }
        }
    }
    if answer["changed"] == true {
        r.hint("`packd undo --family hosts` takes it back.");
    }
}

/// What was done, as it stands before a file's name.
pub fn placed(action: &str) -> &str {
    match action {
        "created" => "written to a new",
        "removed" => "removed from",
        "updated" => "updated in",
        _ => "added to",
    }
}

/// Says when a host gets the small set because nothing else was asked for.
fn narrowed(host: &McpHost, args: &SetupArgs) -> Vec<String> {
    if !host.sends_every_tool || args.toolsets.is_some() || args.remove {
        return Vec::new();
    }
    let count = offered(host, args);
    vec![
        format!("It sends every tool with every turn, so it gets the {count} of daily work."),
        format!("`packd setup {} --toolsets {ALL}` offers all of them.", host.id),
    ]
}

/// Says when a host would not show all the tools it is offered.
fn crowded(host: &McpHost, args: &SetupArgs) -> Option<String> {
    let limit = host.most_tools.filter(|_| !args.remove)?;
    let count = offered(host, args);
    (count > limit).then(|| {
        format!("That is {count} tools; {} shows about {limit}. Choose with --toolsets.", host.title)
    })
}

pub fn coloured(r: Render, line: &str) -> String {
    let ink = match line.chars().next() {
        Some('+') => Ink::Green,
        Some('-') => Ink::Red,
        _ => Ink::Dim,
    };
    format!("    {}", r.ink(ink, line))
}
