//! Which tools a session lists. Chosen once, by launch flags; rendered once per set of flags.
//!
//! Two rules above all: `--exclude-tools` beats every choice, and `--read-only` beats everything.

use std::sync::{Arc, OnceLock};

use crate::core::schema::closest;
use crate::core::{Safety, Tool};
use crate::daemon::service::{Flags, HelloError};

/// The flags that decide about the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Choice {
    toolsets: Option<Vec<String>>,
    tools: Option<Vec<String>>,
    exclude: Vec<String>,
    read_only: bool,
    allow_write: bool,
}

/// Why a tool that exists is not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    ReadOnly,
    Excluded,
    /// Its family answers such a call itself.
    NeedsWrite,
    NotChosen,
}

#[derive(Debug)]
pub struct Catalogue {
    choice: Choice,
    /// The member of a `tools/list` result, once somebody asked for it.
    members: OnceLock<Arc<str>>,
    /// Families with at least one listed tool.
    pub families: Vec<String>,
}

impl Choice {
    /// A misspelt name is an error: a filter that silently does nothing is worse than none.
    pub fn of(flags: &Flags, tools: &[Tool]) -> Result<Choice, HelloError> {
        let families = families(tools.iter());
        let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
        let clean = |list: &Option<Vec<String>>| {
            let clean: Vec<String> =
                list.iter().flatten().map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect();
            (!clean.is_empty()).then_some(clean)
        };
        let mut toolsets = clean(&flags.toolsets);
        for name in toolsets.iter().flatten().filter(|n| !is_everything(n)) {
            if !families.contains(name) {
                return Err(HelloError {
                    message: format!("There is no toolset '{name}'."),
                    hint: format!("Use --toolsets with some of: {}, all.", families.join(", ")),
                });
            }
        }
        if toolsets.iter().flatten().any(|n| is_everything(n)) {
            toolsets = Some(families);
        }
        let (tools, exclude) = (clean(&flags.tools), clean(&flags.exclude_tools).unwrap_or_default());
        for name in tools.iter().flatten().chain(&exclude) {
            if !names.contains(&name.as_str()) {
                let hint = match closest(name, &names) {
                    Some(near) => format!("Did you mean '{near}'?"),
                    None => "Leave --tools out to see every tool.".to_string(),
                };
                return Err(HelloError { message: format!("There is no tool '{name}'."), hint });
            }
        }
        let (read_only, allow_write) = (flags.read_only, flags.allow_write);
        Ok(Choice { toolsets, tools, exclude, read_only, allow_write })
    }

    fn absent(&self, tool: &Tool) -> Option<Absent> {
        let named = |list: &Option<Vec<String>>, name: &String| list.as_ref().map(|l| l.contains(name));
        // With neither flag everything is chosen; with both, the two lists add up.
        let chosen = match (named(&self.toolsets, &tool.family), named(&self.tools, &tool.name)) {
            (None, None) => true,
            (by_set, by_name) => by_set == Some(true) || by_name == Some(true),
        };
        if self.read_only && tool.rules.safety != Safety::ReadOnly {
            Some(Absent::ReadOnly)
        } else if self.exclude.contains(&tool.name) {
            Some(Absent::Excluded)
        } else if !chosen {
            Some(Absent::NotChosen)
        } else if tool.rules.needs_flag.is_some() && !self.allow_write {
            Some(Absent::NeedsWrite)
        } else {
            None
        }
    }
}

impl Catalogue {
    pub fn new(choice: Choice, tools: &[Tool]) -> Catalogue {
        let listed: Vec<&Tool> = tools.iter().filter(|tool| choice.absent(tool).is_none()).collect();
        Catalogue { choice, members: OnceLock::new(), families: families(listed.into_iter()) }
    }

    /// The member of a `tools/list` result.
    pub fn members(&self, tools: &[Tool]) -> &Arc<str> {
        self.members.get_or_init(|| {
            let listed = tools.iter().filter(|tool| self.choice.absent(tool).is_none());
            let served: Vec<&str> = listed.map(|tool| tool.served.as_str()).collect();
            format!(r#""tools":[{}]"#, served.join(",")).into()
        })
    }

    /// What to tell a client that calls a tool its session does not list; `None` lets the call through.
    pub fn refusal(&self, tool: &Tool) -> Option<String> {
        let name = &tool.name;
        let remedy = match self.choice.absent(tool)? {
            Absent::NeedsWrite => return None,
            Absent::ReadOnly => {
                "it writes, and this session is --read-only. Start it without --read-only".into()
            }
            Absent::Excluded => {
                format!("--exclude-tools leaves it out. Start the session without '{name}' there")
            }
            Absent::NotChosen => {
                format!(
                    "it belongs to the toolset '{0}'. Add '{0}' to --toolsets, or '{name}' to --tools",
                    tool.family
                )
            }
        };
        Some(format!("The tool '{name}' is not listed in this session: {remedy}."))
    }
}

fn is_everything(name: &str) -> bool {
    matches!(name, "all" | "default")
}

fn families<'a>(tools: impl Iterator<Item = &'a Tool>) -> Vec<String> {
    let mut families: Vec<String> = tools.map(|tool| tool.family.clone()).collect();
    families.sort();
    families.dedup();
    families
}
