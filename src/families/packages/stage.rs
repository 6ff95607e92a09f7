//! The files an operation will write, on top of what is there: later steps see what earlier ones planned.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::errors::{FILE_CONFLICT, fail};
use crate::core::world::{FileKind, ReadError};
use crate::core::{Effect, Error, FileImage, Result, Sha, World};

const MAX_FILE: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    pub bytes: Vec<u8>,
    pub mode: u32,
}

struct Slot {
    root: PathBuf,
    path: PathBuf,
    before: Option<FileContent>,
    after: Option<FileContent>,
}

pub struct FileStage<'a> {
    world: &'a dyn World,
    slots: Vec<Slot>,
    at: HashMap<PathBuf, usize>,
}

impl<'a> FileStage<'a> {
    pub fn new(world: &'a dyn World) -> Self {
        FileStage { world, slots: Vec::new(), at: HashMap::new() }
    }

    /// What the file will be so far; what is on disk if nothing was planned.
    pub fn content(&mut self, root: &Path, path: &Path) -> Result<Option<&FileContent>> {
        let slot = self.slot(root, path)?;
        Ok(self.slots[slot].after.as_ref())
    }

    pub fn text(&mut self, root: &Path, path: &Path) -> Result<Option<String>> {
        match self.content(root, path)? {
            None => Ok(None),
            Some(content) => String::from_utf8(content.bytes.clone()).map(Some).map_err(|_| {
                Error::io(format!("Cannot read {}: it is not UTF-8 text.", root.join(path).display()))
            }),
        }
    }

    pub fn write(&mut self, root: &Path, path: &Path, bytes: Vec<u8>, mode: u32) -> Result<()> {
        self.world.may_write(root, path)?;
        let slot = self.slot(root, path)?;
        self.slots[slot].after = Some(FileContent { bytes, mode });
        Ok(())
    }

    /// Text keeps the mode of the file it replaces.
    pub fn write_text(&mut self, root: &Path, path: &Path, text: &str) -> Result<()> {
        let mode = self.content(root, path)?.map_or(0o644, |c| c.mode);
        self.write(root, path, text.as_bytes().to_vec(), mode)
    }

    pub fn remove(&mut self, root: &Path, path: &Path) -> Result<()> {
        self.world.may_write(root, path)?;
        let slot = self.slot(root, path)?;
        self.slots[slot].after = None;
        Ok(())
    }

    fn slot(&mut self, root: &Path, path: &Path) -> Result<usize> {
        let full = root.join(path);
        if let Some(slot) = self.at.get(&full) {
            return Ok(*slot);
        }
        let before = self.on_disk(&full)?;
        let after = before.clone();
        self.slots.push(Slot { root: root.to_path_buf(), path: path.to_path_buf(), before, after });
        self.at.insert(full, self.slots.len() - 1);
        Ok(self.slots.len() - 1)
    }

    fn on_disk(&self, full: &Path) -> Result<Option<FileContent>> {
        match self.world.load(full, MAX_FILE) {
            Ok((stat, bytes)) => Ok(Some(FileContent { bytes, mode: stat.mode })),
            Err(ReadError::Missing) => Ok(None),
            Err(ReadError::NotAFile(_)) => Err(fail(
                FILE_CONFLICT,
                format!("{} is in the way: it is not a regular file.", full.display()),
            )
            .hint("Move it away, then call again. Nothing was changed.")),
            Err(why) => Err(Error::io(format!("Cannot read {}: {why}.", full.display()))),
        }
    }

    /// Files that change, in the order they were first touched, with every content that is needed to go back.
    pub fn finish(self) -> (Vec<Effect>, Vec<(Sha, Vec<u8>)>) {
        let mut blobs = BTreeMap::new();
        let mut image = |content: Option<FileContent>| {
            content.map(|c| {
                let sha = Sha::of(&c.bytes);
                blobs.entry(sha.clone()).or_insert(c.bytes);
                FileImage::new(sha, c.mode)
            })
        };
        let mut effects = Vec::new();
        for slot in self.slots {
            if slot.before != slot.after {
                let (before, after) = (image(slot.before), image(slot.after));
                effects.push(Effect { root: slot.root, path: slot.path, before, after, kept: false });
            }
        }
        (effects, blobs.into_iter().collect())
    }
}

/// All regular files below a directory, as paths relative to it with `/`; symlinks and special files apart.
pub fn walk(world: &dyn World, dir: &Path) -> Result<(Vec<String>, Vec<String>)> {
    let (mut files, mut odd) = (Vec::new(), Vec::new());
    let mut open = vec![String::new()];
    while let Some(at) = open.pop() {
        let Some(entries) = world.list(&dir.join(&at))? else { continue };
        for (name, kind) in entries {
            let path = if at.is_empty() { name } else { format!("{at}/{name}") };
            match kind {
                FileKind::File => files.push(path),
                FileKind::Dir => open.push(path),
                FileKind::Symlink | FileKind::Other => odd.push(path),
            }
        }
    }
    files.sort();
    odd.sort();
    Ok((files, odd))
}
