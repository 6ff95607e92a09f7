//! Checkpoints, evidence and closing: nothing half-confirmed, nothing lost, no secret stored.

use packd::core::world::{Command, FileKind, Output, ReadError, Stat};
use packd::core::{Result, World};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::rig::{Rig, confirm, text};
use crate::common::engine::{TestEngine, session_info};

fn at(path: &str, more: Value) -> Value {
    let mut args = json!({"task": "TASK-001", "path": path});
    for (key, value) in more.as_object().unwrap() {
        args[key] = value.clone();
    }
    args
}

#[test]
fn verify_checks_everything_before_it_confirms_anything() {
    let rig = Rig::with_task();
    rig.ok("task_add", json!({"task": "TASK-001", "parent_step": "s:1", "title": "Node"}));
    let revision = rig.revision("TASK-001");
    for (args, code) in [
        (at("s:0", json!({})), "INVALID_CHECKPOINTS"),
        (at("s:0", json!({"checkpoints": {}})), "INVALID_CHECKPOINTS"),
        (at("s:0", json!({"checkpoints": {"vibes": {"confirmed": true}}})), "INVALID_CHECKPOINTS"),
        (at("s:0", json!({"checkpoints": {"criteria": {"confirmed": false}}})), "VERIFY_NOOP"),
        (at("s:0", json!({"checkpoints": {"criteria": {"confirmed": true}, "tests": true}})), "VERIFY_NOOP"),
        (at("s:0", json!({"checkpoints": confirm(&["criteria"]), "checks": [3]})), "INVALID_CHECKS"),
        (
            at("s:0", json!({"checkpoints": confirm(&["criteria"]), "attachments": [{}]})),
            "INVALID_ATTACHMENTS",
        ),
        (at("s:0", json!({"checkpoints": confirm(&["criteria"]), "kind": "epic"})), "INVALID_KIND"),
        (
            at("s:1.t:0", json!({"checkpoints": confirm(&["criteria"]), "kind": "task", "checks": ["x"]})),
            "INVALID_TARGET",
        ),
        (
            json!({"task": "PLAN-001", "kind": "step", "path": "s:0", "checkpoints": confirm(&["docs"])}),
            "NOT_A_TASK",
        ),
        (json!({"task": "TASK-009", "path": "s:0", "checkpoints": confirm(&["docs"])}), "NOT_FOUND"),
    ] {
        assert_eq!(rig.code("verify", args.clone()), code, "{args}");
    }
    assert_eq!(rig.revision("TASK-001"), revision, "a refused verify leaves nothing behind");
    let done = rig.ok(
        "verify",
        at(
            "s:0",
            json!({"checkpoints": {"criteria": {"confirmed": true, "note": "seen"}},
        "checks": ["make test"], "attachments": ["log.txt"], "verification_outcome": "pass"}),
        ),
    );
    assert_eq!(done["checkpoints_before"]["criteria"]["confirmed"], json!(false));
    assert_eq!(
        done["checkpoints_after"]["criteria"],
        json!({"confirmed": true, "auto_confirmed": false, "notes_count": 1, "evidence_refs_count": 2})
    );
    assert_eq!(done["needs"], json!(["tests"]));
    assert_eq!(done["step"]["verification_checks"][0]["kind"], "command");
    assert_eq!(rig.revision("TASK-001"), revision + 1);
    let node = rig.ok(
        "verify",
        at("s:1.t:0", json!({"kind": "task", "checkpoints": confirm(&["docs"]), "attachments": ["a.txt"]})),
    );
    assert_eq!(node["task_node"]["docs_confirmed"], json!(true));
    let nested = rig.ok("verify", at("s:1", json!({"kind": "plan", "checkpoints": confirm(&["perf"])})));
    assert_eq!(nested["task"]["steps"][1]["plan"]["perf_confirmed"], json!(true));
    let root = rig.ok("verify", json!({"task": "PLAN-001", "checkpoints": confirm(&["criteria"])}));
    assert_eq!(
        (root["kind"].clone(), root["plan"]["criteria_confirmed"].clone()),
        (json!("plan"), json!(true))
    );
    let detail = rig.ok(
        "verify",
        json!({"task": "TASK-001", "kind": "task_detail", "checkpoints": confirm(&["security"])}),
    );
    assert_eq!(detail["task"]["security_confirmed"], json!(true));
}

/// The story: GATING_FAILED still left the checkpoints confirmed and the revision bumped.
#[test]
fn a_refused_close_leaves_the_step_as_it_was() {
    let rig = Rig::with_task();
    let before = rig.task("TASK-001");
    let failed =
        rig.failure("close_step", at("s:0", json!({"note": "n", "checkpoints": confirm(&["criteria"])})));
    assert_eq!(failed["error"]["code"], "GATING_FAILED");
    assert_eq!(failed["result"]["needs"], json!(["tests"]));
    assert_eq!(failed["result"]["missing_checkpoints"], json!(["tests"]));
    assert_eq!(rig.task("TASK-001"), before);
    assert_eq!(rig.operations(), 2);
    for (args, code) in [
        (at("s:0", json!({})), "MISSING_CHECKPOINTS"),
        (at("s:0", json!({"force": true, "checkpoints": confirm(&["criteria"])})), "MISSING_OVERRIDE_REASON"),
    ] {
        assert_eq!(rig.code("close_step", args.clone()), code, "{args}");
    }
    let closed =
        rig.ok("close_step", at("s:0", json!({"note": "n", "checkpoints": confirm(&["criteria", "tests"])})));
    assert_eq!(closed["completed"], json!(true));
    assert_eq!(closed["step"]["progress_notes"], json!(["n"]));
    assert_eq!(closed["task"]["progress"], json!(50));
    assert_eq!(rig.code("done", at("s:1", json!({}))), "GATING_FAILED");
    let forced = rig.ok("done", at("s:1", json!({"force": true, "override_reason": "why not"})));
    assert_eq!(forced["completed"], json!(true));
    let events = rig.ok("resume", json!({"task": "TASK-001", "compact": false}))["timeline"].clone();
    assert_eq!(events[0]["data"], json!({"action": "close_step", "reason": "why not"}));
    let reopened = rig.ok("progress", at("s:1", json!({"completed": false})));
    assert_eq!(reopened["completed"], json!(false));
}

#[test]
fn extra_checkpoints_gate_a_step_and_are_listed_as_missing() {
    let rig = Rig::with_task();
    rig.ok("patch", at("s:0", json!({"ops": [{"op": "set", "field": "required_checkpoints", "value": ["criteria", "perf", "docs"]}]})));
    for intent in ["done", "progress"] {
        let more = if intent == "progress" { json!({"completed": true}) } else { json!({}) };
        let failed = rig.failure(intent, at("s:0", more));
        assert_eq!(failed["result"]["missing_checkpoints"], json!(["criteria", "perf", "docs"]), "{intent}");
    }
    rig.ok("close_step", at("s:0", json!({"checkpoints": confirm(&["criteria", "perf", "docs"])})));
}

const SECRETS: [&str; 5] = [
    "ghp_0123456789abcdefghijABCDEFGHIJ0123",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdefghijkl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijk",
    "password: hunter22",
];

#[test]
fn evidence_is_kept_readable_and_free_of_secrets() {
    let rig = Rig::with_task();
    let secrets = SECRETS.join("\n");
    let captured = rig.envelope("evidence_capture", at("s:0", json!({
        "artifacts": [
            {"kind": "cmd_output", "command": "make test", "exit_code": 0, "stdout": format!("ok\n{secrets}"), "meta": {"api_key": "k-12345"}},
            {"kind": "diff", "diff": format!("+ {secrets}")},
            {"kind": "url", "url": "https://example.org/run/1"}],
        "checks": [{"kind": "command", "spec": format!("curl -H 'Authorization: Bearer {}'", SECRETS[0])}],
        "attachments": [{"file_path": "report.html"}], "verification_outcome": "pass"})));
    let result = &captured["result"]["captured"];
    assert_eq!(result["artifacts_written"].as_array().unwrap().len(), 2);
    assert_eq!(result["attachments_added"].as_array().unwrap().len(), 4);
    let sha = text(&result["artifacts_written"][0]["sha256"]);
    let read = rig.ok("evidence_get", json!({"sha256": sha}));
    let artifact: Value = serde_json::from_str(&text(&read["content"])).unwrap();
    assert_eq!(artifact["command"], "make test");
    assert!(text(&artifact["stdout"]).starts_with("ok\n"));
    let paged =
        rig.ok("evidence_get", json!({"uri": result["artifacts_written"][0]["uri"], "max_chars": 10}));
    assert_eq!(paged["next_offset"], json!(10));
    rig.ok("note", at("s:0", json!({"note": format!("used {}", SECRETS[1])})));
    let everything = format!(
        "{}{}{}{}{}",
        text(&read["content"]),
        rig.ok("evidence_get", json!({"sha256": result["artifacts_written"][1]["sha256"]}))["content"],
        rig.task("TASK-001"),
        rig.ok("history", json!({"limit": 50})),
        captured
    );
    for secret in SECRETS.iter().copied().chain(["k-12345", "hunter22"]) {
        assert!(!everything.contains(secret), "{secret} was stored");
    }
    let same = rig.ok(
        "evidence_capture",
        at("s:0", json!({"artifacts": [{"kind": "url", "url": "https://example.org/run/1"}]})),
    );
    assert_eq!(same["captured"]["attachments_added"], json!([]), "the same evidence is kept once");
    let refs = rig.ok("verify", at("s:0", json!({"checkpoints": confirm(&["criteria"])})));
    assert_eq!(refs["checkpoints_after"]["criteria"]["evidence_refs_count"], json!(5));
    let elsewhere = rig.engine.session("s9", "/elsewhere");
    let other = rig.engine.err(&elsewhere, "tasks_evidence_get", json!({"sha256": sha}));
    assert_eq!(other["error"]["code"], "NOT_FOUND", "another workspace cannot read it");
    for (args, code) in [
        (json!({}), "MISSING_EVIDENCE"),
        (json!({"artifacts": {}}), "INVALID_ARTIFACTS"),
        (json!({"artifacts": [3]}), "INVALID_ARTIFACTS"),
        (json!({"artifacts": vec![json!({"kind": "url", "url": "x"}); 21]}), "TOO_MANY_ARTIFACTS"),
        (json!({"artifacts": [{"kind": "video"}]}), "INVALID_ARTIFACT_KIND"),
        (json!({"artifacts": [{"kind": "url"}]}), "MISSING_URL"),
        (json!({"artifacts": [{"kind": "diff"}]}), "MISSING_DIFF"),
        (json!({"artifacts": [{"kind": "cmd_output", "command": "x"}]}), "MISSING_OUTPUT"),
        (json!({"checks": 3}), "INVALID_CHECKS"),
        (json!({"attachments": 3}), "INVALID_ATTACHMENTS"),
    ] {
        assert_eq!(rig.code("evidence_capture", at("s:0", args.clone())), code, "{args}");
    }
}

#[test]
fn a_huge_capture_is_cut_but_still_json() {
    let rig = Rig::with_task();
    let stdout = "\u{1}ü".repeat(200_000);
    let done = rig.ok(
        "evidence_capture",
        at("s:0", json!({"artifacts": [{"kind": "cmd_output", "command": "x", "stdout": stdout}]})),
    );
    let written = &done["captured"]["artifacts_written"][0];
    assert_eq!(written["truncated"], json!(true));
    assert!(written["size"].as_u64().unwrap() <= 256_000);
    let mut text_of_it = String::new();
    let mut offset = json!(0);
    while !offset.is_null() {
        let page = rig
            .ok("evidence_get", json!({"sha256": written["sha256"], "offset": offset, "max_chars": 100_000}));
        text_of_it.push_str(&text(&page["content"]));
        offset = page["next_offset"].clone();
    }
    let artifact: Value = serde_json::from_str(&text_of_it).unwrap();
    assert_eq!(artifact["command"], "x");
}

/// A world where the workspace is a git repository.
struct GitWorld;

impl World for GitWorld {
    fn read(&self, _: &Path, _: u64) -> std::result::Result<Vec<u8>, ReadError> {
        Err(ReadError::Missing)
    }
    fn load(&self, _: &Path, _: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        Err(ReadError::Missing)
    }
    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        let there = path == Path::new("/w/.git");
        Ok(there.then_some(Stat {
            kind: FileKind::Dir,
            size: 0,
            mode: 0o755,
            owner: 0,
            mtime: 0,
            ctime: 0,
            inode: 1,
            device: 1,
        }))
    }
    fn list(&self, _: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        Ok(None)
    }
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        Ok(Some(path.to_path_buf()))
    }
    fn read_link(&self, _: &Path) -> Result<Option<PathBuf>> {
        Ok(None)
    }
    fn run(&self, command: &Command) -> Result<Output> {
        let stdout = match command.args[0].as_str() {
            "status" => "# branch.oid 0123456789abcdef0123\n# branch.head main\n1 .M N... a.rs\n",
            // It heeds the settings it is given, and names no filters.
            "config" => "command\0packd.heard\ntrue\0",
            _ => "v1-3-g0123456\n",
        };
        Ok(Output { code: Some(0), stdout: stdout.into(), stderr: Vec::new(), timed_out: false })
    }
    fn fetch(&self, _: &str, _: u64) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
    fn host_name(&self) -> String {
        "host".into()
    }
    fn user(&self) -> u32 {
        0
    }
}

#[test]
fn git_and_ci_are_witnesses_of_a_confirmation() {
    let engine = TestEngine::with_world(Arc::new(GitWorld));
    let mut info = session_info("s1", "/w");
    for (key, value) in [("GITHUB_ACTIONS", "true"), ("GITHUB_RUN_ID", "77"), ("GITHUB_REPOSITORY", "o/r")] {
        info.env.insert(key.into(), value.into());
    }
    let session = engine.open(info);
    engine.ok(&session, "tasks_create", json!({"title": "Plan"}));
    engine.ok(
        &session,
        "tasks_create",
        json!({"parent": "PLAN-001", "title": "Task", "steps": [{"title": "s", "success_criteria": ["c"]}]}),
    );
    let args =
        json!({"task": "TASK-001", "path": "s:0", "checkpoints": confirm(&["criteria"]), "compact": false});
    let done = engine.ok(&session, "tasks_verify", args.clone());
    let checks = done["result"]["step"]["verification_checks"].as_array().unwrap();
    assert_eq!(checks.len(), 2);
    assert_eq!(checks[0]["details"]["run_url"], "https://github.com/o/r/actions/runs/77");
    assert_eq!(checks[1]["preview"], "git 0123456789ab dirty");
    assert_eq!(checks[1]["details"]["branch"], "main");
    assert_eq!(checks[1]["details"]["describe"], "v1-3-g0123456-dirty");
    let again = engine.ok(&session, "tasks_verify", args);
    assert_eq!(
        again["result"]["step"]["verification_checks"].as_array().unwrap().len(),
        2,
        "the same state once"
    );
    assert_eq!(again["result"]["checkpoints_after"]["criteria"]["evidence_refs_count"], json!(2));
}

#[test]
fn complete_refuses_what_is_not_finished_and_force_sticks() {
    let rig = Rig::with_task();
    let open = rig.failure("complete", json!({"task": "TASK-001"}));
    assert_eq!(open["error"]["code"], "TASK_NOT_COMPLETE");
    assert_eq!(open["result"]["target"]["path"], "s:0");
    assert_eq!(open["suggestions"][0]["action"], "evidence_capture", "the work comes first");
    rig.ok("patch", json!({"task": "TASK-001", "ops": [{"op": "unset", "field": "success_criteria"}]}));
    assert_eq!(rig.code("complete", json!({"task": "TASK-001"})), "LINT_ERRORS_BLOCKING");
    assert_eq!(rig.code("complete", json!({"task": "TASK-001", "status": "LATER"})), "INVALID_STATUS");
    let forced = rig.ok("complete", json!({"task": "TASK-001", "force": true, "override_reason": "r"}));
    assert_eq!(forced["task"]["status"], "DONE");
    rig.ok("note", at("s:0", json!({"note": "n"})));
    assert_eq!(rig.task("TASK-001")["status"], "DONE", "what was forced stays");
    let back = rig.ok("complete", json!({"task": "TASK-001", "status": "TODO"}));
    assert_eq!(back["task"]["status"], "TODO");
    rig.ok("plan", json!({"plan": "PLAN-001", "steps": ["a", "b"]}));
    assert_eq!(rig.code("complete", json!({"task": "PLAN-001"})), "VALIDATION");
    let active = rig.ok("complete", json!({"task": "PLAN-001", "status": "ACTIVE"}));
    assert_eq!(active["plan"]["status"], "ACTIVE", "the status of a plan can be said");
    rig.ok("plan", json!({"plan": "PLAN-001", "current": 2}));
    assert_eq!(rig.task("PLAN-001")["status"], "ACTIVE", "a plan with an open task is never DONE");
    let forced = json!({"task": "PLAN-001", "force": true, "override_reason": "r"});
    assert_eq!(rig.code("complete", forced), "VALIDATION", "not even by force");
    rig.ok("complete", json!({"task": "TASK-001", "force": true, "override_reason": "r"}));
    rig.ok("complete", json!({"task": "PLAN-001"}));
    assert_eq!(rig.task("PLAN-001")["status"], "DONE");
    rig.ok("create", json!({"parent": "PLAN-001", "title": "Empty", "success_criteria": ["c"]}));
    rig.ok("edit", json!({"task": "PLAN-001", "description": "d"}));
    assert_eq!(rig.task("PLAN-001")["status"], "ACTIVE", "a new task opens its plan, and it stays open");
    let empty = rig.ok("complete", json!({"task": "TASK-002"}));
    assert_eq!(
        (empty["task"]["status"].clone(), empty["task"]["progress"].clone()),
        (json!("DONE"), json!(100))
    );
}

#[test]
fn close_task_rehearses_then_applies_as_one_operation() {
    let rig = Rig::with_task();
    rig.ok("patch", json!({"task": "TASK-001", "ops": [{"op": "unset", "field": "success_criteria"}]}));
    rig.ok("close_step", at("s:0", json!({"checkpoints": confirm(&["criteria", "tests"])})));
    let early = rig.failure("close_task", json!({"task": "TASK-001", "apply": true}));
    assert_eq!(early["error"]["code"], "RUNWAY_CLOSED");
    for key in ["runway", "diff", "lint"] {
        assert!(early["result"][key].is_object(), "{key}");
    }
    rig.ok("close_step", at("s:1", json!({"checkpoints": confirm(&["criteria"])})));
    let patches = json!([{"kind": "task_detail", "ops": [{"op": "append", "field": "success_criteria", "value": "It works"}]}]);
    let (before, operations) = (rig.task("TASK-001"), rig.operations());
    let preview = rig.envelope("close_task", json!({"task": "TASK-001", "patches": patches}));
    assert_eq!(preview["result"]["runway"]["open"], json!(true));
    assert_eq!(preview["result"]["diff"]["patches"][0]["updated_fields"], json!(["success_criteria"]));
    assert_eq!(preview["result"]["diff"]["complete"]["status"], json!({"from": "ACTIVE", "to": "DONE"}));
    assert_eq!((rig.task("TASK-001"), rig.operations()), (before.clone(), operations));
    let closed = rig.envelope("close_task", preview["suggestions"][0]["params"].clone());
    assert_eq!(closed["result"]["task"]["status"], "DONE");
    let batch = &closed["result"]["batch"];
    assert_eq!(batch["operation_ids"].as_array().unwrap().len(), 2);
    assert_eq!(rig.operations(), operations + 1);
    for cursor in batch["operation_ids"].as_array().unwrap() {
        assert_eq!(rig.ok("delta", json!({"since": cursor}))["operations"], json!([]));
    }
    let again = rig.ok("close_task", json!({"task": "TASK-001", "apply": true}));
    assert_eq!(again["already_done"], json!(true));
    assert_eq!(rig.operations(), operations + 1);
    rig.ok("undo", json!({}));
    assert_eq!(rig.task("TASK-001")["success_criteria"], json!([]));
    assert_eq!(rig.task("TASK-001")["status"], before["status"]);
    for (args, code) in [
        (json!({"patches": 3}), "INVALID_PATCHES"),
        (json!({"patches": [3]}), "INVALID_PATCH"),
        (json!({"patches": vec![json!({}); 201]}), "TOO_MANY_PATCHES"),
        (json!({"patches": [{}]}), "MISSING_OPS"),
        (json!({"patches": [{"ops": 3}]}), "INVALID_OPS"),
        (json!({"force": true}), "MISSING_OVERRIDE_REASON"),
        (json!({"task": "PLAN-001"}), "NOT_A_TASK"),
    ] {
        let mut args = args;
        if args.get("task").is_none() {
            args["task"] = json!("TASK-001");
        }
        assert_eq!(rig.code("close_task", args.clone()), code, "{args}");
    }
    let bad = json!([{"ops": [{"op": "unset", "field": "tags"}]}, {"ops": [{"op": "set", "field": "id", "value": "x"}]}]);
    assert_eq!(
        rig.failure("close_task", json!({"task": "TASK-001", "patches": bad}))["result"]["patch_index"],
        json!(1)
    );
}
