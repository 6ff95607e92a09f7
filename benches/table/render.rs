//! Rendering a large pack, against reading the files it points into.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::json;

use crate::client;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

const FILES: usize = 50;
const LINES: usize = 400;
const REFS_PER_FILE: usize = 20;
const LINES_PER_REF: usize = 10;

pub fn measure(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let files = sources(&home);
    let _daemon = home.start();
    let mut client = client::direct(&home);
    let args = json!({"action": "import", "document": document(), "ttl_minutes": 60});
    let id = client::pack_id(&client.call("input", args));
    let request = client::call(3, "output", &json!({"action": "get", "id": id}));
    let reply = client.round(&request);
    assert!(reply.contains("ref-49-19") && !reply.contains("stale ref"), "the pack is not rendered whole");

    let mut render = |samples: &mut Samples| samples.run(|| client.round(&request).len());
    let mut floor = |samples: &mut Samples| {
        samples.time(|| files.iter().map(|path| std::fs::read(path).expect("a file").len()).sum::<usize>());
    };
    let [render, floor] = in_turn(plan.times(20), 10, [&mut render, &mut floor]);
    let what = "`output get` of 1,000 refs in 50 files (p50; floor: reading the 50 files)";
    table.add(what, render.p50(), floor.p50(), time, Goal::Times(5.0));
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
