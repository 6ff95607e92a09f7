//! What the tests of rendering share: a session in a directory of source files, and a watch on what is read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use packd::engine::Session;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::engine::{TestEngine, session_info};
use crate::common::world::WatchedWorld;

pub struct Sources {
    pub engine: TestEngine,
    pub session: Arc<Session>,
    /// Every file that was read.
    pub read: Arc<Mutex<Vec<PathBuf>>>,
    pub dir: TempDir,
}

impl Sources {
    pub fn new() -> Self {
        let (world, read) = WatchedWorld::noting();
        let engine = TestEngine::with_world(Arc::new(world));
        let dir = tempfile::tempdir().unwrap();
        let mut info = session_info("s1", "/w");
        info.cwd = dir.path().to_path_buf();
        let session = engine.open(info);
        Sources { engine, session, read, dir }
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

    /// The id of the pack `doc`.
    pub fn id(&self) -> String {
        self.ok(json!({"action": "get", "name": "doc"}))["id"].as_str().unwrap().to_string()
    }

    pub fn render(&self, args: Value) -> String {
        let reply = self.engine.call(&self.session, "output", args);
        assert!(!reply.is_error, "{}", reply.text);
        // Verdicts come beside the same Markdown, and only where there is something to say.
        if let Some(more) = &reply.structured {
            assert_eq!(more["markdown"], reply.text);
            assert!(reply.text.contains("\n- refs: "), "{}", reply.text);
        }
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
