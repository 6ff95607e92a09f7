//! Opening a large store: after an orderly end, after `kill -9` of a daemon that had nothing to do, and of one that
//! was writing.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client;
use crate::herd::Herd;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, time};
use crate::start::spawn_true;

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
    let (mut clean, mut killed, mut busy) = (Samples::default(), Samples::default(), Samples::default());
    let mut floor = Samples::default();
    for _ in 0..plan.times(12) {
        (0..5).for_each(|_| spawn_true(&mut floor));
        home.stop();
        drop(daemon);
        daemon = ready(&home, &mut clean);
        client::direct(&home).round(&client::create(1));
        // There is no event to wait for: what is measured is what idleness was used for.
        std::thread::sleep(IDLE);
        daemon.kill();
        drop(daemon);
        daemon = ready(&home, &mut killed);
        // Killed with writes under way that nobody has been told of.
        let mut herd = Herd::new(&home, 4);
        herd.run(64, 4, client::create);
        herd.ask(64, client::create);
        daemon.kill();
        drop((herd, daemon));
        daemon = ready(&home, &mut busy);
    }
    let size = size(&home) / 1_000_000;
    let what = format!("start to ready at {size} MB after an orderly end (p50; floor: spawn of /bin/true)");
    table.add(what, clean.p50(), floor.p50(), time, Goal::Times(8.0));
    table.add("  after kill -9 in mid-write", busy.p50(), floor.p50(), time, Goal::Times(30.0));
    let what = "  after kill -9 of an idle daemon (floor: after an orderly end)";
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
