//! `packd eco`: ecosystems for people. Dangerous verbs show their preview and ask before they run.

use serde_json::Value;

use super::args::{EcoCommand, EcoTarget, ReleaseCommand, TicketCommand};
use super::view::eco as view;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs, confirm, run};

pub fn run(command: EcoCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if let EcoCommand::Init { name } = &command {
        return super::init::ecosystem(name, render, scope);
    }
    let client = Client::open(scope)?;
    let act = |tool: &str, args: ToolArgs, yes: bool| {
        let name = args.text("ecosystem").map(str::to_string);
        act(client, tool, args, yes, render, scope).map_err(|failure| naming(failure, name.as_deref()))
    };
    let on = |target: &EcoTarget| ToolArgs::new().given("ecosystem", target.ecosystem.as_ref());
    match command {
        EcoCommand::Init { .. } => Ok(()),
        EcoCommand::List => act("amof_list_ecosystems", ToolArgs::new(), true),
        EcoCommand::Status(t) => act("amof_get_ecosystem_status", on(&t), true),
        EcoCommand::Describe(t) => act("amof_describe_ecosystem", on(&t), true),
        EcoCommand::Validate(t) => act("amof_validate_manifest", on(&t), true),
        EcoCommand::Install(t) => act("amof_install_ecosystem", on(&t), t.yes),
        EcoCommand::Sync(t) => act("amof_sync_ecosystem", on(&t), true),
        EcoCommand::Push(t) => act("amof_push_ecosystem", on(&t), t.yes),
        EcoCommand::Archive(t) => act("amof_archive_ecosystem", on(&t), t.yes),
        EcoCommand::Discard { target, force } => {
            act("amof_discard_ecosystem", on(&target).with("force", force), false)
        }
        EcoCommand::Deploy(t) => act("amof_spin_deploy", on(&t), t.yes),
        EcoCommand::Destroy(t) => act("amof_spin_destroy", on(&t), false),
        EcoCommand::Ticket(TicketCommand::List(t)) => act("amof_ticket_list", on(&t), true),
        EcoCommand::Ticket(TicketCommand::Start { id, target }) => {
            act("amof_ticket_start", on(&target).with("ticket_id", id), true)
        }
        EcoCommand::Ticket(TicketCommand::Switch { id, target }) => {
            act("amof_ticket_switch", on(&target).with("ticket_id", id), true)
        }
        EcoCommand::Ticket(TicketCommand::End { id, target }) => {
            act("amof_ticket_end", on(&target).with("ticket_id", id), target.yes)
        }
        EcoCommand::Release(ReleaseCommand::Status(t)) => act("amof_release_status", on(&t), true),
        EcoCommand::Release(ReleaseCommand::Validate(t)) => act("amof_release_validate", on(&t), true),
        EcoCommand::Release(ReleaseCommand::Log(t)) => act("amof_release_log", on(&t), true),
        EcoCommand::Release(ReleaseCommand::Bump { part, pre_release, target }) => {
            let args = on(&target).with("bump_type", part).given("pre_release", pre_release);
            act("amof_release_bump", args, target.yes)
        }
        EcoCommand::Release(ReleaseCommand::Promote { stage, target }) => {
            act("amof_release_promote", on(&target).given("target", stage), target.yes)
        }
    }
}

/// Commands that a refusal names are about the ecosystem that was named.
fn naming(failure: CommandFailure, name: Option<&str>) -> CommandFailure {
    let (Some(name), Some(hint)) = (name, &failure.hint) else { return failure };
    let hint = super::view::people::plain(hint);
    let parts: Vec<String> = hint
        .split('`')
        .enumerate()
        .map(|(i, part)| match i % 2 == 1 && part.starts_with("packd eco ") && takes_name(part) {
            true => format!("{part} {name}"),
            false => part.to_string(),
        })
        .collect();
    let named = parts.join("`");
    failure.hint(named)
}

/// Is this command complete but for the ecosystem?
fn takes_name(command: &str) -> bool {
    use clap::Parser;
    let words: Vec<&str> = command.split(' ').collect();
    let whole = super::Cli::try_parse_from(&words).is_ok();
    whole && super::Cli::try_parse_from(words.iter().chain(&["x"])).is_ok()
}

/// How a reply is shown once it is there.
type Show = fn(Render, &Value) -> Result<(), CommandFailure>;

fn screen(tool: &str) -> Show {
    match tool {
        "amof_list_ecosystems" => |r, v| r.view(v, |r, l: view::EcosystemsView| view::list(r, &l)),
        "amof_get_ecosystem_status" => {
            |r, v| r.view(v, |r, s: view::EcosystemStatusView| view::status(r, &s))
        }
        "amof_describe_ecosystem" => |r, v| r.view(v, |r, d: view::Described| view::described(r, &d)),
        "amof_validate_manifest" => {
            |r, v| r.view(v, |r, d: view::ValidityView| view::verdict(r, "The manifest", &d))
        }
        "amof_release_validate" => {
            |r, v| r.view(v, |r, d: view::ValidityView| view::verdict(r, "The release", &d))
        }
        "amof_ticket_list" => |r, v| r.view(v, |r, t: view::Tickets| view::tickets(r, &t)),
        "amof_release_status" => |r, v| r.view(v, |r, s: view::ReleaseView| view::release(r, &s)),
        "amof_release_log" => |r, v| r.view(v, |r, l: view::Releases| view::releases(r, &l)),
        _ => |r, v| r.view(v, |r, a: view::Acted| view::acted(r, &a)),
    }
}

/// Calls in execute mode; answers a confirmation; follows the run that was started.
fn act(
    mut client: Client,
    tool: &str,
    mut args: ToolArgs,
    yes: bool,
    render: Render,
    scope: &CommandScope,
) -> Result<(), CommandFailure> {
    if super::call::writes(tool) {
        args.set("mode", "execute");
    }
    let mut answer = client.call(tool, args)?;
    if answer.is_error {
        return Err(CommandFailure::of_tool(&answer));
    }
    if answer.structured.pointer("/confirmation/token").is_some_and(Value::is_string) {
        answer = confirm::ask(&mut client, render, &answer, yes)?;
        if answer.is_error {
            return Err(CommandFailure::of_tool(&answer));
        }
    }
    let reply = answer.value();
    screen(tool)(render, &reply)?;
    match answer.structured["run_id"].as_str() {
        Some(id) if !render.json && answer.structured["run_id"].is_string() => {
            run::follow(client, id, render, scope)
        }
        _ => Ok(()),
    }
}
