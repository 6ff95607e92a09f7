//! Finding a module's upstream files: in the config repo, or in a checkout of a git commit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::config::{GitSource, Module};
use super::errors::coded;
use super::file_reader::{FileReader, unsafe_source};
use super::locations::Locations;
use super::lock::ModuleLock;
use super::tree::{ModuleLayer, ModuleTree};
use crate::core::cache::{self, Cached, PinnedCheckout, Revision, is_commit};
use crate::core::world::{FileKind, Stat};
use crate::core::{Error, Result};

/// Finds the upstream files of modules; what several of them share is looked up once.
pub struct Upstreams<'a> {
    reader: &'a FileReader<'a>,
    place: &'a Locations,
    lock: Option<&'a ModuleLock>,
    /// The config repo, without links on the way.
    repo: PathBuf,
    /// The same for directories that modules lie in; `None` = nothing there.
    dirs: HashMap<PathBuf, Option<PathBuf>>,
    /// Repositories elsewhere, as far as they were asked for.
    checkouts: HashMap<PinnedCheckout, Cached>,
}

impl<'a> Upstreams<'a> {
    pub fn new(
        reader: &'a FileReader,
        place: &'a Locations,
        lock: Option<&'a ModuleLock>,
    ) -> Result<Upstreams<'a>> {
        let real = reader.world.canonical(&place.repo)?;
        let repo = real.clone().unwrap_or_else(|| place.repo.clone());
        let dirs = HashMap::from([(place.repo.clone(), real)]);
        Ok(Upstreams { reader, place, lock, repo, dirs, checkouts: HashMap::new() })
    }

    pub fn upstream(&mut self, module: &Module) -> Result<ModuleTree> {
        match (&module.source.local_path, &module.source.git) {
            (Some(local), _) => self.local_tree(module, &local.path),
            (None, Some(git)) => self.git_tree(module, git),
            // The config was checked to have one of the two.
            (None, None) => Err(missing(module, &self.place.repo)),
        }
    }

    fn local_tree(&mut self, module: &Module, path: &str) -> Result<ModuleTree> {
        let full = self.place.repo.join(path);
        let Some((real, stat)) = self.real(&full)? else { return Err(missing(module, &full)) };
        if !real.starts_with(&self.repo) {
            return Err(unsafe_source(&module.id, &full, "it lies outside the config repo"));
        }
        self.reader
            .tree_at(&real, stat, ModuleLayer::Upstream, &module.id)?
            .ok_or_else(|| missing(module, &full))
    }

    /// With every symlink resolved, and the stat of what is there; `None` = nothing.
    fn real(&mut self, path: &Path) -> Result<Option<(PathBuf, Stat)>> {
        let world = self.reader.world;
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name()) {
            // Many modules lie in one directory.
            let dir = match self.dirs.get(parent) {
                Some(known) => known.clone(),
                None => {
                    let real = self.real(parent)?.map(|(real, _)| real);
                    self.dirs.insert(parent.to_path_buf(), real.clone());
                    real
                }
            };
            let Some(real) = dir.map(|dir| dir.join(name)) else { return Ok(None) };
            match world.stat(&real)? {
                None => return Ok(None),
                Some(stat) if stat.kind != FileKind::Symlink => return Ok(Some((real, stat))),
                Some(_) => {}
            }
        }
        let Some(real) = world.canonical(path)? else { return Ok(None) };
        Ok(world.stat(&real)?.map(|stat| (real, stat)))
    }

    /// The checkout of a module's repository; asked for once for all modules that share it.
    fn checkout(&mut self, module: &Module, wanted: PinnedCheckout) -> Result<Cached> {
        if let Some(known) = self.checkouts.get(&wanted) {
            return Ok(known.clone());
        }
        let found = self.reader.world.cache(&wanted).map_err(|e| told(module, &wanted, e))?;
        self.checkouts.insert(wanted, found.clone());
        Ok(found)
    }

    fn git_tree(&mut self, module: &Module, git: &GitSource) -> Result<ModuleTree> {
        let locked = self.lock.and_then(|l| l.module(&module.id));
        let pinned = locked.and_then(|l| l.git());
        let (url, subdir) = match pinned {
            Some(pin) => (pin.url.as_str(), pin.subdir.as_str()),
            None => (git.url.as_str(), git.subdir.as_str()),
        };
        let subdir = subdir.trim_end_matches('/');
        let unsafe_pin = url.starts_with('-') || pinned.is_some_and(|pin| !is_commit(&pin.commit));
        if unsafe_pin || !(subdir.is_empty() || super::ids::safe_relative(subdir)) {
            return Err(coded(
                "E_LOCKFILE_INVALID",
                format!("The lock entry of module {} is not safe to use.", module.id),
            )
            .details(json!({"module_id": module.id})));
        }
        let reference = &git.reference;
        let at = match pinned {
            Some(pin) => Revision::Commit(pin.commit.clone()),
            None if is_commit(reference) => Revision::Commit(reference.clone()),
            // A peeled tag wins over a branch, and that over a tag as it is.
            None => Revision::Refs(vec![
                format!("refs/tags/{reference}^{{}}"),
                format!("refs/heads/{reference}"),
                format!("refs/tags/{reference}"),
            ]),
        };
        let shallow = git.shallow && !is_commit(reference);
        let wanted = PinnedCheckout {
            url: url.to_string(),
            at,
            hint: shallow.then(|| reference.clone()),
            // Where existing installs, and the tool that made the format, have them.
            shelf: Some(self.place.agentpack_home.join("cache/git")),
        };
        let checkout = self.checkout(module, wanted)?.dir;
        let root = if subdir.is_empty() { checkout.clone() } else { checkout.join(subdir) };
        let (real, stat) = self.real(&root)?.ok_or_else(|| missing(module, &root))?;
        let base = self.reader.world.canonical(&checkout)?.unwrap_or(checkout);
        if !real.starts_with(&base) {
            return Err(unsafe_source(&module.id, &root, "it lies outside the checkout"));
        }
        let reader = self.reader;
        let tree = reader
            .tree_at(&real, stat, ModuleLayer::Upstream, &module.id)?
            .ok_or_else(|| missing(module, &root))?;
        if let Some(locked) = locked.filter(|_| pinned.is_some()) {
            locked.verify(&tree)?;
        }
        Ok(tree)
    }
}

fn missing(module: &Module, path: &Path) -> Error {
    coded(
        "E_SOURCE_MISSING",
        format!("The source of module {} does not exist: {}.", module.id, path.display()),
    )
    .details(json!({"module_id": module.id, "path": path}))
}

/// What the cache could not do, in this family's words.
fn told(module: &Module, wanted: &PinnedCheckout, error: Error) -> Error {
    let id = &module.id;
    let details = |more: Value| {
        let mut all = json!({"module_id": id, "ref": wanted.at.shown()});
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all
    };
    let own = error.details.as_deref().cloned().unwrap_or_default();
    let code = match error.code.as_str() {
        cache::NOT_CACHED => "E_SOURCE_NOT_CACHED",
        cache::NO_SUCH_REF => "E_SOURCE_MISSING",
        cache::NO_GIT => return git_missing(&error, &[]),
        cache::GIT_FAILED => "E_GIT_FAILED",
        "unsafe_remote" => "E_SOURCE_UNSAFE",
        _ => return error,
    };
    let out = coded(code, format!("The source of module {id}: {}", error.message)).details(details(own));
    match error.hint {
        Some(hint) => out.hint(hint),
        None => out,
    }
}

pub fn git_missing(error: &Error, args: &[String]) -> Error {
    coded("E_GIT_NOT_FOUND", format!("git could not be started. {}", error.message))
        .details(json!({"args": args}))
}
