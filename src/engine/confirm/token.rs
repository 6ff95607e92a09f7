//! What happens to a confirmation token inside the transaction: taken and run, refused, or drifted.
//!
//! Taking the token, comparing the state and doing the work are one commit. Every step leaves an audit record.

use serde_json::{Value, json};

use crate::core::confirm::{
    self, CONFIRMATIONS, ConfirmAttempt, ConfirmNames, Issued, NewToken, Pending, TTL_SECONDS, steps,
};
use crate::core::ctx::{ErrorCtx, Gathered};
use crate::core::declared::Confirm;
use crate::core::{
    AnyTool, Call, Declared, Draft, Error, Key, Mode, Outcome, Question, Record, Reply, Result, Safety,
    SessionInfo, Timestamp, View, redact,
};
use crate::engine::Shared;
use crate::engine::commit::Committed;
use crate::policy::{self, Decision, Effective};
use crate::store::Batch;

/// Larger arguments are left out of what an error suggests.
const QUOTED: usize = 2048;

/// What a confirmation brings along.
pub(in crate::engine) struct Confirming {
    pub key: Key,
    pub session: Option<String>,
    pub typed: Option<String>,
    /// The mode that forbids it.
    pub denied: Option<Mode>,
    pub by_person: bool,
}

/// What became of a confirmation.
pub(in crate::engine) enum TokenFate {
    Run(Box<Committed>),
    /// Recorded already; nothing was done.
    Refused(Error),
    /// Confirmed and spent, but the call itself failed.
    Failed(Error),
}

impl Shared {
    /// The mode that governs a staged call now (what it said then, unless the session was lowered since), and
    /// whether it forbids the call.
    pub(in crate::engine) fn permitted(
        &self,
        tool: &Declared,
        pending: &Pending,
        owner: &SessionInfo,
    ) -> Result<(Effective, Option<Mode>)> {
        let session = self.session_mode(owner)?;
        let lowered = session != pending.session_mode && session.is_some_and(|m| m < Mode::Execute);
        let said = if lowered { session } else { pending.call_mode.or(session) };
        let ceiling = crate::engine::checks::lowest(owner.max_mode, self.max_mode);
        let effective = policy::effective(said, ceiling);
        let decision = policy::decide(policy::PolicyRequest {
            said,
            ceiling,
            safety: Safety::Dangerous,
            gate: tool.rules.gate,
            confirm: tool.rules.confirm,
            only_reads: false,
            ungated: false,
            wants_person: false,
        });
        let denied = matches!(decision, Decision::Refuse { .. } | Decision::DryRun);
        Ok((effective, denied.then_some(effective.mode)))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one transaction, used once")]
    pub(in crate::engine) fn take_and_run(
        &self,
        batch: &Batch,
        tool: &Declared,
        kind: Confirm,
        asked: &Confirming,
        caller: &SessionInfo,
        owner: &SessionInfo,
        original: &Call,
        gathered: Option<&Gathered>,
        at: Option<Timestamp>,
    ) -> Result<TokenFate> {
        let (family, typed) = (self.family(&tool.family)?, self.typed(&tool.name)?);
        let (name, view) = (family.name(), batch.view());
        let now = self.clock.now();
        let (state, outcome) = match at {
            Some(at) => {
                match self.proposal(&view, tool, kind, owner, original, gathered, at, &asked.key) {
                    Ok(proposal) => (proposal.state, Some(proposal.outcome)),
                    // What can no longer be previewed has certainly changed.
                    Err(e) => (e.code, None),
                }
            }
            None => {
                let ctx = self.ctx(&view, owner, original, gathered);
                (typed.bind(&ctx, ctx.gathered)?.state, None)
            }
        };
        let mut draft = Draft::new(&view);
        let ask = ConfirmAttempt {
            key: &asked.key,
            typed: asked.typed.as_deref(),
            session: asked.session.as_deref(),
            now,
            state: &state,
            denied: asked.denied,
        };
        let who = if asked.by_person { "person" } else { "agent" };
        match confirm::take(&mut draft, &ask)? {
            Ok(pending) => {
                let record = steps::step("confirmed", &asked.key, &pending, who)?;
                self.apply_and_audit(batch, draft, name, &beside(caller, owner), original, record)?;
                // From here on the confirmation is spent, whatever becomes of the call.
                let run = match outcome {
                    Some(outcome) => Ok(outcome),
                    None => self.decide(&batch.view(), owner, original, gathered),
                };
                let run = run.and_then(|outcome| self.store_outcome(batch, family, owner, original, outcome));
                Ok(match run {
                    Ok(done) => TokenFate::Run(Box::new(done)),
                    Err(e) => TokenFate::Failed(e),
                })
            }
            Err(mut error) => {
                let found = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &asked.key)?;
                let Some((pending, _)) = found else { return Ok(TokenFate::Refused(error)) };
                let event = error.code.trim_start_matches("confirm_").to_string();
                if error.code == confirm::DRIFT && !pending.human {
                    error =
                        self.fresh(&mut draft, typed, &pending, original, owner, gathered, &view, error)?;
                }
                let record = steps::step(&event, &asked.key, &pending, who)?;
                self.apply_and_audit(batch, draft, name, &beside(caller, owner), original, record)?;
                Ok(TokenFate::Refused(error))
            }
        }
    }

    /// After drift: a new preview of the state as it is now, with a new token, inside the refusal.
    #[allow(clippy::too_many_arguments, reason = "the parts of one transaction, used once")]
    fn fresh(
        &self,
        draft: &mut Draft,
        tool: &dyn AnyTool,
        old: &Pending,
        original: &Call,
        owner: &SessionInfo,
        gathered: Option<&Gathered>,
        view: &dyn View,
        error: Error,
    ) -> Result<Error> {
        let call = Call { preview: true, ..original.clone() };
        let preview = match self.decide(view, owner, &call, gathered) {
            Ok(outcome) => outcome.reply,
            Err(e) => return Ok(error.hint(format!("It can no longer be done: {}", e.message))),
        };
        let ctx = self.ctx(view, owner, &call, gathered);
        let new = NewToken {
            info: owner,
            tool: &old.tool,
            args: old.args.clone(),
            state: tool.bind(&ctx, ctx.gathered)?.state,
            kind: &old.kind,
            typed: old.typed.clone(),
            call_mode: old.call_mode,
            session_mode: old.session_mode,
            summary: headline(&preview),
            ttl_seconds: TTL_SECONDS,
            human: false,
            question: Question::explained(tool.explain(&ctx, ctx.gathered)).asked_by(
                &owner.client,
                &owner.workspace,
                &old.args,
            ),
            life: Some(old.life.clone()).filter(|life| !life.is_empty()),
            targets: old.targets.clone(),
        };
        let issued = confirm::issue(draft, &*self.ids, new, self.clock.now())?;
        let details = json!({
            "confirmation": confirmation(&issued, &old.kind, self.names),
            "preview": preview.structured,
            "preview_text": preview.text,
        });
        Ok(error.details(details))
    }

    /// Bookkeeping and its audit record, in the transaction that is open.
    pub(in crate::engine) fn apply_and_audit(
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

    pub(in crate::engine) fn render(
        &self,
        family: &str,
        error: &Error,
        info: &SessionInfo,
        call: &Call,
    ) -> Reply {
        let error = &redact::error(error.clone()).bounded();
        let mut args = redact::arguments(&call.args);
        // A next call is made of what was sent; what is huge is nothing to be sent again.
        args.retain(|name, value| name.len() + value.to_string().len() <= QUOTED);
        let call = &call.with(args);
        let ctx = ErrorCtx { tool: &call.tool, call: Some(call), session: Some(info), now: self.clock.now() };
        match self.family(family) {
            Ok(family) => family.render_error(error, &ctx),
            Err(_) => Reply::text(error.to_string()).error(),
        }
    }
}

/// Whoever decides, where it was asked: the trail of one confirmation is found in one workspace.
pub(in crate::engine) fn beside(caller: &SessionInfo, owner: &SessionInfo) -> SessionInfo {
    let mut info = caller.clone();
    info.workspace.clone_from(&owner.workspace);
    info
}

pub(in crate::engine) fn headline(preview: &Reply) -> String {
    preview.text.lines().next().unwrap_or_default().to_string()
}

fn confirmation(issued: &Issued, kind: &str, names: ConfirmNames) -> Value {
    let mut arguments = json!({"token": issued.token});
    if kind == "type" {
        arguments["typed_value"] = json!("<the name, typed by the user>");
    }
    json!({
        "token": issued.token, "id": issued.id, "type": kind, "expires_at": issued.expires.zulu(),
        "confirm": {"tool": names.confirm, "arguments": arguments},
        "cancel": {"tool": names.cancel, "arguments": {"token": issued.token}},
    })
}

/// The preview as a question: never an error, and with the call that answers it.
pub(in crate::engine) fn ask_for(
    mut preview: Reply,
    issued: &Issued,
    kind: &str,
    names: ConfirmNames,
) -> Reply {
    let question = match kind {
        "simple" => "Proceed? If the user agrees, call",
        "preview" => "Execute exactly this? If the user agrees, call",
        _ => "This cannot be undone. The user must type the name to confirm; then call",
    };
    let typed = if kind == "type" { " typed_value=<the name, typed by the user>" } else { "" };
    preview.same = false;
    preview.text.push_str(&format!(
        "\n\n{question}: [{} token={}{typed}]\nExpires at {}.",
        names.confirm,
        issued.token,
        issued.expires.zulu()
    ));
    let mut structured = preview.structured.take().unwrap_or_else(|| json!({}));
    if let Value::Object(map) = &mut structured {
        map.insert("status".into(), json!("confirmation_required"));
        let mut asked = confirmation(issued, kind, names);
        map.insert("next".into(), json!([asked["confirm"]]));
        asked["question"] = json!(format!("{question} {}.", names.confirm));
        map.insert("confirmation".into(), asked);
    }
    preview.structured = Some(structured);
    preview
}
