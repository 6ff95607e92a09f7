//! What a host tells its model about this server: all that one sees which loads tools only on demand.
//!
//! Short, because some hosts paste it into the description of every tool and others cut it: what comes first is what
//! packd is for and which call to begin with. That call is named by the tool's own declaration, and only if it is listed.

use crate::core::Declared;

const PURPOSE: &str = "packd: shared memory for coding agents.";
const REST: &str = "Every change is one operation that any session can list and undo.";

/// `listed` is what this session lists.
pub fn text<'a>(listed: impl Iterator<Item = &'a Declared>) -> String {
    let first: Vec<&str> = listed.filter_map(|tool| tool.rules.begins.as_deref()).collect();
    std::iter::once(PURPOSE).chain(first).chain([REST]).collect::<Vec<_>>().join(" ")
}
