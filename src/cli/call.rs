//! `packd call`: any tool, as an agent would call it.

use std::io::Read;

use serde_json::{Value, json};

use super::args::CallArgs;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, tools};

pub fn run(args: &CallArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let tool = tools::find(&args.tool)?;
    if args.example {
        render.json(&tools::example(&tool));
        return Ok(());
    }
    let text = match args.arguments.as_deref() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|e| CommandFailure::refused(format!("Standard input cannot be read: {e}.")))?;
            text
        }
        Some(text) => text.to_string(),
        None => "{}".to_string(),
    };
    let arguments: Value = serde_json::from_str(&text).map_err(|e| {
        let example = tools::example(&tool);
        CommandFailure::usage(format!("The arguments are not JSON: {e}."))
            .hint(format!("Example: packd call {} '{example}'", args.tool))
    })?;
    if !arguments.is_object() {
        return Err(CommandFailure::usage("The arguments must be a JSON object.").hint(format!(
            "Example: packd call {} '{}'",
            args.tool,
            tools::example(&tool)
        )));
    }
    let answer = Client::open(scope)?.call(&args.tool, arguments)?;
    if render.json {
        let body = json!({"is_error": answer.is_error, "text": answer.text, "structured": answer.structured});
        render.json(&body);
    } else {
        render.long().raw(&pretty(&answer.text));
        render.finish();
    }
    if answer.is_error {
        // The tool's own words are printed already.
        std::process::exit(1);
    }
    Ok(())
}

/// A text that is one line of JSON is easier to read on several.
fn pretty(text: &str) -> String {
    use std::io::IsTerminal;
    let json = || serde_json::from_str::<Value>(text).ok().filter(|v| v.is_object() || v.is_array());
    match std::io::stdout().is_terminal().then(json).flatten() {
        Some(value) => serde_json::to_string_pretty(&value).unwrap_or_default(),
        None => text.to_string(),
    }
}

/// Does this tool change something, so that it takes a `mode`?
pub fn writes(tool: &str) -> bool {
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    tools
        .iter()
        .any(|t| t.name == tool && t.rules.safety != crate::core::Safety::ReadOnly && !t.rules.ungated)
}
