//! Errors that more than one tool of this family gives.

use serde::Serialize;

use super::manifest::Problem;
use crate::core::templates::ECOSYSTEM;
use crate::core::{Error, Kind, schema};

pub fn none_chosen() -> Error {
    Error::new(Kind::State, "no_ecosystem", "No ecosystem is selected.")
        .hint("Pass 'ecosystem', or call amof_use_ecosystem first; amof_list_ecosystems shows what there is.")
}

pub fn no_root() -> Error {
    Error::new(Kind::State, "no_workspace", "No workspace with an 'ecosystems' directory was found.")
        .hint(format!(
            "amof_init_ecosystem writes ecosystems/<name>/ecosystem.yaml, whose form {} shows; or set AMOF_WORKSPACE_ROOT.",
            ECOSYSTEM.uri()
        ))
}

pub fn unknown_ecosystem(name: &str, known: &[&str]) -> Error {
    let near = schema::closest(name, known);
    let hint = match near {
        Some(near) => format!("Did you mean '{near}'?"),
        None if known.is_empty() => {
            "There are no ecosystems in this workspace; amof_init_ecosystem writes a first one.".to_string()
        }
        None => format!("Known ecosystems: {}.", known.join(", ")),
    };
    let error = Error::new(Kind::NotFound, "unknown_ecosystem", format!("There is no ecosystem '{name}'."))
        .hint(hint);
    match near {
        Some(near) => error.details(details(&std::collections::BTreeMap::from([("near", near)]))),
        None => error,
    }
}

pub fn invalid_manifest(name: &str, problems: &[Problem]) -> Error {
    #[derive(Serialize)]
    struct Details {
        problems: Vec<super::manifest::ShownProblem>,
    }
    let lines: Vec<String> = problems.iter().filter(|p| p.error).map(Problem::line).collect();
    Error::new(
        Kind::State,
        "invalid_manifest",
        format!("ecosystems/{name}/ecosystem.yaml is not valid: {}", lines.join(" ")),
    )
    .hint(format!(
        "amof_validate_manifest lists everything that is wrong with it; {} shows its form.",
        ECOSYSTEM.uri()
    ))
    .details(details(&Details { problems: problems.iter().map(Problem::shown).collect() }))
}

/// Work that a call would lose, or that keeps it from being done: named one by one.
pub fn listed(error: Error, name: &str, lines: &[String]) -> Error {
    error.details(details(&std::collections::BTreeMap::from([(name, lines)])))
}

fn details(typed: &impl Serialize) -> serde_json::Value {
    // Plain data with text keys: there is nothing in it that JSON cannot hold.
    serde_json::to_value(typed).unwrap_or_default()
}
