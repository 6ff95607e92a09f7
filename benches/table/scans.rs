//! A ping of one session while three others scan the log and the index in a loop: nobody waits for another's scan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::client;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, time};
use crate::scale::fill;

const OPERATIONS: u64 = 20_000;
const SCANNERS: usize = 3;
const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

pub fn measure(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let _daemon = home.start();
    fill(&home, OPERATIONS);
    let pings = |n: usize| {
        let mut client = client::direct(&home);
        let mut samples = Samples::default();
        (0..n).for_each(|_| samples.run(|| client.round(PING).len()));
        samples
    };
    let quiet = pings(plan.times(4_000));
    let over = Arc::new(AtomicBool::new(false));
    let busy = std::thread::scope(|scope| {
        for n in 0..SCANNERS {
            let (over, home) = (Arc::clone(&over), &home);
            scope.spawn(move || {
                let mut client = client::direct(home);
                let calls = [
                    client::call(1, "history_list", &json!({"tool": "no such tool", "limit": 500})),
                    client::call(2, "history_delta", &json!({"session": "nobody"})),
                    client::call(3, "input", &json!({"action": "list", "query": "nothing like this"})),
                ];
                for call in calls.iter().cycle().skip(n).take_while(|_| !over.load(Ordering::Relaxed)) {
                    client.round(call);
                }
            });
        }
        let busy = pings(plan.times(4_000));
        over.store(true, Ordering::Relaxed);
        busy
    });
    let what =
        format!("`ping` while {SCANNERS} sessions scan {OPERATIONS} operations (p99; floor: nobody scans)");
    table.add(what, busy.p99(), quiet.p99(), time, Goal::AtMost(5_000.0));
    table.add("  the same at p50", busy.p50(), quiet.p50(), time, Goal::AtMost(5_000.0));
}
