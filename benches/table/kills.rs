//! `kill -9` in the middle of writes, again and again: what was acknowledged is there, once.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client;
use crate::home::Home;
use crate::measure::{Goal, Plan, Table, count};

const CLIENTS: usize = 4;

pub fn measure(plan: &Plan, table: &mut Table) {
    let kills = if plan.quick { 20 } else { 1_000 };
    let home = Home::new();
    let (mut lost, mut twice, mut acknowledged) = (0, 0, 0);
    for round in 0..kills {
        let mut daemon = home.start();
        let began = Instant::now();
        // Killed at another moment each time.
        let until = Duration::from_millis(10 + (round * 7) % 40);
        let said: Vec<String> = std::thread::scope(|scope| {
            let write = |n: usize| {
                let home = &home;
                scope.spawn(move || until_the_end(home, &format!("{round}-{n}")))
            };
            let writers: Vec<_> = (0..CLIENTS).map(write).collect();
            std::thread::sleep(until.saturating_sub(began.elapsed()));
            daemon.kill();
            writers.into_iter().flat_map(|writer| writer.join().expect("a writer ends")).collect()
        });
        drop(daemon);
        let daemon = home.start();
        let there = titles(&home, &format!("{round}-"));
        drop(daemon);
        acknowledged += said.len();
        lost += said.iter().filter(|title| !there.contains_key(*title)).count();
        twice += there.values().filter(|times| **times > 1).count();
    }
    let what = format!("`kill -9` in a write loop, {kills} kills, {acknowledged} acknowledged: lost");
    table.add_alone(what, lost as f64, count, Goal::AtMost(0.0));
    table.add_alone("  applied twice", twice as f64, count, Goal::AtMost(0.0));
}

/// Creates packs until the daemon is gone; the titles of those it acknowledged.
fn until_the_end(home: &Home, name: &str) -> Vec<String> {
    let mut stream = client::connected(home);
    let mut from = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut said = Vec::new();
    for n in 0.. {
        let title = format!("{name}-{n}");
        let args = json!({"action": "create", "ttl_minutes": 1440, "title": title, "brief": "b"});
        let mut line = String::new();
        let asked = stream.write_all(format!("{}\n", client::call(n, "input", &args)).as_bytes());
        if asked.is_err() || !matches!(from.read_line(&mut line), Ok(1..)) || !line.ends_with('\n') {
            return said;
        }
        if line.contains(r#""isError":false"#) {
            said.push(title);
        }
    }
    said
}

/// How often each title that begins so is there.
fn titles(home: &Home, begin: &str) -> HashMap<String, usize> {
    let mut client = client::direct(home);
    let mut all = HashMap::new();
    let mut offset = 0;
    loop {
        let args = json!({"action": "list", "limit": 100, "offset": offset});
        let page: Value = serde_json::from_str(&client.call("input", args)).expect("JSON");
        let packs = page["payload"]["packs"].as_array().cloned().unwrap_or_default();
        let mut ours = 0;
        for title in packs.iter().filter_map(|pack| pack["title"].as_str()).filter(|t| t.starts_with(begin)) {
            *all.entry(title.to_string()).or_default() += 1;
            ours += 1;
        }
        offset += packs.len();
        // The newest come first: a page without any of this round is behind all of them.
        if packs.is_empty() || ours == 0 {
            return all;
        }
    }
}
