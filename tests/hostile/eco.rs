//! An ecosystem of real repositories that the real daemon looks after, driven through one editor's session.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::real::{DEADLINE, Place, Process};

pub struct Eco {
    pub place: Place,
    shim: Process,
    id: u64,
}

/// Git as the user runs it.
pub fn git(home: &Path, cwd: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(args)
        .current_dir(cwd)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "git {args:?} in {}: {said}", cwd.display());
    String::from_utf8_lossy(&out.stdout).trim_end().to_string()
}

impl Eco {
    /// Ecosystem `demo` with the clones `api` and `web`, installed, mode execute.
    pub fn installed() -> Eco {
        Eco::at(Place::new())
    }

    /// The same around a daemon that runs already, or is started by the first call.
    pub fn at(place: Place) -> Eco {
        let home = place.path().to_path_buf();
        let config = "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n";
        fs::write(home.join(".gitconfig"), config).unwrap();
        let root = place.work();
        let mut manifest = String::from("name: demo\nprovisioner: local\nrepos:\n");
        for name in ["api", "web"] {
            let (bare, seed) = (home.join("remotes").join(name), home.join("seed"));
            fs::create_dir_all(&bare).unwrap();
            git(&home, &bare, &["init", "-q", "--bare"]);
            git(&home, &home, &["clone", "-q", bare.to_str().unwrap(), seed.to_str().unwrap()]);
            fs::write(seed.join("README.md"), name).unwrap();
            fs::write(seed.join(".gitignore"), "*.local\nbuild/\n").unwrap();
            git(&home, &seed, &["add", "-A"]);
            git(&home, &seed, &["commit", "-q", "-m", "First"]);
            git(&home, &seed, &["push", "-q", "origin", "HEAD:main"]);
            fs::remove_dir_all(seed).unwrap();
            let url = format!("file://{}", bare.display());
            manifest += &format!("  - {{name: {name}, url: '{url}', branch: main}}\n");
        }
        git(&home, &root, &["init", "-q"]);
        for (path, text) in [
            ("ecosystems/demo/ecosystem.yaml", manifest.as_str()),
            ("provisioners/local/spin.sh", "#!/bin/sh\necho \"$1\"\n"),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        git(&home, &root, &["add", "-A"]);
        git(&home, &root, &["commit", "-q", "-m", "Begin"]);
        let mut shim = place.shim();
        shim.initialize();
        let mut eco = Eco { place, shim, id: 0 };
        eco.ok("amof_set_mode", json!({"mode": "execute"}));
        let run = eco.done("amof_install_ecosystem", json!({"ecosystem": "demo"}));
        assert_eq!(run["status"], "success", "{run}");
        eco
    }

    pub fn root(&self) -> PathBuf {
        self.place.work()
    }

    pub fn workspace(&self) -> PathBuf {
        self.root().join("worktrees/demo")
    }

    pub fn clone(&self, repo: &str) -> PathBuf {
        self.workspace().join("repos").join(repo)
    }

    pub fn git(&self, cwd: &Path, args: &[&str]) -> String {
        git(self.place.path(), cwd, args)
    }

    /// A new file, committed; gives the commit.
    pub fn commit(&self, cwd: &Path, message: &str) -> String {
        fs::write(cwd.join(message.replace(' ', "-")), message).unwrap();
        self.git(cwd, &["add", "-A"]);
        self.git(cwd, &["commit", "-q", "-m", message]);
        self.git(cwd, &["rev-parse", "HEAD"])
    }

    pub fn call(&mut self, tool: &str, args: Value) -> (bool, Value) {
        self.id += 1;
        let id = self.id;
        let params = json!({"name": tool, "arguments": args});
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        self.shim.send(&request);
        loop {
            let reply = self.shim.reply();
            if reply["id"] == json!(id) {
                let result = &reply["result"];
                assert!(result.is_object(), "{tool}: {reply}");
                let body = match result["structuredContent"].clone() {
                    Value::Null => result["content"][0]["text"].clone(),
                    body => body,
                };
                return (result["isError"] == json!(true), body);
            }
        }
    }

    pub fn ok(&mut self, tool: &str, args: Value) -> Value {
        let (failed, body) = self.call(tool, args.clone());
        assert!(!failed, "{tool} {args}: {body}");
        body
    }

    /// Everything a refusal says.
    pub fn refused(&mut self, tool: &str, args: Value) -> String {
        let (failed, body) = self.call(tool, args.clone());
        assert!(failed, "{tool} {args} should have been refused: {body}");
        body.to_string()
    }

    pub fn token(&mut self, tool: &str, args: Value) -> Value {
        let staged = self.ok(tool, args);
        let token = staged["confirmation"]["token"].clone();
        assert!(token.is_string(), "{staged}");
        token
    }

    /// Stages, confirms and waits; how the run ended.
    pub fn done(&mut self, tool: &str, args: Value) -> Value {
        let token = self.token(tool, args);
        self.confirmed(&token)
    }

    pub fn confirmed(&mut self, token: &Value) -> Value {
        let run = self.ok("amof_confirm", json!({"token": token, "typed_value": "demo"}))["run_id"].clone();
        self.ended(&run)
    }

    pub fn ended(&mut self, run: &Value) -> Value {
        let by = std::time::Instant::now() + DEADLINE;
        loop {
            let status = self.ok("amof_get_run_status", json!({"run_id": run, "wait_seconds": 20}));
            if !matches!(status["status"].as_str(), Some("queued" | "running")) {
                return status;
            }
            assert!(std::time::Instant::now() < by, "a run did not end: {status}");
        }
    }

    pub fn success(&mut self, tool: &str, args: Value) {
        let run = self.done(tool, args);
        if run["status"] != "success" {
            let log = self.ok("amof_get_run_logs", json!({"run_id": run["run_id"], "tail": 100}));
            panic!("{tool}: {run} {log}");
        }
    }

    /// The editor goes away; otherwise its shim would start a daemon as soon as there is none.
    pub fn leave(&mut self) {
        self.shim.close_stdin();
        self.shim.wait();
    }

    pub fn trash(&self) -> Vec<Value> {
        let listed = self.place.packd(&["trash", "--json"]).json();
        listed["entries"].as_array().unwrap().clone()
    }

    /// The newest operation's id.
    pub fn newest(&mut self) -> Value {
        self.ok("history_list", json!({"limit": 1}))["operations"][0]["operation_id"].clone()
    }
}
