//! Resources: plans and tasks (`task://TASK-001`) and captured evidence (`task-evidence://<sha>`).

use crate::core::resource::{Offers, Resource, ResourceContents, ResourcePage, ResourceTemplate};
use crate::core::{Ctx, IndexQuery, Look, Op, Result};

use super::evidence;
use super::model::{ItemKind, TaskItem};
use super::reply;
use super::rows::{self, BY_KIND, ITEMS};

const SCHEME: &str = "task://";

pub struct TaskOffers;

impl Offers for TaskOffers {
    /// Plans, then tasks; the cursor says how many of which kind came before.
    fn resources(&self, ctx: &Ctx, cursor: Option<&str>, limit: usize) -> Result<ResourcePage> {
        let workspace = &ctx.session.workspace;
        let (start, skip) = match cursor.and_then(|c| c.split_once(':')) {
            Some((kind, n)) => (ItemKind::parse(kind).unwrap_or(ItemKind::Plan), n.parse().unwrap_or(0)),
            None => (ItemKind::Plan, 0),
        };
        let mut out = Vec::new();
        let mut skip: usize = skip;
        for kind in [ItemKind::Plan, ItemKind::Task] {
            if start == ItemKind::Task && kind == ItemKind::Plan {
                continue;
            }
            let group = rows::group(workspace, &[kind.as_str()]);
            let want = (skip + limit + 1).saturating_sub(out.len());
            let found = rows::summaries(ctx.view, &IndexQuery::new(BY_KIND, group).limit(want))?;
            for (i, s) in found.iter().enumerate().skip(skip) {
                if out.len() == limit {
                    return Ok((out, Some(format!("{}:{i}", kind.as_str()))));
                }
                out.push(Resource {
                    uri: format!("{SCHEME}{}", s.id),
                    name: s.id.clone(),
                    title: Some(s.title.clone()),
                    description: Some(format!("{} {}, {} %", s.status.as_str(), s.kind.as_str(), s.progress)),
                    mime: "application/json",
                });
            }
            skip = 0;
        }
        Ok((out, None))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate {
                uri_template: "task://{id}",
                name: "task",
                description: "A plan or task with everything in it",
                mime: "application/json",
            },
            ResourceTemplate {
                uri_template: "task-evidence://{sha256}",
                name: "task-evidence",
                description: "An artifact captured as evidence",
                mime: "text/plain",
            },
        ]
    }

    fn read(&self, look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        let (view, workspace) = (look.view, &look.session.workspace);
        let found = if let Some(sha) = uri.strip_prefix(evidence::SCHEME) {
            let bytes = evidence::stored(view, workspace, sha)?;
            bytes.map(|b| (String::from_utf8_lossy(&b).into_owned(), "text/plain"))
        } else if let Some(id) = uri.strip_prefix(SCHEME) {
            let item = view.get::<TaskItem>(ITEMS, &rows::item_key(workspace, id))?;
            item.map(|(item, row)| {
                (serde_json::Value::Object(reply::full(&item, row.rev)).to_string(), "application/json")
            })
        } else {
            None
        };
        Ok(found.map(|(text, mime)| ResourceContents { uri: uri.to_string(), mime: mime.to_string(), text }))
    }

    fn changed(&self, op: &Op) -> Vec<String> {
        op.targets.iter().map(|id| format!("{SCHEME}{id}")).collect()
    }
}
