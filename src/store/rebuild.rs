//! Writes what a damaged database still holds into a new one, table by table.
//!
//! Knows what each table means, so that it can tell a row from garbage and compute again what is computed; does not
//! know files or locks.

use std::collections::{BTreeMap, BTreeSet};

use redb::Database;

use super::layout::{self, Stack};
use super::pages::{PageEntry, Pages};
use super::raw::{self, RawWrite, decode_number};
use super::repair::{Repaired, RowRef, readable, shown};
use super::tables::Tables;
use super::{Catalog, SCHEMA, derive, older, tally, upgrade, words};
use crate::core::change::What;
use crate::core::op::{Stream, Who};
use crate::core::{Change, Key, Op, OpKind, OpStatus, Result, Row, RowChange, Sha, Timestamp, past, row};

/// One table as it was found.
#[derive(Default)]
struct Table {
    sound: BTreeMap<Vec<u8>, Vec<u8>>,
    doubtful: BTreeMap<Vec<u8>, Vec<u8>>,
    missing: u64,
}

pub(super) struct Rebuild<'a> {
    pages: &'a Pages,
    catalog: &'a Catalog,
    db: &'a Database,
    done: Repaired,
}

impl<'a> Rebuild<'a> {
    pub fn new(pages: &'a Pages, catalog: &'a Catalog, db: &'a Database) -> Self {
        Rebuild { pages, catalog, db, done: Repaired::default() }
    }

    pub fn run(mut self, now: Timestamp) -> Result<Repaired> {
        let images = self.replay()?;
        let mut highest = images.highest;
        let names: Vec<&str> = self.catalog.tables.iter().map(|t| t.0).collect();
        for name in names {
            highest = highest.max(self.rows(name, &images)?);
        }
        let ops = self.log(Stream::Ops, highest, now)?;
        self.log(Stream::Audit, 0, now)?;
        self.history(&ops)?;
        self.plain(layout::PENDING, &|key, _| ops.contains_key(&decode_number(key)))?;
        self.plain(layout::STANDING, &|_, value| row::decode::<layout::OpStanding>(value).is_ok())?;
        self.plain(layout::IMAGES, &|_, value| layout::decode_row(value).is_ok())?;
        self.plain(layout::AUDIT_CHAIN, &|_, value| value.len() == 32)?;
        self.plain(layout::GRAVES, &|_, value| layout::decode_grave(value).is_some())?;
        self.plain(layout::COUNTERS, &|_, value| value.len() == 8)?;
        self.plain(layout::BLOBS, &|key, value| {
            value.starts_with(b"\0packd pieces\0") || Sha::of(value).as_str().as_bytes() == key
        })?;
        self.plain(layout::PIECES, &|key, value| {
            data_encoding::HEXLOWER.encode(key) == Sha::of(value).as_str()
        })?;
        self.meta()?;
        self.others()?;
        Ok(self.done)
    }

    fn table(&self, name: &str) -> Table {
        let mut out = Table::default();
        let Some(tree) = self.pages.tables.get(name) else { return out };
        let found = self.pages.walk(tree, &mut |PageEntry { key, value, sound }| {
            let side = if sound { &mut out.sound } else { &mut out.doubtful };
            side.insert(key.to_vec(), value.to_vec());
        });
        out.missing = tree.length.saturating_sub(found.sound + out.doubtful.len() as u64);
        out
    }

    fn write(&self, fill: impl FnOnce(&Tables) -> Result<()>) -> Result<()> {
        let txn = self.db.begin_write().map_err(raw::storage)?;
        let tables = Tables::of(&txn);
        fill(&tables)?;
        drop(tables);
        txn.commit().map_err(raw::storage)
    }

    /// What the log says each row should be: everything it keeps, carried out once more.
    fn replay(&mut self) -> Result<Images> {
        let mut out = Images::default();
        let old = self.table("op_images");
        for (key, value) in old.doubtful.iter().chain(&old.sound).collect::<BTreeMap<_, _>>() {
            let seq = decode_number(key);
            match row::decode::<Vec<Change>>(value) {
                Ok(changes) => {
                    out.highest = out.highest.max(seq);
                    for Change { table, key, after, .. } in changes {
                        let row = after.map(|i| Row { rev: i.rev, seq, value: i.value, marks: Vec::new() });
                        out.newest.insert((table, key.as_bytes().to_vec()), row);
                    }
                }
                Err(_) => self.lose("op_images", seq.to_string()),
            }
        }
        let kept = self.table(layout::IMAGES);
        let kept: BTreeMap<_, _> = kept.doubtful.into_iter().chain(kept.sound).collect();
        let log = self.table(layout::LOG);
        for (key, record) in log.doubtful.iter().chain(&log.sound).collect::<BTreeMap<_, _>>() {
            let Some((Stream::Ops, seq)) = layout::decode_log_key(key) else { continue };
            let Ok(Some(changes)) = layout::decode_changes(Stream::Ops, seq, record) else { continue };
            out.highest = out.highest.max(seq);
            changes.iter().for_each(|change| self.carry_out(change, seq, &kept, &mut out));
        }
        Ok(out)
    }

    fn carry_out(&self, change: &RowChange, seq: u64, kept: &BTreeMap<Vec<u8>, Vec<u8>>, out: &mut Images) {
        let place = (change.table.clone(), change.key.as_bytes().to_vec());
        let image = Key::of(&change.table).join(&change.key).number(seq);
        if let Some(row) = kept.get(image.as_bytes()).and_then(|row| layout::decode_row(row).ok()) {
            out.newest.insert(place, Some(row));
            return;
        }
        let current = out.newest.get(&place).cloned().flatten();
        if matches!(change.what, What::Edited(_)) && current.is_none() {
            // Where it began is no longer kept: nothing can be said of it.
            out.newest.remove(&place);
            return;
        }
        let shape = self.catalog.shape_named(&change.table);
        out.newest.insert(place, past::forth(&shape, change, seq, current.as_ref()));
    }

    /// The rows of a family's table, with their indexes; returns the newest operation they name.
    fn rows(&mut self, name: &'static str, images: &Images) -> Result<u64> {
        let table = self.table(name);
        let mut rows: BTreeMap<Vec<u8>, Row> = BTreeMap::new();
        let mut garbled = BTreeSet::new();
        for (key, value) in &table.sound {
            match readable(value) {
                Some(row) => drop(rows.insert(key.clone(), row)),
                None => drop(garbled.insert(key.clone())),
            }
        }
        let from_log = |key: &[u8]| images.newest.get(&(name.to_string(), key.to_vec()));
        let same = |a: &Row, b: &Row| (a.rev, &a.value) == (b.rev, &b.value);
        for (key, value) in &table.doubtful {
            match (readable(value), from_log(key)) {
                (Some(row), Some(Some(logged))) if same(&row, logged) => drop(rows.insert(key.clone(), row)),
                (Some(row), None) => {
                    self.done.doubtful.push(RowRef { table: name.into(), key: shown(key) });
                    rows.insert(key.clone(), row);
                }
                _ => drop(garbled.insert(key.clone())),
            }
        }
        // A table that was found without its place in the list may be one of an earlier commit.
        for (key, row) in &mut rows {
            if let Some(Some(image)) = from_log(key)
                && image.rev > row.rev
            {
                self.done.restored.push(RowRef { table: name.into(), key: shown(key) });
                *row = image.clone();
            }
        }
        // Where nothing is missing, a row that only the log knows was taken away without being logged.
        let doubted = !table.doubtful.is_empty();
        if table.missing > 0 || doubted || !garbled.is_empty() || self.pages.trouble.is_some() {
            for ((_, key), image) in images.newest.iter().filter(|((table, _), _)| table == name) {
                if let (Some(image), false) = (image, rows.contains_key(key)) {
                    self.done.restored.push(RowRef { table: name.into(), key: shown(key) });
                    rows.insert(key.clone(), image.clone());
                    garbled.remove(key);
                }
            }
        }
        let brought = self.done.restored.iter().filter(|item| item.table == name).count() as u64;
        for key in &garbled {
            self.lose(name, shown(key));
        }
        let unnamed = table.missing.saturating_sub(brought);
        if unnamed > 0 {
            self.lose(name, between(&rows, unnamed));
        }
        self.done.rows += rows.len() as u64;
        self.write(|to| {
            for (key, row) in &rows {
                let row = layout::encode_row(row, 0);
                to.put(name, key, &row)?;
                derive::follow(to, self.catalog, name, key, None, Some(&row))?;
            }
            Ok(())
        })?;
        Ok(rows.values().map(|row| row.seq).max().unwrap_or(0))
    }

    /// The records of a stream with everything that is found by them. A record that is lost leaves one in its
    /// place that says so, because numbers must never be given twice.
    fn log(&mut self, stream: Stream, highest: u64, now: Timestamp) -> Result<BTreeMap<u64, Op>> {
        let mut records = BTreeMap::new();
        let old = self.table(older::records(stream));
        let images = self.table("op_images");
        for (key, value) in old.doubtful.iter().chain(&old.sound) {
            let seq = decode_number(key);
            if let Ok(op) = older::decode(stream, seq, value)
                && op.seq == seq
            {
                let images = images.sound.get(key).filter(|_| stream == Stream::Ops);
                let images = images.and_then(|bytes| row::decode::<Vec<Change>>(bytes).ok());
                let changes = images.map(|images| older::from_images(self.catalog, &op, images));
                records.insert(seq, (op, changes));
            }
        }
        let log = self.table(layout::LOG);
        for (key, value) in log.doubtful.iter().chain(&log.sound) {
            let Some((_, seq)) = layout::decode_log_key(key).filter(|(own, _)| *own == stream) else {
                continue;
            };
            if let Ok(op) = layout::decode_op(stream, seq, value)
                && op.seq == seq
            {
                let changes = layout::decode_changes(stream, seq, value);
                if changes.is_err() {
                    self.lose(layout::LOG, format!("what operation {seq} changed"));
                }
                records.insert(seq, (op, changes.unwrap_or(None)));
            }
        }
        let last = records.last_key_value().map_or(0, |(seq, _)| *seq).max(highest);
        let last = last.max(self.pages.tables.get(older::records(stream)).map_or(0, |tree| tree.length));
        for seq in (1..=last).filter(|seq| !records.contains_key(seq)).collect::<Vec<_>>() {
            self.lose(layout::LOG, format!("{} {seq}", older::records(stream)));
            records.insert(seq, (lost_op(stream, seq, now), None));
        }
        self.done.operations += if stream == Stream::Ops { records.len() as u64 } else { 0 };
        self.write(|to| {
            for (op, changes) in records.values() {
                let record = layout::encode_record(op, changes.as_deref())?;
                let key = layout::log_key(stream, op.seq);
                to.put(layout::LOG, &key, &record)?;
                to.list(self.catalog, layout::LOG, &key, None, Some(&record))?;
            }
            Ok(())
        })?;
        let standing = self.table(layout::STANDING).sound;
        let ops = records.into_iter().map(|(seq, (mut op, _))| {
            let now = standing.get(&layout::log_key(stream, seq)[..]);
            let now = now.and_then(|bytes| row::decode::<layout::OpStanding>(bytes).ok());
            op.status = now.map_or(op.status, |now| now.status);
            (seq, op)
        });
        Ok(ops.collect())
    }

    /// The undo stacks as they were; where they are damaged, undo still works and redo is forgotten.
    fn history(&mut self, ops: &BTreeMap<u64, Op>) -> Result<()> {
        let table = self.table(layout::HISTORY);
        let whole = table.missing == 0 && table.doubtful.is_empty();
        let live = |seq: u64| ops.get(&seq).is_some_and(|op| op.irreversible.is_none());
        self.write(|to| {
            if whole {
                let kept = table.sound.iter().filter(|(_, seq)| live(decode_number(seq)));
                return kept.into_iter().try_for_each(|(key, seq)| to.put(layout::HISTORY, key, seq));
            }
            for op in ops.values().filter(|op| op.status == OpStatus::Done && op.next_in_line()) {
                for family in ["", op.family.as_str()] {
                    let key = layout::history_key(&op.workspace, family, Stack::Live).number(op.seq);
                    to.put(layout::HISTORY, key.as_bytes(), &op.seq.to_be_bytes())?;
                }
            }
            Ok(())
        })?;
        if !whole {
            self.lose(layout::HISTORY, "what could be redone".into());
        }
        Ok(())
    }

    /// A table that is copied as it is, as far as each entry proves to be right.
    fn plain(&mut self, name: &str, right: &dyn Fn(&[u8], &[u8]) -> bool) -> Result<()> {
        let Table { sound, doubtful, missing } = self.table(name);
        let (kept, bad): (Vec<_>, Vec<_>) =
            sound.into_iter().chain(doubtful).partition(|(key, value)| right(key, value));
        bad.iter().for_each(|(key, _)| self.lose(name, shown(key)));
        if missing > 0 {
            self.lose(name, format!("{missing} entries whose keys are not known"));
        }
        self.write(|to| kept.iter().try_for_each(|(key, value)| to.put(name, key, value)))
    }

    fn meta(&mut self) -> Result<()> {
        self.plain(layout::META, &|_, _| true)?;
        let secret = self.table(layout::META).sound.remove(&b"secret"[..]);
        self.write(|to| {
            to.put(layout::META, b"schema", &SCHEMA.to_be_bytes())?;
            tally::forget(to)?;
            words::begin(to)?;
            upgrade::indexed(to)?;
            match secret {
                Some(_) => Ok(()),
                None => to.put(layout::META, b"secret", &super::new_secret()),
            }
        })
    }

    /// Tables that this packd does not know.
    fn others(&mut self) -> Result<()> {
        let mut known: BTreeSet<&str> = self.catalog.tables.iter().map(|t| t.0).collect();
        known.extend(layout::ALL);
        known.extend(older::ALL);
        let rest: Vec<String> =
            self.pages.tables.keys().filter(|t| !known.contains(&***t)).cloned().collect();
        rest.iter().try_for_each(|name| self.plain(name, &|_, _| true))
    }

    fn lose(&mut self, table: &str, key: String) {
        self.done.lost.push(RowRef { table: table.to_string(), key });
    }
}

#[derive(Default)]
struct Images {
    newest: BTreeMap<(String, Vec<u8>), Option<Row>>,
    highest: u64,
}

fn lost_op(stream: Stream, seq: u64, now: Timestamp) -> Op {
    Op {
        id: format!("lost-{seq}"),
        seq,
        time: now,
        workspace: String::new(),
        family: String::new(),
        tool: "packd repair".into(),
        who: Who::default(),
        targets: Vec::new(),
        summary: "The record of this operation was damaged and is lost.".into(),
        request: serde_json::Value::Null,
        data: serde_json::Value::Null,
        paths: Vec::new(),
        kind: OpKind::Do,
        status: OpStatus::Done,
        irreversible: Some("Its record was lost.".into()),
        effects: Vec::new(),
        steps: Vec::new(),
        request_key: None,
        aliases: Vec::new(),
        stream,
        reshapes: false,
        trace: serde_json::Value::Null,
        forgotten: false,
        file_by_file: false,
        by_id_only: false,
    }
}

/// Rows without a name that anybody kept: the keys they may have lain between.
fn between(rows: &BTreeMap<Vec<u8>, Row>, count: u64) -> String {
    let end = |key: Option<&Vec<u8>>| key.map_or("the end".to_string(), |key| shown(key));
    let (first, last) = (rows.keys().next(), rows.keys().next_back());
    format!(
        "{count} rows whose keys are not known (those that are left go from {} to {})",
        end(first),
        end(last)
    )
}
