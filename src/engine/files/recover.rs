//! At start: operations that a crash left half-way are finished, or taken back and marked.

use std::sync::Arc;

use super::effects;
use crate::core::{Effect, FileImage, Op, OpStatus, Result};
use crate::engine::Shared;

pub(in crate::engine) fn finish_pending(shared: &Arc<Shared>) -> Result<()> {
    // Not by the writer: a start that has nothing to finish need not wait for another thread.
    let pending = shared.store.read()?.view().pending()?;
    for op in pending {
        finish(shared, op)?;
    }
    Ok(())
}

fn finish(shared: &Shared, op: Op) -> Result<()> {
    if let Some((end, note)) = crate::engine::trash::resume(shared, &op) {
        tracing::warn!("operation {} ({}) was interrupted by a crash: {note}", op.id, op.summary);
        let seq = op.seq;
        let op = shared.in_writer_blocking(move |batch| batch.settle(seq, end, Some(&note)))?;
        crate::engine::trash::settle(shared, &op);
        return Ok(());
    }
    if !op.steps.is_empty() {
        tracing::error!("operation {} ({}) needs attention: a crash interrupted it", op.id, op.summary);
        let note = "Interrupted by a crash; some of its steps may have been done.";
        let seq = op.seq;
        shared.in_writer_blocking(move |batch| batch.settle(seq, OpStatus::NeedsAttention, Some(note)))?;
        return Ok(());
    }
    effects::sweep_temporaries(&op.effects);
    let strangers: Vec<String> = op
        .effects
        .iter()
        .filter(|effect| {
            !matches!(
                effects::standing(effect, &op.effects),
                Ok(effects::EffectStanding::Before | effects::EffectStanding::After)
            )
        })
        .map(|effect| effect.full_path().display().to_string())
        .collect();
    if strangers.is_empty() {
        tracing::warn!("finishing operation {} ({}) after a crash", op.id, op.summary);
        // A failure here has been put back and recorded; the daemon starts all the same.
        if let Err(e) = shared.carry_out(op, None, None) {
            tracing::error!("it could not be finished: {e}");
        }
        return Ok(());
    }
    tracing::error!("operation {} ({}) needs attention: {}", op.id, op.summary, strangers.join(", "));
    let blobs = |effect: &Effect, image: &FileImage| shared.content_of(&effect.root, image);
    let ours = shared.own_dirs(&op.effects)?;
    let stuck = effects::take_back(&op.effects, &blobs, &ours);
    let dirs = crate::engine::files::made::settle(&ours);
    let note = format!("Interrupted by a crash; changed by somebody else meanwhile: {}", stuck.join("; "));
    let seq = op.seq;
    shared.in_writer_blocking(move |batch| {
        dirs(batch)?;
        batch.settle(seq, OpStatus::NeedsAttention, Some(&note))
    })?;
    Ok(())
}
