//! `packd gc`: drops what retention allows to drop, and shrinks the file on request; and doctor's line about it.

use serde_json::Value;

use super::args::GcArgs;
use super::progress::Progress;
use super::view::doctor::Check;
use super::view::render::Render;
use super::view::status as view;
use super::{Client, Failure, Scope, ToolArgs};

pub fn run(args: &GcArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let progress = Progress::start(render, "collecting garbage");
    let done = Client::open(scope)?.request("packd/gc", ToolArgs::new().with("compact", args.compact))?;
    drop(progress);
    render.view(&done, |r, c: view::Collected| view::collected(r, &c))
}

/// When packd last collected, for `packd doctor`.
pub fn checked(answer: &Value) -> Check {
    let found = match answer["collected_seconds_ago"].as_u64() {
        Some(seconds) => format!("last collected {}", ago(seconds)),
        None => "not collected yet; packd does it once a day".to_string(),
    };
    Check::pass("gc", found)
}

pub fn ago(seconds: u64) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    match units.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) if seconds / unit == 1 => format!("1 {name} ago"),
        Some((unit, name)) => format!("{} {name}s ago", seconds / unit),
        None => "just now".to_string(),
    }
}
