//! The second phase of a dangerous call: the very same call, now that somebody agreed to it.
//!
//! It looks at the world again, and takes the token, compares the state and does the work in one transaction: two
//! confirmations of one token cannot both win, and nothing runs that was not previewed. Every step leaves an audit
//! record.

use std::sync::Arc;

use serde_json::json;

use crate::core::confirm::{self, CONFIRMATIONS, ConfirmAttempt, NewToken, Pending, steps};
use crate::core::ctx::Gathered;
use crate::core::declared::Confirm;
use crate::core::{
    Call, Draft, Error, Key, Kind, Mode, Outcome, Reply, Result, SessionInfo, Timestamp, View,
};
use crate::engine::call_world::CallWorld;
use crate::engine::commit::Committed;
use crate::engine::confirm::stage::StagedCall;
use crate::engine::confirm::words::confirmation;
use crate::engine::consult::seen;
use crate::engine::{Engine, Shared};
use crate::store::Batch;

/// Somebody's yes.
pub(in crate::engine) struct Word<'a> {
    /// A token, or an id where that is enough.
    pub token: &'a str,
    pub typed: Option<&'a str>,
    /// The host asked a person.
    pub by_dialog: bool,
}

/// A yes that may be said: to what, and by whom.
pub(in crate::engine) struct Agreed {
    pub key: Key,
    pub pending: Pending,
    pub family: &'static str,
    /// The call as it was asked for and by whom: it runs there, even if a person confirms from elsewhere.
    pub staged: StagedCall,
    caller: SessionInfo,
    typed: Option<String>,
    /// The mode that forbids it now.
    denied: Option<Mode>,
    by_person: bool,
}

impl Agreed {
    /// Whose confirmation it must be; a person may confirm for any session.
    fn session(&self) -> Option<&str> {
        (!self.caller.is_person()).then_some(&self.caller.id)
    }

    /// Whoever decides, where it was asked: the trail of one confirmation is found in one workspace.
    fn decider(&self) -> SessionInfo {
        let mut info = self.caller.clone();
        info.workspace.clone_from(&self.staged.info.workspace);
        info
    }
}

/// What became of a confirmation.
enum TokenFate {
    Run(Box<Committed>),
    /// Recorded already; nothing was done.
    Refused(Error),
    /// Confirmed and spent, but the call itself failed.
    Failed(Error),
}

impl Engine {
    pub(in crate::engine) async fn confirm(
        &self,
        info: &SessionInfo,
        call: &Call,
        word: Word<'_>,
    ) -> Result<Reply> {
        let shared = &self.shared;
        let agreed = Arc::new(self.agreed(info, call, word)?);
        let Agreed { pending, family, staged, .. } = &*agreed;
        if pending.human && pending.lapsed(shared.clock.now()) {
            return Err(self.renew(&agreed, lapsed()).await?);
        }
        let world = CallWorld::quiet(shared, family, &staged.info);
        let at = shared.computed_at(&agreed);
        let family = shared.family(family)?;
        let looked = self.gather_in_turn(family, &staged.info, &staged.call, world, at).await;
        let (gathered, files) = looked.map_err(|e| shared.no_longer_waits(&agreed).unwrap_or(e))?;
        let (inner, yes) = (shared.clone(), agreed.clone());
        let fate = shared.in_writer(move |batch| inner.take_and_run(batch, &yes, gathered.as_ref())).await?;
        let (result, operation) = match fate {
            TokenFate::Run(done) => {
                let operation = done.op.as_ref().map(|op| op.id.clone());
                (Shared::finish(shared, *done, files).await, operation)
            }
            TokenFate::Failed(error) => (Err(error), None),
            TokenFate::Refused(error) if pending.human && error.code == confirm::DRIFT => {
                return Err(self.renew(&agreed, error).await?);
            }
            TokenFate::Refused(error) => return Err(error.noted()),
        };
        self.ended(&agreed, &result, operation).await;
        result
    }

    /// The call that somebody says yes to, as it would run now that they did.
    fn agreed(&self, info: &SessionInfo, call: &Call, word: Word<'_>) -> Result<Agreed> {
        let shared = &self.shared;
        let (key, pending) = self.named(info, &word)?;
        let owner = shared.owner_of(&pending, info);
        let Some(tool) = shared.tool(&pending.tool) else {
            return Err(Error::internal(format!("There is no tool {} any more.", pending.tool)));
        };
        let (effective, denied) = shared.permitted(tool, &pending, &owner)?;
        let original = Call {
            request_id: call.request_id.clone(),
            request_key: call.request_key.clone(),
            trace: call.trace.clone(),
            mode: effective.mode,
            mode_said: effective.said,
            asked: pending.human.then_some(pending.issued),
            ..Call::of(&pending.tool, pending.args.clone())
        };
        Ok(Agreed {
            key,
            family: shared.family(&tool.family)?.name(),
            staged: StagedCall {
                kind: Confirm::parse(&pending.kind),
                info: owner,
                call: original,
                call_mode: pending.call_mode,
                session_mode: pending.session_mode,
            },
            pending,
            caller: info.clone(),
            typed: word.typed.map(str::to_string),
            denied,
            by_person: info.is_person() || word.by_dialog,
        })
    }

    /// The confirmation that a word names, if it can still be taken and by whoever says it. One that a person let lapse
    /// is shown once more.
    fn named(&self, info: &SessionInfo, word: &Word) -> Result<(Key, Pending)> {
        let now = self.shared.clock.now();
        let session = (!info.is_person()).then_some(info.id.as_str());
        let snapshot = self.shared.store.read()?;
        let view = snapshot.view();
        let key = confirm::named(&view, info, word.token)?;
        let waits = confirm::waiting(&view, &key, session, now)?;
        let kept = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?.map(|(pending, _)| pending);
        self.may_confirm(info, kept.as_ref(), word.by_dialog)?;
        match (waits, kept) {
            (Ok(pending), _) => Ok((key, pending)),
            (Err(e), Some(kept)) if e.code == "confirm_expired" && kept.human && kept.lapsed(now) => {
                Ok((key, kept))
            }
            (Err(e), _) => Err(e),
        }
    }
}

fn lapsed() -> Error {
    Error::new(
        Kind::Conflict,
        confirm::LAPSED,
        "This was asked too long ago, so nothing was done. Here is what it would do now.",
    )
    .hint("Look at the fresh preview and confirm that one.")
}

impl Shared {
    /// A person agrees to what was previewed, byte for byte: it is computed once more as it was then.
    fn computed_at(&self, agreed: &Agreed) -> Option<Timestamp> {
        let exactly = agreed.pending.human && !self.by_state(&agreed.staged.call);
        exactly.then(|| agreed.pending.previewed())
    }

    /// Looking fails when the work is already under way: then the token is the better answer.
    fn no_longer_waits(&self, agreed: &Agreed) -> Option<Error> {
        let found = self.store.read().and_then(|snapshot| {
            confirm::waiting(&snapshot.view(), &agreed.key, agreed.session(), self.clock.now())
        });
        found.map_or_else(Some, std::result::Result::err)
    }

    /// Takes the token and does the work, if everything is as it was previewed.
    fn take_and_run(&self, batch: &Batch, agreed: &Agreed, gathered: Option<&Gathered>) -> Result<TokenFate> {
        let StagedCall { info, call, .. } = &agreed.staged;
        let view = batch.view();
        let (state, outcome) = self.state_now(&view, agreed, gathered)?;
        let mut draft = Draft::new(&view);
        let attempt = ConfirmAttempt {
            key: &agreed.key,
            typed: agreed.typed.as_deref(),
            session: agreed.session(),
            now: self.clock.now(),
            state: &state,
            denied: agreed.denied,
        };
        match confirm::take(&mut draft, &attempt)? {
            Ok(pending) => {
                self.note_step(batch, draft, agreed, "confirmed", &pending)?;
                // From here on the confirmation is spent, whatever becomes of the call.
                let outcome = outcome.map_or_else(|| self.decide(&batch.view(), info, call, gathered), Ok);
                let family = self.family(agreed.family)?;
                let done = outcome.and_then(|it| self.store_outcome(batch, family, info, call, it));
                Ok(done.map_or_else(TokenFate::Failed, |done| TokenFate::Run(Box::new(done))))
            }
            Err(error) => self.refuse(batch, draft, agreed, gathered, error),
        }
    }

    /// The state to be compared with the one that was previewed, and the outcome where that is what it consists of.
    fn state_now(
        &self,
        view: &dyn View,
        agreed: &Agreed,
        gathered: Option<&Gathered>,
    ) -> Result<(String, Option<Outcome>)> {
        let StagedCall { info, call, .. } = &agreed.staged;
        let Some(at) = self.computed_at(agreed) else {
            let ctx = self.ctx(view, info, call);
            return Ok((self.typed(&call.tool)?.bind(&ctx, seen(gathered))?.state, None));
        };
        Ok(match self.proposal(view, &agreed.staged, gathered, Some((at, &agreed.key))) {
            Ok(proposal) => (proposal.state, Some(proposal.outcome)),
            // What can no longer be previewed has certainly changed.
            Err(e) => (e.code, None),
        })
    }

    /// A yes that does not count. After drift the refusal holds a fresh preview with a token of its own.
    fn refuse(
        &self,
        batch: &Batch,
        mut draft: Draft,
        agreed: &Agreed,
        gathered: Option<&Gathered>,
        mut error: Error,
    ) -> Result<TokenFate> {
        let view = batch.view();
        let found = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &agreed.key)?;
        let Some((pending, _)) = found else { return Ok(TokenFate::Refused(error)) };
        let event = error.code.trim_start_matches("confirm_").to_string();
        if error.code == confirm::DRIFT && !pending.human {
            error = self.fresh(&view, &mut draft, &pending, agreed, gathered, error)?;
        }
        self.note_step(batch, draft, agreed, &event, &pending)?;
        Ok(TokenFate::Refused(error))
    }

    fn fresh(
        &self,
        view: &dyn View,
        draft: &mut Draft,
        old: &Pending,
        agreed: &Agreed,
        gathered: Option<&Gathered>,
        error: Error,
    ) -> Result<Error> {
        let mut staged = agreed.staged.clone();
        staged.call.preview = true;
        let proposal = match self.proposal(view, &staged, gathered, None) {
            Ok(proposal) => proposal,
            Err(e) => return Ok(error.hint(format!("It can no longer be done: {}", e.message))),
        };
        let new = NewToken {
            life: Some(old.life.clone()).filter(|life| !life.is_empty()),
            targets: old.targets.clone(),
            ..proposal.new_token(&staged)
        };
        let token = self.ids.uuid();
        let pending = confirm::issue(draft, &confirm::key_of(&token), new, self.clock.now())?;
        let preview = proposal.outcome.reply;
        Ok(error.details(json!({
            "confirmation": confirmation(&token, &pending, self.names),
            "preview": preview.structured,
            "preview_text": preview.text,
        })))
    }

    fn note_step(
        &self,
        batch: &Batch,
        draft: Draft,
        agreed: &Agreed,
        event: &str,
        pending: &Pending,
    ) -> Result<()> {
        let who = if agreed.by_person { "person" } else { "agent" };
        let record = steps::step(event, &agreed.key, pending, who)?;
        self.apply_and_audit(batch, draft, agreed.family, &agreed.decider(), &agreed.staged.call, record)
    }
}
