//! Moving a project: everything that is kept under its directory's name is kept under another one afterwards.
//!
//! Rows, their history and the undo stacks go together, so what was done before can be taken back in the new place.
//! The audit stream says where things happened when they did; it stays. Contents are named by their digests and stay,
//! too.

use std::path::Path;

use super::apply::NewOp;
use super::raw::decode_number;
use super::repair::shown;
use super::rewrite::{Alone, EntryFate, RewriteNote, Rewriting};
use super::{Catalog, layout};
use crate::core::op::Stream;
use crate::core::reword::{self, Words};
use crate::core::{Error, Kind, Record, Result, Row};

/// How much was moved.
#[derive(Debug, Default)]
pub struct MovedCounts {
    pub rows: u64,
    pub operations: u64,
}

/// Writes the database anew with one directory's name in the place of another's; `quiet` names the tables of which
/// each place has one row, so that the old place's takes the place of the new one's.
pub fn relocate(
    database: &Path,
    catalog: impl Fn() -> Result<Catalog>,
    (old, new): (&str, &str),
    quiet: &[&str],
    op: NewOp,
) -> Result<MovedCounts> {
    let alone = Alone::open(database, catalog()?)?;
    alone.must_be_carried_over()?;
    let mut moving = Moving {
        from: old.to_string(),
        to: new.to_string(),
        quiet: quiet.iter().map(ToString::to_string).collect(),
        moved: false,
        done: MovedCounts::default(),
    };
    let catalog = catalog()?;
    let file = alone.rewrite(database, &catalog, &mut moving, |moving| Some(moving.entry(op)))?;
    if moving.done.rows + moving.done.operations > 0 {
        alone.replace(database, file)?;
    }
    Ok(moving.done)
}

struct Moving {
    from: String,
    to: String,
    quiet: Vec<String>,
    /// Whether the entry at hand is one that moves.
    moved: bool,
    done: MovedCounts,
}

impl Moving {
    fn entry(&self, new: NewOp) -> RewriteNote {
        let record = Record {
            summary: format!("Moved this project here from {}", self.from),
            irreversible: Some(format!("`packd workspace move {} {}` takes it back.", self.to, self.from)),
            ..Record::default()
        };
        RewriteNote { new, stream: Stream::Ops, record }
    }

    /// The same path below the new name; `None` where it is not below the old one. A kind may stand before it, as in
    /// `ws:/home/me/shop` or `file:///home/me/shop/remote`.
    fn below(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (kind, path) = path.split_at(kind(path));
        let rest = path.strip_prefix(self.from.as_bytes())?;
        matches!(rest.first(), None | Some(0 | b'/')).then(|| [kind, self.to.as_bytes(), rest].concat())
    }

    /// Keys of what belongs to a table: its name stands before them.
    fn below_table(&self, key: &[u8]) -> Option<Vec<u8>> {
        let at = key.iter().position(|b| *b == 0)? + 1;
        Some([&key[..at], &self.below(&key[at..])?].concat())
    }

    /// Counters have a name of words and a directory in it.
    fn counter(&self, name: &[u8]) -> Option<Vec<u8>> {
        let (name, wanted) = (std::str::from_utf8(name).ok()?, format!("/{}/", self.from));
        name.contains(&wanted).then(|| name.replacen(&wanted, &format!("/{}/", self.to), 1).into_bytes())
    }

    fn row(&self, stored: &[u8]) -> Option<Vec<u8>> {
        let found = layout::decode_stored(stored).ok()?;
        let value = reword::reworded(&found.row.value, self);
        let marks = reword::reworded(&found.row.marks, self);
        if value.is_none() && marks.is_none() {
            return None;
        }
        let row = Row {
            value: value.unwrap_or(found.row.value),
            marks: marks.unwrap_or(found.row.marks),
            ..found.row
        };
        Some(layout::encode_row(&row, found.edits))
    }

    fn record(&self, record: &[u8]) -> Option<Vec<u8>> {
        let (meta, changes) = layout::parts(record).ok()?;
        let (new_meta, new_changes) = (reword::reworded(meta, self), reword::record(changes, self));
        if new_meta.is_none() && new_changes.is_none() {
            return None;
        }
        Some(layout::join(new_meta.as_deref().unwrap_or(meta), new_changes.as_deref().unwrap_or(changes)))
    }
}

impl Words for Moving {
    fn text(&self, text: &str) -> Option<String> {
        self.below(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok())
    }

    fn key(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.below(bytes)
    }

    fn name(&self, name: &str) -> Option<String> {
        self.text(name)
    }

    fn member(&self, name: &str, text: &str) -> Option<String> {
        if name == "table" { None } else { self.text(text) }
    }
}

impl Rewriting for Moving {
    fn fate(&mut self, table: &str, key: &[u8], value: &[u8]) -> Result<EntryFate> {
        let (new_key, new) = match table {
            layout::LOG if layout::decode_log_key(key).is_some_and(|(stream, _)| stream == Stream::Ops) => {
                (None, self.record(value))
            }
            layout::IMAGES => (self.below_table(key), self.row(value)),
            layout::GRAVES => (self.below_table(key), None),
            layout::HISTORY => (self.below(key), None),
            layout::COUNTERS => (self.counter(key), None),
            layout::STANDING => (None, reword::reworded(value, self)),
            own if layout::ALL.contains(&own) => (None, None),
            _ => (self.below(key), self.row(value)),
        };
        self.moved = new_key.is_some();
        if new_key.is_none() && new.is_none() {
            return Ok(EntryFate::Stays);
        }
        match table {
            layout::LOG => self.done.operations += 1,
            own if layout::ALL.contains(&own) => {}
            _ => self.done.rows += 1,
        }
        let (key, value) = (new_key.unwrap_or_else(|| key.to_vec()), new.unwrap_or_else(|| value.to_vec()));
        Ok(EntryFate::Becomes(key, value))
    }

    fn collides(&mut self, table: &str, key: &[u8], there: &[u8], come: &[u8]) -> Result<bool> {
        match table {
            // No number is ever given twice.
            layout::COUNTERS => Ok(decode_number(come) > decode_number(there)),
            layout::GRAVES | layout::HISTORY | layout::IMAGES => Ok(self.moved),
            quiet if self.quiet.iter().any(|name| name == quiet) => Ok(self.moved),
            _ => Err(Error::new(
                Kind::Conflict,
                "both_there",
                format!("Both places have a row {} of {table}.", shown(key)),
            )
            .hint(format!(
                "Take back what was made in {} first, or delete it; nothing was changed.",
                self.to
            ))),
        }
    }
}

/// How many bytes of a text say what kind of a place it names.
fn kind(text: &[u8]) -> usize {
    let letters = text.iter().take_while(|b| b.is_ascii_lowercase()).count();
    match text.get(letters) {
        Some(b':') if letters > 0 => {
            letters + 1 + if text[letters + 1..].starts_with(b"///") { 2 } else { 0 }
        }
        _ => 0,
    }
}
