//! Finding a module's upstream files: in the config repo, or in a checkout of a git commit.

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
use crate::core::world::{Command, Output};
use crate::core::{Error, Ids, Result, Sha, World};

/// Two calls must not fetch the same checkout at once.
static FETCHING: Mutex<()> = Mutex::new(());
const GIT_TIME: Duration = Duration::from_secs(120);

pub fn upstream(
    scout: &Scout,
    place: &Place,
    lock: Option<&Lock>,
    ids: &dyn Ids,
    module: &Module,
) -> Result<Tree> {
    match (&module.source.local_path, &module.source.git) {
        (Some(local), _) => local_tree(scout, place, module, &local.path),
        (None, Some(git)) => git_tree(scout, place, lock, ids, module, git),
        // The config was checked to have one of the two.
        (None, None) => Err(missing(module, &place.repo)),
    }
}

fn missing(module: &Module, path: &Path) -> Error {
    coded(
        "E_SOURCE_MISSING",
        format!("The source of module {} does not exist: {}.", module.id, path.display()),
    )
    .details(json!({"module_id": module.id, "path": path}))
}

fn local_tree(scout: &Scout, place: &Place, module: &Module, path: &str) -> Result<Tree> {
    let full = place.repo.join(path);
    let repo = scout.world.canonical(&place.repo)?.unwrap_or_else(|| place.repo.clone());
    let Some(real) = scout.world.canonical(&full)? else { return Err(missing(module, &full)) };
    if !real.starts_with(&repo) {
        return Err(unsafe_source(&module.id, &full, "it lies outside the config repo"));
    }
    scout.tree(&real, Layer::Upstream, &module.id)?.ok_or_else(|| missing(module, &full))
}

fn git_tree(
    scout: &Scout,
    place: &Place,
    lock: Option<&Lock>,
    ids: &dyn Ids,
    module: &Module,
    git: &Git,
) -> Result<Tree> {
    let locked = lock.and_then(|l| l.module(&module.id));
    let pinned = locked.and_then(|l| l.git());
    let (url, commit, subdir) = match pinned {
        Some(pin) => (pin.url.as_str(), pin.commit.clone(), pin.subdir.as_str()),
        None => (git.url.as_str(), resolve(scout.world, place, module, git)?, git.subdir.as_str()),
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
    let checkout =
        place.agentpack_home.join("cache/git").join(Sha::of(url.as_bytes()).as_str()).join(&commit);
    if !scout.is_dir(&checkout)? {
        fetch(scout, place, ids, module, git, url, &commit, &checkout)?;
    }
    let root = if subdir.is_empty() { checkout.clone() } else { checkout.join(subdir) };
    let real = scout.world.canonical(&root)?.ok_or_else(|| missing(module, &root))?;
    let base = scout.world.canonical(&checkout)?.unwrap_or(checkout);
    if !real.starts_with(&base) {
        return Err(unsafe_source(&module.id, &root, "it lies outside the checkout"));
    }
    let tree = scout.tree(&real, Layer::Upstream, &module.id)?.ok_or_else(|| missing(module, &root))?;
    if let Some(locked) = locked.filter(|_| pinned.is_some()) {
        locked.verify(&tree)?;
    }
    Ok(tree)
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
