//! The contract's default root: where a project has `.agents/mcp/context_pack`, its packs are the files there.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use packd::engine::Session;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::engine::{TestEngine, session_info};

struct Project {
    t: TestEngine,
    session: Arc<Session>,
    dir: TempDir,
}

impl Project {
    /// A project without the directory.
    fn new() -> Project {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("work")).unwrap();
        let t = TestEngine::new();
        let workspace = dir.path().join("work").canonicalize().unwrap();
        let mut info = session_info("s1", workspace.to_str().unwrap());
        info.cwd = workspace;
        let session = t.open(info);
        Project { t, session, dir }
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work").canonicalize().unwrap()
    }

    fn root(&self) -> PathBuf {
        self.work().join(".agents/mcp/context_pack")
    }

    fn file(&self, id: &str) -> PathBuf {
        self.root().join("packs").join(format!("{id}.md"))
    }

    fn input(&self, args: Value) -> Value {
        self.t.ok(&self.session, "input", args)["payload"].clone()
    }

    fn create(&self, name: &str) -> String {
        let args = json!({"action": "create", "name": name, "title": "First", "ttl_minutes": 60});
        self.input(args)["id"].as_str().unwrap().to_string()
    }

    fn names(&self) -> Vec<String> {
        let list = self.input(json!({"action": "list"}));
        let packs = list["packs"].as_array().unwrap();
        packs.iter().map(|p| p["name"].as_str().unwrap().to_string()).collect()
    }
}

#[test]
fn the_directory_is_never_made_and_packs_from_before_it_came_are_written_to_it() {
    let p = Project::new();
    let id = p.create("early");
    assert!(!p.work().join(".agents").exists());
    fs::create_dir_all(p.root()).unwrap();
    assert_eq!(p.names(), ["early"], "a directory does not hide what is stored");
    assert!(fs::read_to_string(p.file(&id)).unwrap().contains("title: First\n"));
    let late = p.create("later");
    assert!(p.file(&late).is_file());
    fs::remove_dir_all(p.work().join(".agents")).unwrap();
    assert_eq!(p.names().len(), 2, "a directory that goes takes nothing along");
    p.create("third");
    assert!(!p.work().join(".agents").exists());
}

#[test]
fn files_and_store_follow_each_other() {
    let p = Project::new();
    fs::create_dir_all(p.root()).unwrap();
    let id = p.create("shared");
    let text = fs::read_to_string(p.file(&id)).unwrap();
    let other = Project::new();
    fs::create_dir_all(other.root().join("packs")).unwrap();
    fs::write(other.file(&id), text.replace("title: First", "title: yes")).unwrap();
    assert_eq!(other.names(), ["shared"], "what a colleague committed is seen");
    assert_eq!(other.input(json!({"action": "get", "id": id}))["title"], "yes");
    other.input(json!({"action": "set_meta", "id": id, "expected_revision": 1, "title": "Back"}));
    assert!(fs::read_to_string(other.file(&id)).unwrap().contains("title: Back\n"));
    other.t.ok(&other.session, "history_undo", json!({}));
    assert!(fs::read_to_string(other.file(&id)).unwrap().contains("title: \"yes\"\n"));
    fs::remove_file(other.file(&id)).unwrap();
    assert_eq!(other.names(), Vec::<String>::new());
}

#[test]
fn a_link_out_of_the_workspace_is_ignored() {
    for link in [".agents", ".agents/mcp", ".agents/mcp/context_pack", ".agents/mcp/context_pack/packs"] {
        let p = Project::new();
        let outside = p.dir.path().join("outside");
        let rest = ".agents/mcp/context_pack/packs".strip_prefix(link).unwrap().trim_start_matches('/');
        fs::create_dir_all(outside.join(rest)).unwrap();
        fs::write(outside.join(rest).join("pk_aaaaaaaa.md"), "not a pack").unwrap();
        fs::create_dir_all(p.work().join(link).parent().unwrap()).unwrap();
        symlink(&outside, p.work().join(link)).unwrap();
        p.create("inside");
        assert_eq!(p.names(), ["inside"], "{link}");
        assert_eq!(fs::read_dir(outside.join(rest)).unwrap().count(), 1, "nothing is written through {link}");
    }
    let p = Project::new();
    fs::create_dir_all(p.root().join("packs")).unwrap();
    fs::write(p.dir.path().join("secret"), "key").unwrap();
    symlink(p.dir.path().join("secret"), p.file("pk_aaaaaaaa")).unwrap();
    assert_eq!(p.names(), Vec::<String>::new());
    assert_eq!(fs::read_to_string(p.dir.path().join("secret")).unwrap(), "key");
    // Fail closed all the same for what is the project's own.
    fs::write(p.file("pk_bbbbbbbb"), "not a pack").unwrap();
    let refused = p.t.err(&p.session, "input", json!({"action": "list"}));
    assert_eq!(refused["code"], "io_error");
}

#[test]
fn expiry_hides_a_pack_and_its_file_goes_only_by_a_call_there() {
    let p = Project::new();
    fs::create_dir_all(p.root()).unwrap();
    let id = p.create("fleeting");
    p.t.clock.advance(3600);
    p.t.block_on(p.t.engine.sweep()).unwrap();
    assert!(p.file(&id).is_file(), "nobody works there, so nothing vanishes");
    let mut info = session_info("s2", p.work().to_str().unwrap());
    info.read_only = true;
    let reader = p.t.open(info);
    let listed = p.t.ok(&reader, "input", json!({"action": "list"}));
    assert_eq!(listed["payload"]["packs"], json!([]), "it is hidden");
    assert!(p.file(&id).is_file(), "who may only read removes nothing");
    assert_eq!(p.names(), Vec::<String>::new());
    assert!(!p.file(&id).exists());
    p.t.ok(&p.session, "history_undo", json!({}));
    assert!(p.file(&id).is_file(), "and it can be brought back");
    assert_eq!(p.names(), ["fleeting"]);
}
