//! A home, a project and a config repo in a temporary directory, and the engine that deploys between them.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use packd::core::{Reply, SessionInfo};
use packd::engine::{Options, Session};
use packd::store::Store;
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, options, session_info};

pub const BASE: &str = "# base\nrule one\n";

pub struct Rig {
    // Dropped first: the engine must not outlive its files.
    pub t: TestEngine,
    pub s: Arc<Session>,
    pub root: PathBuf,
    _dir: tempfile::TempDir,
}

/// All targets, one module of every kind.
pub const YAML: &str = "\
version: 1
profiles:
  default: {include_tags: [core]}
  lean: {include_modules: ['instructions:base']}
targets:
  codex: {mode: files, scope: both}
  claude_code: {mode: files, scope: both, options: {write_user_skills: 'yes'}}
  cursor: {mode: files, scope: project}
  vscode: {mode: files, scope: project}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
  - {id: 'instructions:extra', type: instructions, tags: [core], source: {local_path: {path: modules/extra}}}
  - {id: 'skill:tool', type: skill, tags: [core], source: {local_path: {path: modules/tool}}}
  - {id: 'prompt:draft', type: prompt, tags: [core], source: {local_path: {path: modules/draft.md}}}
  - {id: 'command:hello', type: command, tags: [core], source: {local_path: {path: modules/hello.md}}}
";

/// Only Codex in the project: `AGENTS.md` and skills.
pub const SMALL: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
  - {id: 'skill:tool', type: skill, tags: [core], source: {local_path: {path: modules/tool}}}
";

impl Rig {
    pub fn new(yaml: &str) -> Rig {
        Rig::build(yaml, |_| {})
    }

    pub fn build(yaml: &str, adjust: impl FnOnce(&mut Options)) -> Rig {
        let (options, clock) = options(adjust);
        let store = Store::in_memory(options.catalog()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let t = TestEngine::start(store, options, clock);
        let s = t.open(info(&root));
        let rig = Rig { t, s, root, _dir: dir };
        fill(&rig.root, yaml);
        rig
    }

    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }
    pub fn repo(&self) -> PathBuf {
        repo(&self.root)
    }
    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        write(&self.root.join(path), text);
    }
    pub fn repo_file(&self, path: &str, text: &str) {
        write(&self.repo().join(path), text);
    }
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }
    pub fn exists(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }
    pub fn call(&self, tool: &str, args: Value) -> Reply {
        self.t.call(&self.s, tool, args)
    }

    /// The data of a call that must succeed; the envelope is checked on the way.
    pub fn ok(&self, tool: &str, args: Value) -> Value {
        let reply = self.call(tool, args);
        assert!(!reply.is_error, "{tool} failed: {}", reply.text);
        let envelope = reply.structured.unwrap();
        assert_eq!(envelope["ok"], true);
        assert_eq!(envelope["errors"], json!([]));
        envelope["data"].clone()
    }

    pub fn warnings(&self, tool: &str, args: Value) -> Vec<String> {
        let reply = self.call(tool, args);
        assert!(!reply.is_error, "{tool} failed: {}", reply.text);
        serde_json::from_value(reply.structured.unwrap()["warnings"].clone()).unwrap()
    }

    /// The error of a call that must fail.
    pub fn err(&self, tool: &str, args: Value) -> Value {
        let reply = self.call(tool, args);
        assert!(reply.is_error, "{tool} should have failed: {}", reply.text);
        let envelope = reply.structured.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&reply.text).unwrap(), envelope, "text and structure agree");
        assert_eq!(envelope["ok"], false);
        assert_eq!(envelope["data"], json!({}));
        envelope["errors"][0].clone()
    }

    /// Review and apply; the data of the apply.
    pub fn deploy(&self) -> Value {
        self.deploy_with(json!({}))
    }

    pub fn deploy_with(&self, args: Value) -> Value {
        let plan = self.ok("deploy", args.clone());
        self.ok(
            "deploy_apply",
            with(&args, json!({"yes": true, "adopt": true, "confirm_token": plan["confirm_token"]})),
        )
    }

    /// Every regular file below home and project except the config repo: path, content and mode.
    pub fn disk(&self) -> BTreeMap<String, (Vec<u8>, u32)> {
        disk(&self.root)
    }

    pub fn undo(&self) -> Value {
        self.t.ok(&self.s, "history_undo", json!({"yes": true}))
    }
}

pub fn repo(root: &Path) -> PathBuf {
    root.join("home/.agentpack/repo")
}

pub fn info(root: &Path) -> SessionInfo {
    let project = root.join("project");
    let mut info = session_info("s1", project.to_str().unwrap());
    info.home = root.join("home");
    info.env.insert("HOSTNAME".into(), "boxA".into());
    info
}

/// The modules every rig has.
pub fn fill(root: &Path, yaml: &str) {
    std::fs::create_dir_all(root.join("project")).unwrap();
    let repo = repo(root);
    write(&repo.join("agentpack.yaml"), yaml);
    write(&repo.join("modules/base/AGENTS.md"), BASE);
    write(&repo.join("modules/extra/AGENTS.md"), "extra rule");
    write(&repo.join("modules/tool/SKILL.md"), "---\nname: tool\ndescription: does things\n---\n\nUse it.\n");
    write(&repo.join("modules/tool/run.sh"), "#!/bin/sh\necho hi\n");
    chmod(&repo.join("modules/tool/run.sh"), 0o755);
    write(&repo.join("modules/draft.md"), "Draft it.\n");
    write(&repo.join("modules/hello.md"), "---\ndescription: say hello\n---\nHello.\n");
}

pub fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

pub fn with(args: &Value, more: Value) -> Value {
    let mut out = args.clone();
    for (k, v) in more.as_object().unwrap() {
        out[k] = v.clone();
    }
    out
}

pub fn disk(root: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    let mut out = BTreeMap::new();
    let mut queue = vec![root.to_path_buf()];
    while let Some(dir) = queue.pop() {
        for entry in std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap()) {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                if entry.file_name() != ".agentpack" && entry.file_name() != ".git" {
                    queue.push(path);
                }
            } else if kind.is_file() {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                let mode = entry.metadata().unwrap().permissions().mode() & 0o7777;
                out.insert(name, (std::fs::read(&path).unwrap(), mode));
            }
        }
    }
    out
}

/// Runs git in a directory of the rig, with a fixed identity unless told otherwise.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}
