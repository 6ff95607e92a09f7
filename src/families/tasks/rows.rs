//! Where items and focus live, and the indexes that answer every list without reading an item.
//!
//! An index entry carries a [`ItemSummary`]: all that lists, pickers, dependency checks and compact shapes
//! show. Everything is computed from the row, so undo and redo keep it right by themselves.

use serde::{Deserialize, Serialize};

use crate::core::row;
use crate::core::{Index, IndexEntry, IndexQuery, Key, Result, Row, Table, View};

use super::claims::CLAIMS;
use super::head::ItemHead;
use super::model::{CheckpointSet, ItemKind, TaskItem, TaskStatus};

pub const ITEMS: Table = Table("tasks");
pub const FOCUS: Table = Table("focus");
pub const TABLES: [Table; 3] = [ITEMS, FOCUS, CLAIMS];

/// (workspace, kind), by id; with summaries.
pub const BY_KIND: Index = Index("tasks_kind");
/// (workspace, plan), by id; with summaries.
pub const BY_PARENT: Index = Index("tasks_parent");
/// (workspace, kind, status), by id.
pub const BY_STATUS: Index = Index("tasks_status");
/// (workspace, kind, tag in lower case), by id.
pub const BY_TAG: Index = Index("tasks_tag");
/// (workspace, kind, domain), by id.
pub const BY_DOMAIN: Index = Index("tasks_domain");
/// (workspace, SHA-256), by id: who refers to an artifact.
pub const BY_BLOB: Index = Index("tasks_blob");
/// (workspace, title as [`folded`]), by id; with summaries.
const BY_TITLE: Index = Index("tasks_title");

pub const PREVIEW: usize = 160;

/// What a list shows of an item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ItemSummary {
    pub id: String,
    pub kind: ItemKind,
    pub title: String,
    pub revision: u64,
    pub status: TaskStatus,
    pub progress: i64,
    pub blocked: bool,
    /// A plan whose tasks only their holders may change.
    pub exclusive: bool,
    pub parent: Option<String>,
    pub domain: String,
    pub tags: Vec<String>,
    pub depends_on: Vec<String>,
    /// Root steps: completed and all.
    pub steps_done: usize,
    pub steps_total: usize,
    /// Confirmations only; notes and references stay in the row.
    pub gates: CheckpointSet,
    pub contract_preview: String,
    pub contract_versions: usize,
    pub plan_doc_preview: String,
    pub plan_current: i64,
    pub plan_total: usize,
}

/// At most `n` characters, the last of them an ellipsis where something was cut.
pub fn clip(text: &str, n: usize) -> String {
    if text.chars().count() <= n {
        return text.to_string();
    }
    text.chars().take(n.saturating_sub(1)).chain(['…']).collect()
}

impl ItemSummary {
    pub fn of(item: &TaskItem, revision: u64) -> ItemSummary {
        ItemHead::from(item).summary(revision)
    }

    fn read(entry: &IndexEntry) -> Result<ItemSummary> {
        row::decode(&entry.value).map_err(|e| row::unreadable(ITEMS, &entry.sort, &e))
    }

    /// Nobody has to wait for this one any more.
    pub fn resolved(&self) -> bool {
        self.status == TaskStatus::Done || (self.progress >= 100 && !self.blocked)
    }
}

pub fn item_key(workspace: &str, id: &str) -> Key {
    Key::of(workspace).text(id)
}

/// Ids in the order people expect: TASK-999 before TASK-1000.
pub fn sort_key(id: &str) -> Key {
    let (prefix, number) = id.rsplit_once('-').unwrap_or((id, ""));
    match number.parse::<u64>() {
        Ok(n) => Key::of(prefix).number(n).text(id),
        Err(_) => Key::of(id).number(0).text(id),
    }
}

/// The id at the end of a sort key.
fn id_of(sort: &Key) -> Option<String> {
    let mut parts = sort.parts();
    parts.text()?;
    parts.number()?;
    parts.text()
}

pub fn group(workspace: &str, parts: &[&str]) -> Key {
    parts.iter().fold(Key::of(workspace), |key, part| key.text(part))
}

/// The index entries of an item's row; an unreadable row has none.
pub fn indexer(table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
    if table != ITEMS {
        return Vec::new();
    }
    let (Some(workspace), Ok(item)) = (key.parts().text(), row.decode::<ItemHead>(table, key)) else {
        return Vec::new();
    };
    let Ok(value) = row::encode(&item.summary(row.rev)) else { return Vec::new() };
    let kind = item.kind.as_str();
    let entry = |index, parts: &[&str], value: &[u8]| IndexEntry {
        index,
        group: group(&workspace, parts),
        sort: sort_key(&item.id),
        value: value.to_vec(),
    };
    let mut out = vec![
        entry(BY_KIND, &[kind], &value),
        entry(BY_STATUS, &[kind, item.status.as_str()], &[]),
        entry(BY_DOMAIN, &[kind, &item.domain], &[]),
        entry(BY_TITLE, &[&folded(item.title())], &value),
    ];
    if let Some(parent) = &item.parent {
        out.push(entry(BY_PARENT, &[parent], &value));
    }
    let mut tags: Vec<_> = item.tags.iter().map(|t| t.to_lowercase()).collect();
    tags.sort();
    tags.dedup();
    out.extend(tags.iter().map(|tag| entry(BY_TAG, &[kind, tag], &[])));
    out.extend(item.blobs().into_iter().map(|sha| entry(BY_BLOB, &[sha], &[])));
    out
}

/// The summary of one item, without reading the item.
pub fn summary(view: &dyn View, workspace: &str, id: &str) -> Result<Option<ItemSummary>> {
    let sort = sort_key(id);
    for kind in [ItemKind::of_id(id), ItemKind::Plan, ItemKind::Task] {
        let query = IndexQuery::new(BY_KIND, group(workspace, &[kind.as_str()])).from(sort.clone()).limit(1);
        if let Some(entry) = view.index(&query)?.first().filter(|e| e.sort == sort) {
            return ItemSummary::read(entry).map(Some);
        }
    }
    Ok(None)
}

/// Entries that carry summaries: the items of a kind or the tasks of a plan.
pub fn summaries(view: &dyn View, query: &IndexQuery) -> Result<Vec<ItemSummary>> {
    view.index(query)?.iter().map(ItemSummary::read).collect()
}

/// A title as people compare titles: without regard to case and white space.
fn folded(title: &str) -> String {
    title.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Plans and tasks with this title.
pub fn titled(view: &dyn View, workspace: &str, title: &str, limit: usize) -> Result<Vec<ItemSummary>> {
    summaries(view, &IndexQuery::new(BY_TITLE, group(workspace, &[&folded(title)])).limit(limit))
}

/// Ids of a group, oldest first, with their order.
pub fn ids(view: &dyn View, query: &IndexQuery) -> Result<Vec<(Key, String)>> {
    let entries = view.index(query)?.into_iter();
    Ok(entries.filter_map(|e| id_of(&e.sort).map(|id| (e.sort, id))).collect())
}

pub fn count(view: &dyn View, workspace: &str, kind: ItemKind) -> Result<u64> {
    view.count(BY_KIND, &group(workspace, &[kind.as_str()]))
}

pub fn count_status(view: &dyn View, workspace: &str, kind: ItemKind, status: TaskStatus) -> Result<u64> {
    view.count(BY_STATUS, &group(workspace, &[kind.as_str(), status.as_str()]))
}

pub fn children(view: &dyn View, workspace: &str, plan: &str, limit: usize) -> Result<Vec<ItemSummary>> {
    summaries(view, &IndexQuery::new(BY_PARENT, group(workspace, &[plan])).limit(limit))
}
