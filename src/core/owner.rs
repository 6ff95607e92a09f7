//! Whose files packd believes: the user's own, and nobody else's.
//!
//! A manifest, a script or a repository that another user can change could make packd act in this user's name.
//! The rule is git's: what belongs to another uid is refused, root's included; packd run by root believes root.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::world::{FileKind, Stat};
use super::{Error, Kind, Result, World};

/// The code of the refusal; families may translate it.
pub const FOREIGN: &str = "foreign_owner";
/// A `.git` file holds one path.
const MAX_LINK: u64 = 64 * 1024;

/// Refuses a file or directory of somebody else; what is not there is nobody's. A link counts as itself and as
/// what it leads to.
pub fn check(world: &dyn World, path: &Path) -> Result<()> {
    let Some(stat) = world.stat(path)? else { return Ok(()) };
    check_stat(world, path, &stat)?;
    if stat.kind != FileKind::Symlink {
        return Ok(());
    }
    let Some(real) = world.canonical(path)? else { return Ok(()) };
    match world.stat(&real)? {
        Some(stat) => check_stat(world, &real, &stat),
        None => Ok(()),
    }
}

/// The same for a path whose stat is known.
pub fn check_stat(world: &dyn World, path: &Path, stat: &Stat) -> Result<()> {
    if stat.owner == world.user() { Ok(()) } else { Err(foreign(world, path, stat.owner)) }
}

/// Refuses the repository that git would find from a directory, if its work tree, its `.git` or what that points
/// to is somebody else's: git would refuse it too, with advice that switches the check off for good.
pub fn check_repository(world: &dyn World, dir: &Path) -> Result<()> {
    for top in dir.ancestors() {
        let git = top.join(".git");
        let Some(stat) = world.stat(&git)? else { continue };
        check(world, top)?;
        check(world, &git)?;
        if stat.kind == FileKind::File
            && let Some(elsewhere) = git_dir(world, top, &git)
        {
            check(world, &elsewhere)?;
        }
        return Ok(());
    }
    Ok(())
}

/// Where a `.git` file says that the repository is.
fn git_dir(world: &dyn World, top: &Path, file: &Path) -> Option<PathBuf> {
    let bytes = world.read(file, MAX_LINK).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(top.join(text.strip_prefix("gitdir:")?.trim()))
}

fn foreign(world: &dyn World, path: &Path, owner: u32) -> Error {
    let (whose, mine) = (named(world, owner), world.user());
    let shown = path.display();
    let plain = |c: char| c.is_alphanumeric() || "/._-+@".contains(c);
    let typed = shown.to_string();
    let typed = if typed.chars().all(plain) { typed } else { format!("'{typed}'") };
    Error::new(
        Kind::Denied,
        FOREIGN,
        format!("{shown} is owned by {whose}, not by you; what another user can change is not trusted."),
    )
    .hint(format!(
        "If you trust it, make it yours with `sudo chown -R {mine} {typed}`, or copy it (cp -R) and use the \
         copy. Nothing was changed."
    ))
    .details(json!({"path": path, "owner": owner, "user": mine}))
}

fn named(world: &dyn World, uid: u32) -> String {
    match world.user_name(uid) {
        Some(name) => format!("{name} (uid {uid})"),
        None => format!("uid {uid}"),
    }
}
