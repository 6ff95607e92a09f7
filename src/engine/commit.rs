//! From a family's outcome to a durable operation: one commit, then its files, then the answer.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::checks::FilesBack;
use super::clock::operation_id;
use super::consult::{guarded, let_go};
use super::files::locks::WriteLocks;
use super::mirror::moments::Touched;
use super::{Event, Shared, runs};
use crate::core::confirm::CONFIRMATIONS;
use crate::core::ctx::Gathered;
use crate::core::outcome::{self, AUDIT_ID, OP_ID};
use crate::core::run::Order;
use crate::core::view::LogView;
use crate::core::{
    Call, Draft, Effect, Error, Family, Op, OpKind, OpStatus, Outcome, Record, Reply, Result, SessionInfo,
    View, Who, redact,
};
use crate::store::{Batch, NewOp};

/// What a job in the writer arrived at.
pub(super) struct Committed {
    pub reply: Reply,
    pub op: Option<Op>,
    pub orders: Vec<Order>,
    /// Rows that are also files.
    pub mirrored: Vec<Touched>,
    /// Somebody decided about a confirmation.
    pub decided: bool,
}

/// What became of a call in the writer.
enum Done {
    Stored(Box<Committed>),
    Shown(Shown),
}

/// A preview whose rows were checked; its files are looked at where nobody waits.
struct Shown {
    reply: Reply,
    effects: Vec<Effect>,
}

impl Shown {
    async fn looked_at(self) -> Result<Reply> {
        let Shown { reply, effects } = self;
        let look = tokio::task::spawn_blocking(move || super::files::effects::check(&effects));
        look.await.unwrap_or_else(|_| Err(Error::internal("A look at files was stopped by a defect.")))?;
        Ok(reply)
    }
}

impl Shared {
    /// Everything that the doing would check of the rows.
    fn checked(&self, view: &dyn View, mut outcome: Outcome) -> Result<Shown> {
        self.restore(view, &mut outcome)?;
        outcome.reply.fill(OP_ID, None);
        Ok(Shown { reply: outcome.reply, effects: outcome.effects })
    }

    /// Decides the call inside the writer's transaction and answers once the commit is durable.
    pub(super) async fn commit(
        shared: &Arc<Shared>,
        family: &'static str,
        info: SessionInfo,
        call: Call,
        gathered: Option<Gathered>,
        files: Option<WriteLocks>,
        files_back: FilesBack,
    ) -> Result<Option<Reply>> {
        let (early, gathered) = match files {
            Some(_) => (None, gathered),
            None => shared.decide_early(&info, &call, gathered).await,
        };
        let inner = shared.clone();
        let (done, gathered) = shared
            .in_writer(move |batch| {
                let family = inner.family(family)?;
                let outcome = match early.and_then(|early| inner.still_decided(early, batch)) {
                    Some(outcome) => outcome,
                    None => inner.decide(&batch.view(), &info, &call, gathered.as_ref())?,
                };
                let outside = !outcome.effects.is_empty() || !outcome.steps.is_empty();
                if outcome.shown_first {
                    return Ok((Some(Done::Shown(inner.checked(&batch.view(), outcome)?)), gathered));
                }
                if (outcome.kind.is_some() || outcome.record.file_by_file) && outside {
                    match files_back {
                        FilesBack::Free => {}
                        FilesBack::Passphrase => return Err(super::confirm::person::needs_passphrase()),
                        FilesBack::Person => return Ok((None, gathered)),
                    }
                }
                let stored = inner.store_outcome(batch, family, &info, &call, outcome)?;
                Ok((Some(Done::Stored(Box::new(stored))), gathered))
            })
            .await?;
        let_go(gathered);
        match done {
            Some(Done::Stored(done)) => Shared::finish(shared, *done, files).await.map(Some),
            Some(Done::Shown(shown)) => shown.looked_at().await.map(Some),
            None => Ok(None),
        }
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

    pub(super) async fn finish(
        shared: &Arc<Shared>,
        done: Committed,
        files: Option<WriteLocks>,
    ) -> Result<Reply> {
        let Committed { mut reply, op, orders, mirrored, decided } = done;
        reply.run = orders.iter().find_map(Order::starts).map(str::to_string);
        if decided {
            shared.decisions.send_modify(|n| *n += 1);
        }
        for order in orders {
            match order {
                Order::Start(spec) => runs::enqueue(shared, runs::RunJob::new(*spec)),
                Order::Cancel { run } => runs::cancel(shared, &run),
            }
        }
        super::mirror::moments::write_out(shared, mirrored).await;
        let Some(op) = op else { return Ok(reply) };
        match op.status {
            OpStatus::Pending => Shared::write_files(shared, op, files).await?,
            _ => shared.announce(&op),
        }
        Ok(reply)
    }

    /// Writes the files of a pending operation, on a blocking thread: it finishes even if the caller goes away.
    async fn write_files(shared: &Arc<Shared>, op: Op, files: Option<WriteLocks>) -> Result<()> {
        let shared = shared.clone();
        let work = move || {
            let told = files.as_ref().and_then(|held| held.progress.clone());
            let reserved = files.as_ref().map(|held| held.reserved.clone());
            shared.carry_out(op, told.as_ref(), reserved.as_deref()).map(|_| ())
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(Error::internal("Writing the files was interrupted by a defect.")))
    }

    pub(super) fn store_outcome(
        &self,
        batch: &Batch,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        mut outcome: Outcome,
    ) -> Result<Committed> {
        let orders = std::mem::take(&mut outcome.orders);
        self.write_fleeting(batch, &mut outcome)?;
        let decided = outcome.changes.iter().any(|change| change.table == CONFIRMATIONS.0);
        if outcome.quiet {
            self.heed_modes(&outcome.changes);
            batch.apply_quietly(&mut outcome)?;
            if outcome.audit {
                let mut new = self.new_op(family.name(), info, call);
                if let Some(workspace) = &outcome.record.workspace {
                    new.workspace.clone_from(workspace);
                }
                let audit = batch.audit(new, &outcome)?;
                outcome.reply.fill(AUDIT_ID, Some(&audit.id));
            }
            return Ok(Committed { reply: outcome.reply, op: None, orders, mirrored: Vec::new(), decided });
        }
        if !outcome.changes_something() {
            outcome.reply.fill(OP_ID, None);
            if outcome.audit {
                let audit = batch.audit(self.new_op(family.name(), info, call), &outcome)?;
                outcome.reply.fill(AUDIT_ID, Some(&audit.id));
            }
            return Ok(Committed { reply: outcome.reply, op: None, orders, mirrored: Vec::new(), decided });
        }
        let mut new = self.new_op(family.name(), info, call);
        if outcome.kind.is_some() {
            self.restore(&batch.view(), &mut outcome)?;
        }
        if let Some(OpKind::Undo(id) | OpKind::Redo(id) | OpKind::Revert(id)) = &outcome.kind
            && let Some(op) = batch.view().op(id)?
        {
            (new.family, new.workspace) = (op.family, op.workspace);
        }
        new.who.task = self.in_hand(&batch.view(), info, call)?;
        // A record may quote the reply, so it knows its own id, too.
        outcome::fill(&mut outcome.record.data, OP_ID, Some(&new.id));
        let op = batch.record(new, &mut outcome)?;
        outcome.reply.fill(OP_ID, Some(&op.id));
        let mirrored = super::mirror::moments::concerned(self, &outcome.changes);
        Ok(Committed { reply: outcome.reply, op: Some(op), orders, mirrored, decided })
    }

    /// Bookkeeping and its audit record, in the transaction that is open.
    pub(super) fn apply_and_audit(
        &self,
        batch: &Batch,
        draft: Draft,
        family: &str,
        info: &SessionInfo,
        call: &Call,
        record: Record,
    ) -> Result<()> {
        let mut outcome = Outcome { record, ..draft.into_outcome() };
        batch.apply_quietly(&mut outcome)?;
        batch.audit(self.new_op(family, info, &Call { request_key: None, ..call.clone() }), &outcome)?;
        Ok(())
    }

    /// Rows that are part of no operation are written at once, and are no longer part of the outcome.
    fn write_fleeting(&self, batch: &Batch, outcome: &mut Outcome) -> Result<()> {
        let fleeting = |table: &str| self.families.iter().any(|f| f.fleeting().iter().any(|t| t.0 == table));
        if !outcome.changes.iter().any(|change| fleeting(&change.table)) {
            return Ok(());
        }
        let (aside, kept) =
            std::mem::take(&mut outcome.changes).into_iter().partition(|c| fleeting(&c.table));
        outcome.changes = kept;
        batch.apply_quietly(&mut Outcome { changes: aside, ..Outcome::default() })
    }

    pub(super) fn in_hand(&self, view: &dyn View, info: &SessionInfo, call: &Call) -> Result<Option<String>> {
        let ctx = self.ctx(view, info, call);
        for family in &self.families {
            if let Some(task) = guarded("a record", || family.in_hand(&ctx))? {
                return Ok(Some(task));
            }
        }
        Ok(None)
    }

    pub(super) fn new_op(&self, family: &str, info: &SessionInfo, call: &Call) -> NewOp {
        let now = self.clock.now();
        NewOp {
            id: operation_id(now, &*self.ids),
            now,
            workspace: info.workspace.clone(),
            family: family.to_string(),
            tool: call.tool.clone(),
            who: Who::calls(info),
            request: Value::Object(self.recorded_request(call)),
            request_key: call.request_key.clone(),
            trace: call.trace.clone(),
        }
    }

    /// What of a call's arguments is kept: without secrets, and without what its tool says is nobody else's.
    fn recorded_request(&self, call: &Call) -> Map<String, Value> {
        let mut args = redact::object(&call.args);
        for name in self.tool(&call.tool).iter().flat_map(|tool| &tool.rules.unrecorded) {
            args.remove(name);
        }
        args
    }

    /// Tells every session that sees the workspace what changed.
    pub(super) fn announce(&self, op: &Op) {
        let Ok(family) = self.family(&op.family) else { return };
        let uris = family.offers().map(|offers| offers.changed(op)).unwrap_or_default();
        let _ = self.events.send(Event {
            workspace: op.workspace.clone(),
            family: op.family.clone(),
            list_changed: op.reshapes && !uris.is_empty(),
            uris,
            ended: Vec::new(),
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
        // A preview checks everything that the doing checks.
        if outcome.kind.is_some() {
            let snapshot = self.store.read()?;
            self.restore(&snapshot.view(), &mut outcome)?;
        }
        if outcome.audit {
            let new = self.new_op(family, info, call);
            let record = Outcome { record: outcome.record.clone(), ..Outcome::default() };
            let audit = self.in_writer(move |batch| batch.audit(new, &record)).await?;
            outcome.reply.fill(AUDIT_ID, Some(&audit.id));
        }
        outcome.reply.fill(OP_ID, None);
        if call.preview {
            mark_preview(&mut outcome.reply, call);
        }
        Ok(outcome.reply)
    }
}

/// Says, before everything else, that nothing was changed and how to really do it. A text that is the structured part
/// in JSON says it, too.
fn mark_preview(reply: &mut Reply, call: &Call) {
    if let Some(Value::Object(map)) = &mut reply.structured {
        let mark = json!({
            "mode": "plan", "changed": false,
            "execute": {"tool": call.tool, "add": {"mode": "execute"}},
        });
        map.shift_insert(0, "_preview".into(), mark);
    }
    if let (true, Some(structured)) = (reply.same, &reply.structured) {
        reply.text = structured.to_string();
    }
}
