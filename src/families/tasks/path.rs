//! Typed paths (`s:0.t:1.s:2`): parsing, and finding exactly the node they name, at any depth.

use super::model::{Item, Step, TaskNode};

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

    /// The index among its siblings and the path of what holds them (`None` = the item itself).
    pub fn split(&self) -> (usize, Option<Path>) {
        let (last, rest) = self.0.split_last().expect("a path has at least one segment");
        (*last, (!rest.is_empty()).then(|| Path(rest.to_vec())))
    }

    pub fn step<'a>(&self, item: &'a Item) -> Option<&'a Step> {
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

    pub fn node<'a>(&self, item: &'a Item) -> Option<&'a TaskNode> {
        let (last, parent) = self.split();
        parent?.step(item)?.plan.tasks.get(last)
    }

    pub fn step_mut<'a>(&self, item: &'a mut Item) -> Option<&'a mut Step> {
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

    pub fn node_mut<'a>(&self, item: &'a mut Item) -> Option<&'a mut TaskNode> {
        let (last, parent) = self.split();
        parent?.step_mut(item)?.plan.tasks.get_mut(last)
    }

    /// The list of steps a step of this path lives in.
    pub fn siblings_mut<'a>(&self, item: &'a mut Item) -> Option<&'a mut Vec<Step>> {
        match self.split().1 {
            None => Some(&mut item.steps),
            Some(node) => node.node_mut(item).map(|n| &mut n.steps),
        }
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
pub fn find_step(item: &Item, id: &str) -> Option<Path> {
    let found = item.walk().into_iter().find(|(_, s)| s.id == id)?;
    Path::parse(&found.0)
}

/// Where the task node with this id is.
pub fn find_node(item: &Item, id: &str) -> Option<Path> {
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
