//! Plans and tasks as somebody finds them.

use serde::Deserialize;
use serde_json::json;

use crate::core::findable::{Findable, Label, Searchable, ShownHit};
use crate::core::standing::NextCall;
use crate::core::{Ctx, Key, Row, Table, Timestamp, row};

use super::model::TaskItem;
use super::rows::ITEMS;

pub const SEARCHABLE: Searchable = Searchable { label, seen };

fn seen(ctx: &Ctx) -> Findable {
    Findable { kind: "tasks", table: ITEMS, spaces: vec![ctx.session.workspace.clone()], shown }
}

/// What is read of an item to label it.
#[derive(Deserialize)]
struct Head {
    id: String,
    title: String,
    #[serde(default)]
    created_at: Option<String>,
}

fn label(table: Table, _key: &Key, row: &Row) -> Option<Label> {
    let head: Head = if table == ITEMS { row::decode(&row.value).ok()? } else { return None };
    let born = head.created_at.and_then(|at| Timestamp::parse(&at).ok()).unwrap_or_default();
    Some(Label { title: format!("{} {}", head.id, head.title), born })
}

fn shown(ctx: &Ctx, key: &Key, row: &Row) -> Option<ShownHit> {
    let item: TaskItem = row.decode(ITEMS, key).ok()?;
    let resume = NextCall::new("tasks_resume", json!({item.kind.as_str(): item.id}));
    // A session with the daily tools only learns what was done to it.
    let call = resume.offered(ctx.session);
    let call = call.unwrap_or_else(|| NextCall::new("history_list", json!({"target": item.id})));
    Some(ShownHit { title: item.title, call, id: item.id })
}
