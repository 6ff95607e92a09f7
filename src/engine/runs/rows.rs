//! The rows of runs, changed outside of any call: bookkeeping, never an operation.

use crate::core::run::{KeptRun, RUN_LOGS, RUN_SPECS, RUNS, RunRow};
use crate::core::{Draft, Key, Outcome, Result, RowQuery, Timestamp, View};
use crate::engine::Shared;
use crate::store::Batch;

/// Finished runs are kept this long, with their logs.
const KEEP_DAYS: i64 = 30;
/// Lines forgotten in one piece; the next round continues.
const FORGET: usize = 2000;

pub(super) fn change_row(batch: &Batch, id: &str, change: impl FnOnce(&mut RunRow)) -> Result<()> {
    let view = batch.view();
    let key = Key::of(id);
    let Some((mut row, _)) = (&view as &dyn View).get::<RunRow>(RUNS, &key)? else { return Ok(()) };
    change(&mut row);
    let mut draft = Draft::new(&view);
    draft.put(RUNS, &key, &row)?;
    batch.apply_quietly(&mut draft.into_outcome())
}

/// Changes the row durably and wakes whoever waits for the run.
pub(super) fn update(
    shared: &Shared,
    id: &str,
    change: impl FnOnce(&mut RunRow, Timestamp) + Send + 'static,
) -> Result<()> {
    let (id, now) = (id.to_string(), shared.clock.now());
    let done = shared.in_writer_blocking(move |batch| change_row(batch, &id, |row| change(row, now)));
    shared.runs.beat();
    done
}

/// Keeps what the next daemon would need, from before the first step until the end.
pub(super) fn keep(batch: &Batch, kept: &KeptRun) -> Result<()> {
    let view = batch.view();
    let mut draft = Draft::new(&view);
    draft.put(RUN_SPECS, &Key::of(&kept.spec.id), kept)?;
    batch.apply_quietly(&mut draft.into_outcome())
}

pub(super) fn forget(batch: &Batch, id: &str) -> Result<()> {
    let view = batch.view();
    let key = Key::of(id);
    if (&view as &dyn View).row(RUN_SPECS, &key)?.is_none() {
        return Ok(());
    }
    let mut draft = Draft::new(&view);
    draft.delete(RUN_SPECS, &key)?;
    batch.apply_quietly(&mut draft.into_outcome())
}

/// Old runs and their logs go, a bounded piece at a time. Operations they left stay in the history.
pub(in crate::engine) fn outworn(view: &dyn View, now: Timestamp) -> Result<Option<Outcome>> {
    let old = now.plus_seconds(-KEEP_DAYS * 24 * 3600);
    let mut draft = Draft::new(view);
    let mut room = FORGET;
    for (key, row) in view.rows(&RowQuery::new(RUNS, Key::empty()))? {
        let Ok(run) = row.decode::<RunRow>(RUNS, &key) else { continue };
        if room == 0 || run.finished.is_none_or(|at| at > old) {
            continue;
        }
        let lines = view.rows(&RowQuery::new(RUN_LOGS, Key::of(&run.id)).limit(room))?;
        room -= lines.len();
        for (line, _) in &lines {
            draft.delete(RUN_LOGS, line)?;
        }
        if room > 0 {
            draft.delete(RUNS, &key)?;
        }
    }
    Ok(Some(draft).filter(|draft| !draft.is_empty()).map(Draft::into_outcome))
}
