//! Where packs are kept: the table, its indexes, and how a pack is found by id or name.
//!
//! A space is one collection of packs: a workspace, or a directory that `CONTEXT_PACK_ROOT` names. Either may have
//! a directory of files beside it (see [`MirrorRoot`]). Names are unique among the live packs of a space; an expired
//! pack is invisible from that moment, purged or not.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::core::mirrored::MirrorRoot;
use crate::core::{
    Ctx, Error, Index, IndexEntry, IndexQuery, Key, Result, Row, SessionInfo, Table, Timestamp, View, row,
    schema,
};

use super::errors::{conflict, not_found};
use super::model::{ContextPack, PackStatus};
use super::rules;

pub const PACKS: Table = Table("packs");
/// Per space and status, newest first; the value is the [`PackSummary`] a list shows.
pub const BY_UPDATE: Index = Index("packs_by_update");
/// Per space and name; the value says until when the pack holds the name.
pub const BY_NAME: Index = Index("packs_by_name");
/// Per space and status, next to expire first; once more over all spaces for the sweeper.
pub const BY_EXPIRY: Index = Index("packs_by_expiry");

const ROOT: &str = "root:";
const WORKSPACE: &str = "ws:";
/// Where a project keeps its packs if nobody says otherwise.
const DEFAULT_ROOT: &str = ".agents/mcp/context_pack";
/// Where below a root its pack files lie.
const FILES: &str = "packs";
const ALL: &str = "all";

/// A directory that a session declared as the home of its packs, made absolute with the session's cwd.
pub fn root_of(session: &SessionInfo) -> Option<PathBuf> {
    let root = session.env.get("CONTEXT_PACK_ROOT").filter(|r| !r.is_empty())?;
    // Only `.` and doubled slashes go; `..` stays, because a symlink may give it another meaning.
    Some(session.cwd.join(root).components().collect())
}

pub fn space_of(session: &SessionInfo) -> String {
    match root_of(session) {
        Some(root) => space_of_root(&root),
        None => format!("{WORKSPACE}{}", session.workspace),
    }
}

pub fn space_of_root(root: &Path) -> String {
    format!("{ROOT}{}", root.display())
}

/// The directory a space is mirrored to: the declared one, or the project's own, which may not be there.
pub fn root_of_space(space: &str) -> Option<MirrorRoot> {
    if let Some(dir) = space.strip_prefix(ROOT) {
        return Some(root(PathBuf::from(dir), None));
    }
    let workspace = Path::new(space.strip_prefix(WORKSPACE)?);
    let within = workspace.is_absolute().then(|| workspace.to_path_buf())?;
    Some(root(within.join(DEFAULT_ROOT), Some(within)))
}

fn root(dir: PathBuf, within: Option<PathBuf>) -> MirrorRoot {
    MirrorRoot { files: dir.join(FILES), dir, within }
}

/// Do the files of a space lie in the project whose packs they are?
pub fn in_project(space: &str, workspace: &str) -> bool {
    root_of_space(space).is_some_and(|root| root.dir.starts_with(workspace))
}

/// Does a text look like the id of a pack?
pub fn is_pack_id(text: &str) -> bool {
    rules::is_id(text)
}

pub fn pack_key(space: &str, id: &str) -> Key {
    Key::of(space).text(id)
}

/// Space and id of a row of [`PACKS`].
pub fn key_parts(key: &Key) -> Option<(String, String)> {
    let mut parts = key.parts();
    Some((parts.text()?, parts.text()?))
}

/// What a list shows and searches, kept in the index so that no list decodes a pack.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PackSummary {
    pub id: String,
    pub name: Option<String>,
    pub title: Option<String>,
    pub brief: Option<String>,
    pub status: PackStatus,
    pub revision: u64,
    pub updated_at: Timestamp,
    pub expires_at: Timestamp,
}

pub fn status_group(space: &str, status: Option<PackStatus>) -> Key {
    Key::of(space).text(status.map_or(ALL, PackStatus::as_str))
}

/// The sweeper's group; no space can be called so.
pub fn everywhere() -> Key {
    Key::of("*")
}

/// Index entries of a pack row. A row that cannot be decoded has none; reading it by id still reports it.
pub fn entries(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != PACKS {
        return Vec::new();
    }
    let (Some((space, _)), Ok(pack)) = (key_parts(key), ContextPack::decode(&row.value)) else {
        return Vec::new();
    };
    let summary = PackSummary {
        id: pack.id.clone(),
        name: pack.name.clone(),
        title: pack.title.clone(),
        brief: pack.brief.clone(),
        status: pack.status,
        revision: row.rev,
        updated_at: pack.updated_at,
        expires_at: pack.expires_at,
    };
    let (Ok(summary), Ok(until), Ok(place)) =
        (row::encode(&summary), row::encode(&pack.expires_at), row::encode(&pack.workspace))
    else {
        return Vec::new();
    };
    let updated = Key::empty().number_desc(pack.updated_at.sortable()).text(&pack.id);
    let expires = Key::empty().number(pack.expires_at.sortable());
    let mut out = Vec::with_capacity(6);
    for status in [None, Some(pack.status)] {
        let group = status_group(&space, status);
        let sort = expires.clone().text(&pack.id);
        out.push(IndexEntry {
            index: BY_UPDATE,
            group: group.clone(),
            sort: updated.clone(),
            value: summary.clone(),
        });
        out.push(IndexEntry { index: BY_EXPIRY, group, sort, value: Vec::new() });
    }
    let sort = expires.text(&space).text(&pack.id);
    out.push(IndexEntry { index: BY_EXPIRY, group: everywhere(), sort, value: place });
    if let Some(name) = &pack.name {
        let group = Key::of(&space).text(name);
        out.push(IndexEntry { index: BY_NAME, group, sort: Key::of(&pack.id), value: until });
    }
    out
}

/// Entries of an expiry group that are due at `now`.
pub fn due(view: &dyn View, group: Key, now: Timestamp, limit: usize) -> Result<Vec<IndexEntry>> {
    let end = Key::empty().number(now.sortable() + 1);
    view.index(&IndexQuery::new(BY_EXPIRY, group).from(end).reverse().limit(limit))
}

/// A pack as it is stored.
#[derive(Debug, Clone)]
pub struct Found {
    pub key: Key,
    pub pack: ContextPack,
    pub rev: u64,
}

/// The pack under this id, live or expired.
pub fn stored(view: &dyn View, space: &str, id: &str) -> Result<Option<Found>> {
    let key = pack_key(space, id);
    Ok(view.get::<ContextPack>(PACKS, &key)?.map(|(pack, row)| Found { key, pack, rev: row.rev }))
}

/// Ids of the live packs that hold a name; more than one only where files brought them in.
pub fn holders(view: &dyn View, space: &str, name: &str, now: Timestamp) -> Result<Vec<String>> {
    let entries = view.index(&IndexQuery::new(BY_NAME, Key::of(space).text(name)))?;
    let live = entries.iter().filter(|e| row::decode::<Timestamp>(&e.value).is_ok_and(|until| until > now));
    Ok(live.filter_map(|e| e.sort.parts().text()).collect())
}

/// Refuses a name that another live pack holds.
pub fn name_is_free(view: &dyn View, space: &str, name: &str, own: &str, now: Timestamp) -> Result<()> {
    match holders(view, space, name, now)?.into_iter().find(|id| id != own) {
        Some(id) => Err(conflict(format!("a pack named '{name}' already exists ({id})")).hint(format!(
            "Choose another name, or change {id}: input {{\"action\":\"get\",\"id\":\"{id}\"}} shows it."
        ))),
        None => Ok(()),
    }
}

/// The id that an identifier stands for: itself, or the live pack of that name.
pub fn resolve(view: &dyn View, space: &str, identifier: &str, now: Timestamp) -> Result<String> {
    if rules::is_id(identifier) {
        return Ok(identifier.to_string());
    }
    rules::name(identifier)?;
    let mut ids = holders(view, space, identifier, now)?;
    match ids.len() {
        0 => Err(no_pack(view, space, identifier, now)),
        1 => Ok(ids.remove(0)),
        _ => Err(conflict(format!("several packs are named '{identifier}': {}", ids.join(", ")))),
    }
}

/// A live pack by id or name.
pub fn find(ctx: &Ctx, identifier: &str) -> Result<Found> {
    let space = space_of(ctx.session);
    let id = resolve(ctx.view, &space, identifier, ctx.now)?;
    match stored(ctx.view, &space, &id)? {
        Some(found) if !found.pack.expired(ctx.now) => Ok(found),
        _ => Err(no_pack(ctx.view, &space, identifier, ctx.now)),
    }
}

/// Packs looked at for one that may have been meant, and names told where none is like it.
const LOOKED_AT: usize = 200;
const TOLD: usize = 5;

/// Names what may have been meant, and the call that shows all.
fn no_pack(view: &dyn View, space: &str, identifier: &str, now: Timestamp) -> Error {
    let error = not_found(format!("pack '{identifier}'"));
    let mut known: Vec<PackSummary> = Vec::new();
    let listed = super::list::scan(view, &status_group(space, None), now, |summary| {
        known.push(summary);
        known.len() < LOOKED_AT
    });
    if listed.is_err() || known.is_empty() {
        return error.hint("There is no pack here yet; input action create or write makes one.");
    }
    let words: Vec<&str> = known
        .iter()
        .flat_map(|s| [Some(s.id.as_str()), s.name.as_deref(), s.title.as_deref()])
        .flatten()
        .collect();
    let called = |s: &PackSummary| match &s.name {
        Some(name) => format!("'{name}' ({})", s.id),
        None => s.id.clone(),
    };
    let is = |s: &&PackSummary, word: &str| {
        s.id == word || s.name.as_deref() == Some(word) || s.title.as_deref() == Some(word)
    };
    let all = "input {\"action\":\"list\"} shows all";
    match schema::closest(identifier, &words).and_then(|word| known.iter().find(|s| is(s, word))) {
        Some(near) => error.hint(format!("Did you mean {}? {all}.", called(near))),
        None => {
            let some: Vec<String> = known.iter().take(TOLD).map(called).collect();
            error.hint(format!("There are: {}. {all}.", some.join(", ")))
        }
    }
}
