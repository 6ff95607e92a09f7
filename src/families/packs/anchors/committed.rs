//! What the last commit has for the files that anchors are made in: asked once for all of them, and for none where
//! there is no repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::anchor::NewAnchor;
use crate::core::git::Git;
use crate::core::{SessionInfo, World};

/// Files asked about in one call; the command line is not endless.
const MAX_FILES: usize = 500;

/// Writes the blob of its file into each anchor whose file is committed. Whatever git cannot say is left out.
pub fn note<'a>(
    world: &dyn World,
    session: &SessionInfo,
    root: &Path,
    new: impl Iterator<Item = &'a mut NewAnchor>,
) {
    let new: Vec<&mut NewAnchor> = new.collect();
    let files: BTreeSet<String> = new.iter().map(|one| one.anchor.path.clone()).collect();
    if files.is_empty() || !in_a_repository(world, root) {
        return;
    }
    let known = blobs(&Git::new(world, session, root), &files);
    for one in new {
        one.anchor.blob = known.get(&one.anchor.path).cloned();
    }
}

/// Is there a checkout around a directory? Most answers need no program.
pub fn in_a_repository(world: &dyn World, root: &Path) -> bool {
    root.ancestors().any(|dir| world.stat(&dir.join(".git")).is_ok_and(|found| found.is_some()))
}

fn blobs(git: &Git, files: &BTreeSet<String>) -> BTreeMap<String, String> {
    let paths: Vec<String> = files.iter().take(MAX_FILES).map(|file| format!("./{file}")).collect();
    let mut args = vec!["ls-tree", "-z", "HEAD", "--"];
    args.extend(paths.iter().map(String::as_str));
    let said = git.plumbing(&args, Vec::new()).unwrap_or_default();
    let mut out = BTreeMap::new();
    for line in said.split(|byte| *byte == 0) {
        // mode SP type SP object TAB path
        let Some((facts, path)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once('\t'))
        else {
            continue;
        };
        let mut facts = facts.split(' ').skip(1);
        if let (Some("blob"), Some(object)) = (facts.next(), facts.next()) {
            out.insert(path.to_string(), object.to_string());
        }
    }
    out
}
