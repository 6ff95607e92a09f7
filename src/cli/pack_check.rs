//! `packd pack check`: do the refs of packs still point to the code they were made of? For people and for CI.

use serde_json::json;

use super::pack::{input, these_or_all};
use super::view::pack as view;
use super::view::render::Render;
use super::{Client, CommandFailure, ToolArgs};

/// More refs than a pack can hold in one reply; a check shows them all.
pub(super) const ALL: u64 = 100_000;

pub fn run(client: &mut Client, names: Vec<String>, fix: bool, render: Render) -> Result<(), CommandFailure> {
    let mut checked = Vec::new();
    let known = input(client, ToolArgs::new().with("action", "list").with("limit", ALL))?;
    let known = known["packs"].as_array().cloned().unwrap_or_default();
    for name in these_or_all(client, names)? {
        let mut found =
            input(client, ToolArgs::new().with("action", "check").with("id", name).with("limit", ALL))?;
        if fix && found["counts"]["moved"].as_u64().unwrap_or(0) > 0 {
            let request = ToolArgs::new()
                .with("action", "reanchor")
                .with("id", &found["id"])
                .with("expected_revision", &found["revision"]);
            let repaired = client.must("input", request)?["repaired"].clone();
            found = input(
                client,
                ToolArgs::new().with("action", "check").with("id", &found["id"]).with("limit", ALL),
            )?;
            found["repaired"] = repaired;
        }
        if let Some(pack) = known.iter().find(|pack| pack["id"] == found["id"] && pack["name"].is_string()) {
            found["name"] = pack["name"].clone();
        }
        checked.push(found);
    }
    let views: Vec<view::PackCheckView> = super::view::read(&json!(checked))?;
    let bad: u64 = views.iter().map(view::PackCheckView::bad).sum();
    render.show(&json!({"packs": checked}), |r| {
        if views.is_empty() {
            r.line("There are no packs here.");
        }
        views.iter().for_each(|pack| view::checked(r, pack));
    });
    if bad == 0 {
        return Ok(());
    }
    let movable = checked.iter().any(|pack| pack["counts"]["moved"].is_u64());
    let hint = match movable {
        true => "`packd pack check --fix` points refs whose code moved to its new place.",
        false => {
            "Read them with `packd pack show NAME`; an agent that works on the pack repairs or removes them."
        }
    };
    let what = if bad == 1 { "1 ref does".to_string() } else { format!("{bad} refs do") };
    Err(CommandFailure::refused(format!("{what} not show what was anchored.")).hint(hint).shown())
}
