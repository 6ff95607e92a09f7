//! `packd at`: a pack or a task as it was after an operation.

use super::args::AtArgs;
use super::view::op;
use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, ToolArgs, history, ids};

pub fn run(args: &AtArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let operation = ids::operation(&mut client, &args.operation)?;
    let target = history::touched(&mut client, args.target.as_deref())?;
    let request = ToolArgs::new().with("operation_id", operation).with("at", true).given("target", target);
    let was = client.must("history_show", request)?;
    let text = |name: &str| was[name].as_str().unwrap_or_default();
    render.long().show(&was, |r| {
        let after = op::short(text("operation_id"));
        let head = format!("{} after {after}, revision {}", text("target"), was["revision"]);
        r.line(format!("{}, {}", r.ink(Ink::Bold, head), r.when(text("time"))));
        if was["undone"] == true {
            r.hint("That operation was undone later.");
        }
        text("text").lines().for_each(|line| r.line(line));
    });
    Ok(())
}
