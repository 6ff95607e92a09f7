//! `evolve_propose` works its commit out and writes nothing before the operation is recorded, and an undo never
//! takes objects away that somebody may have come to need.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Client, write};
use crate::common::real::Place;

const CONFIG: &str = "version: 1\nprofiles: {default: {include_tags: [core]}}\n\
    targets: {codex: {mode: files, scope: project}}\n\
    modules:\n  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}\n";

fn git(place: &Place, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(args)
        .current_dir(repo(place))
        .env("HOME", place.path())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_string()
}

fn repo(place: &Place) -> PathBuf {
    place.path().join(".agentpack/repo")
}

/// A deployed file that was edited, and a repository that names programs wherever it can.
fn edited(place: &Place) -> Client {
    write(
        &place.path().join(".gitconfig"),
        "[user]\n\tname = Me\n\temail = me@example.org\n[init]\n\tdefaultBranch = main\n",
    );
    write(&repo(place).join("agentpack.yaml"), CONFIG);
    write(&repo(place).join("modules/base/AGENTS.md"), "# Rules\n");
    write(&repo(place).join(".gitattributes"), "* filter=evil\n");
    git(place, &["init", "-q"]);
    git(place, &["add", "-A"]);
    git(place, &["commit", "-qm", "start"]);
    let mut client = Client::new(place, &[]);
    let plan = client.ok("deploy", json!({}));
    client.ok("deploy_apply", json!({"confirm_token": plan["data"]["confirm_token"], "yes": true}));
    write(&place.work().join("AGENTS.md"), "# Better rules\n");
    let evil = place.path().join("evil");
    write(&evil, format!("#!/bin/sh\ntouch '{}'\ncat\n", place.path().join("ran").display()));
    Command::new("chmod").arg("755").arg(&evil).status().unwrap();
    let evil = evil.display().to_string();
    for key in ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "gpg.program"] {
        git(place, &["config", key, &evil]);
    }
    git(place, &["config", "commit.gpgSign", "true"]);
    for hook in ["post-commit", "pre-commit", "reference-transaction", "post-checkout"] {
        let to = repo(place).join(".git/hooks").join(hook);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(&evil, to).unwrap();
    }
    // The content of no file changed: without its filter every file is what is committed.
    let _ = std::fs::remove_file(place.path().join("ran"));
    client
}

/// Everything below a directory.
fn tree(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        match entry.file_type().unwrap().is_dir() {
            true => out.extend(tree(&path)),
            false => drop(out.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    out
}

#[test]
fn a_proposal_that_is_only_asked_for_or_planned_leaves_the_repository_as_it_is() {
    let place = Place::new();
    let mut client = edited(&place);
    let before = tree(&repo(&place));
    let asks: [Value; 4] = [
        json!({"yes": true, "mode": "ask"}),
        json!({"yes": true, "mode": "plan"}),
        json!({"yes": true, "dry_run": true}),
        json!({}),
    ];
    for args in asks {
        client.call("evolve_propose", args.clone());
        assert_eq!(tree(&repo(&place)), before, "{args}");
    }
    let mut reader = Client::new(&place, &["--read-only"]);
    reader.call("evolve_propose", json!({"yes": true}));
    assert_eq!(tree(&repo(&place)), before);
    assert!(!place.path().join("ran").exists(), "nothing that the repository names was run");
}

#[test]
fn a_proposal_is_a_whole_commit_and_its_undo_leaves_what_was_built_on_it() {
    let place = Place::new();
    let mut client = edited(&place);
    let done = client.ok("evolve_propose", json!({"yes": true, "branch": "idea"}));
    assert!(!place.path().join("ran").exists(), "nothing that the repository names was run");
    for key in ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "gpg.program", "commit.gpgSign"]
    {
        git(&place, &["config", "--unset", key]);
    }
    std::fs::remove_dir_all(repo(&place).join(".git/hooks")).unwrap();
    git(&place, &["fsck", "--strict", "--full"]);
    assert_eq!(json!(git(&place, &["rev-parse", "idea"])), done["data"]["commit"]);
    assert_eq!(
        git(&place, &["log", "-1", "--format=%s|%an|%ae", "idea"]),
        "chore(evolve): propose overlay updates|Me|me@example.org"
    );
    assert_eq!(git(&place, &["rev-parse", "idea^"]), git(&place, &["rev-parse", "main"]));
    // Somebody takes it up under another name; then it is undone.
    git(&place, &["branch", "mine", "idea"]);
    client.ok("history_undo", json!({"yes": true}));
    assert_eq!(git(&place, &["branch", "--list", "idea"]), "");
    git(&place, &["fsck", "--strict", "--full"]);
    assert!(
        git(&place, &["show", "mine:overlays/instructions_base--d39861fff1/AGENTS.md"]).contains("Better")
    );
    // Git packs what it likes in between; redo still works.
    git(&place, &["gc", "-q", "--prune=now"]);
    client.ok("history_redo", json!({"yes": true}));
    assert_eq!(git(&place, &["rev-parse", "idea"]), git(&place, &["rev-parse", "mine"]));
    git(&place, &["fsck", "--strict", "--full"]);
}
