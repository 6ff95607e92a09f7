//! Submodules with changes of their own. Looking into one from outside would follow that one's configuration, so each
//! is looked at by itself.

use std::path::Path;

use super::git::Git;
use super::{Result, SessionInfo, World};

/// What `status` is told: a checkout's own changes.
pub const OWN: &str = "--ignore-submodules=dirty";
/// Submodules of submodules of submodules are nobody's.
const DEEPEST: usize = 3;

/// Submodules with changes of their own that are not among `known`.
pub fn changed_submodules(
    world: &dyn World,
    session: &SessionInfo,
    git: &Git,
    dir: &Path,
    known: &[String],
) -> Result<Vec<String>> {
    let paths = submodules(world, git, dir)?;
    let unknown = paths.iter().filter(|path| !known.iter().any(|line| line.get(3..) == Some(path)));
    let mut out = Vec::new();
    for path in unknown {
        if is_changed(world, session, &dir.join(path), DEEPEST)? {
            out.push(format!(".M {path}"));
        }
    }
    Ok(out)
}

fn submodules(world: &dyn World, git: &Git, dir: &Path) -> Result<Vec<String>> {
    if world.stat(&dir.join(".gitmodules"))?.is_none() && world.stat(&dir.join(".git/modules"))?.is_none() {
        return Ok(Vec::new());
    }
    let listed = git.text(&["ls-files", "--stage", "-z"])?;
    let links = listed.split('\0').filter(|line| line.starts_with("160000 "));
    Ok(links.filter_map(|line| line.split_once('\t')).map(|(_, path)| path.to_string()).collect())
}

fn is_changed(world: &dyn World, session: &SessionInfo, dir: &Path, deeper: usize) -> Result<bool> {
    if deeper == 0 || world.stat(&dir.join(".git"))?.is_none() {
        return Ok(false);
    }
    let git = Git::new(world, session, dir);
    if !git.text(&["status", "--porcelain", "--untracked-files=normal", OWN])?.is_empty() {
        return Ok(true);
    }
    for path in submodules(world, &git, dir)? {
        if is_changed(world, session, &dir.join(path), deeper - 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}
