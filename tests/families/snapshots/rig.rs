//! A work tree, an engine that keeps snapshots of it, and the hooks of a host.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use packd::engine::clock::{RandomIds, SystemClock};
use packd::engine::{Options, Session};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::engine::{TestEngine, session_info};

pub struct Rig {
    pub dir: TempDir,
    pub t: TestEngine,
    pub session: Arc<Session>,
}

pub fn git(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(args).current_dir(dir).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", "a")]);
    command.env("GIT_COMMITTER_EMAIL", "a@b");
    let out = command.output().unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

impl Rig {
    /// A repository with one commit of two files.
    pub fn new() -> Rig {
        let rig = Rig::without_git();
        git(&rig.root(), &["init", "-q", "-b", "main"]);
        rig.write("a.txt", "one\n");
        rig.write("src/b.txt", "two\n");
        rig.write(".gitignore", "ignored/\n");
        git(&rig.root(), &["add", "-A"]);
        git(&rig.root(), &["commit", "-qm", "first"]);
        rig
    }

    pub fn without_git() -> Rig {
        Rig::with(|_| {})
    }

    pub fn with(adjust: impl FnOnce(&mut Options)) -> Rig {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        fs::create_dir(&root).unwrap();
        let home = dir.path().join("home");
        let t = TestEngine::build(|options| {
            options.clock = Arc::new(SystemClock);
            options.ids = Arc::new(RandomIds);
            options.home = Some(home);
            adjust(options);
        });
        let session = t.open(session_info("mcp-1", root.to_str().unwrap()));
        Rig { dir, t, session }
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("work")
    }

    pub fn store(&self) -> PathBuf {
        self.dir.path().join("home/snapshots")
    }

    pub fn write(&self, path: &str, text: &str) {
        let full = self.root().join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, text).unwrap();
    }

    pub fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root().join(path)).ok()
    }

    pub fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub fn admin(&self, method: &str, params: &Value) -> Value {
        self.t.block_on(self.t.engine.admin(&self.session, method, params)).unwrap()
    }

    pub fn hook(&self, phase: &str, session: &str, call: &str) -> Value {
        self.hook_with(phase, session, call, json!({}))
    }

    /// A hook of Claude Code; time enough, unless `more` says otherwise.
    pub fn hook_with(&self, phase: &str, session: &str, call: &str, more: Value) -> Value {
        let mut params = json!({
            "cwd": self.root(), "phase": phase, "session": session, "host": "claude-code", "tool": "Bash",
            "call_id": call, "budget_ms": 60_000,
        });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        self.admin("packd/snapshot", &params)
    }

    /// Waits until everything that was asked for is recorded: a `before` is answered earlier.
    pub fn settled(&self) {
        self.hook("end", "nobody", "none");
    }

    /// What a tool call between its two hooks does.
    pub fn bash(&self, session: &str, call: &str, work: impl FnOnce(&Rig)) -> Value {
        self.hook("before", session, call);
        work(self);
        self.hook("after", session, call)
    }

    pub fn ok(&self, tool: &str, args: Value) -> Value {
        self.t.ok(&self.session, tool, args)
    }

    pub fn err(&self, tool: &str, args: Value) -> Value {
        self.t.err(&self.session, tool, args)
    }

    /// Operations, newest first.
    pub fn ops(&self) -> Vec<Value> {
        self.ok("history_list", json!({}))["operations"].as_array().unwrap().clone()
    }

    pub fn summaries(&self) -> Vec<String> {
        self.ops().iter().map(|op| op["summary"].as_str().unwrap().to_string()).collect()
    }

    /// Every file and link of the tree, with its mode and content.
    pub fn disk(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let mut out = Vec::new();
        let mut open = vec![self.root()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let meta = fs::symlink_metadata(&path).unwrap();
                if meta.is_dir() {
                    if path.file_name().unwrap() != ".git" {
                        open.push(path);
                    }
                    continue;
                }
                let bytes = match meta.is_symlink() {
                    true => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                    false => fs::read(&path).unwrap(),
                };
                out.push((path, meta.permissions().mode(), bytes));
            }
        }
        out.sort();
        out
    }
}
