//! At start: what an earlier daemon left under way is taken up, ended, or marked; nothing stays "running" unwatched.

use std::sync::Arc;

use super::run::Again;
use super::{Orphans, RunJob, enqueue};
use crate::core::run::{KeptRun, RUN_SPECS, RUNS, RUNS_BY_TIME, RunRow, RunStatus};
use crate::core::{Draft, IndexQuery, Key, Result, View};
use crate::engine::Shared;

/// Must be called before anybody can ask for a run: what is taken up has its lane first.
pub(in crate::engine) fn take_up(shared: &Arc<Shared>) -> Result<()> {
    let (kept, lost) = left_behind(shared)?;
    for row in &lost {
        super::end_program(shared, row);
    }
    mark_interrupted(shared, lost)?;
    let known: Vec<String> = kept.iter().map(|(row, _)| row.id.clone()).collect();
    if let Some(supervisor) = &shared.runs.supervisor {
        supervisor.sweep(&known);
    }
    for (row, kept) in kept {
        tracing::info!("run {} of {} is taken up from an earlier daemon", row.id, row.subject);
        let again = Again {
            step: row.program.as_ref().map_or(row.steps_done, |program| program.step),
            progress: row.progress,
            program: row.program,
            clipped: kept.clipped,
            cancel_asked: row.cancel_asked,
            end: shared.runs.orphans == Orphans::End,
        };
        enqueue(shared, RunJob { spec: kept.spec, again: Some(again) });
    }
    Ok(())
}

type LeftBehind = (Vec<(RunRow, KeptRun)>, Vec<RunRow>);

/// Runs that were begun and can be gone on with or taken back, and those that can only be marked.
fn left_behind(shared: &Shared) -> Result<LeftBehind> {
    let snapshot = shared.store.read()?;
    let view = snapshot.view();
    let view: &dyn View = &view;
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for entry in view.index(&IndexQuery::new(RUNS_BY_TIME, Key::of("active")))? {
        let key = Key::of(&String::from_utf8_lossy(&entry.value));
        // One row that cannot be read must not keep the daemon from its other work.
        let row = match view.get::<RunRow>(RUNS, &key) {
            Ok(Some((row, _))) => row,
            Ok(None) => continue,
            Err(e) => {
                tracing::error!("a run cannot be taken up: {e}");
                continue;
            }
        };
        match view.get::<KeptRun>(RUN_SPECS, &key) {
            Ok(Some((spec, _))) if row.status == RunStatus::Running => kept.push((row, spec)),
            Ok(_) => lost.push(row),
            Err(e) => {
                tracing::error!("run {} cannot be gone on with: {e}", row.id);
                lost.push(row);
            }
        }
    }
    Ok((kept, lost))
}

fn mark_interrupted(shared: &Arc<Shared>, lost: Vec<RunRow>) -> Result<()> {
    if lost.is_empty() {
        return Ok(());
    }
    let now = shared.clock.now();
    shared.in_writer_blocking(move |batch| {
        let view = batch.view();
        let mut draft = Draft::new(&view);
        for mut row in lost {
            row.note = match row.status {
                RunStatus::Queued => "The daemon ended before this began; nothing of it was done.".into(),
                _ => "The daemon ended while this was under way.".into(),
            };
            row.status = RunStatus::Interrupted;
            row.program = None;
            row.finished = Some(now);
            draft.put(RUNS, &Key::of(&row.id), &row)?;
        }
        batch.apply_quietly(&mut draft.into_outcome())
    })
}
