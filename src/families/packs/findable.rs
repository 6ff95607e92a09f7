//! Packs as somebody finds them.

use serde::Deserialize;
use serde_json::json;

use super::model::ContextPack;
use super::rows::{PACKS, space_of};
use crate::core::findable::{Findable, Label, Searchable, ShownHit};
use crate::core::standing::NextCall;
use crate::core::{Ctx, Key, Row, Table, Timestamp, row};

pub const SEARCHABLE: Searchable = Searchable { label, seen };

fn seen(ctx: &Ctx) -> Findable {
    Findable { kind: "packs", table: PACKS, spaces: vec![space_of(ctx.session)], shown }
}

/// What is read of a pack to label it.
#[derive(Deserialize)]
struct Head {
    id: String,
    name: Option<String>,
    title: Option<String>,
    created_at: Timestamp,
}

fn label(table: Table, _key: &Key, row: &Row) -> Option<Label> {
    let head: Head = if table == PACKS { row::decode(&row.value).ok()? } else { return None };
    let title = [Some(head.id), head.name, head.title].into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(Label { title, born: head.created_at })
}

fn shown(ctx: &Ctx, key: &Key, row: &Row) -> Option<ShownHit> {
    let pack: ContextPack = row.decode(PACKS, key).ok()?;
    if pack.expired(ctx.now) {
        return None;
    }
    let title = pack.title.or(pack.name).unwrap_or_else(|| pack.id.clone());
    Some(ShownHit { title, call: NextCall::new("output", json!({"id": pack.id})), id: pack.id })
}
