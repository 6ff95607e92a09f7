//! Forgetting: a text, or what one operation did, is blanked wherever a database has it. Records stay.
//!
//! A text is blanked by as many stars everywhere at once, in rows, in the log and in whole images alike, so the log
//! still leads to the rows and undo still works. Contents with the text in them are dropped, since their name is their
//! digest. Of one operation everything it said and changed is dropped; that it happened, when and by whom is kept.

use std::path::Path;

use regex::bytes::Regex;
use serde_json::json;

use super::forgetting::Forgetting;
use super::raw::{Raw, Span};
use super::repair::RowRef;
use super::rewrite::{Alone, RewriteNote, Rewriting};
use super::{Catalog, NewOp};
use crate::core::op::Stream;
use crate::core::{Record, Result, chain};

/// What is to be forgotten.
pub enum ForgetTarget {
    Text(Regex),
    /// An operation, by its whole id.
    Operation(String),
}

/// What was found, or blanked.
#[derive(Debug, Default)]
pub struct Forgotten {
    /// Operations and audit records, each with the digest of what it was.
    pub operations: Vec<Digested>,
    pub audit: Vec<Digested>,
    /// Rows as they are now.
    pub rows: Vec<RowRef>,
    /// Whole images of rows as they were.
    pub images: u64,
    /// Contents of files.
    pub contents: u64,
    /// What has it still: rows that an operation wrote, and later operations on them.
    pub stays: Vec<RowRef>,
}

#[derive(Debug, Clone)]
pub struct Digested {
    pub id: String,
    pub number: u64,
    pub digest: String,
}

impl Forgotten {
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
            && self.audit.is_empty()
            && self.rows.is_empty()
            && self.images == 0
            && self.contents == 0
    }
}

/// Looks at a copy that nobody serves and says what would be blanked; nothing changes.
pub fn look(copy: &Path, catalog: &Catalog, wanted: &ForgetTarget) -> Result<Forgotten> {
    let alone = Alone::as_it_is(copy)?;
    let ground = alone.ground()?;
    let mut forgetting = Forgetting::begin(&ground, catalog, wanted)?;
    for name in ground.table_names()? {
        let mut failed = None;
        ground.walk(&name, &Span::prefix(&[]), &mut |key, value| {
            failed = forgetting.fate(&name, key, value).err();
            failed.is_none()
        })?;
        failed.map_or(Ok(()), Err)?;
    }
    Ok(forgetting.done)
}

/// Writes the database anew without it, and a record that this was done. One that does not have it is left as it is.
pub fn forget(
    database: &Path,
    catalog: impl Fn() -> Result<Catalog>,
    wanted: &ForgetTarget,
    new: NewOp,
) -> Result<Forgotten> {
    let alone = Alone::open(database, catalog()?)?;
    alone.must_be_carried_over()?;
    in_file(alone, database, &catalog()?, wanted, Some(new))
}

/// The same for an older copy, of whatever schema; it gets no record of its own.
pub fn forget_in_copy(copy: &Path, catalog: &Catalog, wanted: &ForgetTarget) -> Result<Forgotten> {
    in_file(Alone::as_it_is(copy)?, copy, catalog, wanted, None)
}

fn in_file(
    alone: Alone,
    path: &Path,
    catalog: &Catalog,
    wanted: &ForgetTarget,
    new: Option<NewOp>,
) -> Result<Forgotten> {
    let mut forgetting = Forgetting::begin(&alone.ground()?, catalog, wanted)?;
    let file = alone.rewrite(path, catalog, &mut forgetting, |it| new.map(|new| entry(new, &it.done)))?;
    if !forgetting.done.is_empty() {
        alone.replace(path, file)?;
    }
    Ok(forgetting.done)
}

/// The record of a forgetting: how much, and the digests of what was there. Nothing of what it said.
fn entry(new: NewOp, done: &Forgotten) -> RewriteNote {
    let digests = |list: &[Digested]| -> Vec<serde_json::Value> {
        list.iter().map(|d| json!({"number": d.number, "id": d.id, "digest": d.digest})).collect()
    };
    let numbers: Vec<u64> = done.audit.iter().map(|d| d.number).collect();
    let summary = format!(
        "Forgot values in {} operations, {} audit records, {} rows and {} contents",
        done.operations.len(),
        done.audit.len(),
        done.rows.len(),
        done.contents
    );
    let data = json!({
        chain::BLANKED: numbers, "operations": digests(&done.operations), "records": digests(&done.audit),
    });
    let record = Record {
        summary,
        data,
        irreversible: Some("What was forgotten is gone.".into()),
        ..Record::default()
    };
    RewriteNote { new, stream: Stream::Audit, record }
}
