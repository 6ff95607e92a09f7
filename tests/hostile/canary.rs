//! Repositories that name programs wherever git lets them, and programs that tell when they were run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::real::{Place, Process, SHIM};

/// A place whose project is a hostile repository with an ecosystem in it.
pub struct Trap {
    pub place: Place,
    /// Where programs are looked for: decides which git is tried.
    pub path: String,
}

/// Every git of this machine, by the PATH that finds it.
pub fn gits() -> Vec<String> {
    let dirs = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
    let found = dirs.iter().filter(|dir| Path::new(dir).join("git").exists());
    found.map(|dir| format!("{dir}:/usr/bin:/bin")).collect()
}

impl Trap {
    /// `work` is a platform repository with the ecosystem `demo`, whose repository `api` is cloned. Harmless as yet.
    pub fn new(path: &str) -> Trap {
        let trap = Trap { place: Place::new(), path: path.to_string() };
        let config = "[user]\nname = Tester\nemail = t@example.org\n[init]\ndefaultBranch = main\n";
        fs::write(trap.place.path().join(".gitconfig"), config).unwrap();
        fs::create_dir(trap.fired_dir()).unwrap();
        let (work, seed) = (trap.work(), trap.place.path().join("seed"));
        trap.repository(&seed);
        let remote = trap.remote();
        trap.git(trap.place.path(), &["clone", "-q", "--bare", "seed", remote.to_str().unwrap()]);
        trap.repository(&work);
        let manifest = format!(
            "name: demo\nprovisioner: local\nrepos:\n  - {{name: api, url: 'file://{}', branch: main}}\n",
            remote.display()
        );
        trap.write(&work.join("ecosystems/demo/ecosystem.yaml"), &manifest);
        trap.write(&work.join(".gitignore"), "worktrees/\n");
        trap.git(&work, &["add", "-A"]);
        trap.git(&work, &["commit", "-q", "-m", "Begin"]);
        let api = trap.api();
        fs::create_dir_all(api.parent().unwrap()).unwrap();
        trap.git(&work, &["clone", "-q", remote.to_str().unwrap(), api.to_str().unwrap()]);
        trap
    }

    pub fn work(&self) -> PathBuf {
        self.place.work().canonicalize().unwrap()
    }

    pub fn api(&self) -> PathBuf {
        self.work().join("worktrees/demo/repos/api")
    }

    pub fn remote(&self) -> PathBuf {
        self.place.path().join("remote.git")
    }

    fn fired_dir(&self) -> PathBuf {
        self.place.path().join("fired")
    }

    pub fn write(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn git(&self, dir: &Path, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", &self.path).env("HOME", self.place.path());
        let out = command.args(args).current_dir(dir).output().unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().to_string()
    }

    /// A repository with a filtered file and a commit that claims to be signed.
    fn repository(&self, dir: &Path) {
        fs::create_dir_all(dir).unwrap();
        self.git(dir, &["init", "-q"]);
        self.write(&dir.join(".gitattributes"), "*.txt filter=evil diff=evil\nodd filter=a=b.c\n");
        for name in ["a.txt", "odd", "kept.txt"] {
            self.write(&dir.join(name), "content\n");
        }
        self.git(dir, &["add", "-A"]);
        self.git(dir, &["commit", "-q", "-m", "First"]);
        let plain = self.git(dir, &["cat-file", "commit", "HEAD"]);
        let seal = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\n";
        let signed = plain.replacen("\n\n", &format!("\n{seal}"), 1) + "\n";
        let file = self.place.path().join("signed");
        self.write(&file, &signed);
        let id = self.git(dir, &["hash-object", "-t", "commit", "-w", file.to_str().unwrap()]);
        self.git(dir, &["update-ref", "refs/heads/main", &id]);
    }

    /// A program that leaves a mark when it is run, and passes on what it reads.
    pub fn canary(&self, name: &str) -> String {
        let dir = self.place.path().join("canaries");
        let path = dir.join(name);
        let mark = self.fired_dir().join(name);
        self.write(&path, &format!("#!/bin/sh\n: > '{}'\ncat\n", mark.display()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_string()
    }

    /// Makes the repository name a program wherever git would run one, and its files look touched.
    pub fn poison(&self, dir: &Path) {
        let hooks = self.place.path().join("hooks");
        for hook in [
            "post-index-change",
            "post-checkout",
            "post-merge",
            "reference-transaction",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ] {
            let target = hooks.join(hook);
            let canary = self.canary(hook);
            self.write(&target, &fs::read_to_string(canary).unwrap());
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let included = self.place.path().join("included.cfg");
        let text = format!("[filter \"included\"]\nclean = {}\n", self.canary("included"));
        self.write(&included, &text);
        let plain = [
            ("core.fsmonitor", "fsmonitor"),
            ("filter.evil.clean", "clean"),
            ("filter.evil.smudge", "smudge"),
            ("filter.a=b.c.clean", "odd-filter"),
            ("core.sshCommand", "ssh"),
            ("remote.origin.uploadpack", "uploadpack"),
            ("remote.origin.receivepack", "receivepack"),
            ("gpg.program", "gpg"),
            ("diff.external", "diff-external"),
            ("diff.evil.textconv", "textconv"),
            ("core.pager", "pager"),
            ("core.editor", "editor"),
            ("core.alternateRefsCommand", "alternate-refs"),
            ("core.askPass", "askpass"),
            ("core.gitProxy", "proxy"),
        ];
        for (key, name) in plain {
            self.git(dir, &["config", key, &self.canary(name)]);
        }
        let helper = format!("!{}", self.canary("credential"));
        for (key, value) in [
            ("core.hooksPath", hooks.to_str().unwrap()),
            ("credential.helper", &helper),
            ("log.showSignature", "true"),
            ("filter.evil.required", "true"),
            ("include.path", included.to_str().unwrap()),
            ("url.ext::sh -c /nowhere.insteadOf", "evil:"),
        ] {
            self.git(dir, &["config", key, value]);
        }
        self.git(dir, &["config", "extensions.worktreeConfig", "true"]);
        let late = self.canary("worktree-config");
        self.git(dir, &["config", "--worktree", "filter.late.process", &late]);
        self.write(
            &PathBuf::from(
                self.git(dir, &["rev-parse", "--path-format=absolute", "--git-path", "info/attributes"]),
            ),
            "b.txt filter=included\nkept.txt filter=late\n",
        );
        for name in ["a.txt", "odd", "kept.txt"] {
            // Same content, another time: git has to look inside.
            self.write(&dir.join(name), "content\n");
        }
        self.clear();
    }

    /// Every program that ran since the last time.
    pub fn fired(&self) -> Vec<String> {
        let names = fs::read_dir(self.fired_dir()).unwrap().map(|e| e.unwrap().file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        self.clear();
        names
    }

    fn clear(&self) {
        for entry in fs::read_dir(self.fired_dir()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }

    /// A session of an editor in the project.
    pub fn shim(&self, flags: &[&str]) -> Process {
        let mut command = self.place.command(SHIM);
        command.args(flags).env("PATH", &self.path).env("PACKD_GIT_TIMEOUT", "5");
        let mut shim = Process::spawn(command);
        shim.initialize();
        shim
    }
}

/// One tool call: its whole result.
pub fn result(shim: &mut Process, tool: &str, args: Value) -> Value {
    shim.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": tool, "arguments": args}}));
    loop {
        let line = shim.reply();
        if line.get("id").is_some() {
            assert!(line["result"].is_object(), "{tool}: {line}");
            return line["result"].clone();
        }
    }
}

/// One tool call: what it says, and whether it failed.
pub fn call(shim: &mut Process, tool: &str, args: Value) -> (Value, bool) {
    let result = result(shim, tool, args);
    (result["structuredContent"].clone(), result["isError"] == json!(true))
}

pub fn ok(shim: &mut Process, tool: &str, args: Value) -> Value {
    let (value, failed) = call(shim, tool, args);
    assert!(!failed, "{tool}: {value}");
    value
}
