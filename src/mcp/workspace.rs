//! Which workspace a session belongs to, from what its client said about itself.
//!
//! The only place that turns a Hello into a directory. Nothing here looks at the daemon's own directory.

use std::path::{Path, PathBuf};

use super::service::{Hello, HelloError};
use crate::core::agents;

/// The workspace of sessions that have no project.
pub const USER_WIDE: &str = "~";

/// Where a session belongs.
pub struct SessionPlace {
    /// What rows belong to.
    pub workspace: String,
    /// The tree that is worked in: the workspace, or a linked work tree of it.
    pub tree: String,
}

impl From<&Path> for SessionPlace {
    fn from(path: &Path) -> SessionPlace {
        let main = main_checkout(path);
        SessionPlace { workspace: text(main.as_deref().unwrap_or(path)), tree: text(path) }
    }
}

/// `--workspace`, else `CLAUDE_PROJECT_DIR`, else the git top level of the client's directory, else that directory.
pub fn of(hello: &Hello) -> Result<SessionPlace, HelloError> {
    let user_wide = || SessionPlace { workspace: USER_WIDE.into(), tree: USER_WIDE.into() };
    if let Some(asked) = hello.flags.workspace.as_deref().filter(|w| !w.trim().is_empty()) {
        let path = Path::new(&hello.cwd).join(asked);
        return match path.canonicalize() {
            Ok(path) if path.is_absolute() && path.is_dir() => Ok(SessionPlace::from(path.as_path())),
            _ => Err(HelloError {
                message: format!("The workspace {} is not a directory.", path.display()),
                hint: "Give --workspace a directory that exists.".into(),
            }),
        };
    }
    let hosts: Vec<PathBuf> = host_directories(&hello.user_home);
    if let Some(project) = hello.env.get("CLAUDE_PROJECT_DIR").and_then(|dir| directory(dir)) {
        return Ok(if inside(&project, &hosts).is_some() { user_wide() } else { project.as_path().into() });
    }
    let Some(cwd) = directory(&hello.cwd) else { return Ok(user_wide()) };
    let top = cwd.ancestors().find(|dir| dir.join(".git").exists());
    Ok(match (inside(&cwd, &hosts), top) {
        (None, Some(top)) => top.into(),
        (None, None) => cwd.as_path().into(),
        // Hosts check out work trees below their own directory: those are projects.
        (Some(host), Some(top)) if top.starts_with(host) && top != host => top.into(),
        (Some(_), _) => user_wide(),
    })
}

/// The main checkout that a linked work tree belongs to. Both must say so of each other: the tree in its `.git` file, the
/// repository in what it keeps of the tree; a directory that only claims to be a tree of another project is none.
fn main_checkout(tree: &Path) -> Option<PathBuf> {
    let kept = PathBuf::from(first_line(&tree.join(".git"))?.strip_prefix("gitdir:")?.trim());
    let kept = tree.join(kept).canonicalize().ok()?;
    let back = kept.join(first_line(&kept.join("gitdir"))?).canonicalize().ok()?;
    let common = kept.join(first_line(&kept.join("commondir"))?).canonicalize().ok()?;
    let linked = back == tree.join(".git").canonicalize().ok()? && kept.parent()? == common.join("worktrees");
    let main = common.parent().filter(|_| linked && common.file_name().is_some_and(|name| name == ".git"))?;
    (main.is_dir() && main != tree).then(|| main.to_path_buf())
}

/// These files hold one line; whatever is longer than a path can be is none of them.
fn first_line(path: &Path) -> Option<String> {
    let file = std::fs::metadata(path).ok()?;
    if !file.is_file() || file.len() > LONGEST {
        return None;
    }
    let line = std::fs::read_to_string(path).ok()?.lines().next()?.trim().to_string();
    (!line.is_empty()).then_some(line)
}

const LONGEST: u64 = 8192;

fn directory(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    if !path.is_absolute() {
        return None;
    }
    path.canonicalize().ok().filter(|p| p.is_dir())
}

/// Where hosts keep their own things; one that starts us there has no project.
fn host_directories(home: &str) -> Vec<PathBuf> {
    let home = directory(home).unwrap_or_else(|| PathBuf::from(home));
    agents::homes().map(|name| home.join(name)).map(|dir| dir.canonicalize().unwrap_or(dir)).collect()
}

fn inside<'a>(path: &Path, hosts: &'a [PathBuf]) -> Option<&'a PathBuf> {
    hosts.iter().find(|host| path.starts_with(host))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
