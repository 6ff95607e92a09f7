//! `packd_setup`: looks at the files of MCP hosts, or enters packd into them, takes it out, or corrects its path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::entry::{self, EntryFound, ServerEntry};
use super::super::file::{FoundFile, MAX_FILE, diff};
use super::super::plugin::install::PluginInstall;
use super::super::table::{HOSTS, McpHost, UserDirs};
use crate::core::{Ctx, Error, Look, Needs, Outcome, Record, Reply, Result, Tool, World, Writes};

pub struct PackdSetup;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PackdSetupArgs {
    verb: Verb,
    /// Left out: every host that is installed.
    hosts: Option<Vec<String>>,
    project: bool,
    command: String,
    args: Vec<String>,
    packd_home: Option<String>,
    macos: bool,
    /// Of the command line: where hosts keep their files.
    env: BTreeMap<String, String>,
    /// Programs that are on its path.
    programs: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verb {
    #[default]
    List,
    Add,
    Remove,
    /// Only corrects the path of entries that are there.
    Repair,
}

/// A host's file as it was found.
pub struct HostFile {
    host: &'static McpHost,
    file: FoundFile,
    installed: bool,
    /// It has packd as a plugin.
    plugin: bool,
}

#[derive(Serialize)]
struct SetupReply {
    hosts: Vec<HostRow>,
    changed: bool,
    dry_run: bool,
    operation_id: Option<String>,
}

#[derive(Serialize)]
struct HostRow {
    host: &'static str,
    title: &'static str,
    file: PathBuf,
    installed: bool,
    action: &'static str,
    configured: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    plugin: bool,
    then: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl Tool for PackdSetup {
    type Args = PackdSetupArgs;
    type Seen = Vec<HostFile>;
    const NAME: &'static str = "packd_setup";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &PackdSetupArgs) -> Result<Vec<HostFile>> {
        let places = places(look, args);
        HOSTS.iter().map(|host| see(host, &places, args, look.world)).collect()
    }

    fn decide(ctx: &Ctx, args: &PackdSetupArgs, seen: &Vec<HostFile>) -> Result<Outcome> {
        let wanted = Wanted::of(ctx, args)?;
        let mut outcome = Outcome::default();
        let (mut rows, mut titles) = (Vec::new(), Vec::new());
        for one in wanted.choose(seen)? {
            let plan = wanted.plan(one);
            if let Some(after) = &plan.after {
                one.file.write(after, if wanted.project { 0o644 } else { 0o600 }, &mut outcome);
                outcome.record.targets.push(format!("host:{}", one.host.id));
                titles.push(one.host.title);
            }
            rows.push(plan.row(one, &wanted));
        }
        let changed = !outcome.effects.is_empty() && !ctx.call.preview;
        let id = changed.then(|| ctx.record_id());
        let summary = format!("{} {}", wanted.verb.summary(), titles.join(", "));
        outcome.record = Record { summary, id: id.clone(), ..outcome.record };
        outcome.reply =
            Reply::of(&SetupReply { hosts: rows, changed, dry_run: ctx.call.preview, operation_id: id });
        Ok(outcome)
    }
}

fn places(ctx: &Ctx, args: &PackdSetupArgs) -> UserDirs {
    UserDirs {
        home: ctx.session.home.clone(),
        workspace: PathBuf::from(&ctx.session.workspace),
        macos: args.macos,
        env: args.env.clone().into_iter().collect(),
    }
}

fn see(
    host: &'static McpHost,
    places: &UserDirs,
    args: &PackdSetupArgs,
    world: &dyn World,
) -> Result<HostFile> {
    let file = FoundFile::find(host.file(places, args.project), world)?;
    let mut installed = args.programs.iter().any(|program| host.programs.contains(&program.as_str()));
    for mark in host.marks(places) {
        installed |= world.stat(&mark)?.is_some();
    }
    let plugin = match PluginInstall::find(host.id) {
        None => false,
        Some(install) => {
            let mark = install.mark(places);
            match world.load(&mark, MAX_FILE) {
                Ok((_, bytes)) => install.says(Some(&String::from_utf8_lossy(&bytes))),
                Err(_) => world.stat(&mark)?.is_some() && install.says(None),
            }
        }
    };
    Ok(HostFile { host, file, installed, plugin })
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
    hosts: Option<Vec<&'static McpHost>>,
    project: bool,
    entry: ServerEntry,
}

impl Wanted {
    fn of(ctx: &Ctx, args: &PackdSetupArgs) -> Result<Wanted> {
        let hosts = match &args.hosts {
            None => None,
            Some(names) => Some(names.iter().map(|name| find(name)).collect::<Result<Vec<_>>>()?),
        };
        let entry = ServerEntry {
            command: args.command.clone(),
            args: args.args.clone(),
            home: args.packd_home.clone().filter(|home| !home.is_empty()),
            extra: Vec::new(),
        };
        let writes = matches!(args.verb, Verb::Add | Verb::Repair);
        if writes && !Path::new(&entry.command).is_absolute() {
            return Err(Error::invalid("invalid_arguments", "The path of packd-mcp must be absolute."));
        }
        if args.project && ctx.session.workspace == "~" {
            return Err(Error::invalid("no_project", "This directory belongs to no project.")
                .hint("Go to a project, or leave --project out."));
        }
        Ok(Wanted { verb: args.verb, hosts, project: args.project, entry })
    }

    fn choose<'a>(&self, seen: &'a [HostFile]) -> Result<Vec<&'a HostFile>> {
        let has = |one: &HostFile| entry_in(one).is_ok_and(|found| found.is_some());
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

    fn entry_for(&self, host: &McpHost, found: Option<&EntryFound>) -> ServerEntry {
        let mut entry = ServerEntry { extra: host.extra(), ..self.entry.clone() };
        match found {
            Some(found) if self.verb == Verb::Repair => {
                entry.args.clone_from(&found.args);
                entry.home.clone_from(&found.home);
            }
            _ => {
                entry.args.splice(0..0, host.args(self.project).iter().map(|a| a.to_string())).for_each(drop);
                entry.args = host.with_tools(entry.args);
            }
        }
        entry
    }

    fn plan(&self, one: &HostFile) -> EntryPlan {
        let found = match entry_in(one) {
            Ok(found) => found,
            Err(why) => return EntryPlan { action: "refused", after: None, found: None, why: Some(why) },
        };
        // A file that is not there reads as empty and is not made to hold nothing.
        let before = one.file.content.as_ref().ok().and_then(Option::as_ref).map(|(text, _)| text.as_str());
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
        EntryPlan { action, after, found, why }
    }
}

/// What becomes of the entry in one file.
struct EntryPlan {
    action: &'static str,
    after: Option<String>,
    found: Option<EntryFound>,
    why: Option<String>,
}

impl EntryPlan {
    fn row(self, one: &HostFile, wanted: &Wanted) -> HostRow {
        let refused = self.why.is_some();
        HostRow {
            host: one.host.id,
            title: one.host.title,
            file: one.file.path.clone(),
            installed: one.installed,
            action: self.action,
            configured: self.found.is_some(),
            plugin: one.plugin,
            then: one.host.then,
            snippet: refused.then(|| entry::snippet(one.host, &wanted.entry_for(one.host, None))),
            why: self.why,
            diff: self.after.map(|after| diff(one.file.text().unwrap_or_default(), &after)),
            command: self.found.as_ref().map(|found| found.command.clone()),
            args: self.found.map(|found| found.args),
        }
    }
}

fn find(name: &str) -> Result<&'static McpHost> {
    McpHost::find(name).ok_or_else(|| {
        let ids: Vec<_> = HOSTS.iter().map(|h| h.id).collect();
        Error::invalid("unknown_host", format!("There is no host '{name}'."))
            .hint(format!("Known: {}.", ids.join(", ")))
    })
}

fn entry_in(one: &HostFile) -> std::result::Result<Option<EntryFound>, String> {
    match one.file.exists() {
        true => entry::look(one.host, one.file.text()?),
        false => one.file.text().map(|_| None),
    }
}
