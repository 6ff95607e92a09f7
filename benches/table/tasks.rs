//! The task tools on 10, 1,000 and 20,000 tasks of four steps each, and a start over the largest store.

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::herd::Herd;
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, on_one_core, time};

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

pub fn measure(plan: &Plan, table: &mut Table) {
    let largest = if plan.quick { 5_000 } else { 20_000 };
    on_one_core(|| compare(plan, table, largest));
}

fn compare(plan: &Plan, table: &mut Table, largest: u64) {
    let mut stores = [10, 1_000, largest].map(Store::new);
    type Step = fn(&mut Store, &mut Samples);
    let steps: [(&str, Step, usize); 7] = [
        ("radar", Store::radar, 50),
        ("context limit=10", Store::context, 50),
        ("lint", Store::lint, 50),
        ("history limit=10", Store::history, 50),
        ("create", Store::create, 20),
        ("patch", Store::patch, 20),
        ("undo", Store::undo, 20),
    ];
    for (name, step, each) in steps {
        let [small, medium, large] = &mut stores;
        let [small, medium, large] = in_turn(
            plan.times(12),
            each,
            [&mut |s| step(small, s), &mut |s| step(medium, s), &mut |s| step(large, s)],
        );
        for (tasks, samples) in [(1_000, medium), (largest, large)] {
            let what = format!("tasks {name} at {tasks} tasks (p50; floor: itself at 10)");
            table.add(what, samples.p50(), small.p50(), time, Goal::Times(1.5));
        }
    }
    let mut empty = Store::new(0);
    let [.., large] = &mut stores;
    let [empty, large] = in_turn(plan.times(12), 1, [&mut |s| empty.start(s), &mut |s| large.start(s)]);
    let what = format!("daemon start with {largest} tasks (p50; floor: an empty store)");
    table.add(what, large.p50(), empty.p50(), time, Goal::Times(20.0));
}
