//! Checkouts of repositories elsewhere, kept for all calls: whole or not there, made by one call at a time, bounded.
//!
//! A checkout is made under a temporary name and gets its own by one rename. Nothing that it holds is run: no hook,
//! no filter, no submodule. A session that may only look gets what is there and is told what is missing.

mod keep;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use crate::core::cache::{
    Cached, GIT_FAILED, NO_GIT, NO_SUCH_REF, NOT_CACHED, PinnedCheckout, Revision, is_commit,
};
use crate::core::git::{Git, Remote};
use crate::core::world::Output;
use crate::core::{Error, Kind, Result, SessionInfo, Sha, World, owner, redact};

pub use keep::Limits;

/// A work tree may be large; git itself is not the one that hangs.
const CHECKOUT_TIME: Duration = Duration::from_secs(120);
/// How often a waiting call looks whether anybody still waits for it.
const TICK: Duration = Duration::from_millis(50);

#[derive(Default)]
pub struct Cache {
    /// The directory below the daemon's own; `None` = nothing is remembered between calls.
    home: Option<PathBuf>,
    pub limits: Limits,
    /// Directories in which a call is at work.
    busy: Mutex<BTreeSet<PathBuf>>,
    freed: Condvar,
}

/// The right to work in a directory, given back when dropped.
struct Turn<'a> {
    cache: &'a Cache,
    dir: PathBuf,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.cache.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.dir);
        self.cache.freed.notify_all();
    }
}

impl Cache {
    pub fn at(home: Option<PathBuf>) -> Cache {
        Cache { home: home.map(|home| home.join("cache")), ..Cache::default() }
    }

    /// The directory of a checkout; asks the remote and clones where that is allowed and needed.
    pub fn get(&self, world: &dyn World, session: &SessionInfo, wanted: &PinnedCheckout) -> Result<Cached> {
        let quiet = world.offline() || session.read_only;
        let remote = Remote::parse(&wanted.url, &session.cwd)?;
        check_owner(world, &remote)?;
        let commit = match &wanted.at {
            Revision::Commit(id) => id.clone(),
            Revision::Refs(names) if quiet => {
                self.remembered(&wanted.url, names).ok_or_else(|| missing(wanted))?
            }
            Revision::Refs(names) => {
                let commit = newest(world, session, wanted, &remote, names)?;
                self.remember(&wanted.url, names, &commit);
                commit
            }
        };
        if !is_commit(&commit) {
            return Err(Error::invalid("invalid_arguments", format!("'{commit}' is not a commit.")));
        }
        let parent = self.shelf(wanted)?.join(Sha::of(wanted.url.as_bytes()).as_str());
        let dir = parent.join(&commit);
        if !is_there(&dir) {
            if quiet {
                return Err(missing(wanted));
            }
            let _turn = self.turn(world, &parent)?;
            if !is_there(&dir) {
                world.progress(0.1, &format!("Cloning {}", redact::line(&wanted.url)));
                self.make(world, session, wanted, &remote, &parent, &dir, &commit)?;
            }
        }
        owner::check(world, &dir)?;
        if !quiet {
            self.used(&dir);
        }
        Ok(Cached { dir, commit })
    }

    fn shelf(&self, wanted: &PinnedCheckout) -> Result<PathBuf> {
        let own = || self.home.as_ref().map(|home| home.join("git"));
        wanted.shelf.clone().or_else(own).ok_or_else(|| Error::internal("The cache has no directory."))
    }

    /// Waits until no other call works in the directory.
    fn turn(&self, world: &dyn World, dir: &Path) -> Result<Turn<'_>> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        while !busy.insert(dir.to_path_buf()) {
            if world.cancelled() {
                let message = "The call was cancelled; nothing was changed.";
                return Err(Error::new(Kind::State, "cancelled", message));
            }
            busy = self.freed.wait_timeout(busy, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(Turn { cache: self, dir: dir.to_path_buf() })
    }

    #[allow(clippy::too_many_arguments, reason = "what one checkout is made of")]
    fn make(
        &self,
        world: &dyn World,
        session: &SessionInfo,
        wanted: &PinnedCheckout,
        remote: &Remote,
        parent: &Path,
        dir: &Path,
        commit: &str,
    ) -> Result<()> {
        std::fs::create_dir_all(parent).map_err(|e| failed("make", parent, &e))?;
        keep::sweep(parent);
        let temporary = keep::Temporary::below(parent);
        clone(world, session, wanted, remote, temporary.path(), commit)?;
        let size = keep::measure(temporary.path(), &self.limits).ok_or_else(|| {
            let url = redact::line(&wanted.url);
            Error::new(
                Kind::State,
                "too_large",
                format!("A checkout of {url} is larger than the cache takes."),
            )
            .hint("Use a smaller repository for modules and registries.")
        })?;
        keep::flush(temporary.path());
        temporary.put(dir)?;
        self.entered(dir, size);
        Ok(())
    }
}

fn is_there(dir: &Path) -> bool {
    std::fs::symlink_metadata(dir).is_ok_and(|m| m.is_dir())
}

/// A repository on this machine must be the user's own, like everything that is read from it.
fn check_owner(world: &dyn World, remote: &Remote) -> Result<()> {
    let address = remote.as_str();
    let path = address.strip_prefix("file://").unwrap_or(address);
    if !path.starts_with('/') {
        return Ok(());
    }
    owner::check(world, Path::new(path))?;
    owner::check(world, &Path::new(path).join(".git"))
}

/// The commit that the best of these refs means now.
fn newest(
    world: &dyn World,
    session: &SessionInfo,
    wanted: &PinnedCheckout,
    remote: &Remote,
    names: &[String],
) -> Result<String> {
    let patterns: Vec<&str> = names.iter().map(String::as_str).collect();
    let listed = Git::nowhere(world, session).refs_of(remote, &patterns).map_err(|e| told(&e))?;
    let found = |name: &String| {
        let line = listed.lines().find(|l| l.split_once('\t').is_some_and(|(_, n)| n == name))?;
        line.split_once('\t').map(|(commit, _)| commit.to_string())
    };
    names.iter().find_map(found).filter(|commit| is_commit(commit)).ok_or_else(|| {
        let (url, name) = (redact::line(&wanted.url), wanted.at.shown());
        let what = if name == "HEAD" { "no commit yet".into() } else { format!("no branch or tag '{name}'") };
        Error::new(Kind::NotFound, NO_SUCH_REF, format!("{url} has {what}."))
            .details(json!({"url": url, "ref": name}))
    })
}

/// Clones with as little as will do and puts the commit's files in place.
fn clone(
    world: &dyn World,
    session: &SessionInfo,
    wanted: &PinnedCheckout,
    remote: &Remote,
    into: &Path,
    commit: &str,
) -> Result<()> {
    let nowhere = Git::nowhere(world, session);
    let has_commit = |output: &Output| -> Result<bool> {
        let object = format!("{commit}^{{commit}}");
        Ok(output.code == Some(0)
            && Git::new(world, session, into).maybe(&["cat-file", "-e", &object])?.is_some())
    };
    let mut done = false;
    if let Some(hint) = &wanted.hint {
        let only = ["--no-checkout", "--depth", "1", "--no-tags", "--branch", hint];
        done = has_commit(&nowhere.clone(remote, into, &only).map_err(|e| told(&e))?)?;
    }
    if !done {
        keep::remove(into);
        let output = nowhere.clone(remote, into, &["--no-checkout"]).map_err(|e| told(&e))?;
        if !has_commit(&output)? {
            let lacks = output.code == Some(0);
            let url = redact::line(&wanted.url);
            let why = if lacks { format!("{url} has no commit {commit}") } else { said(&output) };
            return Err(git_failed("clone", &why));
        }
    }
    let git = Git::new(world, session, into).patience(CHECKOUT_TIME);
    let output = git.output(&["checkout", "--quiet", "--detach", commit], Vec::new())?;
    if output.code == Some(0) { Ok(()) } else { Err(git_failed("checkout", &said(&output))) }
}

fn said(output: &Output) -> String {
    if output.timed_out {
        return "it took too long".into();
    }
    redact::text(String::from_utf8_lossy(&output.stderr).trim()).0
}

fn git_failed(what: &str, why: &str) -> Error {
    let why = why.trim_end_matches('.');
    Error::new(Kind::Io, GIT_FAILED, format!("git {what} failed: {why}.")).details(json!({"stderr": why}))
}

/// What went wrong while a remote was asked, told apart as families tell it.
fn told(error: &Error) -> Error {
    match error.code.as_str() {
        "io_error" if error.message.starts_with("Cannot start") => {
            Error::new(Kind::Io, NO_GIT, error.message.clone())
        }
        "io_error" => {
            Error::new(Kind::Io, GIT_FAILED, error.message.clone()).details(json!({"stderr": error.message}))
        }
        _ => error.clone(),
    }
}

fn missing(wanted: &PinnedCheckout) -> Error {
    let (url, what) = (redact::line(&wanted.url), wanted.at.shown());
    Error::new(
        Kind::State,
        NOT_CACHED,
        format!("{url} at {what} is not in the cache, and this call contacts no remote."),
    )
    .hint(
        "Make the same call once in a session without --read-only (and not only planned); then it is cached.",
    )
    .details(json!({"url": url, "ref": what}))
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> Error {
    Error::io(format!("Cannot {verb} {}: {e}.", path.display()))
}
