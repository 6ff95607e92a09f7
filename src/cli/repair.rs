//! `packd repair`: a new database with everything that can be read of a damaged one.

use serde_json::{Value, json};

use super::Failure;
use super::progress::Progress;
use super::view::render::{Ink, Render};
use crate::engine::clock::SystemClock;
use crate::engine::{Clock, Options};
use crate::ipc::{Home, start};
use crate::store::{self, Item, Repaired};

/// Editors reconnect at once and start a daemon; after so many lost races it is better to say so.
const TRIES: usize = 20;

pub fn run(render: Render) -> Result<(), Failure> {
    let home = Home::locate()?;
    let database = home.database();
    if !database.exists() {
        show(render, &Repaired::default());
        return Ok(());
    }
    let catalog = Options::real(|_| {}).map_err(failed)?.catalog();
    let progress = Progress::start(render, "reading every page");
    let mut tries = 0;
    let done = loop {
        // A daemon that cannot open its database answers nobody, so there may be none to stop.
        start::stop(&home)?;
        tries += 1;
        match store::repair(&database, &catalog, SystemClock.now()) {
            Err(e) if e.code == "already_running" && tries < TRIES => {}
            done => break done.map_err(failed)?,
        }
    };
    drop(progress);
    show(render, &done);
    Ok(())
}

fn show(render: Render, done: &Repaired) {
    let list = |items: &[Item]| -> Vec<Value> {
        items.iter().map(|item| json!({"table": item.table, "key": item.key})).collect()
    };
    let answer = json!({
        "repaired": !done.damage.is_empty(), "damage": done.damage, "kept": done.kept, "rows": done.rows,
        "operations": done.operations, "restored": list(&done.restored), "doubtful": list(&done.doubtful),
        "lost": list(&done.lost),
    });
    render.show(&answer, |r| {
        let ok = r.ink(Ink::Green, "ok");
        let Some(kept) = &done.kept else {
            return r.line(format!("{ok}  There is nothing to repair."));
        };
        done.damage.iter().for_each(|what| r.line(format!("{}  {what}", r.ink(Ink::Red, "was"))));
        r.line(format!("{ok}  {} rows and {} operations were kept.", done.rows, done.operations));
        let parts = [
            ("from the log", Ink::Cyan, &done.restored),
            ("doubtful", Ink::Yellow, &done.doubtful),
            ("lost", Ink::Red, &done.lost),
        ];
        for (word, ink, items) in parts {
            items.iter().for_each(|i| r.line(format!("{}  {}: {}", r.ink(ink, word), i.table, i.key)));
        }
        r.line(format!("The damaged database is kept as {}.", kept.display()));
        r.line("The daemon starts with the new one at the next call.");
    });
}

fn failed(e: crate::core::Error) -> Failure {
    Failure { hint: e.hint, ..Failure::refused(e.message) }
}
