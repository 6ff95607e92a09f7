//! The two phases of a dangerous call: a preview with a token, then the very same call, confirmed.
//!
//! The second phase looks at the world again, and takes the token, compares the state and does the work in one
//! transaction: two confirmations of one token cannot both win, and nothing runs that was not previewed.

use std::sync::Arc;

use serde_json::{Map, json};

use super::call_world::CallWorld;
use super::gate::kind_of;
use super::locks::Held;
use super::proposal::by_state;
use super::token::{Confirming, Taken, ask_for, beside, headline, hidden, step};
use super::{Engine, Session, Shared};
use crate::core::confirm::{self, CONFIRMATIONS, New, Pending, TTL_SECONDS};
use crate::core::tool::Confirm;
use crate::core::{
    Call, Draft, Error, Family, Key, Kind, Mode, Question, Reply, Result, SessionInfo, Tool, View,
};
use crate::families::ecosystems::{Answer, next};

/// A call that waits for its confirmation, with the modes it was asked under.
pub(super) struct Staged<'a> {
    pub tool: &'a Tool,
    pub kind: Confirm,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
}

pub(super) fn word(kind: Confirm) -> &'static str {
    match kind {
        Confirm::None => "none",
        Confirm::Simple => "simple",
        Confirm::Preview => "preview",
        Confirm::Type => "type",
    }
}

/// Is this one of the tools that the engine answers itself?
pub(super) fn is_confirm_tool(name: &str) -> bool {
    matches!(name, "amof_confirm" | "amof_cancel_confirm" | "amof_list_pending")
}

impl Engine {
    /// Phase one: previews the call and issues a token for exactly that.
    pub(super) async fn stage(
        &self,
        staged: Staged<'_>,
        family: &dyn Family,
        info: &SessionInfo,
        call: &mut Call,
        world: CallWorld,
    ) -> Result<Reply> {
        let shared = self.shared.clone();
        call.preview = true;
        let gathered = self.gather(family, info, call, world).await?;
        let (name, kind, tool) = (family.name(), staged.kind, staged.tool.name.clone());
        let (info, call) = (info.clone(), call.clone());
        let (call_mode, session_mode) = (staged.call_mode, staged.session_mode);
        self.shared
            .in_writer(move |batch| {
                let family = shared.family(name)?;
                let view = batch.view();
                let preview = shared.run_family(family, &view, &info, &call, gathered.as_ref())?;
                let ctx = shared.ctx(&view, &info, &call, gathered.as_ref());
                let (args, typed) = family.bind(&ctx)?;
                let mut draft = Draft::new(&view);
                let new = New {
                    info: &info,
                    tool: &tool,
                    args,
                    state: family.state_digest(&ctx)?,
                    kind: word(kind),
                    typed: typed.filter(|_| kind == Confirm::Type),
                    call_mode,
                    session_mode,
                    summary: headline(&preview.reply),
                    ttl_seconds: TTL_SECONDS,
                    human: false,
                    question: Question::explained(family.explain(&ctx)).asked_by(
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
                    step("issued", &key, &pending, "agent"),
                )?;
                Ok(ask_for(preview.reply, &issued, word(kind)))
            })
            .await
    }

    /// The three tools around confirmations.
    pub(super) async fn confirm_tool(
        &self,
        info: &SessionInfo,
        call: &Call,
        by_person: bool,
    ) -> Result<Reply> {
        match call.tool.as_str() {
            "amof_confirm" => self.confirm(info, call, by_person).await,
            "amof_cancel_confirm" => self.cancel_confirmation(info, call).await,
            _ => self.list_pending(info, call).await,
        }
    }

    /// Confirms for a person whom the host asked (elicitation): allowed also where agents may not.
    pub async fn confirm_for_person(&self, session: &Arc<Session>, id: &str, typed: Option<&str>) -> Reply {
        let info = session.info();
        let mut args = Map::new();
        args.insert("token".into(), json!(id));
        if let Some(typed) = typed {
            args.insert("typed_value".into(), json!(typed));
        }
        let call = Call { args, ..super::serve::serving("amof_confirm") };
        match self.confirm(&info, &call, true).await {
            Ok(reply) => reply,
            Err(error) => {
                self.shared.note_refusal("ecosystems", &info, &call, &error).await;
                self.shared.render("ecosystems", &error, &info, &call)
            }
        }
    }

    /// The person said no: the confirmation is spent without anything being done.
    pub async fn give_up(&self, session: &Arc<Session>, id: &str) {
        let mut args = Map::new();
        args.insert("token".into(), json!(id));
        let call = Call { args, ..super::serve::serving("amof_cancel_confirm") };
        if let Err(e) = self.cancel_confirmation(&session.info(), &call).await {
            tracing::debug!("a declined confirmation was gone already: {e}");
        }
    }

    /// Phase two.
    async fn confirm(&self, info: &SessionInfo, call: &Call, by_dialog: bool) -> Result<Reply> {
        let shared = &self.shared;
        let key = shared.confirmation_key(info, call)?;
        let (pending, found) = {
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let session = (!info.is_person()).then_some(info.id.as_str());
            let found = confirm::waiting(&view, &key, session, shared.clock.now())?;
            ((&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?.map(|(p, _)| p), found)
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
            tool: pending.tool.clone(),
            args: pending.args.clone(),
            request_id: call.request_id.clone(),
            request_key: call.request_key.clone(),
            trace: call.trace.clone(),
            preview: false,
            mode: effective.mode,
            mode_said: effective.said,
            asked: pending.human.then_some(pending.issued),
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
            typed: call.text("typed_value").map(str::to_string),
            denied,
            by_person: info.is_person() || by_dialog,
        };
        let taken = self.take(asked, tool, &pending, info, &owner, &original).await?;
        let (done, files) = match taken {
            (Taken::Run(done), files) => (*done, files),
            (Taken::Refused(error), _) if pending.human && error.code == confirm::DRIFT => {
                return Err(self.renew(&key, tool, &owner, &original, error).await?);
            }
            (Taken::Refused(error), _) => return Err(error.noted()),
            (Taken::Failed(error), _) => {
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
        tool: &Tool,
        pending: &Pending,
        info: &SessionInfo,
        owner: &SessionInfo,
        original: &Call,
    ) -> Result<(Taken, Option<Held>)> {
        let shared = &self.shared;
        let family = shared.family(&tool.family)?;
        let turn = match shared.turns.get(family.name()).filter(|_| family.writes_files(original)) {
            Some(turn) => Some(turn.clone().lock_owned().await),
            None => None,
        };
        let world = CallWorld::quiet(shared, family.name(), owner);
        let (programs, reserved) = (world.locks.clone(), world.reserved.clone());
        let at = (pending.human && !by_state(tool)).then(|| pending.previewed());
        let gathered = match self.gather_at(family, owner, original, world, at).await {
            Ok(gathered) => gathered,
            Err(e) => {
                // Looking fails when the work is already under way: then the token is the better answer.
                let snapshot = shared.store.read()?;
                let session = asked.session.as_deref();
                let still = confirm::waiting(&snapshot.view(), &asked.key, session, shared.clock.now())?;
                return Err(still.err().unwrap_or(e));
            }
        };
        let files = match turn {
            Some(turn) => {
                let calls = shared.files.clone().lock_owned().await;
                Some(Held { _turn: turn, _calls: calls, _programs: programs, progress: None, reserved })
            }
            None => None,
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

    async fn cancel_confirmation(&self, info: &SessionInfo, call: &Call) -> Result<Reply> {
        let shared = self.shared.clone();
        let key = shared.confirmation_key(info, call)?;
        let (info, call) = (info.clone(), call.clone());
        let who = if info.is_person() { "person" } else { "agent" };
        let reply = self
            .shared
            .in_writer(move |batch| {
                let view = batch.view();
                let mut draft = Draft::new(&view);
                let now = shared.clock.now();
                let session = (!info.is_person()).then_some(info.id.as_str());
                let pending = confirm::cancel(&mut draft, &key, session, now)?;
                let record = step("cancelled", &key, &pending, who);
                let who = beside(&info, &pending.info);
                shared.apply_and_audit(batch, draft, "ecosystems", &who, &hidden(&call), record)?;
                Ok(Answer::new(format!("Given up: {}", pending.summary))
                    .fields(json!({"cancelled": true, "tool": pending.tool}))
                    .next(next("amof_list_pending", json!({})))
                    .next(next("amof_scope_info", json!({})))
                    .reply_for(&info, call.mode, now))
            })
            .await;
        self.shared.decisions.send_modify(|n| *n += 1);
        reply
    }
}

impl Shared {
    /// Whoever asked, as they are now if their session is still open.
    fn owner_of(&self, pending: &Pending, info: &SessionInfo) -> SessionInfo {
        if pending.info.id == info.id {
            return info.clone();
        }
        let open = self.sessions.all();
        let live = open.iter().map(|s| s.info()).find(|live| live.id == pending.info.id);
        live.unwrap_or_else(|| pending.info.clone())
    }

    /// A person may name a confirmation by its id, and so may whoever asked one of a person; a token names the rest.
    pub(super) fn confirmation_key(&self, info: &SessionInfo, call: &Call) -> Result<Key> {
        let token = call.text("token").unwrap_or_default();
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        if let Some(key) = confirm::key_by_id(&view, token)? {
            let found = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?;
            if info.is_cli() || found.is_some_and(|(p, _)| p.human) {
                return Ok(key);
            }
        }
        Ok(confirm::key_of(token))
    }
}
