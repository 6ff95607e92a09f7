//! What happens without being asked: expired things go, what old operations changed is dropped.

use std::sync::Arc;
use std::time::Duration;

use super::serve::serving;
use super::{Engine, Shared};
use crate::core::call::{SessionFacts, SessionInfo};
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Error, Result};
use crate::store::{Batch, Collected, Collection, Compacted, GcStep};

/// Between two steps of a collection everybody else has their turn.
const BETWEEN_STEPS: Duration = Duration::from_millis(1);
const A_DAY: i64 = 86_400;

impl Engine {
    /// One round of every family's sweeping, each piece as an operation of its own.
    pub async fn sweep(&self) -> Result<usize> {
        let shared = &self.shared;
        let mut done = 0;
        self.note_lapses().await;
        let look =
            |shared: &Arc<Shared>| super::runs::outworn(&shared.store.read()?.view(), shared.clock.now());
        if let Some(mut outworn) = self.elsewhere("daemon", look).await? {
            shared.in_writer(move |batch| batch.apply_quietly(&mut outworn)).await?;
        }
        for family in &shared.families {
            let name = family.name();
            let look = move |shared: &Arc<Shared>| {
                let (call, info) = (serving("sweep"), nobody(""));
                let snapshot = shared.store.read()?;
                let view = snapshot.view();
                let in_project = |space: &str| super::mirror::moments::stands(shared, space);
                shared.family(name)?.sweep(&shared.ctx(&view, &info, &call), &in_project)
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

    /// Drops what operations beyond retention changed, blobs nobody refers to and checkouts nobody uses; in short
    /// steps, between which everybody else is served.
    pub async fn collect_garbage(&self) -> Result<Collected> {
        let shared = self.shared.clone();
        let _alone = self.shared.collecting.lock().await;
        match tokio::task::spawn_blocking(move || shared.cache.collect()).await {
            Ok(dropped) if dropped.entries > 0 => {
                tracing::info!("dropped {} checkouts, {} bytes", dropped.entries, dropped.bytes);
            }
            Ok(_) => {}
            Err(_) => tracing::warn!("collecting old checkouts was stopped by a defect"),
        }
        let shared = self.shared.clone();
        match tokio::task::spawn_blocking(move || shared.collect_snapshots()).await {
            Ok(Ok(dropped)) if dropped.bytes > 0 => {
                tracing::info!("dropped {} snapshots, {} bytes", dropped.snapshots, dropped.bytes);
            }
            Ok(Ok(_)) => {}
            Ok(Err(e)) => tracing::warn!("old snapshots could not be dropped: {e}"),
            Err(_) => tracing::warn!("collecting old snapshots was stopped by a defect"),
        }
        let mut collection = self.begin_collection()?;
        loop {
            let (back, more) = self.collect_some(collection).await?;
            if !more {
                return Ok(back.done);
            }
            collection = back;
            tokio::time::sleep(BETWEEN_STEPS).await;
        }
    }

    pub fn begin_collection(&self) -> Result<Collection> {
        Ok(Collection::new(&self.shared.store.read()?, self.shared.retention, self.shared.clock.now()))
    }

    /// One step of a collection: looked for where nobody waits, done in jobs of the writer. False at its end.
    pub async fn collect_some(&self, mut collection: Collection) -> Result<(Collection, bool)> {
        let shared = self.shared.clone();
        let look = move || {
            let step = shared.store.read().and_then(|snapshot| collection.look(&snapshot));
            (collection, step)
        };
        let looked = tokio::task::spawn_blocking(look).await;
        let (mut collection, step) =
            looked.map_err(|_| Error::internal("The collection was stopped by a defect."))?;
        let mut step = match step? {
            GcStep::Done => return Ok((collection, false)),
            step if step.is_idle() => return Ok((collection, true)),
            step => step,
        };
        loop {
            let work = move |batch: &Batch| batch.collect(&step).map(|(done, handled)| (done, handled, step));
            let (done, handled, back) = self.shared.in_writer(work).await?;
            collection.done = collection.done.with(done);
            step = back;
            if !step.rest(handled) {
                return Ok((collection, true));
            }
        }
    }

    /// Compacts the database if more than half of it is free.
    pub async fn compact_if_worthwhile(&self) -> Result<Option<Compacted>> {
        let shared = self.shared.clone();
        self.compacting(move || match shared.store.is_mostly_free()? {
            true => shared.store.compact(),
            false => Ok(None),
        })
        .await
    }

    /// Compacts the database now.
    pub async fn compact(&self) -> Result<Option<Compacted>> {
        let shared = self.shared.clone();
        self.compacting(move || shared.store.compact()).await
    }

    async fn compacting(
        &self,
        work: impl FnOnce() -> Result<Option<Compacted>> + Send + 'static,
    ) -> Result<Option<Compacted>> {
        let _alone = self.shared.collecting.lock().await;
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(Error::internal("Compacting was stopped by a defect.")))
    }

    /// Whether a day has passed since the last collection. A store that nothing was ever done in has nothing to drop.
    pub fn collection_is_due(&self) -> Result<bool> {
        let snapshot = self.shared.store.read()?;
        Ok(match snapshot.last_collection()? {
            Some(last) => self.shared.clock.now() >= last.plus_seconds(A_DAY),
            None => snapshot.view().head(Stream::Ops)? > 0,
        })
    }
}

/// The daemon itself, acting in a workspace.
pub(super) fn nobody(workspace: &str) -> SessionInfo {
    SessionFacts {
        id: "daemon".into(),
        client: "packd".into(),
        workspace: workspace.to_string(),
        tree: workspace.to_string(),
        cwd: "/".into(),
        home: "/".into(),
        ..SessionFacts::default()
    }
    .into()
}
