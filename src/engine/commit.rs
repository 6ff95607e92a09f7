//! From a family's outcome to a durable operation: one commit, then its files, then the answer.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::call::{Progress, ProgressSink, guarded, let_go};
use super::clock::operation_id;
use super::locks::Held;
use super::{Event, Shared, effects};
use crate::core::ctx::Gathered;
use crate::core::outcome::{AUDIT_ID, OP_ID};
use crate::core::view::LogView;
use crate::core::{
    Call, Change, Error, Family, Op, OpKind, OpStatus, Outcome, Record, Reply, Result, SessionInfo, Who,
    redact,
};
use crate::store::{Batch, NewOp, Settled};

/// What a job in the writer arrived at.
pub(super) struct Committed {
    pub reply: Reply,
    pub op: Option<Op>,
    pub start: Vec<Value>,
    /// Rows of packs that a mirrored root may show.
    pub mirrored: Vec<Change>,
}

impl Shared {
    /// Runs the family inside the writer's transaction and answers once the commit is durable.
    pub(super) async fn commit(
        shared: &Arc<Shared>,
        family: &'static str,
        info: SessionInfo,
        call: Call,
        gathered: Option<Gathered>,
        files: Option<Held>,
    ) -> Result<Reply> {
        let inner = shared.clone();
        let (done, gathered) = shared
            .in_writer(move |batch| {
                let family = inner.family(family)?;
                let outcome = inner.run_family(family, &batch.view(), &info, &call, gathered.as_ref())?;
                Ok((inner.store_outcome(batch, family, &info, &call, outcome)?, gathered))
            })
            .await?;
        let_go(gathered);
        Shared::finish(shared, done, files).await
    }

    /// Applies an outcome that was computed elsewhere (housekeeping, intake of files) as an operation.
    pub(super) async fn commit_outcome(
        shared: &Arc<Shared>,
        family: &'static str,
        info: SessionInfo,
        call: Call,
        make: impl FnOnce(&Batch) -> Result<Outcome> + Send + 'static,
    ) -> Result<Reply> {
        let inner = shared.clone();
        let done = shared
            .in_writer(move |batch| {
                let outcome = make(batch)?;
                inner.store_outcome(batch, inner.family(family)?, &info, &call, outcome)
            })
            .await?;
        Shared::finish(shared, done, None).await
    }

    pub(super) async fn finish(shared: &Arc<Shared>, done: Committed, files: Option<Held>) -> Result<Reply> {
        let Committed { reply, op, start, mirrored } = done;
        super::runs::obey(shared, start);
        super::mirroring::write_out(shared, mirrored).await;
        let Some(op) = op else { return Ok(reply) };
        if op.status == OpStatus::Pending {
            let shared = shared.clone();
            let reply = reply.clone();
            // On a blocking thread of its own: it finishes even if the caller goes away.
            let work = move || {
                let told = files.as_ref().and_then(|held| held.progress.clone());
                shared.carry_out(op, told.as_ref()).map(|_| reply)
            };
            return tokio::task::spawn_blocking(work)
                .await
                .unwrap_or_else(|_| Err(Error::internal("Writing the files was interrupted by a defect.")));
        }
        shared.announce(&op);
        Ok(reply)
    }

    /// Runs a closure inside the writer's transaction; the answer comes after the commit.
    pub(super) async fn in_writer<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tell, told) = oneshot::channel();
        self.submit(run, move |result| {
            let _ = tell.send(result);
        })?;
        told.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// The same for a thread that may block.
    pub(super) fn in_writer_blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tell, told) = sync_channel(1);
        self.submit(run, move |result| {
            let _ = tell.send(result);
        })?;
        told.recv().unwrap_or_else(|_| Err(stopped()))
    }

    pub(super) fn submit<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
        answer: impl FnOnce(Result<T>) + Send + 'static,
    ) -> Result<()> {
        self.writer.submit(Box::new(move |batch| {
            let result = run(batch);
            Box::new(move |settled: Settled| answer(settled.and(result)))
        }))
    }

    pub(super) fn store_outcome(
        &self,
        batch: &Batch,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        mut outcome: Outcome,
    ) -> Result<Committed> {
        let start = std::mem::take(&mut outcome.start);
        if outcome.quiet {
            batch.apply_quietly(&mut outcome)?;
            if outcome.audit {
                let audit = batch.audit(self.new_op(family.name(), info, call), &outcome)?;
                fill(&mut outcome.reply, AUDIT_ID, &audit.id);
            }
            return Ok(Committed { reply: outcome.reply, op: None, start, mirrored: Vec::new() });
        }
        if !outcome.changes_something() {
            if outcome.audit {
                let audit = batch.audit(self.new_op(family.name(), info, call), &outcome)?;
                fill(&mut outcome.reply, AUDIT_ID, &audit.id);
            }
            return Ok(Committed { reply: outcome.reply, op: None, start, mirrored: Vec::new() });
        }
        let mut new = self.new_op(family.name(), info, call);
        if let Some(OpKind::Undo(id) | OpKind::Redo(id) | OpKind::Revert(id)) = &outcome.kind {
            let owner = batch.view().op(id)?.map_or(new.family, |op| op.family);
            self.restore(batch, &owner, &mut outcome)?;
            new.family = owner;
        }
        let op = batch.record(new, &mut outcome)?;
        fill(&mut outcome.reply, OP_ID, &op.id);
        let mirrored = super::mirroring::concerned(self, outcome.changes);
        Ok(Committed { reply: outcome.reply, op: Some(op), start, mirrored })
    }

    /// Rows that come back are adjusted to the present, and the family that owns them has the last word.
    fn restore(&self, batch: &Batch, owner: &str, outcome: &mut Outcome) -> Result<()> {
        let family = self.family(owner)?;
        let now = self.clock.now();
        for change in &mut outcome.changes {
            if let Some(image) = &mut change.after {
                image.value = family.revive(&change.table, std::mem::take(&mut image.value), now)?;
            }
        }
        let view = batch.view();
        let draft = crate::core::history::preview(&view, outcome)?;
        guarded("an undo", || family.check_restore(&draft, now))
    }

    pub(super) fn new_op(&self, family: &str, info: &SessionInfo, call: &Call) -> NewOp {
        let now = self.clock.now();
        NewOp {
            id: operation_id(now, &*self.ids),
            now,
            workspace: info.workspace.clone(),
            family: family.to_string(),
            tool: call.tool.clone(),
            who: Who { session: info.id.clone(), client: info.client.clone() },
            request: Value::Object(redact::object(&call.args)),
            request_key: call.request_key.clone(),
            trace: call.trace.clone(),
        }
    }

    /// Writes the files of a pending operation; on failure everything is put back, rows included.
    pub(super) fn carry_out(&self, op: Op, told: Option<&ProgressSink>) -> Result<Op> {
        if !op.steps.is_empty() {
            return self.take_steps(op);
        }
        let blobs = |sha: &crate::core::Sha| {
            let snapshot = self.store.read()?;
            crate::core::View::blob(&snapshot.view(), sha)?
                .ok_or_else(|| Error::io(format!("The content {sha} is missing from the store.")))
        };
        let total = op.effects.len() as f64;
        let after_each = |done: usize| {
            (self.after_effect)(done);
            if let Some(tell) = told {
                let message = format!("{done} of {total} files");
                tell(Progress { progress: done as f64, total: Some(total), message });
            }
        };
        let result = effects::apply(&op.effects, &blobs, &after_each);
        let seq = op.seq;
        match result {
            Ok(()) => {
                let op = self.in_writer_blocking(move |batch| batch.settle(seq, OpStatus::Done, None))?;
                self.announce(&op);
                Ok(op)
            }
            Err(failure) => {
                let stuck = failure.stuck.clone();
                let note = format!("Failed: {}", failure.error.message);
                let end = if stuck.is_empty() { OpStatus::Undone } else { OpStatus::NeedsAttention };
                self.in_writer_blocking(move |batch| batch.settle(seq, end, Some(&note)))?;
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
        let control = super::steps::Control::default();
        let mut touched = false;
        let mut trouble = None;
        for step in &op.steps {
            if let Err(failure) = super::steps::perform(step, &control, &mut |_, _| {}) {
                trouble = Some(format!("{}: {}.", step.label, failure.message));
                break;
            }
            touched |= step.expect.is_none();
        }
        let seq = op.seq;
        let Some(trouble) = trouble else {
            let op = self.in_writer_blocking(move |batch| batch.settle(seq, OpStatus::Done, None))?;
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

    /// Tells every session that sees the workspace what changed.
    pub(super) fn announce(&self, op: &Op) {
        let Ok(family) = self.family(&op.family) else { return };
        let uris = family.changed_resources(op);
        let _ = self.events.send(Event {
            workspace: op.workspace.clone(),
            family: op.family.clone(),
            list_changed: op.reshapes && !uris.is_empty(),
            uris,
        });
    }

    /// The reply of a call whose changes are thrown away, recorded in the audit stream if it asked for that.
    pub(super) async fn preview_reply(
        self: &Arc<Self>,
        family: &'static str,
        info: &SessionInfo,
        call: &Call,
        mut outcome: Outcome,
    ) -> Result<Reply> {
        if outcome.audit {
            let new = self.new_op(family, info, call);
            let record = Outcome { record: outcome.record.clone(), ..Outcome::default() };
            let audit = self.in_writer(move |batch| batch.audit(new, &record)).await?;
            fill(&mut outcome.reply, AUDIT_ID, &audit.id);
        }
        if call.preview {
            mark_preview(&mut outcome.reply, call);
        }
        Ok(outcome.reply)
    }

    /// Every refusal leaves a trace; failing to leave it does not change the answer.
    pub(super) async fn audit_refusal(&self, family: &str, info: &SessionInfo, call: &Call, error: &Error) {
        let new = self.new_op(family, info, call);
        let record = Record {
            summary: format!("Refused: {}", error.message),
            data: json!({"event": "refused", "code": error.code, "mode": call.mode.as_str()}),
            ..Record::default()
        };
        let outcome = Outcome { record, ..Outcome::default() };
        if let Err(e) = self.in_writer(move |batch| batch.audit(new, &outcome)).await {
            tracing::warn!("a refusal could not be recorded: {e}");
        }
    }
}

fn stopped() -> Error {
    Error::new(crate::core::Kind::State, "stopping", "The daemon is stopping.")
        .hint("Try again; the next call starts a new daemon.")
}

/// Puts an id where the family left a placeholder.
fn fill(reply: &mut Reply, placeholder: &str, id: &str) {
    if reply.text.contains(placeholder) {
        reply.text = reply.text.replace(placeholder, id);
    }
    if let Some(value) = &mut reply.structured {
        fill_value(value, placeholder, id);
    }
}

fn fill_value(value: &mut Value, placeholder: &str, id: &str) {
    match value {
        Value::String(s) if s.contains(placeholder) => *s = s.replace(placeholder, id),
        Value::Array(items) => items.iter_mut().for_each(|v| fill_value(v, placeholder, id)),
        Value::Object(map) => map.values_mut().for_each(|v| fill_value(v, placeholder, id)),
        _ => {}
    }
}

/// Says in the structured part that nothing was changed and how to really do it.
fn mark_preview(reply: &mut Reply, call: &Call) {
    if let Some(Value::Object(map)) = &mut reply.structured {
        map.insert(
            "_preview".into(),
            json!({
                "mode": "plan", "changed": false,
                "execute": {"tool": call.tool, "add": {"mode": "execute"}},
            }),
        );
    }
}
