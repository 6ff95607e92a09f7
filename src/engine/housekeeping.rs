//! What happens without being asked: expired things go, old images are dropped.

use super::serve::serving;
use super::{Engine, Shared};
use crate::core::Result;
use crate::core::call::SessionInfo;
use crate::store::Collected;

impl Engine {
    /// One round of every family's sweeping, each piece as an operation of its own.
    pub async fn sweep(&self) -> Result<usize> {
        let shared = &self.shared;
        let mut done = 0;
        for family in &shared.families {
            let call = serving("sweep");
            let info = nobody("");
            let pieces = {
                let snapshot = shared.store.read()?;
                let view = snapshot.view();
                family.sweep(&shared.ctx(&view, &info, &call, None))?
            };
            for piece in pieces {
                let call = serving(piece.tool);
                let outcome = piece.outcome;
                let info = nobody(&piece.workspace);
                // A row that changed since the snapshot makes this piece fail; the next round sees it again.
                if Shared::commit_outcome(shared, family.name(), info, call, move |_| Ok(outcome))
                    .await
                    .is_ok()
                {
                    done += 1;
                }
            }
        }
        Ok(done)
    }

    /// Drops images beyond retention and blobs nobody refers to.
    pub async fn collect_garbage(&self) -> Result<Collected> {
        let (keep, now) = (self.shared.retention, self.shared.clock.now());
        self.shared
            .in_writer(move |batch| {
                let in_use = batch.blobs_in_rows()?;
                batch.collect_garbage(&keep, now, &in_use)
            })
            .await
    }
}

/// The daemon itself, acting in a workspace.
pub(super) fn nobody(workspace: &str) -> SessionInfo {
    SessionInfo {
        id: "daemon".into(),
        client: "packd".into(),
        workspace: workspace.to_string(),
        cwd: "/".into(),
        env: Default::default(),
        home: "/".into(),
        allow_write: false,
        read_only: false,
        mode: None,
        max_mode: None,
    }
}
