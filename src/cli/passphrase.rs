//! Saying, setting and changing the passphrase: asked at the terminal, checked by the daemon, kept nowhere here.

use serde_json::Value;

use super::terminal::Terminal;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

/// Asks until it is right; the daemon counts the tries.
pub fn unlock(client: &mut Client) -> Result<(), CommandFailure> {
    let terminal = Terminal::need()?;
    loop {
        let said =
            terminal.ask_hidden("Passphrase: ")?.ok_or_else(|| CommandFailure::refused("Not done."))?;
        match client.own("packd/unlock", ToolArgs::new().with("passphrase", said)) {
            Ok(_) => return Ok(()),
            Err(failure) => again(&terminal, failure)?,
        }
    }
}

/// A wrong one may be tried again while there are tries left.
fn again(terminal: &Terminal, failure: CommandFailure) -> Result<(), CommandFailure> {
    match failure.details["attempts_left"].as_u64() {
        Some(left) if left > 0 => {
            terminal.say(&failure.message);
            Ok(())
        }
        _ => Err(failure),
    }
}

pub fn set(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let terminal = Terminal::need()?;
    let mut client = Client::open(scope)?;
    prove(&mut client, &terminal)?;
    let new = terminal.ask_hidden("New passphrase: ")?.unwrap_or_default();
    let twice = terminal.ask_hidden("The same again: ")?.unwrap_or_default();
    if new != twice {
        return Err(CommandFailure::refused("The two are not the same; nothing was changed."));
    }
    let done = client.own("packd/passphrase", ToolArgs::new().with("new", new))?;
    told(render, &done)
}

pub fn remove(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let terminal = Terminal::need()?;
    let mut client = Client::open(scope)?;
    prove(&mut client, &terminal)?;
    let done = client.own("packd/passphrase", ToolArgs::new())?;
    told(render, &done)
}

/// Whoever changes a passphrase knows the one before.
fn prove(client: &mut Client, terminal: &Terminal) -> Result<(), CommandFailure> {
    if client.own("packd/gates", ToolArgs::new())?["passphrase"] == true {
        terminal.say("There is a passphrase already.");
        unlock(client)?;
    }
    Ok(())
}

fn told(render: Render, done: &Value) -> Result<(), CommandFailure> {
    render.show(done, |r| r.line(done["message"].as_str().unwrap_or_default()));
    Ok(())
}
