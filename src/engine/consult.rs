//! Consulting a tool: what it sees of the world, what it makes of a call, how it explains one.
//!
//! Looking happens on a blocking thread, and a panic in a tool is one error reply. Nothing is written here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::call_world::CallWorld;
use super::files::locks::WriteLocks;
use super::{Engine, Shared};
use crate::core::ctx::{Explanation, Gathered};
use crate::core::tool::AnySeen;
use crate::core::{
    Call, Ctx, Error, Family, Look, Needs, Outcome, Result, SessionInfo, Timestamp, View, Writes,
};

impl Engine {
    /// The tool's look, on a blocking thread, if this call needs one; as if it were that time, if one is given.
    pub(super) async fn gather(
        &self,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
        at: Option<Timestamp>,
    ) -> Result<Option<Gathered>> {
        let tool = self.shared.typed(&call.tool)?;
        if tool.needs(call, info) != Needs::World {
            return Ok(None);
        }
        let shared = self.shared.clone();
        let (info, call) = (info.clone(), call.clone());
        let work = move || {
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let mut ctx = shared.ctx(&view, &info, &call);
            ctx.now = at.unwrap_or(ctx.now);
            guarded(&call.tool, || tool.look(&Look { ctx: &ctx, world: &world })).map(Some)
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(defect(&format!("the preparation of {}", tool.name()))))
    }

    /// The same in the turn of its family, for a call that may write files; what keeps others away until they are written
    /// comes along.
    pub(super) async fn gather_in_turn(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
        at: Option<Timestamp>,
    ) -> Result<(Option<Gathered>, Option<WriteLocks>)> {
        let writes = self.shared.typed(&call.tool)?.writes(call) == Writes::Files;
        let Some(turn) = self.shared.turns.get(family.name()).filter(|_| writes) else {
            return Ok((self.gather(info, call, world, at).await?, None));
        };
        // Two calls of a family must not plan from the same state. Others need not wait while one of them asks a
        // remote: should they write the same file after all, it is not what the later one expects.
        let turn = turn.clone().lock_owned().await;
        let (programs, progress, reserved) =
            (world.locks.clone(), world.progress.clone(), world.reserved.clone());
        let gathered = self.gather(info, call, world, at).await?;
        let calls = self.shared.files.clone().lock_owned().await;
        let locks = WriteLocks { _turn: turn, _calls: calls, _programs: programs, progress, reserved };
        Ok((gathered, Some(locks)))
    }

    /// What the ask answer says; a failure to look at the world only makes it shorter.
    pub(super) async fn explain(&self, info: &SessionInfo, call: &Call, world: CallWorld) -> Explanation {
        let gathered = self.gather(info, call, world, None).await.unwrap_or(None);
        let told = self.shared.store.read().and_then(|snapshot| {
            let view = snapshot.view();
            let ctx = self.shared.ctx(&view, info, call);
            guarded(&call.tool, || Ok(self.shared.typed(&call.tool)?.explain(&ctx, seen(gathered.as_ref()))))
        });
        told.unwrap_or_default()
    }
}

/// What was gathered may be large; it is let go where it was made, so that neither the caller nor others wait.
pub(super) fn let_go(gathered: Option<Gathered>) {
    if let Some(gathered) = gathered {
        drop(tokio::task::spawn_blocking(move || drop(gathered)));
    }
}

/// What was gathered, as a tool is shown it.
pub(super) fn seen(gathered: Option<&Gathered>) -> AnySeen<'_> {
    gathered.map(|gathered| &**gathered)
}

impl Shared {
    pub fn ctx<'a>(&'a self, view: &'a dyn View, info: &'a SessionInfo, call: &'a Call) -> Ctx<'a> {
        let (presence, neighbours) = (&self.attendance, self);
        Ctx {
            view,
            now: self.clock.now(),
            ids: &*self.ids,
            presence,
            gatekeeper: self,
            neighbours,
            session: info,
            call,
        }
    }

    /// What should change and what is answered, as the tool of the call decides it.
    pub fn decide(
        &self,
        view: &dyn View,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
    ) -> Result<Outcome> {
        let ctx = self.ctx(view, info, call);
        guarded(&call.tool, || self.typed(&call.tool)?.decide(&ctx, seen(gathered)))
    }
}

/// A panic in one call is one error reply.
pub(in crate::engine) fn guarded<T>(what: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(defect(what)))
}

fn defect(what: &str) -> Error {
    Error::internal(format!("A defect in packd stopped {what}; nothing was changed."))
        .hint("The daemon's log has the details.")
}
