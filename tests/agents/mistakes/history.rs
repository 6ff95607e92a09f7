//! Mistakes with the log, with finding things, and with names of tools.

use serde_json::json;

use super::super::rig::Agent;
use super::{odd, other, recover, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    let mut agent = Agent::new(&place, &[]);
    agent.ok("tasks_create", json!({"kind": "plan", "title": "Release"}));
    let id = agent.ok("history_list", json!({}))["operations"][0]["operation_id"].clone();
    let one = json!({"operation_id": id});
    let log = vec![
        wrong("history_list", json!({"family": "pack"}), &["packs"], json!({"family": "packs"})),
        wrong(
            "history_list",
            json!({"tool": "task_create"}),
            &["no such tool", "'tasks_create'"],
            json!({"tool": "tasks_create"}),
        ),
        odd(
            "history_list",
            json!({"target": "PLAN-01"}),
            &["Did you mean 'PLAN-001'?"],
            json!({"target": "PLAN-001"}),
        ),
        wrong("history_list", json!({"stream": "op"}), &["ops, audit"], json!({"stream": "ops"})),
        wrong("history_list", json!({"limit": "many"}), &["must be of type integer"], json!({"limit": "5"})),
        wrong("history_list", json!({"before": "x"}), &["is not an operation"], json!({"before": id})),
        wrong("history_delta", json!({"since": "x"}), &["is not an operation"], json!({"since": id})),
        wrong("history_show", json!({"id": id}), &["Did you mean 'operation_id'?"], one.clone()),
        other("history_show", json!({"operation_id": "x"}), &["history_list"], "history_list", json!({})),
        wrong("history_show", json!({}), &["'operation_id'"], one.clone()),
        other(
            "history_undo",
            one.clone(),
            &["history_revert"],
            "history_revert",
            json!({"operation_id": id, "mode": "plan"}),
        ),
        wrong("history_undo", json!({"yes": "true"}), &["must be of type boolean"], json!({"mode": "plan"})),
        wrong(
            "history_undo",
            json!({"family": "task"}),
            &["tasks"],
            json!({"family": "tasks", "mode": "plan"}),
        ),
        wrong(
            "history_revert",
            json!({"id": id}),
            &["'operation_id' is required", "'id' is not a field"],
            json!({"operation_id": id, "mode": "plan"}),
        ),
        wrong(
            "find",
            json!({"q": "release"}),
            &["'query' is required", "'q' is not a field"],
            json!({"query": "release"}),
        ),
        wrong(
            "find",
            json!({"query": "release", "kinds": "tasks"}),
            &["Send [\"tasks\"]"],
            json!({"query": "release", "kinds": ["tasks"]}),
        ),
        wrong(
            "find",
            json!({"query": "release", "kinds": ["task"]}),
            &["packs, tasks, operations"],
            json!({"query": "release", "kinds": ["tasks"]}),
        ),
        other("task_ready", json!({}), &["'tasks_ready'"], "tasks_ready", json!({})),
        other("history", json!({}), &["history_list"], "history_list", json!({})),
        other("nowadays", json!({}), &["tools/list"], "now", json!({})),
    ];
    recover(&mut agent, log)
}
