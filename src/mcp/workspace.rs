//! Which workspace a session belongs to, from what its client said about itself.
//!
//! The only place that turns a Hello into a directory. Nothing here looks at the daemon's own directory.

use std::path::{Path, PathBuf};

use crate::daemon::service::{Hello, HelloError};

/// The workspace of sessions that have no project.
pub const USER_WIDE: &str = "~";

/// Directories in which hosts keep their own things; a host that starts us there has no project.
const HOST_DIRECTORIES: [&str; 5] = [".codex", ".claude", ".cursor", ".gemini", ".copilot"];

/// `--workspace`, else `CLAUDE_PROJECT_DIR`, else the git top level of the client's directory, else that directory.
pub fn of(hello: &Hello) -> Result<String, HelloError> {
    if let Some(asked) = hello.flags.workspace.as_deref().filter(|w| !w.trim().is_empty()) {
        let path = Path::new(&hello.cwd).join(asked);
        return match path.canonicalize() {
            Ok(path) if path.is_absolute() && path.is_dir() => Ok(text(&path)),
            _ => Err(HelloError {
                message: format!("The workspace {} is not a directory.", path.display()),
                hint: "Give --workspace a directory that exists.".into(),
            }),
        };
    }
    let hosts: Vec<PathBuf> = host_directories(&hello.user_home);
    if let Some(project) = hello.env.get("CLAUDE_PROJECT_DIR").and_then(|dir| directory(dir)) {
        return Ok(if inside(&project, &hosts).is_some() { USER_WIDE.into() } else { text(&project) });
    }
    let Some(cwd) = directory(&hello.cwd) else { return Ok(USER_WIDE.into()) };
    let top = cwd.ancestors().find(|dir| dir.join(".git").exists());
    match (inside(&cwd, &hosts), top) {
        (None, Some(top)) => Ok(text(top)),
        (None, None) => Ok(text(&cwd)),
        // Hosts check out work trees below their own directory: those are projects.
        (Some(host), Some(top)) if top.starts_with(host) && top != host => Ok(text(top)),
        (Some(_), _) => Ok(USER_WIDE.into()),
    }
}

fn directory(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    if !path.is_absolute() {
        return None;
    }
    path.canonicalize().ok().filter(|p| p.is_dir())
}

fn host_directories(home: &str) -> Vec<PathBuf> {
    let home = directory(home).unwrap_or_else(|| PathBuf::from(home));
    HOST_DIRECTORIES.iter().map(|name| home.join(name)).map(|dir| dir.canonicalize().unwrap_or(dir)).collect()
}

fn inside<'a>(path: &Path, hosts: &'a [PathBuf]) -> Option<&'a PathBuf> {
    hosts.iter().find(|host| path.starts_with(host))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
