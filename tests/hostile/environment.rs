//! Programs get the environment of the session that called, and nothing of the one that started the daemon.

use std::fs;
use std::io::{BufRead, BufReader, Write};

use packd::ipc::hello::KIND_MCP;
use serde_json::{Value, json};

use super::canary::{Trap, call, gits, ok};
use crate::common::real::{Process, SHIM};

fn session(trap: &Trap, env: &[(&str, &str)], flags: &[&str]) -> Process {
    let mut command = trap.place.command(SHIM);
    command.args(flags).env("PATH", &trap.path).envs(env.iter().copied());
    let mut shim = Process::spawn(command);
    shim.initialize();
    shim
}

/// Lets the provisioner write down what it sees.
fn provisioner(trap: &Trap) -> std::path::PathBuf {
    let seen = trap.place.path().join("seen");
    let script = format!("#!/bin/sh\nenv > '{0}.part' && mv '{0}.part' '{0}'\n", seen.display());
    trap.write(&trap.work().join("provisioners/local/spin.sh"), &script);
    seen
}

fn spin(shim: &mut Process) {
    let staged = ok(shim, "amof_spin_deploy", json!({"ecosystem": "demo"}));
    let token = staged["confirmation"]["token"].clone();
    let run = ok(shim, "amof_confirm", json!({"token": token}))["run_id"].clone();
    let ended = ok(shim, "amof_get_run_status", json!({"run_id": run, "wait_seconds": 30}));
    assert_eq!(ended["status"], "success", "{ended}");
}

#[test]
fn a_provisioner_sees_the_calling_session_and_never_the_one_that_started_the_daemon() {
    let trap = Trap::new(&gits()[0]);
    let seen = provisioner(&trap);
    let first = [
        ("KUBECONFIG", "/a/kube"),
        ("AWS_PROFILE", "project-a"),
        ("LANG", "a_A.UTF-8"),
        ("SECRET_TOKEN", "first-secret"),
        ("SSH_AUTH_SOCK", "/a/agent"),
    ];
    let starter = session(&trap, &first, &[]);
    let second = [
        ("KUBECONFIG", "/b/kube"),
        ("LANG", "b_B.UTF-8"),
        ("SSH_AUTH_SOCK", "/b/agent"),
        ("https_proxy", "http://b"),
        ("LD_PRELOAD_X", "b"),
    ];
    let mut shim = session(&trap, &second, &["--mode", "execute"]);
    spin(&mut shim);
    let text = fs::read_to_string(&seen).unwrap();
    let sees = |line: &str| text.lines().any(|l| l == line);
    for line in ["LANG=b_B.UTF-8", "SSH_AUTH_SOCK=/b/agent", "https_proxy=http://b"] {
        assert!(sees(line), "{line} is missing in:\n{text}");
    }
    assert!(sees(&format!("HOME={}", trap.place.path().display())), "{text}");
    for name in ["KUBECONFIG", "AWS_PROFILE", "SECRET_TOKEN", "a_A", "/a/agent", "PACKD_", "LD_", "GIT_"] {
        assert!(!text.contains(name), "{name} is in:\n{text}");
    }
    drop(starter);
}

#[test]
fn git_settings_of_one_session_run_nothing_in_anothers_look() {
    for path in gits() {
        let trap = Trap::new(&path);
        let canary = trap.canary("leaked");
        let settings = [
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
            ("GIT_CONFIG_VALUE_0", canary.as_str()),
            ("GIT_CONFIG_KEY_1", "core.pager"),
            ("GIT_CONFIG_VALUE_1", canary.as_str()),
            ("GIT_EXTERNAL_DIFF", canary.as_str()),
            ("GIT_DIR", "/nowhere"),
        ];
        let mut starter = session(&trap, &settings, &[]);
        let mut shim = session(&trap, &[], &[]);
        for shim in [&mut starter, &mut shim] {
            ok(shim, "amof_release_status", json!({"ecosystem": "demo"}));
            ok(shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
        }
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn a_client_that_tells_no_environment_still_has_git() {
    let trap = Trap::new(&gits()[0]);
    let mut daemon = trap.place.daemon();
    daemon.line();
    assert!(trap.place.hello(KIND_MCP).environment.0.is_empty());
    let mut stream = BufReader::new(trap.place.session().stream);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "amof_release_status", "arguments": {"ecosystem": "demo"}}});
    stream.get_mut().write_all(format!("{call}\n").as_bytes()).unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(said["result"]["structuredContent"]["clean"], true, "{said}");
}

#[test]
fn the_environment_is_in_no_reply_no_log_and_no_store() {
    let trap = Trap::new(&gits()[0]);
    let secret = "unmistakable-value-of-a-session";
    let mut shim = session(&trap, &[("SOME_TOKEN", secret)], &["--mode", "execute"]);
    provisioner(&trap);
    spin(&mut shim);
    for tool in ["amof_get_server_status", "amof_list_runs", "history_list"] {
        let (said, _) = call(&mut shim, tool, json!({}));
        assert!(!said.to_string().contains(secret), "{tool}: {said}");
    }
    drop(shim);
    trap.place.kill_daemon();
    let home = trap.place.home();
    for entry in fs::read_dir(home.dir()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let found = bytes.windows(secret.len()).any(|w| w == secret.as_bytes());
        assert!(!found, "{} holds the environment", path.display());
    }
}
