//! Calls that wait for a person: previewed exactly as they would run, kept, and run as previewed once agreed to.
//!
//! What a person agrees to is what is carried out, byte for byte (`proposal`), and no family needs to know that
//! anybody was asked.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::core::confirm::{self, CONFIRMATIONS, ConfirmStatus, NewToken, Pending, TTL_SECONDS, steps};
use crate::core::ctx::Gathered;
use crate::core::json::digest;
use crate::core::outcome::PersonConfirm;
use crate::core::{Call, Draft, Error, Family, Key, Kind, Reply, Result, SessionInfo, Timestamp, View};
use crate::engine::call_world::CallWorld;
use crate::engine::checks::FilesBack;
use crate::engine::commit::Committed;
use crate::engine::confirm::proposal::Proposal;
use crate::engine::confirm::stage::StagedCall;
use crate::engine::confirm::take::Agreed;
use crate::engine::confirm::words::{asked, needs_human, shown};
use crate::engine::{Engine, Shared};
use crate::store::Batch;

/// What became of asking.
enum Made {
    Moot(Box<Committed>),
    Asked { key: Key, pending: Box<Pending>, preview: Option<Value> },
}

impl Engine {
    /// Previews the call and leaves it for a person to decide. The answer says so, in the family's own shape.
    pub(in crate::engine) async fn ask_person(
        &self,
        staged: StagedCall,
        family: &dyn Family,
        world: CallWorld,
    ) -> Result<Reply> {
        let (shared, name, at) = (self.shared.clone(), family.name(), self.shared.clock.now());
        let call = Call { preview: shared.by_state(&staged.call), asked: Some(at), ..staged.call };
        let staged = StagedCall { call, ..staged };
        let (info, call) = (staged.info.clone(), staged.call.clone());
        let key = shared.asked_before(&staged, at)?;
        let key = key.unwrap_or_else(|| confirm::key_of(&shared.ids.uuid()));
        let gathered = self.gather(&info, &call, world, Some(at)).await?;
        let made = self
            .shared
            .in_writer(move |batch| shared.stage_for_person(batch, name, &staged, at, key, gathered.as_ref()))
            .await?;
        match made {
            Made::Moot(done) => Shared::finish(&self.shared, *done, None).await,
            Made::Asked { key, pending, preview } => {
                let id = confirm::id_of(&key);
                let error = needs_human(&id, &pending, preview, self.dialogs(), self.shared.names);
                let mut reply = self.shared.render(name, &error, &info, &call);
                reply.asks = Some(Box::new(PersonConfirm { id, question: pending.question }));
                Ok(reply)
            }
        }
    }

    /// Who may take files back, or bring them back.
    pub(in crate::engine) fn files_back(&self, info: &SessionInfo) -> FilesBack {
        match (self.shared.human_confirms, info.is_person()) {
            (false, _) => FilesBack::Free,
            (true, false) => FilesBack::Person,
            (true, true) if self.unlocked(info).is_err() => FilesBack::Passphrase,
            (true, true) => FilesBack::Free,
        }
    }

    /// A fresh preview of something that lapsed or drifted, under the same id; the error that shows it.
    pub(super) async fn renew(&self, agreed: &Arc<Agreed>, why: Error) -> Result<Error> {
        let (shared, agreed, at) = (self.shared.clone(), agreed.clone(), self.shared.clock.now());
        let mut staged = agreed.staged.clone();
        staged.call.preview = shared.by_state(&staged.call);
        let world = CallWorld::quiet(&shared, agreed.family, &staged.info);
        let gathered = self.gather(&staged.info, &staged.call, world, Some(at)).await;
        self.shared.in_writer(move |batch| shared.renew_in(batch, &agreed, &staged, at, gathered, why)).await
    }
}

impl Shared {
    /// The same call of the same session that still waits: asking again does not make a second question.
    fn asked_before(&self, staged: &StagedCall, now: Timestamp) -> Result<Option<Key>> {
        let snapshot = self.store.read()?;
        find_waiting(&snapshot.view(), staged, &staged.call.args, now)
    }

    fn stage_for_person(
        &self,
        batch: &Batch,
        name: &'static str,
        staged: &StagedCall,
        at: Timestamp,
        key: Key,
        gathered: Option<&Gathered>,
    ) -> Result<Made> {
        let view = batch.view();
        let StagedCall { info, call, .. } = staged;
        let proposal = self.proposal(&view, staged, gathered, Some((at, &key)))?.for_person();
        if proposal.is_moot() {
            let done = self.store_outcome(batch, self.family(name)?, info, call, proposal.outcome)?;
            return Ok(Made::Moot(Box::new(done)));
        }
        let preview = self.by_state(call).then(|| proposal.outcome.reply.structured.clone()).flatten();
        // What the session implied is spelt out only now, so the same question may be found only now.
        let key = find_waiting(&view, staged, &proposal.args, at)?.unwrap_or(key);
        let mut draft = Draft::new(&view);
        let earlier = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?;
        let event = if earlier.is_some() { "asked again" } else { "asked" };
        let pending = match earlier {
            Some((mut pending, _)) => {
                refresh(&mut pending, &proposal, at);
                draft.put(CONFIRMATIONS, &key, &pending)?;
                pending
            }
            None => {
                let summary = proposal.question.what.clone();
                let new = NewToken { summary, human: true, ..proposal.new_token(staged) };
                confirm::issue(&mut draft, &key, new, at)?
            }
        };
        let record = steps::step(event, &key, &pending, "agent")?;
        self.apply_and_audit(batch, draft, name, info, call, record)?;
        Ok(Made::Asked { key, pending: Box::new(pending), preview })
    }

    fn renew_in(
        &self,
        batch: &Batch,
        agreed: &Agreed,
        staged: &StagedCall,
        at: Timestamp,
        gathered: Result<Option<Gathered>>,
        why: Error,
    ) -> Result<Error> {
        let (view, key) = (batch.view(), &agreed.key);
        let Some((mut pending, _)) = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, key)? else {
            return Ok(why);
        };
        let fresh = gathered.and_then(|gathered| {
            let fresh = self.proposal(&view, staged, gathered.as_ref(), Some((at, key)))?.for_person();
            match fresh.is_moot() {
                true => Err(moot(&fresh.outcome.reply)),
                false => Ok(fresh),
            }
        });
        let mut draft = Draft::new(&view);
        let (event, error) = match fresh {
            Ok(fresh) => {
                refresh(&mut pending, &fresh, at);
                let details = json!({"confirmation": shown(&confirm::id_of(key), &pending, self.names),
                                     "question": asked(&pending, usize::MAX)});
                ("previewed again", why.details(details))
            }
            Err(e) => {
                pending.status = ConfirmStatus::Drifted;
                let hint = format!("It can no longer be done as it was asked for: {}", e.message);
                ("outdated", why.hint(hint))
            }
        };
        draft.put(CONFIRMATIONS, key, &pending)?;
        let record = steps::step(event, key, &pending, "person")?;
        self.apply_and_audit(batch, draft, agreed.family, &staged.info, &staged.call, record)?;
        Ok(error.noted())
    }
}

/// What waits of this call with these arguments.
fn find_waiting(
    view: &dyn View,
    staged: &StagedCall,
    args: &Map<String, Value>,
    now: Timestamp,
) -> Result<Option<Key>> {
    let (session, wanted) = (&staged.info.id, digest(args));
    let same = |p: &Pending| {
        p.status == ConfirmStatus::Waiting
            && p.tool == staged.call.tool
            && p.args_digest == wanted
            && p.info.id == *session
    };
    let asked = confirm::asked(view, Some(session), now)?;
    Ok(asked.into_iter().find(|(_, pending)| same(pending)).map(|(key, _)| key))
}

fn refresh(pending: &mut Pending, proposal: &Proposal, at: Timestamp) {
    pending.state = proposal.state.clone();
    pending.question = proposal.question.clone();
    pending.summary = proposal.question.what.clone();
    pending.typed = proposal.typed.clone();
    pending.previewed = Some(at);
    pending.expires = at.plus_seconds(TTL_SECONDS);
    pending.lapse_noted = false;
}

fn moot(reply: &Reply) -> Error {
    let told = reply.structured.as_ref().and_then(|s| s.pointer("/errors/0/message")).and_then(Value::as_str);
    Error::new(Kind::State, "nothing_to_do", told.unwrap_or("It would change nothing any more."))
}
