//! The same calls on a store of 10, 1,000 and 100,000 packs: their cost must be their page, not the store.

use serde_json::json;

use crate::client::{self, Direct};
use crate::herd::Herd;
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

struct Store {
    client: Direct,
    list: String,
    page: String,
    get: String,
    next: u64,
    _daemon: Daemon,
    _home: Home,
}

impl Store {
    fn new(packs: u64) -> Store {
        let home = Home::new();
        let daemon = home.start();
        fill(&home, packs);
        let mut client = client::direct(&home);
        let listed = client.call("input", json!({"action": "list", "limit": 20}));
        let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
        assert_eq!(listed["payload"]["total"], json!(packs), "the store is not filled");
        let id = listed["payload"]["packs"][5]["id"].clone();
        Store {
            client,
            list: client::call(1, "input", &json!({"action": "list", "limit": 20})),
            // Of the same length everywhere, while twenty are more than the smallest store has.
            page: client::call(1, "input", &json!({"action": "list", "limit": 10})),
            get: client::call(2, "input", &json!({"action": "get", "id": id})),
            next: packs,
            _daemon: daemon,
            _home: home,
        }
    }

    fn list(&mut self, samples: &mut Samples) {
        samples.time(|| self.client.round(&self.list).len());
    }

    fn page(&mut self, samples: &mut Samples) {
        samples.time(|| self.client.round(&self.page).len());
    }

    fn get(&mut self, samples: &mut Samples) {
        samples.time(|| self.client.round(&self.get).len());
    }

    fn create(&mut self, samples: &mut Samples) {
        self.next += 1;
        let request = client::create(self.next);
        samples.time(|| self.client.round(&request).len());
    }
}

/// Creates this many packs, many at a time.
pub fn fill(home: &Home, packs: u64) {
    Herd::new(home, 4).run(packs, 64, client::create);
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let largest = if plan.quick { 20_000 } else { 100_000 };
    let mut stores = [10, 1_000, largest].map(Store::new);
    type Step = fn(&mut Store, &mut Samples);
    let steps: [(&str, Step, usize); 4] = [
        ("`input list limit=20`", Store::list, 100),
        ("`input list limit=10`", Store::page, 100),
        ("`input get`", Store::get, 100),
        ("`input create`", Store::create, 20),
    ];
    for (name, step, each) in steps {
        let [small, medium, large] = &mut stores;
        let [small, medium, large] = in_turn(
            plan.times(12),
            each,
            [&mut |s| step(small, s), &mut |s| step(medium, s), &mut |s| step(large, s)],
        );
        for (packs, samples) in [(1_000, medium), (largest, large)] {
            let what = format!("{name} at {packs} packs (p50; floor: itself at 10 packs)");
            table.add(what, samples.p50(), small.p50(), time, Goal::Times(1.5));
        }
    }
}
