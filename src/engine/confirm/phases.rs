//! The two phases of a dangerous call: a preview with a token, then the very same call, confirmed.
//!
//! The second phase looks at the world again, and takes the token, compares the state and does the work in one
//! transaction: two confirmations of one token cannot both win, and nothing runs that was not previewed.

use std::sync::Arc;

use serde_json::{Map, json};

use crate::core::confirm::{self, CONFIRMATIONS, NewToken, Pending, TTL_SECONDS, steps};
use crate::core::declared::Confirm;
use crate::core::{
    Call, Declared, Draft, Error, Family, Kind, Mode, Question, Reply, Result, SessionInfo, View,
};
use crate::engine::call_world::CallWorld;
use crate::engine::checks::FilesBack;
use crate::engine::confirm::asking::kind_of;
use crate::engine::confirm::proposal::by_state;
use crate::engine::confirm::token::{Confirming, TokenFate, ask_for, headline};
use crate::engine::files::locks::WriteLocks;
use crate::engine::{Engine, Session, Shared};

/// A call that waits for its confirmation, with the modes it was asked under.
pub(in crate::engine) struct StagedCall<'a> {
    pub tool: &'a Declared,
    pub kind: Confirm,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
}

pub(in crate::engine) fn word(kind: Confirm) -> &'static str {
    match kind {
        Confirm::None => "none",
        Confirm::Simple => "simple",
        Confirm::Preview => "preview",
        Confirm::Type => "type",
    }
}

/// Somebody's yes.
pub(in crate::engine) struct Word<'a> {
    /// A token, or an id where that is enough.
    pub token: &'a str,
    pub typed: Option<&'a str>,
    /// The host asked a person.
    pub by_dialog: bool,
}

impl Engine {
    /// Phase one: previews the call and issues a token for exactly that.
    pub(in crate::engine) async fn stage(
        &self,
        staged: StagedCall<'_>,
        family: &dyn Family,
        info: &SessionInfo,
        call: &mut Call,
        world: CallWorld,
    ) -> Result<Reply> {
        let shared = self.shared.clone();
        call.preview = true;
        let gathered = self.gather(info, call, world, None).await?;
        let (name, kind, tool) = (family.name(), staged.kind, staged.tool.name.clone());
        let (info, call) = (info.clone(), call.clone());
        let (call_mode, session_mode) = (staged.call_mode, staged.session_mode);
        self.shared
            .in_writer(move |batch| {
                let typed = shared.typed(&tool)?;
                let view = batch.view();
                let preview = shared.decide(&view, &info, &call, gathered.as_ref())?;
                let ctx = shared.ctx(&view, &info, &call, gathered.as_ref());
                let bound = typed.bind(&ctx, ctx.gathered)?;
                let mut draft = Draft::new(&view);
                let new = NewToken {
                    info: &info,
                    tool: &tool,
                    args: bound.args,
                    state: bound.state,
                    kind: word(kind),
                    typed: bound.typed.filter(|_| kind == Confirm::Type),
                    call_mode,
                    session_mode,
                    summary: headline(&preview.reply),
                    ttl_seconds: TTL_SECONDS,
                    human: false,
                    question: Question::explained(typed.explain(&ctx, ctx.gathered)).asked_by(
                        &info.client,
                        &info.workspace,
                        &call.args,
                    ),
                    life: None,
                    targets: preview.record.targets.clone(),
                };
                let issued = confirm::issue(&mut draft, &*shared.ids, new, shared.clock.now())?;
                let key = confirm::key_of(&issued.token);
                let (pending, _) = (&draft as &dyn View)
                    .get::<Pending>(CONFIRMATIONS, &key)?
                    .ok_or_else(|| Error::internal("A confirmation was not kept."))?;
                shared.apply_and_audit(
                    batch,
                    draft,
                    name,
                    &info,
                    &call,
                    steps::step("issued", &key, &pending, "agent")?,
                )?;
                Ok(ask_for(preview.reply, &issued, word(kind), shared.names))
            })
            .await
    }

    /// Confirms for a person whom the host asked (elicitation): allowed also where agents may not.
    pub async fn confirm_for_person(&self, session: &Arc<Session>, id: &str, typed: Option<&str>) -> Reply {
        let info = session.info();
        let names = self.shared.names;
        let call = Call::of(names.confirm, Map::from_iter([("token".to_string(), json!(id))]));
        match self.confirm(&info, &call, Word { token: id, typed, by_dialog: true }).await {
            Ok(reply) => reply,
            Err(error) => {
                self.shared.note_refusal(names.family, &info, &call, &error).await;
                self.shared.render(names.family, &error, &info, &call)
            }
        }
    }

    /// The person said no: the confirmation is spent without anything being done.
    pub async fn give_up(&self, session: &Arc<Session>, id: &str) {
        let names = self.shared.names;
        let call = Call::of(names.cancel, Map::from_iter([("token".to_string(), json!(id))]));
        let done =
            Shared::commit(&self.shared, names.family, session.info(), call, None, None, FilesBack::Free);
        if let Err(e) = done.await {
            tracing::debug!("a declined confirmation was gone already: {e}");
        }
    }

    /// Phase two.
    pub(in crate::engine) async fn confirm(
        &self,
        info: &SessionInfo,
        call: &Call,
        word: Word<'_>,
    ) -> Result<Reply> {
        let shared = &self.shared;
        let by_dialog = word.by_dialog;
        let (key, pending, found) = {
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let key = confirm::named(&view, info, word.token)?;
            let session = (!info.is_person()).then_some(info.id.as_str());
            let found = confirm::waiting(&view, &key, session, shared.clock.now())?;
            let pending = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?.map(|(p, _)| p);
            (key, pending, found)
        };
        self.may_confirm(info, pending.as_ref(), by_dialog)?;
        let lapsed = |p: &Pending| p.human && p.lapsed(shared.clock.now());
        let pending = match (found, pending) {
            (Ok(pending), _) => pending,
            (Err(e), Some(pending)) if e.code == "confirm_expired" && lapsed(&pending) => pending,
            (Err(e), _) => return Err(e),
        };
        // The call runs where it was asked for, even if a person confirms from elsewhere.
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
        if lapsed(&pending) {
            let error = Error::new(
                Kind::Conflict,
                confirm::LAPSED,
                "This was asked too long ago, so nothing was done. Here is what it would do now.",
            )
            .hint("Look at the fresh preview and confirm that one.");
            return Err(self.renew(&key, tool, &owner, &original, error).await?);
        }
        let asked = Confirming {
            key: key.clone(),
            session: (!info.is_person()).then(|| info.id.clone()),
            typed: word.typed.map(str::to_string),
            denied,
            by_person: info.is_person() || by_dialog,
        };
        let taken = self.take(asked, tool, &pending, info, &owner, &original).await?;
        let (done, files) = match taken {
            (TokenFate::Run(done), files) => (*done, files),
            (TokenFate::Refused(error), _) if pending.human && error.code == confirm::DRIFT => {
                return Err(self.renew(&key, tool, &owner, &original, error).await?);
            }
            (TokenFate::Refused(error), _) => return Err(error.noted()),
            (TokenFate::Failed(error), _) => {
                let result = Err(error);
                self.ended(&key, tool, &owner, &original, &result, None).await;
                return result;
            }
        };
        let operation = done.op.as_ref().map(|op| op.id.clone());
        let result = Shared::finish(shared, done, files).await;
        self.ended(&key, tool, &owner, &original, &result, operation).await;
        result
    }

    /// Who may say yes: an agent only where the configuration lets it and to its own, a person after the passphrase.
    fn may_confirm(&self, info: &SessionInfo, pending: Option<&Pending>, by_dialog: bool) -> Result<()> {
        let people = self.shared.human_confirms || pending.is_some_and(|p| p.human);
        let terminal = "Ask the user to run `packd confirm` in a terminal.";
        if info.is_person() {
            return self.unlocked(info);
        }
        if by_dialog && self.shared.passphrase.is_set() {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_passphrase",
                "A passphrase is set, which a dialog cannot take.",
            )
            .hint(terminal));
        }
        if by_dialog {
            return Ok(());
        }
        if info.is_cli() && (people || pending.is_some_and(|p| p.info.id != info.id)) {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_terminal",
                "Only a person at a terminal may confirm this, and this command runs without a controlling one.",
            )
            .hint("Run `packd confirm` in a terminal of your own, in the foreground and without a pipe."));
        }
        if people {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_human",
                "A person must confirm this; the configuration does not let an agent do it.",
            )
            .hint(terminal));
        }
        Ok(())
    }

    /// Looks at the world again, then takes the confirmation and does the work in one transaction.
    async fn take(
        &self,
        asked: Confirming,
        tool: &Declared,
        pending: &Pending,
        info: &SessionInfo,
        owner: &SessionInfo,
        original: &Call,
    ) -> Result<(TokenFate, Option<WriteLocks>)> {
        let shared = &self.shared;
        let family = shared.family(&tool.family)?;
        let world = CallWorld::quiet(shared, family.name(), owner);
        let at = (pending.human && !by_state(tool)).then(|| pending.previewed());
        let (gathered, files) = match self.gather_in_turn(family, owner, original, world, at).await {
            Ok(gathered) => gathered,
            Err(e) => {
                // Looking fails when the work is already under way: then the token is the better answer.
                let snapshot = shared.store.read()?;
                let session = asked.session.as_deref();
                let still = confirm::waiting(&snapshot.view(), &asked.key, session, shared.clock.now())?;
                return Err(still.err().unwrap_or(e));
            }
        };
        let (inner, tool, kind) = (shared.clone(), tool.clone(), kind_of(pending));
        let (caller, owner, original) = (info.clone(), owner.clone(), original.clone());
        let taken = shared
            .in_writer(move |batch| {
                inner.take_and_run(
                    batch,
                    &tool,
                    kind,
                    &asked,
                    &caller,
                    &owner,
                    &original,
                    gathered.as_ref(),
                    at,
                )
            })
            .await?;
        Ok((taken, files))
    }
}

impl Shared {
    /// Whoever asked, as they are now if their session is still open.
    pub(super) fn owner_of(&self, pending: &Pending, info: &SessionInfo) -> SessionInfo {
        if pending.info.id == info.id {
            return info.clone();
        }
        let open = self.sessions.all();
        let live = open.iter().map(|s| s.info()).find(|live| live.id == pending.info.id);
        live.unwrap_or_else(|| pending.info.clone())
    }
}
