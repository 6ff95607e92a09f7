//! The task tools on 10, 1,000 and 20,000 tasks of four steps each, and a start over the largest store.

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::herd::Herd;
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Step, Table, by_size, in_turn, on_one_core, time};

struct Store {
    client: Direct,
    next: u64,
    daemon: Option<Daemon>,
    home: Home,
}

fn create(n: u64) -> String {
    let step =
        |i: u64| json!({"title": format!("Step {i}"), "success_criteria": ["it works"], "tests": ["true"]});
    let steps: Vec<Value> = (0..4).map(step).collect();
    let args =
        json!({"kind": "task", "parent": "PLAN-001", "title": format!("Task number {n}"), "steps": steps});
    client::call(n, "tasks_create", &args)
}

impl Store {
    fn new(tasks: u64) -> Store {
        let home = Home::new();
        let daemon = Some(home.start());
        let mut client = client::direct(&home);
        client.call("tasks_create", json!({"kind": "plan", "title": "Plan"}));
        Herd::new(&home, 4).run(tasks, 64, create);
        Store { client, next: tasks, daemon, home }
    }

    fn call(&mut self, samples: &mut Samples, tool: &str, args: &Value) {
        let request = client::call(1, tool, args);
        let ok = samples.time(|| self.client.round(&request).contains(r#""success":true"#));
        assert!(ok, "{tool} failed");
    }

    fn radar(&mut self, samples: &mut Samples) {
        self.call(samples, "tasks_radar", &json!({"task": "TASK-005"}));
    }

    fn context(&mut self, samples: &mut Samples) {
        self.call(
            samples,
            "tasks_context",
            &json!({"include_all": true, "tasks_limit": 10, "plans_limit": 10}),
        );
    }

    fn lint(&mut self, samples: &mut Samples) {
        self.call(samples, "tasks_lint", &json!({"task": "TASK-005"}));
    }

    fn history(&mut self, samples: &mut Samples) {
        self.call(samples, "tasks_history", &json!({"limit": 10}));
    }

    fn create(&mut self, samples: &mut Samples) {
        self.next += 1;
        let request = create(self.next);
        samples.run(|| self.client.round(&request).len());
    }

    fn patch(&mut self, samples: &mut Samples) {
        self.next += 1;
        let ops = json!([{"op": "set", "field": "description", "value": format!("text {}", self.next)}]);
        self.call(samples, "tasks_patch", &json!({"task": "TASK-005", "ops": ops}));
    }

    /// There must be something to undo, which is not timed.
    fn undo(&mut self, samples: &mut Samples) {
        self.patch(&mut Samples::default());
        self.call(samples, "tasks_undo", &json!({}));
    }

    /// A start of the daemon over what is stored.
    fn start(&mut self, samples: &mut Samples) {
        self.home.stop();
        self.daemon.take();
        self.daemon = Some(samples.time(|| self.home.start()));
    }
}

/// A note on a step, in a task of ten steps and in one of two hundred, the most a call may bring.
pub fn notes(plan: &Plan, table: &mut Table) {
    on_one_core(|| {
        let mut stores = [10, 200].map(|steps: u64| {
            let mut store = Store::new(0);
            let step = |i: u64| json!({"title": format!("Step {i}"), "success_criteria": ["it works"]});
            let steps: Vec<Value> = (0..steps).map(step).collect();
            let args = json!({"kind": "task", "parent": "PLAN-001", "title": "A task", "steps": steps});
            store.client.call("tasks_create", args);
            store
        });
        let [small, large] = &mut stores;
        let note = |store: &mut Store, samples: &mut Samples| {
            store.next += 1;
            let text = format!("note {}", store.next);
            store.call(samples, "tasks_note", &json!({"task": "TASK-001", "path": "s:3", "note": text}));
        };
        let [small, large] = in_turn(plan.times(20), 20, [&mut |s| note(small, s), &mut |s| note(large, s)]);
        let what = "`tasks_note` on a task with 200 steps (p50; floor: with 10 steps)";
        table.add(what, large.p50(), small.p50(), time, Goal::Times(1.3));
    });
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let largest = if plan.quick { 5_000 } else { 20_000 };
    on_one_core(|| compare(plan, table, largest));
}

fn compare(plan: &Plan, table: &mut Table, largest: u64) {
    let sizes = [10, 1_000, largest];
    let mut stores = sizes.map(Store::new);
    let steps: [Step<Store>; 7] = [
        ("`tasks_radar`", Store::radar, 50),
        ("`tasks_context` limit=10", Store::context, 50),
        ("`tasks_lint`", Store::lint, 50),
        ("`tasks_history` limit=10", Store::history, 50),
        ("`tasks_create`", Store::create, 20),
        ("`tasks_patch`", Store::patch, 20),
        ("`tasks_undo`", Store::undo, 20),
    ];
    by_size(plan, table, "tasks", sizes, &mut stores, &steps);
    let mut empty = Store::new(0);
    let [.., large] = &mut stores;
    let [empty, large] = in_turn(plan.times(12), 1, [&mut |s| empty.start(s), &mut |s| large.start(s)]);
    let what = format!("daemon start with {largest} tasks (p50; floor: an empty store)");
    table.add(what, large.p50(), empty.p50(), time, Goal::Times(20.0));
}
