//! Which tools a session lists. Chosen once, by launch flags; rendered once per set of flags.
//!
//! Two rules above all: `--exclude-tools` beats every choice, and `--read-only` beats everything.

use std::sync::{Arc, OnceLock};

use super::service::{Flags, HelloError};
use crate::core::schema::closest;
use crate::core::{Declared, Offered, Safety};

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
    pub offered: Offered,
}

impl Choice {
    /// A misspelt name is an error: a filter that silently does nothing is worse than none.
    pub fn of(flags: &Flags, tools: &[Declared]) -> Result<Choice, HelloError> {
        let families = families(tools.iter());
        let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
        let clean = |list: &Option<Vec<String>>| {
            let clean: Vec<String> =
                list.iter().flatten().map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect();
            (!clean.is_empty()).then_some(clean)
        };
        let mut toolsets = clean(&flags.toolsets);
        let sets = sets(tools);
        let known: Vec<&str> = sets.iter().chain(&families).map(String::as_str).collect();
        for name in toolsets.iter().flatten().filter(|n| !is_everything(n)) {
            if !known.contains(&name.as_str()) {
                return Err(HelloError {
                    message: format!("There is no toolset '{name}'."),
                    hint: format!("Use --toolsets with some of: {}, all.", known.join(", ")),
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

    fn absent(&self, tool: &Declared) -> Option<Absent> {
        let named = |list: &Option<Vec<String>>, name: &String| list.as_ref().map(|l| l.contains(name));
        // With neither flag everything is chosen; with both, the two lists add up.
        let in_set = |list: &Vec<String>| tool.rules.sets.iter().any(|set| list.contains(set));
        let by_set = named(&self.toolsets, &tool.family)
            .map(|family| family || self.toolsets.as_ref().is_some_and(in_set));
        let chosen = match (by_set, named(&self.tools, &tool.name)) {
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

impl Choice {
    /// Is a listed tool chosen by more than a set across families?
    fn in_full(&self, tool: &Declared) -> bool {
        let families = self.toolsets.as_ref().is_none_or(|list| list.contains(&tool.family));
        families || self.tools.as_ref().is_some_and(|list| list.contains(&tool.name))
    }
}

impl Catalogue {
    pub fn new(choice: Choice, tools: &[Declared]) -> Catalogue {
        let listed: Vec<&Declared> = tools.iter().filter(|tool| choice.absent(tool).is_none()).collect();
        let offered = Offered::only(listed.iter().map(|tool| tool.name.clone()));
        Catalogue { choice, members: OnceLock::new(), families: families(listed.into_iter()), offered }
    }

    pub fn listed<'a>(&'a self, tools: &'a [Declared]) -> impl Iterator<Item = &'a Declared> {
        tools.iter().filter(|tool| self.choice.absent(tool).is_none())
    }

    /// The member of a `tools/list` result.
    pub fn members(&self, tools: &[Declared]) -> &Arc<str> {
        self.members.get_or_init(|| {
            let form = |tool: &'_ Declared| match self.choice.in_full(tool) {
                true => tool.served.to_string(),
                false => tool.brief.to_string(),
            };
            let served: Vec<String> = self.listed(tools).map(form).collect();
            format!(r#""tools":[{}]"#, served.join(",")).into()
        })
    }

    /// What to tell a client that calls a tool its session does not list; `None` lets the call through.
    pub fn refusal(&self, tool: &Declared) -> Option<String> {
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

fn sets(tools: &[Declared]) -> Vec<String> {
    let mut sets: Vec<String> = tools.iter().flat_map(|tool| tool.rules.sets.clone()).collect();
    sets.sort();
    sets.dedup();
    sets
}

fn families<'a>(tools: impl Iterator<Item = &'a Declared>) -> Vec<String> {
    let mut families: Vec<String> = tools.map(|tool| tool.family.clone()).collect();
    families.sort();
    families.dedup();
    families
}
