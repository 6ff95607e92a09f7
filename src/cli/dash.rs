//! `packd` alone: how things stand, on one screen. What needs the person first, then the work, then the past.

use serde_json::{Value, json};

use super::view::dash::{self as view, Dash};
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::ipc::Home;

/// Operations that are shown.
const RECENT: u64 = 5;
/// How far back to look for operations that need attention, and at how many packs.
const LOOKED_AT: u64 = 50;
/// What asks for attention: stale packs, drifted deploys.
const REMARKS: &str = "packd://now/remarks";

pub fn run(render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    if !home.database().exists() {
        let answer = json!({"running": false, "new": true, "home": home.dir()});
        return render.view(&answer, |r, d: Dash| view::print(r, &d));
    }
    let mut client = Client::open(scope)?;
    let own = client.welcome.session.clone();
    let sessions = client.request("packd/sessions", ToolArgs::new())?;
    let others: Vec<Value> = sessions["sessions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|s| s["session"] != own)
        .cloned()
        .collect();
    // What one family cannot answer (a project without it) is left out; the rest of the screen stands.
    let waiting =
        client.must("amof_list_pending", ToolArgs::new()).map(|w| w["pending"].clone()).unwrap_or_default();
    let history = client.must("history_list", ToolArgs::new().with("limit", LOOKED_AT))?;
    let operations = history["operations"].as_array().cloned().unwrap_or_default();
    let attention: Vec<&Value> = operations.iter().filter(|op| op["status"] == "needs_attention").collect();
    let recent: Vec<&Value> = operations.iter().take(RECENT as usize).collect();
    let tasks = client
        .must(
            "tasks_context",
            ToolArgs::new().with("include_all", true).with("tasks_limit", 20).with("plans_limit", 20),
        )
        .map(|t| t["result"].clone())
        .unwrap_or_default();
    let open: Vec<&Value> =
        tasks["tasks"].as_array().into_iter().flatten().filter(|t| t["status"] != "DONE").collect();
    let packs = client
        .must("input", ToolArgs::new().with("action", "list").with("limit", LOOKED_AT))
        .map(|p| p["payload"].clone())
        .unwrap_or_default();
    let remarks = remarks(&mut client);
    let answer = json!({
        "running": true, "version": client.welcome.version, "pid": client.welcome.pid, "sessions": others,
        "waiting": waiting, "attention": attention, "tasks": open, "packs": packs["packs"], "remarks": remarks,
        "recent": recent,
    });
    render.view(&answer, |r, d: Dash| view::print(r, &d))
}

/// What the families say should be looked at, each with the command that does.
fn remarks(client: &mut Client) -> Value {
    let read = client.request("resources/read", ToolArgs::new().with("uri", REMARKS)).unwrap_or_default();
    let text = read["contents"][0]["text"].as_str().unwrap_or("[]");
    serde_json::from_str(text).unwrap_or_else(|_| json!([]))
}
