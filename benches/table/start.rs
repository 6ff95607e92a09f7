//! From starting the shim to its first reply: with a daemon, without one, and after one was killed.

use std::io::{BufRead, BufReader, Write};
use std::process::Command;

use crate::client::{self, INITIALIZE};
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

/// An editor's view of a start: spawn, ask, first line back. Waiting for the end is not part of it.
fn first_reply(home: &Home, samples: &mut Samples) {
    let mut child = None;
    samples.time(|| {
        let mut shim = home.shim().spawn().expect("the shim starts");
        let mut stdin = shim.stdin.take().expect("a pipe");
        stdin.write_all(format!("{INITIALIZE}\n").as_bytes()).expect("the shim reads");
        let mut line = String::new();
        BufReader::new(shim.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a reply");
        assert!(client::is_reply(&line) && line.contains("serverInfo"), "not a first reply: {line}");
        child = Some((shim, stdin));
    });
    if let Some((mut shim, stdin)) = child {
        drop(stdin);
        shim.wait().expect("the shim ends");
    }
}

pub fn spawn_true(samples: &mut Samples) {
    samples.time(|| Command::new("/bin/true").status().expect("/bin/true runs"));
}

pub fn warm(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let _daemon = home.start();
    let mut shim = |samples: &mut Samples| first_reply(&home, samples);
    let [shim, floor] = in_turn(plan.times(20), 10, [&mut shim, &mut spawn_true]);
    let what = "shim start to first reply, daemon warm (p50; floor: spawn of /bin/true)";
    // The goal of a statically linked shim; a dynamic one would have 1.5.
    table.add(what, shim.p50(), floor.p50(), time, Goal::Times(1.25));
    table.add("  the same at p10", shim.quantile(0.1), floor.quantile(0.1), time, Goal::Times(1.25));
}

pub fn cold(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    first_reply(&home, &mut Samples::default());
    let write = || client::direct(&home).round(&client::create(1)).len();
    let mut stopped = |samples: &mut Samples| {
        home.stop();
        first_reply(&home, samples);
        write();
    };
    let mut killed = |samples: &mut Samples| {
        home.kill();
        first_reply(&home, samples);
        write();
    };
    let [clean, crashed, floor] = in_turn(plan.times(12), 4, [&mut stopped, &mut killed, &mut spawn_true]);
    let what = "cold start to first reply, no daemon (p50; floor: spawn of /bin/true)";
    table.add(what, clean.p50(), floor.p50(), time, Goal::Times(8.0));
    table.add(
        "  the same right after a write and kill -9",
        crashed.p50(),
        floor.p50(),
        time,
        Goal::Times(8.0),
    );
}
