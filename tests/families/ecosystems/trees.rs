//! What runs do to a tree that snapshots are kept of. It once showed as a second operation, by somebody outside, that
//! a person could take back apart from the run it belonged to.

use std::sync::Arc;

use packd::engine::clock::{RandomIds, SystemClock};
use serde_json::{Value, json};

use super::rig::Rig;

const DEPLOY: &str = "amof_spin_deploy";

/// A rig that keeps snapshots; the first one is taken.
fn rig(script: &str) -> Rig {
    let home = tempfile::tempdir().unwrap().keep();
    let rig = Rig::with(|options| {
        options.clock = Arc::new(SystemClock);
        options.ids = Arc::new(RandomIds);
        options.home = Some(home);
    });
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    rig.write("provisioners/local/spin.sh", script);
    hook(&rig, "end", "none");
    rig
}

fn hook(rig: &Rig, phase: &str, call: &str) -> Value {
    let params = json!({"cwd": rig.root(), "phase": phase, "session": "host-1", "host": "claude-code", "tool": "Bash",
                        "call_id": call, "budget_ms": 60_000});
    rig.t.block_on(rig.t.engine.admin(&rig.session, "packd/snapshot", &params)).unwrap()
}

/// Summaries and clients of all operations on snapshots, newest first.
fn second(rig: &Rig) -> Vec<String> {
    let ops = rig.ok("history_list", json!({"family": "snapshots"}))["operations"].clone();
    ops.as_array().unwrap().iter().map(|op| op["summary"].as_str().unwrap().to_string()).collect()
}

#[test]
fn what_a_run_changed_is_no_second_operation() {
    let rig = rig("#!/bin/sh\necho made > made.txt\necho more >> CHANGELOG.md\n");
    let run = rig.done(DEPLOY, json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success", "{run}");
    assert!(rig.root().join("made.txt").exists(), "the run works in the tree");
    let seen = hook(&rig, "end", "none");
    assert_eq!((&seen["state"], &seen["operation_id"]), (&json!("unchanged"), &Value::Null), "{seen}");
    assert_eq!(second(&rig), Vec::<String>::new());
    // The state that the run left is there to compare with, and says which operation it came from.
    let last =
        rig.ok("history_list", json!({"family": "ecosystems"}))["operations"][0]["operation_id"].clone();
    let snapshots = rig.ok("snap_list", json!({})).to_string();
    assert!(snapshots.contains(last.as_str().unwrap()), "{snapshots}");
    // What comes after it is nobody's run.
    rig.write("made.txt", "by hand\n");
    hook(&rig, "end", "none");
    assert_eq!(second(&rig), ["Somebody outside packd changed made.txt"]);
}

#[test]
fn what_was_changed_before_a_run_is_not_the_runs() {
    let rig = rig("#!/bin/sh\necho made > made.txt\n");
    rig.write("CHANGELOG.md", "# By hand\n");
    rig.done(DEPLOY, json!({"ecosystem": "demo"}));
    hook(&rig, "end", "none");
    assert_eq!(second(&rig), ["Somebody outside packd changed CHANGELOG.md"]);
}

#[test]
fn a_run_that_fails_is_named_for_what_it_left() {
    let rig = rig("#!/bin/sh\necho half > made.txt\nexit 3\n");
    let run = rig.done(DEPLOY, json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "failed", "{run}");
    hook(&rig, "end", "none");
    let told = second(&rig);
    assert!(told.len() == 1 && told.iter().all(|t| t.starts_with("amof_spin_deploy in ")), "{told:?}");
}

#[test]
fn a_run_and_a_tool_call_at_once_share_what_changed() {
    let rig = rig("#!/bin/sh\necho made > made.txt\n");
    hook(&rig, "before", "call-1");
    rig.done(DEPLOY, json!({"ecosystem": "demo"}));
    hook(&rig, "after", "call-1");
    let told = second(&rig);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("made.txt") && told[0].contains("shared"), "{told:?}");
}
