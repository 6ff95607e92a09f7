//! When a mirror acts: what was changed by hand is taken in before a call, what a commit changed is written out after it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::files;
use super::roots::{Mirror, OwnCall, RootCheck};
use crate::core::mirrored::Mirrored;
use crate::core::{Call, Change, Error, Result, SessionInfo, View};
use crate::engine::Shared;
use crate::engine::checks::FilesBack;
use crate::engine::serve::serving;

/// What a commit touched of one mirrored family, by space.
pub(in crate::engine) struct Touched {
    mirror: usize,
    spaces: BTreeMap<String, BTreeSet<String>>,
}

impl Shared {
    /// What the family of a mirror says about its files.
    fn mirrored(&self, mirror: &Mirror) -> Result<&dyn Mirrored> {
        let found = self.family(mirror.family)?.mirrored();
        found.ok_or_else(|| Error::internal(format!("{} has no files.", mirror.family)))
    }
}

/// Takes in what somebody did to the files that this session sees, each file as an operation of its own.
pub(in crate::engine) async fn take_in(shared: &Arc<Shared>, info: &SessionInfo, call: &Call) -> Result<()> {
    for at in 0..shared.mirrors.len() {
        let mirror = &shared.mirrors[at];
        let concerned = match shared.tool(&call.tool) {
            Some(tool) => tool.family == mirror.family || shared.family(&tool.family)?.spans_families(),
            // A request of the protocol: resources and completion show what is mirrored, too.
            None => true,
        };
        let how = shared.mirrored(mirror)?;
        if concerned && !mirror.is_absent(how, &how.space_of(info)) {
            take_in_one(shared, at, info, call).await?;
        }
    }
    Ok(())
}

async fn take_in_one(shared: &Arc<Shared>, at: usize, info: &SessionInfo, call: &Call) -> Result<()> {
    let family = shared.mirrors[at].family;
    let (inner, session, asked) = (shared.clone(), info.clone(), call.clone());
    let look = move || {
        let mirror = &inner.mirrors[at];
        mirror.before_call(inner.mirrored(mirror)?, &inner.store, &session, &asked, inner.clock.now())
    };
    let RootCheck { intake, notes, refusal, standing } = tokio::task::spawn_blocking(look)
        .await
        .unwrap_or_else(|_| Err(Error::internal("Looking at mirrored files was stopped by a defect.")))?;
    remember(shared, family, notes);
    // Submitted together, so that a freshly cloned directory shares commits; in order all the same.
    let mut taken = tokio::task::JoinSet::new();
    for (tool, args) in intake {
        let (inner, info) = (shared.clone(), info.clone());
        let call = Call::of(tool, args);
        taken.spawn(
            async move { Shared::commit(&inner, family, info, call, None, None, FilesBack::Free).await },
        );
    }
    while let Some(done) = taken.join_next().await {
        done.unwrap_or_else(|_| Err(Error::internal("Taking in a file was stopped by a defect.")))?;
    }
    let of_family = shared.tool(&call.tool).is_some_and(|tool| tool.family == family);
    if standing && of_family && !info.read_only {
        drop_expired(shared, at, info).await?;
    }
    refusal.map_or(Ok(()), Err)
}

/// Expired rows with files in the session's project go now that somebody works there, as an operation.
async fn drop_expired(shared: &Arc<Shared>, at: usize, info: &SessionInfo) -> Result<()> {
    let (inner, session) = (shared.clone(), info.clone());
    let expired = move |view: &dyn View| {
        let how = inner.mirrored(&inner.mirrors[at])?;
        let asked = serving("expiry");
        how.expired(&inner.ctx(view, &session, &asked), &how.space_of(&session))
    };
    let Some((tool, _)) = expired(&shared.store.read()?.view())? else { return Ok(()) };
    let make = move |batch: &crate::store::Batch| {
        Ok(expired(&batch.view())?.map(|(_, outcome)| outcome).unwrap_or_default())
    };
    Shared::commit_outcome(shared, shared.mirrors[at].family, info.clone(), serving(tool), make)
        .await
        .map(|_| ())
}

/// Is the directory of a space's files there?
pub(in crate::engine) fn stands(shared: &Shared, space: &str) -> bool {
    let mut roots = shared.mirrors.iter().filter_map(|mirror| shared.mirrored(mirror).ok()?.root_of(space));
    roots.any(|root| files::usable(&root))
}

/// Where the rows of a session's project are mirrored to: as it says itself, and as others do who say nothing of it.
pub(in crate::engine) fn directories(shared: &Shared, session: &SessionInfo) -> Vec<PathBuf> {
    let mut silent = session.clone();
    silent.env.clear();
    let families = shared.families.iter().filter_map(|family| family.mirrored());
    let roots = families.flat_map(|how| [session, &silent].map(|who| how.root_of(&how.space_of(who))));
    roots.flatten().map(|root| root.files).collect()
}

/// What of the changes of an operation is mirrored.
pub(in crate::engine) fn concerned(shared: &Shared, changes: &[Change]) -> Vec<Touched> {
    let mut out = Vec::new();
    for (at, mirror) in shared.mirrors.iter().enumerate() {
        let spaces = shared.mirrored(mirror).map(|how| how.touched(changes)).unwrap_or_default();
        if !spaces.is_empty() {
            mirror.owe(spaces.clone());
            out.push(Touched { mirror: at, spaces });
        }
    }
    out
}

/// Writes the files of changed rows. The commit stands whatever happens here; the next call tries again.
pub(in crate::engine) async fn write_out(shared: &Arc<Shared>, touched: Vec<Touched>) {
    for Touched { mirror: at, spaces } in touched {
        let mirror = &shared.mirrors[at];
        let Ok(how) = shared.mirrored(mirror) else { continue };
        if spaces.keys().all(|space| mirror.is_absent(how, space)) {
            continue;
        }
        let inner = shared.clone();
        let write = move || {
            let mirror = &inner.mirrors[at];
            mirror.after_commit(inner.mirrored(mirror)?, &inner.store, spaces)
        };
        match tokio::task::spawn_blocking(write).await {
            Ok(Ok(written)) => {
                written.failed.iter().for_each(|e| tracing::warn!("a file could not be written: {e}"));
                remember(shared, shared.mirrors[at].family, written.notes);
            }
            Ok(Err(e)) => tracing::warn!("mirrored files could not be written: {e}"),
            Err(_) => tracing::error!("writing mirrored files was stopped by a defect"),
        }
    }
}

/// Notes that file and row agree. Nobody waits: without the note the file is only compared once more.
fn remember(shared: &Arc<Shared>, family: &'static str, notes: Vec<OwnCall>) {
    for (tool, args) in notes {
        let inner = shared.clone();
        let call = Call::of(tool, args);
        let job = move |batch: &crate::store::Batch| {
            let info = crate::engine::housekeeping::nobody("");
            let family = inner.family(family)?;
            let outcome = inner.decide(&batch.view(), &info, &call, None)?;
            inner.store_outcome(batch, family, &info, &call, outcome).map(|_| ())
        };
        if let Err(e) = shared.submit(job, |_| {}) {
            tracing::debug!("a mirror note was dropped: {e}");
        }
    }
}
