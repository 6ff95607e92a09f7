//! Typed paths (`s:0.t:1.s:2`): parsing, and finding exactly the node they name, at any depth.
//!
//! A [`Path`] is only text that has the right form. A [`StepPath`] or [`NodePath`] was found in an item.

use crate::core::{Error, Result};

use super::model::{TaskItem, TaskNode, TaskStep};

const MAX_CHARS: usize = 128;
const MAX_SEGMENTS: usize = 24;

/// A well-formed path: alternating step and task-node indexes, starting with a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<usize>);

impl Path {
    pub fn parse(text: &str) -> Option<Path> {
        if text.len() > MAX_CHARS {
            return None;
        }
        let mut indexes = Vec::new();
        for (i, segment) in text.split('.').enumerate() {
            let digits = segment.strip_prefix(if i % 2 == 0 { "s:" } else { "t:" })?;
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            indexes.push(digits.parse().ok()?);
        }
        (indexes.len() <= MAX_SEGMENTS).then_some(Path(indexes))
    }

    pub fn is_step(&self) -> bool {
        self.0.len() % 2 == 1
    }

    fn step<'a>(&self, item: &'a TaskItem) -> Option<&'a TaskStep> {
        let (mut steps, mut indexes) = (&item.steps, self.0.as_slice());
        loop {
            let step = steps.get(*indexes.first()?)?;
            if indexes.len() == 1 {
                return Some(step);
            }
            steps = &step.plan.tasks.get(indexes[1])?.steps;
            indexes = &indexes[2..];
        }
    }

    fn step_mut<'a>(&self, item: &'a mut TaskItem) -> Option<&'a mut TaskStep> {
        let (mut steps, mut indexes) = (&mut item.steps, self.0.as_slice());
        loop {
            let step = steps.get_mut(*indexes.first()?)?;
            if indexes.len() == 1 {
                return Some(step);
            }
            steps = &mut step.plan.tasks.get_mut(indexes[1])?.steps;
            indexes = &indexes[2..];
        }
    }
}

/// A step that was found in an item. The item may have changed since, so looking again may fail, as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepPath {
    path: Path,
    shown: String,
}

/// A task node that was found in an item: the step that holds it, and its number there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodePath {
    parent: StepPath,
    index: usize,
    shown: String,
}

fn gone(item: &TaskItem, shown: &str) -> Error {
    Error::internal(format!("{} lost its node {shown} on the way.", item.id))
}

impl StepPath {
    /// `None` where the item has no step there.
    pub fn of(path: &Path, item: &TaskItem) -> Option<StepPath> {
        path.step(item).map(|_| StepPath { path: path.clone(), shown: path.to_string() })
    }

    pub fn parse(text: &str, item: &TaskItem) -> Option<StepPath> {
        StepPath::of(&Path::parse(text)?, item)
    }

    pub fn as_str(&self) -> &str {
        &self.shown
    }

    pub fn step<'a>(&self, item: &'a TaskItem) -> Result<&'a TaskStep> {
        self.path.step(item).ok_or_else(|| gone(item, &self.shown))
    }

    pub fn step_mut<'a>(&self, item: &'a mut TaskItem) -> Result<&'a mut TaskStep> {
        let gone = gone(item, &self.shown);
        self.path.step_mut(item).ok_or(gone)
    }

    /// Takes the step out of its list.
    pub fn remove(&self, item: &mut TaskItem) -> Result<TaskStep> {
        let gone = gone(item, &self.shown);
        let (Some(index), rest) = (self.path.0.last(), &self.path.0[..self.path.0.len().saturating_sub(1)])
        else {
            return Err(gone);
        };
        let siblings = match rest.split_last() {
            None => Some(&mut item.steps),
            Some((node, step)) => {
                let step = Path(step.to_vec()).step_mut(item);
                step.and_then(|s| s.plan.tasks.get_mut(*node)).map(|n| &mut n.steps)
            }
        };
        match siblings {
            Some(list) if *index < list.len() => Ok(list.remove(*index)),
            _ => Err(gone),
        }
    }
}

impl NodePath {
    /// `None` where the item has no task node there.
    pub fn of(path: &Path, item: &TaskItem) -> Option<NodePath> {
        let (index, step) = path.0.split_last()?;
        let parent = StepPath::of(&Path(step.to_vec()), item)?;
        parent.path.step(item)?.plan.tasks.get(*index)?;
        Some(NodePath { parent, index: *index, shown: path.to_string() })
    }

    pub fn as_str(&self) -> &str {
        &self.shown
    }

    pub fn node<'a>(&self, item: &'a TaskItem) -> Result<&'a TaskNode> {
        self.parent.step(item)?.plan.tasks.get(self.index).ok_or_else(|| gone(item, &self.shown))
    }

    pub fn node_mut<'a>(&self, item: &'a mut TaskItem) -> Result<&'a mut TaskNode> {
        let gone = gone(item, &self.shown);
        self.parent.step_mut(item)?.plan.tasks.get_mut(self.index).ok_or(gone)
    }

    /// Takes the node out of its plan.
    pub fn remove(&self, item: &mut TaskItem) -> Result<TaskNode> {
        let gone = gone(item, &self.shown);
        let tasks = &mut self.parent.step_mut(item)?.plan.tasks;
        if self.index < tasks.len() { Ok(tasks.remove(self.index)) } else { Err(gone) }
    }
}

impl std::fmt::Display for StepPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

impl std::fmt::Display for NodePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, index) in self.0.iter().enumerate() {
            let dot = if i == 0 { "" } else { "." };
            write!(f, "{dot}{}:{index}", if i % 2 == 0 { 's' } else { 't' })?;
        }
        Ok(())
    }
}

/// Where the step with this id is.
pub fn find_step(item: &TaskItem, id: &str) -> Option<Path> {
    let found = item.walk().into_iter().find(|(_, s)| s.id == id)?;
    Path::parse(&found.0)
}

/// Where the task node with this id is.
pub fn find_node(item: &TaskItem, id: &str) -> Option<Path> {
    let found = item.walk_nodes().into_iter().find(|(_, n)| n.id == id)?;
    Path::parse(&found.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_alternating_typed_segments_are_paths() {
        for good in ["s:0", "s:0.t:1", "s:0.t:1.s:2", "s:10.t:0.s:0.t:3"] {
            let path = Path::parse(good).unwrap();
            assert_eq!(path.to_string(), good);
        }
        for bad in ["", "0", "t:0", "s:0.s:1", "s:-1", "s:", "s:0.", "s:0.t:1.t:2", "S:0", "s:0 ", "s:+1"] {
            assert_eq!(Path::parse(bad), None, "{bad}");
        }
        assert!(Path::parse(&["s:0.t:0"; 13].join(".")).is_none(), "at most 24 segments");
    }
}
