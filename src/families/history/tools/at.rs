//! `history_show` with `at`: a pack or a task as it was after any operation, rebuilt from the log.

use serde::Serialize;

use super::super::reply::{FollowingCall, ROOM};
use crate::core::view::LogQuery;
use crate::core::{Ctx, Error, Key, Kind, Op, OpStatus, Outcome, Reply, Result, Table, past};

/// Operations looked at to find out which row a name means.
const LOOK_BACK: usize = 50;

#[derive(Serialize)]
struct AtReply<'a> {
    operation_id: &'a str,
    time: String,
    target: &'a str,
    revision: u64,
    undone: bool,
    text: String,
    /// Characters after these.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<FollowingCall>,
}

pub fn show(ctx: &Ctx, op: &Op, target: Option<&str>, offset: usize) -> Result<Outcome> {
    let (target, table, key) = match target {
        Some(target) => {
            let (table, key) = row_of(ctx, op, target)?;
            (target.to_string(), table, key)
        }
        None => own(ctx, op)?,
    };
    let row = past::row_after(ctx.view, table, &key, op.seq)?;
    let Some(row) = row else { return Err(missing(ctx, op, &target, table, &key)?) };
    let text = ctx.view.shape(table).document(&row).ok_or_else(|| {
        Error::io(format!("{target} cannot be shown as it was after {}.", op.id)).hint("Run `packd doctor`.")
    })?;
    let all = text.chars().count();
    let room = if ctx.session.is_cli() { usize::MAX } else { ROOM / 2 };
    let text: String = text.chars().skip(offset).take(room).collect();
    let shown = offset.saturating_add(text.chars().count());
    let more = shown < all && !text.is_empty();
    Ok(Outcome::reply(Reply::of(&AtReply {
        operation_id: &op.id,
        time: op.time.zulu(),
        target: &target,
        revision: row.rev,
        undone: op.status == OpStatus::Undone,
        text,
        left: more.then(|| all - shown),
        next: more.then(|| FollowingCall::again(ctx, "offset", shown)),
    })))
}

/// The one thing an operation was about.
fn own(ctx: &Ctx, op: &Op) -> Result<(String, Table, Key)> {
    for target in &op.targets {
        if let Some((table, key)) = touched(ctx, op, target)? {
            return Ok((target.clone(), table, key));
        }
    }
    Err(Error::invalid("no_document", format!("{} is not about a pack or a task.", op.id))
        .hint("Name one with 'target', for example a pack id or TASK-001."))
}

/// The row of this name: the newest operation on it knows.
fn row_of(ctx: &Ctx, op: &Op, target: &str) -> Result<(Table, Key)> {
    if let Some(found) = touched(ctx, op, target)? {
        return Ok(found);
    }
    let page = ctx.view.log().ops(&LogQuery {
        workspace: Some(op.workspace.clone()),
        target: Some(target.to_string()),
        newest_first: true,
        include_undone: true,
        limit: LOOK_BACK,
        ..LogQuery::default()
    })?;
    for other in &page.ops {
        if let Some(found) = touched(ctx, other, target)? {
            return Ok(found);
        }
    }
    Err(Error::not_found(format!("No operation of this workspace made or changed a {target}."))
        .hint("history_list shows what operations are about, as targets."))
}

/// The row that an operation changed and that has this name as the last part of its key.
fn touched(ctx: &Ctx, op: &Op, target: &str) -> Result<Option<(Table, Key)>> {
    for change in ctx.view.log().changes(op)?.unwrap_or_default() {
        let table = ctx.view.table(&change.table)?;
        let mut parts = change.key.parts();
        let named =
            parts.text().is_some() && parts.text().as_deref() == Some(target) && parts.text().is_none();
        if named && ctx.view.shape(table).has_document() {
            return Ok(Some((table, change.key)));
        }
    }
    Ok(None)
}

/// Not yet made, or gone by then.
fn missing(ctx: &Ctx, op: &Op, target: &str, table: Table, key: &Key) -> Result<Error> {
    let earlier = ctx.view.log().ops(&LogQuery {
        row: Some((table, key.clone())),
        newest_first: true,
        include_undone: true,
        before: Some(op.seq + 1),
        limit: 1,
        ..LogQuery::default()
    })?;
    Ok(match earlier.ops.first() {
        None => {
            Error::new(Kind::State, "not_yet_made", format!("{target} was not made yet after {}.", op.id))
                .hint("Choose a later operation; history_list with this target shows them.")
        }
        Some(last) => Error::new(
            Kind::State,
            "already_gone",
            format!("{target} was gone after {}: {} ({}) took it away.", op.id, last.id, last.summary),
        )
        .hint("Choose an earlier operation; history_list with this target shows them."),
    })
}
