//! The pure half of the file mirror: what a pack file on disk means compared with the stored pack.
//!
//! The store is the truth about packs, but a file that somebody changed by hand is taken in as an operation
//! of its own. What tells a hand edit from a file that packd itself did not get to write before it died is
//! the log: packd's own file shows a state the pack had since the two last agreed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::core::op::Stream;
use crate::core::view::LogQuery;
use crate::core::{Call, Change, Ctx, Outcome, Record, Reply, Result, Table, Timestamp, View};

use super::args::{self, need_text};
use super::errors::required;
use super::model::Pack;
use super::shelf::{self, PACKS, key_parts, pack_key, resolve};
use super::{file, input, output};

/// Takes a file's content (or its absence) into the store: `{space, id, document?}`.
pub const TOOL: &str = "packs_mirror";
/// Notes up to which operation the files of packs are known to be right: `{space, packs: {id: seq}}`.
pub const SYNCED_TOOL: &str = "packs_mirrored";
/// Per space and pack: the operation whose result the file last agreed with. Bookkeeping, never undone.
pub const SYNCED: Table = Table("pack_mirrors");

/// How many operations of one pack are compared with a file that packd may have left behind.
const LOOK_BACK: usize = 64;

/// What has to happen so that a file and its pack agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Agree,
    /// The store is ahead: write the file, or remove it where the pack is gone.
    Write,
    /// Somebody changed, added or removed the file.
    TakeIn,
}

/// A pack as the mirror sees it in the store.
pub struct Stored {
    pub pack: Option<Pack>,
    pub rev: u64,
    /// The operation that made it so; 0 = there never was one.
    pub seq: u64,
}

pub fn stored(view: &dyn View, space: &str, id: &str) -> Result<Stored> {
    let key = pack_key(space, id);
    Ok(match view.get::<Pack>(PACKS, &key)? {
        Some((pack, row)) => Stored { pack: Some(pack), rev: row.rev, seq: row.seq },
        None => {
            let (rev, seq) = view.grave(PACKS, &key)?.unwrap_or_default();
            Stored { pack: None, rev, seq }
        }
    })
}

/// Compares what is on disk with what is stored. `synced` is the last operation both agreed on.
pub fn compare(
    view: &dyn View,
    space: &str,
    id: &str,
    stored: &Stored,
    disk: Option<&Pack>,
    synced: u64,
) -> Result<Step> {
    if same(stored.pack.as_ref(), disk) {
        return Ok(Step::Agree);
    }
    if stored.seq <= synced {
        return Ok(Step::TakeIn);
    }
    let key = pack_key(space, id);
    let was = |changes: Vec<Change>| {
        let ours = changes.into_iter().filter(|c| c.table == PACKS.0 && c.key == key);
        let mut before = ours.map(|c| c.before.and_then(|image| Pack::decode(&image.value).ok()));
        before.any(|before| same(before.as_ref(), disk))
    };
    let mut seqs = vec![stored.seq];
    if let Some(op) = view.log().op_at(Stream::Ops, stored.seq)? {
        let earlier = view.log().ops(&LogQuery {
            workspace: Some(op.workspace),
            target: Some(id.to_string()),
            after: Some(synced),
            before: Some(stored.seq),
            newest_first: true,
            include_undone: true,
            limit: LOOK_BACK,
            ..LogQuery::default()
        })?;
        seqs.extend(earlier.ops.iter().map(|op| op.seq));
    }
    for seq in seqs {
        if view.log().images(seq)?.is_some_and(&was) {
            return Ok(Step::Write);
        }
    }
    Ok(Step::TakeIn)
}

fn same(a: Option<&Pack>, b: Option<&Pack>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.same_content(b),
        _ => false,
    }
}

/// The last operation a pack and its file are known to have agreed on.
pub fn synced(view: &dyn View, space: &str, id: &str) -> Result<u64> {
    Ok(view.get::<u64>(SYNCED, &pack_key(space, id))?.map_or(0, |(seq, _)| seq))
}

/// Every pack of a space, expired ones included: all of them have a file.
pub fn ids(view: &dyn View, space: &str) -> Result<BTreeSet<String>> {
    let group = shelf::status_group(space, None);
    let entries = view.index(&crate::core::IndexQuery::new(shelf::BY_EXPIRY, group))?;
    let id = |sort: &crate::core::Key| {
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
            && shelf::root_of_space(&space).is_some()
        {
            out.entry(space).or_default().insert(id);
        }
    }
    out
}

/// Which packs a call is about, as far as a damaged file is concerned.
#[derive(Debug, PartialEq, Eq)]
pub enum Asks {
    /// A list: it must not silently leave out a damaged pack.
    All,
    Pack(String),
    Nothing,
}

pub fn asks(view: &dyn View, space: &str, call: &Call, now: Timestamp) -> Asks {
    let lists = match call.tool.as_str() {
        "input" => args::action(call, "list") == "list",
        "output" => output::lists(call),
        _ => return Asks::Nothing,
    };
    if lists {
        return Asks::All;
    }
    let named = args::identifier(call).filter(|_| !input::creates(call));
    match named.and_then(|identifier| resolve(view, space, identifier, now).ok()) {
        Some(id) => Asks::Pack(id),
        None => Asks::Nothing,
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
pub fn decode(text: &str, path: &str, id: &str, workspace: &str) -> Result<(Pack, u64)> {
    let (mut pack, revision) = file::import(text, path, workspace)?;
    pack.id = id.to_string();
    Ok((pack, revision))
}

pub(super) fn take_in(ctx: &Ctx) -> Result<Outcome> {
    let space = need_text(ctx.call, "space")?;
    let id = need_text(ctx.call, "id")?;
    let key = pack_key(&space, &id);
    let there = shelf::stored(ctx.view, &space, &id)?;
    let mut draft = ctx.draft();
    let what = match ctx.call.args.get("document").and_then(Value::as_str) {
        None if there.is_none() => return Ok(Outcome::reply(Reply::text("Nothing to take in."))),
        None => {
            draft.delete(PACKS, &key)?;
            "removed"
        }
        Some(text) => {
            let name = format!("{id}.md");
            let (mut pack, revision) = decode(text, &name, &id, &ctx.session.workspace)?;
            if there.as_ref().is_some_and(|f| f.pack.same_content(&pack)) {
                return Ok(Outcome::reply(Reply::text("Nothing to take in.")));
            }
            let what = if there.is_some() { "edited" } else { "added" };
            pack.workspace = there.map_or(pack.workspace, |f| f.pack.workspace);
            draft.put_at_least(PACKS, &key, &pack, revision)?;
            what
        }
    };
    let mut out = draft.into_outcome();
    let summary = format!("file of pack {id} {what} by hand");
    out.reply = Reply::text(format!("Took in: {summary}."));
    out.record = Record { summary, targets: vec![id], ..Record::default() };
    Ok(out)
}

pub(super) fn note_synced(ctx: &Ctx) -> Result<Outcome> {
    let space = need_text(ctx.call, "space")?;
    let packs = ctx.call.args.get("packs").and_then(Value::as_object).ok_or_else(|| required("packs"))?;
    let mut draft = ctx.draft();
    for (id, seq) in packs {
        let seq = seq.as_u64().unwrap_or(0);
        if synced(ctx.view, &space, id)? < seq {
            draft.put(SYNCED, &pack_key(&space, id), &seq)?;
        }
    }
    let mut out = draft.into_outcome();
    out.quiet = true;
    Ok(out)
}
