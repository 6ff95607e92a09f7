//! Looks at the trees that a run works in, before its first step and once it is over. What the run did there is told
//! by the run's own operation and never by a second one; a run that left no operation is named as who did it.
//!
//! Only trees that somebody keeps snapshots of are looked at. A look that fails is no reason for a run to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::OwnedMutexGuard;

use super::TreeMemory;
use super::place::TreePlace;
use super::take::{WantedSnapshot, take};
use crate::core::run::{RunSpec, RunStep, StepWork};
use crate::core::snapshot::{Doer, FAMILY, HookAsk, Phase, Why};
use crate::core::{SessionInfo, Timestamp};
use crate::engine::Shared;
use crate::engine::call_world::CallWorld;

/// Runs over more trees than this are not looked at.
const MOST: usize = 32;
/// Nobody waits for these looks but the run.
const PATIENCE: i64 = 3600 * 1_000_000;

/// Trees that nobody else looks at, from before the end of a run is known until it has been looked at.
pub(in crate::engine) struct HeldTrees {
    trees: Vec<(TreePlace, OwnedMutexGuard<TreeMemory>)>,
    doer: Doer,
    info: SessionInfo,
}

/// What was there before the run began is not the run's.
pub(in crate::engine) fn before(shared: &Arc<Shared>, spec: &RunSpec) {
    hold(shared, spec, &spec.steps).look(shared, Phase::Before, None);
}

/// Keeps others from looking until the run's operation is known.
pub(in crate::engine) fn hold(shared: &Arc<Shared>, spec: &RunSpec, steps: &[RunStep]) -> HeldTrees {
    let doer = Doer {
        session: spec.session.id.clone(),
        host: spec.session.client.clone(),
        tool: spec.tool.clone(),
        call_id: Some(spec.id.clone()),
        ..Doer::default()
    };
    // In the order of their names, so that two runs never wait for each other.
    let lock = |place: TreePlace| {
        let turn = shared.snapshots.turn(&place.root);
        (place, turn.blocking_lock_owned())
    };
    let trees = trees(shared, spec, steps).into_iter().map(lock).collect();
    HeldTrees { trees, doer, info: spec.session.clone() }
}

impl HeldTrees {
    /// The run is over, and this operation tells of it.
    pub(in crate::engine) fn after(self, shared: &Arc<Shared>, operation: Option<&str>) {
        self.look(shared, Phase::After, operation);
    }

    fn look(self, shared: &Arc<Shared>, phase: Phase, operation: Option<&str>) {
        for (place, mut memory) in self.trees {
            let at = shared.clock.now();
            let gone = Timestamp(at.micros().saturating_add(PATIENCE));
            let ask = HookAsk { phase, doer: self.doer.clone(), at, gone, pid: None, alone: false };
            let wanted = WantedSnapshot {
                place,
                by: ask.doer.who(),
                why: if phase == Phase::Before { Why::Before } else { Why::After },
                ask: Some(ask),
                label: None,
                only_look: false,
                told_by: operation.map(str::to_string),
            };
            let world = CallWorld::quiet(shared, FAMILY, &self.info);
            if let Err(e) = take(shared, &world, &self.info, &mut memory, &wanted, &|_| {}) {
                tracing::warn!("no snapshot of {} around a run: {e}", wanted.place.root.display());
            }
        }
    }
}

/// The trees of all directories that the steps work in, as far as snapshots of them are kept.
fn trees(shared: &Shared, spec: &RunSpec, steps: &[RunStep]) -> Vec<TreePlace> {
    if !shared.snapshots.settings.automatic || shared.snapshots.dir.is_none() {
        return Vec::new();
    }
    let mut dirs: Vec<PathBuf> = vec![PathBuf::from(&spec.root)];
    dirs.extend(
        steps.iter().flat_map(|step| std::iter::once(&step.work).chain(&step.revert)).filter_map(dir),
    );
    dirs.sort_unstable();
    dirs.dedup();
    let there = |dir: &PathBuf| dir.ancestors().find(|dir| dir.is_dir()).map(Path::to_path_buf);
    let mut places: Vec<TreePlace> =
        dirs.iter().filter_map(there).filter_map(|dir| TreePlace::of(&dir, &spec.session).ok()).collect();
    places.sort_unstable_by(|a, b| a.root.cmp(&b.root));
    places.dedup_by(|a, b| a.root == b.root);
    let kept = |place: &TreePlace| {
        shared.tree_row(&place.name()).is_ok_and(|row| row.is_some_and(|row| row.last > 0))
    };
    places.retain(kept);
    if places.len() > MOST { Vec::new() } else { places }
}

/// Where a piece of work may change something.
fn dir(work: &StepWork) -> Option<PathBuf> {
    match work {
        StepWork::Program { cwd, .. } | StepWork::Git { cwd, .. } => Some(cwd.clone()),
        StepWork::WriteFile { path, .. }
        | StepWork::RemoveTree { path, .. }
        | StepWork::Untrash { path, .. } => path.parent().map(Path::to_path_buf),
        StepWork::Trash(discard) => Some(discard.root.clone()),
        StepWork::MakeDir { .. }
        | StepWork::Exclude { .. }
        | StepWork::Include { .. }
        | StepWork::CheckAbsent { .. }
        | StepWork::CheckFile { .. }
        | StepWork::CheckSaved(_)
        | StepWork::NoteTags { .. } => None,
    }
}
