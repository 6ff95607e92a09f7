//! context: how much there is, in what state, and pages of it. Costs the page, not the store.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::core::{Error, Index, IndexQuery, Key, Result, View};

use super::args::{self, flag, has, text};
use super::fail::{Envelope, fail, shown};
use super::model::{ItemKind, Object, Status};
use super::run::{Answer, Loaded, NODE, Run, STEP};
use super::store::{self, BY_DOMAIN, BY_KIND, BY_PARENT, BY_STATUS, BY_TAG, Summary};
use super::{focus, shape, suggest};

const DEFAULT_LIMIT: i64 = 50;
const MAX_LIMIT: i64 = 200;

/// What a page of one kind is narrowed by.
#[derive(Default)]
struct Filter {
    statuses: Vec<Status>,
    parent: Option<String>,
    tags: Vec<String>,
    domain: Option<String>,
}

impl Filter {
    fn parse(request: &Object, kind: ItemKind) -> Result<Filter> {
        let bad = |message: String| fail("INVALID_FILTER", message);
        let list = |key: &str| match request.get(key).filter(|v| !v.is_null()) {
            Some(value) => args::strings(value, key, "INVALID_FILTER"),
            None => Ok(Vec::new()),
        };
        let statuses = list(if kind == ItemKind::Plan { "plans_status" } else { "tasks_status" })?;
        let status = |s: &String| {
            Status::parse(s).ok_or_else(|| bad(format!("'{s}' is not a status: TODO, ACTIVE or DONE.")))
        };
        let mut tags = list("tags")?;
        tags.extend(list("tag")?);
        let parent = match args::id(request, "tasks_parent", "INVALID_PARENT")? {
            Some(id) => Some(id),
            None => args::id(request, "parent", "INVALID_PARENT")?,
        };
        Ok(Filter {
            statuses: statuses.iter().map(status).collect::<Result<_>>()?,
            parent: parent.filter(|_| kind == ItemKind::Task).map(str::to_string),
            tags: tags.iter().map(|t| t.to_lowercase()).collect(),
            domain: args::prose(request, "domain", "INVALID_FILTER")?.filter(|d| !d.trim().is_empty()),
        })
    }

    fn names(&self, kind: ItemKind) -> Vec<&'static str> {
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
        let group = |parts: &[&str]| store::group(workspace, parts);
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

    fn keeps(&self, s: &Summary) -> bool {
        let tagged = |t: &String| s.tags.iter().any(|have| have.to_lowercase() == *t);
        (self.statuses.is_empty() || self.statuses.contains(&s.status))
            && self.parent.as_ref().is_none_or(|p| s.parent.as_ref() == Some(p))
            && (self.tags.is_empty() || self.tags.iter().any(tagged))
            && self.domain.as_ref().is_none_or(|d| s.domain == *d)
    }
}

struct Page {
    items: Vec<Summary>,
    total: u64,
    cursor: usize,
    limit: usize,
}

impl Page {
    fn pagination(&self) -> Value {
        let next = self.cursor + self.items.len();
        let more = (next as u64) < self.total && !self.items.is_empty();
        json!({"cursor": self.cursor.to_string(), "next_cursor": more.then(|| next.to_string()),
            "total": self.total, "count": self.items.len(), "limit": self.limit})
    }
}

fn page(
    view: &dyn View,
    workspace: &str,
    kind: ItemKind,
    filter: &Filter,
    at: (usize, usize),
) -> Result<Page> {
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
            let items = store::summaries(view, &query)?.into_iter().skip(cursor).collect();
            return Ok(Page { items, total, cursor, limit });
        }
        found.extend(store::ids(view, &query)?);
    }
    let summary = |id: String| -> Result<Summary> {
        let missing = || Error::internal(format!("{id} is indexed, but has no summary."));
        store::summary(view, workspace, &id)?.ok_or_else(missing)
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
    Ok(Page { items, total, cursor, limit })
}

fn position(request: &Object, kind: ItemKind) -> Result<(usize, usize)> {
    let key = |what: &str| format!("{}s_{what}", kind.as_str());
    let cursor = args::number(request, &key("cursor"), 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0);
    let limit = args::number(request, &key("limit"), 0, MAX_LIMIT, "INVALID_PAGINATION")?;
    Ok((cursor as usize, limit.unwrap_or(DEFAULT_LIMIT) as usize))
}

fn shown_item(run: &Run, summary: &Summary, compact: bool) -> Result<Value> {
    if compact {
        return Ok(shape::compact(summary));
    }
    let loaded = run.load(&summary.id)?;
    Ok(loaded.map_or(Value::Null, |l| shape::full(&l.item, l.rev)))
}

pub fn context(run: &mut Run, request: &Object) -> Result<Answer> {
    let compact = flag(request, "compact", true);
    let workspace = run.workspace();
    let count = |kind| store::count(run.view(), workspace, kind);
    let mut by_status = json!({});
    for status in Status::ALL {
        by_status[status.as_str()] =
            json!(store::count_status(run.view(), workspace, ItemKind::Task, status)?);
    }
    let mut result = json!({"counts": {"plans": count(ItemKind::Plan)?, "tasks": count(ItemKind::Task)?},
        "by_status": by_status});
    if flag(request, "include_all", false) {
        let mut applied: Vec<&str> = Vec::new();
        let mut filtered = json!({});
        for kind in [ItemKind::Plan, ItemKind::Task] {
            let filter = Filter::parse(request, kind)?;
            let page = page(run.view(), workspace, kind, &filter, position(request, kind)?)?;
            let name = format!("{}s", kind.as_str());
            let items: Result<Vec<_>> = page.items.iter().map(|s| shown_item(run, s, compact)).collect();
            result[&name] = json!(items?);
            result[format!("{name}_pagination")] = page.pagination();
            filtered[&name] = json!(page.total);
            for name in filter.names(kind) {
                if !applied.contains(&name) {
                    applied.push(name);
                }
            }
        }
        result["filters_applied"] = json!(applied);
        result["filtered_counts"] = filtered;
    }
    for (key, label) in [("task", "current_task"), ("plan", "current_plan")] {
        if let Some(id) = run.id(request, key)? {
            let loaded = run.load(id)?.ok_or_else(|| run.not_found(id))?;
            result[label] = shape::item(&loaded.item, loaded.rev, compact);
        }
    }
    if has(request, "subtree") {
        result["subtree"] = subtree(run, request, compact)?;
    }
    let mut answer = Answer::new(result);
    if let Some(focused) = focus::of(run)? {
        answer.context.insert("focus_id".into(), json!(focused.id));
    }
    if answer.result["counts"]["plans"] == 0 {
        let params = json!({"kind": "plan", "title": "New plan"});
        answer.suggestions.extend(suggest::high("create", "There is no plan yet.", params));
    }
    Ok(answer)
}

fn subtree(run: &Run, request: &Object, compact: bool) -> Result<Value> {
    let Some(wanted) = request["subtree"].as_object() else {
        return Err(fail("INVALID_SUBTREE", "'subtree' must be an object.")
            .hint("Send {task, path} or {task, step_id} or {task, task_node_id}."));
    };
    let id = match args::id(wanted, "task", "INVALID_SUBTREE_TASK")? {
        Some(id) => Some(id),
        None => args::id(request, "task", "INVALID_SUBTREE_TASK")?,
    };
    let Some(id) = id else {
        return Err(fail("MISSING_SUBTREE_TASK", "subtree.task is required."));
    };
    let Some(Loaded { item, rev }) = run.load(id)? else {
        return Err(fail("SUBTREE_NOT_FOUND", format!("There is no {id}.")).result(json!({"task": id})));
    };
    let compact = flag(wanted, "compact", compact);
    let kind = text(wanted, "kind").unwrap_or("auto");
    if !["auto", "plan", "task", "step"].contains(&kind) {
        return Err(fail("INVALID_SUBTREE", format!("'{kind}' is not a kind of subtree."))
            .hint("Use step, task (a task node) or plan, or leave it out."));
    }
    if !STEP.given(wanted) && !NODE.given(wanted) {
        if kind == "plan" && item.is_plan() {
            let node = shape::item(&item, rev, compact);
            return Ok(json!({"kind": "plan", "path": "", "node": node, "task_id": item.id}));
        }
        return Err(fail("MISSING_SUBTREE_PATH", "subtree needs path, step_id or task_node_id."));
    }
    let leaf_is_node =
        text(wanted, "path").is_some_and(|p| p.rsplit('.').next().is_some_and(|l| l.starts_with("t:")));
    let node = kind != "plan" && (has(wanted, "task_node_id") || kind == "task" || leaf_is_node);
    let renamed = |e: Error| {
        let code = match e.code.as_str() {
            "INVALID_PATH" => "INVALID_SUBTREE_PATH",
            "INVALID_STEP_ID" => "INVALID_STEP_ID",
            "INVALID_TASK_NODE_ID" => "INVALID_TASK_NODE_ID",
            _ => "SUBTREE_NOT_FOUND",
        };
        let cause = shown(&e);
        fail(code, e.message)
            .result(json!({"task": id, "cause": cause["code"]}))
            .suggest(suggest::look_at(id))
    };
    if node {
        let path = NODE.resolve(wanted, &item).map_err(renamed)?;
        // Just resolved.
        let found = path.node(&item).expect("resolved node");
        let shown = shape::node(found, &path.to_string(), compact);
        return Ok(json!({"kind": "task", "path": path.to_string(), "node": shown, "task_id": item.id}));
    }
    let path = STEP.resolve(wanted, &item).map_err(renamed)?;
    // Just resolved.
    let found = path.step(&item).expect("resolved step");
    if kind == "plan" {
        let shown = shape::plan(&found.plan, &path.to_string(), compact);
        return Ok(json!({"kind": "plan", "path": path.to_string(), "node": shown, "task_id": item.id}));
    }
    let shown = shape::step(found, &path.to_string(), compact, true);
    Ok(json!({"kind": "step", "path": path.to_string(), "node": shown, "task_id": item.id}))
}
