//! `packd confirm`: shows what waits for a person and asks, at the person's own terminal.
//!
//! The question is the daemon's, with everything the asking agent was shown. A fresh preview (the world moved, or
//! the question was old) is shown and asked about again; nothing runs that was not seen.

use serde_json::Value;

use super::args::ConfirmArgs;
use super::client::ToolAnswer;
use super::terminal::Terminal;
use super::view::render::{Ink, Render};
use super::view::{confirm as view, op};
use super::{Client, CommandFailure, CommandScope, ToolArgs, ids, passphrase};

/// Fresh previews in a row before giving up: a world that moves that fast cannot be agreed to.
const FRESH: usize = 5;

pub fn run(args: &ConfirmArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if args.set_passphrase {
        return passphrase::set(render, scope);
    }
    if args.remove_passphrase {
        return passphrase::remove(render, scope);
    }
    let mut client = Client::open(scope)?;
    let waiting = client.must("amof_list_pending", ToolArgs::new())?;
    let all = waiting["pending"].as_array().cloned().unwrap_or_default();
    if args.list || render.json && args.id.is_none() {
        return render.view(&waiting, |r, w: view::ConfirmationsView| view::list(r, &w));
    }
    let terminal = Terminal::need()?;
    let chosen: Vec<&Value> = match &args.id {
        Some(said) => {
            let known =
                all.iter().map(|one| (one["id"].as_str().unwrap_or_default().to_string(), String::new()));
            let id = ids::one_of(said, "confirmation", known.collect()).map_err(|failure| {
                match failure.hint.is_some() {
                    true => failure,
                    false => CommandFailure::refused(format!(
                        "Nothing that is called {said} waits for confirmation."
                    ))
                    .hint("`packd confirm --list` shows what does."),
                }
            })?;
            all.iter().filter(|one| one["id"] == id).collect()
        }
        None => all.iter().collect(),
    };
    if chosen.is_empty() {
        render.line("Nothing waits for confirmation.");
    }
    for one in chosen {
        decide(&mut client, &terminal, render, one)?;
    }
    Ok(())
}

/// Asks about one confirmation until there is an answer to what is really there.
fn decide(
    client: &mut Client,
    terminal: &Terminal,
    render: Render,
    one: &Value,
) -> Result<(), CommandFailure> {
    let id = one["id"].as_str().unwrap_or_default();
    let mut question = one["question"].as_str().unwrap_or_default().to_string();
    let mut named = one["type"] == "type";
    if one["status"] == "lapsed" {
        terminal.say("This was asked a while ago; if you agree, it is looked at again first.");
    }
    for _ in 0..FRESH {
        let Some(answer) = answered(client, terminal, render, &question, named, id)? else {
            terminal.say("Not done; whoever asked is told so.");
            return Ok(());
        };
        if !answer.is_error {
            render.show(&answer.value(), |r| r.line(r.ink(Ink::Green, done(&answer))));
            return Ok(());
        }
        let failure = CommandFailure::of_tool(&answer);
        let fresh = answer.structured.pointer("/error/details/question");
        let Some(fresh) = fresh.filter(|q| q["text"].is_string()) else { return Err(failure) };
        terminal.say(&format!("\n{}\n", failure.message));
        question = fresh["text"].as_str().unwrap_or_default().to_string();
        named = fresh["typed"].is_string();
    }
    Err(CommandFailure::refused("It changed each time it was looked at; nothing was done."))
}

/// What was done, for people: the family's own first line, or its summary.
fn done(answer: &ToolAnswer) -> String {
    let operation = ["/operation_id", "/data/operation_id"]
        .iter()
        .find_map(|at| answer.structured.pointer(at).and_then(Value::as_str));
    if let Some(id) = operation {
        return format!(
            "Done. `packd show {}` shows what changed, `packd undo` takes it back.",
            op::short(id)
        );
    }
    match answer.structured["run_id"].as_str() {
        Some(run) => {
            format!("Started. `packd run logs {} --follow` shows how it goes.", super::view::run::short(run))
        }
        None => "Done.".to_string(),
    }
}

/// What came of a person's answer; `None` = they said no, and the question is gone. A wrong name is asked for again
/// while the daemon allows it.
fn answered(
    client: &mut Client,
    terminal: &Terminal,
    render: Render,
    question: &str,
    named: bool,
    token: &str,
) -> Result<Option<ToolAnswer>, CommandFailure> {
    terminal.say(&format!("\n{}\n", view::question(render, question)));
    loop {
        let typed = match named {
            true => {
                let typed = terminal.ask("Name (nothing = no): ")?.unwrap_or_default().trim().to_string();
                Some(typed).filter(|typed| !typed.is_empty()).map(Some)
            }
            false => terminal.agrees("Proceed?")?.then_some(None),
        };
        let Some(typed) = typed else {
            client.must("amof_cancel_confirm", ToolArgs::new().with("token", token))?;
            return Ok(None);
        };
        let answer = client.call("amof_confirm", arguments(token, typed.as_deref()))?;
        let wrong =
            answer.structured.pointer("/error/code") == Some(&Value::from("confirm_wrong_typed_value"));
        let left = answer.structured.pointer("/error/details/attempts_left").and_then(Value::as_u64);
        if !wrong || left.unwrap_or(0) == 0 {
            return Ok(Some(answer));
        }
        terminal.say("That is not the name.");
    }
}

/// Shows a preview, asks, and confirms it; the typed name where the tool wants one. An error means "not done".
pub fn ask(
    client: &mut Client,
    render: Render,
    preview: &ToolAnswer,
    yes: bool,
) -> Result<ToolAnswer, CommandFailure> {
    let told = |at: &str| preview.structured.pointer(at).and_then(Value::as_str).unwrap_or_default();
    let (token, kind) = (told("/confirmation/token"), told("/confirmation/type"));
    if yes && kind != "type" {
        return client.call("amof_confirm", arguments(token, None));
    }
    if render.json {
        return Err(CommandFailure::refused("A person must answer this on a terminal.")
            .hint("Run it again without --json, or with --yes where that is offered."));
    }
    let terminal = Terminal::need().map_err(|failure| {
        let hint = failure.hint.clone().unwrap_or_default();
        failure.hint(format!(
            "{hint} It waits there: `packd confirm` shows it and asks. Where it is offered, --yes agrees in advance."
        ))
    })?;
    let text = question(client, preview)?;
    let answer = answered(client, &terminal, render, &text, kind == "type", token)?;
    answer.ok_or_else(|| CommandFailure::refused("Not done."))
}

/// The daemon's own question: made of the structured preview, with every file, branch, remote and step.
fn question(client: &mut Client, preview: &ToolAnswer) -> Result<String, CommandFailure> {
    let id = preview.structured.pointer("/confirmation/id").and_then(Value::as_str).unwrap_or_default();
    let waiting: view::ConfirmationsView =
        super::view::read(&client.must("amof_list_pending", ToolArgs::new())?)?;
    let text = waiting.pending.into_iter().find(|one| one.id == id).and_then(|one| one.question);
    text.ok_or_else(|| CommandFailure::refused("What is to be agreed to cannot be shown, so it is not done."))
}

fn arguments(token: &str, typed: Option<&str>) -> ToolArgs {
    ToolArgs::new().with("token", token).given("typed_value", typed)
}
