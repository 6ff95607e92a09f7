//! Snapshots through the engine: what a tool call did to files is one operation, and goes back byte for byte.

use serde_json::json;

use super::rig::{Rig, git};

#[test]
fn what_bash_did_is_one_operation_and_goes_back_byte_for_byte() {
    let rig = Rig::new();
    rig.write("keep.txt", "untracked\n");
    rig.chmod("a.txt", 0o640);
    rig.hook("before", "s1", "c0");
    rig.hook("after", "s1", "c0");
    let before = rig.disk();
    let done = rig.bash("s1", "c1", |rig| {
        rig.write("a.txt", "ONE\n");
        rig.chmod("a.txt", 0o604);
        std::fs::remove_file(rig.root().join("src/b.txt")).unwrap();
        rig.write("new/deep/c.txt", "three\n");
        rig.write("ignored/x", "not followed\n");
    });
    assert_eq!((done["state"].as_str(), done["changed"].as_u64()), (Some("taken"), Some(3)), "{done}");
    let op = rig.ops()[0].clone();
    assert_eq!(op["summary"], "Bash in claude-code changed 3 files");
    assert_eq!((op["family"].as_str(), op["tool"].as_str()), (Some("snapshots"), Some("Bash")));
    assert_eq!(op["who"], json!({"client": "claude-code", "session": "s1"}));
    let shown = rig.ok("history_show", json!({"operation_id": op["operation_id"]}));
    assert_eq!(shown["effects"].as_array().unwrap().len(), 3, "{shown}");
    assert_eq!(shown["trace"]["tool_use_id"], "c1");
    assert!(shown["effects"].to_string().contains("+ONE"), "{shown}");

    let preview = rig.ok("history_undo", json!({}));
    assert_eq!(preview["preview"], true);
    assert!(preview.get("clashes").is_none(), "{preview}");
    let after = rig.disk();
    rig.ok("history_undo", json!({"yes": true}));
    std::fs::remove_dir_all(rig.root().join("ignored")).unwrap();
    assert_eq!(rig.disk(), before);
    assert!(!rig.root().join("new").exists(), "the directory came with the call and goes with it");

    rig.ok("history_redo", json!({"yes": true}));
    rig.write("ignored/x", "not followed\n");
    assert_eq!(rig.disk(), after);
    assert_eq!(
        git(&rig.root(), &["status", "--porcelain"]).lines().count(),
        4,
        "the project's index knows nothing"
    );
}

#[test]
fn what_packd_wrote_itself_is_never_a_second_operation() {
    let rig = Rig::new();
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "by bash\n"));
    rig.ok("history_undo", json!({"yes": true}));
    let count = rig.ops().len();
    let nothing = rig.bash("s1", "c2", |_| {});
    assert_eq!(rig.ops().len(), count, "{nothing}: {:?}", rig.summaries());
}

#[test]
fn what_changed_outside_goes_by_its_id_alone() {
    let rig = Rig::new();
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "by bash\n"));
    rig.write("src/b.txt", "by hand\n");
    rig.hook("before", "s1", "c2");
    rig.settled();
    let op = rig.ops()[0].clone();
    assert_eq!(op["who"], json!({"client": "outside", "session": "outside"}));
    assert_eq!(op["summary"], "Somebody outside packd changed src/b.txt");
    let undone = rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(undone["undid"]["who"]["session"], "s1", "plain undo takes what was asked for: {undone}");
    assert_eq!(rig.read("src/b.txt").as_deref(), Some("by hand\n"));
    let theirs = rig.err("history_undo", json!({"client": "outside", "yes": true}));
    assert_eq!(theirs["code"], "nothing_to_undo", "{theirs}");
    rig.ok("history_revert", json!({"operation_id": op["operation_id"], "yes": true}));
    assert_eq!(rig.read("src/b.txt").as_deref(), Some("two\n"));
}

#[test]
fn a_file_changed_since_is_named_and_stays_while_the_others_go() {
    let rig = Rig::new();
    rig.bash("s1", "c1", |rig| {
        rig.write("a.txt", "by bash\n");
        rig.write("src/b.txt", "by bash, too\n");
    });
    rig.write("a.txt", "by hand, later\n");
    let preview = rig.ok("history_undo", json!({}));
    assert_eq!(preview["clashes"][0]["path"], json!(rig.root().join("a.txt")), "{preview}");
    assert_eq!(preview["files"].as_array().unwrap().len(), 1, "{preview}");
    assert_eq!(rig.read("src/b.txt").as_deref(), Some("by bash, too\n"), "nothing was done yet");
    let done = rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(done["clashes"].as_array().unwrap().len(), 1);
    assert_eq!(rig.read("a.txt").as_deref(), Some("by hand, later\n"));
    assert_eq!(rig.read("src/b.txt").as_deref(), Some("two\n"));
    // Bringing it back has the same file in its way.
    let again = rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(again["clashes"].as_array().unwrap().len(), 1, "{again}");
    assert_eq!(rig.read("a.txt").as_deref(), Some("by hand, later\n"));
    assert_eq!(rig.read("src/b.txt").as_deref(), Some("by bash, too\n"));
}

#[test]
fn where_every_file_was_changed_since_nothing_is_done() {
    let rig = Rig::new();
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "by bash\n"));
    rig.bash("s2", "c2", |rig| rig.write("a.txt", "by another\n"));
    let first = rig.ops()[1]["operation_id"].clone();
    let refused = rig.err("history_revert", json!({"operation_id": first, "yes": true}));
    assert_eq!(refused["code"], "undo_conflict");
    assert!(refused["message"].as_str().unwrap().contains("Bash in claude-code"), "it names who: {refused}");
    assert_eq!(rig.read("a.txt").as_deref(), Some("by another\n"));
}

#[test]
fn everything_of_a_session_goes_back_together_but_what_others_changed() {
    let rig = Rig::new();
    rig.bash("s1", "c1", |rig| {
        rig.write("a.txt", "1\n");
        rig.write("x.txt", "x\n");
    });
    rig.bash("s2", "c2", |rig| rig.write("x.txt", "theirs\n"));
    rig.bash("s1", "c3", |rig| {
        rig.write("a.txt", "2\n");
        rig.write("x.txt", "mine again\n");
        rig.write("y.txt", "y\n");
    });
    let preview = rig.ok("history_undo", json!({"session": "s1"}));
    assert_eq!(preview["count"], 2, "{preview}");
    assert_eq!(preview["clashes"][0]["path"], json!(rig.root().join("x.txt")), "{preview}");
    rig.ok("history_undo", json!({"session": "s1", "yes": true}));
    assert_eq!(rig.read("a.txt").as_deref(), Some("one\n"));
    assert_eq!((rig.read("x.txt").as_deref(), rig.read("y.txt")), (Some("mine again\n"), None));
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!((rig.read("a.txt").as_deref(), rig.read("y.txt").as_deref()), (Some("2\n"), Some("y\n")));
}

#[test]
fn a_file_becomes_a_directory_a_link_or_nothing_and_comes_back() {
    let rig = Rig::new();
    rig.write("dir/in", "inside\n");
    std::os::unix::fs::symlink("a.txt", rig.root().join("link")).unwrap();
    rig.bash("s1", "c0", |_| {});
    let before = rig.disk();
    rig.bash("s1", "c1", |rig| {
        let root = rig.root();
        std::fs::remove_file(root.join("a.txt")).unwrap();
        rig.write("a.txt/now/a/directory", "x\n");
        std::fs::remove_dir_all(root.join("dir")).unwrap();
        rig.write("dir", "now a file\n");
        std::fs::remove_file(root.join("link")).unwrap();
        std::os::unix::fs::symlink("src/b.txt", root.join("link")).unwrap();
        std::fs::remove_file(root.join("src/b.txt")).unwrap();
        std::os::unix::fs::symlink("../dir", root.join("src/b.txt")).unwrap();
    });
    let after = rig.disk();
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.disk(), after);
}

#[test]
fn lines_endings_and_filters_of_the_project_change_nothing() {
    let rig = Rig::new();
    rig.write(".gitattributes", "* text=auto eol=lf\n*.txt filter=loud\n");
    git(&rig.root(), &["config", "filter.loud.clean", "sh -c 'touch filter-ran; cat'"]);
    git(&rig.root(), &["config", "core.fsmonitor", "sh -c 'touch monitor-ran'"]);
    rig.write("a.txt", "dos\r\nlines\r\n");
    rig.bash("s1", "c0", |_| {});
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "unix\n"));
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("a.txt").as_deref(), Some("dos\r\nlines\r\n"));
    assert_eq!((rig.read("filter-ran"), rig.read("monitor-ran")), (None, None));
}

#[test]
fn the_repository_may_forget_what_an_undo_needs() {
    let rig = Rig::new();
    rig.bash("s1", "c0", |_| {});
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "by bash\n"));
    git(&rig.root(), &["commit", "-qam", "amended", "--amend"]);
    git(&rig.root(), &["reflog", "expire", "--expire=now", "--all"]);
    git(&rig.root(), &["gc", "-q", "--prune=now"]);
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("a.txt").as_deref(), Some("one\n"));
}

/// The directory that took a file's place was replaced itself: it is not the one that came with the first call.
#[test]
fn a_file_comes_back_in_the_place_of_a_directory_that_was_made_anew() {
    let rig = Rig::new();
    rig.bash("s1", "c0", |_| {});
    let before = rig.disk();
    rig.bash("s1", "c1", |rig| {
        std::fs::remove_file(rig.root().join("a.txt")).unwrap();
        rig.write("a.txt/below/f", "first\n");
        rig.write("new/f", "first\n");
    });
    rig.bash("s1", "c2", |rig| {
        for name in ["a.txt", "new"] {
            // Both are there at once, so that the new one cannot get the old one's inode.
            std::fs::rename(rig.root().join(name), rig.root().join("aside")).unwrap();
            std::fs::create_dir(rig.root().join(name)).unwrap();
            std::fs::remove_dir_all(rig.root().join("aside")).unwrap();
        }
        rig.write("a.txt/below/f", "second\n");
        rig.write("new/f", "second\n");
    });
    let after = rig.disk();
    rig.ok("history_undo", json!({"yes": true}));
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
    assert!(!rig.root().join("new").exists(), "it came with the files, whichever of the two it is");
    rig.ok("history_redo", json!({"yes": true}));
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.disk(), after);
}

/// A directory that is older than the call that put it there.
#[test]
fn a_file_comes_back_in_the_place_of_a_directory_that_was_moved_there() {
    let rig = Rig::new();
    std::fs::create_dir_all(rig.root().join("old/deep")).unwrap();
    rig.bash("s1", "c0", |_| {});
    let before = rig.disk();
    let put = |rig: &Rig| {
        std::fs::remove_file(rig.root().join("a.txt")).unwrap();
        std::fs::rename(rig.root().join("old"), rig.root().join("a.txt")).unwrap();
        rig.write("a.txt/f", "below\n");
    };
    rig.bash("s1", "c1", put);
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), before);
}

#[test]
fn a_directory_with_files_that_nobody_told_of_is_left_where_it_is() {
    let rig = Rig::new();
    rig.bash("s1", "c0", |_| {});
    rig.bash("s1", "c1", |rig| {
        std::fs::remove_file(rig.root().join("a.txt")).unwrap();
        rig.write("a.txt/f", "below\n");
        rig.write("a.txt/ignored/mine", "not followed\n");
    });
    let done = rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(done["clashes"][0]["path"], json!(rig.root().join("a.txt")), "{done}");
    assert_eq!(rig.read("a.txt/ignored/mine").as_deref(), Some("not followed\n"));
}

/// Flushing the directory that had been there once followed the link in its place.
#[test]
fn a_directory_becomes_a_link_to_nowhere_again() {
    let rig = Rig::without_git();
    rig.bash("s1", "c0", |rig| rig.write("d/g/below", "x\n"));
    rig.bash("s1", "c1", |rig| {
        std::fs::remove_dir_all(rig.root().join("d/g")).unwrap();
        std::os::unix::fs::symlink("g", rig.root().join("d/g")).unwrap();
    });
    let after = rig.disk();
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("d/g/below").as_deref(), Some("x\n"));
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.disk(), after);
}
