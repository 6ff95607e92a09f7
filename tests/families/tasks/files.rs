//! Task files: awkward content goes out and comes back unchanged; directories of the older tool are taken in.

use packd::families::tasks::file;
use packd::families::tasks::model::CheckpointKind;
use serde_json::{Value, json};

use super::rig::{Rig, step, text};
use crate::common::engine::{TestEngine, session_info};

/// Texts that break careless readers and writers.
const AWKWARD: &[&str] = &[
    "alpha --- omega",
    "---\ntitle: not front matter\n---",
    "## Контекст\nnot a section",
    "## Unknown\ntext",
    "  leading and trailing  ",
    "yes",
    "null",
    "1.0",
    "2025-01-01",
    "- item\n- item",
    "key: value # not a comment",
    "tab\there, quote \" and ' and \\ back",
    "line one\n\n\nline two\n",
    "\u{feff}bom, ünïcödé, 日本語, 😀",
    "&anchor *alias !tag |",
    "{\"json\": [1, 2]}",
    "1. first\n2. second",
    "\r\nwindows",
    "# heading",
    "%directive @at `tick`",
];

fn same(item: &packd::families::tasks::model::TaskItem) {
    let encoded = file::encode(item, 7).unwrap();
    let (back, revision) =
        file::decode("x/TASK-001.task", &encoded).unwrap_or_else(|e| panic!("{e}\n{encoded}"));
    assert_eq!(revision, 7);
    assert_eq!(&back, item, "{encoded}");
}

#[test]
fn awkward_texts_survive_in_every_field() {
    for text in AWKWARD {
        let nested = json!({"id": "STEP-1", "title": text, "success_criteria": [text], "tests": [text], "blockers": [],
            "progress_notes": [text], "plan": {"title": text, "tests_auto_confirmed": true, "tasks": [
                {"id": "NODE-1", "title": text, "description": text, "priority": "HIGH", "tests_auto_confirmed": true}]}});
        let item = json!({"id": "TASK-001", "kind": "task", "title": text, "status": "ACTIVE", "parent": "PLAN-001", "domain": "x",
            "priority": "LOW", "created": "2025-01-01 10:00", "updated": "2025-01-01 10:00", "assignee": "ai", "tags": [text],
            "description": text, "context": text, "contract": text, "plan_doc": text, "problems": [text, "b"],
            "next_steps": [text], "dependencies": [text], "risks": [text], "history": [text], "success_criteria": [text],
            "tests": [text], "blockers": [text], "contract_data": {"goal": text, "done": [text]},
            "criteria_notes": [text], "steps": [nested], "custom_field": {"kept": text}});
        same(&serde_json::from_value(item).unwrap());
    }
}

const OLD_FILE: &str = r#"---
schema_version: 8
revision: 12
id: TASK-042
kind: task
title: 'Ship --- it'
status: WIP
domain: null
parent: PLAN-007
priority: urgent
created: 2025-12-18 21:33
tags: [a, 1, null]
progress: 50
x_custom:
  nested: [1, two]
success_criteria:
- Works
project_item_id: PVT_1
steps:
- id: STEP-AAAA0001
  title: Outer
  completed: true
  success_criteria: [c]
  tests: []
  criteria_confirmed: yes
  x_step: kept
  plan:
    title: ''
    steps: [one, two]
    current: 1
    tasks:
    - id: NODE-AAAA0001
      title: Node
      status: DONE
      status_manual: true
      steps:
      - title: Inner
        completed: false
        success_criteria: [c]
        tests: [pytest -q]
---
# Ship it

## Описание
First line
--- not a separator
Last line

## Риски
- One risk
- Another

## Заметки команды
Free text
"#;

#[test]
fn a_file_of_the_older_tool_is_read_with_everything_in_it() {
    let (item, revision) = file::decode("alpha/TASK-042.task", OLD_FILE).unwrap();
    assert_eq!(revision, 12);
    assert_eq!(item.title, "Ship --- it");
    assert_eq!(item.domain, "alpha", "the folder names the domain");
    assert_eq!(item.status.as_str(), "ACTIVE", "an unknown status follows from progress");
    assert_eq!(item.priority, "MEDIUM");
    assert_eq!(item.tags, ["a", "1"]);
    assert_eq!(item.description, "First line\n--- not a separator\nLast line");
    assert_eq!(item.risks, ["One risk", "Another"]);
    assert_eq!(item.extra["x_custom"], json!({"nested": [1, "two"]}));
    assert_eq!(item.extra["project_item_id"], "PVT_1");
    assert_eq!(item.steps[0].extra["x_step"], "kept");
    let gates = &item.steps[0].gates;
    assert!(gates.confirmed(CheckpointKind::Criteria) && gates.auto(CheckpointKind::Tests));
    assert_eq!(item.steps[0].plan.steps, ["one", "two"]);
    assert_eq!(item.steps[0].plan.tasks[0].steps[0].title, "Inner");
    let again = file::encode(&item, 12).unwrap();
    assert!(again.contains("## Заметки команды\nFree text"), "{again}");
    let (back, _) = file::decode("alpha/TASK-042.task", &again).unwrap();
    assert_eq!(back, item);
}

#[test]
fn steps_that_live_only_in_the_body_are_read_as_a_tree() {
    let text = "---\nid: TASK-001\ntitle: T\n---\n## Steps\n- [x] One\n  - Criteria: a; b\n  - [ ] Inner\n    - Tests: make\n- [ ] Two\n";
    let (item, _) = file::decode("TASK-001.task", text).unwrap();
    assert_eq!(item.steps.len(), 2);
    assert!(item.steps[0].completed);
    assert_eq!(item.steps[0].success_criteria, ["a", "b"]);
    assert_eq!(item.steps[0].plan.tasks[0].steps[0].title, "Inner");
    assert_eq!(item.steps[0].plan.tasks[0].steps[0].tests, ["make"]);
}

#[test]
fn a_directory_is_imported_as_one_operation_and_exported_again() {
    let dir = tempfile::tempdir().unwrap();
    let tasks = dir.path().join(".tasks");
    for (path, text) in [
        (
            "PLAN-007.task",
            "---\nid: PLAN-007\ntitle: Old plan\nplan_steps: [a, b]\nplan_current: 1\n---\n## Contract\nText\n",
        ),
        ("alpha/TASK-042.task", OLD_FILE),
        ("broken.task", "no front matter"),
        ("bad/TASK-043.task", "---\nid: [\n---\n"),
        (".trash/TASK-001.task", "---\nid: TASK-001\ntitle: gone\n---\n"),
        ("readme.md", "not a task"),
    ] {
        let path = tasks.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let engine = TestEngine::new();
    let session = engine.open(session_info("s1", dir.path().to_str().unwrap()));
    let call = |args: Value| engine.ok(&session, "tasks_storage", args)["result"].clone();
    assert_eq!(call(json!({}))["local_exists"], json!(true));
    let preview = call(json!({"action": "import", "dir": ".tasks", "dry_run": true}));
    assert_eq!(preview["counts"], json!({"imported": 2, "skipped": 0, "failed": 2}));
    assert_eq!(engine.ok(&session, "tasks_context", json!({}))["result"]["counts"]["tasks"], json!(0));
    let done = call(json!({"action": "import", "dir": ".tasks"}));
    assert_eq!(done["imported"][1]["id"], "TASK-042");
    assert_eq!(done["failed"].as_array().unwrap().len(), 2, "a broken file does not stop the others");
    let task =
        engine.ok(&session, "tasks_resume", json!({"task": "TASK-042", "compact": false}))["result"]["task"]
            .clone();
    assert_eq!(task["revision"], json!(12));
    assert_eq!(task["steps"][0]["plan"]["tasks"][0]["steps"][0]["title"], "Inner");
    let new = engine.ok(&session, "tasks_create", json!({"parent": "PLAN-007", "title": "New"}));
    assert_eq!(new["result"]["task_id"], "TASK-043", "numbers go on after imported ones");
    engine.ok(&session, "tasks_undo", json!({}));
    assert_eq!(call(json!({"action": "import", "dir": ".tasks"}))["counts"]["skipped"], json!(2));
    let exported = call(json!({"action": "export"}));
    let files = exported["files"].as_array().unwrap();
    assert_eq!(
        files.iter().map(|f| text(&f["path"])).collect::<Vec<_>>(),
        ["PLAN-007.task", "alpha/TASK-042.task"]
    );
    engine.ok(&session, "tasks_undo", json!({}));
    assert_eq!(
        engine.ok(&session, "tasks_context", json!({}))["result"]["counts"],
        json!({"plans": 0, "tasks": 0})
    );
    let back = call(json!({"action": "import", "files": files}));
    assert_eq!(back["counts"]["imported"], json!(2));
    let again = call(json!({"action": "export"}));
    let body = |v: &Value| {
        text(&v["files"][1]["text"])
            .lines()
            .filter(|l| !l.starts_with("revision:"))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(body(&again), body(&exported));
    assert_eq!(
        engine.err(&session, "tasks_storage", json!({"action": "import", "dir": "nowhere"}))["error"]["code"],
        "NOT_FOUND"
    );
}

#[test]
fn what_the_intents_made_round_trips_through_its_file() {
    let rig = Rig::with_task();
    rig.ok("task_add", json!({"task": "TASK-001", "parent_step": "s:0", "title": "Node"}));
    rig.ok(
        "decompose",
        json!({"task": "TASK-001", "parent": "s:0.t:0", "steps": [step("Below the node", true)]}),
    );
    rig.ok(
        "close_step",
        json!({"task": "TASK-001", "path": "s:0.t:0.s:0", "checks": ["make"],
        "checkpoints": {"criteria": {"confirmed": true, "note": "n"}, "tests": {"confirmed": true}}}),
    );
    rig.ok(
        "evidence_capture",
        json!({"task": "TASK-001", "path": "s:0", "artifacts": [{"kind": "diff", "diff": "d"}]}),
    );
    let exported = rig.ok("storage", json!({"action": "export"}));
    for f in exported["files"].as_array().unwrap() {
        let (item, _) = file::decode(&text(&f["path"]), &text(&f["text"])).unwrap();
        let encoded = text(&f["text"]);
        let rev = encoded.lines().find_map(|l| l.strip_prefix("revision: ")).unwrap();
        assert_eq!(file::encode(&item, rev.parse().unwrap()).unwrap(), encoded);
    }
}
