//! What a write costs on disk: bytes written for it, by the thread that answers and in all, and bytes that stay.
//!
//! The counts are the kernel's own (`/proc/PID/io`), so they hold whatever the store does inside.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::home::Home;
use crate::measure::{Goal, Plan, Table, bytes};
use crate::scale::fill;

/// Longer than the daemon waits before it carries what was written to its final place.
const SETTLED: Duration = Duration::from_secs(2);

pub fn per_create(plan: &Plan, table: &mut Table) {
    let creates = if plan.quick { 2_000 } else { 10_000 };
    let home = Home::new();
    let daemon = home.start();
    let mut client = client::direct(&home);
    client.round(&client::create(1));
    std::thread::sleep(SETTLED);
    let floor = content(&mut client);
    let (all, writer) = (written(&format!("/proc/{}/io", daemon.pid())), by_writer(daemon.pid()));
    for n in 0..creates {
        client.round(&client::create(n + 2));
    }
    let writer = (by_writer(daemon.pid()) - writer) / creates as f64;
    std::thread::sleep(SETTLED);
    let all = (written(&format!("/proc/{}/io", daemon.pid())) - all) / creates as f64;
    let what = "bytes written per `input create` before its reply (floor: its row and record as JSON)";
    table.add(what, writer, floor, bytes, Goal::Times(2.0));
    let what = format!("  in all, over {creates} creates one by one");
    table.add(what, all, floor, bytes, Goal::Times(8.0));
}

pub fn per_operation(plan: &Plan, table: &mut Table) {
    let creates = if plan.quick { 2_000 } else { 10_000 };
    let home = Home::new();
    let mut daemon = home.start();
    fill(&home, creates);
    let mut client = client::direct(&home);
    let floor = content(&mut client);
    drop(client);
    home.packd(&["gc"]);
    home.stop();
    daemon.kill();
    let here = fs::read_dir(home.ipc().dir()).expect("a home").flatten();
    let kept = here.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("packd.redb") || name.starts_with("journal")
    });
    let size: u64 = kept.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum();
    let what =
        format!("bytes on disk per small operation, {creates} of them, after `packd gc` (floor: the same)");
    table.add(what, size as f64 / creates as f64, floor, bytes, Goal::Times(2.0));
}

/// What one create has to say: the pack, and the record of the operation.
fn content(client: &mut Direct) -> f64 {
    let list = client.call("history_list", json!({"limit": 1}));
    let list: Value = serde_json::from_str(&list).unwrap_or_default();
    let id = find_id(&list).expect("an operation");
    let record = client.call("history_show", json!({"operation_id": id})).len();
    record as f64
}

/// The first thing called an operation's id.
fn find_id(value: &Value) -> Option<String> {
    match value {
        Value::Object(map) => {
            let own = ["operation_id", "id"].iter().find_map(|name| map.get(*name)?.as_str());
            own.map(str::to_string).or_else(|| map.values().find_map(find_id))
        }
        Value::Array(items) => items.iter().find_map(find_id),
        _ => None,
    }
}

/// Bytes handed to the disk.
fn written(file: &str) -> f64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

/// The same by the threads that a reply waits for.
fn by_writer(pid: u32) -> f64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("threads").flatten();
    let name = |dir: &fs::DirEntry| fs::read_to_string(dir.path().join("comm")).unwrap_or_default();
    let writers = threads.filter(|thread| name(thread).contains("writer"));
    writers.map(|thread| written(&thread.path().join("io").to_string_lossy())).sum()
}
