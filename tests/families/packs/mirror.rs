//! A declared pack root is a live two-way mirror: files follow the store, hand edits follow into the store.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use packd::core::Draft;
use packd::engine::Session;
use packd::families::packs::{mirror, rows};
use packd::store::{Job, Writer};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::engine::{TestEngine, options, session_info};

struct Rig {
    engine: TestEngine,
    session: Arc<Session>,
    /// Holds the daemon's home `home` and the pack root `root`; the root does not exist yet.
    dir: TempDir,
}

impl Rig {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("home")).unwrap();
        Self::open(dir)
    }

    fn open(dir: TempDir) -> Self {
        let (options, clock) = options(|_| {});
        let store =
            crate::common::engine::open(&dir.path().join("home/packd.redb"), || options.catalog()).unwrap();
        let engine = TestEngine::start(store, options, clock);
        let mut info = session_info("s1", "/w");
        info.cwd = dir.path().to_path_buf();
        info.env.insert("CONTEXT_PACK_ROOT".into(), "root".into());
        let session = engine.open(info);
        Rig { engine, session, dir }
    }

    /// Ends the daemon and starts another on the same store.
    fn restart(self) -> Self {
        let Rig { engine, session, dir } = self;
        engine.engine.stop();
        drop((session, engine));
        Self::open(dir)
    }

    /// As [`restart`](Self::restart), after a crash that cost the note of how the last file was written: the
    /// pack and its file are only known to have agreed on an earlier state.
    fn crash(self, id: &str, agreed: u64) -> Self {
        let space = rows::space_of_root(&self.dir.path().join("root"));
        let key = rows::pack_key(&space, id);
        let Rig { engine, session, dir } = self;
        engine.engine.stop();
        drop((session, engine));
        let store =
            crate::common::engine::open(&dir.path().join("home/packd.redb"), || options(|_| {}).0.catalog())
                .unwrap();
        let writer = Writer::start(&store, |e| panic!("{e}"));
        let job: Job = Box::new(move |batch| {
            let batch = batch.unwrap();
            let view = batch.view();
            let mut draft = Draft::new(&view);
            draft.put(mirror::SYNCED, &key, &agreed).unwrap();
            batch.apply_quietly(&mut draft.into_outcome()).unwrap();
            Box::new(|settled| settled.unwrap())
        });
        writer.submit(job).unwrap();
        writer.stop();
        drop((writer, store));
        Self::open(dir)
    }

    fn ok(&self, args: Value) -> Value {
        self.engine.ok(&self.session, "input", args)["payload"].clone()
    }

    fn err(&self, args: Value) -> (String, String) {
        let e = self.engine.err(&self.session, "input", args);
        (e["code"].as_str().unwrap().to_string(), e["message"].as_str().unwrap().to_string())
    }

    fn create(&self, name: &str) -> String {
        let pack = self.ok(json!({"action": "create", "name": name, "title": "First", "ttl_minutes": 60}));
        pack["id"].as_str().unwrap().to_string()
    }

    fn set_title(&self, id: &str, revision: u64, title: &str) {
        self.ok(json!({"action": "set_meta", "id": id, "expected_revision": revision, "title": title}));
    }

    fn get(&self, id: &str) -> Value {
        self.ok(json!({"action": "get", "id": id}))
    }

    fn packs_dir(&self) -> PathBuf {
        self.dir.path().join("root/packs")
    }

    fn path(&self, id: &str) -> PathBuf {
        self.packs_dir().join(format!("{id}.md"))
    }

    fn text(&self, id: &str) -> String {
        fs::read_to_string(self.path(id)).unwrap()
    }

    /// Replaces a text in the file of a pack, as an editor would.
    fn edit(&self, id: &str, from: &str, to: &str) {
        let old = self.text(id);
        assert!(old.contains(from), "{old}");
        fs::write(self.path(id), old.replace(from, to)).unwrap();
    }

    /// Everything below the root, and what is in the daemon's home besides its database.
    fn listing(&self) -> Vec<String> {
        let mut out = Vec::new();
        for place in ["root", "root/packs", "home"] {
            for entry in fs::read_dir(self.dir.path().join(place)).into_iter().flatten() {
                out.push(format!("{place}/{}", entry.unwrap().file_name().to_string_lossy()));
            }
        }
        let own = |name: &str| name == "home/packd.redb" || name.starts_with("home/journal.");
        out.retain(|name| !own(name) && name != "root/packs");
        out.sort();
        out
    }

    /// Tools of all operations, oldest first, undone ones included.
    fn ops(&self) -> Vec<String> {
        let list = self.engine.ok(&self.session, "history_list", json!({"limit": 100}));
        let ops = list["operations"].as_array().unwrap().iter().rev();
        ops.map(|o| o["tool"].as_str().unwrap().to_string()).collect()
    }

    fn undo(&self) {
        self.engine.ok(&self.session, "history_undo", json!({}));
    }
}

#[test]
fn nothing_is_there_before_the_first_write_and_nothing_but_packs_after_it() {
    let b = Rig::new();
    assert_eq!(b.ok(json!({}))["total"], 0);
    assert!(!b.dir.path().join("root").exists());
    let id = b.create("mirrored");
    assert_eq!(b.listing(), [format!("root/packs/{id}.md")]);
    let exported = b.ok(json!({"action": "export", "id": id}))["document"].clone();
    assert_eq!(json!(b.text(&id)), exported);
    b.set_title(&id, 1, "Second");
    assert!(b.text(&id).contains("title: Second\n") && b.text(&id).contains("revision: 2\n"));
    assert_eq!(b.listing(), [format!("root/packs/{id}.md")]);
    b.ok(json!({"action": "delete", "id": id, "expected_revision": 2}));
    assert_eq!(b.listing(), Vec::<String>::new());
    assert_eq!(b.ops(), ["input"; 3], "packd's own files are not hand edits");
}

#[test]
fn undo_redo_and_purge_reach_the_files() {
    let b = Rig::new();
    let id = b.create("mirrored");
    b.set_title(&id, 1, "Second");
    b.undo();
    assert!(b.text(&id).contains("title: First\n") && b.text(&id).contains("revision: 3\n"));
    b.engine.ok(&b.session, "history_redo", json!({}));
    assert!(b.text(&id).contains("title: Second\n"));
    b.engine.clock.advance(3600);
    b.engine.block_on(b.engine.engine.sweep()).unwrap();
    assert!(!b.path(&id).exists());
    b.undo();
    assert!(b.text(&id).contains("title: Second\n"));
}

#[test]
fn an_edit_by_hand_is_an_operation_of_its_own_from_the_next_call_on() {
    let b = Rig::new();
    let id = b.create("mirrored");
    b.edit(&id, "title: First", "title: By hand   # with a comment");
    let pack = b.get(&id);
    assert_eq!((&pack["title"], &pack["revision"]), (&json!("By hand"), &json!(2)));
    assert_eq!(b.ops(), ["input", "packs_mirror"]);
    assert!(b.text(&id).contains("# with a comment"), "the file stays as its author wrote it");
    // Formatting alone changes nothing.
    b.edit(&id, "   # with a comment", "");
    assert_eq!(b.get(&id)["revision"], 2);
    b.undo();
    assert!(b.text(&id).contains("title: First\n"));
    assert_eq!(b.get(&id)["title"], "First");
    // The tool that reads it first may as well be the one that renders.
    b.edit(&id, "title: First", "title: Again");
    let text = b.engine.call(&b.session, "output", json!({"id": id})).text;
    assert!(text.contains("# Context pack: Again\n"), "{text}");
}

#[test]
fn a_file_put_back_to_an_older_state_is_a_hand_edit_too() {
    let b = Rig::new();
    let id = b.create("mirrored");
    let first = b.text(&id);
    b.set_title(&id, 1, "Second");
    fs::write(b.path(&id), &first).unwrap();
    assert_eq!(b.get(&id)["title"], "First");
    assert_eq!(b.ops(), ["input", "input", "packs_mirror"]);
}

#[test]
fn a_file_added_by_hand_is_a_pack_under_its_file_name() {
    let b = Rig::new();
    let id = b.create("original");
    let text = b.text(&id).replace("name: original", "name: copy").replace("revision: 1", "revision: 41");
    fs::write(b.path("pk_handmade"), text).unwrap();
    let list = b.ok(json!({"query": "copy"}));
    assert_eq!((&list["packs"][0]["id"], &list["packs"][0]["revision"]), (&json!("pk_handmade"), &json!(41)));
    b.undo();
    assert!(!b.path("pk_handmade").exists());
    b.engine.ok(&b.session, "history_redo", json!({}));
    assert!(b.text("pk_handmade").contains("id: pk_handmade\n"));
    // Two live packs may share a name this way; a name that is not clear is refused.
    b.edit("pk_handmade", "name: copy", "name: original");
    let (code, message) = b.err(json!({"action": "get", "name": "original"}));
    assert_eq!(code, "conflict");
    assert!(message.contains(&id) && message.contains("pk_handmade"), "{message}");
}

#[test]
fn a_file_removed_by_hand_removes_the_pack_until_undo() {
    let b = Rig::new();
    let id = b.create("mirrored");
    fs::remove_file(b.path(&id)).unwrap();
    assert_eq!(b.ok(json!({}))["total"], 0);
    assert_eq!(b.ops(), ["input", "packs_mirror"]);
    b.undo();
    assert!(b.path(&id).exists());
    assert_eq!(b.get(&id)["name"], "mirrored");
    fs::remove_dir_all(b.dir.path().join("root")).unwrap();
    assert_eq!(b.ok(json!({}))["total"], 0);
    b.create("anew");
    assert_eq!(b.listing().len(), 1, "a root that was deleted is made again");
}

#[test]
fn a_damaged_file_fails_lists_closed_and_leaves_other_packs_reachable() {
    let b = Rig::new();
    let (good, bad) = (b.create("good"), b.create("damaged"));
    let text = b.text(&bad);
    fs::write(b.path(&bad), "no pack at all").unwrap();
    for args in [json!({}), json!({"action": "list", "query": "good"})] {
        let (code, message) = b.err(args);
        assert_eq!(code, "io_error");
        assert!(message.contains(&b.path(&bad).display().to_string()), "{message}");
    }
    assert!(b.engine.call(&b.session, "output", json!({})).is_error);
    assert_eq!(b.get(&good)["name"], "good");
    b.set_title(&good, 1, "Still works");
    assert_eq!(b.err(json!({"action": "get", "id": bad})).0, "io_error");
    let (code, _) =
        b.err(json!({"action": "set_meta", "name": "damaged", "expected_revision": 1, "title": "x"}));
    assert_eq!(code, "io_error");
    assert_eq!(b.text(&bad), "no pack at all", "what somebody is working on is not overwritten");
    fs::write(b.path(&bad), text.replace("schema_version: 2", "schema_version: 3")).unwrap();
    let (code, message) = b.err(json!({}));
    assert_eq!(code, "migration_required");
    assert!(message.contains(&b.path(&bad).display().to_string()), "{message}");
    fs::write(b.path(&bad), text.replace("title: First", "title: Repaired")).unwrap();
    assert_eq!(b.ok(json!({}))["total"], 2);
    assert_eq!(b.get(&bad)["title"], "Repaired");
}

#[test]
fn a_damaged_file_that_was_damaged_all_along_can_be_removed() {
    let b = Rig::new();
    let id = b.create("damaged");
    fs::write(b.path(&id), "").unwrap();
    let b = b.restart();
    assert_eq!(b.err(json!({})).0, "io_error");
    fs::remove_file(b.path(&id)).unwrap();
    assert_eq!(b.ok(json!({}))["total"], 0);
}

#[test]
fn other_files_in_the_directory_are_tolerated_unless_they_pose_as_packs() {
    let b = Rig::new();
    let id = b.create("mirrored");
    for name in [".create.lock", &format!("{id}.lock"), &format!("{id}.tmp"), "notes.txt"] {
        fs::write(b.packs_dir().join(name), "x").unwrap();
    }
    assert_eq!(b.ok(json!({}))["total"], 1);
    fs::write(b.packs_dir().join("README.md"), "# Packs\n").unwrap();
    assert!(b.err(json!({})).1.contains("README.md"));
    assert_eq!(b.get(&id)["name"], "mirrored");
    fs::remove_file(b.packs_dir().join("README.md")).unwrap();
    fs::create_dir(b.path("pk_dirdirdi")).unwrap();
    assert!(b.err(json!({})).1.contains("not a regular file"));
}

#[test]
fn what_changed_while_no_daemon_ran_is_taken_in_by_the_first_call() {
    let b = Rig::new();
    let (same, edited, removed) = (b.create("same"), b.create("edited"), b.create("removed"));
    b.edit(&edited, "title: First", "title: Offline");
    fs::remove_file(b.path(&removed)).unwrap();
    fs::write(b.path("pk_addedadd"), b.text(&same).replace("name: same", "name: added")).unwrap();
    let b = b.restart();
    assert_eq!(b.ok(json!({}))["total"], 3);
    assert_eq!(b.get(&edited)["title"], "Offline");
    assert_eq!(b.get(&same)["revision"], 1);
    assert_eq!(b.ops().iter().filter(|t| *t == "packs_mirror").count(), 3);
    let b = b.restart();
    assert_eq!(b.ok(json!({}))["total"], 3);
    assert_eq!(b.ops().len(), 6, "nothing changed: nothing to take in");
}

/// A daemon that dies between a commit and the file leaves the file one state behind. Taking that for a hand
/// edit would silently undo the last change.
#[test]
fn a_crash_between_commit_and_file_is_repaired_from_the_store() {
    // An edit whose file was not written.
    let b = Rig::new();
    let id = b.create("mirrored");
    let first = b.text(&id);
    b.set_title(&id, 1, "Second");
    fs::write(b.path(&id), &first).unwrap();
    let b = b.crash(&id, 2);
    assert_eq!(b.get(&id)["title"], "Second");
    assert!(b.text(&id).contains("title: Second\n"));
    assert_eq!(b.ops(), ["input"; 2]);
    // An undo whose file was not written.
    let second = b.text(&id);
    b.undo();
    fs::write(b.path(&id), &second).unwrap();
    let b = b.crash(&id, 4);
    assert_eq!(b.get(&id)["title"], "First");
    assert!(b.text(&id).contains("title: First\n"));
    // A deletion whose file was not removed.
    let last = b.text(&id);
    b.ok(json!({"action": "delete", "id": id, "expected_revision": 3}));
    fs::write(b.path(&id), &last).unwrap();
    let b = b.crash(&id, 6);
    assert_eq!(b.ok(json!({}))["total"], 0);
    assert!(!b.path(&id).exists());
    // A new pack whose file was not written.
    let new = b.create("new");
    fs::remove_file(b.path(&new)).unwrap();
    let b = b.crash(&new, 0);
    assert_eq!(b.get(&new)["title"], "First");
    assert!(b.path(&new).exists());
    assert!(b.ops().iter().all(|tool| tool != "packs_mirror"), "{:?}", b.ops());
}

#[test]
fn sessions_of_other_workspaces_share_the_root_and_keep_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let b = Rig::new();
    let id = b.create("shared");
    fs::set_permissions(b.path(&id), fs::Permissions::from_mode(0o640)).unwrap();
    let mut info = session_info("s2", "/other");
    info.cwd = b.dir.path().join("elsewhere");
    let root = b.dir.path().join("./root/");
    info.env.insert("CONTEXT_PACK_ROOT".into(), root.display().to_string());
    let other = b.engine.open(info);
    let args = json!({"action": "set_meta", "name": "shared", "expected_revision": 1, "title": "Theirs"});
    b.engine.ok(&other, "input", args);
    assert_eq!(b.get(&id)["title"], "Theirs");
    assert_eq!(fs::metadata(b.path(&id)).unwrap().permissions().mode() & 0o777, 0o640);
    let plain = b.engine.session("s3", "/w");
    assert_eq!(b.engine.ok(&plain, "input", json!({}))["payload"]["total"], 0);
}
