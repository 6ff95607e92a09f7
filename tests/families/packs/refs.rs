//! Refs and the files behind them: stale lines instead of failures, one read per file, the finalize gate.

use std::path::Path;

use serde_json::json;

use super::sources::Sources;
use crate::common::engine::session_info;

#[test]
fn one_bad_reference_costs_one_line_and_not_the_render() {
    let b = Sources::new();
    b.file("src/good.rs", "one\ntwo\n");
    b.file("blob.bin", [0xff, 0xfe, 0]);
    b.file("dir/inner.txt", "x\n");
    b.file("empty.txt", "");
    b.file("nl.txt", "\n");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.txt"), "secret\n").unwrap();
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, b.dir.path().join(name)).unwrap();
    link(&outside.path().join("secret.txt"), "out.txt");
    link(outside.path(), "outdir");
    link(&b.dir.path().join("src/good.rs"), "in.rs");
    link(Path::new("nowhere"), "dangling");
    link(Path::new("loop"), "loop");
    let fifo = b.dir.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let huge = std::fs::File::create(b.dir.path().join("huge.txt")).unwrap();
    huge.set_len(17 << 20).unwrap();
    b.pack(&[
        ("r01", "src/good.rs", 1, 2),
        ("r02", "missing.rs", 1, 1),
        ("r03", "src/good.rs", 2, 3),
        ("r04", "blob.bin", 1, 1),
        ("r05", "out.txt", 1, 1),
        ("r06", "outdir/secret.txt", 1, 1),
        ("r07", "dangling", 1, 1),
        ("r08", "loop", 1, 1),
        ("r09", "dir", 1, 1),
        ("r10", "pipe", 1, 1),
        ("r11", "huge.txt", 1, 1),
        ("r12", "empty.txt", 1, 1),
        ("r13", "src/good.rs/x", 1, 1),
        ("r14", "in.rs", 2, 2),
        ("r15", "nl.txt", 1, 1),
    ]);
    let stale = b.stale();
    let wanted = [
        "file 'missing.rs' does not exist under source root",
        "file 'src/good.rs' has 2 lines but ref ends at 3",
        "file 'blob.bin' is not UTF-8 text",
        "path 'out.txt' resolves outside source root",
        "path 'outdir/secret.txt' resolves outside source root",
        "file 'dangling' does not exist under source root",
        "file 'loop' cannot be read: ",
        "file 'dir' cannot be read: it is a directory",
        "file 'pipe' cannot be read: it is not a regular file",
        "file 'huge.txt' cannot be read: it has 17825792 bytes, which is over the limit",
        "file 'empty.txt' has 0 lines but ref starts at 1",
        "file 'src/good.rs/x' does not exist under source root",
    ];
    assert_eq!(stale.len(), wanted.len(), "{stale:#?}");
    for (got, wanted) in stale.iter().zip(wanted) {
        assert!(got.starts_with(wanted), "wanted {wanted}\ngot    {got}");
    }
    let text = b.render(json!({"name": "doc"}));
    assert!(text.contains("```rust\n   1: one\n   2: two\n```") && text.contains("```rust\n   2: two\n```"));
    assert!(text.contains("- path: nl.txt\n- lines: 1-1\n\n```\n   1: \n```\n"), "{text}");
    assert!(!text.contains("secret\n```"), "nothing outside the root is shown");
}

#[test]
fn each_file_is_opened_once_however_many_refs_point_into_it() {
    let b = Sources::new();
    for name in ["a.rs", "b.rs"] {
        b.file(name, "1\n2\n3\n4\n");
    }
    std::os::unix::fs::symlink("a.rs", b.dir.path().join("alias.rs")).unwrap();
    b.pack(&[
        ("k1", "a.rs", 1, 1),
        ("k2", "b.rs", 1, 2),
        ("k3", "a.rs", 2, 3),
        ("k4", "./a.rs", 3, 3),
        ("k5", "alias.rs", 4, 4),
        ("k6", "b.rs", 4, 4),
    ]);
    b.read.lock().unwrap().clear();
    assert_eq!(b.render(json!({"name": "doc"})).matches("```\n").count(), 6);
    assert_eq!(b.read.lock().unwrap().len(), 2);
    b.read.lock().unwrap().clear();
    b.ok(json!({"action": "set_status", "name": "doc", "expected_revision": 8, "status": "finalized"}));
    assert_eq!(b.read.lock().unwrap().len(), 2);
}

#[test]
fn the_source_root_is_the_sessions_directory_unless_another_is_named() {
    let b = Sources::new();
    b.file("here.txt", "here\n");
    b.file("sub/here.txt", "sub\n");
    b.pack(&[("k1", "here.txt", 1, 1)]);
    let with = |root: &str| {
        let mut info = session_info("s2", "/w");
        info.cwd = b.dir.path().to_path_buf();
        info.env.insert("CONTEXT_PACK_SOURCE_ROOT".into(), root.into());
        let session = b.engine.open(info);
        b.engine.call(&session, "output", json!({"name": "doc"})).text
    };
    for root in ["", " . ", "CWD", "session_cwd", "__SESSION_CWD__"] {
        assert!(with(root).contains("1: here\n"), "{root}");
    }
    assert!(with(" sub ").contains("1: sub\n"));
    assert!(
        with("/nowhere/at/all").contains("> stale ref: file 'here.txt' does not exist under source root")
    );
}

#[test]
fn finalizing_needs_refs_that_resolve_and_something_to_read() {
    let b = Sources::new();
    b.file("a.rs", "1\n2\n");
    let finalize = |rev: u64| json!({"action": "set_status", "name": "doc", "expected_revision": rev, "status": "finalized"});
    b.pack(&[]);
    assert!(
        b.err("input", finalize(2))
            .starts_with("invalid_state: invalid state: a pack needs at least one ref or diagram")
    );
    let put = |rev: u64, key: &str, path: &str, end: u64| {
        b.ok(json!({"action": "upsert_ref", "name": "doc", "expected_revision": rev, "section_key": "main", "ref_key": key, "path": path, "line_start": 1, "line_end": end}));
    };
    put(2, "good", "a.rs", 2);
    for i in 0..12 {
        put(3 + i, &format!("bad{i:02}"), "gone.rs", 1);
    }
    let e = b.err("input", finalize(15));
    assert!(e.starts_with("invalid_state: invalid state: the pack has 12 stale ref(s): main::bad00 (gone.rs:1-1): file 'gone.rs' does not exist under source root; main::bad01 "), "{e}");
    assert_eq!(e.matches("main::bad").count(), 10);
    assert!(
        b.err("input", finalize(3)).contains("revision conflict"),
        "a stale revision outranks stale refs"
    );
    // What is not merely out of date is reported as what it is.
    b.file("blob.bin", [0xff]);
    put(15, "blob", "blob.bin", 1);
    assert!(b.err("input", finalize(16)).starts_with("io_error: file 'blob.bin' is not UTF-8 text"));
    std::os::unix::fs::symlink("/", b.dir.path().join("out")).unwrap();
    put(16, "aaa", "out/etc", 1);
    b.ok(json!({"action": "delete_ref", "name": "doc", "expected_revision": 17, "section_key": "main", "ref_key": "blob"}));
    let e = b.err("input", finalize(18));
    assert!(e.starts_with("invalid_data: invalid data: path 'out/etc' resolves outside source root"), "{e}");
}

#[test]
fn the_gate_is_passed_again_even_by_a_finalized_pack() {
    let b = Sources::new();
    b.file("a.rs", "1\n2\n");
    b.pack(&[("k1", "a.rs", 1, 2)]);
    let finalize = |rev: u64| json!({"action": "set_status", "name": "doc", "expected_revision": rev, "status": "finalized"});
    assert_eq!(b.ok(finalize(3))["revision"], 4);
    assert_eq!(b.ok(finalize(4))["revision"], 4, "already finalized: nothing changes");
    std::fs::remove_file(b.dir.path().join("a.rs")).unwrap();
    assert!(b.err("input", finalize(4)).starts_with("invalid_state: "));
    assert_eq!(
        b.ok(json!({"action": "set_status", "name": "doc", "expected_revision": 4, "status": "draft"}))["status"],
        "draft"
    );
}
