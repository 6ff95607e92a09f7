//! How rows, indexes and log records lie in the file: table names and key and value encodings.

use crate::core::op::Stream;
use crate::core::{Error, Index, IndexEntry, Key, Op, Result, Row, row};

pub(super) const META: &str = "meta";
pub(super) const GRAVES: &str = "graves";
pub(super) const INDEX: &str = "index";
pub(super) const COUNTS: &str = "counts";
pub(super) const COUNTERS: &str = "counters";
pub(super) const BLOBS: &str = "blobs";
/// Parts of long blobs, by digest.
pub(super) const PIECES: &str = "blob_pieces";
pub(super) const IMAGES: &str = "op_images";
pub(super) const BY_REQUEST: &str = "ops_by_request";
pub(super) const HISTORY: &str = "history";
/// Sequence numbers of operations whose files are being written.
pub(super) const PENDING: &str = "ops_pending";

/// Digests of the audit stream by sequence number.
pub(super) const AUDIT_CHAIN: &str = "audit_chain";

/// How many entries of each table came and went.
pub(super) const TALLIES: &str = "tallies";

/// Every table of the store's own, besides those of the two streams.
pub(super) const ALL: [&str; 13] = [
    META,
    GRAVES,
    INDEX,
    COUNTS,
    COUNTERS,
    BLOBS,
    PIECES,
    IMAGES,
    BY_REQUEST,
    HISTORY,
    PENDING,
    AUDIT_CHAIN,
    TALLIES,
];

/// Format of a stored row; the first byte of its value.
const ROW_FORMAT: u8 = 1;

/// The tables of one stream.
pub(super) struct LogTables {
    pub records: &'static str,
    pub by_id: &'static str,
    pub by_scope: &'static str,
    pub by_target: &'static str,
}

pub(super) fn log_tables(stream: Stream) -> &'static LogTables {
    match stream {
        Stream::Ops => &LogTables {
            records: "ops",
            by_id: "ops_by_id",
            by_scope: "ops_by_scope",
            by_target: "ops_by_target",
        },
        Stream::Audit => &LogTables {
            records: "audit",
            by_id: "audit_by_id",
            by_scope: "audit_by_scope",
            by_target: "audit_by_target",
        },
    }
}

pub(super) fn encode_row(row: &Row) -> Vec<u8> {
    let mut out = Vec::with_capacity(17 + row.value.len());
    out.push(ROW_FORMAT);
    out.extend_from_slice(&row.rev.to_be_bytes());
    out.extend_from_slice(&row.seq.to_be_bytes());
    out.extend_from_slice(&row.value);
    out
}

pub(super) fn decode_row(bytes: &[u8]) -> std::result::Result<Row, String> {
    let (format, rest) = bytes.split_first().ok_or("it is empty")?;
    if *format != ROW_FORMAT {
        return Err(format!("its format is {format}, this packd knows {ROW_FORMAT}"));
    }
    let (rev, rest) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let (seq, value) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    Ok(Row { rev: u64::from_be_bytes(*rev), seq: u64::from_be_bytes(*seq), value: value.to_vec() })
}

/// A deleted row's last revision and the operation that deleted it.
pub(super) fn encode_grave(rev: u64, seq: u64) -> Vec<u8> {
    Key::empty().number(rev).number(seq).as_bytes().to_vec()
}

pub(super) fn decode_grave(bytes: &[u8]) -> Option<(u64, u64)> {
    let key = Key::from_bytes(bytes);
    let mut parts = key.parts();
    Some((parts.number()?, parts.number()?))
}

/// The group's length stands before it, so that no group is a prefix of another.
pub(super) fn group_key(index: Index, group: &Key) -> Key {
    Key::of(index.0).number(group.as_bytes().len() as u64).join(group)
}

pub(super) fn entry_key(entry: &IndexEntry) -> Key {
    group_key(entry.index, &entry.group).join(&entry.sort)
}

pub(super) fn encode_op(op: &Op) -> Result<Vec<u8>> {
    row::encode(op)
}

pub(super) fn decode_op(stream: Stream, seq: u64, bytes: &[u8]) -> Result<Op> {
    row::decode(bytes).map_err(|e| {
        Error::io(format!("Record {seq} of {} cannot be read: {e}.", log_tables(stream).records))
            .hint("Run `packd doctor`.")
    })
}

/// Entries of `history`: the live operations and the redo stack of one workspace and family ("" = all).
pub(super) fn history_key(workspace: &str, family: &str, stack: Stack) -> Key {
    Key::of(workspace).text(family).text(match stack {
        Stack::Live => "live",
        Stack::Redo => "redo",
    })
}

#[derive(Clone, Copy)]
pub(super) enum Stack {
    Live,
    Redo,
}
