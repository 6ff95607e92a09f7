//! Evidence that collects itself: the state of git and of CI when a checkpoint is confirmed.
//!
//! Gathered before the call, with short time-outs; whatever fails is simply not there.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::core::git::Git;
use crate::core::inside::{self, Located};
use crate::core::world::FileKind;
use crate::core::{Error, Result, SessionInfo, World};

use super::errors::fail;
use super::model::{EvidenceCheck, Object};

/// What was found.
#[derive(Debug, Default, Clone)]
pub struct SeenOutside {
    pub checks: Vec<EvidenceCheck>,
    /// A task directory of the older tool lies in the workspace.
    pub local_tasks: bool,
    /// The task files of a directory to import: relative path and text.
    pub files: Option<Vec<(String, String)>>,
}

/// Of a call that did not have to look.
pub static NOTHING: SeenOutside = SeenOutside { checks: Vec::new(), local_tasks: false, files: None };

pub fn gather(session: &SessionInfo, world: &dyn World) -> SeenOutside {
    let root = Path::new(session.tree());
    let in_git = root.ancestors().any(|dir| matches!(world.stat(&dir.join(".git")), Ok(Some(_))));
    let git = if in_git { git_check(root, session, world) } else { None };
    SeenOutside { checks: ci_check(session).into_iter().chain(git).collect(), ..SeenOutside::default() }
}

pub fn local_tasks(session: &SessionInfo, world: &dyn World) -> bool {
    matches!(world.list(&Path::new(&session.workspace).join(".tasks")), Ok(Some(_)))
}

const MAX_FILES: usize = 20_000;
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Every `.task` file below a directory of the workspace, hidden folders left out. Links are not followed.
pub fn task_files(
    session: &SessionInfo,
    world: &dyn World,
    dir: &str,
) -> Result<Option<Vec<(String, String)>>> {
    let root = match inside::locate(world, Path::new(&session.workspace), dir)? {
        Located::Here(root) => root,
        Located::Missing => return Ok(None),
        Located::Outside => return Err(fail("INVALID_DIR", inside::outside(dir)).hint(inside::REMEDY)),
    };
    if world.list(&root)?.is_none() {
        return Ok(None);
    }
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for (name, kind) in world.list(&root.join(&folder))?.unwrap_or_default() {
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("{folder}{slash}{name}");
            match kind {
                FileKind::Dir if !name.starts_with('.') => folders.push(path),
                FileKind::File if name.ends_with(".task") => {
                    // The file of this very name: what took its place since the listing is not followed.
                    let bytes = world.load(&root.join(&path), MAX_FILE_BYTES).map(|(_, bytes)| bytes);
                    let bytes = bytes.map_err(|e| Error::io(format!("Cannot read {path}: {e}.")))?;
                    files.push((path, String::from_utf8_lossy(&bytes).into_owned()));
                }
                _ => {}
            }
            if files.len() > MAX_FILES {
                return Err(Error::invalid("INVALID_FIELDS", format!("{dir} has over {MAX_FILES} files.")));
            }
        }
    }
    files.sort();
    Ok(Some(files))
}

fn info(kind: &str, spec: &str, preview: String, details: Value) -> EvidenceCheck {
    let details: Object = details.as_object().cloned().unwrap_or_default();
    EvidenceCheck {
        kind: kind.into(),
        spec: spec.into(),
        outcome: "info".into(),
        preview,
        details,
        ..EvidenceCheck::default()
    }
}

/// What tells of a CI run; never its token.
pub const CI_RUN: [&str; 8] = [
    "GITHUB_ACTIONS",
    "GITHUB_REPOSITORY",
    "GITHUB_RUN_ID",
    "GITHUB_RUN_ATTEMPT",
    "GITHUB_SERVER_URL",
    "GITHUB_SHA",
    "GITHUB_REF",
    "GITHUB_WORKFLOW",
];

fn ci_check(session: &SessionInfo) -> Option<EvidenceCheck> {
    let var = |name: &str| session.env.get(name).cloned().unwrap_or_default();
    if !matches!(var("GITHUB_ACTIONS").to_lowercase().as_str(), "true" | "1" | "yes") {
        return None;
    }
    let (repository, run_id) = (var("GITHUB_REPOSITORY"), var("GITHUB_RUN_ID"));
    let server = match var("GITHUB_SERVER_URL") {
        server if server.is_empty() => "https://github.com".to_string(),
        server => server,
    };
    let details = json!({"sha": var("GITHUB_SHA"), "repository": repository, "run_id": run_id,
        "run_url": format!("{server}/{repository}/actions/runs/{run_id}"),
        "workflow": var("GITHUB_WORKFLOW"), "ref": var("GITHUB_REF"),
        "run_attempt": var("GITHUB_RUN_ATTEMPT")});
    Some(info("ci", "github_actions", format!("{repository} run {run_id}"), details))
}

fn git_check(root: &Path, session: &SessionInfo, world: &dyn World) -> Option<EvidenceCheck> {
    let git = Git::new(world, session, root).patience(Duration::from_secs(2));
    let ask = |args: &[&str]| git.maybe(args).ok().flatten();
    let status = ask(&["status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty"])?;
    let header = |name: &str| {
        let found = status.lines().find_map(|l| l.strip_prefix("# branch.")?.strip_prefix(name));
        found.map(|v| v.trim().to_string()).unwrap_or_default()
    };
    let (sha, branch) = (header("oid "), header("head "));
    let changed = status.lines().filter(|l| !l.starts_with('#')).count();
    // Not `--dirty`: that one writes the index, whatever it is told. It leaves untracked files out, too.
    let mut describe = ask(&["describe", "--always"]).unwrap_or_default();
    if !describe.is_empty() && status.lines().any(|l| !l.starts_with(['#', '?'])) {
        describe.push_str("-dirty");
    }
    let short: String = sha.chars().take(12).collect();
    let state = if changed == 0 { "clean" } else { "dirty" };
    let mut details = json!({"sha": sha, "branch": branch, "dirty": changed > 0, "changed_files": changed,
        "describe": describe});
    // Field two holds the letters, field nine the path.
    let edited = status.lines().filter(|l| l.starts_with("1 .M ")).filter_map(|l| l.splitn(9, ' ').nth(8));
    let unfiltered = git.filtered(&edited.collect::<Vec<_>>()).unwrap_or_default();
    if !unfiltered.is_empty() {
        // They may look changed only because looking runs no filters.
        details["filters_not_run"] = json!(unfiltered);
    }
    Some(info("git", "head", format!("git {short} {state}"), details))
}
