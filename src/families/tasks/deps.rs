//! Dependencies between tasks and the place of an item: existence, cycles, domains.

use std::collections::BTreeSet;

use serde_json::json;

use crate::core::{Result, View};

use super::args::is_id;
use super::errors::{EnvelopeParts, fail};
use super::rows::{self, ItemSummary};

/// `TASK-7` in any case becomes `TASK-007`; `None` if it is no task id.
pub fn task_id(text: &str) -> Option<String> {
    let upper = text.trim().to_uppercase();
    let digits = upper.strip_prefix("TASK-")?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || !is_id(&upper) {
        return None;
    }
    Some(format!("TASK-{:03}", digits.parse::<u64>().ok()?))
}

/// A list of dependencies that `id` may have: known tasks, not itself, no cycle.
pub fn checked(view: &dyn View, workspace: &str, id: &str, list: Vec<String>) -> Result<Vec<String>> {
    let mut out = Vec::new();
    let mut problems = Vec::new();
    for text in list {
        let Some(dep) = task_id(&text) else {
            return Err(fail("INVALID_DEPENDS_ON", format!("'{text}' is not a task id."))
                .hint("Dependencies are TASK ids.")
                .result(json!({"got": text, "expected": "TASK-###"})));
        };
        if dep == id {
            problems.push(format!("{id} cannot depend on itself."));
        } else if rows::summary(view, workspace, &dep)?.is_none() {
            problems.push(format!("There is no {dep}."));
        } else if !out.contains(&dep) {
            out.push(dep);
        }
    }
    if !problems.is_empty() {
        return Err(fail("INVALID_DEPENDENCIES", problems.join(" "))
            .hint("Dependencies are existing tasks of this workspace.")
            .result(json!({"errors": problems})));
    }
    if let Some(cycle) = cycle(view, workspace, id, &out)? {
        return Err(fail("CIRCULAR_DEPENDENCY", cycle.join(" → "))
            .hint("Remove one of these dependencies.")
            .result(json!({"cycle": cycle})));
    }
    Ok(out)
}

/// A way from `id` over these dependencies back to itself.
pub fn cycle(view: &dyn View, workspace: &str, id: &str, deps: &[String]) -> Result<Option<Vec<String>>> {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<Vec<String>> =
        deps.iter().rev().map(|dep| vec![id.to_string(), dep.clone()]).collect();
    while let Some(way) = stack.pop() {
        let last = way.last().cloned().unwrap_or_default();
        if last == id {
            return Ok(Some(way));
        }
        if !seen.insert(last.clone()) {
            continue;
        }
        if let Some(summary) = rows::summary(view, workspace, &last)? {
            for dep in summary.depends_on.iter().rev() {
                let mut next = way.clone();
                next.push(dep.clone());
                stack.push(next);
            }
        }
    }
    Ok(None)
}

/// What an item's dependencies look like from outside.
#[derive(Debug, Default, Clone)]
pub struct Dependencies {
    pub known: Vec<ItemSummary>,
    pub missing: Vec<String>,
    pub cycle: Option<Vec<String>>,
}

impl Dependencies {
    pub fn of(view: &dyn View, workspace: &str, id: &str, deps: &[String]) -> Result<Dependencies> {
        let mut out = Dependencies::default();
        for dep in deps {
            match rows::summary(view, workspace, dep)? {
                Some(summary) => out.known.push(summary),
                None => out.missing.push(dep.clone()),
            }
        }
        out.cycle = if deps.is_empty() { None } else { cycle(view, workspace, id, deps)? };
        Ok(out)
    }

    pub fn unresolved(&self) -> Vec<String> {
        let open = self.known.iter().filter(|s| !s.resolved()).map(|s| s.id.clone());
        open.chain(self.missing.iter().cloned()).collect()
    }
}

/// A domain is a relative path of plain segments.
pub fn domain(text: &str) -> Result<String> {
    let text = text.trim().trim_matches('/');
    let plain = |s: &str| {
        !s.is_empty()
            && s != "."
            && s != ".."
            && !s.contains(['\\', '\0'])
            && !s.chars().any(char::is_control)
    };
    if text.is_empty() || (text.len() <= 200 && text.split('/').all(plain)) {
        return Ok(text.to_string());
    }
    Err(fail("INVALID_FIELDS", format!("'{text}' is not a domain."))
        .hint("A domain is a relative path such as alpha/api, without '..'."))
}
