//! At start: what a crash left half-way between its place and the trash is put back, or kept if it was recorded.

use super::entry::{TrashEntry, TrashState};
use super::{Shared, bring_back, entries, give_back, home, moving, place, put};
use crate::core::run::StepWork;
use crate::core::{Op, OpStatus, Result, View};

/// Called after pending operations were finished, so what is still on its way belongs to a run that ended.
pub fn finish_moves(shared: &Shared) -> Result<()> {
    for (dir, entry) in entries(shared) {
        let Ok(mut entry) = entry else { continue };
        let recorded = || -> Result<bool> {
            let snapshot = shared.store.read()?;
            Ok(snapshot.view().log().op(&entry.operation)?.is_some())
        };
        let ended = match entry.state {
            TrashState::Kept => continue,
            TrashState::Moved if recorded()? => entry.mark(&dir, TrashState::Kept),
            _ => give_back(shared, &mut entry, &dir),
        };
        if let Err(why) = ended {
            tracing::error!("the trash entry {} could not be settled: {why}", dir.display());
        }
    }
    // Without a page nothing was moved yet.
    if let Ok(home) = home(shared) {
        for stray in std::fs::read_dir(home).into_iter().flatten().flatten() {
            let ours = uuid::Uuid::parse_str(&stray.file_name().to_string_lossy()).is_ok();
            if ours && matches!(TrashEntry::load(&stray.path()), Ok(None)) {
                let _ = moving::remove(&stray.path());
            }
        }
    }
    Ok(())
}

/// Finishes an undo or redo whose one step, besides its checks, is a move; `None` = it is another kind of operation.
pub fn resume(shared: &Shared, op: &Op) -> Option<(OpStatus, String)> {
    let mut moves = op.steps.iter().filter(|step| step.expect.is_none()).map(|step| &step.work);
    let (Some(work), None) = (moves.next(), moves.next()) else { return None };
    let state =
        |id: &str| place(shared, id).and_then(|dir| TrashEntry::load(&dir)).map(|e| e.map(|e| e.state));
    let never = Ok((OpStatus::Undone, "it had not begun".to_string()));
    let done = |_| (OpStatus::Done, "it was finished".to_string());
    let ended = match work {
        StepWork::Trash(discard) => match state(&discard.entry) {
            Ok(None) => never,
            Ok(Some(_)) => put(shared, discard).map(done),
            Err(why) => Err(why),
        },
        StepWork::Untrash { entry, path, otherwise } => match state(entry) {
            Ok(Some(TrashState::Returning)) => bring_back(shared, entry, otherwise).map(done),
            Ok(None) if path.symlink_metadata().is_ok() => Ok(done(String::new())),
            Ok(_) => never,
            Err(why) => Err(why),
        },
        _ => return None,
    };
    Some(ended.unwrap_or_else(|why| (OpStatus::NeedsAttention, format!("Interrupted by a crash: {why}"))))
}
