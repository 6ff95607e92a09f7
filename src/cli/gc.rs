//! `packd gc`: drops what retention allows to drop, and shrinks the file on request; and doctor's line about it.

use serde_json::Value;

use super::args::GcArgs;
use super::progress::SignOfLife;
use super::view::doctor::DoctorCheck;
use super::view::render::Render;
use super::view::status as view;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(args: &GcArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let progress = SignOfLife::start(render, "collecting garbage");
    let done = Client::open(scope)?.request("packd/gc", ToolArgs::new().with("compact", args.compact))?;
    drop(progress);
    render.view(&done, |r, c: view::CollectedView| view::collected(r, &c))
}

/// When packd last collected, for `packd doctor`.
pub fn checked(answer: &Value) -> DoctorCheck {
    let found = match answer["collected_seconds_ago"].as_u64() {
        Some(seconds) => format!("last collected {}", ago(seconds)),
        None => "not collected yet; packd does it once a day".to_string(),
    };
    DoctorCheck::pass("gc", found)
}

pub fn ago(seconds: u64) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    match units.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) if seconds / unit == 1 => format!("1 {name} ago"),
        Some((unit, name)) => format!("{} {name}s ago", seconds / unit),
        None => "just now".to_string(),
    }
}
