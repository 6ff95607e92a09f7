//! Consulting a family: what it gathers from the world, what it makes of a call, how it explains one.
//!
//! Gathering happens on a blocking thread, and a panic in a family is one error reply. Nothing is written here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::call_world::CallWorld;
use super::{Engine, Shared};
use crate::core::ctx::{Explanation, Gathered};
use crate::core::{Call, Ctx, Error, Family, Outcome, Result, SessionInfo, Timestamp, View};

impl Engine {
    pub(super) async fn gather(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Result<Option<Gathered>> {
        self.gather_at(family, info, call, world, None).await
    }

    /// The family's `prepare`, on a blocking thread, if it wants one; as if it were that time, if one is given.
    pub(super) async fn gather_at(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
        at: Option<Timestamp>,
    ) -> Result<Option<Gathered>> {
        if !family.wants_world(call, info) {
            return Ok(None);
        }
        let shared = self.shared.clone();
        let (name, info, call) = (family.name(), info.clone(), call.clone());
        let work = move || {
            let family = shared.family(name)?;
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let mut ctx = shared.ctx(&view, &info, &call, None);
            ctx.now = at.unwrap_or(ctx.now);
            guarded(&call.tool, || family.prepare(&ctx, &world)).map(Some)
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(defect(&call_name(family))))
    }

    /// What the ask answer says; a failure to look at the world only makes it shorter.
    pub(super) async fn explain(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Explanation {
        let gathered = self.gather(family, info, call, world).await.unwrap_or(None);
        let told = self.shared.store.read().and_then(|snapshot| {
            let view = snapshot.view();
            let ctx = self.shared.ctx(&view, info, call, gathered.as_ref());
            guarded(&call.tool, || Ok(family.explain(&ctx)))
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

fn call_name(family: &dyn Family) -> String {
    format!("the preparation of {}", family.name())
}

impl Shared {
    pub fn ctx<'a>(
        &'a self,
        view: &'a dyn View,
        info: &'a SessionInfo,
        call: &'a Call,
        gathered: Option<&'a Gathered>,
    ) -> Ctx<'a> {
        let gathered = gathered.map(|g| &**g);
        Ctx { view, now: self.clock.now(), ids: &*self.ids, session: info, call, gathered }
    }

    pub fn run_family(
        &self,
        family: &dyn Family,
        view: &dyn View,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
    ) -> Result<Outcome> {
        let ctx = self.ctx(view, info, call, gathered);
        guarded(&call.tool, || family.call(&ctx))
    }
}

/// A panic in one call is one error reply.
pub(super) fn guarded<T>(what: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(defect(what)))
}

fn defect(what: &str) -> Error {
    Error::internal(format!("A defect in packd stopped {what}; nothing was changed."))
        .hint("The daemon's log has the details.")
}
