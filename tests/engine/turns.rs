//! Who waits for whom: calls that write files take turns, and one that waits for a remote keeps no one else waiting.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use packd::core::World;
use packd::core::world::Command;
use packd::engine::CallRequest;
use packd::engine::disk::Disk;
use serde_json::json;

use crate::common::real::DEADLINE;
use crate::common::world::WatchedWorld;
use crate::families::deploy::rig::{Rig, SMALL, git, write};

/// A git remote that may stop answering.
#[derive(Default)]
struct Remote {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stuck: bool,
    asked: bool,
}

impl Remote {
    fn stick(&self, stuck: bool) {
        self.state.lock().unwrap().stuck = stuck;
        self.changed.notify_all();
    }

    fn asking(&self, command: &Command) {
        if command.args.iter().any(|arg| arg == "ls-remote") {
            let mut state = self.state.lock().unwrap();
            while state.stuck {
                state.asked = true;
                state = self.changed.wait(state).unwrap();
            }
        }
    }

    /// Waits until somebody asks a remote that does not answer.
    async fn asked(&self) {
        while !self.state.lock().unwrap().asked {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// An apply that asked a dead remote used to hold up every other call that writes files, undo included.
#[test]
fn an_undo_does_not_wait_for_somebody_elses_remote() {
    let remote = Arc::new(Remote::default());
    let watcher = remote.clone();
    let before_run = Box::new(move |command: &Command| watcher.asking(command));
    let rig =
        Rig::build(SMALL, |o| o.world = Arc::new(WatchedWorld { before_run, ..WatchedWorld::default() }));
    rig.deploy();
    let upstream = rig.root.join("upstream");
    write(&upstream.join("AGENTS.md"), "from git\n");
    git(&upstream, &["init", "-q"]);
    git(&upstream, &["add", "-A"]);
    git(&upstream, &["commit", "-qm", "one"]);
    let module = format!(
        "  - {{id: 'instructions:far', type: instructions, tags: [core], source: {{git: {{url: '{}'}}}}}}\n",
        upstream.display()
    );
    rig.repo_file("agentpack.yaml", &format!("{SMALL}{module}"));
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    remote.stick(true);
    let apply = rig
        .t
        .engine
        .call(&rig.s, CallRequest::new("deploy_apply", json!({"yes": true, "confirm_token": token})));
    let undo = async {
        remote.asked().await;
        let call = rig.t.engine.call(&rig.s, CallRequest::new("history_undo", json!({"yes": true})));
        let undone = tokio::time::timeout(DEADLINE, call).await;
        remote.stick(false);
        undone.expect("the undo waited for the remote")
    };
    let (applied, undone) = rig.t.block_on(async { tokio::join!(apply, undo) });
    assert!(!undone.is_error, "{}", undone.text);
    assert!(applied.text.contains("E_CONFIRM_TOKEN_MISMATCH"), "its plan is gone: {}", applied.text);
    assert!(!rig.exists("project/AGENTS.md"), "what was undone stays undone");
}

#[test]
fn a_program_ends_when_nobody_wants_its_result_any_more() {
    let command = Command {
        program: "sh".into(),
        args: ["-c", "sleep 600 & echo $!; wait"].map(str::to_string).to_vec(),
        cwd: "/".into(),
        env: Vec::new(),
        stdin: Vec::new(),
        timeout: DEADLINE * 10,
    };
    let asked = std::cell::Cell::new(0);
    let wanted = || {
        asked.set(asked.get() + 1);
        asked.get() < 5
    };
    let error = Disk.run_while(&command, &wanted).unwrap_err();
    assert_eq!(error.code, "cancelled");
    let short = Command { args: vec!["-c".into(), "echo done".into()], ..command };
    assert_eq!(Disk.run_while(&short, &|| true).unwrap().stdout, b"done\n");
}
