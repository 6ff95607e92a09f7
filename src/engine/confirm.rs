//! The two phases of a dangerous call: a preview with a token, then the very same call, confirmed.
//!
//! The second phase looks at the world again, and takes the token, compares the state and does the work in one
//! transaction: two confirmations of one token cannot both win, and nothing runs that was not previewed.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::call_world::CallWorld;
use super::token::{Confirming, ask_for, headline, hidden};
use super::{Engine, Session, Shared};
use crate::core::confirm::{self, New, TTL_SECONDS};
use crate::core::tool::Confirm;
use crate::core::{Call, Draft, Error, Family, Kind, Mode, Reply, Result, SessionInfo, Tool};
use crate::families::ecosystems::{Answer, next};

/// A call that waits for its confirmation, with the modes it was asked under.
pub(super) struct Staged<'a> {
    pub tool: &'a Tool,
    pub kind: Confirm,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
}

fn word(kind: Confirm) -> &'static str {
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
                let preview = shared.run_family(family, &view, &info, &call, gathered.as_ref())?.reply;
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
                    summary: headline(&preview),
                    ttl_seconds: TTL_SECONDS,
                };
                let issued = confirm::issue(&mut draft, &*shared.ids, new, shared.clock.now())?;
                let record = shared.token_record("issued", &tool, &issued.id, word(kind));
                shared.apply_and_audit(batch, draft, name, &info, &call, record)?;
                Ok(ask_for(preview, &issued, word(kind)))
            })
            .await
    }

    /// The three tools around tokens.
    pub(super) async fn confirm_tool(
        &self,
        info: &SessionInfo,
        call: &Call,
        by_person: bool,
    ) -> Result<Reply> {
        match call.tool.as_str() {
            "amof_confirm" => self.confirm(info, call, by_person).await,
            "amof_cancel_confirm" => self.cancel_confirmation(info, call).await,
            _ => self.list_pending(info, call),
        }
    }

    /// Confirms for a person whom the host asked (elicitation): allowed also where agents may not.
    pub async fn confirm_for_person(
        &self,
        session: &Arc<Session>,
        token: &str,
        typed: Option<&str>,
    ) -> Reply {
        let info = session.info();
        let mut args = Map::new();
        args.insert("token".into(), json!(token));
        if let Some(typed) = typed {
            args.insert("typed_value".into(), json!(typed));
        }
        let call = Call { args, ..super::serve::serving("amof_confirm") };
        match self.confirm(&info, &call, true).await {
            Ok(reply) => reply,
            Err(error) => self.shared.render("ecosystems", &error, &info, &call),
        }
    }

    /// Must a person confirm, rather than the agent itself?
    pub fn human_confirms(&self) -> bool {
        self.shared.human_confirms
    }

    /// The person said no: the token is spent without anything being done.
    pub async fn give_up(&self, session: &Arc<Session>, token: &str) {
        let mut args = Map::new();
        args.insert("token".into(), json!(token));
        let call = Call { args, ..super::serve::serving("amof_cancel_confirm") };
        if let Err(e) = self.cancel_confirmation(&session.info(), &call).await {
            tracing::debug!("a declined confirmation was gone already: {e}");
        }
    }

    /// Phase two.
    async fn confirm(&self, info: &SessionInfo, call: &Call, by_person: bool) -> Result<Reply> {
        let shared = &self.shared;
        if shared.human_confirms && !by_person && !info.is_cli() {
            let error = Error::new(
                Kind::Denied,
                "confirm_needs_human",
                "A person must confirm this; the configuration does not let an agent do it.",
            )
            .hint("Ask the user to run `packd confirm` in a terminal.");
            shared.audit_refusal("ecosystems", info, &hidden(call), &error).await;
            return Err(error);
        }
        let session = (!info.is_cli()).then_some(info.id.as_str());
        let key = shared.confirmation_key(info, call)?;
        let found = {
            let snapshot = shared.store.read()?;
            confirm::waiting(&snapshot.view(), &key, session, shared.clock.now())?
        };
        let pending = match found {
            Ok(pending) => pending,
            Err(error) => {
                shared.audit_refusal("ecosystems", info, &hidden(call), &error).await;
                return Err(error);
            }
        };
        // The call runs where it was asked for, even if a person confirms from elsewhere.
        let owner = if pending.info.id == info.id { info.clone() } else { pending.info.clone() };
        let Some(tool) = shared.tool(&pending.tool) else {
            return Err(Error::internal(format!("There is no tool {} any more.", pending.tool)));
        };
        let family = shared.family(&tool.family)?;
        let mode = shared.mode_now(&pending, &owner)?;
        let original = Call {
            tool: pending.tool.clone(),
            args: pending.args.clone(),
            request_id: call.request_id.clone(),
            request_key: call.request_key.clone(),
            trace: call.trace.clone(),
            preview: false,
            mode,
            mode_said: true,
        };
        let world = CallWorld::quiet(shared.world.clone());
        let gathered = match self.gather(family, &owner, &original, world).await {
            Ok(gathered) => gathered,
            Err(e) => {
                // Looking fails when the work is already under way: then the token is the better answer.
                let snapshot = shared.store.read()?;
                let still = confirm::waiting(&snapshot.view(), &key, session, shared.clock.now())?;
                return Err(still.err().unwrap_or(e));
            }
        };
        let typed = call.text("typed_value").map(str::to_string);
        let asked = Confirming {
            key,
            session: session.map(str::to_string),
            typed,
            mode,
            by_person: session.is_none() || by_person,
        };
        let (inner, name, caller) = (shared.clone(), family.name(), info.clone());
        let done = shared
            .in_writer(move |batch| {
                inner.take_and_run(batch, name, &asked, &caller, &owner, &original, gathered.as_ref())
            })
            .await?;
        Shared::finish(shared, done?, None).await
    }

    async fn cancel_confirmation(&self, info: &SessionInfo, call: &Call) -> Result<Reply> {
        let shared = self.shared.clone();
        let key = shared.confirmation_key(info, call)?;
        let (info, call) = (info.clone(), call.clone());
        self.shared
            .in_writer(move |batch| {
                let view = batch.view();
                let mut draft = Draft::new(&view);
                let now = shared.clock.now();
                let session = (!info.is_cli()).then_some(info.id.as_str());
                let pending = confirm::cancel(&mut draft, &key, session, now)?;
                let record = shared.token_record("cancelled", &pending.tool, "", &pending.kind);
                shared.apply_and_audit(batch, draft, "ecosystems", &info, &hidden(&call), record)?;
                Ok(Answer::new(format!("Given up: {}", pending.summary))
                    .fields(json!({"cancelled": true, "tool": pending.tool}))
                    .next(next("amof_list_pending", json!({})))
                    .next(next("amof_scope_info", json!({})))
                    .reply_for(&info, call.mode, now))
            })
            .await
    }

    fn list_pending(&self, info: &SessionInfo, call: &Call) -> Result<Reply> {
        let now = self.shared.clock.now();
        let snapshot = self.shared.store.read()?;
        let session = (!info.is_cli()).then_some(info.id.as_str());
        let waiting = confirm::list(&snapshot.view(), session, now)?;
        let rows: Vec<Vec<String>> = waiting
            .iter()
            .map(|(id, p)| {
                vec![id.clone(), p.tool.clone(), p.kind.clone(), p.expires.zulu(), p.summary.clone()]
            })
            .collect();
        let list: Vec<Value> = waiting
            .iter()
            .map(|(id, p)| {
                json!({"id": id, "tool": p.tool, "arguments": crate::core::redact::object(&p.args), "type": p.kind,
                       "summary": p.summary, "expires_at": p.expires.zulu(), "attempts_left": p.tries_left,
                       "client": p.info.client, "workspace": p.info.workspace})
            })
            .collect();
        let text = match waiting.len() {
            0 => "Nothing waits for confirmation.".to_string(),
            n => format!("{n} confirmation{} waiting.", if n == 1 { "" } else { "s" }),
        };
        Ok(Answer::new(text)
            .table(&["Id", "Tool", "Type", "Expires", "What"], &rows)
            .fields(json!({"pending": list, "needs_human": self.shared.human_confirms}))
            .next(next("amof_scope_info", json!({})))
            .next(next("amof_get_active_runs", json!({})))
            .reply_for(info, call.mode, now))
    }
}
