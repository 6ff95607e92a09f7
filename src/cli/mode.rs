//! `packd mode`: which mode each open session is in, and setting it for one of them.

use serde_json::{Value, json};

use super::args::ModeArgs;
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};

pub fn run(args: &ModeArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    if let Some(mode) = &args.mode {
        let request = json!({"mode": mode, "session": args.session, "from": client.welcome.session});
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
    let answer = client.request("packd/sessions", json!({}))?;
    render.show(&answer, |r| {
        r.line(format!("ceiling  {}", answer["max_mode"].as_str().unwrap_or("none (config.toml: max_mode)")));
        let mut rows = vec![["SESSION", "CLIENT", "MODE", "WORKSPACE"].map(|h| r.ink(Ink::Bold, h)).to_vec()];
        for one in answer["sessions"].as_array().into_iter().flatten() {
            if one["session"] != json!(me) {
                let mode = one["mode"].as_str().unwrap_or("ask (default)");
                rows.push(vec![
                    text(one, "session").into(),
                    text(one, "client").into(),
                    mode.into(),
                    text(one, "workspace").into(),
                ]);
            }
        }
        if rows.len() == 1 {
            return r.line("No editor is connected.");
        }
        r.table(&rows);
    });
    Ok(())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}
