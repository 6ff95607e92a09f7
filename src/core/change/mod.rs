//! Field changes: the unit of history. What an operation did to each row, field by field, with both sides.
//!
//! Computed once from whole rows ([`RowChange::between`]), carried out and taken back by [`apply`], which tells
//! apart what others did to the same row since. Knows shapes and bytes; knows no table and no family.

mod apply;
mod clash;
mod diff;
mod marks;
pub mod order;
pub mod path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use apply::apply;
pub use clash::{Clash, clashes, element_ids, part, row_clashes};
pub use diff::Seed;
pub use marks::{Lists, Mark, Marks, Uid};

use super::shape::TableShape;
use super::{Key, row};

/// A value as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed(#[serde(with = "super::key::bytes")] pub Vec<u8>);

impl Packed {
    /// For people and agents; what cannot be shown as JSON is shown as its size.
    pub fn json(&self) -> Value {
        row::decode(&self.0).unwrap_or_else(|_| serde_json::json!({"bytes": self.0.len()}))
    }
}

/// One field, or one element of a list, before and after; a missing side means that it was not there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FieldChange {
    /// Empty for a row that is one whole value.
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Packed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Packed>,
    /// Who the element is that came or went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Where it stood in a list that has no order of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// An element that stayed and has another place now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<(String, String)>,
    /// Marks inside of what went, where they do not follow from its uid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner: Option<Lists>,
}

/// A whole row with its identities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowContent {
    pub value: Packed,
    pub uid: Uid,
    /// `None` = what follows from the uid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lists: Option<Lists>,
}

impl RowContent {
    pub fn new(shape: &TableShape, value: &[u8], marks: &Marks) -> RowContent {
        let fresh = Marks::fresh(marks.uid, shape.shape, value);
        let lists = (fresh.lists != marks.lists).then(|| marks.lists.clone());
        RowContent { value: Packed(value.to_vec()), uid: marks.uid, lists }
    }

    pub fn marks(&self, shape: &TableShape) -> Marks {
        match &self.lists {
            Some(lists) => Marks { uid: self.uid, lists: lists.clone() },
            None => Marks::fresh(self.uid, shape.shape, &self.value.0),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Made(RowContent),
    Gone(RowContent),
    Edited(Vec<FieldChange>),
}

/// What an operation did to one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowChange {
    pub table: String,
    pub key: Key,
    /// Its revisions; 0 before it was made and after it was gone.
    pub from: u64,
    pub to: u64,
    pub what: What,
}

/// In which direction a change is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Back,
    Forth,
}

impl FieldChange {
    /// What is there before it is carried out this way, and what after.
    pub fn sides(&self, way: Way) -> (Option<&Packed>, Option<&Packed>) {
        match way {
            Way::Forth => (self.before.as_ref(), self.after.as_ref()),
            Way::Back => (self.after.as_ref(), self.before.as_ref()),
        }
    }
}

impl RowChange {
    /// Did this touch the field, something in it, or something it is in? What comes or goes touches all it has.
    pub fn touches(&self, shape: &TableShape, wanted: &str) -> bool {
        match &self.what {
            What::Edited(fields) => fields.iter().any(|f| {
                path::within(&f.path, wanted)
                    || (path::within(wanted, &f.path)
                        && (f.before.is_none() || f.after.is_none() || f.path.is_empty()))
            }),
            What::Made(content) | What::Gone(content) => {
                part(shape, &content.value.0, &content.marks(shape), wanted).is_some()
            }
        }
    }
}
