//! The pure half of the file mirror: what a pack file on disk means compared with the stored pack.
//!
//! The store is the truth about packs, but a file that somebody changed by hand is taken in as an operation
//! of its own. What tells a hand edit from a file that packd itself did not get to write before it died is
//! the log: packd's own file shows a state the pack had since the two last agreed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::core::mirrored::{Agreement, FilesAsked};
use crate::core::op::Stream;
use crate::core::view::LogQuery;
use crate::core::{Call, Change, Key, Result, Table, Timestamp, Tool, View, past};

use super::file;
use super::model::ContextPack;
use super::rows::{self, PACKS, key_parts, pack_key, resolve};
use super::tools::input::{PacksInput, PacksInputArgs};
use super::tools::output::{PacksOutput, PacksOutputArgs};

/// Takes a file's content (or its absence) into the store: `{space, id, document?}`.
pub const TOOL: &str = "packs_mirror";
/// Notes up to which state the files of packs are known to be right: `{space, packs: {id: stamp}}`.
pub const SYNCED_TOOL: &str = "packs_mirrored";
/// Per space and pack: the stamp of the state the file last agreed with. Bookkeeping, never undone.
pub const SYNCED: Table = Table("pack_mirrors");

/// How many operations of one pack are compared with a file that packd may have left behind.
const LOOK_BACK: usize = 64;

/// A pack as the mirror sees it in the store.
pub struct Stored {
    pub pack: Option<ContextPack>,
    pub rev: u64,
    /// Grows with every change of this pack, its deletion included; 0 = there never was one.
    pub stamp: u64,
    /// An operation in whose workspace the pack's history is found.
    seq: u64,
}

/// Revisions only grow, and a deleted pack keeps its last one: twice the revision leaves room for "gone".
fn stamp(rev: u64, live: bool) -> u64 {
    rev.saturating_mul(2).saturating_add(u64::from(!live))
}

pub fn stored(view: &dyn View, space: &str, id: &str) -> Result<Stored> {
    let key = pack_key(space, id);
    Ok(match view.get::<ContextPack>(PACKS, &key)? {
        Some((pack, row)) => {
            Stored { pack: Some(pack), rev: row.rev, stamp: stamp(row.rev, true), seq: row.seq }
        }
        None => match view.grave(PACKS, &key)? {
            Some((rev, seq)) => Stored { pack: None, rev, stamp: stamp(rev, false), seq },
            None => Stored { pack: None, rev: 0, stamp: 0, seq: 0 },
        },
    })
}

/// Compares what is on disk with what is stored. `synced` is the stamp both last agreed on.
pub fn compare(
    view: &dyn View,
    space: &str,
    id: &str,
    stored: &Stored,
    disk: Option<&ContextPack>,
    synced: u64,
) -> Result<Agreement> {
    if same(stored.pack.as_ref(), disk) {
        return Ok(Agreement::Agree);
    }
    // Never written yet: the directory came after the pack.
    if disk.is_none() && synced == 0 {
        return Ok(Agreement::Write);
    }
    let ours = stored.stamp > synced && was_ours(view, &pack_key(space, id), stored, id, disk, synced)?;
    Ok(if ours { Agreement::Write } else { Agreement::TakeIn })
}

/// Is this a state the pack had since file and store last agreed, one that packd would have left behind?
fn was_ours(
    view: &dyn View,
    key: &Key,
    stored: &Stored,
    id: &str,
    disk: Option<&ContextPack>,
    synced: u64,
) -> Result<bool> {
    let op = view.log().op_at(Stream::Ops, stored.seq)?.map(|op| op.workspace);
    let home = stored.pack.as_ref().map(|p| p.workspace.clone());
    for workspace in [op, home].into_iter().flatten().collect::<BTreeSet<_>>() {
        let ops = view.log().ops(&LogQuery {
            workspace: Some(workspace),
            target: Some(id.to_string()),
            newest_first: true,
            include_undone: true,
            limit: LOOK_BACK,
            ..LogQuery::default()
        })?;
        for op in ops.ops {
            let touched = view.log().changes(&op)?.unwrap_or_default();
            if !touched.iter().any(|c| c.table == PACKS.0 && c.key == *key) {
                continue;
            }
            let (before, after) = match past::around(view, PACKS, key, &op) {
                Ok(Some(sides)) => sides,
                Ok(None) => continue,
                // What is no longer kept can prove nothing.
                Err(e) if e.code == "collected" => return Ok(false),
                Err(e) => return Err(e),
            };
            let (then, before) = match (before, after) {
                (Some(row), _) => match ContextPack::decode(&row.value) {
                    Ok(pack) => (stamp(row.rev, true), Some(pack)),
                    Err(_) => continue,
                },
                (None, Some(row)) => (stamp(row.rev.saturating_sub(1), false), None),
                (None, None) => continue,
            };
            if then >= synced && same(before.as_ref(), disk) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn same(a: Option<&ContextPack>, b: Option<&ContextPack>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.same_content(b),
        _ => false,
    }
}

/// The stamp a pack and its file are known to have agreed on.
pub fn synced(view: &dyn View, space: &str, id: &str) -> Result<u64> {
    Ok(view.get::<u64>(SYNCED, &pack_key(space, id))?.map_or(0, |(stamp, _)| stamp))
}

/// Every pack of a space, expired ones included: all of them have a file.
pub fn ids(view: &dyn View, space: &str) -> Result<BTreeSet<String>> {
    let group = rows::status_group(space, None);
    let entries = view.index(&crate::core::IndexQuery::new(rows::BY_EXPIRY, group))?;
    let id = |sort: &Key| {
        let mut parts = sort.parts();
        parts.number().and_then(|_| parts.text())
    };
    Ok(entries.iter().filter_map(|e| id(&e.sort)).collect())
}

/// The mirrored packs a commit touched, by space.
pub fn touched(changes: &[Change]) -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for change in changes.iter().filter(|c| c.table == PACKS.0) {
        if let Some((space, id)) = key_parts(&change.key)
            && rows::root_of_space(&space).is_some()
        {
            out.entry(space).or_default().insert(id);
        }
    }
    out
}

pub fn asks(view: &dyn View, space: &str, call: &Call, now: Timestamp) -> FilesAsked {
    let (lists, named) = if call.tool == PacksInput::NAME {
        let Ok(args) = call.read::<PacksInputArgs>() else { return FilesAsked::Nothing };
        (args.lists(), args.about().map(str::to_string))
    } else if call.tool == PacksOutput::NAME {
        let Ok(args) = call.read::<PacksOutputArgs>() else { return FilesAsked::Nothing };
        (args.lists(), args.about().map(str::to_string))
    } else {
        return FilesAsked::Nothing;
    };
    if lists {
        return FilesAsked::All;
    }
    match named.and_then(|identifier| resolve(view, space, &identifier, now).ok()) {
        Some(id) => FilesAsked::One(id),
        None => FilesAsked::Nothing,
    }
}

/// The arguments of [`TOOL`] for one file; no document = the file is gone.
pub fn intake(space: &str, id: &str, document: Option<&str>) -> Map<String, Value> {
    let mut args = Map::new();
    args.insert("space".into(), json!(space));
    args.insert("id".into(), json!(id));
    if let Some(document) = document {
        args.insert("document".into(), json!(document));
    }
    args
}

/// The arguments of [`SYNCED_TOOL`].
pub fn note(space: &str, packs: &BTreeMap<String, u64>) -> Map<String, Value> {
    let mut args = Map::new();
    args.insert("space".into(), json!(space));
    args.insert("packs".into(), json!(packs));
    args
}

/// A file is served under its name, whatever id is written in it.
pub fn decode(text: &str, path: &str, id: &str, workspace: &str) -> Result<(ContextPack, u64)> {
    let (mut pack, revision) = file::import(text, path, workspace)?;
    pack.id = id.to_string();
    Ok((pack, revision))
}
