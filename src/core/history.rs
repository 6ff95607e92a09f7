//! Undo, redo and revert as pure functions: which operation is meant, and the changes that take it back.
//!
//! One mechanism serves every family. Undoing means setting each field back to what it was, as long as it
//! still is what the operation made of it; what others did to the same rows stays. A field that somebody
//! else changed since is a conflict that names it, both values and the operations, and nothing is touched.

use serde_json::{Value, json};

use super::change::{Clash, Marks, Packed, RowChange, Way, What, apply, clashes, row_clashes};
use super::op::Stream;
use super::run::Reversal;
use super::view::LogQuery;
use super::{
    Ctx, Draft, Effect, Error, Image, Key, Kind, Op, OpKind, OpStatus, Outcome, Record, Result, Row, Table,
    TableShape, View, row, two_logs,
};

/// Whose history is meant: a workspace, optionally one family or one target of it.
#[derive(Debug, Clone, Default)]
pub struct HistoryScope {
    pub workspace: String,
    pub family: Option<String>,
    pub target: Option<String>,
}

/// An operation together with the outcome that takes it back or brings it back.
pub struct HistoryStep {
    pub op: Op,
    pub outcome: Outcome,
}

/// Takes back the newest live reversible operation of the scope.
pub fn undo(ctx: &Ctx, scope: &HistoryScope, expected: Option<&str>) -> Result<HistoryStep> {
    let found = match &scope.target {
        None => two_logs::newest(ctx, &scope.workspace, |workspace| {
            ctx.view.log().newest_live(workspace, scope.family.as_deref())
        })?,
        Some(_) => newest(ctx, scope, |op| op.status == OpStatus::Done && op.next_in_line())?,
    };
    let op = found.ok_or_else(|| nothing("undo", scope))?;
    guard(&op, expected)?;
    let kind = OpKind::Undo(op.id.clone());
    let outcome = move_rows(ctx, &op, Way::Back, kind, format!("Undid: {}", op.summary))?;
    Ok(HistoryStep { op, outcome })
}

/// Brings back the operation that was undone last.
pub fn redo(ctx: &Ctx, scope: &HistoryScope, expected: Option<&str>) -> Result<HistoryStep> {
    let newest = two_logs::newest(ctx, &scope.workspace, |workspace| {
        ctx.view.log().newest_undone(workspace, scope.family.as_deref())
    })?;
    let in_scope = |op: &Op| scope.target.as_ref().is_none_or(|t| op.targets.contains(t));
    let op = newest.filter(in_scope).ok_or_else(|| nothing("redo", scope))?;
    guard(&op, expected)?;
    let kind = OpKind::Redo(op.id.clone());
    // Bringing several back is taking back what took them back.
    let way = if matches!(op.kind, OpKind::UndoAll(_)) { Way::Back } else { Way::Forth };
    let outcome = move_rows(ctx, &op, way, kind, format!("Redid: {}", op.summary))?;
    Ok(HistoryStep { op, outcome })
}

/// Takes back one named operation, however old, as an ordinary operation that can itself be undone.
pub fn revert(ctx: &Ctx, id: &str) -> Result<HistoryStep> {
    let op = find(ctx, id)?;
    if op.status == OpStatus::Undone {
        return Err(Error::new(Kind::State, "already_undone", format!("Operation {id} is already undone."))
            .hint("Use history_redo to bring it back."));
    }
    if op.stream == Stream::Audit || !matches!(op.kind, OpKind::Do | OpKind::Revert(_)) {
        return Err(Error::invalid("not_revertible", format!("{id} is not a change that can be reverted."))
            .hint("Revert the operation it refers to instead."));
    }
    if let Some(why) = &op.irreversible {
        return Err(irreversible(&op, why));
    }
    let kind = OpKind::Revert(op.id.clone());
    let outcome = move_rows(ctx, &op, Way::Back, kind, format!("Reverted: {}", op.summary))?;
    Ok(HistoryStep { op, outcome })
}

/// An operation of this workspace by its id.
pub fn find(ctx: &Ctx, id: &str) -> Result<Op> {
    let op = ctx.view.log().op(id)?.filter(|op| ctx.session.sees(&op.workspace));
    op.ok_or_else(|| {
        Error::not_found(format!("There is no operation {id} in this workspace."))
            .hint("history_list shows the ids.")
    })
}

fn newest(ctx: &Ctx, scope: &HistoryScope, wanted: impl Fn(&Op) -> bool) -> Result<Option<Op>> {
    let mut before = None;
    loop {
        let query = LogQuery {
            workspace: Some(scope.workspace.clone()),
            family: scope.family.clone(),
            target: scope.target.clone(),
            newest_first: true,
            include_undone: true,
            before,
            limit: 50,
            ..LogQuery::default()
        };
        let page = two_logs::ops(ctx, &query)?;
        before = page.ops.last().map(|op| op.seq);
        if let Some(op) = page.ops.into_iter().find(&wanted) {
            return Ok(Some(op));
        }
        if !page.has_more {
            return Ok(None);
        }
    }
}

fn guard(op: &Op, expected: Option<&str>) -> Result<()> {
    match expected {
        Some(id) if id != op.id && !op.aliases.iter().any(|a| a == id) => Err(Error::new(
            Kind::Conflict,
            "unexpected_operation",
            format!("The operation to act on is {} ({}), not {id}.", op.id, op.summary),
        )
        .hint("Look at history_list, then send the id you mean.")
        .details(json!({"operation_id": op.id, "summary": op.summary}))),
        _ => Ok(()),
    }
}

fn nothing(what: &str, scope: &HistoryScope) -> Error {
    let whose = match (&scope.target, &scope.family) {
        (Some(target), _) => format!(" on {target}"),
        (None, Some(family)) => format!(" in {family}"),
        _ => String::new(),
    };
    Error::new(Kind::State, format!("nothing_to_{what}"), format!("There is nothing to {what}{whose}."))
        .hint("history_list shows what happened and what can be taken back.")
}

fn irreversible(op: &Op, why: &str) -> Error {
    Error::new(Kind::State, "irreversible", format!("{} cannot be taken back: {why}", op.summary))
}

/// What a row becomes when a change is carried out or taken back, and what is in the way of that.
pub struct Turned {
    /// `None` = it goes.
    pub image: Option<Image>,
    pub clashes: Vec<Clash>,
}

/// Carries out or takes back what an operation did to one row, whatever else happened to the row since.
pub fn turned(shape: &TableShape, current: Option<&Row>, change: &RowChange, way: Way) -> Turned {
    let image = |value: Vec<u8>, marks: &Marks| Image {
        rev: 0,
        value,
        marks: if shape.is_declared() { row::encode(marks).unwrap_or_default() } else { Vec::new() },
    };
    let whole = |left: Option<&Packed>, now: Option<&Row>| Clash {
        path: String::new(),
        left: left.cloned(),
        now: now.map(|row| Packed(row.value.clone())),
    };
    match (&change.what, way, current) {
        (What::Made(left), Way::Back, Some(row)) | (What::Gone(left), Way::Forth, Some(row)) => {
            Turned { image: None, clashes: row_clashes(shape, &left.value.0, &row.value) }
        }
        (What::Made(left), Way::Back, None) | (What::Gone(left), Way::Forth, None) => {
            Turned { image: None, clashes: vec![whole(Some(&left.value), None)] }
        }
        (What::Made(there), Way::Forth, now) | (What::Gone(there), Way::Back, now) => Turned {
            image: Some(image(there.value.0.clone(), &there.marks(shape))),
            clashes: now.map(|row| whole(None, Some(row))).into_iter().collect(),
        },
        (What::Edited(fields), way, Some(row)) => {
            let marks = row.image().marks_or(shape, &change.key);
            let clashes = clashes(shape, &row.value, &marks, fields, way);
            let (value, marks) = apply(shape, &row.value, &marks, fields, way);
            Turned { image: Some(image(value, &marks)), clashes }
        }
        (What::Edited(fields), way, None) => {
            let clashes = fields.iter().map(|field| Clash {
                path: field.path.clone(),
                left: field.sides(way).0.cloned(),
                now: None,
            });
            Turned { image: None, clashes: clashes.collect() }
        }
    }
}

/// A field in the way, with the row it belongs to.
pub(super) struct InTheWay {
    table: Table,
    key: Key,
    clash: Clash,
}

/// Turns every row of an operation in a draft, on top of what was turned before; what is in the way is given back.
pub(super) fn turn_rows(draft: &mut Draft, changes: Vec<RowChange>, way: Way) -> Result<Vec<InTheWay>> {
    let mut blocking = Vec::new();
    for change in changes {
        let table = View::table(draft, &change.table)?;
        let current = View::row(draft, table, &change.key)?;
        let turned = turned(&View::shape(draft, table), current.as_ref(), &change, way);
        let in_the_way = |clash| InTheWay { table, key: change.key.clone(), clash };
        blocking.extend(turned.clashes.into_iter().map(in_the_way));
        match turned.image {
            Some(image) => draft.put_image(table, &change.key, image).map(|_| ())?,
            None => draft.delete(table, &change.key)?,
        }
    }
    Ok(blocking)
}

pub(super) fn dropped(op: &Op) -> Error {
    Error::new(
        Kind::State,
        "images_dropped",
        format!("{} is older than the kept history; its before-images are gone.", op.summary),
    )
    .hint("Retention is set in config.toml.")
}

/// The changes that carry an operation out again or take it back, field by field; what others did to the same rows
/// since stays.
fn move_rows(ctx: &Ctx, op: &Op, way: Way, kind: OpKind, summary: String) -> Result<Outcome> {
    let changes = ctx.view.log().changes(op)?.ok_or_else(|| dropped(op))?;
    let mut draft = ctx.draft();
    let blocking = turn_rows(&mut draft, changes, way)?;
    if !blocking.is_empty() {
        return Err(conflict(ctx, op, blocking)?);
    }
    let mut outcome = draft.into_outcome();
    outcome.kind = Some(kind);
    outcome.effects = match way {
        Way::Back => op.effects.iter().rev().map(Effect::inverse).collect(),
        Way::Forth => op.effects.clone(),
    };
    outcome.record = Record {
        summary,
        targets: op.targets.clone(),
        paths: op.paths.clone(),
        data: json!({"operation_id": op.id, "tool": op.tool}),
        file_by_file: op.file_by_file,
        ..Record::default()
    };
    if let Some(reversal) = Reversal::of(&op.data) {
        reverse(op, reversal, way, &mut outcome)?;
    }
    Ok(outcome)
}

/// Work that a run did outside the database is taken back, or brought back, by the steps it left for that.
fn reverse(op: &Op, reversal: Reversal, way: Way, outcome: &mut Outcome) -> Result<()> {
    let reversal = super::softened::soften(&op.id, reversal);
    let back: Vec<_> = reversal.guards.into_iter().chain(reversal.undo).collect();
    match (way, reversal.redo) {
        (Way::Forth, Some(steps)) => outcome.steps = steps,
        (Way::Forth, None) => {
            return Err(irreversible(op, "its work was done by a run. Call the tool again instead."));
        }
        (Way::Back, redo) => {
            outcome.steps = back.clone();
            match redo {
                Some(undo) => {
                    let again = Reversal { guards: Vec::new(), undo, redo: Some(back) };
                    outcome.record.data[Reversal::KEY] = json!(again);
                }
                None if matches!(outcome.kind, Some(OpKind::Revert(_))) => {
                    outcome.record.irreversible =
                        Some("Its work was done by a run. Call the tool again instead.".into());
                }
                None => {}
            }
        }
    }
    Ok(())
}

/// Names each field in the way with both values and the later operations that touched it.
pub(super) fn conflict(ctx: &Ctx, op: &Op, blocking: Vec<InTheWay>) -> Result<Error> {
    let (mut fields, mut ops): (Vec<Value>, Vec<Op>) = (Vec::new(), Vec::new());
    let total = blocking.len();
    for InTheWay { table, key, clash } in blocking.into_iter().take(SHOWN_FIELDS) {
        let touching = later(ctx, op, table, &key, &clash.path)?;
        let shown = |side: &Option<Packed>| side.as_ref().map_or(Value::Null, Packed::json);
        fields.push(json!({
            "path": clash.path, "left": shown(&clash.left), "now": shown(&clash.now),
            "operations": touching.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(),
        }));
        ops.extend(touching);
    }
    ops.sort_by_key(|o| o.seq);
    ops.dedup_by_key(|o| o.seq);
    let paths: Vec<&str> = fields.iter().map(|f| text(f, "path")).filter(|path| !path.is_empty()).collect();
    let what = match paths.len() {
        0 => String::new(),
        1..=3 => format!(" ({})", paths.join(", ")),
        more => format!(" ({} and {} more fields)", paths[..2].join(", "), more.max(total) - 2),
    };
    let names: Vec<_> = ops.iter().map(|o| format!("{} ({})", o.id, o.summary)).collect();
    let names =
        if names.is_empty() { "changed outside of any operation".to_string() } else { names.join("; ") };
    let in_the_way =
        |o: &Op| json!({"operation_id": o.id, "tool": o.tool, "client": o.who.client, "summary": o.summary});
    Ok(Error::new(
        Kind::Conflict,
        "undo_conflict",
        format!("Later changes are in the way of {}{what}: {names}.", op.id),
    )
    .hint("Undo those first, newest first, or leave things as they are. Nothing was changed.")
    .details(json!({
        "operation_id": op.id, "fields": fields,
        "in_the_way": ops.iter().map(in_the_way).collect::<Vec<_>>(),
    })))
}

/// Fields of a conflict that are named; the rest is counted.
const SHOWN_FIELDS: usize = 20;

/// The live operations after one that touched a field of a row; the whole row where the path is empty.
fn later(ctx: &Ctx, op: &Op, table: Table, key: &Key, path: &str) -> Result<Vec<Op>> {
    let log = ctx.view.log();
    let query = |field: Option<String>| LogQuery {
        row: Some((table, key.clone())),
        field,
        after: Some(op.seq),
        limit: 20,
        ..LogQuery::default()
    };
    let live = |o: &Op| matches!(o.kind, OpKind::Do | OpKind::Revert(_));
    let touched = log.ops(&query((!path.is_empty()).then(|| path.to_string())))?.ops;
    let found: Vec<Op> = touched.iter().filter(|o| live(o)).cloned().collect();
    // Where only an undo or a redo did it, that is the one to name.
    Ok(if found.is_empty() { touched } else { found })
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// What an undo or redo does to the rows, seen as a draft; lets a family check its own rules.
pub fn preview<'a>(view: &'a dyn View, outcome: &Outcome) -> Result<Draft<'a>> {
    Draft::with_changes(view, &outcome.changes)
}
