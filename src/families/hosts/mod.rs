//! Enters packd into the configuration of MCP hosts, as an operation like any other: seen, undone, redone.
//!
//! Declares no tool: agents have no business in their host's configuration. The command line reaches it
//! through `packd/setup`. Pure: texts of files in, texts of files out.

pub mod entry;
mod json;
pub mod table;
mod toml;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::core::ctx::{ErrorCtx, Gathered};
use crate::core::outcome::OP_ID;
use crate::core::world::ReadError;
use crate::core::{
    Call, Ctx, Effect, Error, Family, FileImage, Kept, Outcome, Record, Reply, Result, SessionInfo, World,
};
use entry::{Entry, Found};
use table::{HOSTS, Host, Places};

/// The call that reaches this family.
pub const TOOL: &str = "packd_setup";
/// Larger than any host's file; Claude Code's grows to a few megabytes.
const MAX_FILE: u64 = 64 * 1024 * 1024;

pub struct Hosts;

/// A host's file as it was found.
struct Seen {
    host: &'static Host,
    /// Where the host looks for it.
    file: PathBuf,
    /// A directory that exists, and the file below it; links on the way are resolved.
    root: PathBuf,
    below: PathBuf,
    content: std::result::Result<Option<(String, u32)>, String>,
    installed: bool,
}

impl Family for Hosts {
    fn name(&self) -> &'static str {
        "hosts"
    }

    fn wants_world(&self, _call: &Call, _session: &SessionInfo) -> bool {
        true
    }

    fn writes_files(&self, _call: &Call) -> bool {
        true
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let places = places(ctx);
        let mut seen = Vec::new();
        for host in HOSTS {
            seen.push(see(host, &places, ctx.call, world)?);
        }
        Ok(Box::new(seen))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        let seen = ctx.prepared::<Vec<Seen>>()?;
        let wanted = Wanted::of(ctx)?;
        let mut outcome = Outcome::default();
        let mut rows = Vec::new();
        let mut titles = Vec::new();
        for one in wanted.choose(seen)? {
            let plan = wanted.plan(one);
            if let Some(after) = plan.after.clone() {
                let before = one.content.as_ref().ok().and_then(Option::as_ref);
                let mode = before.map_or(if wanted.project { 0o644 } else { 0o600 }, |(_, mode)| *mode);
                let mut image = |text: &str, mode| {
                    let sha = crate::core::Sha::of(text.as_bytes());
                    outcome.blobs.push((sha.clone(), text.as_bytes().to_vec()));
                    FileImage { sha, mode }
                };
                outcome.effects.push(Effect {
                    root: one.root.clone(),
                    path: one.below.clone(),
                    before: before.map(|(text, mode)| image(text, *mode)),
                    after: Some(image(&after, mode)),
                    kept: false,
                });
                outcome.record.targets.push(format!("host:{}", one.host.id));
                outcome.record.paths.push(one.file.display().to_string());
                titles.push(one.host.title);
            }
            rows.push(plan.row(one, &wanted));
        }
        let changed = !outcome.effects.is_empty();
        outcome.record =
            Record { summary: format!("{} {}", wanted.verb.summary(), titles.join(", ")), ..outcome.record };
        outcome.reply = Reply::json(json!({
            "hosts": rows,
            "changed": changed && !ctx.call.preview,
            "dry_run": ctx.call.preview,
            "operation_id": if changed && !ctx.call.preview { json!(OP_ID) } else { Value::Null },
        }));
        Ok(outcome)
    }

    /// Hosts rewrite their files at every start, so a set-up is taken back by its entry and not by the bytes.
    fn mend(&self, path: &Path, current: &str, wanted: Option<&str>) -> Option<String> {
        let host = HOSTS.iter().find(|host| host.reads(path))?;
        let entry = match wanted {
            Some(text) => entry::look(host, text).ok()?,
            None => None,
        };
        match entry {
            None if entry::look(host, current).ok()?.is_none() => Some(current.to_string()),
            None => entry::remove(host, current).ok(),
            Some(found) => {
                let entry =
                    Entry { command: found.command, args: found.args, home: found.home, extra: host.extra() };
                entry::put(host, current, &entry).ok()
            }
        }
    }

    fn keeps(&self, session: &SessionInfo) -> Vec<Kept> {
        table::files(session)
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn places(ctx: &Ctx) -> Places {
    let call = ctx.call;
    let env = call.args.get("env").and_then(Value::as_object).into_iter().flatten();
    let env = env.filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_string())));
    Places {
        home: ctx.session.home.clone(),
        workspace: PathBuf::from(&ctx.session.workspace),
        macos: call.flag("macos"),
        env: env.collect(),
    }
}

fn see(host: &'static Host, places: &Places, call: &Call, world: &dyn World) -> Result<Seen> {
    let file = host.file(places, call.flag("project"));
    // A host's file may be a link into somebody's dotfiles: the file it points to is the one to write.
    let real = world.canonical(&file)?.unwrap_or_else(|| file.clone());
    let (root, below) = split(&real, world)?;
    let content = match world.load(&real, MAX_FILE) {
        Ok((stat, bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some((text, stat.mode))),
            Err(_) => Err("it is not UTF-8 text".to_string()),
        },
        Err(ReadError::Missing) => Ok(None),
        Err(e) => Err(e.to_string()),
    };
    let on_path = call.args.get("programs").and_then(Value::as_array).into_iter().flatten();
    let mut installed = on_path.filter_map(Value::as_str).any(|program| host.programs.contains(&program));
    for mark in host.marks(places) {
        installed |= world.stat(&mark)?.is_some();
    }
    Ok(Seen { host, file, root, below, content, installed })
}

/// The nearest directory that exists, resolved, and the rest of the path: directories made for a file are
/// removed with it when it is undone.
fn split(file: &Path, world: &dyn World) -> Result<(PathBuf, PathBuf)> {
    for dir in file.ancestors().skip(1) {
        if let Some(root) = world.canonical(dir)? {
            let below = file.strip_prefix(dir).unwrap_or(file).to_path_buf();
            return Ok((root, below));
        }
    }
    Err(Error::io(format!("{} is below no directory.", file.display())))
}

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    List,
    Add,
    Remove,
    /// Only corrects the path of entries that are there.
    Repair,
}

impl Verb {
    fn summary(self) -> &'static str {
        match self {
            Verb::Remove => "Take packd out of",
            Verb::Repair => "Correct packd's path in",
            _ => "Enter packd into",
        }
    }
}

/// What the caller asked for.
struct Wanted {
    verb: Verb,
    /// `None`: every host that is installed.
    hosts: Option<Vec<&'static Host>>,
    project: bool,
    entry: Entry,
}

impl Wanted {
    fn of(ctx: &Ctx) -> Result<Wanted> {
        let call = ctx.call;
        let verb = match call.text("verb") {
            Some("add") => Verb::Add,
            Some("remove") => Verb::Remove,
            Some("repair") => Verb::Repair,
            _ => Verb::List,
        };
        let hosts = match call.args.get("hosts").and_then(Value::as_array) {
            None => None,
            Some(names) => {
                let found: Result<Vec<_>> =
                    names.iter().filter_map(Value::as_str).map(|name| find(name)).collect();
                Some(found?)
            }
        };
        let texts = call.args.get("args").and_then(Value::as_array).into_iter().flatten();
        let entry = Entry {
            command: call.text("command").unwrap_or_default().to_string(),
            args: texts.filter_map(Value::as_str).map(str::to_string).collect(),
            home: call.text("packd_home").map(str::to_string),
            extra: Vec::new(),
        };
        if verb != Verb::List && verb != Verb::Remove && !Path::new(&entry.command).is_absolute() {
            return Err(Error::invalid("invalid_arguments", "The path of packd-mcp must be absolute."));
        }
        if call.flag("project") && ctx.session.workspace == "~" {
            return Err(Error::invalid("no_project", "This directory belongs to no project.")
                .hint("Go to a project, or leave --project out."));
        }
        Ok(Wanted { verb, hosts, project: call.flag("project"), entry })
    }

    fn choose<'a>(&self, seen: &'a [Seen]) -> Result<Vec<&'a Seen>> {
        let has = |one: &Seen| entry_in(one).is_ok_and(|found| found.is_some());
        let chosen: Vec<_> = match (&self.hosts, self.verb) {
            (Some(hosts), _) => seen.iter().filter(|s| hosts.iter().any(|h| h.id == s.host.id)).collect(),
            (None, Verb::List) => seen.iter().collect(),
            (None, Verb::Add) => seen.iter().filter(|s| s.installed).collect(),
            (None, Verb::Remove | Verb::Repair) => seen.iter().filter(|s| has(s)).collect(),
        };
        if chosen.is_empty() && self.verb == Verb::Add {
            let ids: Vec<_> = HOSTS.iter().map(|h| h.id).collect();
            return Err(Error::not_found("No MCP host was found on this machine.")
                .hint(format!("Name one: {}.", ids.join(", "))));
        }
        Ok(chosen)
    }

    fn entry_for(&self, host: &Host, found: Option<&Found>) -> Entry {
        let mut entry = Entry { extra: host.extra(), ..self.entry.clone() };
        match found {
            Some(found) if self.verb == Verb::Repair => {
                entry.args.clone_from(&found.args);
                entry.home.clone_from(&found.home);
            }
            _ => {
                entry.args.splice(0..0, host.args(self.project).iter().map(|a| a.to_string())).for_each(drop)
            }
        }
        entry
    }

    fn plan(&self, one: &Seen) -> Plan {
        let found = match entry_in(one) {
            Ok(found) => found,
            Err(why) => return Plan { action: "refused", after: None, found: None, why: Some(why) },
        };
        // A file that is not there reads as empty and is not made to hold nothing.
        let before = one.content.as_ref().ok().and_then(Option::as_ref).map(|(text, _)| text.as_str());
        let entry = self.entry_for(one.host, found.as_ref());
        let edited = match self.verb {
            Verb::List => Ok(None),
            Verb::Remove | Verb::Repair if found.is_none() => Ok(None),
            Verb::Remove => entry::remove(one.host, before.unwrap_or_default()).map(Some),
            Verb::Add | Verb::Repair => entry::put(one.host, before.unwrap_or_default(), &entry).map(Some),
        };
        let (action, after, why) = match edited {
            Err(why) => ("refused", None, Some(why)),
            Ok(None) if self.verb == Verb::List => ("list", None, None),
            Ok(None) => ("absent", None, None),
            Ok(Some(after)) if Some(after.as_str()) == before => ("unchanged", None, None),
            Ok(Some(after)) => {
                let action = match (self.verb, before, &found) {
                    (Verb::Remove, _, _) => "removed",
                    (_, None, _) => "created",
                    (_, _, None) => "added",
                    _ => "updated",
                };
                (action, Some(after), None)
            }
        };
        Plan { action, after, found, why }
    }
}

struct Plan {
    action: &'static str,
    after: Option<String>,
    found: Option<Found>,
    why: Option<String>,
}

impl Plan {
    fn row(&self, one: &Seen, wanted: &Wanted) -> Value {
        let mut row = json!({
            "host": one.host.id, "title": one.host.title, "file": one.file, "installed": one.installed,
            "action": self.action, "configured": self.found.is_some(), "then": one.host.then,
        });
        if let Some(found) = &self.found {
            row["command"] = json!(found.command);
            row["args"] = json!(found.args);
        }
        if let Some(why) = &self.why {
            row["why"] = json!(why);
            row["snippet"] = json!(entry::snippet(one.host, &wanted.entry_for(one.host, None)));
        }
        if let Some(after) = &self.after {
            let before = one.content.as_ref().ok().and_then(Option::as_ref).map_or("", |(text, _)| text);
            row["diff"] = json!(diff(before, after));
        }
        row
    }
}

fn find(name: &str) -> Result<&'static Host> {
    Host::find(name).ok_or_else(|| {
        let ids: Vec<_> = HOSTS.iter().map(|h| h.id).collect();
        Error::invalid("unknown_host", format!("There is no host '{name}'."))
            .hint(format!("Known: {}.", ids.join(", ")))
    })
}

fn entry_in(one: &Seen) -> std::result::Result<Option<Found>, String> {
    match &one.content {
        Err(why) => Err(why.clone()),
        Ok(None) => Ok(None),
        Ok(Some((text, _))) => entry::look(one.host, text),
    }
}

/// Only the lines that change and their neighbours: the rest of the file may hold secrets.
fn diff(before: &str, after: &str) -> String {
    similar::TextDiff::from_lines(before, after).unified_diff().context_radius(1).to_string()
}
