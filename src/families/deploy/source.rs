//! Finding a module's upstream files: in the config repo, or in a checkout of a git commit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::config::{Git, Module};
use super::errors::coded;
use super::lock::Lock;
use super::place::Place;
use super::scout::{Scout, unsafe_source};
use super::tree::{Layer, Tree};
use crate::core::world::{Command, FileKind, Output, Stat};
use crate::core::{Error, Ids, Result, Sha, World};

/// Two calls must not fetch the same checkout at once.
static FETCHING: Mutex<()> = Mutex::new(());
const GIT_TIME: Duration = Duration::from_secs(120);

/// Finds the upstream files of modules; what several of them share is looked up once.
pub struct Sources<'a> {
    scout: &'a Scout<'a>,
    place: &'a Place,
    lock: Option<&'a Lock>,
    ids: &'a dyn Ids,
    /// The config repo, without links on the way.
    repo: PathBuf,
    /// The same for directories that modules lie in; `None` = nothing there.
    dirs: HashMap<PathBuf, Option<PathBuf>>,
    /// What a ref of a repository means now.
    commits: HashMap<(String, String), String>,
}

impl<'a> Sources<'a> {
    pub fn new(
        scout: &'a Scout,
        place: &'a Place,
        lock: Option<&'a Lock>,
        ids: &'a dyn Ids,
    ) -> Result<Sources<'a>> {
        let real = scout.world.canonical(&place.repo)?;
        let repo = real.clone().unwrap_or_else(|| place.repo.clone());
        let dirs = HashMap::from([(place.repo.clone(), real)]);
        Ok(Sources { scout, place, lock, ids, repo, dirs, commits: HashMap::new() })
    }

    pub fn upstream(&mut self, module: &Module) -> Result<Tree> {
        match (&module.source.local_path, &module.source.git) {
            (Some(local), _) => self.local_tree(module, &local.path),
            (None, Some(git)) => self.git_tree(module, git),
            // The config was checked to have one of the two.
            (None, None) => Err(missing(module, &self.place.repo)),
        }
    }

    fn local_tree(&mut self, module: &Module, path: &str) -> Result<Tree> {
        let full = self.place.repo.join(path);
        let Some((real, stat)) = self.real(&full)? else { return Err(missing(module, &full)) };
        if !real.starts_with(&self.repo) {
            return Err(unsafe_source(&module.id, &full, "it lies outside the config repo"));
        }
        self.scout.tree_at(&real, stat, Layer::Upstream, &module.id)?.ok_or_else(|| missing(module, &full))
    }

    /// With every symlink resolved, and the stat of what is there; `None` = nothing.
    fn real(&mut self, path: &Path) -> Result<Option<(PathBuf, Stat)>> {
        let world = self.scout.world;
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

    /// The commit a ref means now; asked once for all modules that share it.
    fn commit(&mut self, module: &Module, git: &Git) -> Result<String> {
        let key = (git.url.clone(), git.reference.clone());
        if let Some(known) = self.commits.get(&key) {
            return Ok(known.clone());
        }
        let commit = resolve(self.scout.world, self.place, module, git)?;
        self.commits.insert(key, commit.clone());
        Ok(commit)
    }

    fn git_tree(&mut self, module: &Module, git: &Git) -> Result<Tree> {
        let locked = self.lock.and_then(|l| l.module(&module.id));
        let pinned = locked.and_then(|l| l.git());
        let (url, commit, subdir) = match pinned {
            Some(pin) => (pin.url.as_str(), pin.commit.clone(), pin.subdir.as_str()),
            None => (git.url.as_str(), self.commit(module, git)?, git.subdir.as_str()),
        };
        let unsafe_pin = url.starts_with('-') || url.starts_with("ext::") || url.starts_with("fd::");
        let subdir = subdir.trim_end_matches('/');
        if unsafe_pin || !is_commit(&commit) || !(subdir.is_empty() || super::ids::safe_relative(subdir)) {
            return Err(coded(
                "E_LOCKFILE_INVALID",
                format!("The lock entry of module {} is not safe to use.", module.id),
            )
            .details(json!({"module_id": module.id})));
        }
        let (scout, place) = (self.scout, self.place);
        let checkout =
            place.agentpack_home.join("cache/git").join(Sha::of(url.as_bytes()).as_str()).join(&commit);
        if !scout.is_dir(&checkout)? {
            fetch(scout, place, self.ids, module, git, url, &commit, &checkout)?;
        }
        let root = if subdir.is_empty() { checkout.clone() } else { checkout.join(subdir) };
        let (real, stat) = self.real(&root)?.ok_or_else(|| missing(module, &root))?;
        let base = scout.world.canonical(&checkout)?.unwrap_or(checkout);
        if !real.starts_with(&base) {
            return Err(unsafe_source(&module.id, &root, "it lies outside the checkout"));
        }
        let tree =
            scout.tree_at(&real, stat, Layer::Upstream, &module.id)?.ok_or_else(|| missing(module, &root))?;
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

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The commit a ref means now: branch, tag, and a peeled tag wins.
fn resolve(world: &dyn World, place: &Place, module: &Module, git: &Git) -> Result<String> {
    if is_commit(&git.reference) {
        return Ok(git.reference.clone());
    }
    let r = &git.reference;
    let names = [format!("refs/heads/{r}"), format!("refs/tags/{r}"), format!("refs/tags/{r}^{{}}")];
    let mut args = vec!["ls-remote".to_string(), "--".to_string(), git.url.clone()];
    args.extend(names.iter().cloned());
    let output = run_git(world, &place.home, args)?;
    if output.code != Some(0) {
        return Err(git_failed(module, "ls-remote", &output));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let found = |name: &str| {
        let line = text.lines().find(|l| l.split_once('\t').is_some_and(|(_, n)| n == name))?;
        line.split_once('\t').map(|(sha, _)| sha.to_string())
    };
    let commit = found(&names[2]).or_else(|| found(&names[0])).or_else(|| found(&names[1]));
    commit.filter(|c| is_commit(c)).ok_or_else(|| {
        coded("E_SOURCE_MISSING", format!("{} has no branch or tag '{r}' (module {}).", git.url, module.id))
            .details(json!({"module_id": module.id, "ref": r}))
    })
}

#[allow(clippy::too_many_arguments, reason = "what one checkout is made of")]
fn fetch(
    scout: &Scout,
    place: &Place,
    ids: &dyn Ids,
    module: &Module,
    git: &Git,
    url: &str,
    commit: &str,
    checkout: &Path,
) -> Result<()> {
    let _one = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if scout.is_dir(checkout)? {
        return Ok(());
    }
    let temporary = PathBuf::from(format!("{}.tmp-{:016x}", checkout.display(), ids.random() as u64));
    let at = temporary.to_string_lossy().into_owned();
    let clone = |extra: &[&str]| {
        let mut args = vec!["clone".to_string(), "--quiet".into(), "--no-checkout".into()];
        args.extend(extra.iter().map(|a| a.to_string()));
        args.extend(["--".to_string(), url.to_string(), at.clone()]);
        run_git(scout.world, &place.home, args)
    };
    let has_commit = |output: &Output| -> Result<bool> {
        if output.code != Some(0) {
            return Ok(false);
        }
        let args = ["-C", &at, "cat-file", "-e", &format!("{commit}^{{commit}}")].map(str::to_string);
        Ok(run_git(scout.world, &place.home, args.to_vec())?.code == Some(0))
    };
    let shallow = git.shallow && !is_commit(&git.reference);
    let mut done = shallow && has_commit(&clone(&["--depth", "1", "--branch", &git.reference])?)?;
    if !done {
        remove(scout.world, &place.home, &temporary);
        let output = clone(&[])?;
        done = has_commit(&output)?;
        if !done {
            remove(scout.world, &place.home, &temporary);
            return Err(git_failed(module, "clone", &output));
        }
    }
    let args = ["-C", &at, "checkout", "--quiet", "--detach", commit].map(str::to_string);
    let output = run_git(scout.world, &place.home, args.to_vec())?;
    if output.code != Some(0) {
        remove(scout.world, &place.home, &temporary);
        return Err(git_failed(module, "checkout", &output));
    }
    // Whole or not at all: a half-made checkout never carries the final name.
    let moved =
        scout.world.run(&command("mv", &place.home, vec![at, checkout.to_string_lossy().into_owned()]))?;
    if moved.code != Some(0) {
        remove(scout.world, &place.home, &temporary);
        return Err(git_failed(module, "move of the checkout", &moved));
    }
    Ok(())
}

/// Only ever called with a temporary name this module made itself.
fn remove(world: &dyn World, home: &Path, temporary: &Path) {
    let args = vec!["-rf".to_string(), "--".to_string(), temporary.to_string_lossy().into_owned()];
    let _ = world.run(&command("rm", home, args));
}

fn command(program: &str, home: &Path, args: Vec<String>) -> Command {
    Command {
        program: program.into(),
        args,
        cwd: PathBuf::from("/"),
        env: vec![
            ("HOME".into(), home.to_string_lossy().into_owned()),
            ("GIT_TERMINAL_PROMPT".into(), "0".into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ],
        stdin: Vec::new(),
        timeout: GIT_TIME,
    }
}

fn run_git(world: &dyn World, home: &Path, args: Vec<String>) -> Result<Output> {
    world.run(&command("git", home, args.clone())).map_err(|e| git_missing(&e, &args))
}

pub fn git_missing(error: &Error, args: &[String]) -> Error {
    coded("E_GIT_NOT_FOUND", format!("git could not be started. {}", error.message))
        .details(json!({"args": args}))
}

fn git_failed(module: &Module, what: &str, output: &Output) -> Error {
    let stderr = crate::core::redact::text(String::from_utf8_lossy(&output.stderr).trim()).0;
    let why = if output.timed_out { "it took too long".to_string() } else { stderr };
    coded("E_GIT_FAILED", format!("git {what} failed for module {}: {why}.", module.id))
        .details(json!({"module_id": module.id, "stderr": why}))
}
