//! Trees of every kind: no git, linked work trees, submodules, a repository in a repository, names that are odd.

use std::fs;

use packd::engine::Session;
use serde_json::json;
use std::sync::Arc;

use super::rig::{Rig, git};
use crate::common::engine::session_info;

#[test]
fn without_git_files_are_walked() {
    let rig = Rig::without_git();
    rig.write("a", "1\n");
    rig.write("deep/er/b", "2\n");
    rig.write(".hg/store", "version control's own\n");
    rig.write("nested/.git/HEAD", "ref: refs/heads/main\n");
    rig.write("nested/file", "of another repository\n");
    let taken = rig.ok("snap_take", json!({}));
    assert_eq!(taken["files"], 2, "{taken}");
    assert_eq!(taken["skipped"][0]["path"], "nested", "{taken}");
    let before = rig.disk();
    rig.bash("s1", "c1", |rig| {
        rig.write("a", "changed\n");
        fs::remove_dir_all(rig.root().join("deep")).unwrap();
    });
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
}

fn session_in(rig: &Rig, dir: &std::path::Path) -> Arc<Session> {
    rig.t.open(session_info("mcp-2", dir.to_str().unwrap()))
}

#[test]
fn a_linked_work_tree_is_a_tree_of_its_own_and_shares_contents() {
    let rig = Rig::new();
    let linked = rig.dir.path().canonicalize().unwrap().join("linked");
    git(&rig.root(), &["worktree", "add", "-q", linked.to_str().unwrap(), "-b", "other"]);
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "same content\n"));
    let hook = |phase: &str| rig.hook_with(phase, "s2", "c2", json!({"cwd": linked.join("src")}));
    hook("before");
    fs::write(linked.join("a.txt"), "same content\n").unwrap();
    assert_eq!(hook("after")["changed"], 1);
    assert_eq!(fs::read_dir(rig.store()).unwrap().count(), 1, "one directory for both trees");
    assert_eq!(rig.ops().len(), 1, "the other tree's history is its own");
    let there = session_in(&rig, &linked);
    rig.t.ok(&there, "history_undo", json!({"yes": true}));
    assert_eq!(fs::read_to_string(linked.join("a.txt")).unwrap(), "one\n");
    assert_eq!(rig.read("a.txt").as_deref(), Some("same content\n"));
}

#[test]
fn files_of_submodules_belong_to_the_tree() {
    let rig = Rig::new();
    let lib = rig.dir.path().join("lib");
    fs::create_dir(&lib).unwrap();
    git(&lib, &["init", "-q", "-b", "main"]);
    fs::write(lib.join("lib.txt"), "library\n").unwrap();
    git(&lib, &["add", "-A"]);
    git(&lib, &["commit", "-qm", "lib"]);
    let add =
        ["-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.to_str().unwrap(), "vendor/lib"];
    git(&rig.root(), &add);
    rig.bash("s1", "c0", |_| {});
    let before = rig.disk();
    rig.bash("s1", "c1", |rig| {
        rig.write("vendor/lib/lib.txt", "patched\n");
        rig.write("vendor/lib/new.txt", "new\n");
    });
    assert_eq!(rig.summaries()[0], "Bash in claude-code changed 2 files");
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
}

#[test]
fn odd_names_and_repositories_within_are_handled() {
    let rig = Rig::new();
    for name in ["with space", "with\nnewline", "-dash", "ünïcode", "\"quoted\"", "tab\there"] {
        rig.write(name, "1\n");
    }
    fs::create_dir(rig.root().join("inner")).unwrap();
    git(&rig.root().join("inner"), &["init", "-q"]);
    rig.write("inner/file", "of its own repository\n");
    let odd = std::ffi::OsStr::new("not-text-");
    let mut bytes = odd.as_encoded_bytes().to_vec();
    bytes.push(0xff);
    use std::os::unix::ffi::OsStringExt;
    fs::write(rig.root().join(std::ffi::OsString::from_vec(bytes)), "x").unwrap();
    let taken = rig.ok("snap_take", json!({}));
    let skipped = taken["skipped"].to_string();
    assert!(skipped.contains("inner") && skipped.contains("not valid text"), "{taken}");
    let before = rig.disk();
    rig.bash("s1", "c1", |rig| {
        for name in ["with space", "with\nnewline", "-dash", "ünïcode", "\"quoted\"", "tab\there"] {
            rig.write(name, "2\n");
        }
    });
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
}

#[test]
fn what_git_comes_to_ignore_is_not_deleted() {
    let rig = Rig::new();
    rig.write("out/log", "x\n");
    rig.bash("s1", "c0", |_| {});
    rig.write(".gitignore", "ignored/\nout/\n");
    rig.bash("s1", "c1", |_| {});
    let summaries = rig.summaries();
    assert_eq!(summaries, ["Somebody outside packd changed .gitignore"]);
    assert_eq!(rig.read("out/log").as_deref(), Some("x\n"));
}

#[test]
fn nothing_is_written_into_the_project() {
    let rig = Rig::new();
    let list = |rig: &Rig| {
        let mut out = Vec::new();
        let mut open = vec![rig.root().join(".git")];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).unwrap().flatten() {
                let meta = entry.metadata().unwrap();
                out.push((entry.path(), meta.len(), meta.modified().unwrap()));
                if meta.is_dir() {
                    open.push(entry.path());
                }
            }
        }
        out.sort();
        out
    };
    let before = list(&rig);
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "x\n"));
    rig.ok("snap_take", json!({"label": "x"}));
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(list(&rig), before);
}
