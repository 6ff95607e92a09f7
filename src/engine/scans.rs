//! Reads that may have to look at many rows: on a few threads of their own, one at a time for each session.
//!
//! The serving thread never walks the log or an index for one client while others wait. Whoever asks for many such
//! reads at once waits for their own, not for those of others: the places are given in turn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, Semaphore};

use super::consult::guarded;
use super::{Engine, Shared};
use crate::core::ctx::Gathered;
use crate::core::{Call, Error, Outcome, Result, SessionInfo};

pub(crate) struct Scans {
    places: Semaphore,
    turns: Mutex<HashMap<String, Weak<Turn<()>>>>,
}

impl Default for Scans {
    /// One core is left to the serving thread.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Scans { places: Semaphore::new(cores.saturating_sub(1).clamp(1, 4)), turns: Mutex::default() }
    }
}

impl Scans {
    /// The one turn of a session; kept only while somebody waits for it.
    fn turn(&self, session: &str) -> Arc<Turn<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(session).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(session.to_string(), Arc::downgrade(&turn));
        turn
    }

    fn sessions(&self) -> usize {
        let turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.values().filter(|turn| turn.strong_count() > 0).count()
    }
}

impl Engine {
    /// Sessions with a scan under way or waiting.
    #[allow(dead_code, reason = "tests wait until it happens")]
    pub fn scanning(&self) -> usize {
        self.shared.scans.sessions()
    }

    /// Decides a reading call on a thread where nobody else waits.
    pub(super) async fn scan(
        &self,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<Gathered>,
    ) -> Result<Outcome> {
        let (info, call) = (info.clone(), call.clone());
        let session = info.id.clone();
        self.elsewhere(&session, move |shared| {
            let snapshot = shared.store.read()?;
            shared.decide(&snapshot.view(), &info, &call, gathered.as_ref())
        })
        .await
    }

    /// Waits for the session's turn and for a place, then does the work on a blocking thread.
    pub(super) async fn elsewhere<T: Send + 'static>(
        &self,
        session: &str,
        work: impl FnOnce(&Arc<Shared>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = self.shared.scans.turn(session);
        let _mine = turn.lock().await;
        // Never closed, so this cannot fail.
        let _place = self.shared.scans.places.acquire().await.ok();
        let shared = self.shared.clone();
        let done = tokio::task::spawn_blocking(move || guarded("a read", || work(&shared)));
        done.await.unwrap_or_else(|_| Err(Error::internal("The read was stopped by a defect.")))
    }
}
