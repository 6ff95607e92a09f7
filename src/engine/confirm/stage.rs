//! The first phase of a dangerous call: it is previewed, and a token is issued for exactly that.

use crate::core::confirm::{self, steps};
use crate::core::declared::Confirm;
use crate::core::{Call, Draft, Family, Mode, Reply, Result, SessionInfo};
use crate::engine::Engine;
use crate::engine::call_world::CallWorld;
use crate::engine::confirm::words::ask_for;

/// A call that somebody must agree to, with the modes it was asked under.
#[derive(Clone)]
pub(in crate::engine) struct StagedCall {
    pub kind: Confirm,
    pub info: SessionInfo,
    pub call: Call,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
}

impl Engine {
    pub(in crate::engine) async fn stage(
        &self,
        staged: StagedCall,
        family: &dyn Family,
        world: CallWorld,
    ) -> Result<Reply> {
        let (shared, family) = (self.shared.clone(), family.name());
        let gathered = self.gather(&staged.info, &staged.call, world, None).await?;
        self.shared
            .in_writer(move |batch| {
                let view = batch.view();
                let proposal = shared.proposal(&view, &staged, gathered.as_ref(), None)?;
                let mut draft = Draft::new(&view);
                let token = shared.ids.uuid();
                let key = confirm::key_of(&token);
                let now = shared.clock.now();
                let pending = confirm::issue(&mut draft, &key, proposal.new_token(&staged), now)?;
                let record = steps::step("issued", &key, &pending, "agent")?;
                shared.apply_and_audit(batch, draft, family, &staged.info, &staged.call, record)?;
                Ok(ask_for(proposal.outcome.reply, &token, &pending, shared.names))
            })
            .await
    }
}
