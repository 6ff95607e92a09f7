//! A commit worked out without being made: which objects it needs, and what git would call them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::candidates::Candidate;
use super::objects::{self, TreeEntry};
use crate::core::git::Git;
use crate::core::world::Output;
use crate::core::{Result, SessionInfo, Timestamp, World};
use crate::families::deploy::errors::coded;
use crate::families::deploy::upstream::git_missing;

pub struct ConfigRepo<'a> {
    pub world: &'a dyn World,
    pub session: &'a SessionInfo,
    pub dir: &'a Path,
}

/// A commit that could be, and the files below `objects/` that would make it one.
pub struct Planned {
    pub id: String,
    pub objects: Vec<(String, Vec<u8>)>,
}

/// A directory of the new commit: files to put in, and directories below.
#[derive(Default)]
struct Dir {
    files: BTreeMap<String, (String, bool)>,
    dirs: BTreeMap<String, Dir>,
}

impl ConfigRepo<'_> {
    /// Only looks; nothing that the repository names is run.
    fn run(&self, args: &[&str], stdin: Vec<u8>) -> Result<Output> {
        let git = Git::new(self.world, self.session, self.dir).setting("user.useConfigOnly", "true");
        git.output(args, stdin).map_err(|e| match e.code.as_str() {
            "io_error" => {
                let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
                git_missing(&e, &args)
            }
            _ => e,
        })
    }

    /// The output of a command that must succeed.
    fn ask(&self, args: &[&str], stdin: Vec<u8>) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.bytes(args, stdin)?).into_owned())
    }

    fn bytes(&self, args: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>> {
        let output = self.run(args, stdin)?;
        if output.code == Some(0) {
            return Ok(output.stdout);
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

    /// The commit of the candidates on top of HEAD, and the objects it consists of as far as the repository lacks
    /// them. Nothing is written.
    pub fn commit(&self, candidates: &[Candidate], message: &str, at: Timestamp) -> Result<Planned> {
        let author = self.who("GIT_AUTHOR_IDENT", at)?;
        let committer = self.who("GIT_COMMITTER_IDENT", at)?;
        let head = self.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], Vec::new())?;
        let head = (head.code == Some(0)).then(|| String::from_utf8_lossy(&head.stdout).trim().to_string());
        let mut made = BTreeMap::new();
        let mut root = Dir::default();
        for candidate in candidates {
            let id = self.object("blob", candidate.content.bytes.to_vec(), &mut made)?;
            let mut dir = &mut root;
            let mut parts: Vec<&str> = candidate.repo_path.split('/').collect();
            let name = parts.pop().unwrap_or_default().to_string();
            for part in parts {
                dir = dir.dirs.entry(part.to_string()).or_default();
            }
            dir.files.insert(name, (id, candidate.exec));
        }
        let base = head.as_ref().map(|h| format!("{h}^{{tree}}"));
        let tree = self.tree(&root, base.as_deref(), &mut made)?;
        let body = objects::commit(&tree, head.as_deref(), &author, &committer, message);
        let id = self.object("commit", body, &mut made)?;
        self.leave_known_out(&mut made)?;
        let objects = made.into_iter().map(|(id, bytes)| (objects::path(&id), bytes)).collect();
        Ok(Planned { id, objects })
    }

    /// Name, address, time and zone, as a commit has them. The time is the call's own, so that planning the same
    /// again gives the same commit.
    fn who(&self, role: &str, at: Timestamp) -> Result<String> {
        let output = self.run(&["var", role], Vec::new())?;
        if output.code == Some(0) {
            let ident = String::from_utf8_lossy(&output.stdout).trim().to_string();
            let mut parts = ident.rsplitn(3, ' ');
            let (zone, _, name) = (parts.next(), parts.next(), parts.next());
            return Ok(match (name, zone) {
                (Some(name), Some(zone)) => format!("{name} {} {zone}", at.seconds()),
                _ => ident,
            });
        }
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(coded("E_GIT_IDENTITY_MISSING", "git does not know who commits.")
            .hint("Set user.name and user.email in git's configuration.")
            .details(json!({"repo": self.dir, "stderr": stderr})))
    }

    /// Git says what an object would be called; it does not store it.
    fn object(&self, kind: &str, body: Vec<u8>, made: &mut BTreeMap<String, Vec<u8>>) -> Result<String> {
        let loose = objects::loose(kind, &body)?;
        let id = self.ask(&["hash-object", "-t", kind, "--stdin"], body)?.trim().to_string();
        made.insert(id.clone(), loose);
        Ok(id)
    }

    /// The tree of a directory: the old entries with ours put in.
    fn tree(&self, dir: &Dir, base: Option<&str>, made: &mut BTreeMap<String, Vec<u8>>) -> Result<String> {
        let mut entries: BTreeMap<Vec<u8>, TreeEntry> = BTreeMap::new();
        if let Some(base) = base {
            let listed = objects::parse_tree(&self.bytes(&["ls-tree", "-z", base], Vec::new())?);
            entries.extend(listed.into_iter().map(|entry| (entry.name.clone(), entry)));
        }
        for (name, (id, exec)) in &dir.files {
            let mode = if *exec { "100755" } else { "100644" }.to_string();
            let name = name.as_bytes().to_vec();
            entries.insert(name.clone(), TreeEntry { mode, name, id: id.clone() });
        }
        for (name, below) in &dir.dirs {
            let old = entries.get(name.as_bytes()).filter(|entry| entry.is_dir()).map(|e| e.id.clone());
            let id = self.tree(below, old.as_deref(), made)?;
            let name = name.as_bytes().to_vec();
            entries.insert(name.clone(), TreeEntry { mode: "40000".into(), name, id });
        }
        self.object("tree", objects::tree(entries.into_values().collect())?, made)
    }

    fn leave_known_out(&self, made: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
        let ids: String = made.keys().map(|id| format!("{id}\n")).collect();
        for line in self.ask(&["cat-file", "--batch-check"], ids.into_bytes())?.lines() {
            if let Some((id, what)) = line.split_once(' ')
                && what != "missing"
            {
                made.remove(id);
            }
        }
        Ok(())
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
