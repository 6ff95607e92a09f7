//! What the fields of a plan or task are to its history.

use crate::core::{Field, Row, Shape, TableShape};

use super::file;
use super::model::TaskItem;
use super::rows::ITEMS;

static ITEM: Shape = Shape(&[
    ("status", Field::Settled),
    ("progress", Field::Derived),
    ("updated", Field::Ambient),
    ("tags", Field::Set),
    ("depends_on", Field::Set),
    ("contract_versions", Field::Log),
    ("history", Field::Log),
    ("events", Field::Log),
    ("attachments", Field::Log),
    ("steps", Field::Keyed("id", &STEP)),
]);

static STEP: Shape = Shape(&[
    ("progress_notes", Field::Log),
    ("verification_checks", Field::Log),
    ("attachments", Field::Log),
    ("plan", Field::Nested(&PLAN)),
]);

static PLAN: Shape = Shape(&[("attachments", Field::Log), ("tasks", Field::Keyed("id", &NODE))]);

static NODE: Shape =
    Shape(&[("status", Field::Settled), ("attachments", Field::Log), ("steps", Field::Keyed("id", &STEP))]);

pub static SHAPES: [TableShape; 1] = [TableShape::of::<TaskItem>(ITEMS, &ITEM).with_document(document)];

fn document(row: &Row) -> Option<String> {
    let item: TaskItem = crate::core::row::decode(&row.value).ok()?;
    file::encode(&item, row.rev).ok()
}
