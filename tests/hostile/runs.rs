//! Runs belong to the daemon, whatever happens to it: no program dies, doubles or is forgotten because a daemon ended.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Process, Ran, SHIM, gone, kill, until};

/// A user with a project of one ecosystem; whatever a failing test leaves running is ended with it.
struct Stage {
    place: Place,
}

impl Stage {
    /// The script may use $HERE, a directory of its own.
    fn new(config: &str, script: &str) -> Stage {
        let stage = Stage { place: Place::with_config(config) };
        let work = stage.place.work();
        fs::create_dir_all(work.join("ecosystems/demo")).unwrap();
        fs::create_dir_all(work.join("provisioners/local")).unwrap();
        stage.manifest("");
        let script = format!("HERE={}\n{script}", stage.place.path().display());
        fs::write(work.join("provisioners/local/spin.sh"), script).unwrap();
        stage
    }

    fn manifest(&self, more: &str) {
        let text = format!("provisioner: local\nrepos: []\n{more}");
        fs::write(self.place.work().join("ecosystems/demo/ecosystem.yaml"), text).unwrap();
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn touch(&self, name: &str) {
        fs::write(self.file(name), "").unwrap();
    }

    fn lines(&self, name: &str) -> usize {
        fs::read_to_string(self.file(name)).unwrap_or_default().lines().count()
    }

    /// Processes whose command line holds all of these words and this place's directory.
    fn processes(&self, words: &[&str]) -> Vec<u32> {
        let here = self.place.path().to_string_lossy().into_owned();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(&here) && words.iter().all(|word| line.contains(word)) {
                found.push(pid);
            }
        }
        found
    }

    fn supervisor(&self) -> u32 {
        let found = self.processes(&["packd-mcp supervise", "/runs/"]);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]
    }

    /// Nothing of any run may stay on the disk.
    fn nothing_left(&self) {
        let runs = self.place.home().dir().join("runs");
        until("raw output is deleted", || fs::read_dir(&runs).map_or(0, |dir| dir.count()) == 0);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for pid in self.processes(&["spin.sh"]) {
            kill(pid, Signal::KILL);
        }
    }
}

/// Counts on and on, in its output and in a file, until it may end with the code in `go`.
const COUNTING: &str = "i=0\nwhile [ ! -s $HERE/go ]; do i=$((i+1)); echo \"line $i\"; echo tick >> $HERE/ticks; sleep 0.01; done\n\
    echo \"last $i\"\nexit $(cat $HERE/go)\n";

/// One session of a host.
struct Client {
    shim: Process,
    id: u64,
    /// Log messages so far.
    heard: usize,
}

impl Client {
    fn new(stage: &Stage) -> Client {
        Client::with(stage, &[])
    }

    fn with(stage: &Stage, env: &[(&str, &str)]) -> Client {
        let mut command = stage.place.command(SHIM);
        command.envs(env.iter().copied());
        let mut shim = Process::spawn(command);
        shim.initialize();
        Client { shim, id: 0, heard: 0 }
    }

    fn send(&mut self, tool: &str, args: Value) -> u64 {
        self.id += 1;
        self.shim.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/call",
                               "params": {"name": tool, "arguments": args}}));
        self.id
    }

    /// The reply to a request; notices in between are passed over.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.shim.reply();
            self.heard += usize::from(line["method"] == "notifications/message");
            if line["id"] == id {
                return line;
            }
        }
    }

    /// The params of the next notice of this kind.
    fn hears(&mut self, method: &str) -> Value {
        loop {
            let line = self.shim.reply();
            if line["method"] == method {
                self.heard += usize::from(method == "notifications/message");
                return line["params"].clone();
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        self.shim.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
        self.answer(self.id)
    }

    fn ok(&mut self, tool: &str, args: Value) -> Value {
        let id = self.send(tool, args);
        let reply = self.answer(id);
        let result = &reply["result"];
        assert!(result.is_object() && result["isError"] != json!(true), "{tool}: {reply}");
        result["structuredContent"].clone()
    }

    /// Deploys the ecosystem and returns the id of the run.
    fn deploy(&mut self) -> Value {
        let staged = self.ok("amof_spin_deploy", json!({"ecosystem": "demo", "mode": "execute"}));
        let token = staged["confirmation"]["token"].clone();
        self.ok("amof_confirm", json!({"token": token}))["run_id"].clone()
    }

    fn status(&mut self, run: &Value) -> Value {
        self.ok("amof_get_run_status", json!({"run_id": run}))
    }

    fn ended(&mut self, run: &Value) -> Value {
        self.ok("amof_get_run_status", json!({"run_id": run, "wait_seconds": 60}))
    }

    /// Every line of the run's log that the script printed, without what packd said.
    fn printed(&mut self, run: &Value) -> Vec<String> {
        let mut after = 0;
        let mut out = Vec::new();
        loop {
            let page = self.ok("amof_get_run_logs", json!({"run_id": run, "after": after, "tail": 1000}));
            let lines = page["lines"].as_array().unwrap();
            if lines.is_empty() {
                return out;
            }
            out.extend(
                lines
                    .iter()
                    .filter(|l| l["stream"] != "packd")
                    .map(|l| l["text"].as_str().unwrap().to_string()),
            );
            after = page["next_after"].as_u64().unwrap();
        }
    }
}

/// Every number once and in order, and the script's own last word about how many there were.
fn gap_free(printed: &[String]) {
    let numbers: Vec<usize> = printed.iter().filter_map(|l| l.strip_prefix("line ")?.parse().ok()).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len()), "{numbers:?}");
    assert_eq!(printed.last().map(String::as_str), Some(format!("last {}", numbers.len()).as_str()));
}

/// With idle_minutes at 10, every run longer than that died once its editor was closed.
#[test]
fn an_idle_daemon_with_a_run_is_not_idle() {
    let stage = Stage::new("idle_minutes = 0.002\n", COUNTING);
    let mut daemon = stage.place.daemon();
    assert_eq!(daemon.line(), "ready");
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 0);
    client.shim.close_stdin();
    client.shim.wait();
    // Several times the idle time goes by on the script's own clock.
    let alone = stage.lines("ticks");
    until("the script goes on alone", || stage.lines("ticks") > alone + 50);
    assert!(daemon.running(), "it ended under a run");
    fs::write(stage.file("go"), "0").unwrap();
    assert!(daemon.wait().success(), "with the run over it ends as idle");
    let mut client = Client::new(&stage);
    assert_eq!(client.ended(&run)["status"], "success");
}

/// A caller that waits an hour for a run must not hold up the end of the daemon for ten seconds.
#[test]
fn a_waiting_read_ends_when_the_daemon_drains() {
    let stage = Stage::new("", COUNTING);
    let mut daemon = stage.place.daemon();
    assert_eq!(daemon.line(), "ready");
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("it runs", || client.status(&run)["status"] == "running");
    let id = client.send("amof_get_run_status", json!({"run_id": run, "wait_seconds": 3600}));
    // Requests are taken in order: with this answered, the one before waits.
    client.ok("amof_get_server_status", json!({}));
    kill(daemon.pid, Signal::TERM);
    let reply = client.answer(id);
    assert_eq!(reply["result"]["structuredContent"]["status"], "running", "{reply}");
    assert!(daemon.wait().success());
    let log = stage.place.log();
    assert!(!log.contains("Calls were still under way"), "{log}");
}

/// A killed daemon left its deploys running with nobody to hear, stop or know them, and a second one could start beside them.
#[test]
fn after_a_kill_the_next_daemon_takes_the_run_up() {
    let stage = Stage::new("", COUNTING);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 20);
    stage.place.kill_daemon();
    let alone = stage.lines("ticks");
    until("it goes on with no daemon", || stage.lines("ticks") > alone + 20);
    assert_eq!(client.status(&run)["status"], "running");
    let second = client.deploy();
    until("it goes on", || stage.lines("ticks") > alone + 60);
    assert_eq!(client.status(&second)["status"], "queued", "never beside the first");
    // Once more, in the middle of taking it up.
    stage.place.kill_daemon();
    fs::write(stage.file("go"), "0").unwrap();
    let ended = client.ended(&run);
    assert_eq!((&ended["status"], &ended["exit_code"]), (&json!("success"), &json!(0)), "{ended}");
    gap_free(&client.printed(&run));
    assert_eq!(client.status(&second)["status"], "interrupted", "it had not begun");
    let state = client.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(state["deployment"]["run_id"], run, "recorded as usual");
    stage.nothing_left();
    assert_eq!(stage.processes(&["spin.sh"]), Vec::<u32>::new());
}

#[test]
fn a_run_that_ends_while_no_daemon_lives_keeps_its_exit_code() {
    let stage = Stage::new("", COUNTING);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 20);
    let supervisor = stage.supervisor();
    stage.place.kill_daemon();
    fs::write(stage.file("go"), "7").unwrap();
    gone(supervisor);
    let ended = client.ended(&run);
    assert_eq!((&ended["status"], &ended["exit_code"]), (&json!("failed"), &json!(7)), "{ended}");
    gap_free(&client.printed(&run));
    stage.nothing_left();
}

#[test]
fn a_run_that_was_taken_up_can_be_cancelled() {
    // The child ignores the polite signal.
    let stage =
        Stage::new("", "(trap '' TERM; while :; do echo tick >> $HERE/ticks; sleep 0.02; done) &\nwait\n");
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 5);
    stage.place.kill_daemon();
    client.ok("amof_cancel_run", json!({"run_id": run, "mode": "execute"}));
    let ended = client.ended(&run);
    assert_eq!(ended["status"], "cancelled", "{ended}");
    until("the whole group is gone", || stage.processes(&["spin.sh"]).is_empty());
    stage.nothing_left();
}

#[test]
fn orphans_end_where_the_configuration_says_so() {
    let stage = Stage::new("[runs]\norphans = \"end\"\n", COUNTING);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 5);
    stage.place.kill_daemon();
    let ended = client.ended(&run);
    assert_eq!(ended["status"], "interrupted", "{ended}");
    until("the program is gone", || stage.processes(&["spin.sh"]).is_empty());
    stage.nothing_left();
    // In order, too.
    let run = client.deploy();
    until("the script runs again", || client.status(&run)["status"] == "running");
    stage.place.packd(&["stop"]).ok();
    until("the program is gone", || stage.processes(&["spin.sh"]).is_empty());
    assert_eq!(client.ended(&run)["status"], "interrupted");
}

/// An upgrade restarts the daemon; nobody expects that to end a deployment.
#[test]
fn an_orderly_stop_leaves_the_run_to_the_next_daemon() {
    let stage = Stage::new("", COUNTING);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 20);
    stage.place.packd(&["stop"]).ok();
    let alone = stage.lines("ticks");
    until("it goes on with no daemon", || stage.lines("ticks") > alone + 20);
    assert_eq!(client.status(&run)["status"], "running");
    fs::write(stage.file("go"), "0").unwrap();
    assert_eq!(client.ended(&run)["status"], "success");
    gap_free(&client.printed(&run));
}

#[test]
fn without_its_supervisor_a_run_fails_and_never_succeeds() {
    for with_daemon in [true, false] {
        let stage = Stage::new("", COUNTING);
        let mut client = Client::new(&stage);
        let run = client.deploy();
        until("the script runs", || stage.lines("ticks") > 5);
        let supervisor = stage.supervisor();
        if !with_daemon {
            stage.place.kill_daemon();
        }
        kill(supervisor, Signal::KILL);
        let ended = client.ended(&run);
        assert_eq!(ended["status"], "failed", "{ended}");
        assert!(ended["note"].as_str().unwrap().contains("exit code is not known"), "{ended}");
        until("the program is gone", || stage.processes(&["spin.sh"]).is_empty());
        stage.nothing_left();
    }
}

#[test]
fn a_flood_of_output_is_bounded_and_its_end_is_kept() {
    let script = "echo first\nhead -c 40000000 /dev/zero | tr '\\0' x | fold -w 8000\necho\necho 'error: the reason' >&2\n";
    let stage = Stage::new("", script);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    let ended = client.ended(&run);
    assert_eq!(ended["status"], "success", "{ended}");
    let printed = client.printed(&run);
    assert_eq!(printed[0], "first");
    // The last words of the two streams may come in either order.
    assert!(printed.iter().rev().take(200).any(|line| line == "error: the reason"));
    assert!(printed.iter().map(String::len).sum::<usize>() < 20_000_000);
    stage.nothing_left();
}

#[test]
fn a_secret_in_the_output_reaches_neither_the_store_nor_the_disk() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ";
    let script = format!(
        "echo key {secret}\necho up > $HERE/up\nwhile [ ! -e $HERE/go ]; do sleep 0.02; done\necho again {secret}\n"
    );
    let stage = Stage::new("", &script);
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("it runs", || stage.file("up").exists());
    let runs = stage.place.home().dir().join("runs");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let place = runs.join(run.as_str().unwrap()).join("1");
    assert_eq!((mode(&runs), mode(&place), mode(&place.join("output"))), (0o700, 0o700, 0o600));
    stage.place.kill_daemon();
    stage.touch("go");
    assert_eq!(client.ended(&run)["status"], "success");
    let printed = client.printed(&run);
    assert!(printed.len() == 2 && !printed.concat().contains(secret), "{printed:?}");
    stage.nothing_left();
    stage.place.packd(&["stop"]).ok();
    let found = Ran::of({
        let mut grep = stage.place.command("grep");
        grep.args(["-r", "-l", "-a", "-F", secret]).arg(stage.place.home().dir());
        grep
    });
    assert_eq!(found.stdout, "");
}

/// Somebody installed only the one program.
#[test]
fn without_a_supervisor_beside_it_the_daemon_runs_programs_itself_and_says_so() {
    let stage = Stage::new("", "echo up\n");
    let alone = stage.file("alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(PACKD, alone.join("packd")).unwrap();
    let mut command = stage.place.command(alone.join("packd").to_str().unwrap());
    command.arg("daemon");
    let mut daemon = Process::spawn(command);
    assert_eq!(daemon.line(), "ready");
    let mut client = Client::new(&stage);
    let run = client.deploy();
    assert_eq!(client.ended(&run)["status"], "success");
    let warnings = client.ok("amof_get_run_logs", json!({"run_id": run, "level": "warning"}));
    let text = warnings["lines"][0]["text"].as_str().unwrap();
    assert!(text.contains("packd-mcp") && text.contains("ends if the daemon does"), "{text}");
}

/// The editor was told nothing and had to ask again and again.
#[test]
fn the_session_hears_that_its_run_has_ended_even_from_the_next_daemon() {
    let stage = Stage::new("", COUNTING);
    let mut client = Client::new(&stage);
    let mut other = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 5);
    fs::write(stage.file("go"), "7").unwrap();
    let heard = client.hears("notifications/message");
    assert_eq!(heard["level"], "error");
    assert_eq!((&heard["data"]["run_id"], &heard["data"]["status"]), (&run, &json!("failed")), "{heard}");
    // Ends while no daemon lives.
    fs::remove_file(stage.file("go")).unwrap();
    let run = client.deploy();
    let before = stage.lines("ticks");
    until("the script runs again", || stage.lines("ticks") > before + 5);
    let supervisor = stage.supervisor();
    stage.place.kill_daemon();
    fs::write(stage.file("go"), "0").unwrap();
    gone(supervisor);
    // Somebody else starts the next daemon.
    other.ask("ping", json!({}));
    let heard = client.hears("notifications/message");
    assert_eq!((&heard["data"]["run_id"], &heard["data"]["status"]), (&run, &json!("success")), "{heard}");
    // Whoever wants only alarms hears nothing of a success; and nobody hears of the runs of others.
    client.ask("logging/setLevel", json!({"level": "error"}));
    let run = client.deploy();
    client.ended(&run);
    client.ask("ping", json!({}));
    assert_eq!(client.heard, 2);
    other.ask("ping", json!({}));
    assert_eq!(other.heard, 0);
}

/// The time limit of a script holds also while no daemon is there to enforce it.
#[test]
fn the_time_limit_holds_with_no_daemon_alive() {
    let stage = Stage::new("", COUNTING);
    stage.manifest("provisioner_timeout: 2\n");
    let mut client = Client::new(&stage);
    let run = client.deploy();
    until("the script runs", || stage.lines("ticks") > 5);
    stage.place.kill_daemon();
    until("its time is over", || stage.processes(&["spin.sh"]).is_empty());
    let ended = client.ended(&run);
    assert_eq!(ended["status"], "failed", "{ended}");
    assert!(ended["note"].as_str().unwrap().contains("within 2 seconds"), "{ended}");
    let state = client.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(state["deployment"]["failed"]["run_id"], run);
}

/// A manifest names what its script needs; nothing else of the caller's environment gets there.
#[test]
fn named_variables_of_the_calling_session_reach_the_script() {
    let stage = Stage::new("", "env > $HERE/seen\n");
    stage.manifest("provisioner_env: [KUBECONFIG, UNSET]\n");
    let _first = Client::with(&stage, &[("KUBECONFIG", "/first"), ("AWS_PROFILE", "prod")]);
    let mut client = Client::with(&stage, &[("KUBECONFIG", "/second"), ("AWS_PROFILE", "dev")]);
    let run = client.deploy();
    assert_eq!(client.ended(&run)["status"], "success");
    let seen = fs::read_to_string(stage.file("seen")).unwrap();
    assert!(seen.lines().any(|line| line == "KUBECONFIG=/second"), "{seen}");
    assert!(!seen.contains("AWS_PROFILE") && !seen.contains("UNSET") && !seen.contains("PACKD"), "{seen}");
    stage.place.packd(&["stop"]).ok();
    let found = Ran::of({
        let mut grep = stage.place.command("grep");
        grep.args(["-r", "-l", "-a", "-F", "/second"]).arg(stage.place.home().dir());
        grep
    });
    assert_eq!(found.stdout, "", "no value is stored");
    for name in ["GIT_DIR", "git_dir", "PACKD_HOME", "LD_PRELOAD", "BASH_ENV", "ENV", "A=B", "", "1X"] {
        let text = format!("provisioner: local\nprovisioner_env: [\"{name}\"]\nrepos: []\n");
        let checked = packd::families::ecosystems::check_manifest(&text, "demo");
        assert!(checked.manifest.is_none(), "{name}");
        let named = checked.problems.iter().any(|p| p.error && p.field == "provisioner_env[0]");
        assert!(named, "{:?}", checked.problems);
    }
}
