//! Decisions made before the writer's turn: on a worker, against a snapshot, while the writer is busy with others.
//!
//! The writer applies such a decision if nothing that it read has changed since, and decides again otherwise. So it is
//! only ever a saving of the writer's time: what is stored and answered is the same. What must not be decided early
//! (undo, claiming what is next, whatever writes files) is not, and a decision to refuse is always made in the writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use super::{Engine, Shared};
use crate::core::ctx::Gathered;
use crate::core::{Call, Outcome, SessionInfo};
use crate::store::{Batch, ReadSet};

/// Places for workers that decide, and how often that was of use.
pub(crate) struct Deciders {
    places: Arc<Semaphore>,
    held: AtomicU64,
    again: AtomicU64,
}

impl Default for Deciders {
    /// The serving thread and the writer have work of their own.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Deciders {
            places: Arc::new(Semaphore::new(cores.saturating_sub(1).clamp(1, 8))),
            held: AtomicU64::new(0),
            again: AtomicU64::new(0),
        }
    }
}

/// A decision and what it was made of.
pub(super) struct EarlyDecision {
    outcome: Outcome,
    reads: ReadSet,
}

impl Engine {
    /// How many decisions were made early: those that counted, and those that were made again.
    #[allow(dead_code, reason = "tests see whether it happened")]
    pub fn decided_early(&self) -> (u64, u64) {
        let Deciders { held, again, .. } = &self.shared.deciders;
        (held.load(Ordering::Relaxed), again.load(Ordering::Relaxed))
    }
}

impl Shared {
    /// The decision, if it would be made the same way in this batch.
    pub(super) fn still_decided(&self, early: EarlyDecision, batch: &Batch) -> Option<Outcome> {
        let holds = batch.still_holds(&early.reads);
        let count = if holds { &self.deciders.held } else { &self.deciders.again };
        count.fetch_add(1, Ordering::Relaxed);
        holds.then_some(early.outcome)
    }

    /// Decides a call while it would only wait. What was gathered comes back either way.
    pub(super) async fn decide_early(
        self: &Arc<Self>,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<Gathered>,
    ) -> (Option<EarlyDecision>, Option<Gathered>) {
        let may = self.typed(&call.tool).is_ok_and(|tool| !tool.decides_in_turn());
        if !may || self.writer.stats.waiting.load(Ordering::Relaxed) == 0 {
            return (None, gathered);
        }
        // Where every worker is busy, the writer decides as it always could.
        let Ok(place) = self.deciders.places.clone().try_acquire_owned() else { return (None, gathered) };
        let (shared, info, call) = (self.clone(), info.clone(), call.clone());
        let work = move || {
            let _place = place;
            let early = shared.decide_on_snapshot(&info, &call, gathered.as_ref());
            (early, gathered)
        };
        // Only a defect ends it without an answer, and then what was gathered is gone with it: the writer will say so.
        tokio::task::spawn_blocking(work).await.unwrap_or((None, None))
    }

    fn decide_on_snapshot(
        &self,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
    ) -> Option<EarlyDecision> {
        let traced = self.store.read().ok()?.traced();
        let outcome = self.decide(&traced.view(), info, call, gathered).ok()?;
        let plain = outcome.kind.is_none() && outcome.effects.is_empty() && outcome.steps.is_empty();
        plain.then(|| EarlyDecision { outcome, reads: traced.into_reads() })
    }
}
