//! `packd task claim`, `release` and `ready`: who works on what. A person's claim lasts until it is released or ends.

use serde_json::Value;

use super::task::{everything, intent, named};
use super::view::claim::{self as view, Claimed, ReadyView, Released};
use super::view::render::Render;
use super::{Client, CommandFailure, ToolArgs};

/// How a task is taken.
pub struct ClaimWish {
    pub id: Option<String>,
    pub minutes: Option<u64>,
    pub takeover: bool,
}

/// The task that is named, or the next one that can be started.
pub fn claim(client: &mut Client, wish: &ClaimWish, render: Render) -> Result<(), CommandFailure> {
    let args = match &wish.id {
        Some(id) => ToolArgs::new().with("task", named(client, id)?),
        None => ToolArgs::new().with("next", true),
    };
    let args = args.given("lease_minutes", wish.minutes).given("takeover", wish.takeover.then_some(true));
    let (done, warnings) = told(client, "tasks_claim", args)?;
    let none = done["claimed"] == false;
    render.view(&done, |r, claimed: Claimed| view::claimed(r, &claimed, &warnings))?;
    match none {
        true => Err(CommandFailure::refused("There is no task that can be taken now.")
            .hint("`packd task ready` says what waits for what.")
            .shown()),
        false => Ok(()),
    }
}

pub fn release(client: &mut Client, id: Option<&str>, render: Render) -> Result<(), CommandFailure> {
    let args = match id {
        Some(id) => ToolArgs::new().with("task", named(client, id)?),
        None => ToolArgs::new(),
    };
    let done = intent(client, "tasks_release", args)?;
    render.view(&done, |r, released: Released| view::released(r, &released))
}

pub fn ready(client: &mut Client, plan: Option<&str>, render: Render) -> Result<(), CommandFailure> {
    let plan = plan.map(|plan| super::task_hand::plan(&everything(client)?, plan)).transpose()?;
    let args = ToolArgs::new().with("limit", 100).given("plan", plan);
    let found = intent(client, "tasks_ready", args)?;
    render.long().view(&found, |r, ready: ReadyView| view::ready(r, &ready))
}

/// The result, and what was worth a warning.
fn told(client: &mut Client, tool: &str, args: ToolArgs) -> Result<(Value, Vec<String>), CommandFailure> {
    let reply = client.must(tool, args)?;
    let words = |list: &Value| -> Vec<String> {
        let list = list.as_array().into_iter().flatten();
        list.filter_map(|w| w.as_str().or(w["message"].as_str()).map(str::to_string)).collect()
    };
    Ok((reply["result"].clone(), words(&reply["warnings"])))
}
