//! First files: a path where nothing is yet, found before anything is decided, and the effect that fills it.
//!
//! Nothing that exists is ever replaced; what the files mean is known to whoever writes them.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Effect, Error, FileImage, Kind, Outcome, Result, Sha, World};

/// Where a new file goes: a directory that exists, and the rest of the path.
#[derive(Debug, Clone)]
pub struct FreePath {
    root: PathBuf,
    below: PathBuf,
}

impl FreePath {
    pub fn find(path: &Path, world: &dyn World) -> Result<FreePath> {
        if !path.is_absolute() {
            return Err(Error::invalid("invalid_arguments", "Files are named by their full path."));
        }
        if world.stat(path)?.is_some() {
            let message = format!("{} exists already and is left as it is.", path.display());
            return Err(Error::new(Kind::Conflict, "file_exists", message)
                .hint("Move it away first, or change it by hand.")
                .details(json!({"path": path})));
        }
        for dir in path.ancestors().skip(1) {
            if let Some(root) = world.canonical(dir)? {
                let below = path.strip_prefix(dir).unwrap_or(path).to_path_buf();
                return Ok(FreePath { root, below });
            }
        }
        Err(Error::io(format!("{} is below no directory.", path.display())))
    }

    pub fn shown(&self) -> String {
        self.root.join(&self.below).display().to_string()
    }

    /// The file becomes part of what an outcome does.
    pub fn fill(&self, outcome: &mut Outcome, text: &str, mode: u32) {
        let sha = Sha::of(text.as_bytes());
        outcome.blobs.push((sha.clone(), text.as_bytes().to_vec()));
        outcome.effects.push(Effect {
            root: self.root.clone(),
            path: self.below.clone(),
            before: None,
            after: Some(FileImage::new(sha, mode)),
            kept: false,
        });
    }
}
