//! `packd repair`: a new database with everything that can be read of a damaged one.

use serde_json::{Value, json};

use super::progress::SignOfLife;
use super::view::render::{Ink, Render};
use super::{CommandFailure, alone};
use crate::engine::Clock;
use crate::engine::clock::SystemClock;
use crate::ipc::Home;
use crate::store::{self, Repaired, RowRef};

pub fn run(render: Render) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    let database = home.database();
    if !database.exists() {
        show(render, &Repaired::default());
        return Ok(());
    }
    let catalog = alone::tables().map_err(alone::failed)?;
    let progress = SignOfLife::start(render, "reading every page");
    let done = alone::with(&home, || store::repair(&database, &catalog, SystemClock.now()))?;
    drop(progress);
    show(render, &done);
    Ok(())
}

fn show(render: Render, done: &Repaired) {
    let list = |items: &[RowRef]| -> Vec<Value> {
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
