//! The words that rows and operations are found by: one small entry for each word of each of them.
//!
//! An entry is the space, the word, whether it is in the title, and the thing, newest first. It follows from the row or
//! record alone, so whoever writes, undoes, forgets, moves or repairs one leaves the right entries behind. A database of
//! an older packd gets them a few rows at a time, while everybody is served.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::apply::Batch;
use super::raw::{Raw, RawWrite, Span};
use super::{Catalog, Snapshot, layout};
use crate::core::findable::Space;
use crate::core::op::Stream;
use crate::core::{Key, Op, Result, Row, Table, msgpack, words};

/// In `meta`: how far the words of what an older packd wrote are kept.
pub(super) const MARK: &[u8] = b"words";
const ALL_KEPT: &[u8] = &[1];
/// Different words of one row or operation that are kept.
const MOST: usize = 4096;
/// How deep texts are looked for in a row.
const DEEP: usize = 64;

const IN_TITLE: u8 = 0;
const IN_TEXT: u8 = 1;

/// Says of a database that the words of everything in it are kept.
pub(super) fn begin(to: &impl RawWrite) -> Result<()> {
    to.put(layout::META, MARK, ALL_KEPT)
}

pub(super) fn all_kept(raw: &impl Raw) -> Result<bool> {
    Ok(raw.get(layout::META, MARK)?.as_deref() == Some(ALL_KEPT))
}

/// What all entries of a space begin with.
pub(super) fn space(space: &Space) -> [u8; 8] {
    match space {
        Space::Rows(table, first) => space_of(table.0, Key::of(first).as_bytes()),
        Space::Operations(workspace) => space_of(layout::LOG, Key::of(workspace).as_bytes()),
    }
}

fn space_of(table: &str, first: &[u8]) -> [u8; 8] {
    xxh3_64(&[table.as_bytes(), &[0], first].concat()).to_be_bytes()
}

/// The entries of a word, in the title or in a text.
pub(super) fn list(space: [u8; 8], word: &[u8], in_title: bool) -> Vec<u8> {
    [&space[..], word, &[0, if in_title { IN_TITLE } else { IN_TEXT }]].concat()
}

/// How many bytes of a row's key say in which space it is: its first part.
fn first_part(key: &[u8]) -> usize {
    key.iter().position(|b| *b == 0).map_or(key.len(), |at| at + 1)
}

/// The words of one thing, and whether each is in its title.
#[derive(Default)]
struct Said(BTreeMap<String, bool>);

impl Said {
    fn add(&mut self, text: &str, in_title: bool) {
        if !in_title && !words::is_said(text) {
            return;
        }
        words::each(text, &mut |word| {
            if let Some(known) = self.0.get_mut(word) {
                *known |= in_title;
            } else if self.0.len() < MOST {
                self.0.insert(word.to_string(), in_title);
            }
        });
    }

    /// Every text in a value, and the names in it that users gave.
    fn add_texts(&mut self, value: &[u8], deep: usize) {
        if let Some(text) = msgpack::text(value) {
            return self.add(text, false);
        }
        if deep == 0 {
            return;
        }
        for (name, value) in msgpack::fields(value).into_iter().flatten() {
            if !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
                self.add(name, false);
            }
            self.add_texts(value, deep - 1);
        }
        for item in msgpack::items(value).into_iter().flatten() {
            self.add_texts(item, deep - 1);
        }
    }

    /// In the order of the table.
    fn entries(self, space: [u8; 8], born: u64, rest: &[u8]) -> Vec<Vec<u8>> {
        let place = [&(u64::MAX - born).to_be_bytes()[..], rest].concat();
        let entry = |(word, in_title): (String, bool)| {
            let mut entry = list(space, word.as_bytes(), in_title);
            entry.extend_from_slice(&place);
            entry
        };
        self.0.into_iter().map(entry).collect()
    }
}

fn of_row(catalog: &Catalog, table: Table, key: &[u8], stored: &[u8]) -> Vec<Vec<u8>> {
    let Ok(row) = layout::decode_row(stored) else { return Vec::new() };
    let whole = Key::from_bytes(key);
    let label = |row: &Row| catalog.finders.iter().find_map(|finder| finder(table, &whole, row));
    let Some(label) = label(&row) else { return Vec::new() };
    let mut said = Said::default();
    said.add(&label.title, true);
    said.add_texts(&row.value, DEEP);
    let (first, rest) = key.split_at(first_part(key));
    said.entries(space_of(table.0, first), label.born.sortable(), rest)
}

/// A record never changes what it says, except to be forgotten.
pub(super) fn of_op(op: &Op) -> Vec<Vec<u8>> {
    if op.stream != Stream::Ops {
        return Vec::new();
    }
    let mut said = Said::default();
    said.add(&op.summary, true);
    for text in [&op.tool].into_iter().chain(&op.targets).chain(&op.paths) {
        said.add(text, false);
    }
    said.entries(space_of(layout::LOG, Key::of(&op.workspace).as_bytes()), op.seq, &[])
}

/// The entries that a row no longer has, and those that it did not have before.
pub(super) fn of_change(
    catalog: &Catalog,
    table: Table,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let entries = |side: Option<&[u8]>| side.map_or(Vec::new(), |row| of_row(catalog, table, key, row));
    let (mut gone, mut come) = (entries(before), entries(after));
    let had = gone.clone();
    gone.retain(|entry| come.binary_search(entry).is_err());
    come.retain(|entry| had.binary_search(entry).is_err());
    (gone, come)
}

impl Snapshot {
    /// Are the words of everything kept?
    pub fn words_are_kept(&self) -> Result<bool> {
        all_kept(&self.shot)
    }
}

impl Batch<'_> {
    /// Keeps the words of up to `most` rows or records that an older packd wrote; true while any are left.
    pub fn keep_words(&self, most: usize) -> Result<bool> {
        let mark = self.tables.get(layout::META, MARK)?;
        if mark.as_deref() == Some(ALL_KEPT) {
            return Ok(false);
        }
        // How far it got: the table's name, then the last key.
        let mark = mark.unwrap_or_default();
        let at = first_part(&mark);
        let reached = mark.get(..at.saturating_sub(1)).unwrap_or_default();
        let tables: Vec<&str> = self.catalog.tables.iter().map(|t| t.0).chain([layout::LOG]).collect();
        let table = tables.iter().position(|name| name.as_bytes() == reached);
        let (table, from) = (table.unwrap_or(0), table.and_then(|_| mark.get(at..)).unwrap_or_default());
        let mut span = Span::prefix(&[]).limit(most);
        if !from.is_empty() {
            span.start = std::ops::Bound::Excluded(from.to_vec());
        }
        let name = tables[table];
        let found = self.tables.collect(name, &span)?;
        for (key, value) in &found {
            let entries = match (name, layout::decode_log_key(key)) {
                (layout::LOG, Some((stream, seq))) => {
                    layout::decode_op(stream, seq, value).map_or(Vec::new(), |op| of_op(&op))
                }
                _ => of_row(self.catalog, Table(name), key, value),
            };
            // In the journal like the mark: nobody would compute them again.
            entries.iter().try_for_each(|entry| self.tables.put(layout::WORDS, entry, &[]))?;
        }
        let place = |name: &str, key: &[u8]| [name.as_bytes(), &[0], key].concat();
        let mark = match (found.last(), tables.get(table + 1)) {
            (Some((key, _)), _) if found.len() == most => place(name, key),
            (_, Some(next)) => place(next, &[]),
            (_, None) => ALL_KEPT.to_vec(),
        };
        self.tables.put(layout::META, MARK, &mark)?;
        Ok(mark != ALL_KEPT)
    }
}
