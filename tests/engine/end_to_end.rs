//! Every family once through the real shim, socket and daemon, as an editor would use it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Process};

/// The next reply; notices in between are passed over.
fn answer(shim: &mut Process) -> Value {
    loop {
        let line = shim.reply();
        if line.get("id").is_some() {
            return line;
        }
    }
}

/// One tool call; the reply's structured content, and whether it failed.
fn call(shim: &mut Process, id: u64, tool: &str, args: Value) -> (Value, bool) {
    shim.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                      "params": {"name": tool, "arguments": args}}));
    let reply = answer(shim);
    let result = &reply["result"];
    assert!(result.is_object(), "{tool}: {reply}");
    (result["structuredContent"].clone(), result["isError"] == json!(true))
}

fn ok(shim: &mut Process, id: u64, tool: &str, args: Value) -> Value {
    let (value, failed) = call(shim, id, tool, args);
    assert!(!failed, "{tool}: {value}");
    value
}

fn shim(place: &Place, flags: &[&str]) -> Process {
    let mut command = place.command(crate::common::real::SHIM);
    command.args(flags);
    let mut shim = Process::spawn(command);
    shim.initialize();
    shim
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn four_shims_write_to_one_task_and_nothing_is_lost() {
    let place = Place::new();
    let mut first = shim(&place, &[]);
    ok(&mut first, 1, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let step = json!([{"title": "Step", "success_criteria": ["done"]}]);
    ok(
        &mut first,
        2,
        "tasks_create",
        json!({"kind": "task", "parent": "PLAN-001", "title": "T", "steps": step}),
    );
    let mut shims: Vec<Process> = (0..4).map(|_| shim(&place, &[])).collect();
    for n in 0..20 {
        // Sent by all four before anybody reads an answer.
        for (i, shim) in shims.iter_mut().enumerate() {
            let args = json!({"task": "TASK-001", "path": "s:0", "note": format!("note {i}-{n}")});
            shim.send(&json!({"jsonrpc": "2.0", "id": n, "method": "tools/call",
                              "params": {"name": "tasks_note", "arguments": args}}));
        }
        for shim in &mut shims {
            assert_eq!(answer(shim)["result"]["structuredContent"]["success"], true);
        }
    }
    let task = ok(&mut first, 3, "tasks_resume", json!({"task": "TASK-001", "compact": false}));
    let notes = task["result"]["task"]["steps"][0]["progress_notes"].as_array().unwrap();
    assert_eq!(notes.len(), 80);
    let list = ok(&mut first, 4, "history_list", json!({"tool": "tasks_note", "limit": 500}));
    assert_eq!(list["operations"].as_array().unwrap().len(), 80);
}

#[test]
fn four_shims_create_tasks_and_race_for_one_revision() {
    let place = Place::new();
    let mut first = shim(&place, &[]);
    ok(&mut first, 1, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let mut shims: Vec<Process> = (0..4).map(|_| shim(&place, &[])).collect();
    let mut ids = std::collections::BTreeSet::new();
    let step = json!([{"title": "S", "success_criteria": ["c"]}]);
    for n in 0..6 {
        for shim in &mut shims {
            let args = json!({"kind": "task", "parent": "PLAN-001", "title": "T", "steps": step});
            shim.send(&json!({"jsonrpc": "2.0", "id": n, "method": "tools/call",
                              "params": {"name": "tasks_create", "arguments": args}}));
        }
        for shim in &mut shims {
            let reply = answer(shim);
            let id = reply["result"]["structuredContent"]["result"]["task_id"].as_str();
            ids.insert(id.unwrap_or_else(|| panic!("{reply}")).to_string());
        }
    }
    assert_eq!(ids.len(), 24);
    for shim in &mut shims {
        let args = json!({"task": "TASK-001", "description": "mine", "expected_revision": 1});
        shim.send(&json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call",
                          "params": {"name": "tasks_edit", "arguments": args}}));
    }
    let won = shims.iter_mut().filter_map(|s| answer(s)["result"]["structuredContent"]["success"].as_bool());
    assert_eq!(won.filter(|won| *won).count(), 1);
}

#[test]
fn a_deploy_is_reviewed_applied_and_undone_from_another_client() {
    let place = Place::new();
    let repo = place.path().join(".agentpack/repo");
    write(
        &repo.join("agentpack.yaml"),
        "version: 1\nprofiles:\n  default:\n    include_tags: [base]\n\
         targets:\n  codex: {mode: files, scope: project}\n\
         modules:\n  - id: instructions:base\n    type: instructions\n    tags: [base]\n\
         \u{20}   source: {local_path: {path: modules/base}}\n",
    );
    write(&repo.join("modules/base/AGENTS.md"), "# Rules\n");
    let own = place.work().join("AGENTS.md");
    write(&own, "written by hand\n");
    let mut shim = shim(&place, &[]);
    let args = |extra: Value| {
        let mut args = json!({"repo": repo, "target": "codex"});
        args.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        args
    };
    let plan = ok(&mut shim, 1, "deploy", args(json!({})));
    let token = plan["data"]["confirm_token"].clone();
    let (refused, failed) = call(&mut shim, 2, "deploy_apply", args(json!({"confirm_token": token})));
    assert!(failed && refused["errors"][0]["code"] == "E_CONFIRM_REQUIRED", "{refused}");
    let (refused, failed) =
        call(&mut shim, 3, "deploy_apply", args(json!({"confirm_token": token, "yes": true})));
    assert!(failed, "a file of the user's own is not overwritten without adopt: {refused}");
    let plan = ok(&mut shim, 4, "deploy", args(json!({})));
    let apply = json!({"confirm_token": plan["data"]["confirm_token"], "yes": true, "adopt": true});
    ok(&mut shim, 5, "deploy_apply", args(apply));
    assert_eq!(fs::read_to_string(&own).unwrap(), "# Rules\n");
    let undone = place.command(PACKD).args(["undo", "--yes"]).output().unwrap();
    assert!(undone.status.success(), "{undone:?}");
    assert_eq!(fs::read_to_string(&own).unwrap(), "written by hand\n", "undo brings the user's file back");
}

#[test]
fn a_package_is_made_published_installed_and_undone() {
    let place = Place::new();
    write(
        &place.work().join(".claude/skills/greet/SKILL.md"),
        "---\nname: greet\ndescription: Says hello\n---\n\n# Greet\n",
    );
    fs::create_dir_all(place.work().join(".aam")).unwrap();
    let registry = place.path().join("registry");
    write(&registry.join("registry.yaml"), "name: local\ntype: local\napi_version: 1\n");
    let mut reader = shim(&place, &[]);
    let (refused, failed) = call(&mut reader, 1, "aam_install", json!({"packages": ["greet"]}));
    assert!(failed, "writing needs a flag: {refused}");
    let mut shim = shim(&place, &["--allow-write"]);
    let url = format!("file://{}", registry.display());
    ok(&mut shim, 2, "aam_registry_add", json!({"name": "local", "url": url, "set_default": true}));
    ok(&mut shim, 3, "aam_create_package", json!({"name": "greet", "version": "1.0.0", "include_all": true}));
    ok(&mut shim, 4, "aam_publish", json!({"registry": "local"}));
    let found = ok(&mut shim, 5, "aam_search", json!({"query": "greet"}));
    assert!(found.to_string().contains("greet"), "{found}");
    ok(&mut shim, 6, "aam_install", json!({"packages": ["greet"], "platform": "cursor"}));
    let lock = place.work().join(".aam");
    let holds = |dir: &Path| {
        let text = fs::read_dir(dir).unwrap().flatten().filter_map(|e| fs::read_to_string(e.path()).ok());
        text.collect::<String>().contains("greet")
    };
    assert!(holds(&lock), "the lock names the package");
    let undone = ok(&mut shim, 7, "history_undo", json!({"yes": true}));
    assert_eq!(undone["undid"]["tool"], "aam_install");
    assert!(!holds(&lock), "the lock forgot it again");
}

#[test]
fn an_ecosystem_is_explained_planned_and_only_done_when_confirmed() {
    let place = Place::new();
    write(
        &place.work().join("ecosystems/demo/ecosystem.yaml"),
        "name: demo\nrepos:\n  - name: app\n    url: file:///nowhere/app.git\n    branch: main\n",
    );
    let mut shim = shim(&place, &[]);
    let list = ok(&mut shim, 1, "amof_list_ecosystems", json!({}));
    assert!(list.to_string().contains("demo"), "{list}");
    let (refused, failed) = call(&mut shim, 2, "amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert!(failed && refused.to_string().contains("amof_set_mode"), "{refused}");
    let audit = ok(&mut shim, 3, "history_list", json!({"stream": "audit"}));
    assert_eq!(audit["operations"].as_array().unwrap().len(), 1, "the refusal is on record");
    ok(&mut shim, 4, "amof_set_mode", json!({"mode": "plan"}));
    let (packs, failed) = call(&mut shim, 5, "input", json!({"action": "create", "ttl_minutes": 5}));
    assert!(!failed, "{packs}");
    let listed = ok(&mut shim, 6, "input", json!({"action": "list"}));
    assert_eq!(listed["payload"]["total"], 0, "a mode that was said governs every family");
    place.kill_daemon();
    let scope = ok(&mut shim, 7, "amof_scope_info", json!({}));
    assert!(scope.to_string().contains("plan"), "the mode survives the daemon: {scope}");
}
