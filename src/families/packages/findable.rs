//! Installed packages as somebody finds them.

use serde_json::json;

use super::rows::{OWNED, Ownership};
use crate::core::findable::{Findable, Label, Searchable, ShownHit};
use crate::core::standing::NextCall;
use crate::core::{Ctx, Key, Row, Table, Timestamp};

pub const SEARCHABLE: Searchable = Searchable { label, seen };

fn seen(ctx: &Ctx) -> Findable {
    Findable { kind: "packages", table: OWNED, spaces: vec![ctx.session.workspace.clone()], shown }
}

/// Names of packages are unique; when one was installed its row does not say.
fn label(table: Table, key: &Key, _row: &Row) -> Option<Label> {
    let title = if table == OWNED { name_of(key)? } else { return None };
    Some(Label { title, born: Timestamp::default() })
}

/// Workspace and scope stand before it.
fn name_of(key: &Key) -> Option<String> {
    let mut parts = key.parts();
    parts.text()?;
    parts.text()?;
    parts.text()
}

fn shown(_ctx: &Ctx, key: &Key, row: &Row) -> Option<ShownHit> {
    let name = name_of(key)?;
    let owned: Ownership = row.decode(OWNED, key).ok()?;
    let call = NextCall::new("aam_info", json!({"package_name": name}));
    Some(ShownHit { title: format!("{name} {}", owned.version), call, id: name })
}
