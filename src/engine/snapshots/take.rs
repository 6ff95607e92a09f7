//! Taking a snapshot: look, decide whose the changes are, record all of it in one commit.
//!
//! Nothing is recorded before its contents are kept, and nothing of it without the rest: a crash at any point leaves
//! the state of before, and the next look finds the same changes again.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::dirs::{GRAIN, made_directories, own_directories};
use super::index::{IndexedFile, IndexedState, TreeIndex};
use super::listing::Lister;
use super::look::{Eyes, FileSeen, TreeLook, settle};
use super::own;
use super::place::TreePlace;
use super::sides::Sides;
use super::{Snapshots, TreeMemory};
use crate::core::effect::MADE;
use crate::core::snapshot::{
    self, Doer, FAMILY, FileChange, HookAsk, Off, Operation, Phase, SNAPSHOTS, Side, Skipped, SnapshotRow,
    TREES, TreeRow, Why, doers, key, tree_key,
};
use crate::core::{Draft, Error, Key, Kind, Result, SessionInfo, Timestamp, Who, World};
use crate::engine::Shared;
use crate::engine::clock::operation_id;
use crate::store::NewOp;

/// A tree that was too large is counted again after so long.
const AGAIN: i64 = 86_400;
/// Whoever asks for a snapshot of more files than this is refused.
const MOST: usize = 1_000_000;
/// Files that are listed, not stored: so many are named in a row.
const NAMED: usize = 500;

/// A snapshot that somebody wants.
pub struct WantedSnapshot {
    pub place: TreePlace,
    pub ask: Option<HookAsk>,
    pub label: Option<String>,
    pub by: Who,
    pub why: Why,
    /// Nothing is to be recorded or stored.
    pub only_look: bool,
    /// The operation that tells already of what this look will find, if nobody else was at work.
    pub told_by: Option<String>,
}

impl WantedSnapshot {
    fn automatic(&self) -> bool {
        self.ask.is_some()
    }
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct TakenSnapshot {
    pub root: String,
    /// The snapshot that the tree's state is; 0 = there is none.
    pub number: u64,
    /// It is a new one.
    pub new: bool,
    pub operation: Option<String>,
    /// What changed since the one before.
    pub changes: Vec<FileChange>,
    pub doers: Vec<Doer>,
    pub files: u64,
    pub skipped: Vec<Skipped>,
    pub late: bool,
    pub off: Option<String>,
}

/// Told what was seen as soon as the tree need not be looked at any more.
pub type OnSeen<'a> = &'a dyn Fn(&TakenSnapshot);

pub fn take(
    shared: &Shared,
    world: &dyn World,
    session: &SessionInfo,
    memory: &mut TreeMemory,
    wanted: &WantedSnapshot,
    early: OnSeen,
) -> Result<TakenSnapshot> {
    let snapshots = &shared.snapshots;
    let place = &wanted.place;
    let root = place.name();
    let stored = shared.tree_row(&root)?;
    let mut row = stored.clone().unwrap_or_default();
    row.store.clone_from(&place.store);
    let begun = shared.clock.now();
    snapshot::expire(&mut row.windows, begun, &lives);
    if let Some(said) = wanted.automatic().then(|| still_off(&row, begun)).flatten() {
        return Ok(TakenSnapshot { root, number: row.last, off: Some(said), ..TakenSnapshot::default() });
    }
    let mut lister = Lister { world, session, heard: &mut memory.heard, most: MOST };
    let mut listing = lister.list(place)?;
    let most = if wanted.automatic() { snapshots.settings.max_files } else { MOST };
    if listing.paths.len() > most {
        return too_large(shared, wanted, row, listing.paths.len(), begun);
    }
    if !wanted.automatic() {
        lister.special(place, &mut listing);
    }
    let objects = snapshots.objects(place, std::mem::take(&mut listing.objects)).ok_or_else(no_home)?;
    if !wanted.only_look {
        objects.make()?;
    }
    snapshots.count();
    // No operation of packd's own is writing files while they are looked at.
    let _files = shared.files.blocking_lock();
    let (written, head) = own::written(&shared.store.read()?.view(), &place.root, row.heeded)?;
    let loaded = shared.index(memory.index.take(), place, &row)?;
    let first = loaded.is_none();
    let index = loaded.unwrap_or_default();
    let own_dirs = own_directories(shared, &place.root, session);
    let eyes = Eyes {
        root: &place.root,
        objects: &objects,
        exclude: &snapshots.settings.exclude,
        rules: rules(snapshots),
        own: &own_dirs,
        room: &snapshots.room,
        now: begun,
        first,
        keeps: !wanted.only_look,
    };
    let looked = eyes.look(&mut listing, &index)?;
    let finished = shared.clock.now();
    let late = wanted.ask.as_ref().is_some_and(|ask| ask.phase == Phase::Before && finished > ask.gone);
    let cut = cut(wanted.ask.as_ref(), finished);
    let advance = |found: &FileSeen| cut.is_none_or(|cut| found.touched < cut);
    let sides = Sides { objects: &objects, world, session, room: &snapshots.room };
    let changes = match first {
        true => Vec::new(),
        false => sides.changes(looked.found.iter().filter(|found| advance(found)))?,
    };
    let rest: Vec<FileChange> = changes.iter().filter_map(|change| own::rest(change, &written)).collect();
    let all: Vec<Doer> = if rest.is_empty() { Vec::new() } else { doers(&row.windows, wanted.ask.as_ref()) };
    listing.skipped.extend(unkept(&looked, &index, first));
    listing.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    listing.skipped.dedup();
    let mut taken = TakenSnapshot {
        root: root.clone(),
        number: row.last,
        doers: all,
        files: looked.files as u64,
        skipped: listing.skipped,
        late,
        changes,
        ..TakenSnapshot::default()
    };
    if wanted.only_look {
        memory.index = (!first).then_some(index);
        return Ok(taken);
    }
    early(&taken);
    if snapshots.room.load(Ordering::Relaxed) == 0 {
        snapshots.full.store(true, Ordering::Relaxed);
    }
    let unannounced = wanted
        .ask
        .as_ref()
        .is_some_and(|ask| ask.phase == Phase::After && !snapshot::known(&row.windows, ask));
    if let Some(ask) = &wanted.ask {
        snapshot::turn(&mut row.windows, ask);
    }
    if looked.files <= snapshots.settings.max_files {
        row.off = None;
    }
    taken.new = first || !taken.changes.is_empty() || wanted.label.is_some();
    if !taken.new && written.is_empty() && stored.as_ref() == Some(&row) {
        // Nothing to remember but the stamps.
        keep(snapshots, place, memory, index, looked, &taken, (first, begun, rules(snapshots)), &advance);
        return Ok(taken);
    }
    row.heeded = head;
    if taken.new {
        row.last += 1;
    }
    if let Some(doer) = taken.doers.first_mut().filter(|doer| doer.task.is_none()) {
        doer.task = shared.task_of(doer, session)?;
    }
    let from = snapshot::name(taken.number);
    taken.number = row.last;
    let to = snapshot::name(taken.number);
    // While others were at work, too, nobody can say that this was the operation's doing alone.
    let told_by = wanted.told_by.clone().filter(|_| !rest.is_empty() && taken.doers.len() == 1);
    let rest = if told_by.is_some() { Vec::new() } else { rest };
    taken.operation = told_by;
    let operation =
        Operation { root: &root, changes: &rest, doers: &taken.doers, from: &from, to: &to, unannounced };
    let mut outcome = operation.outcome();
    let now = shared.clock.now();
    let id = operation_id(now, &*shared.ids);
    if let Some(outcome) = &mut outcome {
        outcome.record.id = Some(id.clone());
        taken.operation = Some(id.clone());
        let sides = taken.changes.iter().flat_map(|change| [&change.before, &change.after]);
        let ids: Vec<&str> = sides.filter_map(Side::object).collect();
        objects.flush(&ids);
    }
    let made = match outcome {
        Some(_) => made_directories(&place.root, &rest, &index, &|dir| shared.came_with_files(dir)),
        None => Vec::new(),
    };
    let state = SnapshotRow {
        number: taken.number,
        time: now,
        by: wanted.by.clone(),
        why: if first { Why::First } else { wanted.why },
        label: wanted.label.clone(),
        files: taken.files,
        skipped: taken.skipped.iter().take(NAMED).cloned().collect(),
        changes: taken.changes.clone(),
        operation: taken.operation.clone(),
        late,
    };
    let state = taken.new.then_some(state);
    let new = new_op(id, now, &root, wanted, taken.doers.first());
    let tree = root.clone();
    let op = shared.in_writer_blocking(move |batch| {
        let op = outcome.map(|mut outcome| batch.record(new, &mut outcome)).transpose()?;
        if let Some(op) = &op {
            // What it says was written is what the index says, too.
            row.heeded = op.seq;
        }
        let view = batch.view();
        let mut draft = Draft::new(&view);
        draft.put(TREES, &tree_key(&tree), &row)?;
        if let Some(state) = &state {
            draft.put(SNAPSHOTS, &key(&tree, state.number), state)?;
        }
        for (path, dir) in &made {
            draft.put(MADE, &Key::of(path), dir)?;
        }
        batch.apply_quietly(&mut draft.into_outcome())?;
        Ok(op)
    })?;
    if let Some(op) = &op {
        shared.announce(op);
    }
    keep(snapshots, place, memory, index, looked, &taken, (first, begun, rules(snapshots)), &advance);
    Ok(taken)
}

/// The index after a look that was recorded.
#[expect(clippy::too_many_arguments, reason = "what one look came to")]
fn keep(
    snapshots: &Snapshots,
    place: &TreePlace,
    memory: &mut TreeMemory,
    mut index: TreeIndex,
    mut looked: TreeLook,
    taken: &TakenSnapshot,
    (first, begun, rules): (bool, Timestamp, u64),
    advance: &dyn Fn(&FileSeen) -> bool,
) {
    if first {
        // Nothing is known of what was touched before it could be looked at.
        for found in &mut looked.found {
            if !advance(found)
                && let Some(entry) = &mut found.after
            {
                entry.doubtful = true;
            }
        }
        settle(&mut index, &looked, &|_| true);
    } else {
        settle(&mut index, &looked, advance);
        index.entries.iter_mut().for_each(|entry| entry.doubtful = false);
    }
    let same = !taken.new && looked.restamped.is_empty() && index.rules == rules;
    (index.number, index.looked, index.rules) = (taken.number, begun, rules);
    index.skipped = Vec::new();
    if !same && let Some(path) = snapshots.index_file(&place.store, &place.root) {
        index.save(&path);
    }
    memory.index = Some(index);
}

/// Since when changes are not this look's to tell. A hook that was killed no longer keeps its host back, so that even
/// what is finished in time may find the work of the call it stands before.
fn cut(ask: Option<&HookAsk>, finished: Timestamp) -> Option<Timestamp> {
    let ask = ask?;
    match ask.phase {
        Phase::Before if finished > ask.gone => Some(Timestamp(ask.at.micros() - GRAIN)),
        Phase::Before => Some(ask.at),
        // The call is over, and the next one may be under way.
        Phase::After if finished > ask.gone => Some(Timestamp(ask.gone.micros() - GRAIN)),
        Phase::After | Phase::End => None,
    }
}

/// Files that are there and not stored.
fn unkept(looked: &TreeLook, index: &TreeIndex, first: bool) -> Vec<Skipped> {
    let why = |entry: &IndexedFile| match &entry.state {
        IndexedState::Unkept(why) => Some(Skipped { path: entry.path.clone(), because: why.clone() }),
        IndexedState::Kept { .. } => None,
    };
    let changed = looked.found.iter();
    let mut out: Vec<Skipped> = changed.clone().filter_map(|f| f.after.as_ref()).filter_map(why).collect();
    if !first {
        let stays = |e: &&IndexedFile| {
            !changed.clone().any(|f| f.path == e.path) && !looked.unfollowed.contains(&e.path)
        };
        out.extend(
            index
                .entries
                .iter()
                .filter(|e| matches!(e.state, IndexedState::Unkept(_)))
                .filter(stays)
                .filter_map(why),
        );
    }
    out
}

fn still_off(row: &TreeRow, now: Timestamp) -> Option<String> {
    let off = row.off.as_ref().filter(|off| now < off.since.plus_seconds(AGAIN))?;
    Some(too_many(off.files))
}

fn too_many(files: u64) -> String {
    format!(
        "Automatic snapshots are off for this tree: it has {files} files, and over {} they would cost too much. Files that git ignores do not count.",
        snapshot::MAX_FILES
    )
}

fn too_large(
    shared: &Shared,
    wanted: &WantedSnapshot,
    mut row: TreeRow,
    files: usize,
    now: Timestamp,
) -> Result<TakenSnapshot> {
    let files = files as u64;
    if !wanted.automatic() {
        return Err(Error::new(
            Kind::State,
            "too_many_files",
            format!("This tree has more than {MOST} files."),
        )
        .hint("Let git ignore what need not be kept."));
    }
    tracing::warn!("{}", too_many(files));
    let root = wanted.place.name();
    row.off = Some(Off { files, since: now });
    let (tree, number) = (root.clone(), row.last);
    shared.in_writer_blocking(move |batch| {
        let view = batch.view();
        let mut draft = Draft::new(&view);
        draft.put(TREES, &tree_key(&tree), &row)?;
        batch.apply_quietly(&mut draft.into_outcome())
    })?;
    Ok(TakenSnapshot { root, number, off: Some(too_many(files)), files, ..TakenSnapshot::default() })
}

fn rules(snapshots: &Snapshots) -> u64 {
    xxhash_rust::xxh3::xxh3_64(format!("{:?}", snapshots.settings.exclude).as_bytes())
}

fn new_op(id: String, now: Timestamp, root: &str, wanted: &WantedSnapshot, doer: Option<&Doer>) -> NewOp {
    let tool = doer.map_or(snapshot::TAKE, |doer| doer.tool.as_str()).to_string();
    let trace =
        doer.and_then(|doer| doer.call_id.as_ref()).map_or(Value::Null, |call| json!({"tool_use_id": call}));
    NewOp {
        id,
        now,
        workspace: root.to_string(),
        family: FAMILY.to_string(),
        tool,
        who: wanted.by.clone(),
        request: json!({"tree": root}),
        request_key: None,
        trace,
    }
}

/// Whether a process is there, as far as this one can see.
pub fn lives(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_none_or(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

fn no_home() -> Error {
    Error::new(Kind::State, "no_home", "This daemon has no directory to keep snapshots in.")
}
