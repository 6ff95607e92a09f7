//! Where a path leads, seen from the directory it must not leave: the wall that every path of a call meets.
//!
//! Links are followed and then judged by where they end, so that neither `..` nor a link shows a project anything
//! outside it. Families say in their own words what is wrong.

use std::path::{Component, Path, PathBuf};

use super::{Result, World};

/// Where a path leads, with every link resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// Inside, and there.
    Here(PathBuf),
    /// Nothing is there, but it would be inside.
    Missing,
    /// Not inside, whether anything is there or not.
    Outside,
}

impl Located {
    pub fn here(self) -> Option<PathBuf> {
        match self {
            Located::Here(path) => Some(path),
            Located::Missing | Located::Outside => None,
        }
    }
}

/// Looks for a path (absolute, or as seen from the root) below the root.
pub fn locate(world: &dyn World, root: &Path, path: impl AsRef<Path>) -> Result<Located> {
    let Some(root) = world.canonical(root)? else { return Ok(Located::Missing) };
    let full = root.join(path);
    if let Some(place) = world.canonical(&full)? {
        return Ok(if place.starts_with(&root) { Located::Here(place) } else { Located::Outside });
    }
    // What is missing must not tell anything about the outside either: the part that is there decides.
    let mut rest = full.as_path();
    while let Some(parent) = rest.parent() {
        if rest.components().next_back() == Some(Component::ParentDir) {
            return Ok(Located::Outside);
        }
        rest = parent;
        if let Some(place) = world.canonical(rest)? {
            return Ok(if place.starts_with(&root) { Located::Missing } else { Located::Outside });
        }
    }
    Ok(Located::Outside)
}

/// What is wrong with a path that leads out, as a sentence.
pub fn outside(path: &str) -> String {
    format!("'{path}' is outside the workspace or leads out of it.")
}

/// What to do about it.
pub const REMEDY: &str = "Use a path inside the workspace; links out of it are not followed.";
