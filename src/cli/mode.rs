//! `packd mode`: which mode each open session is in, and setting it for one of them.

use serde_json::Value;

use super::args::ModeArgs;
use super::view::place;
use super::view::render::Render;
use super::view::table::TextTable;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(args: &ModeArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    if let Some(mode) = &args.mode {
        let request = ToolArgs::new()
            .with("mode", mode)
            .with("session", &args.session)
            .with("from", &client.welcome.session);
        let done = client.request("packd/mode", request)?;
        render.show(&done, |r| {
            r.line(format!(
                "Session {} ({}) is now in mode {mode}.",
                text(&done, "session"),
                text(&done, "client")
            ));
        });
        return Ok(());
    }
    let me = client.welcome.session.clone();
    let answer = client.request("packd/sessions", ToolArgs::new())?;
    render.show(&answer, |r| {
        r.field("ceiling", 7, answer["max_mode"].as_str().unwrap_or("none (config.toml: max_mode)"));
        let mut rows = TextTable::new(&["SESSION", "CLIENT", "MODE", "PROJECT"]).fluid(3).fluid(1);
        for one in answer["sessions"].as_array().into_iter().flatten() {
            if one["session"] != me {
                let mode = one["mode"].as_str().unwrap_or("not said");
                rows.row([
                    text(one, "session").get(..8).unwrap_or_default().to_string(),
                    text(one, "client").to_string(),
                    mode.to_string(),
                    place::project(text(one, "workspace")),
                ]);
            }
        }
        if rows.is_empty() {
            return r.line("No editor is connected.");
        }
        rows.print(r);
        r.hint("`packd help modes` says what each mode allows.");
    });
    Ok(())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}
