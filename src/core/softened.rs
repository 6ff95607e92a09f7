//! Undo of installs that an older packd recorded: what they would delete goes to the trash instead.
//!
//! Such a record holds git commands and removals, and checks that miss a commit on a detached HEAD. What it means is
//! read out of it; the checks of today are added to its own.

use std::path::{Path, PathBuf};

use super::run::{Reversal, RunStep, StepWork, make_anew};
use super::trash::{Branch, Discard, KeptCheckout, Saved};

const LIMIT: u64 = 3600;

/// Only what cannot be brought back deletes; everything newer has a redo and is left as it is.
pub fn soften(operation: &str, reversal: Reversal) -> Reversal {
    let removed: Vec<(PathBuf, PathBuf)> = reversal.undo.iter().filter_map(|s| removal(&s.work)).collect();
    let nested = |path: &Path| removed.iter().any(|(_, other)| path != other && path.starts_with(other));
    let Some((root, dir)) = removed.iter().find(|(_, path)| !nested(path)).cloned() else { return reversal };
    if reversal.redo.is_some() {
        return reversal;
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let home = reversal.guards.iter().chain(&reversal.undo).find_map(|s| home(&s.work)).unwrap_or_default();
    let clones: Vec<PathBuf> = removed.iter().map(|(_, p)| p.clone()).filter(|p| *p != dir).collect();
    let worktree = reversal.undo.iter().any(|s| matches!(program(&s.work), Some((_, ["worktree", ..]))));
    let saved = |dir: &PathBuf, skip: &[PathBuf], own: Option<String>| {
        let label = format!("{} has no uncommitted changes and no unpushed commits", name(dir));
        let saved = Saved { name: name(dir), dir: dir.clone(), skip: skip.to_vec(), own, home: home.clone() };
        RunStep::new(label, StepWork::CheckSaved(Box::new(saved)), LIMIT).prints("")
    };
    let mut guards = reversal.guards;
    guards.extend(clones.iter().map(|path| saved(path, &[], None)));
    if worktree {
        guards.push(saved(&dir, &clones, Some(format!("workspace/{}", name(&dir)))));
    }
    let discard = Discard {
        entry: operation.to_string(),
        subject: name(&dir),
        root,
        paths: vec![dir.clone()],
        checkouts: removed
            .iter()
            .map(|(_, path)| KeptCheckout { name: name(path), dir: path.clone() })
            .collect(),
        branches: reversal.undo.iter().filter_map(|s| branch(&s.work)).collect(),
        home,
    };
    let back = StepWork::Untrash { entry: operation.to_string(), path: dir, otherwise: make_anew() };
    Reversal {
        guards,
        undo: vec![RunStep::new(
            "move the checkouts to the trash",
            StepWork::Trash(Box::new(discard)),
            LIMIT,
        )],
        redo: Some(vec![RunStep::new("bring the checkouts back from the trash", back, LIMIT)]),
    }
}

/// A git command as first words, and where it runs.
fn program(work: &StepWork) -> Option<(&PathBuf, [&str; 5])> {
    let (StepWork::Program { args, cwd, .. } | StepWork::Git { args, cwd, .. }) = work else { return None };
    let word = |n: usize| args.get(n).map_or("", String::as_str);
    Some((cwd, [word(0), word(1), word(2), word(3), word(4)]))
}

/// What is removed, and the directory that it must be below.
fn removal(work: &StepWork) -> Option<(PathBuf, PathBuf)> {
    if let StepWork::RemoveTree { root, path } = work {
        return Some((root.clone(), path.clone()));
    }
    match program(work)? {
        (cwd, ["worktree", "remove", "--force", "--", path]) => Some((cwd.clone(), path.into())),
        _ => None,
    }
}

fn branch(work: &StepWork) -> Option<Branch> {
    match program(work)? {
        (cwd, ["update-ref", "-d", name, ..]) => {
            Some(Branch { repo: cwd.clone(), name: name.strip_prefix("refs/heads/")?.to_string() })
        }
        _ => None,
    }
}

fn home(work: &StepWork) -> Option<PathBuf> {
    let (StepWork::Program { env, .. } | StepWork::Git { env, .. }) = work else { return None };
    env.iter().find(|(name, _)| name == "HOME").map(|(_, value)| value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(args: &[&str]) -> StepWork {
        StepWork::Program {
            program: "git".into(),
            args: args.iter().map(|a| (*a).to_string()).collect(),
            cwd: "/w".into(),
            env: vec![("HOME".into(), "/home/me".into())],
        }
    }

    #[test]
    fn an_old_install_is_undone_into_the_trash() {
        let undo = [
            StepWork::RemoveTree {
                root: "/w/worktrees/demo".into(),
                path: "/w/worktrees/demo/repos/api".into(),
            },
            git(&["worktree", "remove", "--force", "--", "/w/worktrees/demo"]),
            git(&["update-ref", "-d", "refs/heads/workspace/demo", "abc"]),
        ];
        let undo: Vec<RunStep> = undo.into_iter().map(|work| RunStep::new("old", work, 1)).collect();
        let old = Reversal { guards: Vec::new(), undo, redo: None };
        let soft = soften("op", old.clone());
        assert_eq!(soft.guards.len(), 2, "both checkouts are checked");
        let [RunStep { work: StepWork::Trash(discard), .. }] = soft.undo.as_slice() else {
            panic!("{:?}", soft.undo)
        };
        assert_eq!(discard.paths, [PathBuf::from("/w/worktrees/demo")]);
        assert_eq!(
            (discard.root.as_path(), discard.home.as_path()),
            (Path::new("/w"), Path::new("/home/me"))
        );
        assert_eq!(discard.branches, [Branch { repo: "/w".into(), name: "workspace/demo".into() }]);
        assert_eq!(discard.checkouts.len(), 2);
        assert!(soft.redo.is_some());
        let newer = soften("op", Reversal { redo: Some(Vec::new()), ..old });
        assert!(newer.redo.is_some_and(|steps| steps.is_empty()), "what can be redone is left alone");
    }
}
