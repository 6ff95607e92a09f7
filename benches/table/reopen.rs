//! Opening a large store: after an orderly end, and after `kill -9` of a daemon that had nothing to do.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client;
use crate::herd::Herd;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, time};

const BRIEF: usize = 200 * 1024;
/// Longer than the daemon waits before it makes the next crash cheap.
const IDLE: Duration = Duration::from_millis(700);

pub fn measure(plan: &Plan, table: &mut Table) {
    let bytes: u64 = if plan.quick { 250 << 20 } else { 1 << 30 };
    let home = Home::new();
    let mut daemon = home.start();
    let brief = "words ".repeat(BRIEF / 6);
    let large = |n| {
        let args = json!({"action": "create", "ttl_minutes": 1440, "title": format!("{n}"), "brief": brief});
        client::call(n, "input", &args)
    };
    while size(&home) < bytes {
        Herd::new(&home, 4).run(64, 4, large);
    }
    let (mut clean, mut killed) = (Samples::default(), Samples::default());
    for _ in 0..plan.times(12) {
        home.stop();
        drop(daemon);
        daemon = ready(&home, &mut clean);
        client::direct(&home).round(&client::create(1));
        // There is no event to wait for: what is measured is what idleness was used for.
        std::thread::sleep(IDLE);
        daemon.kill();
        drop(daemon);
        daemon = ready(&home, &mut killed);
    }
    let what = format!(
        "start to ready at {} MB after idle kill -9 (p50; floor: after an orderly end)",
        size(&home) / 1_000_000
    );
    table.add(what, killed.p50(), clean.p50(), time, Goal::Above(20_000.0));
}

fn ready(home: &Home, samples: &mut Samples) -> crate::home::Daemon {
    let began = Instant::now();
    let daemon = home.start();
    samples.push(began.elapsed());
    daemon
}

fn size(home: &Home) -> u64 {
    std::fs::metadata(home.database()).map_or(0, |meta| meta.len())
}
