//! What the fields of a pack and of its anchors are to its history.

use crate::core::shape::PLAIN;
use crate::core::{Field, Row, Shape, TableShape};

use super::anchors::anchor::{ANCHORS, Anchor};
use super::file;
use super::model::ContextPack;
use super::rows::PACKS;

static PACK: Shape = Shape(&[
    ("updated_at", Field::Ambient),
    ("tags", Field::Set),
    ("sections", Field::Keyed("key", &SECTION)),
]);

static SECTION: Shape =
    Shape(&[("refs", Field::Keyed("key", &PLAIN)), ("diagrams", Field::Keyed("key", &PLAIN))]);

/// When an anchor was made says nothing about what it saw.
static ANCHOR: Shape = Shape(&[("since", Field::Ambient)]);

pub static SHAPES: [TableShape; 2] = [
    TableShape::of::<ContextPack>(PACKS, &PACK).with_document(document),
    TableShape::of::<Anchor>(ANCHORS, &ANCHOR).aside(),
];

fn document(row: &Row) -> Option<String> {
    file::export(&ContextPack::decode(&row.value).ok()?, row.rev).ok()
}
