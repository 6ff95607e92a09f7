//! A workspace with real git repositories and file remotes in a temporary directory, and an engine around it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use packd::core::SessionInfo;
use packd::engine::Session;
use packd::engine::clock::RandomIds;
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, options, session_info};

pub struct Rig {
    pub t: TestEngine,
    pub session: Arc<Session>,
    pub dir: tempfile::TempDir,
}

pub fn git(home: &Path, cwd: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(args)
        .current_dir(cwd)
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "git {args:?} in {}: {}",
        cwd.display(),
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout).trim().to_string()
}

impl Rig {
    /// Ecosystem `demo` with the repositories `api` and `web` (bare remotes below `remotes/`), mode execute.
    pub fn new() -> Rig {
        let rig = Rig::silent();
        rig.ok("amof_set_mode", json!({"mode": "execute"}));
        rig
    }

    /// The same, with no mode said.
    pub fn silent() -> Rig {
        Rig::with(|_| {})
    }

    /// The same with other options; the trash is beside the workspace.
    pub fn with(adjust: impl FnOnce(&mut packd::engine::Options)) -> Rig {
        let dir = tempfile::tempdir().unwrap();
        let trash = dir.path().canonicalize().unwrap().join("trash");
        let t = TestEngine::build(|options| {
            options.trash = Some(trash);
            adjust(options);
        });
        Rig::inside(t, dir)
    }

    pub fn on(t: TestEngine) -> Rig {
        Rig::inside(t, tempfile::tempdir().unwrap())
    }

    fn inside(t: TestEngine, dir: tempfile::TempDir) -> Rig {
        let base = dir.path().canonicalize().unwrap();
        let home = base.join("home");
        std::fs::create_dir_all(&home).unwrap();
        let config = "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n";
        std::fs::write(home.join(".gitconfig"), config).unwrap();
        let session = t.open(info("one", &base));
        let rig = Rig { t, session, dir };
        for name in ["api", "web"] {
            rig.remote(name);
        }
        let root = rig.root();
        std::fs::create_dir_all(&root).unwrap();
        rig.git(&root, &["init", "-q"]);
        rig.write("ecosystems/demo/ecosystem.yaml", &rig.manifest());
        rig.write("CHANGELOG.md", "# Changelog\n");
        let script = "#!/bin/sh\necho \"$1 $2\"\necho 'warning: careful' >&2\n";
        rig.write("provisioners/local/spin.sh", script);
        rig.commit(&root, "Begin");
        rig
    }

    fn manifest(&self) -> String {
        let url = |name: &str| format!("file://{}", self.base().join("remotes").join(name).display());
        format!(
            "name: demo\nprovisioner: local\nrepos:\n  - {{name: api, url: '{}', branch: main}}\n  - {{name: web, url: '{}', branch: main}}\n",
            url("api"),
            url("web")
        )
    }

    /// A rig whose store is a file, so that the daemon can be restarted; ids are random, as they really are.
    pub fn on_file(file: &Path) -> Rig {
        let rig = Rig::on(engine_on(file));
        rig.ok("amof_set_mode", json!({"mode": "execute"}));
        rig
    }

    /// Stops the daemon and starts another on the same file; the session comes back.
    pub fn restarted(self, file: &Path) -> Rig {
        let Rig { t, session, dir } = self;
        t.engine.stop();
        drop((t, session));
        let t = engine_on(file);
        let session = t.open(info("one", &dir.path().canonicalize().unwrap()));
        Rig { t, session, dir }
    }

    pub fn base(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub fn root(&self) -> PathBuf {
        self.base().join("work")
    }

    pub fn checkout(&self, repo: &str) -> PathBuf {
        self.root().join("worktrees/demo/repos").join(repo)
    }

    pub fn remote_dir(&self, name: &str) -> PathBuf {
        self.base().join("remotes").join(name)
    }

    pub fn git(&self, cwd: &Path, args: &[&str]) -> String {
        git(&self.base().join("home"), cwd, args)
    }

    pub fn commit(&self, repo: &Path, message: &str) -> String {
        self.git(repo, &["add", "-A"]);
        self.git(repo, &["commit", "-q", "--allow-empty", "-m", message]);
        self.git(repo, &["rev-parse", "HEAD"])
    }

    /// A bare repository with one commit.
    fn remote(&self, name: &str) {
        let bare = self.remote_dir(name);
        std::fs::create_dir_all(&bare).unwrap();
        self.git(&bare, &["init", "-q", "--bare"]);
        let seed = self.base().join("seed");
        self.git(&self.base(), &["clone", "-q", bare.to_str().unwrap(), seed.to_str().unwrap()]);
        std::fs::write(seed.join("README.md"), name).unwrap();
        self.commit(&seed, "First");
        self.git(&seed, &["push", "-q", "origin", "HEAD:main"]);
        std::fs::remove_dir_all(seed).unwrap();
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn ok(&self, tool: &str, args: Value) -> Value {
        self.t.ok(&self.session, tool, args)
    }

    /// The `error` object of a call that must fail.
    pub fn err(&self, tool: &str, args: Value) -> Value {
        self.t.err(&self.session, tool, args)["error"].clone()
    }

    pub fn code(&self, tool: &str, args: Value) -> String {
        self.err(tool, args)["code"].as_str().unwrap().to_string()
    }

    /// Stages a dangerous call and returns its token.
    pub fn token(&self, tool: &str, args: Value) -> String {
        let staged = self.ok(tool, args);
        assert_eq!(staged["status"], "confirmation_required", "{staged}");
        staged["confirmation"]["token"].as_str().unwrap().to_string()
    }

    /// Stages, confirms and waits; returns how the run ended.
    pub fn done(&self, tool: &str, args: Value) -> Value {
        let token = self.token(tool, args);
        let typed = json!({"token": token, "typed_value": "demo"});
        let run = self.ok("amof_confirm", typed)["run_id"].clone();
        self.ended(&run)
    }

    /// Runs without confirmation and waits.
    pub fn ran(&self, tool: &str, args: Value) -> Value {
        let run = self.ok(tool, args)["run_id"].clone();
        self.ended(&run)
    }

    pub fn ended(&self, run: &Value) -> Value {
        self.wait();
        self.ok("amof_get_run_status", json!({"run_id": run}))
    }

    pub fn wait(&self) {
        assert!(self.t.engine.wait_for_runs(Duration::from_secs(60)), "a run did not end");
    }

    pub fn install(&self) {
        let run = self.done("amof_install_ecosystem", json!({"ecosystem": "demo"}));
        assert_eq!(run["status"], "success", "{run} {}", self.log(&run["run_id"]));
    }

    pub fn log(&self, run: &Value) -> String {
        let lines = self.ok("amof_get_run_logs", json!({"run_id": run, "tail": 500}));
        let lines = lines["lines"].as_array().unwrap();
        lines.iter().map(|l| l["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }

    /// Another session in the same workspace.
    pub fn other(&self, id: &str, adjust: impl FnOnce(&mut SessionInfo)) -> Arc<Session> {
        let mut info = info(id, &self.base());
        adjust(&mut info);
        self.t.open(info)
    }
}

fn engine_on(file: &Path) -> TestEngine {
    let (options, clock) = options(|o| {
        o.ids = Arc::new(RandomIds);
        o.trash = Some(file.with_file_name("trash"));
    });
    let store = crate::common::engine::open(file, || options.catalog()).unwrap();
    TestEngine::start(store, options, clock)
}

/// Short time-outs, so that a remote that hangs does not hang the tests.
pub fn info(id: &str, base: &Path) -> SessionInfo {
    let mut info = session_info(id, base.join("work").to_str().unwrap());
    info.home = base.join("home");
    info.env.insert("PACKD_GIT_TIMEOUT".into(), "2".into());
    info
}
