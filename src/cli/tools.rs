//! `packd tools`: what an agent sees, for people who want to know or to call it themselves.

use serde_json::{Value, json};

use super::args::ToolsArgs;
use super::view::people;
use super::view::render::{Ink, Render};
use super::view::table::TextTable;
use super::{CommandFailure, history};
use crate::core::{Declared, Safety};

/// The tool a person named.
pub fn find(name: &str) -> Result<Declared, CommandFailure> {
    let tools = crate::daemon::assemble::declared().unwrap_or_default();
    tools.into_iter().find(|tool| tool.name == name).ok_or_else(|| {
        CommandFailure::usage(format!("There is no tool '{name}'.")).hint("`packd tools` lists them.")
    })
}

/// The first declared example that says something.
pub fn example(tool: &Declared) -> Value {
    let served: Value = declared(&tool.name);
    let examples = served["packd"]["examples"].as_array().cloned().unwrap_or_default();
    let filled = examples.iter().find(|e| e.as_object().is_some_and(|o| !o.is_empty()));
    filled.or(examples.first()).cloned().unwrap_or_else(|| json!({}))
}

/// The declaration of one tool, as the repository has it.
fn declared(name: &str) -> Value {
    let files =
        crate::daemon::assemble::DECLARED.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let mut tools = files.flat_map(|file| file["tools"].as_array().cloned().unwrap_or_default());
    tools.find(|tool| tool["name"] == name).unwrap_or_default()
}

pub fn run(args: &ToolsArgs, render: Render) -> Result<(), CommandFailure> {
    match &args.tool {
        Some(name) => one(&find(name)?, render),
        None => list(
            history::family(args.family.as_deref().filter(|f| *f != "history"))?.or(args.family.clone()),
            render,
        ),
    }
}

fn list(family: Option<String>, render: Render) -> Result<(), CommandFailure> {
    let mut tools = crate::daemon::assemble::declared().unwrap_or_default();
    tools.retain(|tool| family.as_ref().is_none_or(|f| tool.family == *f));
    tools.sort_by(|a, b| (&a.family, &a.name).cmp(&(&b.family, &b.name)));
    let rows: Vec<Value> = tools
        .iter()
        .map(|t| json!({"tool": t.name, "family": t.family, "safety": safety(t), "does": t.rules.line}))
        .collect();
    render.long().show(&json!({"tools": rows}), |r| {
        let mut table = TextTable::new(&["TOOL", "", "WHAT IT DOES"]).fluid(2);
        for tool in &tools {
            let ink = match tool.rules.safety {
                Safety::ReadOnly => Ink::Dim,
                Safety::SafeWrite => Ink::Yellow,
                Safety::Dangerous => Ink::Red,
            };
            table.row([tool.name.clone(), r.ink(ink, safety(tool)), tool.rules.line.clone()]);
        }
        table.print(r);
        r.hint("`packd tools TOOL` shows one in full.");
    });
    Ok(())
}

fn safety(tool: &Declared) -> &'static str {
    match tool.rules.safety {
        Safety::ReadOnly => "reads",
        Safety::SafeWrite => "writes",
        Safety::Dangerous => "dangerous",
    }
}

fn one(tool: &Declared, render: Render) -> Result<(), CommandFailure> {
    let shown = declared(&tool.name);
    let example = example(tool);
    let answer = json!({"tool": tool.name, "family": tool.family, "safety": safety(tool), "description": shown["description"],
                        "input_schema": shown["inputSchema"], "example": example});
    render.long().show(&answer, |r| {
        r.line(format!("{}  {}, {}", r.ink(Ink::Bold, &tool.name), tool.family, safety(tool)));
        r.prose(0, shown["description"].as_str().unwrap_or_default());
        r.line("");
        let required: Vec<&str> = shown["inputSchema"]["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut table = TextTable::new(&["ARGUMENT", "TYPE", "", "MEANING"]).fluid(3);
        for (name, field) in shown["inputSchema"]["properties"].as_object().into_iter().flatten() {
            let kind = field["type"].as_str().unwrap_or("any").to_string();
            let words: Vec<&str> =
                field["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let meaning = [field["description"].as_str().unwrap_or_default().to_string(), words.join(", ")];
            let meaning = meaning.into_iter().filter(|m| !m.is_empty()).collect::<Vec<_>>().join(": ");
            let needed = if required.contains(&name.as_str()) { "needed" } else { "" };
            table.row([name.clone(), kind, needed.to_string(), meaning]);
        }
        table.print(r);
        r.line("");
        r.line(r.ink(Ink::Bold, "Example"));
        r.line(format!("  packd call {} '{}'", tool.name, example.to_string().replace('\'', "'\\''")));
        if let Some(command) = people::command(&tool.name) {
            r.hint(format!("As a person: `{command}`."));
        }
    });
    Ok(())
}
