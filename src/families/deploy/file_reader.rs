//! Reading directories of modules and overlays: whole trees, never out of their root through a link.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::errors::coded;
use super::file_memory::FileMemory;
use super::tree::{HashedContent, ModuleLayer, ModuleTree, TreeFile};
use crate::core::inside::{self, Located};
use crate::core::world::{FileKind, ReadError, Stat};
use crate::core::{Ctx, Error, Look, Result, SessionInfo, Timestamp, World, owner};

/// Deeper nesting is a mistake or an attack.
const MAX_DEPTH: usize = 32;
const MAX_FILES: usize = 20_000;
/// Fewer names than this are asked for one by one.
const TOGETHER: usize = 3;
/// Never part of a module.
const SKIPPED: [&str; 2] = [".git", ".agentpack"];

/// The world together with what is remembered of it.
pub struct FileReader<'a> {
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    memory: Arc<FileMemory>,
    now: Timestamp,
}

impl<'a> FileReader<'a> {
    pub fn new(ctx: &Ctx<'a>, world: &'a dyn World) -> FileReader<'a> {
        FileReader { world, session: ctx.session, memory: world.memories().of(), now: ctx.now }
    }

    pub fn of(look: &Look<'a>) -> FileReader<'a> {
        FileReader::new(look.ctx, look.world)
    }
}

impl FileReader<'_> {
    pub fn file(&self, path: &Path) -> Result<std::result::Result<(Stat, HashedContent), ReadError>> {
        self.memory.read(self.world, self.now, path, None)
    }

    /// The same for a file whose stat is just taken; `None` = it is not known yet.
    pub fn file_seen(
        &self,
        path: &Path,
        stat: Option<Stat>,
    ) -> Result<std::result::Result<(Stat, HashedContent), ReadError>> {
        self.memory.read(self.world, self.now, path, stat)
    }

    /// Stats of names in a directory, where asking for them together is cheaper: there are several, and they
    /// seem to be remembered.
    pub fn stats(&self, dir: &Path, names: &[&OsStr]) -> Result<Option<Vec<Option<Stat>>>> {
        let ends = [names.first(), names.last()].into_iter().flatten();
        if names.len() < TOGETHER || !ends.into_iter().any(|name| self.memory.trusts(&dir.join(name))) {
            return Ok(None);
        }
        self.world.stat_all(dir, names).map(Some)
    }

    /// A file that may be missing; anything else in its place is an error.
    pub fn optional(&self, path: &Path) -> Result<Option<HashedContent>> {
        match self.file(path)? {
            Ok((_, content)) => Ok(Some(content)),
            Err(ReadError::Missing) => Ok(None),
            Err(why) => Err(unreadable(path, &why)),
        }
    }

    pub fn is_dir(&self, path: &Path) -> Result<bool> {
        Ok(matches!(self.world.stat(path)?, Some(Stat { kind: FileKind::Dir, .. })))
    }

    pub fn exists(&self, path: &Path) -> Result<bool> {
        Ok(self.world.stat(path)?.is_some())
    }

    /// Everything below a directory, or the one file it is; `None` = nothing there.
    pub fn tree(&self, root: &Path, layer: ModuleLayer, module: &str) -> Result<Option<ModuleTree>> {
        let Some(real) = self.world.canonical(root)? else { return Ok(None) };
        match self.world.stat(&real)? {
            Some(stat) => self.tree_at(&real, stat, layer, module),
            None => Ok(None),
        }
    }

    /// The same for a path that is known to have no links in it, with its stat.
    pub fn tree_at(
        &self,
        real: &Path,
        stat: Stat,
        layer: ModuleLayer,
        module: &str,
    ) -> Result<Option<ModuleTree>> {
        owner::check_stat(self.world, real, &stat)?;
        let mut tree = ModuleTree::new();
        match stat.kind {
            FileKind::File => {
                let found = self.file_seen(real, Some(stat))?;
                let name = real.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
                let (stat, content) = found.map_err(|why| unreadable(real, &why))?;
                tree.insert((*name).into(), TreeFile::new(&stat, content, layer, real.to_path_buf()));
            }
            FileKind::Dir => self.walk(&mut tree, real, real, "", 0, layer, module)?,
            _ => return Ok(None),
        }
        Ok(Some(tree))
    }

    #[allow(clippy::too_many_arguments, reason = "one recursive step of `tree`")]
    fn walk(
        &self,
        tree: &mut ModuleTree,
        root: &Path,
        dir: &Path,
        prefix: &str,
        depth: usize,
        layer: ModuleLayer,
        module: &str,
    ) -> Result<()> {
        if depth > MAX_DEPTH || tree.len() > MAX_FILES {
            return Err(coded(
                "E_MODULE_INVALID",
                format!("{} is too deep or has too many files.", root.display()),
            )
            .details(json!({"module_id": module, "path": root})));
        }
        let entries = self.world.list(dir)?.unwrap_or_default();
        let names: Vec<&OsStr> = entries.iter().map(|(name, _)| OsStr::new(name)).collect();
        let mut stats = self.stats(dir, &names)?.unwrap_or_default().into_iter();
        for (name, kind) in entries {
            let stat = stats.next().flatten();
            if SKIPPED.iter().any(|skipped| skipped.eq_ignore_ascii_case(&name)) {
                continue;
            }
            let rel = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            match kind {
                FileKind::Dir => self.walk(tree, root, &dir.join(&name), &rel, depth + 1, layer, module)?,
                kind => self.add(tree, root, dir, rel, kind, stat, layer, module)?,
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "one recursive step of `tree`")]
    fn add(
        &self,
        tree: &mut ModuleTree,
        root: &Path,
        dir: &Path,
        rel: String,
        kind: FileKind,
        stat: Option<Stat>,
        layer: ModuleLayer,
        module: &str,
    ) -> Result<()> {
        let name = rel.rsplit('/').next().unwrap_or(&rel);
        let path = dir.join(name);
        let found = match kind {
            FileKind::File => self.file_seen(&path, stat)?,
            FileKind::Symlink => self.file(&self.inside(root, &path, module)?)?,
            _ => return Err(unsafe_source(module, &path, "it is neither a file nor a directory")),
        };
        let (stat, content) = found.map_err(|why| unreadable(&path, &why))?;
        owner::check_stat(self.world, &path, &stat)?;
        tree.insert(rel.into(), TreeFile::new(&stat, content, layer, path));
        Ok(())
    }

    /// What a link inside a module points to, if that is a file of the same module.
    fn inside(&self, root: &Path, link: &Path, module: &str) -> Result<PathBuf> {
        let real = match inside::locate(self.world, root, link)? {
            Located::Here(real) => real,
            Located::Missing => return Err(unsafe_source(module, link, "the link points nowhere")),
            Located::Outside => return Err(unsafe_source(module, link, "the link leaves the module")),
        };
        match self.world.stat(&real)?.map(|s| s.kind) {
            Some(FileKind::File) => Ok(real),
            _ => Err(unsafe_source(module, link, "the link points to a directory")),
        }
    }
}

pub fn unsafe_source(module: &str, path: &Path, why: &str) -> Error {
    coded("E_SOURCE_UNSAFE", format!("{} of module {module} is not read: {why}.", path.display()))
        .details(json!({"module_id": module, "path": path}))
}

pub fn unreadable(path: &Path, why: &ReadError) -> Error {
    let code = match why {
        ReadError::NotAFile(FileKind::Dir) => "E_PATH_IS_DIRECTORY",
        ReadError::NotAFile(FileKind::Symlink) => "E_PATH_SYMLINK",
        ReadError::NotAFile(_) => "E_PATH_NOT_A_FILE",
        ReadError::TooLarge(_) => "E_FILE_TOO_LARGE",
        ReadError::Failed(text) if text.contains("ermission denied") => "E_IO_PERMISSION_DENIED",
        ReadError::Missing | ReadError::NoDescriptors | ReadError::Failed(_) => "E_IO_FAILED",
    };
    let link = matches!(why, ReadError::NotAFile(FileKind::Symlink));
    let why = if link { "it is a symlink".to_string() } else { why.to_string() };
    coded(code, format!("Cannot read {}: {why}.", path.display())).details(json!({"path": path}))
}
