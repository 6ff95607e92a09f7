//! Rows as they were: rebuilt from what is there now, or from the next whole image, by taking changes back.

use std::collections::BTreeMap;

use super::change::{RowChange, Way, What};
use super::history::turned;
use super::op::Stream;
use super::view::LogQuery;
use super::{Error, Key, Kind, Op, Result, Row, Table, TableShape, View};

/// Operations read at a time.
const PAGE: usize = 64;

/// A row after an operation; `None` = it was not there.
///
/// An error of code `collected` says that what is needed for the answer is no longer kept.
pub fn row_after(view: &dyn View, table: Table, key: &Key, seq: u64) -> Result<Option<Row>> {
    let (from, mut row) = match view.log().image_from(table, key, seq)? {
        Some((at, image)) => (Some(at), Some(image)),
        None => (None, view.row(table, key)?),
    };
    let mut before = from.map(|at| at + 1);
    loop {
        let page = view.log().ops(&LogQuery {
            row: Some((table, key.clone())),
            newest_first: true,
            include_undone: true,
            after: Some(seq),
            before,
            limit: PAGE,
            ..LogQuery::default()
        })?;
        for op in &page.ops {
            row = before_op(view, table, key, op, row)?;
        }
        match page.ops.last().filter(|_| page.has_more) {
            Some(last) => before = Some(last.seq),
            None => return Ok(row),
        }
    }
}

/// A row before and after one operation; `None` where the operation did not touch it.
pub fn around(
    view: &dyn View,
    table: Table,
    key: &Key,
    op: &Op,
) -> Result<Option<(Option<Row>, Option<Row>)>> {
    if op.stream == Stream::Audit {
        return Ok(None);
    }
    let after = row_after(view, table, key, op.seq)?;
    let before = before_op(view, table, key, op, after.clone())?;
    Ok(Some((before, after)))
}

/// What a row was before an operation, given what it was after.
fn before_op(view: &dyn View, table: Table, key: &Key, op: &Op, after: Option<Row>) -> Result<Option<Row>> {
    let changes = view.log().changes(op)?.ok_or_else(|| collected(op))?;
    let own = changes.iter().filter(|change| change.table == table.0 && change.key == *key);
    Ok(own.fold(after, |row, change| back(view, table, change, row)))
}

fn back(view: &dyn View, table: Table, change: &RowChange, row: Option<Row>) -> Option<Row> {
    if matches!(change.what, What::Made(_)) {
        return None;
    }
    let image = turned(&view.shape(table), row.as_ref(), change, Way::Back).image?;
    Some(Row { rev: change.from, seq: 0, value: image.value, marks: image.marks })
}

/// What a row becomes by a change that is carried out on exactly what it was made for.
pub fn forth(shape: &TableShape, change: &RowChange, seq: u64, row: Option<&Row>) -> Option<Row> {
    let image = turned(shape, row, change, Way::Forth).image?;
    Some(Row { rev: change.to, seq, value: image.value, marks: image.marks })
}

/// Every row that the log makes of nothing, oldest operation first.
#[allow(dead_code, reason = "the truth that tests compare rows with")]
pub fn replay(view: &dyn View) -> Result<BTreeMap<(String, Key), Row>> {
    let mut rows = BTreeMap::new();
    let all = LogQuery { include_undone: true, limit: usize::MAX, ..LogQuery::default() };
    for op in view.log().ops(&all)?.ops {
        for change in view.log().changes(&op)?.ok_or_else(|| collected(&op))? {
            let shape = view.shape(view.table(&change.table)?);
            let place = (change.table.clone(), change.key.clone());
            match forth(&shape, &change, op.seq, rows.get(&place)) {
                Some(row) => drop(rows.insert(place, row)),
                None => drop(rows.remove(&place)),
            }
        }
    }
    Ok(rows)
}

fn collected(op: &Op) -> Error {
    Error::new(
        Kind::State,
        "collected",
        format!("What {} changed is no longer kept, so earlier states cannot be shown.", op.id),
    )
    .hint("Retention is set in config.toml.")
}
