//! What becomes of each entry of a database that is to forget: it stays, is blanked, or goes.
//!
//! Writes nothing and opens nothing; [`forget`](super::forget) looks or rewrites with it.

use std::collections::HashSet;

use super::forget::{Digested, ForgetTarget, Forgotten};
use super::raw::{Raw, Span, decode_number};
use super::repair::{RowRef, shown};
use super::rewrite::{EntryFate, Rewriting};
use super::stars::Stars;
use super::watch::hashes_in;
use super::{Catalog, blobs, layout, older};
use crate::core::op::Stream;
use crate::core::{Error, Key, Kind, Op, Result, Sha, Table, chain, msgpack, reword, row};

/// Decides of every entry of a database; what it blanked or found is in `done`.
pub(super) struct Forgetting<'a> {
    catalog: &'a Catalog,
    stars: Option<Stars>,
    /// The operation that is forgotten, and everything that goes with it.
    op: Option<Op>,
    touched: Vec<(String, Key)>,
    contents: HashSet<Vec<u8>>,
    pieces: HashSet<Vec<u8>>,
    pub done: Forgotten,
}

impl<'a> Forgetting<'a> {
    /// Looks for what is wanted, and refuses what cannot be taken out.
    pub fn begin(raw: &impl Raw, catalog: &'a Catalog, wanted: &ForgetTarget) -> Result<Forgetting<'a>> {
        let mut out = Forgetting {
            catalog,
            stars: None,
            op: None,
            touched: Vec::new(),
            contents: HashSet::new(),
            pieces: HashSet::new(),
            done: Forgotten::default(),
        };
        match wanted {
            ForgetTarget::Text(pattern) => {
                let stars = Stars::new(pattern.clone());
                refuse_names(raw, &stars)?;
                out.contents = contents(raw, |content| stars.has(content))?;
                out.stars = Some(stars);
            }
            ForgetTarget::Operation(id) => out.begin_operation(raw, id)?,
        }
        if !out.contents.is_empty() {
            raw.walk(layout::BLOBS, &Span::prefix(&[]), &mut |key, value| {
                if !out.contents.contains(key) {
                    out.pieces.extend(blobs::listed(value).map(<[u8]>::to_vec));
                }
                true
            })?;
        }
        Ok(out)
    }

    fn begin_operation(&mut self, raw: &impl Raw, id: &str) -> Result<()> {
        let mut own = HashSet::new();
        raw.walk(layout::LOG, &Span::prefix(&[Stream::Ops as u8]), &mut |key, record| {
            let Some((stream, seq)) = layout::decode_log_key(key) else { return true };
            match layout::decode_op(stream, seq, record) {
                Ok(op) if op.id == id || op.aliases.iter().any(|alias| alias == id) => {
                    own = hashes_in(record).into_iter().collect();
                    let changes = layout::decode_changes(stream, seq, record).ok().flatten();
                    self.touched =
                        changes.unwrap_or_default().into_iter().map(|c| (c.table, c.key)).collect();
                    self.op = Some(op);
                    false
                }
                _ => true,
            }
        })?;
        let Some(op) = &self.op else { return Ok(()) };
        // What somebody else refers to is theirs, too.
        let mine = layout::log_key(Stream::Ops, op.seq);
        let mut theirs = HashSet::new();
        let tables = self.catalog.tables.iter().map(|t| t.0).chain([layout::LOG, layout::IMAGES]);
        for table in tables {
            raw.walk(table, &Span::prefix(&[]), &mut |key, value| {
                let own_image = table == layout::IMAGES && key.ends_with(&op.seq.to_be_bytes());
                if !(own_image || table == layout::LOG && key == mine) {
                    theirs.extend(hashes_in(value));
                }
                true
            })?;
        }
        own.retain(|hash| !theirs.contains(hash));
        self.contents = own.iter().map(|hash| super::watch::sha(hash).0.into_bytes()).collect();
        Ok(())
    }

    fn record(&mut self, key: &[u8], record: &[u8]) -> Result<EntryFate> {
        let Some((stream, seq)) = layout::decode_log_key(key) else { return Ok(EntryFate::Stays) };
        // What cannot be read says nothing that could be told apart; `packd doctor` names it.
        let Ok(op) = layout::decode_op(stream, seq, record) else { return Ok(EntryFate::Stays) };
        let changed = match (&self.stars, &self.op) {
            (Some(_), _) if op.tool == chain::FORGET && stream == Stream::Audit => None,
            (Some(stars), _) => starred(stars, record)?,
            (None, Some(own)) if stream == Stream::Ops && own.seq == seq => Some(bare(&op)?),
            (None, Some(own)) if stream == Stream::Ops && seq > own.seq => {
                self.note_later(&op, record);
                None
            }
            _ => None,
        };
        let Some(changed) = changed else { return Ok(EntryFate::Stays) };
        let digest = Sha::of(record).0;
        let list = if stream == Stream::Audit { &mut self.done.audit } else { &mut self.done.operations };
        list.push(Digested { id: op.id, number: seq, digest });
        Ok(EntryFate::Becomes(key.to_vec(), changed))
    }

    /// An operation on a row that the forgotten one wrote may have its values as what was before.
    fn note_later(&mut self, op: &Op, record: &[u8]) {
        let changes = layout::decode_changes(op.stream, op.seq, record).ok().flatten().unwrap_or_default();
        let same = |table: &str, key: &Key| self.touched.iter().any(|(t, k)| t == table && k == key);
        if changes.iter().any(|change| same(&change.table, &change.key)) {
            self.done.stays.push(RowRef { table: layout::LOG.into(), key: op.id.clone() });
        }
    }

    fn row(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<EntryFate> {
        if self.op.is_some() {
            if self.touched.iter().any(|(t, k)| t == table.0 && k.as_bytes() == key) {
                self.done.stays.push(RowRef { table: table.0.into(), key: shown(key) });
            }
            return Ok(EntryFate::Stays);
        }
        let Some(stars) = &self.stars else { return Ok(EntryFate::Stays) };
        let Some((new_key, new)) = stars.row(key, value) else { return Ok(EntryFate::Stays) };
        // The families' indexes read what they know of a row: what they can no longer read, they no longer find.
        let entries = |key: &[u8], value: &[u8]| {
            let row = layout::decode_row(value).ok();
            row.map_or(0, |row| self.catalog.entries_of(table, &Key::from_bytes(key), &row).len())
        };
        if entries(key, value) != entries(&new_key, &new) {
            return Err(own_word(&format!("the row {} of {}", shown(key), table.0)));
        }
        self.done.rows.push(RowRef { table: table.0.into(), key: shown(&new_key) });
        Ok(EntryFate::Becomes(new_key, new))
    }

    fn image(&mut self, key: &[u8], value: &[u8]) -> EntryFate {
        if let Some(op) = &self.op {
            let own = key.ends_with(&op.seq.to_be_bytes());
            self.done.images += u64::from(own);
            return if own { EntryFate::Goes } else { EntryFate::Stays };
        }
        // The table's name stands before the key.
        let at = key.iter().position(|b| *b == 0).map_or(0, |at| at + 1);
        match self.stars.as_ref().and_then(|stars| stars.row(&key[at..], value)) {
            Some((rest, value)) => {
                self.done.images += 1;
                EntryFate::Becomes([&key[..at], &rest].concat(), value)
            }
            None => EntryFate::Stays,
        }
    }

    fn standing(&self, key: &[u8], value: &[u8]) -> Result<EntryFate> {
        if let Some(op) = &self.op {
            if key != layout::log_key(Stream::Ops, op.seq) {
                return Ok(EntryFate::Stays);
            }
            return Ok(match row::decode::<layout::OpStanding>(value) {
                Ok(standing) => EntryFate::Becomes(
                    key.to_vec(),
                    row::encode(&layout::OpStanding { note: None, ..standing })?,
                ),
                Err(_) => EntryFate::Stays,
            });
        }
        Ok(self.other(key, value))
    }

    /// What this packd has no name for: a value like any other, or only bytes.
    fn other(&self, key: &[u8], value: &[u8]) -> EntryFate {
        let Some(stars) = &self.stars else { return EntryFate::Stays };
        let new = reword::reworded(value, stars).or_else(|| match msgpack::is_one(value) {
            true => None,
            false => reword::Words::key(stars, value),
        });
        new.map_or(EntryFate::Stays, |new| EntryFate::Becomes(key.to_vec(), new))
    }
}

impl Rewriting for Forgetting<'_> {
    fn fate(&mut self, table: &str, key: &[u8], value: &[u8]) -> Result<EntryFate> {
        if let Some(known) = self.catalog.tables.iter().copied().find(|known| known.0 == table) {
            return self.row(known, key, value);
        }
        match table {
            layout::LOG => self.record(key, value),
            layout::IMAGES => Ok(self.image(key, value)),
            layout::STANDING => self.standing(key, value),
            layout::BLOBS if self.contents.contains(key) => {
                self.done.contents += 1;
                Ok(EntryFate::Goes)
            }
            layout::PIECES if !self.contents.is_empty() && !self.pieces.contains(key) => Ok(EntryFate::Goes),
            layout::HISTORY => Ok(match &self.op {
                Some(op) if decode_number(value) == op.seq => EntryFate::Goes,
                _ => EntryFate::Stays,
            }),
            known if layout::ALL.contains(&known) => Ok(EntryFate::Stays),
            known if older::ALL.contains(&known) => {
                let record = [Stream::Ops, Stream::Audit].into_iter().any(|s| older::records(s) == known);
                let starred = self.stars.as_ref().filter(|_| record).and_then(|stars| stars.meta(value));
                let fate = match starred {
                    Some(value) => EntryFate::Becomes(key.to_vec(), value),
                    None if record => EntryFate::Stays,
                    None => self.other(key, value),
                };
                if matches!(fate, EntryFate::Becomes(..)) {
                    self.done.images += 1;
                }
                Ok(fate)
            }
            _ => Ok(self.other(key, value)),
        }
    }

    fn collides(&mut self, table: &str, key: &[u8], _: &[u8], _: &[u8]) -> Result<bool> {
        Err(own_word(&format!("what tells {} of {table} from another", shown(key))))
    }
}

/// A record with stars, marked as one.
fn starred(stars: &Stars, record: &[u8]) -> Result<Option<Vec<u8>>> {
    let Ok((meta, changes)) = layout::parts(record) else { return Ok(None) };
    let new_meta = stars.meta(meta);
    let new_changes = reword::record(changes, stars);
    if new_meta.is_none() && new_changes.is_none() {
        return Ok(None);
    }
    let unreadable = |e: String| own_word(&format!("a record of the log ({e})"));
    let mut op: Op = row::decode(new_meta.as_deref().unwrap_or(meta)).map_err(unreadable)?;
    op.forgotten = true;
    let changes = new_changes.as_deref().unwrap_or(changes);
    Ok(Some(layout::join(&row::encode(&op)?, changes)))
}

/// That something happened, when, by whom and to what; nothing of what it said.
fn bare(op: &Op) -> Result<Vec<u8>> {
    let bare = Op {
        summary: "Something that was forgotten".into(),
        request: serde_json::Value::Null,
        data: serde_json::Value::Null,
        trace: serde_json::Value::Null,
        paths: Vec::new(),
        steps: Vec::new(),
        irreversible: Some("What it did was forgotten.".into()),
        forgotten: true,
        ..op.clone()
    };
    layout::encode_record(&bare, None)
}

/// A text that names a project would take the project its name.
fn refuse_names(raw: &impl Raw, stars: &Stars) -> Result<()> {
    let mut found = None;
    raw.walk(layout::LOG, &Span::prefix(&[]), &mut |key, record| {
        let op = layout::decode_log_key(key).and_then(|(s, n)| layout::decode_op(s, n, record).ok());
        found = op.map(|op| op.workspace).filter(|name| stars.has(name.as_bytes()));
        found.is_none()
    })?;
    match found {
        Some(name) => Err(Error::new(
            Kind::Invalid,
            "names_a_project",
            format!("The text is part of the name of a project, {name}."),
        )
        .hint("Move the project to another directory first; nothing was changed.")),
        None => Ok(()),
    }
}

fn own_word(what: &str) -> Error {
    Error::new(Kind::Invalid, "own_word", format!("The text is a word that packd itself needs in {what}."))
        .hint("Say more of what is to be forgotten; nothing was changed.")
}

/// The keys of contents that somebody objects to.
fn contents(raw: &impl Raw, is_bad: impl Fn(&[u8]) -> bool) -> Result<HashSet<Vec<u8>>> {
    let mut out = HashSet::new();
    for (key, _) in raw.collect(layout::BLOBS, &Span::prefix(&[]))? {
        let sha = Sha(String::from_utf8_lossy(&key).into_owned());
        // A content of which a piece is missing is looked at piece by piece when those are dropped.
        if blobs::get(raw, &sha).ok().flatten().is_some_and(|content| is_bad(&content)) {
            out.insert(key);
        }
    }
    Ok(out)
}
