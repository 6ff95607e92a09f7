//! Where the mirror of declared pack roots meets the path of a call: before it, what changed by hand is taken
//! in; after its commit, the files follow.

use std::sync::Arc;

use tokio::task::{JoinSet, spawn_blocking};

use super::Shared;
use super::mirror::{Args, Touched};
use super::serve::serving;
use crate::core::{Call, Error, Result, SessionInfo};
use crate::families::packs::mirror::{SYNCED_TOOL, TOOL};
use crate::families::packs::shelf::root_of;

const FAMILY: &str = "packs";

impl Shared {
    /// Takes in, one operation each, what somebody changed in the session's root; refuses a call that asks for
    /// what a damaged file stands for. Costs nothing for sessions without a root.
    pub(super) async fn check_root(
        shared: &Arc<Shared>,
        family: &str,
        info: &SessionInfo,
        call: &Call,
    ) -> Result<()> {
        if ![FAMILY, "history"].contains(&family) || root_of(info).is_none() {
            return Ok(());
        }
        let (inner, session, asked) = (shared.clone(), info.clone(), call.clone());
        let now = shared.clock.now();
        let checked = spawn_blocking(move || inner.mirror.before_call(&inner.store, &session, &asked, now))
            .await
            .unwrap_or_else(|_| Err(Error::internal("Comparing the pack root was stopped by a defect.")))?;
        shared.note_synced(info, checked.notes);
        // Submitted together, so that they share commits; in order, so that history reads like the directory.
        let mut taken = JoinSet::new();
        for args in checked.intake {
            let (inner, info) = (shared.clone(), info.clone());
            let call = Call { args, ..serving(TOOL) };
            taken.spawn(async move { Shared::commit(&inner, FAMILY, info, call, None, None).await });
        }
        while let Some(done) = taken.join_next().await {
            done.unwrap_or_else(|_| Err(Error::internal("Taking in a pack file was stopped by a defect.")))?;
        }
        checked.refusal.map_or(Ok(()), Err)
    }

    /// Writes the files of the packs a commit touched, before its caller is answered.
    pub(super) async fn follow(shared: &Arc<Shared>, touched: Touched, info: &SessionInfo) {
        if touched.is_empty() {
            return;
        }
        let inner = shared.clone();
        match spawn_blocking(move || inner.mirror.after_commit(&inner.store, touched)).await {
            Ok(Ok(written)) => {
                for error in &written.failed {
                    tracing::warn!("a pack file is behind its pack: {error}");
                }
                shared.note_synced(info, written.notes);
            }
            Ok(Err(error)) => tracing::warn!("pack files are behind their packs: {error}"),
            Err(_) => tracing::error!("a defect stopped the writing of pack files"),
        }
    }

    /// Bookkeeping that nobody waits for: losing it only means comparing a file once more.
    fn note_synced(self: &Arc<Self>, info: &SessionInfo, notes: Vec<Args>) {
        for args in notes {
            let (inner, info) = (self.clone(), info.clone());
            let call = Call { args, ..serving(SYNCED_TOOL) };
            tokio::spawn(async move {
                if let Err(error) = Shared::commit(&inner, FAMILY, info, call, None, None).await {
                    tracing::debug!("a note of the mirror was not stored: {error}");
                }
            });
        }
    }
}
