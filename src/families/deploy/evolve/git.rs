//! A commit made of loose objects: nothing in the work tree, the index or any branch changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::candidates::Candidate;
use crate::core::world::{Command, Output};
use crate::core::{Result, World};
use crate::families::deploy::errors::coded;
use crate::families::deploy::source::git_missing;

pub struct Repo<'a> {
    pub world: &'a dyn World,
    pub dir: &'a Path,
    pub home: &'a Path,
}

/// A directory of the new commit: files to put in, and directories below.
#[derive(Default)]
struct Dir {
    files: BTreeMap<String, (String, bool)>,
    dirs: BTreeMap<String, Dir>,
}

impl Repo<'_> {
    fn run(&self, args: &[&str], stdin: Vec<u8>) -> Result<Output> {
        let mut all: Vec<String> = ["-c", "core.fsmonitor=false", "-c", "user.useConfigOnly=true"]
            .iter()
            .map(|a| a.to_string())
            .collect();
        all.extend(args.iter().map(|a| a.to_string()));
        let command = Command {
            program: "git".into(),
            args: all.clone(),
            cwd: self.dir.to_path_buf(),
            env: vec![
                ("HOME".into(), self.home.to_string_lossy().into_owned()),
                ("GIT_TERMINAL_PROMPT".into(), "0".into()),
                ("GIT_OPTIONAL_LOCKS".into(), "0".into()),
            ],
            stdin,
            timeout: Duration::from_secs(60),
        };
        self.world.run(&command).map_err(|e| git_missing(&e, &all))
    }

    /// The output of a command that must succeed.
    fn ask(&self, args: &[&str], stdin: Vec<u8>) -> Result<String> {
        let output = self.run(args, stdin)?;
        if output.code == Some(0) {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(coded("E_GIT_FAILED", format!("git {} failed: {stderr}.", args[0]))
            .details(json!({"args": args, "stderr": stderr, "repo": self.dir})))
    }

    pub fn check_clean(&self) -> Result<()> {
        let dirty = self.ask(&["status", "--porcelain", "--untracked-files=normal"], Vec::new())?;
        if dirty.trim().is_empty() {
            return Ok(());
        }
        let files: Vec<&str> = dirty.lines().take(20).collect();
        Err(coded(
            "E_GIT_WORKTREE_DIRTY",
            format!("The config repo {} has uncommitted changes.", self.dir.display()),
        )
        .hint("Commit or stash them; the proposal starts from the last commit.")
        .details(json!({"repo": self.dir, "files": files})))
    }

    /// A branch name that git takes and that collides with no other branch.
    pub fn check_branch(&self, name: &str) -> Result<()> {
        let plain = !name.starts_with('-') && !name.contains("@{");
        let valid = plain
            && self.run(&["check-ref-format", &format!("refs/heads/{name}")], Vec::new())?.code == Some(0);
        if !valid {
            return Err(coded("E_BRANCH_INVALID", format!("'{name}' is not a branch name."))
                .details(json!({"branch": name})));
        }
        let all = self.ask(&["for-each-ref", "--format=%(refname)", "refs/heads"], Vec::new())?;
        for known in all.lines().filter_map(|l| l.strip_prefix("refs/heads/")) {
            let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
            if known == name || inside(known, name) || inside(name, known) {
                return Err(coded("E_BRANCH_EXISTS", format!("The branch {known} exists already."))
                    .details(json!({"branch": name, "existing": known})));
            }
        }
        Ok(())
    }

    /// Stores the candidates on top of HEAD and returns the commit. Nothing refers to it yet.
    pub fn commit(&self, candidates: &[Candidate], message: &str) -> Result<String> {
        let head = self.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], Vec::new())?;
        let head = (head.code == Some(0)).then(|| String::from_utf8_lossy(&head.stdout).trim().to_string());
        let mut root = Dir::default();
        for candidate in candidates {
            let id = self.ask(&["hash-object", "-w", "--stdin"], candidate.content.bytes.to_vec())?;
            let mut dir = &mut root;
            let mut parts: Vec<&str> = candidate.repo_path.split('/').collect();
            let name = parts.pop().unwrap_or_default().to_string();
            for part in parts {
                dir = dir.dirs.entry(part.to_string()).or_default();
            }
            dir.files.insert(name, (id.trim().to_string(), candidate.exec));
        }
        let base = head.as_ref().map(|h| format!("{h}^{{tree}}"));
        let tree = self.tree(&root, base.as_deref())?;
        let mut args = vec!["commit-tree", tree.as_str(), "-m", message];
        if let Some(head) = &head {
            args.extend(["-p", head]);
        }
        let output = self.run(&args, Vec::new())?;
        if output.code == Some(0) {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_string());
        }
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_string();
        if stderr.contains("user.name") || stderr.contains("user.email") || stderr.contains("ident") {
            return Err(coded("E_GIT_IDENTITY_MISSING", "git does not know who commits.")
                .hint("Set user.name and user.email in git's configuration.")
                .details(json!({"repo": self.dir, "stderr": stderr})));
        }
        Err(coded("E_GIT_FAILED", format!("git commit-tree failed: {stderr}."))
            .details(json!({"stderr": stderr})))
    }

    /// Writes a tree: the old entries with ours put in.
    fn tree(&self, dir: &Dir, base: Option<&str>) -> Result<String> {
        let mut entries: BTreeMap<String, String> = BTreeMap::new();
        if let Some(base) = base {
            for line in self.ask(&["ls-tree", "-z", base], Vec::new())?.split('\0').filter(|l| !l.is_empty())
            {
                if let Some((meta, name)) = line.split_once('\t') {
                    entries.insert(name.to_string(), meta.to_string());
                }
            }
        }
        for (name, below) in &dir.dirs {
            let old = entries.get(name).filter(|m| m.starts_with("040000 tree "));
            let old = old.and_then(|m| m.rsplit(' ').next()).map(str::to_string);
            let id = self.tree(below, old.as_deref())?;
            entries.insert(name.clone(), format!("040000 tree {id}"));
        }
        for (name, (id, exec)) in &dir.files {
            let mode = if *exec { "100755" } else { "100644" };
            entries.insert(name.clone(), format!("{mode} blob {id}"));
        }
        let text: String = entries.iter().map(|(name, meta)| format!("{meta}\t{name}\0")).collect();
        Ok(self.ask(&["mktree", "-z"], text.into_bytes())?.trim().to_string())
    }
}

/// Where branches are files. Other ways to keep them are not written to.
pub fn branches_dir(world: &dyn World, common: &Path) -> Result<PathBuf> {
    if world.stat(&common.join("reftable"))?.is_some() {
        return Err(coded(
            "E_GIT_FAILED",
            "The config repo keeps its branches in a reftable, which packd does not write.",
        )
        .details(json!({"repo": common})));
    }
    Ok(common.join("refs/heads"))
}
