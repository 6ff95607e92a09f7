//! What a shell may complete: ids and names from the daemon that runs, families and tools from this program.
//!
//! A key press starts no daemon and shows no error: without a daemon there is nothing to offer.

use clap::CommandFactory;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::CompleteEnv;
use serde_json::Value;

use super::view::op::{self, OWN_CLIENT};
use super::view::text::shorten;
use super::{Cli, Client, CommandScope, ToolArgs, help};

/// The variable by which a shell asks; see [`super::completions`].
pub const VARIABLE: &str = "PACKD_COMPLETE";
/// Things that are offered at most.
const OFFERED: u64 = 50;
/// Words about a thing beside its id.
const ABOUT: usize = 50;

/// Answers a shell that asks, and ends; returns where none does.
pub fn answer() {
    if std::env::var_os(VARIABLE).is_some() {
        CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
    }
}

type Offers = Vec<(String, String)>;

/// What a tool of the running daemon says; nothing where none runs.
fn ask(tool: &str, args: ToolArgs) -> Value {
    let client = Client::if_running(&CommandScope::default()).ok().flatten();
    client.and_then(|mut client| client.must(tool, args).ok()).unwrap_or_default()
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_string()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn recent(all: bool) -> Vec<op::OpView> {
    let reply = ask("history_list", ToolArgs::new().with("limit", OFFERED).with("all_workspaces", all));
    super::view::read(&reply["operations"]).unwrap_or_default()
}

fn operation_ids() -> Offers {
    let ops = recent(false);
    let shorts = op::shorts(&ops.iter().map(|op| op.operation_id.as_str()).collect::<Vec<_>>());
    shorts.into_iter().zip(&ops).map(|(id, op)| (id, op.said())).collect()
}

fn pack_names() -> Offers {
    let reply = ask("input", ToolArgs::new().with("action", "list"));
    let name = |pack: &Value| Some(text(pack, "name")).filter(|n| !n.is_empty()).unwrap_or(text(pack, "id"));
    list(&reply["payload"]["packs"]).iter().map(|pack| (name(pack), text(pack, "title"))).collect()
}

fn task_ids() -> Offers {
    let limits =
        ToolArgs::new().with("include_all", true).with("tasks_limit", OFFERED).with("plans_limit", OFFERED);
    let reply = ask("tasks_context", limits);
    let items = ["plans", "tasks"].into_iter().flat_map(|kind| list(&reply["result"][kind]));
    items.map(|item| (text(&item, "id"), text(&item, "title"))).collect()
}

fn run_ids() -> Offers {
    let reply = ask("amof_list_runs", ToolArgs::new().with("limit", OFFERED));
    list(&reply["runs"]).iter().map(|run| (text(run, "run_id"), text(run, "operation"))).collect()
}

fn ecosystem_names() -> Offers {
    let reply = ask("amof_list_ecosystems", ToolArgs::new());
    list(&reply["ecosystems"]).iter().map(|one| (text(one, "name"), text(one, "description"))).collect()
}

fn package_names() -> Offers {
    let reply = ask("aam_list", ToolArgs::new());
    list(&reply["result"]).iter().map(|one| (text(one, "name"), text(one, "version"))).collect()
}

fn confirmation_ids() -> Offers {
    let reply = ask("amof_list_pending", ToolArgs::new());
    list(&reply["pending"]).iter().map(|one| (text(one, "id"), text(one, "tool"))).collect()
}

fn session_ids() -> Offers {
    let client = Client::if_running(&CommandScope::default()).ok().flatten();
    let reply =
        client.and_then(|mut c| c.request("packd/sessions", ToolArgs::new()).ok()).unwrap_or_default();
    let open = list(&reply["sessions"]).into_iter().map(|s| (text(&s, "session"), text(&s, "client")));
    let past = recent(false).into_iter().map(|op| (op.who.session, op.who.client));
    open.chain(past).collect()
}

fn client_names() -> Offers {
    let name = |client: String| if client == OWN_CLIENT { "you".to_string() } else { client };
    recent(false).into_iter().map(|op| (name(op.who.client), String::new())).collect()
}

fn workspace_names() -> Offers {
    recent(true).into_iter().map(|op| (op.workspace, String::new())).collect()
}

fn target_names() -> Offers {
    pack_names().into_iter().chain(task_ids()).collect()
}

fn family_names() -> Offers {
    super::history::families().into_iter().map(|name| (name, String::new())).collect()
}

fn tool_names() -> Offers {
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    tools.into_iter().map(|tool| (tool.name, tool.rules.line)).collect()
}

fn help_words() -> Offers {
    let commands = help::GROUPS.iter().flat_map(|(_, names)| names.iter());
    let commands = commands.map(|name| (name.to_string(), String::new()));
    commands
        .chain(help::TOPICS.iter().map(|(name, about, _)| (name.to_string(), about.to_string())))
        .collect()
}

/// Each thing once, with a few words about it.
fn offered(things: Offers) -> Vec<CompletionCandidate> {
    let mut seen = std::collections::HashSet::new();
    let fresh = things.into_iter().filter(|(id, _)| !id.is_empty() && seen.insert(id.clone()));
    fresh
        .map(|(id, about)| {
            let about = Some(shorten(&about, ABOUT)).filter(|about| !about.is_empty());
            CompletionCandidate::new(id).help(about.map(Into::into))
        })
        .collect()
}

/// `operations()` and so on, to be put beside an argument.
macro_rules! completers {
    ($($name:ident: $from:ident,)*) => {
        $(pub fn $name() -> ArgValueCandidates {
            ArgValueCandidates::new(|| offered($from()))
        })*
    };
}

completers! {
    operations: operation_ids,
    packs: pack_names,
    tasks: task_ids,
    runs: run_ids,
    ecosystems: ecosystem_names,
    packages: package_names,
    confirmations: confirmation_ids,
    sessions: session_ids,
    clients: client_names,
    workspaces: workspace_names,
    targets: target_names,
    families: family_names,
    tools: tool_names,
    topics: help_words,
}
