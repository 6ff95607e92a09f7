//! A database written anew, entry by entry, through somebody who may change, move or drop each of them.
//!
//! Nothing of the old file is left afterwards, no free page and no journal: that is why a value that must be forgotten
//! is not simply written over. The new file takes the name in one rename while the old one's lock is held, so a crash
//! leaves one of the two, whole. What is derived is computed again. Why entries change is not known here.

use std::path::Path;

use redb::{Database, DatabaseError, ReadableDatabase};
use tempfile::NamedTempFile;

use super::apply::NewOp;
use super::audit::{self, chained};
use super::ground::Ground;
use super::raw::{Raw, RawWrite, Span, storage};
use super::slots::FileSlots;
use super::tables::Tables;
use super::{
    Catalog, Store, backup, builder, derive, faults, layout, older, open_error, tally, upgrade, words,
};
use crate::core::op::Stream;
use crate::core::{Error, Kind, Op, Record, Result, chain};

/// How the name of a new database begins, as long as it has not taken its place.
pub(super) const COPY: &str = ".packd-rewrite-";

/// What becomes of an entry.
pub(super) enum EntryFate {
    Stays,
    Becomes(Vec<u8>, Vec<u8>),
    Goes,
}

pub(super) trait Rewriting {
    fn fate(&mut self, table: &str, key: &[u8], value: &[u8]) -> Result<EntryFate>;

    /// Two entries that would lie under one key: whether the one that comes takes the place of the one that is there.
    fn collides(&mut self, table: &str, key: &[u8], there: &[u8], come: &[u8]) -> Result<bool>;
}

/// A record of the rewriting itself, which is in the new database before it has its name.
pub(super) struct RewriteNote {
    pub new: NewOp,
    pub stream: Stream,
    pub record: Record,
}

/// The tables that follow from others.
const DERIVED: [&str; 5] = [layout::INDEX, layout::COUNTS, layout::FOUND, layout::TALLIES, layout::WORDS];

/// A database that nobody else has open, with everything in it that waited in the journal.
pub(super) struct Alone {
    db: Database,
}

impl Alone {
    /// An error of code `already_running` says that somebody has it open.
    pub fn open(path: &Path, catalog: Catalog) -> Result<Alone> {
        // Opening it the usual way replays the journal, and ending it leaves nothing beside it.
        Store::open(path, catalog)?.live.settle();
        let alone = Alone::as_it_is(path)?;
        if FileSlots::beside(path).any() {
            return Err(Error::new(
                Kind::State,
                "already_running",
                "The journal of the database could not be carried over.",
            )
            .hint("Check free disk space, then try again; nothing was changed."));
        }
        Ok(alone)
    }

    /// A copy that nobody serves: it has no journal, and may be of an older schema.
    pub fn as_it_is(path: &Path) -> Result<Alone> {
        let db = builder().open(path).map_err(|e| match e {
            e @ DatabaseError::DatabaseAlreadyOpen => open_error(path, &e),
            e => Error::io(format!("{} cannot be opened: {e}.", path.display())),
        })?;
        Ok(Alone { db })
    }

    pub fn ground(&self) -> Result<Ground> {
        let txn = self.db.begin_read().map_err(storage)?;
        Ok(Ground::of(txn, Default::default(), Default::default()))
    }

    /// Whether records of the first schema wait to be carried over, which only a daemon does.
    fn is_older(&self) -> Result<bool> {
        let ground = self.ground()?;
        let left = |stream| ground.collect(older::records(stream), &Span::prefix(&[]).limit(1));
        Ok(upgrade::read(&self.db)?.schema < super::SCHEMA
            || !left(Stream::Ops)?.is_empty()
            || !left(Stream::Audit)?.is_empty())
    }

    /// Refuses while records of an earlier version are left.
    pub fn must_be_carried_over(&self) -> Result<()> {
        if !self.is_older()? {
            return Ok(());
        }
        let message = "packd is still carrying over the records of an earlier version.";
        Err(Error::new(Kind::State, "carrying_over", message)
            .hint("Let the daemon run for a minute (`packd status`), then try again; nothing was changed."))
    }

    /// Writes the new database beside the old one. Of one with older records everything is taken for an entry like
    /// any other: what is derived of those this packd cannot compute.
    pub fn rewrite<R: Rewriting>(
        &self,
        path: &Path,
        catalog: &Catalog,
        how: &mut R,
        entry: impl FnOnce(&R) -> Option<RewriteNote>,
    ) -> Result<NamedTempFile> {
        let cannot = |e: std::io::Error| {
            let why = faults::error_of(e.kind(), &e.to_string());
            Error { message: format!("A new database cannot be written. {}", why.message), ..why }
        };
        let derives = !self.is_older()?;
        let dir = path.parent().unwrap_or(Path::new("/"));
        // Mode 0600 from birth.
        let file = tempfile::Builder::new().prefix(COPY).tempfile_in(dir).map_err(cannot)?;
        let target = builder().create_file(file.reopen().map_err(cannot)?).map_err(storage)?;
        let ground = self.ground()?;
        let names = ground.table_names()?;
        // The words are always computed again, if need be by the daemon that opens it.
        let copied = |name: &&String| match name.as_str() {
            layout::WORDS => false,
            name => !derives || !DERIVED.contains(&name),
        };
        for name in names.iter().filter(copied) {
            write(&target, |to| fill(to, &ground, name, catalog, how, derives))?;
        }
        let entry = entry(how);
        write(&target, |to| {
            if derives {
                tally::begin(to)?;
                words::begin(to)?;
                upgrade::indexed(to)?;
            }
            entry.map_or(Ok(()), |entry| append(to, catalog, entry))
        })?;
        drop(target);
        file.as_file().sync_all().map_err(cannot)?;
        Ok(file)
    }

    /// Puts the new database in the place of the old one.
    pub fn replace(self, path: &Path, new: NamedTempFile) -> Result<()> {
        let cannot = |e: std::io::Error| Error::io(format!("Cannot replace {}: {e}.", path.display()));
        new.persist(path).map_err(|e| cannot(e.error))?;
        backup::sync_dir(path.parent().unwrap_or(Path::new("/"))).map_err(cannot)
    }
}

fn write(db: &Database, work: impl FnOnce(&Tables) -> Result<()>) -> Result<()> {
    let mut txn = db.begin_write().map_err(storage)?;
    txn.set_quick_repair(true);
    let tables = Tables::of(&txn);
    work(&tables)?;
    drop(tables);
    txn.commit().map_err(storage)
}

fn fill(
    to: &Tables,
    ground: &Ground,
    name: &str,
    catalog: &Catalog,
    how: &mut dyn Rewriting,
    derives: bool,
) -> Result<()> {
    let mut failed = None;
    ground.walk(name, &Span::prefix(&[]), &mut |key, value| {
        failed = one(to, name, key, value, catalog, how, derives).err();
        failed.is_none()
    })?;
    failed.map_or(Ok(()), Err)
}

fn one(
    to: &Tables,
    name: &str,
    key: &[u8],
    value: &[u8],
    catalog: &Catalog,
    how: &mut dyn Rewriting,
    derives: bool,
) -> Result<()> {
    let fate = match name {
        layout::META if key == words::MARK => EntryFate::Goes,
        layout::META => EntryFate::Stays,
        _ => how.fate(name, key, value)?,
    };
    let (key, value) = match &fate {
        EntryFate::Stays => (key, value),
        EntryFate::Becomes(key, value) => (key.as_slice(), value.as_slice()),
        EntryFate::Goes => return Ok(()),
    };
    let there = to.get(name, key)?;
    if let Some(there) = &there
        && !how.collides(name, key, there, value)?
    {
        return Ok(());
    }
    to.put(name, key, value)?;
    match derives {
        true => derive::follow(to, catalog, name, key, there.as_deref(), Some(value)),
        false => Ok(()),
    }
}

fn append(to: &Tables, catalog: &Catalog, entry: RewriteNote) -> Result<()> {
    let span = Span::prefix(&[entry.stream as u8]).reverse(true).limit(1);
    let last = to.collect(layout::LOG, &span)?;
    let seq = last.first().and_then(|(key, _)| layout::decode_log_key(key)).map_or(0, |(_, seq)| seq) + 1;
    let irreversible = entry.record.irreversible.clone();
    let op = Op { irreversible, ..entry.new.into_op(entry.stream, seq, &entry.record) };
    let (key, value) = (layout::log_key(entry.stream, seq), layout::encode_record(&op, None)?);
    to.put(layout::LOG, &key, &value)?;
    derive::follow(to, catalog, layout::LOG, &key, None, Some(&value))?;
    // Where older records still wait for their digest, this one does, too.
    if entry.stream == Stream::Audit && chained(to, seq == 1)? {
        let previous = audit::tip(to, None)?.map_or(chain::START, |(_, digest)| digest);
        to.put(layout::AUDIT_CHAIN, &seq.to_be_bytes(), &chain::link(&previous, &chain::record(&op)))?;
    }
    Ok(())
}
