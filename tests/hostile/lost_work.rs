//! Nothing of the user's work disappears: commits, stashes, files, directories, tasks of a plan.

use serde_json::{Value, json};

use crate::common::real::Place;

fn call(place: &Place, tool: &str, args: &Value) -> Value {
    place.packd(&["call", tool, &args.to_string(), "--json"]).json()["structured"].clone()
}

#[test]
fn undoing_the_creation_of_a_plan_never_leaves_its_tasks_behind() {
    let place = Place::new();
    call(&place, "tasks_create", &json!({"kind": "plan", "title": "Plan"}));
    let made = call(&place, "history_list", &json!({}))["operations"][0]["operation_id"].clone();
    let steps = json!([{"title": "Step", "success_criteria": ["It works"], "tests": ["cargo test"]}]);
    let task =
        json!({"parent": "PLAN-001", "title": "Task", "success_criteria": ["It works"], "steps": steps});
    call(&place, "tasks_create", &task);
    let revert = json!({"operation_id": made});
    let said = place.packd(&["call", "history_revert", &revert.to_string()]).failed(1);
    assert!(said.contains("TASK-001") && said.contains("PLAN-001"), "{said}");
    let item = place.packd(&["call", "tasks_resume", r#"{"plan":"PLAN-001"}"#]).ok();
    assert!(item.contains("PLAN-001"), "the plan is still there: {item}");

    // With its task gone, the plan may go, and both come back in order.
    place.packd(&["undo"]).ok();
    place.packd(&["undo"]).ok();
    place.packd(&["redo"]).ok();
    place.packd(&["redo"]).ok();
    let both = place.packd(&["call", "tasks_resume", r#"{"task":"TASK-001"}"#]).ok();
    assert!(both.contains("TASK-001"), "{both}");
}
