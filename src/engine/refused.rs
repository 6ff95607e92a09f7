//! A call that was not done: how that is answered, and what is kept of it.
//!
//! Why it was not done is decided elsewhere. Failing to keep it changes no answer.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::consult::guarded;
use super::serve::serving;
use super::{Engine, Session, Shared};
use crate::core::ctx::ErrorCtx;
use crate::core::{Call, Error, Kind, Outcome, Record, Reply, Result, Safety, SessionInfo, redact};
use crate::store::NewOp;

/// Larger arguments are left out of what an error suggests.
const QUOTED: usize = 2048;

impl Engine {
    /// A tool of this engine was refused before the call came here, say by the flags of its session.
    pub async fn refused(&self, session: &Arc<Session>, tool: &str, args: Map<String, Value>, why: &str) {
        let Some(tool) = self.shared.tool(tool).filter(|t| t.rules.safety != Safety::ReadOnly) else {
            return;
        };
        let call = Call { args, ..serving(&tool.name) };
        let error = Error::new(Kind::Denied, "tool_not_offered", why);
        self.shared.note_refusal(&tool.family, &session.info(), &call, &error).await;
    }
}

impl Shared {
    /// An error in the words of the family.
    pub(super) fn render(&self, family: &str, error: &Error, info: &SessionInfo, call: &Call) -> Reply {
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

    /// Every refusal leaves a trace; failing to leave it does not change the answer.
    pub(super) async fn note_refusal(&self, family: &str, info: &SessionInfo, call: &Call, error: &Error) {
        let targets = self.concerned(info, call).unwrap_or_default();
        let record = Record {
            summary: format!("Refused: {}", redact::text(&error.message).0),
            targets,
            data: json!({"event": "refused", "code": error.code, "tool": call.tool, "mode": call.mode.as_str()}),
            ..Record::default()
        };
        self.leave(self.new_op(family, info, call), record).await;
    }

    /// Something worth remembering that is neither a change nor the refusal of a call.
    pub(super) async fn note(&self, info: &SessionInfo, target: &str, summary: &str, data: Value) {
        let record =
            Record { summary: summary.into(), targets: vec![target.into()], data, ..Record::default() };
        self.leave(self.new_op(self.names.family, info, &serving(target)), record).await;
    }

    async fn leave(&self, new: NewOp, record: Record) {
        let outcome = Outcome { record, ..Outcome::default() };
        if let Err(e) = self.in_writer(move |batch| batch.audit(new, &outcome)).await {
            tracing::warn!("what was refused could not be recorded: {e}");
        }
    }

    /// What a call that was not run is about and where that belongs, so that the history's filters find it.
    fn concerned(&self, info: &SessionInfo, call: &Call) -> Result<Vec<String>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let ctx = self.ctx(&view, info, call);
        guarded("a record", || Ok(self.typed(&call.tool)?.concerns(&ctx)))
    }
}
