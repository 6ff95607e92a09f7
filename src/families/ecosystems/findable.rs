//! Installed ecosystems as somebody finds them: those whose root is around the tree that is worked in.

use std::path::Path;

use serde_json::json;

use super::rows::{ECOSYSTEMS, Installed};
use crate::core::findable::{Findable, Label, Searchable, ShownHit};
use crate::core::standing::NextCall;
use crate::core::{Ctx, Key, Row, Table, row};

pub const SEARCHABLE: Searchable = Searchable { label, seen };

fn seen(ctx: &Ctx) -> Findable {
    let around = Path::new(ctx.session.tree()).ancestors();
    let spaces = around.map(|root| root.display().to_string()).collect();
    Findable { kind: "ecosystems", table: ECOSYSTEMS, spaces, shown }
}

fn label(table: Table, key: &Key, row: &Row) -> Option<Label> {
    let installed: Installed = if table == ECOSYSTEMS { row::decode(&row.value).ok()? } else { return None };
    let mut parts = key.parts();
    parts.text()?;
    Some(Label { title: parts.text()?, born: installed.at })
}

fn shown(_ctx: &Ctx, key: &Key, row: &Row) -> Option<ShownHit> {
    let mut parts = key.parts();
    let (_, name) = (parts.text()?, parts.text()?);
    let installed: Installed = row.decode(ECOSYSTEMS, key).ok()?;
    let call = NextCall::new("amof_describe_ecosystem", json!({"ecosystem": name}));
    Some(ShownHit { title: format!("{name} ({} repositories)", installed.repos.len()), call, id: name })
}
