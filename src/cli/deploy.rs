//! `packd deploy`: agent configuration for people. The plan first, then the very same plan applied.

use std::io::{BufRead, IsTerminal, Write};

use serde_json::{Value, json};

use super::args::{DeployArgs, DeployCommand, DeployOptions, EvolveCommand};
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};

pub fn run(args: DeployArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let client = &mut Client::open(scope)?;
    let Some(command) = args.command else { return deploy(client, &args.options, args.apply, render) };
    match command {
        DeployCommand::Status(options) => {
            let data = tool(client, "status", request(&options))?;
            render.show(&data, |r| status(r, &data));
        }
        DeployCommand::Diff(options) => {
            let data = tool(client, "diff", request(&options))?;
            render.show(&data, |r| diff(r, &data));
        }
        DeployCommand::Doctor(options) => {
            let data = tool(client, "doctor", request(&options))?;
            render.show(&data, |r| r.json(&data));
        }
        DeployCommand::Snapshots => {
            let data = tool(client, "deploy_snapshots", json!({}))?;
            render.show(&data, |r| snapshots(r, &data));
        }
        DeployCommand::Rollback { to, yes } => {
            if !yes && !agreed(render, &format!("Roll back to {to}?"))? {
                return Err(Failure::refused("Not done."));
            }
            let data = tool(client, "rollback", json!({"to": to, "yes": true}))?;
            render.show(&data, |r| r.line(format!("{} to {to}", r.ink(Ink::Green, "Rolled back"))));
        }
        DeployCommand::Evolve(EvolveCommand::Propose { options }) => {
            evolve(client, "evolve_propose", &options, render)?;
        }
        DeployCommand::Evolve(EvolveCommand::Restore { options }) => {
            evolve(client, "evolve_restore", &options, render)?;
        }
    }
    Ok(())
}

/// Calls a tool and takes `data` out of its envelope; warnings go to people.
fn tool(client: &mut Client, name: &str, args: Value) -> Result<Value, Failure> {
    let envelope = client.must(name, args)?;
    let mut data = envelope["data"].clone();
    if envelope["warnings"].as_array().is_some_and(|w| !w.is_empty()) {
        data["warnings"] = envelope["warnings"].clone();
    }
    Ok(data)
}

fn request(options: &DeployOptions) -> Value {
    let mut out = json!({});
    let fields = [
        ("repo", &options.repo),
        ("profile", &options.profile),
        ("target", &options.target),
        ("machine", &options.machine),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            out[name] = json!(value);
        }
    }
    out
}

fn deploy(client: &mut Client, options: &DeployOptions, apply: bool, render: Render) -> Result<(), Failure> {
    let plan = tool(client, "deploy", request(options))?;
    if !apply {
        render.show(&plan, |r| {
            changes(r, &plan);
            if !is_empty(&plan) {
                r.line(r.ink(Ink::Dim, "Run it again with --apply to write these files."));
            }
        });
        return Ok(());
    }
    if is_empty(&plan) {
        render.show(&plan, |r| r.line("Everything is up to date."));
        return Ok(());
    }
    if !render.json {
        changes(render, &plan);
    }
    if !options.yes && !agreed(render, "Write these files?")? {
        return Err(Failure::refused("Not done."));
    }
    let mut args = request(options);
    args["yes"] = json!(true);
    args["adopt"] = json!(options.adopt);
    args["confirm_token"] = plan["confirm_token"].clone();
    let done = tool(client, "deploy_apply", args)?;
    render.show(&done, |r| {
        let files = done["changes_total"].as_u64().or(done["changes"].as_array().map(|c| c.len() as u64));
        let what = format!("{} files; snapshot {}", files.unwrap_or(0), text(&done, "snapshot_id"));
        r.line(format!("{} {what}", r.ink(Ink::Green, "Deployed")));
        r.line(r.ink(Ink::Dim, "`packd undo` takes it back."));
    });
    Ok(())
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn is_empty(plan: &Value) -> bool {
    plan["changes"].as_array().is_none_or(Vec::is_empty)
}

fn changes(r: Render, plan: &Value) {
    if is_empty(plan) {
        return r.line("Everything is up to date.");
    }
    for change in plan["changes"].as_array().into_iter().flatten() {
        let op = match text(change, "op") {
            "create" => r.ink(Ink::Green, "create"),
            "delete" => r.ink(Ink::Red, "delete"),
            other => r.ink(Ink::Yellow, other),
        };
        let edited = if change["hand_edited"] == json!(true) {
            r.ink(Ink::Red, "  edited by hand")
        } else {
            String::new()
        };
        r.line(format!("{op}  {}{edited}", text(change, "path")));
    }
    for warning in plan["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        r.line(format!("{} {warning}", r.ink(Ink::Yellow, "warning")));
    }
}

fn status(r: Render, data: &Value) {
    let drift = data["drift"].as_array().cloned().unwrap_or_default();
    if drift.is_empty() {
        return r.line(r.ink(Ink::Green, "Everything is as it was deployed."));
    }
    for one in &drift {
        r.line(format!("{:<13} {}", r.ink(Ink::Yellow, text(one, "kind")), text(one, "path")));
    }
}

fn diff(r: Render, data: &Value) {
    let files = data["files"].as_array().cloned().unwrap_or_default();
    if files.is_empty() {
        return r.line("No differences.");
    }
    for file in &files {
        let unified = text(file, "unified");
        if unified.is_empty() {
            r.line(r.ink(Ink::Bold, format!("{} {}", text(file, "op"), text(file, "path"))));
        }
        for line in unified.lines() {
            r.line(match line.chars().next() {
                Some('+') => r.ink(Ink::Green, line),
                Some('-') => r.ink(Ink::Red, line),
                Some('@') => r.ink(Ink::Cyan, line),
                _ => line.to_string(),
            });
        }
    }
}

fn snapshots(r: Render, data: &Value) {
    let list = data["snapshots"].as_array().cloned().unwrap_or_default();
    if list.is_empty() {
        return r.line("Nothing was deployed here yet.");
    }
    let mut rows = vec![["SNAPSHOT", "WHEN", "FILES", "TARGETS"].map(|h| r.ink(Ink::Bold, h)).to_vec()];
    for one in &list {
        let targets: Vec<_> =
            one["targets"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mark = if one["current"] == json!(true) { " (current)" } else { "" };
        let when = text(one, "created_at").get(..19).unwrap_or_default().replace('T', " ");
        rows.push(vec![
            text(one, "snapshot_id").into(),
            when,
            one["files"].to_string(),
            targets.join(",") + mark,
        ]);
    }
    r.table(&rows);
}

fn evolve(client: &mut Client, name: &str, options: &DeployOptions, render: Render) -> Result<(), Failure> {
    let yes = options.yes;
    let mut args = request(options);
    args["yes"] = json!(yes);
    args["dry_run"] = json!(!yes);
    let data = tool(client, name, args)?;
    render.show(&data, |r| {
        r.json(&data);
        if !yes {
            r.line(r.ink(Ink::Dim, "A preview; run it again with --yes to do it."));
        }
    });
    Ok(())
}

/// Asks on a terminal; anywhere else the answer must be given with --yes.
pub fn agreed(render: Render, question: &str) -> Result<bool, Failure> {
    if render.json || !std::io::stdin().is_terminal() {
        return Err(
            Failure::refused("This needs your agreement.").hint("Run it in a terminal, or with --yes.")
        );
    }
    let mut err = std::io::stderr();
    let _ = write!(err, "{question} [y/N] ").and_then(|()| err.flush());
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}
