//! From a family's outcome to a durable operation: one commit, then its files, then the answer.

use std::sync::Arc;

use serde_json::{Value, json};

use super::checks::FilesBack;
use super::clock::operation_id;
use super::consult::{guarded, let_go};
use super::locks::Held;
use super::{Event, Shared};
use crate::core::confirm::{CONFIRMATIONS, Pending};
use crate::core::ctx::Gathered;
use crate::core::outcome::{self, AUDIT_ID, OP_ID};
use crate::core::view::LogView;
use crate::core::{
    Call, Change, Effect, Error, Family, FileImage, Op, OpKind, OpStatus, Outcome, Record, Reply, Result,
    SessionInfo, Sha, View, Who, redact,
};
use crate::store::{Batch, NewOp};

/// What a job in the writer arrived at.
pub(super) struct Committed {
    pub reply: Reply,
    pub op: Option<Op>,
    pub start: Vec<Value>,
    /// Rows of packs that a mirrored root may show.
    pub mirrored: Vec<Change>,
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
        let look = tokio::task::spawn_blocking(move || super::effects::check(&effects));
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

    /// Runs the family inside the writer's transaction and answers once the commit is durable.
    pub(super) async fn commit(
        shared: &Arc<Shared>,
        family: &'static str,
        info: SessionInfo,
        call: Call,
        gathered: Option<Gathered>,
        files: Option<Held>,
        files_back: FilesBack,
    ) -> Result<Option<Reply>> {
        let inner = shared.clone();
        let (done, gathered) = shared
            .in_writer(move |batch| {
                let family = inner.family(family)?;
                let outcome = inner.run_family(family, &batch.view(), &info, &call, gathered.as_ref())?;
                let outside = !outcome.effects.is_empty() || !outcome.steps.is_empty();
                if outcome.shown_first {
                    return Ok((Some(Done::Shown(inner.checked(&batch.view(), outcome)?)), gathered));
                }
                if outcome.kind.is_some() && outside {
                    match files_back {
                        FilesBack::Free => {}
                        FilesBack::Passphrase => return Err(super::person::needs_passphrase()),
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
                let reserved = files.as_ref().map(|held| held.reserved.clone());
                shared.carry_out(op, told.as_ref(), reserved.as_deref()).map(|_| reply)
            };
            return tokio::task::spawn_blocking(work)
                .await
                .unwrap_or_else(|_| Err(Error::internal("Writing the files was interrupted by a defect.")));
        }
        shared.announce(&op);
        Ok(reply)
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
            self.heed_modes(&outcome.changes);
            batch.apply_quietly(&mut outcome)?;
            if outcome.audit {
                let audit = batch.audit(self.new_op(family.name(), info, call), &outcome)?;
                outcome.reply.fill(AUDIT_ID, Some(&audit.id));
            }
            return Ok(Committed { reply: outcome.reply, op: None, start, mirrored: Vec::new() });
        }
        if !outcome.changes_something() {
            outcome.reply.fill(OP_ID, None);
            if outcome.audit {
                let audit = batch.audit(self.new_op(family.name(), info, call), &outcome)?;
                outcome.reply.fill(AUDIT_ID, Some(&audit.id));
            }
            return Ok(Committed { reply: outcome.reply, op: None, start, mirrored: Vec::new() });
        }
        let mut new = self.new_op(family.name(), info, call);
        if outcome.kind.is_some() {
            self.restore(&batch.view(), &mut outcome)?;
        }
        if let Some(OpKind::Undo(id) | OpKind::Redo(id) | OpKind::Revert(id)) = &outcome.kind {
            new.family = batch.view().op(id)?.map_or(new.family, |op| op.family);
        }
        // A record may quote the reply, so it knows its own id, too.
        outcome::fill(&mut outcome.record.data, OP_ID, Some(&new.id));
        let op = batch.record(new, &mut outcome)?;
        outcome.reply.fill(OP_ID, Some(&op.id));
        let mirrored = super::mirroring::concerned(self, outcome.changes);
        Ok(Committed { reply: outcome.reply, op: Some(op), start, mirrored })
    }

    /// Rows that come back are adjusted to the present, and the families that own them have the last word.
    fn restore(&self, view: &dyn View, outcome: &mut Outcome) -> Result<()> {
        let Some(kind) = outcome.kind.clone() else { return Ok(()) };
        let now = self.clock.now();
        let mut owners: Vec<&dyn Family> = Vec::new();
        for change in &mut outcome.changes {
            let owns = |family: &&dyn Family| family.tables().iter().any(|table| table.0 == change.table);
            let Some(family) = self.families.iter().map(|family| &**family).find(owns) else { continue };
            if let Some(image) = &mut change.after {
                let value = family.resettle(&change.table, std::mem::take(&mut image.value))?;
                image.value = family.revive(&change.table, value, now)?;
            }
            if !owners.iter().any(|owner| owner.name() == family.name()) {
                owners.push(family);
            }
        }
        self.mend(view, &kind, outcome)?;
        let draft = crate::core::history::preview(view, outcome)?;
        owners
            .into_iter()
            .try_for_each(|family| guarded("an undo", || family.check_restore(&kind, &draft, now)))
    }

    /// Files that a program rewrites all the time come back by what they say, where their family knows how.
    fn mend(&self, view: &dyn View, kind: &OpKind, outcome: &mut Outcome) -> Result<()> {
        let (OpKind::Undo(id) | OpKind::Redo(id) | OpKind::Revert(id)) = kind else { return Ok(()) };
        let Some(op) = view.log().op(id)? else { return Ok(()) };
        let family = self.family(&op.family)?;
        let mut mended = Vec::new();
        for mut effect in std::mem::take(&mut outcome.effects) {
            let path = effect.full_path();
            let now = super::mended::read(&path);
            let expected = effect.before.as_ref().map(|image| &image.sha);
            if now.as_ref().map(|(image, _)| &image.sha) != expected
                && let Some((image, text)) = now
            {
                let wanted = match &effect.after {
                    Some(image) => view.blob(&image.sha)?.and_then(|bytes| String::from_utf8(bytes).ok()),
                    None => None,
                };
                if let Some(after) = family.mend(&path, &text, wanted.as_deref()) {
                    if after == text {
                        // It says so already.
                        continue;
                    }
                    let sha = Sha::of(after.as_bytes());
                    outcome.blobs.push((image.sha.clone(), text.into_bytes()));
                    outcome.blobs.push((sha.clone(), after.into_bytes()));
                    effect.after = Some(FileImage { sha, mode: image.mode });
                    effect.before = Some(image);
                }
            }
            mended.push(effect);
        }
        outcome.effects = mended;
        Ok(())
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

    /// Tells every session that sees the workspace what changed.
    pub(super) fn announce(&self, op: &Op) {
        let Ok(family) = self.family(&op.family) else { return };
        let uris = family.changed_resources(op);
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

    /// Every refusal leaves a trace; failing to leave it does not change the answer.
    pub(super) async fn note_refusal(&self, family: &str, info: &SessionInfo, call: &Call, error: &Error) {
        let (info, targets) =
            self.concerned(family, info, call).unwrap_or_else(|_| (info.clone(), Vec::new()));
        let call = super::token::hidden(call);
        let record = Record {
            summary: format!("Refused: {}", redact::text(&error.message).0),
            targets,
            data: json!({"event": "refused", "code": error.code, "tool": call.tool, "mode": call.mode.as_str()}),
            ..Record::default()
        };
        self.leave(self.new_op(family, &info, &call), record).await;
    }

    /// Something worth remembering that is neither a change nor the refusal of a call.
    pub(super) async fn note(&self, info: &SessionInfo, target: &str, summary: &str, data: Value) {
        let record =
            Record { summary: summary.into(), targets: vec![target.into()], data, ..Record::default() };
        self.leave(self.new_op("ecosystems", info, &super::serve::serving(target)), record).await;
    }

    async fn leave(&self, new: NewOp, record: Record) {
        let outcome = Outcome { record, ..Outcome::default() };
        if let Err(e) = self.in_writer(move |batch| batch.audit(new, &outcome)).await {
            tracing::warn!("what was refused could not be recorded: {e}");
        }
    }

    /// What a call that was not run is about and where that belongs, so that the history's filters find it.
    fn concerned(&self, family: &str, info: &SessionInfo, call: &Call) -> Result<(SessionInfo, Vec<String>)> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        if super::confirm::is_confirm_tool(&call.tool) {
            let key = self.confirmation_key(info, call)?;
            let found = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?;
            return Ok(match found {
                Some((pending, _)) => {
                    (super::token::beside(info, &pending.info), super::token::targets(&key, &pending))
                }
                None => (info.clone(), Vec::new()),
            });
        }
        let ctx = self.ctx(&view, info, call, None);
        guarded("a record", || Ok((info.clone(), self.family(family)?.concerns(&ctx))))
    }
}

/// Says in the structured part that nothing was changed and how to really do it.
fn mark_preview(reply: &mut Reply, call: &Call) {
    reply.same = false;
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
