//! Git as this family speaks it: the program itself, never a shell, never a prompt, never an option from data.
//!
//! Commands are built here once, both for looking ([`Git`]) and as steps of runs ([`work`]).

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::core::run::Work;
use crate::core::world::{Command, Output};
use crate::core::{Error, Result, SessionInfo, World, redact};

/// Looking at local state must be quick; anything slower is a stuck file system.
const LOCAL: Duration = Duration::from_secs(20);

/// What git is told by its environment: no prompt of any kind, no helper protocols, messages we can read.
pub fn env(session: &SessionInfo) -> Vec<(String, String)> {
    let ssh = "ssh -o BatchMode=yes -o ConnectTimeout=15";
    let home = session.home.to_string_lossy();
    [
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", ""),
        ("GIT_SSH_COMMAND", ssh),
        ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_EDITOR", "true"),
        ("LC_ALL", "C"),
        ("HOME", &home),
    ]
    .iter()
    .map(|(k, v)| ((*k).to_string(), (*v).to_string()))
    .collect()
}

/// Seconds a call to a remote may take; a test shortens it.
pub fn remote_timeout(session: &SessionInfo) -> u64 {
    session.env.get("PACKD_GIT_TIMEOUT").and_then(|v| v.parse().ok()).unwrap_or(120)
}

/// One git command as the work of a run.
pub fn work(session: &SessionInfo, dir: &Path, args: &[&str]) -> Work {
    Work::Program {
        program: "git".into(),
        args: args.iter().map(|a| (*a).to_string()).collect(),
        cwd: dir.to_path_buf(),
        env: env(session),
    }
}

/// Git in one directory, for looking.
pub struct Git<'a> {
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    pub dir: &'a Path,
}

impl Git<'_> {
    fn run(&self, args: &[&str], timeout: Duration) -> Result<Output> {
        self.world.run(&Command {
            program: "git".into(),
            args: args.iter().map(|a| (*a).to_string()).collect(),
            cwd: self.dir.to_path_buf(),
            env: env(self.session),
            stdin: Vec::new(),
            timeout,
        })
    }

    /// Trimmed output, or what git said went wrong.
    pub fn text(&self, args: &[&str]) -> Result<String> {
        self.checked(args, LOCAL)
    }

    /// As [`text`](Self::text), with time for a network.
    pub fn remote(&self, args: &[&str]) -> Result<String> {
        self.checked(args, Duration::from_secs(remote_timeout(self.session)))
    }

    fn checked(&self, args: &[&str], timeout: Duration) -> Result<String> {
        let out = self.run(args, timeout)?;
        if out.code == Some(0) {
            return Ok(String::from_utf8_lossy(&out.stdout).trim_end().to_string());
        }
        let verb = args.first().copied().unwrap_or("");
        if out.timed_out {
            return Err(Error::io(format!(
                "git {verb} in {} gave no answer within {} seconds.",
                self.dir.display(),
                timeout.as_secs()
            )));
        }
        let said = redact::line(String::from_utf8_lossy(&out.stderr).trim());
        let said = said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing").to_string();
        Err(Error::io(format!("git {verb} in {} failed: {said}.", self.dir.display())))
    }

    /// `None` where git says no (a missing ref, no repository).
    pub fn maybe(&self, args: &[&str]) -> Result<Option<String>> {
        let out = self.run(args, LOCAL)?;
        Ok((out.code == Some(0)).then(|| String::from_utf8_lossy(&out.stdout).trim_end().to_string()))
    }
}

/// A commit as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub sha: String,
    pub subject: String,
}

/// What git says about one checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    pub dir: PathBuf,
    pub exists: bool,
    pub head: Option<String>,
    /// `None` = detached.
    pub branch: Option<String>,
    /// One line per changed or untracked file: two status letters and the path.
    pub dirty: Vec<String>,
    /// Commits on any local branch that no remote has, newest first; at most 50.
    pub unpushed: Vec<Commit>,
    pub unpushed_count: u64,
    pub stashes: u64,
    pub origin: Option<String>,
}

impl Checkout {
    /// Work that exists nowhere else.
    pub fn has_work(&self) -> bool {
        !self.dirty.is_empty() || self.unpushed_count > 0 || self.stashes > 0
    }
}

const LIST: usize = 50;

/// Whose work counts as this checkout's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// A clone: every local branch and stash in it.
    All,
    /// A worktree of a repository that lives elsewhere: only what no other branch has.
    Own,
}

/// Looks at a checkout. `skip` are paths below it that belong to somebody else (clones inside a worktree).
pub fn look(
    world: &dyn World,
    session: &SessionInfo,
    dir: &Path,
    skip: &[String],
    whose: Whose,
) -> Result<Checkout> {
    let mut found = Checkout { dir: dir.to_path_buf(), ..Checkout::default() };
    if world.stat(&dir.join(".git"))?.is_none() {
        return Ok(found);
    }
    let git = Git { world, session, dir };
    found.exists = true;
    let mut args = vec!["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--", "."];
    let excluded: Vec<String> = skip.iter().map(|p| format!(":(exclude,literal){p}")).collect();
    args.extend(excluded.iter().map(String::as_str));
    for line in git.text(&args)?.lines() {
        match line.split_once(' ') {
            Some(("#", rest)) => match rest.split_once(' ') {
                Some(("branch.oid", oid)) if oid != "(initial)" => found.head = Some(oid.to_string()),
                Some(("branch.head", name)) if name != "(detached)" => found.branch = Some(name.to_string()),
                _ => {}
            },
            Some(("?", path)) => found.dirty.push(format!("?? {path}")),
            Some((kind @ ("1" | "2" | "u"), rest)) => found.dirty.push(changed(kind, rest)),
            _ => {}
        }
    }
    found.origin = git.maybe(&["remote", "get-url", "origin"])?;
    if found.head.is_some() {
        let exclude = format!("--exclude={}", found.branch.as_deref().unwrap_or_default());
        let range: &[&str] = match (whose, &found.branch) {
            (Whose::All, _) => &["--branches", "--not", "--remotes"],
            (Whose::Own, Some(_)) => &["HEAD", "--not", "--remotes", &exclude, "--branches"],
            (Whose::Own, None) => &["HEAD", "--not", "--remotes", "--branches"],
        };
        let list = format!("-n{LIST}");
        let log = git.text(&[&["log", "--format=%H%x09%s", &list], range, &["--"]].concat())?;
        found.unpushed = commits(&log);
        found.unpushed_count = found.unpushed.len() as u64;
        if found.unpushed.len() == LIST {
            let count = git.text(&[&["rev-list", "--count"], range, &["--"]].concat())?;
            found.unpushed_count = count.parse().unwrap_or(LIST as u64);
        }
        if whose == Whose::All {
            found.stashes =
                git.maybe(&["stash", "list", "--format=%h"])?.map_or(0, |t| t.lines().count() as u64);
        }
    }
    Ok(found)
}

fn changed(kind: &str, rest: &str) -> String {
    let letters = rest.get(..2).unwrap_or("??");
    // Fields before the path: 7 for a change, 8 for a rename (which adds the old path after a tab), 9 for a conflict.
    let fields = match kind {
        "1" => 7,
        "2" => 8,
        _ => 9,
    };
    let path = rest.splitn(fields + 1, ' ').last().unwrap_or_default();
    format!("{letters} {}", path.split('\t').next().unwrap_or(path))
}

pub fn commits(log: &str) -> Vec<Commit> {
    let split = |line: &str| {
        let (sha, subject) = line.split_once('\t')?;
        Some(Commit { sha: sha.to_string(), subject: redact::line(subject) })
    };
    log.lines().filter_map(split).collect()
}

pub fn short(sha: &str) -> &str {
    sha.get(..8).unwrap_or(sha)
}
