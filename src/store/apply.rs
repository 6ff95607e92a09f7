//! Applying outcomes inside the one open batch: rows, indexes, blobs, counters, log. What it does to the undo and redo
//! stacks is in `stacks`.
//!
//! Every change is compare-and-set and all of them are checked before the first is written, so an outcome
//! is applied whole or not at all.

use serde_json::Value;

use super::layout;
use super::raw::{Raw, RawWrite};
use super::staged::{BatchResult, StagedTables};
use super::{Catalog, ReadSet, Reader, derive};
use crate::core::change::{Seed, Way, What};
use crate::core::op::Stream;
use crate::core::run::Reversal;
use crate::core::view::LogView;
use crate::core::{
    Change, Effect, Error, Image, Key, Kind, Op, OpKind, OpStatus, Outcome, Record, Result, Row, RowChange,
    Timestamp, View, Who, history, redact, row,
};

/// A whole image of a row is kept once in so many changes of it.
const IMAGE_EVERY: u8 = 64;

/// The open batch as its running calls see it: each sees what those before it did.
pub struct Batch<'a> {
    pub(super) tables: StagedTables,
    pub(super) catalog: &'a Catalog,
}

/// What the engine knows about an operation besides its outcome.
#[derive(Debug, Clone)]
pub struct NewOp {
    pub id: String,
    pub now: Timestamp,
    pub workspace: String,
    pub family: String,
    pub tool: String,
    pub who: Who,
    /// Already redacted.
    pub request: Value,
    pub request_key: Option<String>,
    pub trace: Value,
}

impl NewOp {
    /// A finished record that touches nothing; whoever knows more says so.
    ///
    /// Every record passes here on its way into a log, so this is where its words lose their secrets.
    pub(super) fn into_op(self, stream: Stream, seq: u64, record: &Record) -> Op {
        Op {
            id: self.id,
            seq,
            time: self.now,
            workspace: self.workspace,
            family: self.family,
            tool: self.tool,
            who: self.who,
            targets: record.targets.iter().map(|t| redact::text(t).0).collect(),
            summary: redact::text(&record.summary).0,
            request: self.request,
            data: said(&record.data),
            paths: record.paths.clone(),
            kind: OpKind::Do,
            status: OpStatus::Done,
            irreversible: None,
            effects: Vec::new(),
            steps: Vec::new(),
            request_key: self.request_key,
            aliases: Vec::new(),
            stream,
            reshapes: false,
            trace: redact::strings(&self.trace),
            forgotten: false,
            file_by_file: record.file_by_file,
            by_id_only: record.by_id_only,
        }
    }
}

/// What a record says about itself without secrets; how it is taken back stays whole, else it could not be.
fn said(data: &Value) -> Value {
    let mut out = redact::value(data);
    if let Some(reversal) = data.get(Reversal::KEY) {
        out[Reversal::KEY] = reversal.clone();
    }
    out
}

impl Batch<'_> {
    pub(super) fn end(self) -> BatchResult {
        self.tables.end()
    }

    pub fn view(&self) -> Reader<'_, StagedTables> {
        Reader { raw: &self.tables, catalog: self.catalog }
    }

    /// Was a decision that read this made on what is here now?
    pub fn still_holds(&self, reads: &ReadSet) -> bool {
        reads.holds_in(&self.tables)
    }

    /// Applies an outcome and appends its operation.
    ///
    /// With effects it is recorded as pending: [`settle`](Self::settle) finishes it once the files are written.
    pub fn record(&self, mut new: NewOp, outcome: &mut Outcome) -> Result<Op> {
        self.check(&outcome.changes)?;
        if let Some(id) = &outcome.record.id {
            new.id.clone_from(id);
        }
        if let Some(who) = &outcome.record.who {
            new.who.clone_from(who);
        }
        let seq = self.view().head(Stream::Ops)? + 1;
        let changes = self.write_side(outcome, seq, &new.id)?;
        let kind = outcome.kind.clone().unwrap_or(OpKind::Do);
        let outside = (!outcome.effects.is_empty() && !outcome.happened) || !outcome.steps.is_empty();
        let status = if outside { OpStatus::Pending } else { OpStatus::Done };
        let op = Op {
            kind,
            status,
            irreversible: outcome.record.irreversible.clone(),
            effects: outcome.effects.clone(),
            steps: outcome.steps.clone(),
            aliases: outcome.record.aliases.clone(),
            reshapes: changes.iter().any(|c| !matches!(c.what, What::Edited(_))),
            ..new.into_op(Stream::Ops, seq, &outcome.record)
        };
        self.append(&op, Some(&changes))?;
        match op.status {
            OpStatus::Pending => self.tables.put(layout::PENDING, &seq.to_be_bytes(), &[])?,
            _ => self.enter_history(&op)?,
        }
        Ok(op)
    }

    /// Appends a record of something that changed nothing: a preview, a refusal, a step of a confirmation.
    pub fn audit(&self, mut new: NewOp, outcome: &Outcome) -> Result<Op> {
        if let Some(id) = &outcome.record.id {
            new.id.clone_from(id);
        }
        let head = self.view().head(Stream::Audit)?;
        let seq = head + 1;
        let irreversible = Some("An audit record changes nothing.".to_string());
        let op = Op { irreversible, ..new.into_op(Stream::Audit, seq, &outcome.record) };
        self.append(&op, None)?;
        self.chain(&op, head == 0)?;
        Ok(op)
    }

    /// Applies an outcome that is state, not an operation (session mode, token bookkeeping).
    pub fn apply_quietly(&self, outcome: &mut Outcome) -> Result<()> {
        self.check(&outcome.changes)?;
        let seq = self.view().head(Stream::Ops)?;
        self.write_side(outcome, seq, &format!("quiet {seq}")).map(|_| ())
    }

    /// Finishes a pending operation: its files are as planned, or everything was put back.
    pub fn settle(&self, seq: u64, end: OpStatus, note: Option<&str>) -> Result<Op> {
        let mut op = self.view().op_at(Stream::Ops, seq)?.ok_or_else(|| missing(seq))?;
        op.status = end;
        self.tables.remove(layout::PENDING, &seq.to_be_bytes())?;
        if let Some(note) = note {
            set_note(&mut op.data, &redact::text(note).0);
        }
        match end {
            OpStatus::Done => self.enter_history(&op)?,
            // Its files were put back as far as possible, so the rows must not say that they are there.
            OpStatus::Undone | OpStatus::NeedsAttention => self.put_back(&mut op)?,
            OpStatus::Pending => {}
        }
        self.stand(&op)?;
        Ok(op)
    }

    /// Rows of an operation whose files could not be written go back to what they were, as a record of its own.
    fn put_back(&self, op: &mut Op) -> Result<()> {
        let Some(changes) = self.view().changes(op)? else { return Ok(()) };
        let mut inverse = Vec::new();
        for change in changes {
            let table = self.catalog.table(&change.table)?;
            let current = self.view().row(table, &change.key)?;
            let rev = match &current {
                Some(row) => row.rev,
                None => self.view().grave(table, &change.key)?.map_or(0, |(rev, _)| rev),
            };
            let turned = history::turned(&self.catalog.shape(table), current.as_ref(), &change, Way::Back);
            inverse.push(Change {
                table: change.table,
                key: change.key,
                before: current.as_ref().map(Row::image),
                after: turned.image.map(|image| Image { rev: rev + 1, ..image }),
            });
        }
        let mut outcome = Outcome { changes: inverse, ..Outcome::default() };
        let seq = self.view().head(Stream::Ops)? + 1;
        let id = format!("{}-back", op.id);
        let changes = self.write_side(&mut outcome, seq, &id)?;
        let record = Op {
            id,
            seq,
            kind: OpKind::Undo(op.id.clone()),
            status: OpStatus::Done,
            summary: format!("Put back after a failure: {}", op.summary),
            irreversible: Some("It only put back what a failed operation had begun.".to_string()),
            effects: op.effects.iter().map(Effect::inverse).collect(),
            steps: Vec::new(),
            request_key: None,
            aliases: Vec::new(),
            ..op.clone()
        };
        self.append(&record, Some(&changes))
    }

    fn check(&self, changes: &[Change]) -> Result<()> {
        for change in changes {
            let table = self.catalog.table(&change.table)?;
            let current = self.view().row(table, &change.key)?;
            let same = match (&current, &change.before) {
                (None, None) => true,
                (Some(row), Some(image)) => row.rev == image.rev && row.value == image.value,
                _ => false,
            };
            if !same {
                return Err(Error::new(
                    Kind::Conflict,
                    "conflict",
                    format!("A row of {} was changed by somebody else in the meantime.", change.table),
                )
                .hint("Read the current state and try again."));
            }
        }
        Ok(())
    }

    /// Writes rows, counters and blobs, and tells what that did to each row, field by field.
    fn write_side(&self, outcome: &mut Outcome, seq: u64, random: &str) -> Result<Vec<RowChange>> {
        let mut seed = Seed::new(random);
        let mut out = Vec::with_capacity(outcome.changes.len());
        for change in &mut outcome.changes {
            let shape = self.catalog.shape(self.catalog.table(&change.table)?);
            let (done, marks) = RowChange::between(&shape, change, &mut seed);
            // Where nothing has an identity of its own there is nothing to keep beside the row.
            if let (Some(image), Some(marks), true) = (&mut change.after, marks, shape.is_declared()) {
                image.marks = row::encode(&marks)?;
            }
            self.write_row(change, seq)?;
            out.push(done);
        }
        for (name, n) in &outcome.counters {
            if self.tables.number(layout::COUNTERS, name.as_bytes())? < *n {
                self.tables.put(layout::COUNTERS, name.as_bytes(), &n.to_be_bytes())?;
            }
        }
        for (sha, bytes) in &outcome.blobs {
            super::blobs::put(&self.tables, sha, bytes)?;
            self.catalog.watch.note(&self.tables, sha.as_str().as_bytes())?;
        }
        Ok(out)
    }

    fn write_row(&self, change: &Change, seq: u64) -> Result<()> {
        let table = self.catalog.table(&change.table)?;
        let key = change.key.as_bytes();
        let grave = Key::of(table.0).join(&change.key);
        let old = self.tables.get(table.0, key)?;
        let edits = old.as_deref().and_then(|old| layout::decode_stored(old).ok()).map_or(0, |row| row.edits);
        let new = change.after.as_ref().map(|image| {
            let row = Row { rev: image.rev, seq, value: image.value.clone(), marks: image.marks.clone() };
            let edits = if old.is_some() { (edits + 1) % IMAGE_EVERY } else { 0 };
            (layout::encode_row(&row, edits), old.is_some() && edits == 0)
        });
        match &new {
            Some((row, keep)) => {
                self.tables.put(table.0, key, row)?;
                if *keep {
                    self.tables.put(layout::IMAGES, grave.clone().number(seq).as_bytes(), row)?;
                }
                if old.is_none() && self.tables.has(layout::GRAVES, grave.as_bytes())? {
                    self.tables.remove(layout::GRAVES, grave.as_bytes())?;
                }
            }
            None => {
                let rev = change.before.as_ref().map_or(0, |r| r.rev);
                self.tables.remove(table.0, key)?;
                self.tables.put(layout::GRAVES, grave.as_bytes(), &layout::encode_grave(rev, seq))?;
            }
        }
        let new = new.as_ref().map(|(row, _)| row.as_slice());
        self.catalog.watch.note(&self.tables, new.unwrap_or_default())?;
        derive::follow(&self.tables, self.catalog, table.0, key, old.as_deref(), new)
    }

    pub(super) fn append(&self, op: &Op, changes: Option<&[RowChange]>) -> Result<()> {
        let record = layout::encode_record(op, changes)?;
        let key = layout::log_key(op.stream, op.seq);
        self.tables.put(layout::LOG, &key, &record)?;
        self.catalog.watch.note(&self.tables, &record)?;
        derive::follow(&self.tables, self.catalog, layout::LOG, &key, None, Some(&record))
    }

    /// Keeps what became of an operation, unless that is what its record says already.
    pub(super) fn stand(&self, op: &Op) -> Result<()> {
        let key = layout::log_key(op.stream, op.seq);
        let note = op.data["note"].as_str().map(str::to_string);
        let recorded = self.view().recorded(op.stream, op.seq)?;
        if recorded
            .is_some_and(|then| then.status == op.status && then.data["note"].as_str() == note.as_deref())
        {
            return self.tables.remove(layout::STANDING, &key);
        }
        self.tables.put(
            layout::STANDING,
            &key,
            &row::encode(&layout::OpStanding { status: op.status, note })?,
        )
    }
}

pub(super) fn missing(seq: u64) -> Error {
    Error::internal(format!("Operation {seq} is not where the log says it is."))
}

pub(super) fn set_note(data: &mut Value, note: &str) {
    if !data.is_object() {
        *data = Value::Object(serde_json::Map::new());
    }
    data["note"] = Value::String(note.to_string());
}
