//! `find` in a store of 100 and of 20,000 packs: what a search costs is what it shows.

use serde_json::json;

use crate::client::{self, Direct};
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, time};
use crate::scale::fill;

const FEW: u64 = 100;
const MANY: u64 = 20_000;
/// The beginning of some numbers in titles, words of every pack, and a word of none.
const QUERIES: [(&str, &str); 3] = [
    ("a beginning of words (1 pack among 100, 111 among 20000)", "77"),
    ("common words", "pack reader"),
    ("no word", "nowhere"),
];

struct Store {
    client: Direct,
    _daemon: Daemon,
    _home: Home,
}

impl Store {
    fn new(packs: u64) -> Store {
        let home = Home::new();
        let daemon = home.start();
        fill(&home, packs);
        Store { client: client::direct(&home), _daemon: daemon, _home: home }
    }
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let (mut few, mut many) = (Store::new(FEW), Store::new(MANY));
    for (what, query) in QUERIES {
        let call = client::call(1, "find", &json!({"query": query, "kinds": ["packs"]}));
        let (mut floor, mut samples) = (Samples::default(), Samples::default());
        for _ in 0..plan.times(200) {
            floor.time(|| few.client.round(&call).len());
            samples.time(|| many.client.round(&call).len());
        }
        let row = format!("`find` by {what} among {MANY} packs (floor: among {FEW})");
        table.add(row, samples.p50(), floor.p50(), time, Goal::Times(3.0));
    }
}
