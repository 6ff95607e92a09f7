//! `packd undo`, `redo`, `revert`: previewed, asked about on a terminal, and then exactly what was previewed.

use serde::Deserialize;

use super::args::{RedoArgs, RevertArgs, StepArgs};
use super::terminal::Terminal;
use super::view::op::{self, OWN_CLIENT, OpView};
use super::view::render::{Ink, Render};
use super::view::show;
use super::{Client, CommandFailure, CommandScope, ToolArgs, history, ids, undo_all};

/// One way through the history.
struct Verb {
    tool: &'static str,
    /// The reply's field with the operation.
    field: &'static str,
    would: &'static str,
    did: &'static str,
}

const UNDO: Verb = Verb { tool: "history_undo", field: "undid", would: "Would take back", did: "Undid" };
const REDO: Verb = Verb { tool: "history_redo", field: "redid", would: "Would bring back", did: "Redid" };
const REVERT: Verb =
    Verb { tool: "history_revert", field: "reverted", would: "Would take back", did: "Took back" };

pub fn undo(args: &StepArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if args.by.is_some() || args.session.is_some() || args.since.is_some() {
        return undo_all::run(args, render, scope);
    }
    let (mut client, request) = narrowed(&args.family, &args.target, &args.expect, scope)?;
    step(&UNDO, &mut client, request, args.yes, render)
}

pub fn redo(args: &RedoArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let (mut client, request) = narrowed(&args.family, &args.target, &args.expect, scope)?;
    step(&REDO, &mut client, request, args.yes, render)
}

pub fn revert(args: &RevertArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let id = ids::operation(&mut client, &args.id)?;
    // It may be one of another project, or of none.
    let op = client.must("history_show", ToolArgs::new().with("operation_id", &id))?;
    let mut client = match op["workspace"].as_str() {
        Some(workspace)
            if workspace == super::client::USER_WIDE || std::path::Path::new(workspace).is_dir() =>
        {
            Client::open(&CommandScope::of(workspace))?
        }
        _ => client,
    };
    step(&REVERT, &mut client, ToolArgs::new().with("operation_id", id), args.yes, render)
}

/// Set-ups of the user's own files belong to no project, those of a project to it: whichever was the last.
fn hosts(scope: &CommandScope) -> Result<Client, CommandFailure> {
    let mut here = Client::open(scope)?;
    let newest = |client: &mut Client| -> Result<String, CommandFailure> {
        let page = client.must("history_list", ToolArgs::new().with("family", "hosts").with("limit", 1))?;
        Ok(page["operations"][0]["operation_id"].as_str().unwrap_or_default().to_string())
    };
    let mut nowhere = Client::open(&CommandScope { workspace: None, user_wide: true })?;
    // Ids are in the order of time.
    let of_project = newest(&mut here)? > newest(&mut nowhere)?;
    Ok(if of_project { here } else { nowhere })
}

fn narrowed(
    family: &Option<String>,
    target: &Option<String>,
    expect: &Option<String>,
    scope: &CommandScope,
) -> Result<(Client, ToolArgs), CommandFailure> {
    let family = history::family(family.as_deref())?;
    let mut client = match family.as_deref() {
        Some("hosts") => hosts(scope)?,
        _ => Client::open(scope)?,
    };
    let target = history::touched(&mut client, target.as_deref())?;
    let expect = expect.as_deref().map(|id| ids::operation(&mut client, id)).transpose()?;
    let request = ToolArgs::new().given("family", family).given("target", target);
    Ok((client, request.given("expected_operation_id", expect)))
}

fn step(
    verb: &Verb,
    client: &mut Client,
    mut request: ToolArgs,
    yes: bool,
    render: Render,
) -> Result<(), CommandFailure> {
    let terminal = Terminal::controlling().filter(|_| !render.json && !yes);
    if let Some(terminal) = terminal {
        let look = request.clone().with("mode", "plan");
        let preview = client.must(verb.tool, look).map_err(for_people)?;
        let preview = super::view::read::<Step>(&preview)?.of(verb)?;
        preview.print(render, verb.would);
        if !terminal.agrees("Do it?")? {
            return Err(CommandFailure::refused("Not done."));
        }
        // What is done is what was shown, or nothing.
        if verb.tool != REVERT.tool {
            request.set("expected_operation_id", &preview.op.operation_id);
        }
        request.set("yes", true);
        let done = client.must(verb.tool, request).map_err(for_people)?;
        super::view::read::<Step>(&done)?.of(verb)?.print(render, verb.did);
        return Ok(());
    }
    request.set("yes", yes);
    let answer = client.must(verb.tool, request).map_err(for_people)?;
    if render.json {
        render.json(&answer);
        return Ok(());
    }
    let step = super::view::read::<Step>(&answer)?.of(verb)?;
    match step.preview {
        true => {
            step.print(render, verb.would);
            render.hint(format!("`packd show {}` shows what it changed.", step.op.short()));
            render.line("It writes the files above. Run it again with --yes to do it.");
        }
        false => step.print(render, verb.did),
    }
    Ok(())
}

/// A step as it is shown, before and after.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Step {
    undid: Option<OpView>,
    redid: Option<OpView>,
    reverted: Option<OpView>,
    #[serde(skip)]
    op: OpView,
    files: Vec<show::FileChangeView>,
    steps: Vec<String>,
    /// Files that were changed since and stay.
    clashes: Vec<StaysView>,
    preview: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct StaysView {
    path: String,
    because: String,
}

impl StaysView {
    pub fn print(&self, r: Render) {
        r.line(format!("  {} {}: {}", r.ink(Ink::Yellow, "stays"), r.path(&self.path), self.because));
    }
}

impl Step {
    fn of(mut self, verb: &Verb) -> Result<Step, CommandFailure> {
        let op = self.undid.take().or(self.redid.take()).or(self.reverted.take());
        self.op = op.ok_or_else(|| {
            CommandFailure::refused(format!("The daemon's answer has no '{}'.", verb.field))
        })?;
        Ok(self)
    }

    fn print(&self, r: Render, words: &str) {
        let words = if self.preview { words.to_string() } else { r.ink(Ink::Green, words) };
        r.prose(2, format!("{words}: {}", self.op.said()));
        r.hint(format!("  {} by {}, {}", self.op.short(), self.op.by(), r.when(&self.op.time)));
        self.files
            .iter()
            .for_each(|file| r.prose(9, format!("  {} {}", show::verb(r, &file.change), r.path(&file.path))));
        self.steps.iter().for_each(|step| r.line(format!("  {step}")));
        self.clashes.iter().for_each(|stays| stays.print(r));
    }
}

/// A host's file that changed since has a remedy of its own, and who is in the way is named.
pub fn for_people(failure: CommandFailure) -> CommandFailure {
    let first = &failure.details["details"]["in_the_way"][0];
    if let (Some(id), Some(client)) = (first["operation_id"].as_str(), first["client"].as_str()) {
        let who = if client == OWN_CLIENT { "you" } else { client };
        let hint = failure.hint.clone().unwrap_or_default();
        let named = format!("{} was done by {who}. {hint}", op::short(id));
        return failure.hint(named);
    }
    let changed = failure.details["code"] == "file_changed";
    let path = failure.details["details"]["path"].as_str().filter(|_| changed);
    match path.and_then(super::setup::remedy) {
        Some(remedy) => failure.hint(remedy),
        None => failure,
    }
}
