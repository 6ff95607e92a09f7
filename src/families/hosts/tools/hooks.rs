//! `packd_hooks`: packd's hooks in the settings of hosts, host by host, each taken back by its entries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::{Ctx, Error, Look, Needs, Outcome, Record, Reply, Result, Tool, Writes};
use crate::families::hosts::file::{FoundFile, diff};
use crate::families::hosts::hooks::{self, HOOKED, HookProgram, Hooked};
use crate::families::hosts::table::{McpHost, UserDirs};

pub struct SetHooks;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    #[default]
    List,
    Add,
    Remove,
}

#[derive(Debug, Deserialize)]
pub struct HooksArgs {
    #[serde(default)]
    verb: Verb,
    /// Empty = every host that has hooks.
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    project: bool,
    #[serde(default)]
    macos: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    command: PathBuf,
    packd_home: Option<String>,
}

pub struct Seen {
    hooked: &'static Hooked,
    file: FoundFile,
}

#[derive(Serialize)]
struct Row<'a> {
    host: &'static str,
    title: &'static str,
    file: &'a Path,
    action: &'static str,
    /// How many entries of packd's stand there now.
    hooks: usize,
    then: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct HooksReply<'a> {
    hosts: Vec<Row<'a>>,
    changed: bool,
    dry_run: bool,
    operation_id: Option<&'a str>,
}

impl Tool for SetHooks {
    type Args = HooksArgs;
    type Seen = Vec<Seen>;
    const NAME: &'static str = "packd_hooks";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &HooksArgs) -> Result<Vec<Seen>> {
        let places = UserDirs {
            home: look.session.home.clone(),
            workspace: PathBuf::from(&look.session.workspace),
            macos: args.macos,
            env: args.env.clone(),
        };
        let chosen =
            HOOKED.iter().filter(|h| args.hosts.is_empty() || args.hosts.iter().any(|id| id == h.host));
        let seen: Result<Vec<Seen>> = chosen
            .map(|hooked| {
                Ok(Seen { hooked, file: FoundFile::find(hooked.file(&places, args.project), look.world)? })
            })
            .collect();
        seen
    }

    fn decide(ctx: &Ctx, args: &HooksArgs, seen: &Vec<Seen>) -> Result<Outcome> {
        args.check(ctx)?;
        let program = HookProgram {
            command: args.command.to_string_lossy().into_owned(),
            home: args.packd_home.clone(),
        };
        let id = ctx.record_id();
        let mut outcome = Outcome::default();
        let mut rows = Vec::new();
        let mut titles = Vec::new();
        for one in seen {
            let wanted = one.hooked.entries(&program, true);
            let wanted: Vec<(String, Value)> = wanted.into_iter().map(|(e, v)| (e.to_string(), v)).collect();
            let (row, after) = one.plan(args, &wanted);
            if let Some(after) = after {
                one.file.write(&after, if args.project { 0o644 } else { 0o600 }, &mut outcome);
                outcome.record.targets.push(format!("hooks:{}", one.hooked.host));
                titles.push(row.title);
            }
            rows.push(row);
        }
        let changed = !outcome.effects.is_empty() && !ctx.call.preview;
        let verb =
            if args.verb == Verb::Remove { "Take packd's hooks out of" } else { "Write packd's hooks into" };
        let summary = format!("{verb} {}", titles.join(", "));
        outcome.record = Record { id: Some(id.clone()), summary, ..outcome.record };
        outcome.reply = Reply::of(&HooksReply {
            hosts: rows,
            changed,
            dry_run: ctx.call.preview,
            operation_id: changed.then_some(id.as_str()),
        });
        Ok(outcome)
    }
}

impl HooksArgs {
    fn check(&self, ctx: &Ctx) -> Result<()> {
        let known: Vec<&str> = HOOKED.iter().map(|hooked| hooked.host).collect();
        if let Some(wrong) = self.hosts.iter().find(|host| !known.contains(&host.as_str())) {
            let title = McpHost::find(wrong).map_or(wrong.as_str(), |host| host.title);
            return Err(Error::invalid("no_hooks", format!("{title} runs no hooks that packd knows."))
                .hint(format!("These do: {}.", known.join(", "))));
        }
        if self.verb == Verb::Add && !self.command.is_absolute() {
            return Err(Error::invalid("invalid_arguments", "The path of packd-mcp must be absolute."));
        }
        if self.project && ctx.session.workspace == "~" {
            return Err(Error::invalid("no_project", "This directory belongs to no project.")
                .hint("Go to a project, or leave --project out."));
        }
        Ok(())
    }
}

impl Seen {
    fn plan(&self, args: &HooksArgs, wanted: &[(String, Value)]) -> (Row<'_>, Option<String>) {
        let read = self.file.text().and_then(|text| Ok((text, hooks::look(text)?)));
        let edited = read.and_then(|(text, found)| {
            let after = match args.verb {
                Verb::List => None,
                Verb::Remove if found.is_empty() => None,
                Verb::Remove => Some(hooks::remove(text)?),
                Verb::Add => Some(hooks::put(self.hooked, text, wanted)?),
            };
            Ok((text, found.len(), after))
        });
        let mut row = Row {
            host: self.hooked.host,
            title: McpHost::find(self.hooked.host).map_or(self.hooked.host, |host| host.title),
            file: &self.file.path,
            action: "refused",
            hooks: 0,
            then: self.hooked.then,
            why: None,
            snippet: None,
            diff: None,
        };
        match edited {
            Err(why) => {
                row.why = Some(why);
                row.snippet = hooks::put(self.hooked, "", wanted).ok();
                (row, None)
            }
            Ok((text, found, after)) => {
                row.hooks = found;
                let after = after.filter(|after| after != text);
                row.action = match (args.verb, &after) {
                    (Verb::List, _) => "list",
                    (Verb::Remove, None) => "absent",
                    (Verb::Remove, Some(_)) => "removed",
                    (Verb::Add, None) => "unchanged",
                    (Verb::Add, Some(_)) if !self.file.exists() => "created",
                    (Verb::Add, Some(_)) if found == 0 => "added",
                    (Verb::Add, Some(_)) => "updated",
                };
                row.diff = after.as_deref().map(|after| diff(text, after));
                (row, after)
            }
        }
    }
}
