//! When the pack mirror acts: what was changed by hand is taken in before a call, what a commit changed is
//! written out after it.

use std::sync::Arc;

use super::Shared;
use super::checks::FilesBack;
use super::mirror::{Args, Checked};
use super::serve::serving;
use crate::core::ctx::Gathered;
use crate::core::{Call, Change, Error, Result, SessionInfo, View};
use crate::families::packs::{mirror, purge, shelf};

const FAMILY: &str = "packs";

/// Takes in what somebody did to the files of this session's root, each file as an operation of its own.
pub(super) async fn take_in(shared: &Arc<Shared>, info: &SessionInfo, call: &Call) -> Result<()> {
    let reads_packs = match shared.tool(&call.tool) {
        Some(tool) => [FAMILY, "history"].contains(&tool.family.as_str()),
        // A request of the protocol: resources and completion show packs, too.
        None => true,
    };
    if !reads_packs {
        return Ok(());
    }
    if shared.mirror.is_absent(&shelf::space_of(info)) {
        return Ok(());
    }
    let (inner, session, asked) = (shared.clone(), info.clone(), call.clone());
    let look = move || inner.mirror.before_call(&inner.store, &session, &asked, inner.clock.now());
    let Checked { intake, notes, refusal, standing } = tokio::task::spawn_blocking(look)
        .await
        .unwrap_or_else(|_| Err(Error::internal("Looking at the pack files was stopped by a defect.")))?;
    remember(shared, notes);
    // Submitted together, so that a freshly cloned directory shares commits; in order all the same.
    let mut taken = tokio::task::JoinSet::new();
    for args in intake {
        let (inner, info) = (shared.clone(), info.clone());
        let call = Call { args, ..serving(mirror::TOOL) };
        taken.spawn(
            async move { Shared::commit(&inner, FAMILY, info, call, None, None, FilesBack::Free).await },
        );
    }
    while let Some(done) = taken.join_next().await {
        done.unwrap_or_else(|_| Err(Error::internal("Taking in a pack file was stopped by a defect.")))?;
    }
    if standing {
        drop_expired(shared, info, call).await?;
    }
    refusal.map_or(Ok(()), Err)
}

/// Expired packs with files in the session's project go now that somebody works there, as an operation.
async fn drop_expired(shared: &Arc<Shared>, info: &SessionInfo, call: &Call) -> Result<()> {
    let of_packs = shared.tool(&call.tool).is_some_and(|tool| tool.family == FAMILY);
    if !of_packs || info.read_only {
        return Ok(());
    }
    let (inner, session) = (shared.clone(), info.clone());
    let expired = move |view: &dyn View| {
        let asked = serving(purge::TOOL);
        purge::of_space(&inner.ctx(view, &session, &asked, None), &shelf::space_of(&session))
    };
    if expired(&shared.store.read()?.view())?.is_none() {
        return Ok(());
    }
    let make = move |batch: &crate::store::Batch| Ok(expired(&batch.view())?.unwrap_or_default());
    Shared::commit_outcome(shared, FAMILY, info.clone(), serving(purge::TOOL), make).await.map(|_| ())
}

/// What a sweep must know of the disk: whose files are there.
pub(super) fn standing() -> Gathered {
    let stands =
        |space: &str| shelf::root_of_space(space).is_some_and(|root| super::mirror_files::usable(&root));
    Box::new(purge::Standing(Box::new(stands)))
}

/// The changed packs among the changes of an operation.
pub(super) fn concerned(shared: &Shared, changes: Vec<Change>) -> Vec<Change> {
    if mirror::touched(&changes).is_empty() {
        return Vec::new();
    }
    shared.mirror.expect(&changes);
    changes
}

/// Writes the files of changed packs. The commit stands whatever happens here; the next call tries again.
pub(super) async fn write_out(shared: &Arc<Shared>, changes: Vec<Change>) {
    if mirror::touched(&changes).keys().all(|space| shared.mirror.is_absent(space)) {
        return;
    }
    let inner = shared.clone();
    let write = move || inner.mirror.after_commit(&inner.store, &changes);
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(written)) => {
            written.failed.iter().for_each(|e| tracing::warn!("a pack file could not be written: {e}"));
            remember(shared, written.notes);
        }
        Ok(Err(e)) => tracing::warn!("pack files could not be written: {e}"),
        Err(_) => tracing::error!("writing pack files was stopped by a defect"),
    }
}

/// Notes that file and pack agree. Nobody waits: without the note the file is only compared once more.
fn remember(shared: &Arc<Shared>, notes: Vec<Args>) {
    for args in notes {
        let inner = shared.clone();
        let call = Call { args, ..serving(mirror::SYNCED_TOOL) };
        let job = move |batch: &crate::store::Batch| {
            let info = super::housekeeping::nobody("");
            let family = inner.family(FAMILY)?;
            let outcome = inner.run_family(family, &batch.view(), &info, &call, None)?;
            inner.store_outcome(batch, family, &info, &call, outcome).map(|_| ())
        };
        if let Err(e) = shared.submit(job, |_| {}) {
            tracing::debug!("a mirror note was dropped: {e}");
        }
    }
}
