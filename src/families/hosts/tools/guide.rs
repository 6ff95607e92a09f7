//! `packd_guide`: the section about packd in the project's AGENTS.md, and in what other agents read where that exists.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hooks::Verb;
use crate::core::{Ctx, Error, Look, Needs, Outcome, Record, Reply, Result, Tool, Writes};
use crate::families::hosts::file::{FoundFile, diff};
use crate::families::hosts::guide;

pub struct Guide;

/// The file that is made where it is missing, and those that are only ever added to.
const ALWAYS: &str = "AGENTS.md";
const WHERE_THERE: [&str; 3] = ["CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];

/// Is this a file that may hold the section, by the end of its name?
pub fn is_one_of(path: &Path) -> bool {
    path.ends_with(ALWAYS) || WHERE_THERE.iter().any(|name| path.ends_with(name))
}

#[derive(Debug, Deserialize)]
pub struct GuideArgs {
    #[serde(default)]
    verb: Verb,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a Path,
    action: &'static str,
    present: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct GuideReply<'a> {
    files: Vec<Row<'a>>,
    changed: bool,
    dry_run: bool,
    operation_id: Option<&'a str>,
}

impl Tool for Guide {
    type Args = GuideArgs;
    type Seen = Vec<FoundFile>;
    const NAME: &'static str = "packd_guide";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, _args: &GuideArgs) -> Result<Vec<FoundFile>> {
        let workspace = PathBuf::from(&look.session.workspace);
        if !workspace.is_absolute() {
            return Err(Error::invalid("no_project", "This directory belongs to no project.")
                .hint("Go to a project and try again."));
        }
        let mut files = vec![FoundFile::find(workspace.join(ALWAYS), look.world)?];
        for name in WHERE_THERE {
            // A link that leads nowhere may lead to one that is made now.
            if look.world.canonical(&workspace.join(name))?.is_none() {
                continue;
            }
            let file = FoundFile::find(workspace.join(name), look.world)?;
            // One that is a link to another of them is that other one.
            if !matches!(file.content, Ok(None)) && files.iter().all(|known| known.real() != file.real()) {
                files.push(file);
            }
        }
        Ok(files)
    }

    fn decide(ctx: &Ctx, args: &GuideArgs, files: &Vec<FoundFile>) -> Result<Outcome> {
        let id = ctx.record_id();
        let mut outcome = Outcome::default();
        let mut rows = Vec::new();
        for file in files {
            let (row, after) = plan(file, args.verb);
            if let Some(after) = after {
                file.write(&after, 0o644, &mut outcome);
                outcome.record.targets.push("guide".to_string());
            }
            rows.push(row);
        }
        let changed = !outcome.effects.is_empty() && !ctx.call.preview;
        let names: Vec<&str> =
            outcome.record.paths.iter().filter_map(|path| path.rsplit('/').next()).collect();
        let verb = if args.verb == Verb::Remove {
            "Take the section about packd out of"
        } else {
            "Write a section about packd into"
        };
        let summary = format!("{verb} {}", names.join(", "));
        outcome.record = Record { id: Some(id.clone()), summary, ..outcome.record };
        outcome.reply = Reply::of(&GuideReply {
            files: rows,
            changed,
            dry_run: ctx.call.preview,
            operation_id: changed.then_some(id.as_str()),
        });
        Ok(outcome)
    }
}

fn plan(file: &FoundFile, verb: Verb) -> (Row<'_>, Option<String>) {
    let read = file.text().and_then(|text| Ok((text, guide::look(text)?)));
    let edited = read.and_then(|(text, found)| {
        let after = match verb {
            Verb::List => None,
            Verb::Remove => found.map(|_| guide::remove(text)).transpose()?,
            Verb::Add => Some(guide::put(text, &guide::section())?),
        };
        Ok((text, found.is_some(), after.filter(|after| after != text)))
    });
    let row = Row { file: &file.path, action: "refused", present: false, why: None, diff: None };
    match edited {
        Err(why) => (Row { why: Some(why), ..row }, None),
        Ok((text, present, after)) => {
            let action = match (verb, &after) {
                (Verb::List, _) => "list",
                (Verb::Remove, None) => "absent",
                (Verb::Remove, Some(_)) => "removed",
                (Verb::Add, None) => "unchanged",
                (Verb::Add, Some(_)) if !file.exists() => "created",
                (Verb::Add, Some(_)) if present => "updated",
                (Verb::Add, Some(_)) => "added",
            };
            let diff = after.as_deref().map(|after| diff(text, after));
            (Row { action, present, diff, ..row }, after)
        }
    }
}
