//! Rendering a large pack, against reading the files it points into.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::client;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, on_one_core, time};

const FILES: usize = 50;
const LINES: usize = 400;
const REFS_PER_FILE: usize = 20;
const LINES_PER_REF: usize = 10;

pub fn measure(plan: &Plan, table: &mut Table) {
    on_one_core(|| on_it(plan, table));
}

fn on_it(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let files = sources(&home);
    let _daemon = home.start();
    let mut client = client::direct(&home);
    let args = json!({"action": "import", "document": document(), "ttl_minutes": 60});
    let id = client::pack_id(&client.call("input", args));
    let request =
        client::call(3, "output", &json!({"action": "get", "id": id, "limit": FILES * REFS_PER_FILE}));
    let reply = client.round(&request);
    assert!(reply.contains("ref-49-19") && !reply.contains("stale ref"), "the pack is not rendered whole");

    // Twice as long as files must have been left alone before anything is remembered of them.
    std::thread::sleep(Duration::from_millis(200));
    client.round(&request);
    let client = RefCell::new(client);
    let mut again = |samples: &mut Samples| samples.run(|| client.borrow_mut().round(&request).len());
    let mut first = |samples: &mut Samples| {
        // Nothing that is remembered of a file counts once its stamps are others.
        files.iter().for_each(|path| touch(path));
        samples.run(|| client.borrow_mut().round(&request).len());
    };
    let mut floor = |samples: &mut Samples| {
        samples.time(|| files.iter().map(|path| std::fs::read(path).expect("a file").len()).sum::<usize>());
    };
    let [first, first_floor] = in_turn(plan.times(20), 10, [&mut first, &mut floor]);
    std::thread::sleep(Duration::from_millis(200));
    client.borrow_mut().round(&request);
    let [again, again_floor] = in_turn(plan.times(20), 10, [&mut again, &mut floor]);
    let what = "`output get` of 1,000 refs in 50 files, first (p50; floor: reading the 50 files)";
    table.add(what, first.p50(), first_floor.p50(), time, Goal::Times(8.0));
    table.add("  again, nothing touched since", again.p50(), again_floor.p50(), time, Goal::Times(4.0));

    let check = client::call(4, "input", &json!({"action": "check", "id": id}));
    let mut verdicts = |samples: &mut Samples| {
        files.iter().for_each(|path| touch(path));
        samples.run(|| client.borrow_mut().round(&check).len());
    };
    let [verdicts, verdicts_floor] = in_turn(plan.times(20), 10, [&mut verdicts, &mut floor]);
    let what = "`input check` of 1,000 refs in 50 files, each touched (p50; floor: reading the 50 files)";
    table.add(what, verdicts.p50(), verdicts_floor.p50(), time, Goal::Times(2.0));
}

fn touch(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(SystemTime::now()).expect("a new date");
}

/// Files like source code: 400 lines of 10 to 70 characters.
fn sources(home: &Home) -> Vec<PathBuf> {
    let write = |n: usize| {
        let path = home.project().join(format!("file{n}.rs"));
        let line =
            |i: usize| format!("{}let value_{i} = {};\n", " ".repeat(i % 4 * 4), "x".repeat(i * 7 % 50));
        std::fs::write(&path, (0..LINES).map(line).collect::<String>()).expect("a source file");
        path
    };
    (0..FILES).map(write).collect()
}

/// The pack in its file format: one section per file.
fn document() -> String {
    let mut text =
        "---\nschema_version: 2\nid: pk_aaaaaaaa\nstatus: draft\ntags: []\nsections:\n".to_string();
    for file in 0..FILES {
        let _ = writeln!(text, "- key: section-{file}\n  title: File {file}\n  diagrams: []\n  refs:");
        for n in 0..REFS_PER_FILE {
            let start = n * (LINES / REFS_PER_FILE) + 1;
            let end = start + LINES_PER_REF - 1;
            let _ = writeln!(
                text,
                "  - key: ref-{file}-{n}\n    path: file{file}.rs\n    lines: {{start: {start}, end: {end}}}\n    why: Seen here"
            );
        }
    }
    text.push_str("revision: 1\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\n");
    text.push_str("expires_at: 2026-01-02T00:00:00Z\n---\n");
    text
}
