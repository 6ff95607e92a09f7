//! A call as it would run: what is shown to whoever must agree, and the digest that tells whether it still holds.
//!
//! It is computed at a fixed time with ids drawn from the confirmation itself, so computing it again gives the very
//! same outcome unless the world has moved. Whether and how anybody is asked is not known here.

use serde_json::{Map, Value};

use super::Shared;
use super::clock::Seeded;
use super::consult::guarded;
use crate::core::ctx::Gathered;
use crate::core::tool::{Confirm, Gate};
use crate::core::{Call, Ctx, Key, Outcome, Question, Result, SessionInfo, Sha, Timestamp, Tool, View, row};

/// A call as it would run at a given moment.
pub(super) struct Proposal {
    pub outcome: Outcome,
    /// Digest of everything the outcome consists of, or of the state the family says it depends on.
    pub state: String,
    pub question: Question,
    pub args: Map<String, Value>,
    pub typed: Option<String>,
}

impl Proposal {
    /// Nothing would happen, or the call's own gate refused: there is nothing to ask.
    pub fn is_moot(&self, tool: &Tool) -> bool {
        let acts = self.outcome.changes_something() || !self.outcome.start.is_empty();
        !by_state(tool) && (self.outcome.reply.is_error || !acts)
    }
}

/// The families of long runs say themselves what their previews depend on.
pub(super) fn by_state(tool: &Tool) -> bool {
    tool.rules.gate == Gate::Mode
}

impl Shared {
    /// The call as it would run at `at`, for the confirmation `key`.
    #[allow(clippy::too_many_arguments, reason = "everything an outcome is a function of")]
    pub(super) fn proposal(
        &self,
        view: &dyn View,
        tool: &Tool,
        kind: Confirm,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
        at: Timestamp,
        key: &Key,
    ) -> Result<Proposal> {
        let family = self.family(&tool.family)?;
        let ids = Seeded::new(&Sha::of(key.as_bytes()).0);
        let ctx = Ctx { view, now: at, ids: &ids, session: info, call, gathered: gathered.map(|g| &**g) };
        let outcome = guarded(&call.tool, || family.call(&ctx))?;
        let (args, typed) = family.bind(&ctx)?;
        let (state, question) = match by_state(tool) {
            true => (family.state_digest(&ctx)?, Question::explained(family.explain(&ctx))),
            false => (outcome_digest(&outcome)?, Question::proposed(&outcome)),
        };
        let typed = typed.filter(|_| kind == Confirm::Type);
        let mut question = question.asked_by(&info.client, &info.workspace, &call.args);
        question.typed = typed.clone();
        Ok(Proposal { outcome, state, question, args, typed })
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
    );
    let start = Value::Array(outcome.start.clone()).to_string();
    Ok(Sha::of(&[row::encode(&parts)?, start.into_bytes()].concat()).0)
}
