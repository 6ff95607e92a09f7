//! The same calls on a store of 10, 1,000 and 100,000 packs: their cost must be their page, not the store.

use serde_json::json;

use crate::client::{self, Direct};
use crate::herd::Herd;
use crate::home::{Daemon, Home};
use crate::measure::{Plan, Samples, Step, Table, by_size, together_on_one_core};

struct Store {
    client: Direct,
    list: String,
    page: String,
    get: String,
    next: u64,
    daemon: Daemon,
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
            daemon,
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
    let sizes = [10, 1_000, largest];
    let mut stores = sizes.map(Store::new);
    let reads: [Step<Store>; 3] = [
        ("`input list limit=20`", Store::list, 100),
        ("`input list limit=10`", Store::page, 100),
        ("`input get`", Store::get, 100),
    ];
    let writes: [Step<Store>; 1] = [("`input create`", Store::create, 20)];
    let daemons = [0, 1, 2].map(|n: usize| stores[n].daemon.pid());
    together_on_one_core(&daemons, || by_size(plan, table, "packs", sizes, &mut stores, &reads));
    by_size(plan, table, "packs", sizes, &mut stores, &writes);
}
