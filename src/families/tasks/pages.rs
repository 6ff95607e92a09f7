//! Pages of plans and tasks, narrowed by status, plan, tags and domain. Costs the page, not the store.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::{Error, Given, Index, IndexQuery, Key, Result, View};

use super::args::{self, OneOrMany, WholeNumber};
use super::errors::fail;
use super::model::{ItemKind, TaskStatus};
use super::rows::{self, BY_DOMAIN, BY_KIND, BY_PARENT, BY_STATUS, BY_TAG, ItemSummary};

const DEFAULT_LIMIT: i64 = 20;
const MAX_LIMIT: i64 = 200;

/// The filters and positions of a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NarrowingArgs {
    tasks_status: Given<OneOrMany>,
    plans_status: Given<OneOrMany>,
    tasks_parent: Given<String>,
    parent: Given<String>,
    tags: Given<OneOrMany>,
    tag: Given<OneOrMany>,
    domain: Given<String>,
    tasks_limit: Given<WholeNumber>,
    tasks_cursor: Given<WholeNumber>,
    plans_limit: Given<WholeNumber>,
    plans_cursor: Given<WholeNumber>,
}

impl NarrowingArgs {
    /// Where the page of a kind begins, and how long it is.
    pub fn position(&self, kind: ItemKind) -> Result<(usize, usize)> {
        const CODE: &str = "INVALID_PAGINATION";
        let (cursor, limit, names) = match kind {
            ItemKind::Plan => (&self.plans_cursor, &self.plans_limit, ("plans_cursor", "plans_limit")),
            ItemKind::Task => (&self.tasks_cursor, &self.tasks_limit, ("tasks_cursor", "tasks_limit")),
        };
        let cursor = args::number(cursor, names.0, 0, i64::MAX, CODE)?.unwrap_or(0);
        let limit = args::number(limit, names.1, 0, MAX_LIMIT, CODE)?.unwrap_or(DEFAULT_LIMIT);
        Ok((cursor as usize, limit as usize))
    }
}

/// What a page of one kind is narrowed by.
#[derive(Default)]
pub struct ItemFilter {
    statuses: Vec<TaskStatus>,
    parent: Option<String>,
    tags: Vec<String>,
    domain: Option<String>,
}

impl ItemFilter {
    pub fn of(args: &NarrowingArgs, kind: ItemKind) -> Result<ItemFilter> {
        const CODE: &str = "INVALID_FILTER";
        let (given, name) = match kind {
            ItemKind::Plan => (&args.plans_status, "plans_status"),
            ItemKind::Task => (&args.tasks_status, "tasks_status"),
        };
        let status = |s: &String| {
            let message = || format!("'{s}' is not a status: TODO, ACTIVE or DONE.");
            TaskStatus::parse(s).ok_or_else(|| fail(CODE, message()))
        };
        let statuses = args::words(given, name, CODE)?.unwrap_or_default();
        let mut tags = args::words(&args.tags, "tags", CODE)?.unwrap_or_default();
        tags.extend(args::words(&args.tag, "tag", CODE)?.unwrap_or_default());
        let parent = match args::id(&args.tasks_parent, "tasks_parent", "INVALID_PARENT")? {
            Some(id) => Some(id),
            None => args::id(&args.parent, "parent", "INVALID_PARENT")?,
        };
        Ok(ItemFilter {
            statuses: statuses.iter().map(status).collect::<Result<_>>()?,
            parent: parent.filter(|_| kind == ItemKind::Task).map(str::to_string),
            tags: tags.iter().map(|t| t.to_lowercase()).collect(),
            domain: args::prose(&args.domain, "domain", CODE)?.filter(|d| !d.trim().is_empty()),
        })
    }

    pub fn names(&self, kind: ItemKind) -> Vec<&'static str> {
        let status = if kind == ItemKind::Plan { "plans_status" } else { "tasks_status" };
        [
            (!self.statuses.is_empty(), status),
            (self.parent.is_some(), "tasks_parent"),
            (!self.tags.is_empty(), "tags"),
            (self.domain.is_some(), "domain"),
        ]
        .into_iter()
        .filter_map(|(on, name)| on.then_some(name))
        .collect()
    }

    /// The narrowest groups that together hold every match, and whether they hold nothing else.
    fn groups(&self, workspace: &str, kind: ItemKind) -> (Vec<(Index, Key)>, bool) {
        let group = |parts: &[&str]| rows::group(workspace, parts);
        let name = kind.as_str();
        let only = self.names(kind).len() <= 1;
        if let Some(parent) = &self.parent {
            return (vec![(BY_PARENT, group(&[parent]))], only);
        }
        if !self.tags.is_empty() {
            let groups = self.tags.iter().map(|t| (BY_TAG, group(&[name, t]))).collect();
            return (groups, only && self.tags.len() == 1);
        }
        if let Some(domain) = &self.domain {
            return (vec![(BY_DOMAIN, group(&[name, domain]))], only);
        }
        if !self.statuses.is_empty() {
            let groups = self.statuses.iter().map(|s| (BY_STATUS, group(&[name, s.as_str()])));
            return (groups.collect(), true);
        }
        (vec![(BY_KIND, group(&[name]))], true)
    }

    fn keeps(&self, s: &ItemSummary) -> bool {
        let tagged = |t: &String| s.tags.iter().any(|have| have.to_lowercase() == *t);
        (self.statuses.is_empty() || self.statuses.contains(&s.status))
            && self.parent.as_ref().is_none_or(|p| s.parent.as_ref() == Some(p))
            && (self.tags.is_empty() || self.tags.iter().any(tagged))
            && self.domain.as_ref().is_none_or(|d| s.domain == *d)
    }
}

pub struct ItemPage {
    pub items: Vec<ItemSummary>,
    pub total: u64,
    cursor: usize,
    limit: usize,
}

impl ItemPage {
    pub fn pagination(&self) -> Pagination {
        let next = self.cursor + self.items.len();
        let more = (next as u64) < self.total && !self.items.is_empty();
        Pagination {
            cursor: self.cursor.to_string(),
            next_cursor: more.then(|| next.to_string()),
            total: self.total,
            count: self.items.len(),
            limit: self.limit,
        }
    }
}

#[derive(Serialize)]
pub struct Pagination {
    cursor: String,
    next_cursor: Option<String>,
    total: u64,
    count: usize,
    limit: usize,
}

pub fn page(
    view: &dyn View,
    workspace: &str,
    kind: ItemKind,
    filter: &ItemFilter,
    at: (usize, usize),
) -> Result<ItemPage> {
    let (cursor, limit) = at;
    let (groups, exact) = filter.groups(workspace, kind);
    let want = if exact { cursor.saturating_add(limit) } else { usize::MAX };
    let mut found = BTreeSet::new();
    let mut total = 0;
    for (index, group) in groups {
        if exact {
            total += view.count(index, &group)?;
        }
        let query = IndexQuery::new(index, group).limit(want);
        if exact && index == BY_KIND {
            let items = rows::summaries(view, &query)?.into_iter().skip(cursor).collect();
            return Ok(ItemPage { items, total, cursor, limit });
        }
        found.extend(rows::ids(view, &query)?);
    }
    let summary = |id: String| -> Result<ItemSummary> {
        let missing = || Error::internal(format!("{id} is indexed, but has no summary."));
        rows::summary(view, workspace, &id)?.ok_or_else(missing)
    };
    let ids = found.into_iter().map(|(_, id)| id);
    let items = if exact {
        ids.skip(cursor).take(limit).map(summary).collect::<Result<Vec<_>>>()?
    } else {
        let all = ids.map(summary).collect::<Result<Vec<_>>>()?;
        let kept: Vec<_> = all.into_iter().filter(|s| filter.keeps(s)).collect();
        total = kept.len() as u64;
        kept.into_iter().skip(cursor).take(limit).collect()
    };
    Ok(ItemPage { items, total, cursor, limit })
}
