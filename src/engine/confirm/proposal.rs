//! A call as it would run: what is shown to whoever must agree, and the digest that tells whether it still holds.
//!
//! It is computed at a fixed time with ids drawn from the confirmation itself, so computing it again gives the very
//! same outcome unless the world has moved. Whether and how anybody is asked is not known here.

use serde_json::{Map, Value};

use crate::core::ctx::Gathered;
use crate::core::declared::{Confirm, Gate};
use crate::core::{
    Call, Ctx, Declared, Key, Outcome, Question, Result, SessionInfo, Sha, Timestamp, View, row,
};
use crate::engine::Shared;
use crate::engine::clock::Seeded;
use crate::engine::consult::guarded;

/// A call as it would run at a given moment.
pub(in crate::engine) struct Proposal {
    pub outcome: Outcome,
    /// Digest of everything the outcome consists of, or of the state the family says it depends on.
    pub state: String,
    pub question: Question,
    pub args: Map<String, Value>,
    pub typed: Option<String>,
}

impl Proposal {
    /// Nothing would happen, or the call's own gate refused: there is nothing to ask.
    pub fn is_moot(&self, tool: &Declared) -> bool {
        let acts = self.outcome.changes_something() || !self.outcome.orders.is_empty();
        !by_state(tool) && (self.outcome.reply.is_error || !acts)
    }
}

/// The families of long runs say themselves what their previews depend on.
pub(in crate::engine) fn by_state(tool: &Declared) -> bool {
    tool.rules.gate == Gate::Mode
}

impl Shared {
    /// The call as it would run at `at`, for the confirmation `key`.
    #[allow(clippy::too_many_arguments, reason = "everything an outcome is a function of")]
    pub(in crate::engine) fn proposal(
        &self,
        view: &dyn View,
        tool: &Declared,
        kind: Confirm,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
        at: Timestamp,
        key: &Key,
    ) -> Result<Proposal> {
        let typed = self.typed(&tool.name)?;
        let ids = Seeded::new(&Sha::of(key.as_bytes()).0);
        let ctx = Ctx { now: at, ids: &ids, ..self.ctx(view, info, call, gathered) };
        let outcome = guarded(&call.tool, || typed.decide(&ctx, ctx.gathered))?;
        let bound = typed.bind(&ctx, ctx.gathered)?;
        let (state, question) = match by_state(tool) {
            true => (bound.state, Question::explained(typed.explain(&ctx, ctx.gathered))),
            false => (outcome_digest(&outcome)?, Question::proposed(&outcome, view)?),
        };
        let typed = bound.typed.filter(|_| kind == Confirm::Type);
        let mut question = question.asked_by(&info.client, &info.workspace, &call.args);
        question.typed = typed.clone();
        Ok(Proposal { outcome, state, question, args: bound.args, typed })
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
