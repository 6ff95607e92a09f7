//! Linked worktrees in the trash: their repository forgets them, and learns of them again when they come back.
//!
//! What a repository knows about a linked worktree (HEAD, index, a rebase in progress) lies in the repository, where
//! `git worktree prune` drops it once the directory is gone. So the entry holds a copy, and the original goes.

use std::path::{Path, PathBuf};

use super::Told;
use super::entry::{DeletedBranch, Keepsake, Linked, TrashEntry, make_dir};
use super::keepsake::{GitDirs, unbundle};
use super::moving::remove;
use crate::core::git::Git;
use crate::core::trash::{Branch, Discard};
use crate::core::{SessionInfo, World};

/// Copies what a repository knows about a worktree into the entry.
pub fn keep(dir: &Path, dirs: &GitDirs, entry: &Path, number: usize) -> Told<Linked> {
    let kept = entry.join("worktrees").join(number.to_string());
    copy_dir(&dirs.own, &kept)?;
    Ok(Linked { dir: dir.to_path_buf(), admin: dirs.own.clone(), common: dirs.common.clone(), kept })
}

fn copy_dir(from: &Path, to: &Path) -> Told<()> {
    let said = |e: std::io::Error| format!("cannot copy {}: {e}", from.display());
    make_dir(to)?;
    for entry in std::fs::read_dir(from).map_err(said)? {
        let entry = entry.map_err(said)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().map_err(said)? {
            kind if kind.is_dir() => copy_dir(&from, &to)?,
            kind if kind.is_file() => {
                std::fs::copy(&from, &to).map_err(said)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The repository forgets a worktree that lies in the trash now; one whose repository was moved along is left alone.
pub fn forget(linked: &Linked) -> Told<()> {
    if points_to(&linked.admin, &linked.dir) { remove(&linked.admin) } else { Ok(()) }
}

fn points_to(admin: &Path, dir: &Path) -> bool {
    let said = std::fs::read_to_string(admin.join("gitdir")).unwrap_or_default();
    !said.is_empty() && admin.join(said.trim_end()) == dir.join(".git")
}

/// The repository learns of a worktree again, whose directory is back in its place.
pub fn remember(world: &dyn World, session: &SessionInfo, linked: &Linked, entry: &TrashEntry) -> Told<()> {
    let written = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| format!("cannot write {}: {e}", path.display())
    };
    if !points_to(&linked.admin, &linked.dir) {
        let admin = free_name(&linked.admin);
        copy_dir(&linked.kept, &admin)?;
        let file = linked.dir.join(".git");
        std::fs::write(admin.join("gitdir"), format!("{}\n", file.display())).map_err(written(&admin))?;
        if admin != linked.admin {
            let text = format!("gitdir: {}\n", admin.display());
            std::fs::write(&file, text).map_err(written(&file))?;
        }
    }
    let keepsake = entry.keepsakes.iter().find(|k| k.dir == linked.dir);
    restore_objects(world, session, linked, keepsake)
}

/// The directory in `worktrees/` under its old name, or under the next free one.
fn free_name(admin: &Path) -> PathBuf {
    let taken = |path: &PathBuf| path.symlink_metadata().is_ok();
    let name = admin.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..).map(|n| admin.with_file_name(format!("{name}{n}")));
    std::iter::once(admin.to_path_buf()).chain(names).find(|p| !taken(p)).unwrap_or_else(|| admin.into())
}

/// A repository that was cleaned meanwhile gets back what it dropped.
fn restore_objects(
    world: &dyn World,
    session: &SessionInfo,
    linked: &Linked,
    keepsake: Option<&Keepsake>,
) -> Told<()> {
    let Some(bundle) = keepsake.and_then(|k| k.bundle.as_ref()) else { return Ok(()) };
    let git = Git::new(world, session, &linked.dir);
    let commits =
        git.maybe(&["rev-list", "--objects", "--quiet", "HEAD", "--not", "--remotes", "--branches"]);
    let staged = git.maybe(&["ls-files", "--stage"]).map_err(|e| e.message)?;
    let blobs: Vec<&str> = staged
        .as_deref()
        .unwrap_or_default()
        .lines()
        .filter(|l| !l.starts_with("160000"))
        .filter_map(|l| l.split(' ').nth(1))
        .collect();
    let asked = blobs.join("\n") + "\n";
    let there = git.fed(&["cat-file", "--batch-check=%(objecttype)"], &asked);
    let whole = matches!(commits, Ok(Some(_)))
        && (blobs.is_empty() || there.is_ok_and(|t| !t.lines().any(|l| l.ends_with("missing"))));
    if whole { Ok(()) } else { unbundle(world, session, &linked.common, bundle) }
}

/// The branches of a discard that exist, with the commits they are at. One that a checkout which stays is on stays.
pub fn branches(world: &dyn World, session: &SessionInfo, discard: &Discard) -> Told<Vec<DeletedBranch>> {
    let mut out = Vec::new();
    for branch in &discard.branches {
        let git = Git::new(world, session, &branch.repo);
        let Some(tip) = tip(&git, &branch.name)? else { continue };
        if !used_elsewhere(&git, branch, &discard.paths)? {
            out.push(DeletedBranch { repo: branch.repo.clone(), name: branch.name.clone(), tip });
        }
    }
    Ok(out)
}

fn used_elsewhere(git: &Git, branch: &Branch, leaving: &[PathBuf]) -> Told<bool> {
    let list = git.text(&["worktree", "list", "--porcelain"]).map_err(|e| e.message)?;
    let wanted = format!("branch refs/heads/{}", branch.name);
    Ok(list.split("\n\n").any(|block| {
        let tree = block.lines().find_map(|l| l.strip_prefix("worktree ")).map(PathBuf::from);
        let stays = tree.is_some_and(|tree| !leaving.iter().any(|path| tree.starts_with(path)));
        stays && block.lines().any(|l| l == wanted)
    }))
}

fn tip(git: &Git, branch: &str) -> Told<Option<String>> {
    let name = format!("refs/heads/{branch}");
    git.maybe(&["rev-parse", "--verify", "--quiet", &name]).map_err(|e| e.message)
}

/// Deletes a branch, unless somebody has moved it since.
pub fn delete(world: &dyn World, session: &SessionInfo, branch: &DeletedBranch) -> Told<()> {
    let git = Git::new(world, session, &branch.repo);
    if tip(&git, &branch.name)?.is_none() {
        return Ok(());
    }
    let name = format!("refs/heads/{}", branch.name);
    git.text(&["update-ref", "-d", &name, &branch.tip]).map(drop).map_err(|e| e.message)
}

/// Fails if a branch cannot come back because another of its name has come since.
pub fn can_return(world: &dyn World, session: &SessionInfo, branch: &DeletedBranch) -> Told<()> {
    let git = Git::new(world, session, &branch.repo);
    match tip(&git, &branch.name)? {
        Some(other) if other != branch.tip => Err(format!(
            "the branch {} of {} has come back at another commit ({other}); rename it first",
            branch.name,
            branch.repo.display()
        )),
        _ => Ok(()),
    }
}

/// Brings a branch back. Its commits come from a bundle where the repository has dropped them.
pub fn revive(
    world: &dyn World,
    session: &SessionInfo,
    branch: &DeletedBranch,
    entry: &TrashEntry,
) -> Told<()> {
    let git = Git::new(world, session, &branch.repo);
    let whole =
        git.maybe(&["rev-list", "--objects", "--quiet", &branch.tip, "--not", "--remotes", "--branches"]);
    if !matches!(whole, Ok(Some(_))) {
        let dirs = GitDirs::of(&git)?;
        let bundles = entry.keepsakes.iter().filter_map(|k| k.bundle.as_ref());
        bundles.for_each(|bundle| {
            let _ = unbundle(world, session, &dirs.common, bundle);
        });
    }
    let name = format!("refs/heads/{}", branch.name);
    git.text(&["update-ref", &name, &branch.tip]).map(drop).map_err(|e| e.message)
}
