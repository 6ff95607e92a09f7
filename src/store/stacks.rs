//! The undo and redo stacks: what can be taken back next, and what can be done again, by workspace and family.
//!
//! Moved by operations that are finished, inside the batch that finishes them. Changes no row.

use super::apply::{Batch, missing};
use super::layout::{self, Stack};
use super::raw::{Raw, RawWrite, Span, decode_number};
use crate::core::view::LogView;
use crate::core::{Error, Op, OpKind, OpStatus, Result};

/// The family whose redo stack holds what was undone together.
const TOGETHER: &str = "history";

impl Batch<'_> {
    /// Moves the undo and redo stacks as this finished operation demands.
    pub(super) fn enter_history(&self, op: &Op) -> Result<()> {
        match &op.kind {
            OpKind::Do | OpKind::Revert(_) => {
                // What nobody asked for takes nothing away from those who may want to redo something.
                if op.by_id_only {
                    return Ok(());
                }
                self.clear_redo(&op.workspace, &op.family)?;
                // What was undone together may have been of any family.
                self.clear_redo(&op.workspace, TOGETHER)?;
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
                self.stand(&undone)
            }
            OpKind::UndoAll(ids) => {
                for id in ids {
                    let mut undone = self.named(id)?;
                    self.pop(&undone, Stack::Live, undone.seq)?;
                    undone.status = OpStatus::Undone;
                    self.stand(&undone)?;
                }
                self.push(op, Stack::Redo, op.seq)
            }
            OpKind::Redo(id) => {
                let mut redone = self.named(id)?;
                let undo = self.last_undo(&redone)?;
                self.pop(&redone, Stack::Redo, undo)?;
                if let OpKind::UndoAll(ids) = &redone.kind {
                    for id in ids {
                        let mut back = self.named(id)?;
                        back.status = OpStatus::Done;
                        self.push(&back, Stack::Live, back.seq)?;
                        self.stand(&back)?;
                    }
                    redone.status = OpStatus::Undone;
                    return self.stand(&redone);
                }
                redone.status = OpStatus::Done;
                self.push(&redone, Stack::Live, redone.seq)?;
                self.stand(&redone)
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
