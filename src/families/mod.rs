//! The tool families: pure functions of a read-only view and arguments. A family never calls another.

pub mod deploy;
pub mod ecosystems;
pub mod history;
pub mod hosts;
pub mod packages;
pub mod packs;
pub mod starters;
pub mod tasks;

use crate::core::{Family, Tool};

/// Every family this daemon serves.
pub fn all() -> Vec<Box<dyn Family>> {
    vec![
        Box::new(deploy::Deploy::default()),
        Box::new(ecosystems::Ecosystems),
        Box::new(history::History),
        Box::new(packages::Packages::default()),
        Box::new(hosts::Hosts),
        Box::new(packs::Packs::default()),
        Box::new(starters::Starters),
        Box::new(tasks::Tasks),
    ]
}

/// The declared tools of all families, as `proto/tools` has them.
pub const DECLARED: &[&str] = &[
    include_str!("../../proto/tools/deploy.json"),
    include_str!("../../proto/tools/ecosystems.json"),
    include_str!("../../proto/tools/history.json"),
    include_str!("../../proto/tools/packages.json"),
    include_str!("../../proto/tools/packs.json"),
    tasks::TOOLS_JSON,
];

/// All tools, sorted by name.
pub fn tools() -> Result<Vec<Tool>, String> {
    let mut tools = Vec::new();
    for file in DECLARED {
        tools.extend(Tool::parse_all(file)?);
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tools)
}
