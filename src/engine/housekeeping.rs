//! What happens without being asked: expired things go, old images are dropped.

use super::serve::serving;
use super::{Engine, Shared};
use crate::core::Result;
use crate::core::call::{SessionFacts, SessionInfo};
use crate::store::Collected;

impl Engine {
    /// One round of every family's sweeping, each piece as an operation of its own.
    pub async fn sweep(&self) -> Result<usize> {
        let shared = &self.shared;
        let mut done = 0;
        self.note_lapses().await;
        for family in &shared.families {
            let name = family.name();
            let look = move |shared: &Shared| {
                let (call, info) = (serving("sweep"), nobody(""));
                let snapshot = shared.store.read()?;
                let view = snapshot.view();
                let files = super::mirroring::standing();
                shared.family(name)?.sweep(&shared.ctx(&view, &info, &call, Some(&files)))
            };
            let pieces = self.elsewhere("daemon", look).await?;
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

    /// Drops what has been in the trash for over 30 days, or everything in it.
    pub async fn drop_trash(&self, all: bool) -> serde_json::Value {
        let shared = self.shared.clone();
        let before = (!all).then(|| shared.clock.now());
        let work = move || super::trash::drop_entries(&shared, before);
        let (dropped, bytes, problems) = tokio::task::spawn_blocking(work).await.unwrap_or_default();
        problems.iter().for_each(|why| tracing::warn!("the trash: {why}"));
        serde_json::json!({"dropped": dropped, "bytes_freed": bytes, "problems": problems})
    }

    /// Drops images beyond retention, blobs nobody refers to and checkouts nobody uses.
    pub async fn collect_garbage(&self) -> Result<Collected> {
        let shared = self.shared.clone();
        match tokio::task::spawn_blocking(move || shared.cache.collect()).await {
            Ok(dropped) if dropped.entries > 0 => {
                tracing::info!("dropped {} checkouts, {} bytes", dropped.entries, dropped.bytes);
            }
            Ok(_) => {}
            Err(_) => tracing::warn!("collecting old checkouts was stopped by a defect"),
        }
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
    SessionFacts {
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
        terminal: false,
        unlocked: false,
    }
    .into()
}
