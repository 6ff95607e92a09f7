//! `packd deploy`: agent configuration for people. The plan first, then the very same plan applied.

use serde_json::Value;

use super::args::{DeployArgs, DeployCommand, DeployOptions, EvolveCommand, EvolveOptions};
use super::terminal::Terminal;
use super::view::deploy as view;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(args: DeployArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if let Some(DeployCommand::Init { repo }) = &args.command {
        return super::init::config_repository(repo.as_deref(), render, scope);
    }
    let client = &mut Client::open(scope)?;
    let Some(command) = args.command else { return deploy(client, args, render) };
    match command {
        DeployCommand::Init { .. } => {}
        DeployCommand::Status { options, only } => {
            let only = Some(only).filter(|only| !only.is_empty());
            let data = tool(client, "status", request(options).given("only", only))?;
            render.show(&data, |r| view::status(r, &data));
        }
        DeployCommand::Diff(options) => {
            let data = tool(client, "diff", request(options))?;
            render.long().show(&data, |r| view::diff(r, &data));
        }
        DeployCommand::Doctor { repo, target } => {
            let data = tool(client, "doctor", ToolArgs::new().given("repo", repo).given("target", target))?;
            render.show(&data, |r| view::doctor(r, &data));
        }
        DeployCommand::Snapshots { target } => {
            let data = tool(client, "deploy_snapshots", ToolArgs::new().given("target", target))?;
            render.show(&data, |r| view::snapshots(r, &data));
        }
        DeployCommand::Rollback { to, yes } => {
            if !yes {
                // What cannot be done is said before it is asked about.
                let rehearsal = ToolArgs::new().with("to", &to).with("yes", true).with("mode", "plan");
                tool(client, "rollback", rehearsal)?;
                if !agreed(render, &format!("Roll back to {to}?"))? {
                    return Err(CommandFailure::refused("Not done."));
                }
            }
            let data = tool(client, "rollback", ToolArgs::new().with("to", to).with("yes", true))?;
            render.show(&data, |r| view::rolled_back(r, &data));
        }
        DeployCommand::Evolve(EvolveCommand::Propose { options, scope, branch }) => {
            let args = evolve(options).given("scope", scope).given("branch", branch);
            let data = tool(client, "evolve_propose", args)?;
            render.show(&data, |r| view::proposal(r, &data));
        }
        DeployCommand::Evolve(EvolveCommand::Restore(options)) => {
            let data = tool(client, "evolve_restore", evolve(options))?;
            render.show(&data, |r| view::restored(r, &data));
        }
    }
    Ok(())
}

/// Calls a tool and takes `data` out of its envelope; warnings go to people.
fn tool(client: &mut Client, name: &str, args: ToolArgs) -> Result<Value, CommandFailure> {
    let envelope = client.must(name, args)?;
    let mut data = envelope["data"].clone();
    if envelope["warnings"].as_array().is_some_and(|w| !w.is_empty()) {
        data["warnings"] = envelope["warnings"].clone();
    }
    Ok(data)
}

fn request(options: DeployOptions) -> ToolArgs {
    let DeployOptions { repo, profile, target, machine } = options;
    let ask = ToolArgs::new().given("repo", repo).given("profile", profile);
    ask.given("target", target).given("machine", machine)
}

/// A preview unless the person said yes.
fn evolve(evolve: EvolveOptions) -> ToolArgs {
    let ask = request(evolve.options).given("module_id", evolve.module);
    ask.with("yes", evolve.yes).with("dry_run", !evolve.yes)
}

fn deploy(client: &mut Client, args: DeployArgs, render: Render) -> Result<(), CommandFailure> {
    let options = request(args.options);
    let plan = tool(client, "deploy", options.clone())?;
    let nothing = view::is_empty(&plan);
    if !args.apply || nothing {
        render.show(&plan, |r| {
            view::changes(r, &plan);
            if !nothing {
                r.hint("Run it again with --apply to write these files.");
            }
        });
        return Ok(());
    }
    if !render.json {
        view::changes(render, &plan);
    }
    if !args.yes && !agreed(render, "Write these files?")? {
        return Err(CommandFailure::refused("Not done."));
    }
    let call =
        options.with("yes", true).with("adopt", args.adopt).with("confirm_token", &plan["confirm_token"]);
    let done = tool(client, "deploy_apply", call).map_err(for_people)?;
    render.show(&done, |r| view::deployed(r, &done));
    Ok(())
}

/// What a person does about a refusal is a flag, not a call.
fn for_people(failure: CommandFailure) -> CommandFailure {
    match failure.details.pointer("/errors/0/code").and_then(Value::as_str) {
        Some("E_ADOPT_CONFIRM_REQUIRED") => failure
            .hint("`packd deploy diff` shows them. --adopt overwrites them; `packd undo` brings them back."),
        _ => failure,
    }
}

/// Asks on a terminal; anywhere else the answer must be given with --yes.
pub fn agreed(render: Render, question: &str) -> Result<bool, CommandFailure> {
    let terminal = Terminal::controlling().filter(|_| !render.json);
    let Some(terminal) = terminal else {
        return Err(CommandFailure::refused("This needs your agreement.")
            .hint("Run it in a terminal, or with --yes."));
    };
    terminal.agrees(question)
}
