//! From intended contents to effects: before-images and new contents as blobs, modes kept.

use std::path::Path;

use super::state::OnDisk;
use super::targets::TargetRoot;
use super::tree::HashedContent;
use crate::core::{Ctx, Draft, Effect, Error, FileImage, Result, Sha};

/// Collects the effects of one operation together with the contents they need.
pub struct DeployWrites<'a> {
    pub draft: Draft<'a>,
    pub effects: Vec<Effect>,
}

impl<'a> DeployWrites<'a> {
    pub fn new(ctx: &Ctx<'a>) -> Self {
        DeployWrites { draft: ctx.draft(), effects: Vec::new() }
    }

    /// Keeps some bytes, unless the store has them already.
    pub fn keep(&mut self, content: &HashedContent) -> Result<()> {
        self.draft.keep_blob(&content.sha, &content.bytes)
    }

    pub fn write(
        &mut self,
        root: &TargetRoot,
        path: &Path,
        now: Option<&OnDisk>,
        content: &HashedContent,
        exec: bool,
    ) -> Result<()> {
        self.keep(content)?;
        self.write_stored(root, path, now, &content.sha, exec)
    }

    /// Writes bytes that are already in the store.
    pub fn write_stored(
        &mut self,
        root: &TargetRoot,
        path: &Path,
        now: Option<&OnDisk>,
        sha: &Sha,
        exec: bool,
    ) -> Result<()> {
        let mode = mode_after(now, exec);
        self.push(root, path, now, Some(FileImage::new(sha.clone(), mode)))
    }

    pub fn delete(&mut self, root: &TargetRoot, path: &Path, now: &OnDisk) -> Result<()> {
        self.push(root, path, Some(now), None)
    }

    fn push(
        &mut self,
        root: &TargetRoot,
        path: &Path,
        now: Option<&OnDisk>,
        after: Option<FileImage>,
    ) -> Result<()> {
        let before = match now {
            Some(file) => {
                self.keep(&file.content)?;
                Some(FileImage::new(file.content.sha.clone(), file.mode))
            }
            None => None,
        };
        let rel = path.strip_prefix(&root.base).map_err(|_| {
            Error::internal(format!("{} is not below {}.", path.display(), root.base.display()))
        })?;
        self.effects.push(Effect {
            root: root.base.clone(),
            path: rel.to_path_buf(),
            before,
            after,
            kept: false,
        });
        Ok(())
    }
}

/// A file keeps the mode it has; an executable one becomes executable for whoever may read it.
fn mode_after(now: Option<&OnDisk>, exec: bool) -> u32 {
    match now {
        Some(file) if exec => file.mode | (file.mode & 0o444) >> 2,
        Some(file) => file.mode,
        None if exec => 0o755,
        None => 0o644,
    }
}
