//! Pages of the history by each filter, undo, and the usual calls, at 100,000 operations beside 100.

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::home::{Daemon, Home};
use crate::measure::{Plan, Samples, Step, Table, by_size, on_one_core};
use crate::scale::fill;

struct Store {
    client: Direct,
    pack: String,
    session: String,
    next: u64,
    _daemon: Daemon,
    _home: Home,
}

impl Store {
    fn new(operations: u64) -> Store {
        let home = Home::new();
        let daemon = home.start();
        let mut client = client::direct(&home);
        let pack = client::pack_id(&client.call("input", create(0)));
        fill(&home, operations.saturating_sub(21));
        // Twenty of a session of their own, so that every filter has a full page of the same length.
        for n in 0..20 {
            client.call("input", create(n + 1));
        }
        let listed = client.call("history_list", json!({"limit": 1}));
        let listed: Value = serde_json::from_str(&listed).expect("JSON");
        let session = member(&listed, "session").expect("an operation has a session");
        Store { client, pack, session, next: operations, _daemon: daemon, _home: home }
    }

    fn page(&mut self, samples: &mut Samples, filter: Value) {
        let request = client::call(1, "history_list", &filter);
        let ok = samples.time(|| self.client.round(&request).contains(r#""isError":false"#));
        assert!(ok, "history_list {filter} failed");
    }

    fn any(&mut self, samples: &mut Samples) {
        self.page(samples, json!({"limit": 10}));
    }

    fn target(&mut self, samples: &mut Samples) {
        let pack = self.pack.clone();
        self.page(samples, json!({"target": pack, "limit": 10}));
    }

    fn family(&mut self, samples: &mut Samples) {
        self.page(samples, json!({"family": "packs", "limit": 10}));
    }

    fn tool(&mut self, samples: &mut Samples) {
        self.page(samples, json!({"tool": "input", "limit": 10}));
    }

    /// Nothing is found, and that must not take a walk through everything.
    fn no_tool(&mut self, samples: &mut Samples) {
        self.page(samples, json!({"tool": "tasks_note", "limit": 10}));
    }

    fn session(&mut self, samples: &mut Samples) {
        let session = self.session.clone();
        self.page(samples, json!({"session": session, "limit": 10}));
    }

    fn no_session(&mut self, samples: &mut Samples) {
        self.page(samples, json!({"session": "nobody", "limit": 10}));
    }

    fn create(&mut self, samples: &mut Samples) {
        self.next += 1;
        let request = client::create(self.next);
        samples.time(|| self.client.round(&request).len());
    }

    /// There must be something to undo, which is not timed.
    fn undo(&mut self, samples: &mut Samples) {
        self.create(&mut Samples::default());
        let request = client::call(1, "history_undo", &json!({}));
        let ok = samples.time(|| self.client.round(&request).contains(r#""isError":false"#));
        assert!(ok, "history_undo failed");
    }
}

fn create(n: u64) -> Value {
    json!({"action": "create", "ttl_minutes": 1440, "title": format!("Mine {n}"), "brief": "Of this session."})
}

/// The first text under this name, wherever it stands.
fn member(value: &Value, name: &str) -> Option<String> {
    match value {
        Value::Object(map) => {
            let own = map.get(name).and_then(Value::as_str).map(str::to_string);
            own.or_else(|| map.values().find_map(|value| member(value, name)))
        }
        Value::Array(items) => items.iter().find_map(|value| member(value, name)),
        _ => None,
    }
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let largest = if plan.quick { 20_000 } else { 100_000 };
    on_one_core(|| {
        let sizes = [100, 1_000, largest];
        let steps: [Step<Store>; 9] = [
            ("`history_list limit=10`", Store::any, 50),
            ("`history_list` by target", Store::target, 50),
            ("`history_list` by family", Store::family, 50),
            ("`history_list` by tool", Store::tool, 50),
            ("`history_list` by a tool nobody called", Store::no_tool, 20),
            ("`history_list` by session", Store::session, 50),
            ("`history_list` by a session that is none", Store::no_session, 20),
            ("`input create`", Store::create, 20),
            ("`history_undo`", Store::undo, 20),
        ];
        by_size(plan, table, "operations", sizes, &mut sizes.map(Store::new), &steps);
    });
}
