//! Anchors in a git repository: they keep the committed blob of their file, and follow a file that was renamed and
//! edited, however git was told of it. Without git, and for files it does not know, they work as ever.

use std::process::Command;

use packd::core::{Key, RowQuery, Table, View};
use serde_json::{Value, json};

use super::sources::Sources;
use crate::common::real::Place;

/// Enough lines that stay for git to see a rename, and one definition that does not.
const CODE: &str = "use std::fs;\n\n/// One.\nfn one() -> u8 {\n    1\n}\n\n/// Two.\nfn two() -> u8 {\n    2\n}\n\n/// Three.\nfn three() -> u8 {\n    3\n}\n\n/// Four.\nfn four() -> u8 {\n    4\n}\n";

fn git_in(dir: &std::path::Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_string()
}

impl Sources {
    fn git(&self, args: &[&str]) -> String {
        git_in(self.dir.path(), args)
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "all"]);
    }

    /// `verdict path:start-end` of the only ref.
    fn only(&self) -> String {
        let refs = self.ok(json!({"action": "check", "name": "doc"}))["refs"].clone();
        let (one, lines) = (&refs[0], &refs[0]["lines"]);
        let word = |name: &str| one[name].as_str().unwrap().to_string();
        format!("{} {}:{}-{}", word("verdict"), word("path"), lines["start"], lines["end"])
    }

    fn rename(&self, from: &str, to: &str) {
        std::fs::create_dir_all(self.dir.path().join(to).parent().unwrap()).unwrap();
        std::fs::rename(self.dir.path().join(from), self.dir.path().join(to)).unwrap();
    }

    /// The blob that the anchor of a ref keeps, by the ref's key.
    fn blob(&self, key: &str) -> Option<String> {
        let snapshot = self.engine.engine.store().read().unwrap();
        let rows = snapshot.view().rows(&RowQuery::new(Table("pack_anchors"), Key::empty())).unwrap();
        let (_, row) = rows
            .into_iter()
            .find(|(at, _)| String::from_utf8_lossy(at.as_bytes()).contains(key))
            .expect("an anchor");
        let row: Value = packd::core::row::decode(&row.value).unwrap();
        row["blob"].as_str().map(str::to_string)
    }
}

/// A repository with one committed file, and a ref to the definition that will be edited.
fn rig() -> Sources {
    let b = Sources::new();
    b.git(&["init", "-q"]);
    b.file("src/count.rs", CODE);
    b.commit();
    b.pack(&[("three", "src/count.rs", 13, 16)]);
    b
}

fn edited() -> String {
    CODE.replace("    3\n", "    33\n")
}

#[test]
fn a_ref_keeps_the_blob_of_a_committed_file_only() {
    let b = rig();
    assert_eq!(b.blob("three"), Some(b.git(&["rev-parse", "HEAD:src/count.rs"])));
    b.file("src/new.rs", CODE);
    let put = |path: &str, revision: u64| {
        b.ok(json!({"action": "upsert_ref", "name": "doc", "expected_revision": revision, "section_key": "main",
                    "ref_key": "new-one", "path": path, "line_start": 13, "line_end": 16}));
    };
    put("src/new.rs", 3);
    assert_eq!(b.blob("new-one"), None, "nothing is committed under this name");
    b.git(&["add", "-A"]);
    put("src/new.rs", 4);
    assert_eq!(b.blob("new-one"), None, "what is staged is not committed");
}

#[test]
fn a_file_that_was_renamed_and_edited_is_followed_through_commits() {
    let b = rig();
    b.rename("src/count.rs", "lib/numbers.rs");
    b.file("lib/numbers.rs", edited());
    b.commit();
    assert_eq!(b.only(), "changed lib/numbers.rs:13-16");
    // Once more, with nothing edited.
    b.rename("lib/numbers.rs", "deep/er/sum.rs");
    b.commit();
    assert_eq!(b.only(), "changed deep/er/sum.rs:13-16");
    let text = b.render(json!({"name": "doc"}));
    assert!(text.contains("- changed: not what was anchored at src/count.rs:13-16\n"), "{text}");
    assert!(text.contains("-    3\n+    33\n"), "{text}");
}

#[test]
fn a_rename_that_is_staged_or_not_even_that_is_followed() {
    let b = rig();
    b.git(&["mv", "src/count.rs", "src/numbers.rs"]);
    b.file("src/numbers.rs", edited());
    assert_eq!(b.only(), "changed src/numbers.rs:13-16");
    b.git(&["reset", "-q"]);
    assert_eq!(b.only(), "changed src/numbers.rs:13-16", "git was not told of it");
    b.file("src/numbers.rs", "fn three() -> u8 {\n    9\n}\n");
    assert_eq!(b.only(), "lost src/count.rs:13-16", "one name in common makes no rename");
}

#[test]
fn the_same_code_in_another_file_is_more_than_other_code_in_the_renamed_one() {
    let b = rig();
    b.git(&["mv", "src/count.rs", "src/numbers.rs"]);
    b.file("src/numbers.rs", edited());
    b.file("src/kept.rs", "/// Three.\nfn three() -> u8 {\n    3\n}\n");
    assert_eq!(b.only(), "moved src/kept.rs:1-4");
}

#[test]
fn a_kind_of_file_that_is_not_searched_is_found_by_its_name_in_git() {
    let b = rig();
    b.git(&["mv", "src/count.rs", "src/count.rs.in"]);
    assert_eq!(b.only(), "moved src/count.rs.in:13-16");
}

#[test]
fn a_source_root_below_the_top_of_a_repository_is_followed_too() {
    let b = Sources::new();
    let top = b.dir.path().join("..").join(b.dir.path().file_name().unwrap());
    b.git(&["init", "-q"]);
    b.file("part/src/count.rs", CODE);
    b.commit();
    let mut info = crate::common::engine::session_info("s2", "/w");
    info.cwd = top.join("part");
    let session = b.engine.open(info);
    let ok = |args: Value| b.engine.ok(&session, "input", args)["payload"].clone();
    let sections =
        json!([{"key": "main", "refs": [{"key": "three", "path": "src/count.rs", "lines": "13-16"}]}]);
    ok(json!({"action": "write", "name": "doc", "sections": sections}));
    b.rename("part/src/count.rs", "part/numbers.rs");
    b.file("part/numbers.rs", edited());
    b.commit();
    let refs = ok(json!({"action": "check", "name": "doc"}))["refs"].clone();
    assert_eq!((&refs[0]["verdict"], &refs[0]["path"]), (&json!("changed"), &json!("numbers.rs")));
}

#[test]
fn without_git_a_renamed_file_is_found_by_its_content_alone() {
    let b = Sources::new();
    b.file("src/count.rs", CODE);
    b.pack(&[("three", "src/count.rs", 13, 16)]);
    assert_eq!(b.blob("three"), None);
    b.rename("src/count.rs", "src/numbers.rs");
    assert_eq!(b.only(), "moved src/numbers.rs:13-16");
    b.file("src/numbers.rs", edited());
    assert_eq!(b.only(), "lost src/count.rs:13-16");
}

/// A repository that packd reads runs nothing: its hooks, filters and monitors stay asleep. The real programs.
#[test]
fn following_a_rename_runs_nothing_that_the_repository_names() {
    let place = Place::new();
    let work = place.work();
    let woke = work.join("woke");
    let call = |args: Value| place.packd(&["call", "input", &args.to_string()]).ok();
    std::fs::create_dir_all(work.join("src")).unwrap();
    std::fs::write(work.join("src/count.rs"), CODE).unwrap();
    git_in(&work, &["init", "-q"]);
    git_in(&work, &["add", "-A"]);
    git_in(&work, &["commit", "-qm", "all"]);
    let sections =
        json!([{"key": "main", "refs": [{"key": "three", "path": "src/count.rs", "symbol": "three"}]}]);
    call(json!({"action": "write", "name": "doc", "sections": sections}));
    git_in(&work, &["mv", "src/count.rs", "src/numbers.rs"]);
    std::fs::write(work.join("src/numbers.rs"), edited()).unwrap();
    git_in(&work, &["commit", "-qam", "rename"]);
    let touch = format!("touch {}", woke.display());
    std::fs::write(work.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
    for key in
        ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.external"]
    {
        git_in(&work, &["config", key, &touch]);
    }
    let ran = place.packd(&["pack", "check", "doc"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("src/numbers.rs") && ran.stdout.contains("changed"), "{ran:?}");
    assert!(!woke.exists(), "something that the repository names was run");
}
