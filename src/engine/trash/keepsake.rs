//! What a trashed checkout's repository may forget meanwhile, kept apart: its commits in a bundle, and its index.
//!
//! Made in a repository of our own that borrows the objects, so that nothing in the user's repository is changed and
//! none of its configuration is obeyed. Beside HEAD, branches, tags and the stash, the bundle holds every older stash
//! entry, what a rebase put aside, other worktrees' HEADs and all that is staged.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Told;
use super::entry::{Keepsake, make_dir};
use super::moving::remove;
use crate::core::git::Git;
use crate::core::trash::KeptCheckout;
use crate::core::unpushed;
use crate::core::{SessionInfo, World};

/// A large repository takes its time.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Where the repository of a checkout keeps what.
#[derive(Debug, Clone)]
pub struct GitDirs {
    /// Of this checkout alone: HEAD, index, what is in progress.
    pub own: PathBuf,
    /// Shared by all worktrees.
    pub common: PathBuf,
}

impl GitDirs {
    pub fn of(git: &Git) -> Told<GitDirs> {
        let paths = git
            .text(&["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"])
            .map_err(|e| e.message)?;
        let (own, common) = paths.split_once('\n').ok_or("git does not say where its directory is")?;
        Ok(GitDirs { own: own.into(), common: common.into() })
    }

    pub fn linked(&self) -> bool {
        self.own != self.common
    }
}

/// Keeps a checkout's commits and index below `entry`. A clone that cannot be bundled (it is broken, shallow or
/// partial) is kept whole anyway; a linked worktree must leave at least what no remote has.
pub fn make(
    world: &dyn World,
    session: &SessionInfo,
    kept: &KeptCheckout,
    dirs: &GitDirs,
    entry: &Path,
) -> Told<Keepsake> {
    let git = Git::new(world, session, &kept.dir).patience(PATIENCE);
    let name = file_name(&kept.name);
    let (bundles, indexes, workshop) = (entry.join("bundles"), entry.join("indexes"), entry.join("workshop"));
    make_dir(&bundles)?;
    make_dir(&indexes)?;
    let mut index = None;
    if dirs.own.join("index").exists() {
        let to = indexes.join(format!("{name}.index"));
        std::fs::copy(dirs.own.join("index"), &to)
            .map_err(|e| format!("cannot copy the index of {}: {e}", kept.dir.display()))?;
        index = Some(to);
    }
    remove(&workshop)?;
    let file = bundles.join(format!("{name}.bundle"));
    let made = bundle(world, session, &git, dirs, &workshop, &file);
    remove(&workshop)?;
    let (bundle, problem) = match made {
        Ok(made) => (made.then_some(file), None),
        Err(why) if dirs.linked() => {
            return Err(format!("cannot keep the commits of {}: {why}", kept.dir.display()));
        }
        Err(why) => (None, Some(why)),
    };
    Ok(Keepsake { name: kept.name.clone(), dir: kept.dir.clone(), bundle, index, problem })
}

/// False where there is nothing to keep: a repository without a commit.
fn bundle(
    world: &dyn World,
    session: &SessionInfo,
    git: &Git,
    dirs: &GitDirs,
    workshop: &Path,
    file: &Path,
) -> Told<bool> {
    let text = |args: &[&str]| git.text(args).map_err(|e| e.message);
    let written = |e: std::io::Error| format!("cannot write to {}: {e}", workshop.display());
    make_dir(workshop)?;
    let here = Git::new(world, session, workshop).patience(PATIENCE);
    let run = |args: &[&str], input: &str| -> Told<String> {
        // Said outright: a bare repository is not discovered.
        here.fed(&[&["--git-dir=."], args].concat(), input).map_err(|e| e.message)
    };
    let format = format!("--object-format={}", text(&["rev-parse", "--show-object-format"])?);
    run(&["init", "-q", "--bare", "--template=", &format, "."], "")?;
    let objects = format!("{}\n", dirs.common.join("objects").display());
    std::fs::write(workshop.join("objects/info/alternates"), objects).map_err(written)?;
    if dirs.common.join("shallow").exists() {
        std::fs::copy(dirs.common.join("shallow"), workshop.join("shallow")).map_err(written)?;
    }
    let mut refs = refs(world, git, dirs)?;
    if let Some(commit) = staged(git, &run)? {
        refs.push((commit, "refs/packd/index".into()));
    }
    let head = git.maybe(&["rev-parse", "--verify", "--quiet", "HEAD"]).map_err(|e| e.message)?;
    let branch = git.maybe(&["symbolic-ref", "--quiet", "HEAD"]).map_err(|e| e.message)?;
    let points = match (&branch, &head) {
        (Some(branch), _) => format!("ref: {branch}\n"),
        (None, Some(sha)) => format!("{sha}\n"),
        (None, None) => "ref: refs/heads/none\n".into(),
    };
    std::fs::write(workshop.join("HEAD"), points).map_err(written)?;
    if refs.is_empty() && head.is_none() {
        return Ok(false);
    }
    refs.sort_by(|a, b| a.1.cmp(&b.1));
    refs.dedup_by(|a, b| a.1 == b.1);
    let packed = refs.iter().fold(String::new(), |mut out, (sha, name)| {
        let _ = writeln!(out, "{sha} {name}");
        out
    });
    std::fs::write(workshop.join("packed-refs"), packed).map_err(written)?;
    let to = file.to_string_lossy();
    let mut args = vec!["bundle", "create", "-q", &to, "--all"];
    if head.is_some() {
        args.push("HEAD");
    }
    let whole = run(&args, "");
    let Err(why) = whole else { return Ok(true) };
    // A partial clone lacks old objects, but has those that no remote has.
    let remotes = text(&["for-each-ref", "--format=%(objectname)", "refs/remotes"])?;
    let known: Vec<String> = remotes.lines().map(|sha| format!("^{sha}")).collect();
    if known.is_empty() {
        return Err(why);
    }
    args.extend(known.iter().map(String::as_str));
    match run(&args, "") {
        Ok(_) => Ok(true),
        Err(e) if e.contains("empty bundle") => Ok(false),
        Err(_) => Err(why),
    }
}

/// Every ref that is the user's, each older stash, each commit that something in progress or a worktree holds.
fn refs(world: &dyn World, git: &Git, dirs: &GitDirs) -> Told<Vec<(String, String)>> {
    let said = |e: crate::core::Error| e.message;
    let list = git.text(&["for-each-ref", "--format=%(objectname) %(refname)"]).map_err(said)?;
    let pair = |line: &str| line.split_once(' ').map(|(sha, name)| (sha.to_string(), name.to_string()));
    let mut out: Vec<(String, String)> = list
        .lines()
        .filter_map(pair)
        .filter(|(_, name)| !name.starts_with("refs/remotes/") && !name.starts_with("refs/prefetch/"))
        .collect();
    let stashes = git.text(&["stash", "list", "--format=%H"]).map_err(said)?;
    for (n, sha) in stashes.lines().enumerate() {
        out.push((sha.to_string(), format!("refs/packd/stash/{n}")));
    }
    let tips = unpushed::started(world, &dirs.own, &mut Vec::new()).map_err(said)?;
    for (n, sha) in tips.into_iter().enumerate() {
        out.push((sha, format!("refs/packd/progress/{n}")));
    }
    for (n, (_, admin)) in unpushed::worktrees(world, &dirs.common).map_err(said)?.into_iter().enumerate() {
        let head = std::fs::read_to_string(admin.join("HEAD")).unwrap_or_default();
        let head = head.trim();
        if matches!(head.len(), 40 | 64) && head.bytes().all(|b| b.is_ascii_hexdigit()) {
            out.push((head.to_string(), format!("refs/packd/worktrees/{n}")));
        }
    }
    Ok(out)
}

/// A commit that holds every blob of the index, conflicting ones included; `None` = nothing is in the index.
fn staged(git: &Git, run: &dyn Fn(&[&str], &str) -> Told<String>) -> Told<Option<String>> {
    let list = git.text(&["ls-files", "--stage", "-z"]).map_err(|e| e.message)?;
    let blob = |entry: &str| {
        let mut fields = entry.split(' ');
        let (mode, sha) = (fields.next()?, fields.next()?);
        // A submodule's commit lives in another repository.
        (mode != "160000").then(|| sha.to_string())
    };
    let blobs: BTreeSet<String> = list.split('\0').filter_map(blob).collect();
    if blobs.is_empty() {
        return Ok(None);
    }
    // A file that is only announced (`add -N`) has no content in the repository.
    let asked: String = blobs.iter().map(|sha| format!("{sha}\n")).collect();
    let there = run(&["cat-file", "--batch-check=%(objectname) %(objecttype)"], &asked)?;
    let mut tree = String::new();
    for (n, line) in there.lines().filter_map(|l| l.strip_suffix(" blob")).enumerate() {
        let _ = writeln!(tree, "100644 blob {line}\t{n}");
    }
    let tree = run(&["mktree"], &tree)?;
    let who = ["-c", "user.name=packd", "-c", "user.email=packd@localhost"];
    let commit = ["commit-tree", "--no-gpg-sign", "-m", "What was staged", tree.trim()];
    Ok(Some(run(&[&who[..], &commit[..]].concat(), "")?.trim().to_string()))
}

/// Puts the commits of a bundle back into a repository (its git directory) that may have dropped them.
pub fn unbundle(world: &dyn World, session: &SessionInfo, repo: &Path, bundle: &Path) -> Told<()> {
    let git = Git::new(world, session, repo).patience(PATIENCE);
    let file = bundle.to_string_lossy();
    let dir = format!("--git-dir={}", repo.display());
    git.text(&[&dir, "bundle", "unbundle", &file]).map(drop).map_err(|e| e.message)
}

fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    name.chars().map(plain).collect::<String>().trim_start_matches('.').to_string()
}
