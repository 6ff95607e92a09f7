//! `packd deploy`: agent configuration for people. The plan first, then the very same plan applied.

use std::io::{BufRead, IsTerminal, Write};

use serde_json::{Value, json};

use super::args::{DeployArgs, DeployCommand, DeployOptions, EvolveCommand};
use super::deploy_view as view;
use super::render::{Ink, Render};
use super::{Client, Failure, Scope};

pub fn run(args: DeployArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let client = &mut Client::open(scope)?;
    let Some(command) = args.command else { return deploy(client, &args.options, args.apply, render) };
    match command {
        DeployCommand::Status(options) => {
            let data = tool(client, "status", request(&options))?;
            render.show(&data, |r| view::status(r, &data));
        }
        DeployCommand::Diff(options) => {
            let data = tool(client, "diff", request(&options))?;
            render.show(&data, |r| view::diff(r, &data));
        }
        DeployCommand::Doctor(options) => {
            let data = tool(client, "doctor", request(&options))?;
            render.show(&data, |r| view::doctor(r, &data));
        }
        DeployCommand::Snapshots => {
            let data = tool(client, "deploy_snapshots", json!({}))?;
            render.show(&data, |r| view::snapshots(r, &data));
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
    let nothing = view::is_empty(&plan);
    if !apply || nothing {
        render.show(&plan, |r| {
            view::changes(r, &plan);
            if !nothing {
                r.line(r.ink(Ink::Dim, "Run it again with --apply to write these files."));
            }
        });
        return Ok(());
    }
    if !render.json {
        view::changes(render, &plan);
    }
    if !options.yes && !agreed(render, "Write these files?")? {
        return Err(Failure::refused("Not done."));
    }
    let mut args = request(options);
    args["yes"] = json!(true);
    args["adopt"] = json!(options.adopt);
    args["confirm_token"] = plan["confirm_token"].clone();
    let done = tool(client, "deploy_apply", args).map_err(for_people)?;
    render.show(&done, |r| view::deployed(r, &done));
    Ok(())
}

/// What a person does about a refusal is a flag, not a call.
fn for_people(failure: Failure) -> Failure {
    match failure.details.pointer("/errors/0/code").and_then(Value::as_str) {
        Some("E_ADOPT_CONFIRM_REQUIRED") => failure
            .hint("`packd deploy diff` shows them. --adopt overwrites them; `packd undo` brings them back."),
        _ => failure,
    }
}

fn evolve(client: &mut Client, name: &str, options: &DeployOptions, render: Render) -> Result<(), Failure> {
    let yes = options.yes;
    let mut args = request(options);
    args["yes"] = json!(yes);
    args["dry_run"] = json!(!yes);
    let data = tool(client, name, args)?;
    render.show(&data, |r| match name {
        "evolve_restore" => view::restored(r, &data),
        _ => view::proposal(r, &data),
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
