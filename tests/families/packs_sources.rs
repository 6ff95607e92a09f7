//! What the tests of rendering share: a session in a directory of source files, and a watch on what is opened.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use packd::core::world::{Command, FileKind, Output, ReadError, Stat};
use packd::core::{Result, World};
use packd::engine::Session;
use packd::engine::disk::Disk;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::engine::{TestEngine, session_info};

/// The real disk, noting every file that is opened.
pub struct Watched(pub Mutex<Vec<PathBuf>>);

impl World for Watched {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        self.0.lock().unwrap().push(path.to_path_buf());
        Disk.read(path, limit)
    }
    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        self.0.lock().unwrap().push(path.to_path_buf());
        Disk.load(path, limit)
    }
    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        Disk.stat(path)
    }
    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        Disk.list(dir)
    }
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        Disk.canonical(path)
    }
    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        Disk.read_link(path)
    }
    fn run(&self, command: &Command) -> Result<Output> {
        Disk.run(command)
    }
    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        Disk.fetch(url, limit)
    }
    fn host_name(&self) -> String {
        Disk.host_name()
    }
}

pub struct Sources {
    pub engine: TestEngine,
    pub session: Arc<Session>,
    pub world: Arc<Watched>,
    pub dir: TempDir,
}

impl Sources {
    pub fn new() -> Self {
        let world = Arc::new(Watched(Mutex::default()));
        let engine = TestEngine::with_world(world.clone());
        let dir = tempfile::tempdir().unwrap();
        let mut info = session_info("s1", "/w");
        info.cwd = dir.path().to_path_buf();
        let session = engine.open(info);
        Sources { engine, session, world, dir }
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn ok(&self, args: Value) -> Value {
        self.engine.ok(&self.session, "input", args)["payload"].clone()
    }

    /// A pack `doc` whose section `main` has these refs: (key, path, start, end).
    pub fn pack(&self, refs: &[(&str, &str, u64, u64)]) {
        self.ok(json!({"action": "create", "name": "doc", "ttl_minutes": 60}));
        self.ok(json!({"action": "upsert_section", "name": "doc", "expected_revision": 1, "section_key": "main", "section_title": "Main"}));
        for (i, (key, path, start, end)) in refs.iter().enumerate() {
            self.ok(json!({"action": "upsert_ref", "name": "doc", "expected_revision": i + 2, "section_key": "main",
                           "ref_key": key, "path": path, "line_start": start, "line_end": end}));
        }
    }

    pub fn render(&self, args: Value) -> String {
        let reply = self.engine.call(&self.session, "output", args);
        assert!(!reply.is_error, "{}", reply.text);
        assert_eq!(reply.structured, None, "output is Markdown alone");
        reply.text
    }

    pub fn err(&self, tool: &str, args: Value) -> String {
        let e = self.engine.err(&self.session, tool, args);
        format!("{}: {}", e["code"].as_str().unwrap(), e["message"].as_str().unwrap())
    }

    /// What stands for the code of each ref of the pack, in order.
    pub fn stale(&self) -> Vec<String> {
        let text = self.render(json!({"name": "doc"}));
        let line = |l: &str| l.strip_prefix("> stale ref: ").map(str::to_string);
        text.lines().filter_map(line).collect()
    }
}
