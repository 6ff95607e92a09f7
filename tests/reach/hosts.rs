//! Real hosts against a scripted model: packd comes in as a plugin, or by entries of its own; a session starts with what packd has to
//! say, a shell command that fails and an edit are made, and another client takes both back.
//!
//! A host takes part where its program is found: on the PATH, or in the directory that `PACKD_TEST_HOSTS` names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::model::{Ask, Model};
use crate::common::real::{PACKD, Place, Ran, kill, until};

/// The host's program, if it is installed; says "skipped" where it is not.
fn found(program: &str) -> Option<String> {
    let path = std::env::var("PACKD_TEST_HOSTS").unwrap_or_default()
        + ":"
        + &std::env::var("PATH").unwrap_or_default();
    let here =
        path.split(':').filter(|dir| !dir.is_empty()).any(|dir| PathBuf::from(dir).join(program).is_file());
    if !here {
        eprintln!("skipped: {program}: it is not installed; PACKD_TEST_HOSTS may name its directory");
        return None;
    }
    Some(path)
}

/// How packd comes into the host.
#[derive(Clone, Copy)]
enum By {
    Plugin,
    Settings,
}

struct Trial {
    place: Place,
    path: String,
    model: Model,
    /// What the host calls its shell.
    shell: &'static str,
}

/// Far beyond what a host takes; only a hang reaches it.
const LONGEST: Duration = Duration::from_secs(90);

impl Trial {
    fn new(program: &str, script: Vec<Ask>) -> Option<Trial> {
        let path = found(program)?;
        let place = Place::new();
        let work = place.work();
        fs::write(work.join("a.txt"), "one\n").unwrap();
        fs::set_permissions(work.join("a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(args).current_dir(&work);
            assert!(git.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
        };
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-qm", "first"]);
        let shell = script[0].tool;
        let script = script
            .into_iter()
            .map(|ask| {
                let args = ask.args.to_string().replace("{work}", &work.to_string_lossy());
                Ask { tool: ask.tool, args: serde_json::from_str(&args).unwrap() }
            })
            .collect();
        Some(Trial { place, path, model: Model::start(script), shell })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.place.command(program);
        command.env("PATH", &self.path).env("PACKD_HOOK_MS", "10000").env("TERM", "dumb");
        // Whatever a host would tell its makers goes to the model, which refuses it.
        let proxy = format!("http://127.0.0.1:{}", self.model.port);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(name, &proxy);
        }
        command.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
        command.stdin(Stdio::null());
        command
    }

    /// Processes that were started with this trial's home, the daemon apart.
    fn left_behind(&self) -> Vec<u32> {
        let mark = format!("PACKD_HOME={}", self.place.home().dir().display());
        let daemon = self.place.daemon_pid();
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            Some(*pid) != daemon && environ.split(|b| *b == 0).any(|word| word == mark.as_bytes())
        })
        .collect()
    }

    fn packd(&self, args: &[&str]) -> Ran {
        let mut command = self.command(PACKD);
        command.args(args);
        Ran::of(command)
    }

    /// A task for the session to hear of, and packd in the host.
    fn prepare(&self, host: &str, by: By) {
        self.packd(&["task", "add", "Paint the fence", "--step", "Buy paint"]).ok();
        match by {
            By::Plugin => {
                self.packd(&["setup", host, "--plugin"]).ok();
                self.doctor_says(&format!("{host} has packd as a plugin"));
            }
            By::Settings => {
                self.packd(&["setup", host]).ok();
                self.packd(&["setup", host, "--hooks"]).ok();
            }
        }
        self.doctor_says(&format!("{host} has packd's hooks, and none has fired"));
    }

    fn doctor_says(&self, what: &str) {
        let checks = self.packd(&["doctor", "--json"]).json()["checks"].clone();
        let says = |check: &Value| check["found"].as_str().unwrap().starts_with(what);
        assert!(checks.as_array().unwrap().iter().any(says), "{what}: {checks}");
    }

    /// Lets the host do its work, in bounded time, and go.
    fn run(&self, command: Command) {
        let (send, ended) = channel();
        let worker = std::thread::spawn(move || send.send(Ran::of(command)));
        let Ok(ran) = ended.recv_timeout(LONGEST) else {
            self.left_behind().into_iter().for_each(|pid| kill(pid, Signal::KILL));
            panic!("the host did not end:\n{}", self.model.heard());
        };
        worker.join().unwrap().unwrap();
        assert!(ran.stdout.contains("All done."), "{ran:?}\n{}", self.model.heard());
        until("no process of the host is left", || self.left_behind().is_empty());
    }

    fn mode(&self) -> u32 {
        fs::metadata(self.place.work().join("a.txt")).unwrap().permissions().mode() & 0o777
    }

    fn text(&self) -> String {
        fs::read_to_string(self.place.work().join("a.txt")).unwrap()
    }

    /// What the model heard, what the history says, and both changes taken back by somebody else.
    fn judge(&self, host: &str, edit: &str, (begun, ended): (u64, u64)) {
        let first = self.model.first();
        assert!(
            first.contains("From packd") && first.contains("Paint the fence"),
            "now was not injected:\n{first}"
        );
        assert_eq!(self.text(), "three\ntwo\n");
        assert_eq!(self.mode(), 0o750);
        let ops = || -> Vec<Value> {
            let all = self.packd(&["history", "--family", "snapshots", "--json"]).json();
            let ops = all["operations"].as_array().cloned().unwrap_or_default();
            ops.into_iter().filter(|op| op["undone"] != json!(true) && op["status"] == "done").collect()
        };
        until("both changes are in the history", || ops().len() >= 2);
        let all = ops();
        assert_eq!(all.len(), 2, "{all:?}");
        let shell = if ["claude", "codex"].contains(&host) { "Bash" } else { self.shell };
        for (op, tool) in all.iter().zip([edit, shell]) {
            assert!(op["who"]["client"].as_str().unwrap().contains(host), "{op}");
            let summary = op["summary"].as_str().unwrap();
            // The shell's command fails: a host that tells such an end by another event must be heard, too.
            assert!(summary.starts_with(&format!("{tool} in ")) && !summary.contains("shared"), "{op}");
            // Hooks and server of a host are one session.
            let session = op["who"]["session"].as_str().unwrap();
            assert!(!session.is_empty() && !session.starts_with(&format!("{host}:")), "{op}");
            assert_eq!(op["who"]["session"], all[0]["who"]["session"]);
        }
        // The edit by a session of another client, the shell command at the command line.
        let mut other = self.place.shim();
        other.initialize();
        let args = json!({"operation_id": all[0]["operation_id"], "yes": true});
        let done = other.ask(json!(1), "tools/call", json!({"name": "history_revert", "arguments": args}));
        assert_ne!(done["result"]["isError"], json!(true), "{done}");
        assert_eq!((self.text().as_str(), self.mode()), ("one\ntwo\n", 0o750));
        self.packd(&["revert", all[1]["operation_id"].as_str().unwrap(), "--yes"]).ok();
        assert_eq!((self.text().as_str(), self.mode()), ("one\n", 0o640));
        self.doctor_says(&format!("{host}: {} fired, ", 2 + begun + ended));
        let mut other = self.place.shim();
        other.initialize();
        let hooks = other.ask(json!(9), "packd/doctor", json!({}))["result"]["hooks"].clone();
        let of = |event: &str| {
            let rows = hooks.as_array().unwrap().iter();
            rows.filter(|row| row["event"] == event).map(|row| row["count"].as_u64().unwrap()).sum::<u64>()
        };
        assert_eq!(
            (of("session-start"), of("pre-tool"), of("post-tool"), of("stop")),
            (1, begun, ended, 1),
            "{hooks}"
        );
    }
}

fn shell(tool: &'static str, argument: &str) -> Ask {
    Ask {
        tool,
        args: json!({argument: "echo two >> {work}/a.txt && chmod 750 {work}/a.txt && false", "description": "add a line"}),
    }
}

#[test]
fn claude_code() {
    claude_does_its_work(By::Plugin);
}

#[test]
fn claude_code_without_a_plugin() {
    claude_does_its_work(By::Settings);
}

fn claude_does_its_work(by: By) {
    let read = Ask { tool: "Read", args: json!({"file_path": "{work}/a.txt"}) };
    let edit = Ask {
        tool: "Edit",
        args: json!({"file_path": "{work}/a.txt", "old_string": "one", "new_string": "three"}),
    };
    let wrong = Ask {
        tool: "Edit",
        args: json!({"file_path": "{work}/a.txt", "old_string": "none such", "new_string": "x"}),
    };
    let script = vec![shell("Bash", "command"), read, wrong, edit];
    let Some(trial) = Trial::new("claude", script) else { return };
    trial.prepare("claude", by);
    let mut claude = trial.command("claude");
    claude.args(["-p", "go", "--allowedTools", "Bash,Edit,Read", "--permission-mode", "acceptEdits"]);
    claude
        .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", trial.model.port))
        .env("ANTHROPIC_API_KEY", "x");
    claude.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").env("DISABLE_TELEMETRY", "1");
    trial.run(claude);
    // It looks at what an edit should replace before it tells anybody.
    trial.judge("claude", "Edit", (2, 2));
}

#[test]
fn codex() {
    codex_does_its_work(By::Plugin);
}

#[test]
fn codex_without_a_plugin() {
    codex_does_its_work(By::Settings);
}

fn codex_does_its_work(by: By) {
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+three\n*** End Patch\n";
    let edit = Ask { tool: "apply_patch", args: json!(patch) };
    let wrong = Ask { tool: "apply_patch", args: json!(patch.replace("-one", "-none such")) };
    let Some(trial) = Trial::new("codex", vec![shell("exec_command", "cmd"), wrong, edit]) else { return };
    let home = trial.place.path().join(".codex");
    fs::create_dir(&home).unwrap();
    // A model that Codex knows, so that it offers the patch as a tool.
    let config = format!(
        "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n\
         base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n",
        trial.model.port
    );
    fs::write(home.join("config.toml"), config).unwrap();
    trial.prepare("codex", by);
    let mut codex = trial.command("codex");
    codex.args(["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]);
    codex.args(["--dangerously-bypass-approvals-and-sandbox", "go"]).env("MOCK_KEY", "x");
    trial.run(codex);
    // It tells no end of a patch that fails.
    trial.judge("codex", "apply_patch", (3, 2));
}

#[test]
fn gemini_cli() {
    gemini_does_its_work(By::Plugin);
}

#[test]
fn gemini_cli_without_a_plugin() {
    gemini_does_its_work(By::Settings);
}

fn gemini_does_its_work(by: By) {
    let args =
        json!({"file_path": "{work}/a.txt", "old_string": "one", "new_string": "three", "instruction": "x"});
    let mut wrong = Ask { tool: "replace", args: args.clone() };
    wrong.args["old_string"] = json!("none such");
    let edit = Ask { tool: "replace", args };
    let script = vec![shell("run_shell_command", "command"), wrong, edit];
    let Some(trial) = Trial::new("gemini", script) else { return };
    let home = trial.place.path().join(".gemini");
    fs::create_dir(&home).unwrap();
    let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"disableAutoUpdate": true}});
    fs::write(home.join("settings.json"), settings.to_string()).unwrap();
    trial.prepare("gemini", by);
    let mut gemini = trial.command("gemini");
    gemini.args(["-m", "gemini-2.5-pro", "-p", "go", "--approval-mode", "yolo"]);
    gemini.env("GEMINI_API_KEY", "x").env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    gemini.env("GOOGLE_GEMINI_BASE_URL", format!("http://127.0.0.1:{}", trial.model.port));
    trial.run(gemini);
    trial.judge("gemini", "replace", (3, 3));
}

#[test]
fn copilot_cli() {
    copilot_does_its_work(By::Plugin);
}

#[test]
fn copilot_cli_without_a_plugin() {
    copilot_does_its_work(By::Settings);
}

fn copilot_does_its_work(by: By) {
    let edit =
        Ask { tool: "edit", args: json!({"path": "{work}/a.txt", "old_str": "one", "new_str": "three"}) };
    let mut bash = shell("bash", "command");
    bash.args["sessionId"] = json!("s1");
    bash.args["mode"] = json!("sync");
    let mut wrong = edit.clone();
    wrong.args["old_str"] = json!("none such");
    let Some(trial) = Trial::new("copilot", vec![bash, wrong, edit]) else { return };
    trial.prepare("copilot", by);
    let mut copilot = trial.command("copilot");
    copilot.args(["-p", "go", "--allow-all"]);
    copilot.env("COPILOT_PROVIDER_BASE_URL", format!("http://127.0.0.1:{}/v1", trial.model.port));
    copilot
        .env("COPILOT_MODEL", "claude-sonnet-4.5")
        .env("COPILOT_PROVIDER_API_KEY", "x")
        .env("COPILOT_OFFLINE", "true");
    trial.run(copilot);
    trial.judge("copilot", "edit", (3, 3));
}

#[test]
fn hosts_find_nothing_wrong_with_the_tree() {
    let place = Place::new();
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/plugin");
    for (program, args) in [
        (
            "claude",
            vec![
                "plugin",
                "validate",
                concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/plugin/.claude-plugin/plugin.json"),
            ],
        ),
        ("claude", vec!["plugin", "validate", dir]),
        ("gemini", vec!["extensions", "validate", dir]),
    ] {
        let Some(path) = found(program) else { continue };
        let mut command = place.command(program);
        command.args(&args).env("PATH", path);
        let ran = Ran::of(command);
        assert_eq!(ran.code, Some(0), "{program} {args:?}: {ran:?}");
        assert!(!ran.stdout.contains("warning"), "{}", ran.stdout);
    }
}
