//! What the lists and fields of a table's rows are to its history: what has an identity of its own, what is
//! compared as a whole, what follows from the rest.
//!
//! A field that a shape does not name is a whole value: it is set, and nothing below it has a path.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Row, Table, row};

/// The fields of one map that are more than whole values.
#[derive(Debug)]
pub struct Shape(pub &'static [(&'static str, Field)]);

#[derive(Debug, Clone, Copy)]
pub enum Field {
    /// A list of maps, each known by its own field of this name; their order matters.
    Keyed(&'static str, &'static Shape),
    /// A list of texts without repetition, each known by itself.
    Set,
    /// A list to whose end things are added; each element is known by the uid it was given then.
    Log,
    /// A map whose fields have paths of their own.
    Nested(&'static Shape),
    /// Follows from other fields: never in the way of anything, computed again by the family.
    Derived,
    /// Set by a person or by rules: brought back where it still is what the operation left, else left to the family.
    Settled,
    /// Tells of the last change itself, like its time: never in the way of anything.
    Ambient,
}

impl Field {
    /// May this field differ from what an operation left without being in the way of taking it back?
    pub fn yields(self) -> bool {
        matches!(self, Field::Derived | Field::Settled | Field::Ambient)
    }
}

impl Shape {
    pub fn field(&self, name: &str) -> Option<Field> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }
}

/// Nothing but whole values.
pub static PLAIN: Shape = Shape(&[]);

/// Reads a row and writes it again; `None` where it cannot be read.
type Normal = fn(&[u8]) -> Option<Vec<u8>>;

/// The shape of a table's rows, declared beside them.
#[derive(Debug, Clone, Copy)]
pub struct TableShape {
    pub table: Table,
    pub shape: &'static Shape,
    /// Writes a row the way its family does, so that equal content is equal bytes. `None` = as it is.
    normal: Option<Normal>,
    /// A row as the document its family makes of it, for looking at how it once was.
    document: Option<fn(&Row) -> Option<String>>,
    /// What packd notes for itself beside what somebody wrote: changed and taken back with it, but told only when asked.
    aside: bool,
}

impl TableShape {
    pub const fn of<T: Serialize + DeserializeOwned>(table: Table, shape: &'static Shape) -> TableShape {
        TableShape { table, shape, normal: Some(normal::<T>), document: None, aside: false }
    }

    /// For a table that declares none: its fields are whole values.
    pub const fn plain(table: Table) -> TableShape {
        TableShape { table, shape: &PLAIN, normal: None, document: None, aside: false }
    }

    pub const fn with_document(self, document: fn(&Row) -> Option<String>) -> TableShape {
        TableShape { document: Some(document), ..self }
    }

    pub const fn aside(self) -> TableShape {
        TableShape { aside: true, ..self }
    }

    pub fn is_aside(&self) -> bool {
        self.aside
    }

    pub fn has_document(&self) -> bool {
        self.document.is_some()
    }

    pub fn document(&self, row: &Row) -> Option<String> {
        self.document.and_then(|document| document(row))
    }

    pub fn normal(&self, value: Vec<u8>) -> Vec<u8> {
        self.normal.and_then(|normal| normal(&value)).unwrap_or(value)
    }

    /// Did the family say how it writes these rows?
    pub fn is_declared(&self) -> bool {
        self.normal.is_some()
    }
}

fn normal<T: Serialize + DeserializeOwned>(value: &[u8]) -> Option<Vec<u8>> {
    row::encode(&row::decode::<T>(value).ok()?).ok()
}
