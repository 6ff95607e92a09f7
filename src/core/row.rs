//! A row as the store keeps it: content with a revision that only grows and the operation that wrote it.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Error, Key, Result};

/// A table of the store, named once as a constant by the family that owns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table(pub &'static str);

/// `rev` grows with every write of this key, for ever: deleting and bringing back does not reset it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub rev: u64,
    /// Sequence number of the operation that wrote it last.
    pub seq: u64,
    pub value: Vec<u8>,
    /// Its identities (see [`Marks`](super::change::Marks)), encoded; empty for a row that never had any.
    pub marks: Vec<u8>,
}

impl Row {
    pub fn image(&self) -> super::Image {
        super::Image { rev: self.rev, value: self.value.clone(), marks: self.marks.clone() }
    }

    /// Decodes the content; a row that cannot be read is an `io_error` naming its key, never a silent skip.
    pub fn decode<T: DeserializeOwned>(&self, table: Table, key: &Key) -> Result<T> {
        decode(&self.value).map_err(|e| unreadable(table, key, &e))
    }
}

/// Named msgpack: a map with field names, so that readers of another version keep working.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    rmp_serde::to_vec_named(value).map_err(|e| Error::internal(format!("Cannot encode a row: {e}.")))
}

pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> std::result::Result<T, String> {
    rmp_serde::from_slice(bytes).map_err(|e| e.to_string())
}

pub fn unreadable(table: Table, key: &Key, why: &str) -> Error {
    let shown = String::from_utf8_lossy(key.as_bytes()).replace('\0', "/");
    Error::io(format!("The row {shown} of table {} cannot be read: {why}.", table.0))
        .hint("The rest of the store keeps working; `packd doctor` lists every damaged row.")
}
