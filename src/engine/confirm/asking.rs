//! Calls that wait for a person: previewed exactly as they would run, kept, and run as previewed once agreed to.
//!
//! What a person agrees to is what is carried out, byte for byte (`proposal`), and no family needs to know that
//! anybody was asked.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::core::confirm::{
    self, CONFIRMATIONS, ConfirmNames, ConfirmStatus, NewToken, Pending, TTL_SECONDS, steps,
};
use crate::core::ctx::Gathered;
use crate::core::declared::Confirm;
use crate::core::json::digest;
use crate::core::outcome::PersonConfirm;
use crate::core::{
    Call, Declared, Draft, Error, Family, Key, Kind, Reply, Result, Safety, SessionInfo, Timestamp, View,
};
use crate::engine::call_world::CallWorld;
use crate::engine::checks::FilesBack;
use crate::engine::commit::Committed;
use crate::engine::confirm::phases::{StagedCall, word};
use crate::engine::confirm::proposal::{Proposal, by_state};
use crate::engine::{Engine, Session, Shared};
use crate::store::Batch;

/// Lines of details an agent is shown; the person sees all.
const SHOWN_TO_AGENTS: usize = 20;

/// What became of asking.
enum Made {
    Moot(Box<Committed>),
    Asked { key: Key, pending: Box<Pending>, preview: Option<Value> },
}

impl Engine {
    /// Previews the call and leaves it for a person to decide. The answer says so, in the family's own shape.
    pub(in crate::engine) async fn ask_person(
        &self,
        staged: StagedCall<'_>,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Result<Reply> {
        let shared = self.shared.clone();
        let at = shared.clock.now();
        let mut call = Call { preview: by_state(staged.tool), ..call.clone() };
        call.asked = Some(at);
        let key = shared.asked_before(&staged.tool.name, info, &call.args, at)?;
        let key = key.unwrap_or_else(|| confirm::key_of(&shared.ids.uuid()));
        let gathered = self.gather(info, &call, world, Some(at)).await?;
        let (name, tool) = (family.name(), staged.tool.clone());
        let new = Asking {
            kind: staged.kind,
            call_mode: staged.call_mode,
            session_mode: staged.session_mode,
            info: info.clone(),
            call: call.clone(),
            at,
        };
        let made = self
            .shared
            .in_writer(move |batch| shared.stage_for_person(batch, name, &tool, &new, key, gathered.as_ref()))
            .await?;
        match made {
            Made::Moot(done) => Shared::finish(&self.shared, *done, None).await,
            Made::Asked { key, pending, preview } => {
                let id = confirm::id_of(&key);
                let error = needs_human(&id, &pending, preview, self.dialogs(), self.shared.names);
                let mut reply = self.shared.render(name, &error, info, &call);
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

    /// May the person be asked by a host's dialog? Not where a passphrase was set: a dialog cannot take it.
    pub fn dialogs(&self) -> bool {
        self.shared.human_confirms && !self.shared.passphrase.is_set()
    }

    /// A tool of this engine was refused before the call came here, say by the flags of its session.
    pub async fn refused(&self, session: &Arc<Session>, tool: &str, args: Map<String, Value>, why: &str) {
        let Some(tool) = self.shared.tool(tool).filter(|t| t.rules.safety != Safety::ReadOnly) else {
            return;
        };
        let call = Call { args, ..crate::engine::serve::serving(&tool.name) };
        let error = Error::new(Kind::Denied, "tool_not_offered", why);
        self.shared.note_refusal(&tool.family, &session.info(), &call, &error).await;
    }

    /// A fresh preview of something that lapsed or drifted, under the same id; the error that shows it.
    pub(in crate::engine) async fn renew(
        &self,
        key: &Key,
        tool: &Declared,
        owner: &SessionInfo,
        original: &Call,
        why: Error,
    ) -> Result<Error> {
        let shared = self.shared.clone();
        let family = shared.family(&tool.family)?;
        let at = shared.clock.now();
        let call = Call { preview: by_state(tool), ..original.clone() };
        let world = CallWorld::quiet(&shared, family.name(), owner);
        let gathered = self.gather(owner, &call, world, Some(at)).await;
        let (name, tool, key) = (family.name(), tool.clone(), key.clone());
        let owner = owner.clone();
        self.shared
            .in_writer(move |batch| {
                shared.renew_in(batch, name, &tool, &key, &owner, &call, at, gathered, why)
            })
            .await
    }
}

/// What a new question is made of.
struct Asking {
    kind: Confirm,
    call_mode: Option<crate::core::Mode>,
    session_mode: Option<crate::core::Mode>,
    info: SessionInfo,
    call: Call,
    at: Timestamp,
}

impl Shared {
    /// The same call of the same session that still waits: asking again does not make a second question.
    fn asked_before(
        &self,
        tool: &str,
        info: &SessionInfo,
        args: &Map<String, Value>,
        now: Timestamp,
    ) -> Result<Option<Key>> {
        let snapshot = self.store.read()?;
        find_waiting(&snapshot.view(), tool, info, args, now)
    }

    fn stage_for_person(
        &self,
        batch: &Batch,
        name: &'static str,
        tool: &Declared,
        asking: &Asking,
        key: Key,
        gathered: Option<&Gathered>,
    ) -> Result<Made> {
        let view = batch.view();
        let Asking { info, call, at, .. } = asking;
        let proposal = self.proposal(&view, tool, asking.kind, info, call, gathered, *at, &key)?;
        if proposal.is_moot(tool) {
            let done = self.store_outcome(batch, self.family(name)?, info, call, proposal.outcome)?;
            return Ok(Made::Moot(Box::new(done)));
        }
        let preview = by_state(tool).then(|| proposal.outcome.reply.structured.clone()).flatten();
        // What the session implied is spelt out only now, so the same question may be found only now.
        let key = find_waiting(&view, &tool.name, info, &proposal.args, *at)?.unwrap_or(key);
        let mut draft = Draft::new(&view);
        let earlier = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)?;
        let event = if earlier.is_some() { "asked again" } else { "asked" };
        let pending = match earlier {
            Some((mut pending, _)) => {
                refresh(&mut pending, &proposal, *at);
                draft.put(CONFIRMATIONS, &key, &pending)?;
                pending
            }
            None => {
                let new = NewToken {
                    info,
                    tool: &tool.name,
                    args: proposal.args.clone(),
                    state: proposal.state.clone(),
                    kind: word(asking.kind),
                    typed: proposal.typed.clone(),
                    call_mode: asking.call_mode,
                    session_mode: asking.session_mode,
                    summary: proposal.question.what.clone(),
                    ttl_seconds: TTL_SECONDS,
                    human: true,
                    question: proposal.question.clone(),
                    life: None,
                    targets: proposal.outcome.record.targets.clone(),
                };
                confirm::issue_at(&mut draft, &key, new, *at)?
            }
        };
        let record = steps::step(event, &key, &pending, "agent")?;
        self.apply_and_audit(batch, draft, name, info, call, record)?;
        Ok(Made::Asked { key, pending: Box::new(pending), preview })
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one transaction, used once")]
    fn renew_in(
        &self,
        batch: &Batch,
        name: &'static str,
        tool: &Declared,
        key: &Key,
        owner: &SessionInfo,
        call: &Call,
        at: Timestamp,
        gathered: Result<Option<Gathered>>,
        why: Error,
    ) -> Result<Error> {
        let view = batch.view();
        let Some((mut pending, _)) = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, key)? else {
            return Ok(why);
        };
        let kind = kind_of(&pending);
        let fresh = gathered.and_then(|gathered| {
            let fresh = self.proposal(&view, tool, kind, owner, call, gathered.as_ref(), at, key)?;
            match fresh.is_moot(tool) {
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
        self.apply_and_audit(batch, draft, name, owner, call, record)?;
        Ok(error.noted())
    }
}

fn find_waiting(
    view: &dyn View,
    tool: &str,
    info: &SessionInfo,
    args: &Map<String, Value>,
    now: Timestamp,
) -> Result<Option<Key>> {
    let wanted = digest(args);
    let same = |p: &Pending| {
        p.status == ConfirmStatus::Waiting
            && p.tool == tool
            && p.args_digest == wanted
            && p.info.id == info.id
    };
    let asked = confirm::asked(view, Some(&info.id), now)?;
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

pub(in crate::engine) fn kind_of(pending: &Pending) -> Confirm {
    [Confirm::Simple, Confirm::Preview, Confirm::Type]
        .into_iter()
        .find(|kind| word(*kind) == pending.kind)
        .unwrap_or(Confirm::None)
}

fn moot(reply: &Reply) -> Error {
    let told = reply.structured.as_ref().and_then(|s| s.pointer("/errors/0/message")).and_then(Value::as_str);
    Error::new(Kind::State, "nothing_to_do", told.unwrap_or("It would change nothing any more."))
}

/// How a confirmation is shown to whoever cannot give it.
pub(in crate::engine) fn shown(id: &str, pending: &Pending, names: ConfirmNames) -> Value {
    json!({
        "id": id, "type": pending.kind, "needs_human": true, "expires_at": pending.expires.zulu(),
        "command": format!("packd confirm {id}"),
        "outcome": {"tool": names.list, "arguments": {"id": id, "wait_seconds": 60}},
        "cancel": {"tool": names.cancel, "arguments": {"token": id}},
    })
}

/// The question as data.
pub(in crate::engine) fn asked(pending: &Pending, most: usize) -> Value {
    let question = &pending.question;
    let more = question.details.len().saturating_sub(most);
    let mut out =
        json!({"what": question.what, "details": &question.details[..question.details.len() - more]});
    if more > 0 {
        out["more_details"] = json!(more);
    }
    if let Some(why) = &question.irreversible {
        out["irreversible"] = json!(why);
    }
    if let Some(name) = &question.typed {
        out["typed"] = json!(name);
    }
    if most == usize::MAX {
        out["text"] = json!(question.text(most));
    }
    out
}

fn needs_human(
    id: &str,
    pending: &Pending,
    preview: Option<Value>,
    dialogs: bool,
    names: ConfirmNames,
) -> Error {
    let mut details =
        json!({"confirmation": shown(id, pending, names), "question": asked(pending, SHOWN_TO_AGENTS)});
    if let Some(preview) = preview {
        details["preview"] = preview;
    }
    details["who"] =
        json!(if dialogs { ["packd confirm", "the host's dialog"].to_vec() } else { vec!["packd confirm"] });
    let what = &pending.question.what;
    Error::new(
        Kind::Denied,
        "needs_human",
        format!("A person must agree before this is done; nothing has happened yet. {what}"),
    )
    .hint(format!(
        "Ask the user to run `packd confirm {id}` in a terminal. The call then runs by itself; \
         {} with \"wait_seconds\" tells how it came out.",
        names.list
    ))
    .details(details)
}
