//! Applying outcomes inside the one open write transaction: rows, indexes, blobs, counters, log, undo stacks.
//!
//! Every change is compare-and-set and all of them are checked before the first is written, so an outcome
//! is applied whole or not at all.

use serde_json::Value;

use super::layout::{self, Stack, log_tables};
use super::raw::{Raw, RawWrite, Span, decode_number};
use super::tables::{Tables, Witness};
use super::{Catalog, Reader, derive};
use crate::core::op::Stream;
use crate::core::run::Reversal;
use crate::core::view::LogView;
use crate::core::{
    Change, Effect, Error, Image, Key, Kind, Op, OpKind, OpStatus, Outcome, Record, Result, Row, Timestamp,
    View, Who, redact, row,
};

/// The open transaction as the running calls of one batch see it: each sees what those before it did.
pub struct Batch<'a> {
    pub(super) tables: Tables<'a>,
    pub(super) catalog: &'a Catalog,
    pub(super) dirty: std::cell::Cell<bool>,
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
    fn into_op(self, stream: Stream, seq: u64, record: &Record) -> Op {
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

impl<'a> Batch<'a> {
    /// Closes the tables: why nothing of it may be stored, and what to look for after a failed commit.
    pub(super) fn end(self) -> (Option<Error>, Option<Witness>) {
        self.tables.end()
    }

    pub fn view(&self) -> Reader<'_, Tables<'a>> {
        Reader { raw: &self.tables, catalog: self.catalog }
    }

    /// Applies an outcome and appends its operation.
    ///
    /// With effects it is recorded as pending: [`settle`](Self::settle) finishes it once the files are written.
    pub fn record(&self, mut new: NewOp, outcome: &mut Outcome) -> Result<Op> {
        self.check(&outcome.changes)?;
        if let Some(id) = &outcome.record.id {
            new.id.clone_from(id);
        }
        let seq = self.view().head(Stream::Ops)? + 1;
        self.write_side(outcome, seq)?;
        let kind = outcome.kind.clone().unwrap_or(OpKind::Do);
        let outside = !outcome.effects.is_empty() || !outcome.steps.is_empty();
        let status = if outside { OpStatus::Pending } else { OpStatus::Done };
        let op = Op {
            kind,
            status,
            irreversible: outcome.record.irreversible.clone(),
            effects: outcome.effects.clone(),
            steps: outcome.steps.clone(),
            aliases: outcome.record.aliases.clone(),
            reshapes: outcome.changes.iter().any(|c| c.before.is_none() != c.after.is_none()),
            ..new.into_op(Stream::Ops, seq, &outcome.record)
        };
        self.append(&op)?;
        self.tables.put(layout::IMAGES, &seq.to_be_bytes(), &row::encode(&outcome.changes)?)?;
        match op.status {
            OpStatus::Pending => self.tables.put(layout::PENDING, &seq.to_be_bytes(), &[])?,
            _ => self.enter_history(&op)?,
        }
        Ok(op)
    }

    /// Appends a record of something that changed nothing: a preview, a refusal, a step of a confirmation.
    pub fn audit(&self, new: NewOp, outcome: &Outcome) -> Result<Op> {
        let head = self.view().head(Stream::Audit)?;
        let seq = head + 1;
        let irreversible = Some("An audit record changes nothing.".to_string());
        let op = Op { irreversible, ..new.into_op(Stream::Audit, seq, &outcome.record) };
        self.append(&op)?;
        self.chain(&op, head == 0)?;
        Ok(op)
    }

    /// Applies an outcome that is state, not an operation (session mode, token bookkeeping).
    pub fn apply_quietly(&self, outcome: &mut Outcome) -> Result<()> {
        self.check(&outcome.changes)?;
        let seq = self.view().head(Stream::Ops)?;
        self.write_side(outcome, seq)
    }

    /// Finishes a pending operation: its files are as planned, or everything was put back.
    pub fn settle(&self, seq: u64, end: OpStatus, note: Option<&str>) -> Result<Op> {
        let mut op = self.view().op_at(Stream::Ops, seq)?.ok_or_else(|| missing(seq))?;
        op.status = end;
        self.tables.remove(layout::PENDING, &seq.to_be_bytes())?;
        if let Some(note) = note {
            set_note(&mut op.data, note);
        }
        match end {
            OpStatus::Done => self.enter_history(&op)?,
            // Its files were put back as far as possible, so the rows must not say that they are there.
            OpStatus::Undone | OpStatus::NeedsAttention => self.put_back(&mut op)?,
            OpStatus::Pending => {}
        }
        self.rewrite(&op)?;
        Ok(op)
    }

    /// Rows of an operation whose files could not be written go back to what they were, as a record of its own.
    fn put_back(&self, op: &mut Op) -> Result<()> {
        let Some(images) = self.view().images(op)? else { return Ok(()) };
        let mut inverse = Vec::new();
        for change in images {
            let table = self.catalog.table(&change.table)?;
            let current = self.view().row(table, &change.key)?;
            let rev = match &current {
                Some(row) => row.rev,
                None => self.view().grave(table, &change.key)?.map_or(0, |(rev, _)| rev),
            };
            inverse.push(Change {
                table: change.table,
                key: change.key,
                before: current.as_ref().map(Row::image),
                after: change.before.map(|b| Image { rev: rev + 1, ..b }),
            });
        }
        let mut outcome = Outcome {
            changes: inverse,
            kind: Some(OpKind::Undo(op.id.clone())),
            record: Record {
                summary: format!("Put back after a failure: {}", op.summary),
                targets: op.targets.clone(),
                irreversible: Some("It only put back what a failed operation had begun.".to_string()),
                ..Default::default()
            },
            ..Outcome::default()
        };
        let seq = self.view().head(Stream::Ops)? + 1;
        self.write_side(&mut outcome, seq)?;
        let record = Op {
            id: format!("{}-back", op.id),
            seq,
            kind: OpKind::Undo(op.id.clone()),
            status: OpStatus::Done,
            summary: outcome.record.summary.clone(),
            irreversible: outcome.record.irreversible.clone(),
            effects: op.effects.iter().map(Effect::inverse).collect(),
            steps: Vec::new(),
            request_key: None,
            aliases: Vec::new(),
            ..op.clone()
        };
        self.append(&record)?;
        self.tables.put(layout::IMAGES, &seq.to_be_bytes(), &row::encode(&outcome.changes)?)
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

    fn write_side(&self, outcome: &mut Outcome, seq: u64) -> Result<()> {
        self.dirty.set(true);
        for change in &mut outcome.changes {
            if let Some(image) = change.after.as_mut().filter(|image| image.origin == 0) {
                image.origin = seq;
            }
            self.write_row(change, seq)?;
        }
        for (name, n) in &outcome.counters {
            if self.tables.number(layout::COUNTERS, name.as_bytes())? < *n {
                self.tables.put(layout::COUNTERS, name.as_bytes(), &n.to_be_bytes())?;
            }
        }
        for (sha, bytes) in &outcome.blobs {
            super::blobs::put(&self.tables, sha, bytes)?;
        }
        Ok(())
    }

    fn write_row(&self, change: &Change, seq: u64) -> Result<()> {
        let table = self.catalog.table(&change.table)?;
        let row = |i: &Image| Row { rev: i.rev, seq: i.origin, value: i.value.clone() };
        let encoded = |image: &Option<Image>| image.as_ref().map(|i| layout::encode_row(&row(i)));
        let (old, new) = (encoded(&change.before), encoded(&change.after));
        let key = change.key.as_bytes();
        let grave = Key::of(table.0).join(&change.key);
        match &new {
            Some(row) => {
                self.tables.put(table.0, key, row)?;
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
        derive::follow(&self.tables, self.catalog, table.0, key, old.as_deref(), new.as_deref())
    }

    fn append(&self, op: &Op) -> Result<()> {
        self.dirty.set(true);
        let (key, record) = (op.seq.to_be_bytes(), layout::encode_op(op)?);
        let table = log_tables(op.stream).records;
        self.tables.put(table, &key, &record)?;
        derive::follow(&self.tables, self.catalog, table, &key, None, Some(&record))
    }

    fn rewrite(&self, op: &Op) -> Result<()> {
        self.dirty.set(true);
        self.tables.put(log_tables(op.stream).records, &op.seq.to_be_bytes(), &layout::encode_op(op)?)
    }

    /// Moves the undo and redo stacks as this finished operation demands.
    fn enter_history(&self, op: &Op) -> Result<()> {
        match &op.kind {
            OpKind::Do | OpKind::Revert(_) => {
                self.clear_redo(&op.workspace, &op.family)?;
                if op.reversible() {
                    self.push(op, Stack::Live, op.seq)?;
                }
                Ok(())
            }
            OpKind::Undo(id) => {
                let mut undone = self.named(id)?;
                self.pop(&undone, Stack::Live, undone.seq)?;
                undone.status = OpStatus::Undone;
                self.push(&undone, Stack::Redo, op.seq)?;
                self.rewrite(&undone)
            }
            OpKind::Redo(id) => {
                let mut redone = self.named(id)?;
                let undo = self.last_undo(&redone)?;
                self.pop(&redone, Stack::Redo, undo)?;
                redone.status = OpStatus::Done;
                self.push(&redone, Stack::Live, redone.seq)?;
                self.rewrite(&redone)
            }
        }
    }

    fn named(&self, id: &str) -> Result<Op> {
        self.view().op(id)?.ok_or_else(|| Error::internal(format!("Operation {id} is gone.")))
    }

    /// Position of an undone operation on the redo stack.
    fn last_undo(&self, op: &Op) -> Result<u64> {
        let prefix = layout::history_key(&op.workspace, &op.family, Stack::Redo);
        let stack = self.tables.collect(layout::HISTORY, &Span::prefix(prefix.as_bytes()).reverse(true))?;
        let found = stack.iter().find(|(_, seq)| decode_number(seq) == op.seq);
        found.map(|(k, _)| decode_number(&k[k.len() - 8..])).ok_or_else(|| missing(op.seq))
    }

    fn push(&self, op: &Op, stack: Stack, at: u64) -> Result<()> {
        for family in ["", op.family.as_str()] {
            let key = layout::history_key(&op.workspace, family, stack).number(at);
            self.tables.put(layout::HISTORY, key.as_bytes(), &op.seq.to_be_bytes())?;
        }
        Ok(())
    }

    fn pop(&self, op: &Op, stack: Stack, at: u64) -> Result<()> {
        for family in ["", op.family.as_str()] {
            let key = layout::history_key(&op.workspace, family, stack).number(at);
            self.tables.remove(layout::HISTORY, key.as_bytes())?;
        }
        Ok(())
    }

    fn clear_redo(&self, workspace: &str, family: &str) -> Result<()> {
        let prefix = layout::history_key(workspace, family, Stack::Redo);
        let all = layout::history_key(workspace, "", Stack::Redo);
        for (key, _) in self.tables.collect(layout::HISTORY, &Span::prefix(prefix.as_bytes()))? {
            self.tables.remove(layout::HISTORY, &key)?;
            let at = decode_number(&key[key.len() - 8..]);
            self.tables.remove(layout::HISTORY, all.clone().number(at).as_bytes())?;
        }
        Ok(())
    }
}

fn missing(seq: u64) -> Error {
    Error::internal(format!("Operation {seq} is not where the log says it is."))
}

fn set_note(data: &mut Value, note: &str) {
    if !data.is_object() {
        *data = Value::Object(serde_json::Map::new());
    }
    data["note"] = Value::String(redact::text(note).0);
}
