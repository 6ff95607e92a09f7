//! A call as it would run: what is shown to whoever must agree, and the digest that tells whether it still holds.
//!
//! What a person agrees to is computed at a fixed time with ids drawn from the confirmation itself, so computing it
//! again gives the very same outcome unless the world has moved. Whether and how anybody is asked is not known here.

use serde_json::{Map, Value};

use crate::core::confirm::{NewToken, TTL_SECONDS};
use crate::core::ctx::Gathered;
use crate::core::declared::{Confirm, Gate};
use crate::core::{Call, Key, Outcome, Question, Result, Sha, Timestamp, View, row};
use crate::engine::Shared;
use crate::engine::clock::Seeded;
use crate::engine::confirm::stage::StagedCall;
use crate::engine::confirm::words::headline;
use crate::engine::consult::{guarded, seen};

/// A call as it would run at a given moment.
pub(in crate::engine) struct Proposal {
    pub outcome: Outcome,
    /// Digest of everything the outcome consists of, or of the state the family says it depends on.
    pub state: String,
    pub question: Question,
    pub args: Map<String, Value>,
    pub typed: Option<String>,
    by_state: bool,
}

impl Proposal {
    /// Nothing would happen, or the call's own gate refused: there is nothing to ask.
    pub fn is_moot(&self) -> bool {
        let acts = self.outcome.changes_something() || !self.outcome.orders.is_empty();
        !self.by_state && (self.outcome.reply.is_error || !acts)
    }

    /// A person is asked for the name that must be typed, too.
    pub fn for_person(mut self) -> Proposal {
        self.question.typed.clone_from(&self.typed);
        self
    }

    /// What a confirmation of it is issued for.
    pub fn new_token<'a>(&self, staged: &'a StagedCall) -> NewToken<'a> {
        NewToken {
            info: &staged.info,
            tool: &staged.call.tool,
            args: self.args.clone(),
            state: self.state.clone(),
            kind: staged.kind.as_str(),
            typed: self.typed.clone(),
            call_mode: staged.call_mode,
            session_mode: staged.session_mode,
            summary: headline(&self.outcome.reply),
            ttl_seconds: TTL_SECONDS,
            human: false,
            question: self.question.clone(),
            life: None,
            targets: self.outcome.record.targets.clone(),
        }
    }
}

impl Shared {
    /// The families of long runs say themselves what their previews depend on.
    pub(in crate::engine) fn by_state(&self, call: &Call) -> bool {
        self.tool(&call.tool).is_some_and(|tool| tool.rules.gate == Gate::Mode)
    }

    /// The call as it would run now, or at the time of a confirmation and with its ids.
    pub(in crate::engine) fn proposal(
        &self,
        view: &dyn View,
        staged: &StagedCall,
        gathered: Option<&Gathered>,
        of: Option<(Timestamp, &Key)>,
    ) -> Result<Proposal> {
        let StagedCall { kind, info, call, .. } = staged;
        let (tool, by_state) = (self.typed(&call.tool)?, self.by_state(call));
        let fixed = of.map(|(at, key)| (at, Seeded::new(&Sha::of(key.as_bytes()).0)));
        let (mut ctx, seen) = (self.ctx(view, info, call), seen(gathered));
        if let Some((at, ids)) = &fixed {
            (ctx.now, ctx.ids) = (*at, ids);
        }
        let outcome = guarded(&call.tool, || tool.decide(&ctx, seen))?;
        let bound = tool.bind(&ctx, seen)?;
        let (state, question) = match by_state {
            true => (bound.state, Question::explained(tool.explain(&ctx, seen))),
            false => (outcome_digest(&outcome)?, Question::proposed(&outcome, view)?),
        };
        let typed = bound.typed.filter(|_| *kind == Confirm::Type);
        let question = question.asked_by(&info.client, &info.workspace, &call.args);
        Ok(Proposal { outcome, state, question, args: bound.args, typed, by_state })
    }
}

/// Everything that would be written, started or taken back; what varies from one computation to the next is fixed.
fn outcome_digest(outcome: &Outcome) -> Result<String> {
    let blobs: Vec<&Sha> = outcome.blobs.iter().map(|(sha, _)| sha).collect();
    let parts = (
        &outcome.effects,
        &outcome.changes,
        &outcome.steps,
        &outcome.counters,
        &outcome.kind,
        &outcome.record.summary,
        blobs,
        &outcome.orders,
    );
    Ok(Sha::of(&row::encode(&parts)?).0)
}
