//! What happens to a confirmation token inside the transaction: taken and run, refused, or drifted.
//!
//! Taking the token, comparing the state and doing the work are one commit. Every step leaves an audit record.

use serde_json::{Value, json};

use super::Shared;
use super::commit::Committed;
use crate::core::confirm::{self, Ask, Issued, New, Pending, TTL_SECONDS};
use crate::core::ctx::{ErrorCtx, Gathered};
use crate::core::{Call, Draft, Error, Family, Key, Mode, Outcome, Record, Reply, Result, SessionInfo, View};
use crate::policy;
use crate::store::Batch;

/// What a confirmation brings along.
pub(super) struct Confirming {
    pub key: Key,
    pub session: Option<String>,
    pub typed: Option<String>,
    pub mode: Mode,
    pub by_person: bool,
}

impl Shared {
    /// The mode that governs a staged call now: what it said then, unless the session was lowered since.
    pub(super) fn mode_now(&self, pending: &Pending, owner: &SessionInfo) -> Result<Mode> {
        let session = self.session_mode(owner)?.or(owner.mode);
        let lowered = session != pending.session_mode && session.is_some_and(|m| m < Mode::Execute);
        let said = if lowered { session } else { pending.call_mode.or(session) };
        Ok(policy::effective(said, super::call::lowest(owner.max_mode, self.max_mode)).mode)
    }

    /// A person may name a confirmation by its id; everybody else needs the token.
    pub(super) fn confirmation_key(&self, info: &SessionInfo, call: &Call) -> Result<Key> {
        let token = call.text("token").unwrap_or_default();
        if info.is_cli() {
            let snapshot = self.store.read()?;
            if let Some(key) = confirm::key_by_id(&snapshot.view(), token)? {
                return Ok(key);
            }
        }
        Ok(confirm::key_of(token))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one transaction, used once")]
    pub(super) fn take_and_run(
        &self,
        batch: &Batch,
        name: &'static str,
        asked: &Confirming,
        caller: &SessionInfo,
        owner: &SessionInfo,
        original: &Call,
        gathered: Option<&Gathered>,
    ) -> Result<std::result::Result<Committed, Error>> {
        let family = self.family(name)?;
        let view = batch.view();
        let now = self.clock.now();
        let ctx = self.ctx(&view, owner, original, gathered);
        let state = family.state_digest(&ctx)?;
        let mut draft = Draft::new(&view);
        let ask = Ask {
            key: &asked.key,
            typed: asked.typed.as_deref(),
            session: asked.session.as_deref(),
            now,
            state: &state,
            mode: asked.mode,
        };
        let who = if asked.by_person { "person" } else { "agent" };
        match confirm::take(&mut draft, &ask)? {
            Ok(pending) => {
                let record = self.token_record("confirmed", &pending.tool, who, &pending.kind);
                self.apply_and_audit(batch, draft, name, caller, original, record)?;
                // From here on the token is spent, whatever becomes of the call.
                let run = self.run_family(family, &batch.view(), owner, original, gathered);
                Ok(run.and_then(|outcome| self.store_outcome(batch, family, owner, original, outcome)))
            }
            Err(mut error) => {
                if error.code == "confirm_state_drift" {
                    error = self.fresh(&mut draft, family, asked, original, owner, gathered, &view, error)?;
                }
                let record = self.token_record(&error.code, &original.tool, who, "");
                self.apply_and_audit(batch, draft, name, caller, original, record)?;
                Ok(Err(error))
            }
        }
    }

    /// After drift: a new preview of the state as it is now, with a new token, inside the refusal.
    #[allow(clippy::too_many_arguments, reason = "the parts of one transaction, used once")]
    fn fresh(
        &self,
        draft: &mut Draft,
        family: &dyn Family,
        asked: &Confirming,
        original: &Call,
        owner: &SessionInfo,
        gathered: Option<&Gathered>,
        view: &dyn View,
        error: Error,
    ) -> Result<Error> {
        let Some((old, _)) = view.get::<Pending>(confirm::CONFIRMATIONS, &asked.key)? else {
            return Ok(error);
        };
        let call = Call { preview: true, ..original.clone() };
        let preview = match self.run_family(family, view, owner, &call, gathered) {
            Ok(outcome) => outcome.reply,
            Err(e) => return Ok(error.hint(format!("It can no longer be done: {}", e.message))),
        };
        let ctx = self.ctx(view, owner, &call, gathered);
        let new = New {
            info: owner,
            tool: &old.tool,
            args: old.args.clone(),
            state: family.state_digest(&ctx)?,
            kind: &old.kind,
            typed: old.typed.clone(),
            call_mode: old.call_mode,
            session_mode: old.session_mode,
            summary: headline(&preview),
            ttl_seconds: TTL_SECONDS,
        };
        let issued = confirm::issue(draft, &*self.ids, new, self.clock.now())?;
        let details = json!({
            "confirmation": confirmation(&issued, &old.kind),
            "preview": preview.structured,
            "preview_text": preview.text,
        });
        Ok(error.details(details))
    }

    pub(super) fn token_record(&self, event: &str, tool: &str, who: &str, kind: &str) -> Record {
        Record {
            summary: format!("Confirmation of {tool}: {event}."),
            targets: vec!["confirmation".into()],
            data: json!({"event": format!("confirmation_{}", event.trim_start_matches("confirm_")), "tool": tool, "by": who, "type": kind}),
            ..Record::default()
        }
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

    pub(super) fn render(&self, family: &str, error: &Error, info: &SessionInfo, call: &Call) -> Reply {
        let ctx = ErrorCtx { tool: &call.tool, call: Some(call), session: Some(info), now: self.clock.now() };
        match self.family(family) {
            Ok(family) => family.render_error(error, &ctx),
            Err(_) => Reply::text(error.to_string()).error(),
        }
    }
}

/// The call without its token: what may be recorded.
pub(super) fn hidden(call: &Call) -> Call {
    let mut call = call.clone();
    call.args.remove("token");
    call
}

pub(super) fn headline(preview: &Reply) -> String {
    preview.text.lines().next().unwrap_or_default().to_string()
}

fn confirmation(issued: &Issued, kind: &str) -> Value {
    let mut arguments = json!({"token": issued.token});
    if kind == "type" {
        arguments["typed_value"] = json!("<the name, typed by the user>");
    }
    json!({
        "token": issued.token, "id": issued.id, "type": kind, "expires_at": issued.expires.zulu(),
        "confirm": {"tool": "amof_confirm", "arguments": arguments},
        "cancel": {"tool": "amof_cancel_confirm", "arguments": {"token": issued.token}},
    })
}

/// The preview as a question: never an error, and with the call that answers it.
pub(super) fn ask_for(mut preview: Reply, issued: &Issued, kind: &str) -> Reply {
    let question = match kind {
        "simple" => "Proceed? If the user agrees, call",
        "preview" => "Execute exactly this? If the user agrees, call",
        _ => "This cannot be undone. The user must type the name to confirm; then call",
    };
    let typed = if kind == "type" { " typed_value=<the name, typed by the user>" } else { "" };
    preview.text.push_str(&format!(
        "\n\n{question}: [amof_confirm token={}{typed}]\nExpires at {}.",
        issued.token,
        issued.expires.zulu()
    ));
    let mut structured = preview.structured.take().unwrap_or_else(|| json!({}));
    if let Value::Object(map) = &mut structured {
        map.insert("status".into(), json!("confirmation_required"));
        map.insert("confirmation".into(), confirmation(issued, kind));
    }
    preview.structured = Some(structured);
    preview
}
