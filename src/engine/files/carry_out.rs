//! What an operation does outside the store, once its rows are durable: its files, or the steps of an undo.
//!
//! Either all of it is done, or it is put back together with the rows; where neither can be, the operation is
//! marked for a person to look at.

use super::effects;
use crate::core::{Effect, Error, FileImage, Op, OpKind, OpStatus, Result};
use crate::engine::Shared;
use crate::engine::files::made::Ours;
use crate::engine::files::reserved::Reserved;
use crate::engine::request::{ProgressNote, ProgressSink};

impl Shared {
    /// Writes the files of a pending operation; on failure everything is put back, rows included.
    pub(in crate::engine) fn carry_out(
        &self,
        op: Op,
        told: Option<&ProgressSink>,
        reserved: Option<&Reserved>,
    ) -> Result<Op> {
        if !op.steps.is_empty() {
            return self.take_steps(op);
        }
        let blobs = |effect: &Effect, image: &FileImage| self.content_of(&effect.root, image);
        let total = op.effects.len() as f64;
        let after_each = |done: usize| {
            (self.after_effect)(done);
            if let Some(tell) = told {
                let message = format!("{done} of {total} files");
                tell(ProgressNote { progress: done as f64, total: Some(total), message });
            }
        };
        // What a family could once write, it may still take back.
        let back = matches!(op.kind, OpKind::Undo(_) | OpKind::UndoAll(_) | OpKind::Revert(_));
        let result = match reserved.filter(|_| !back) {
            Some(reserved) => reserved.check_all(&op.family, &op.effects),
            None => Ok(()),
        };
        let (ours, result) = match result.and_then(|()| self.own_dirs(&op.effects)) {
            Ok(ours) => {
                // What cannot be had together is asked for one by one, and then says what is missing.
                let _ = self.unpack_for(&op.effects);
                let done = effects::apply(&op.effects, &blobs, &ours, &after_each);
                (ours, done)
            }
            Err(error) => (Ours::default(), Err(effects::ApplyFailure { error, stuck: Vec::new() })),
        };
        let dirs = crate::engine::files::made::settle(&ours);
        let seq = op.seq;
        match result {
            Ok(()) => {
                let op = self.in_writer_blocking(move |batch| {
                    dirs(batch)?;
                    batch.settle(seq, OpStatus::Done, None)
                })?;
                self.announce(&op);
                Ok(op)
            }
            Err(failure) => {
                let stuck = failure.stuck.clone();
                let note = format!("Failed: {}", failure.error.message);
                let end = if stuck.is_empty() { OpStatus::Undone } else { OpStatus::NeedsAttention };
                self.in_writer_blocking(move |batch| {
                    dirs(batch)?;
                    batch.settle(seq, end, Some(&note))
                })?;
                if stuck.is_empty() {
                    return Err(failure.error);
                }
                let message = format!(
                    "{} These files could not be put back: {}.",
                    failure.error.message,
                    stuck.join("; ")
                );
                Err(Error { message, ..failure.error }
                    .hint("Look at them; `packd history` marks the operation."))
            }
        }
    }

    /// Does the steps of an undo or redo. The first that fails ends it: before anything was touched, the rows go
    /// back; after that only a person can tell what is right.
    fn take_steps(&self, op: Op) -> Result<Op> {
        let asking = self.sessions.all().iter().rev().map(|s| s.info()).find(|s| s.id == op.who.session);
        let env = asking.map(|info| self.program_env(&info, &op.family)).unwrap_or_default();
        let control = crate::engine::runs::steps::Control::default();
        control.surround(env);
        let mut touched = false;
        let mut trouble = None;
        for step in &op.steps {
            if let Err(failure) = crate::engine::runs::steps::perform(self, step, &control, &mut |_, _| {}) {
                trouble = Some(format!("{}: {}.", step.label, failure.message));
                break;
            }
            touched |= step.expect.is_none();
        }
        let seq = op.seq;
        let Some(trouble) = trouble else {
            let op = self.in_writer_blocking(move |batch| batch.settle(seq, OpStatus::Done, None))?;
            crate::engine::trash::settle(self, &op);
            self.announce(&op);
            return Ok(op);
        };
        let end = if touched { OpStatus::NeedsAttention } else { OpStatus::Undone };
        let note = format!("Failed: {trouble}");
        self.in_writer_blocking(move |batch| batch.settle(seq, end, Some(&note)))?;
        let error = Error::new(
            crate::core::Kind::Conflict,
            "undo_refused",
            format!("This cannot be taken back: {trouble}"),
        );
        Err(match touched {
            true => error.hint("Some of it was already done; `packd history` marks the operation."),
            false => error.hint("Nothing was changed. Put that right first, or leave things as they are."),
        })
    }
}
