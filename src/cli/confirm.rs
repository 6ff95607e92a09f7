//! `packd confirm`: shows what waits for a person and asks, on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use serde_json::{Value, json};

use super::args::ConfirmArgs;
use super::client::Answer;
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};

pub fn run(args: &ConfirmArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    let waiting = client.must("amof_list_pending", json!({}))?;
    let all = waiting["pending"].as_array().cloned().unwrap_or_default();
    if args.list || render.json && args.id.is_none() {
        render.show(&waiting, |r| all.iter().for_each(|one| show(r, one)));
        return Ok(());
    }
    let chosen: Vec<&Value> = match &args.id {
        Some(id) => all.iter().filter(|one| one["id"] == json!(id)).collect(),
        None => all.iter().collect(),
    };
    if chosen.is_empty() {
        render.line("Nothing waits for confirmation.");
        return Ok(());
    }
    for one in chosen {
        show(render, one);
        let kind = one["type"].as_str().unwrap_or("simple");
        let id = one["id"].as_str().unwrap_or_default();
        let typed = match question(render, kind)? {
            Some(typed) => typed,
            None => {
                client.must("amof_cancel_confirm", json!({"token": id}))?;
                render.line("Not done; the request is cancelled.");
                continue;
            }
        };
        let answer = client.call("amof_confirm", arguments(id, typed.as_deref()))?;
        if answer.is_error {
            return Err(Failure::of_tool(&answer));
        }
        render.raw(&answer.text);
    }
    Ok(())
}

fn show(r: Render, one: &Value) {
    let text = |f: &str| one[f].as_str().unwrap_or_default();
    r.line(format!("{}  {}", r.ink(Ink::Bold, text("id")), text("summary")));
    r.line(format!("  {} for {} in {}", text("tool"), text("client"), text("workspace")));
    r.line(format!("  arguments {}, expires {}", one["arguments"], text("expires_at")));
}

/// Shows a preview and asks; the typed name where the tool wants one. An error means "not done".
pub fn ask(render: Render, preview: &Answer, yes: bool) -> Result<Option<String>, Failure> {
    let kind = preview.structured.pointer("/confirmation/type").and_then(Value::as_str).unwrap_or("simple");
    if yes && kind != "type" {
        return Ok(None);
    }
    if !render.json {
        render.raw(&preview.text);
    }
    question(render, kind)?.ok_or_else(|| Failure::refused("Not done."))
}

/// `Some(typed)` = go ahead, `None` = no.
fn question(render: Render, kind: &str) -> Result<Option<Option<String>>, Failure> {
    if render.json || !std::io::stdin().is_terminal() {
        return Err(Failure::refused("A person must answer this on a terminal.")
            .hint("Run it again in a terminal, or with --yes where that is offered."));
    }
    let prompt = if kind == "type" { "Type the name to confirm: " } else { "Proceed? [y/N] " };
    let mut out = std::io::stderr();
    let _ = write!(out, "{prompt}").and_then(|()| out.flush());
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|e| Failure::refused(format!("No answer could be read: {e}.")))?;
    let line = line.trim();
    Ok(match kind {
        "type" if line.is_empty() => None,
        "type" => Some(Some(line.to_string())),
        _ if line.eq_ignore_ascii_case("y") || line.eq_ignore_ascii_case("yes") => Some(None),
        _ => None,
    })
}

pub fn arguments(token: &str, typed: Option<&str>) -> Value {
    match typed {
        Some(typed) => json!({"token": token, "typed_value": typed}),
        None => json!({"token": token}),
    }
}
