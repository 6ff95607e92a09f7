//! `packd at`: a pack or a task as it was after an operation.

use serde_json::json;

use super::args::AtArgs;
use super::client::Scope;
use super::render::{Ink, Render};
use super::{Client, Failure};

pub fn run(args: &AtArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut request = json!({"operation_id": args.operation, "at": true});
    if let Some(target) = &args.target {
        request["target"] = json!(target);
    }
    let was = Client::open(scope)?.must("history_show", request)?;
    let text = |name: &str| was[name].as_str().unwrap_or_default();
    render.show(&was, |r| {
        let head = format!(
            "{} after {}  {}  revision {}",
            text("target"),
            text("operation_id"),
            text("time"),
            was["revision"]
        );
        r.line(r.ink(Ink::Bold, head));
        if was["undone"] == json!(true) {
            r.line(r.ink(Ink::Dim, "That operation was undone later."));
        }
        text("text").lines().for_each(|line| r.line(line));
    });
    Ok(())
}
