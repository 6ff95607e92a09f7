//! A file of a host or of the project as it was found, and the effect that gives it another text.

use std::path::{Path, PathBuf};

use crate::core::world::ReadError;
use crate::core::{Effect, Error, FileImage, Outcome, Result, Sha, World};

/// Larger than any host's file; Claude Code's grows to a few megabytes.
pub const MAX_FILE: u64 = 64 * 1024 * 1024;

pub struct FoundFile {
    /// Where it is looked for.
    pub path: PathBuf,
    /// A directory that exists, and the file below it; links on the way are resolved.
    root: PathBuf,
    below: PathBuf,
    /// Its text and mode; `None` where there is no such file; why it cannot be read.
    pub content: std::result::Result<Option<(String, u32)>, String>,
}

impl FoundFile {
    pub fn find(path: PathBuf, world: &dyn World) -> Result<FoundFile> {
        // It may be a link into somebody's dotfiles: the file it points to is the one to write.
        let real = world.canonical(&path)?.unwrap_or_else(|| path.clone());
        let (root, below) = split(&real, world)?;
        let content = match world.load(&real, MAX_FILE) {
            Ok((stat, bytes)) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some((text, stat.mode))),
                Err(_) => Err("it is not UTF-8 text".to_string()),
            },
            Err(ReadError::Missing) => Ok(None),
            Err(e) => Err(e.to_string()),
        };
        Ok(FoundFile { path, root, below, content })
    }

    /// The file itself, wherever links lead to it.
    pub fn real(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// A file that is not there reads as empty.
    pub fn text(&self) -> std::result::Result<&str, String> {
        match &self.content {
            Ok(found) => Ok(found.as_ref().map_or("", |(text, _)| text)),
            Err(why) => Err(why.clone()),
        }
    }

    pub fn exists(&self) -> bool {
        matches!(self.content, Ok(Some(_)))
    }

    /// Lets the operation write another text; a new file gets `new_mode`.
    pub fn write(&self, after: &str, new_mode: u32, outcome: &mut Outcome) {
        let before = self.content.as_ref().ok().and_then(Option::as_ref);
        let mode = before.map_or(new_mode, |(_, mode)| *mode);
        let mut image = |text: &str, mode| {
            let sha = Sha::of(text.as_bytes());
            outcome.blobs.push((sha.clone(), text.as_bytes().to_vec()));
            FileImage::new(sha, mode)
        };
        let (before, after) = (before.map(|(text, mode)| image(text, *mode)), image(after, mode));
        outcome.effects.push(Effect {
            root: self.root.clone(),
            path: self.below.clone(),
            before,
            after: Some(after),
            kept: false,
        });
        outcome.record.paths.push(self.path.display().to_string());
    }
}

/// The nearest directory that exists, resolved, and the rest of the path: directories made for a file are
/// removed with it when it is undone.
fn split(file: &Path, world: &dyn World) -> Result<(PathBuf, PathBuf)> {
    for dir in file.ancestors().skip(1) {
        if let Some(root) = world.canonical(dir)? {
            let below = file.strip_prefix(dir).unwrap_or(file).to_path_buf();
            return Ok((root, below));
        }
    }
    Err(Error::io(format!("{} is below no directory.", file.display())))
}

/// Only the lines that change and their neighbours: the rest of the file may hold secrets.
pub fn diff(before: &str, after: &str) -> String {
    similar::TextDiff::from_lines(before, after).unified_diff().context_radius(1).to_string()
}
