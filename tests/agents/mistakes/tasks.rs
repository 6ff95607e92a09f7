//! Mistakes with plans, tasks and steps.

use serde_json::{Value, json};

use super::super::rig::Agent;
use super::{Mistake, led, odd, other, plan, recover, with, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    let mut agent = Agent::new(&place, &[]);
    agent.ok("tasks_create", json!({"kind": "plan", "title": "Release"}));
    let step = |n: usize| json!({"title": format!("Step {n}"), "success_criteria": ["It works"], "tests": ["cargo test"]});
    let steps: Vec<Value> = (0..3).map(step).collect();
    let task =
        json!({"parent": "PLAN-001", "title": "Search", "success_criteria": ["It finds"], "steps": steps});
    agent.ok("tasks_create", task);
    let tables = [creating(), closing(), evidence(), editing(), choosing()];
    tables.into_iter().map(|table| recover(&mut agent, table)).sum()
}

fn creating() -> Vec<Mistake> {
    let task = json!({"parent": "PLAN-001", "title": "T", "mode": "plan"});
    let step = json!({"title": "S", "success_criteria": ["c"]});
    let wrong = |more: Value, says: &[&'static str], mended: Value| {
        wrong("tasks_create", with(&task, more), says, with(&task, mended))
    };
    vec![
        wrong(
            json!({"acceptance_criteria": ["c"]}),
            &["'acceptance_criteria'", "Did you mean 'success_criteria'?"],
            json!({"success_criteria": ["c"]}),
        ),
        wrong(json!({"title": null}), &["'title' is required"], json!({})),
        wrong(
            json!({"steps": [{"title": "S"}, {"success_criteria": ["c"]}]}),
            &["steps[0]", "success_criteria", "steps[1]", "title"],
            json!({"steps": [step]}),
        ),
        wrong(
            json!({"steps": [with(&step, json!({"test": ["true"]}))]}),
            &["steps[0].test", "Did you mean 'tests'?"],
            json!({"steps": [with(&step, json!({"tests": ["true"]}))]}),
        ),
        wrong(json!({"steps": "do it"}), &["must be a list", "A step is {title"], json!({"steps": [step]})),
        wrong(json!({"kind": "epic"}), &["plan or task"], json!({"kind": "task"})),
        wrong(json!({"depends_on": ["TASK-77"]}), &["existing tasks"], json!({"depends_on": ["TASK-001"]})),
        wrong(
            json!({"depends_on": "TASK-001"}),
            &["[\\\"TASK-001\\\"]"],
            json!({"depends_on": ["TASK-001"]}),
        ),
        wrong(json!({"priority": "URGENT"}), &["LOW, MEDIUM or HIGH"], json!({"priority": "HIGH"})),
        wrong(json!({"parent": "Release"}), &["PLAN-001"], json!({})),
        wrong(json!({"parent": "PLAN-9"}), &["PLAN-001"], json!({})),
        wrong(json!({"parent": null, "kind": "task"}), &["PLAN-001"], json!({})),
    ]
}

fn closing() -> Vec<Mistake> {
    let confirmed = json!({"confirmed": true});
    let both = json!({"criteria": confirmed, "tests": confirmed});
    let close = json!({"task": "TASK-001", "path": "s:0", "checkpoints": both, "mode": "plan"});
    let wrong_close = |more: Value, says: &[&'static str]| {
        wrong("tasks_close_step", with(&close, more), says, close.clone())
    };
    let captured = json!({"task": "TASK-001", "path": "s:0", "verification_outcome": "pass", "mode": "plan"});
    vec![
        wrong_close(json!({"checkpoints": null}), &["'checkpoints' is required", "{\\\"confirmed\\\":true}"]),
        wrong_close(json!({"path": "s:9"}), &["nothing at s:9", "s:0, s:1, s:2"]),
        wrong_close(json!({"path": "0"}), &["is not the path of a step", "s:0, s:1, s:2"]),
        wrong_close(json!({"path": null}), &["'path' is required", "s:0, s:1, s:2"]),
        wrong_close(json!({"checkpoints": {"criteria": confirmed}}), &["still needs: tests"]),
        wrong_close(
            json!({"checkpoints": {"criteria": true, "tests": true}}),
            &["checkpoints.criteria, checkpoints.tests", "\\\"tests\\\":{\\\"confirmed\\\":true}"],
        ),
        wrong_close(json!({"checkpoints": ["criteria", "tests"]}), &["must be an object"]),
        wrong_close(json!({"checkpoints": {"criterion": confirmed}}), &["names: criteria, tests"]),
        wrong_close(
            json!({"checkpoints": {"criteria": {"confirmed": "true"}, "tests": confirmed}}),
            &["checkpoints.criteria does not say confirmed:true"],
        ),
        wrong_close(json!({"task": "TASK-1"}), &["Did you mean TASK-001"]),
        wrong_close(json!({"task": "Search"}), &["task=\\\"TASK-001\\\""]),
        // A revision is looked at by the doing alone.
        wrong(
            "tasks_note",
            json!({"task": "TASK-001", "path": "s:0", "note": "n", "expected_revision": 7}),
            &["is at revision 1"],
            json!({"task": "TASK-001", "path": "s:0", "note": "n", "expected_revision": 1}),
        ),
        other(
            "tasks_close_task",
            json!({"task": "TASK-001", "apply": true}),
            &["steps are still open", "tasks_evidence_capture"],
            "tasks_evidence_capture",
            captured.clone(),
        ),
        wrong(
            "tasks_close_task",
            json!({"task": "TASK-001", "apply": "true"}),
            &["Send the boolean true"],
            json!({"task": "TASK-001", "apply": false}),
        ),
        wrong(
            "tasks_complete",
            json!({"task": "TASK-001", "status": "FINISHED"}),
            &["TODO, ACTIVE or DONE"],
            json!({"task": "TASK-001", "status": "ACTIVE", "mode": "plan"}),
        ),
        led(
            "tasks_complete",
            json!({"plan": "PLAN-001", "status": "DONE"}),
            &["TASK-001 of PLAN-001 is still open"],
        ),
        wrong(
            "tasks_done",
            json!({"task": "TASK-001", "path": "s:0", "force": true}),
            &["override_reason"],
            plan(&json!({"task": "TASK-001", "path": "s:0", "force": true, "override_reason": "given up"})),
        ),
    ]
}

fn evidence() -> Vec<Mistake> {
    let at = json!({"task": "TASK-001", "path": "s:0", "mode": "plan"});
    let output = json!([{"kind": "cmd_output", "command": "cargo test", "stdout": "ok"}]);
    let capture = with(&at, json!({"artifacts": output}));
    let note = with(&at, json!({"note": "n"}));
    let wrong_capture = |more: Value, says: &[&'static str]| {
        wrong("tasks_evidence_capture", with(&at, more), says, capture.clone())
    };
    vec![
        wrong_capture(json!({}), &["nothing to capture", "artifacts"]),
        wrong_capture(json!({"artifacts": [{"kind": "log", "stdout": "x"}]}), &["cmd_output, diff or url"]),
        wrong_capture(json!({"artifacts": [{"kind": "cmd_output"}]}), &["'stdout', 'stderr' or 'exit_code'"]),
        wrong_capture(json!({"output": "x"}), &["'output' is not a field", "artifacts"]),
        wrong("tasks_note", at.clone(), &["'note' is required"], note.clone()),
        wrong(
            "tasks_note",
            with(&at, json!({"text": "n"})),
            &["'text' is not a field", "note"],
            note.clone(),
        ),
        wrong("tasks_note", json!({"path": "s:0", "note": "n"}), &["task=\\\"TASK-001\\\""], note.clone()),
        wrong(
            "tasks_verify",
            with(&at, json!({"checkpoints": {"criteria": {"confirmed": false}}})),
            &["{\\\"confirmed\\\":true}"],
            with(&at, json!({"checkpoints": {"criteria": {"confirmed": true}}})),
        ),
        wrong(
            "tasks_evidence_capture",
            with(&at, json!({"verification_outcome": "<fill: pass or fail, and why>"})),
            &["<fill: pass or fail, and why>", "in its place"],
            with(&at, json!({"verification_outcome": "pass"})),
        ),
    ]
}

fn editing() -> Vec<Mistake> {
    let task = json!({"task": "TASK-001", "mode": "plan"});
    let set = |field: &str| with(&task, json!({"ops": [{"op": "set", "field": field, "value": "x"}]}));
    let note = json!({"intent": "note", "task": "TASK-001", "path": "s:0", "note": "n"});
    let batch = plan(&json!({"operations": [note]}));
    let in_batch = |op: Value, says: &[&'static str]| {
        wrong("tasks_batch", plan(&json!({"operations": [op]})), says, batch.clone())
    };
    vec![
        wrong(
            "tasks_patch",
            with(&task, json!({"ops": [{"op": "replace", "field": "description", "value": "x"}]})),
            &["set|unset|append|remove"],
            set("description"),
        ),
        wrong("tasks_patch", set("descr"), &["Its fields: title, description"], set("description")),
        other(
            "tasks_patch",
            set("status"),
            &["tasks_complete"],
            "tasks_complete",
            with(&task, json!({"status": "ACTIVE"})),
        ),
        wrong(
            "tasks_patch",
            task.clone(),
            &["'ops' is required", "\\\"op\\\":\\\"set\\\""],
            set("description"),
        ),
        wrong(
            "tasks_edit",
            task.clone(),
            &["description, context"],
            with(&task, json!({"description": "d"})),
        ),
        other(
            "tasks_edit",
            with(&task, json!({"title": "T"})),
            &["tasks_patch", "\\\"title\\\""],
            "tasks_patch",
            set("title"),
        ),
        other(
            "tasks_edit",
            with(&task, json!({"status": "DONE", "description": "d"})),
            &["tasks_complete"],
            "tasks_complete",
            with(&task, json!({"status": "ACTIVE"})),
        ),
        in_batch(
            json!({"tool": "tasks_note", "task": "TASK-001"}),
            &["'intent'", "\\\"intent\\\":\\\"note\\\""],
        ),
        in_batch(with(&note, json!({"intent": "tasks_note"})), &["Did you mean 'note'?"]),
        wrong(
            "tasks_batch",
            plan(&json!({"ops": [note]})),
            &["'ops' is not a field", "operations"],
            batch.clone(),
        ),
        wrong(
            "tasks_decompose",
            task.clone(),
            &["'steps' is required"],
            with(&task, json!({"steps": [{"title": "S", "success_criteria": ["c"]}]})),
        ),
        wrong(
            "tasks_task_add",
            with(&task, json!({"title": "N"})),
            &["'parent_step' is required", "s:0"],
            with(&task, json!({"title": "N", "parent_step": "s:0"})),
        ),
        wrong(
            "tasks_plan",
            json!({"plan": "PLAN-001", "steps": "x"}),
            &["must be a list", "[\\\"x\\\"]"],
            plan(&json!({"plan": "PLAN-001", "steps": ["x"]})),
        ),
        odd("tasks_delete", json!({"task": "TASK-9"}), &["There is no TASK-9"], task.clone()),
    ]
}

fn choosing() -> Vec<Mistake> {
    let task = json!({"task": "TASK-001"});
    vec![
        wrong("tasks_radar", json!({}), &["TASK-001"], task.clone()),
        wrong("tasks_resume", json!({"task": "TASK-9"}), &["TASK-001"], task.clone()),
        wrong("tasks_focus_set", json!({"task": "Nope"}), &["TASK-001"], task.clone()),
        wrong(
            "tasks_context",
            json!({"status": "ACTIVE"}),
            &["'status'", "tasks_status"],
            json!({"tasks_status": ["ACTIVE"]}),
        ),
        wrong("tasks_history", json!({"stream": "op"}), &["ops or audit"], json!({"stream": "ops"})),
        wrong("tasks_delta", json!({"since": "nope"}), &["is not an operation"], json!({})),
        wrong(
            "tasks_scaffold",
            json!({"template": "bug", "title": "Fix it", "parent": "PLAN-001", "kind": "task"}),
            &["bugfix"],
            json!({"template": "bugfix", "title": "Fix it", "parent": "PLAN-001", "kind": "task"}),
        ),
        led("tasks_claim", json!({}), &["next=true"]),
        wrong(
            "tasks_claim",
            json!({"task": "TASK-001", "minutes": 5}),
            &["'minutes' is not a field", "Did you mean 'lease_minutes'?"],
            json!({"task": "TASK-001", "lease_minutes": 5}),
        ),
    ]
}
