//! How rows, indexes and log records lie in the file: table names and key and value encodings.

use serde::{Deserialize, Serialize};

use crate::core::op::Stream;
use crate::core::{Error, Index, IndexEntry, Key, Op, OpStatus, Result, Row, RowChange, row};

pub(super) const META: &str = "meta";
/// In `meta`: the last version of the journal that the database has, and which slots are its own.
pub(super) const JOURNAL: &[u8] = b"journal";
pub(super) const JOURNAL_ID: &[u8] = b"journal_id";
pub(super) const GRAVES: &str = "graves";
pub(super) const INDEX: &str = "index";
pub(super) const COUNTS: &str = "counts";
pub(super) const COUNTERS: &str = "counters";
pub(super) const BLOBS: &str = "blobs";
/// Parts of long blobs, by digest.
pub(super) const PIECES: &str = "blob_pieces";
/// Every record of both streams, by stream and number. A record is never written again, except to drop its changes.
pub(super) const LOG: &str = "log";
/// What became of an operation since: only for those that are not simply done.
pub(super) const STANDING: &str = "log_standing";
/// What records are found by; see `found`.
pub(super) const FOUND: &str = "log_index";
/// Whole rows, by table, key and operation: one in so many changes of a row.
pub(super) const IMAGES: &str = "row_images";
pub(super) const HISTORY: &str = "history";
/// Sequence numbers of operations whose files are being written.
pub(super) const PENDING: &str = "ops_pending";

/// Digests of the audit stream by sequence number.
pub(super) const AUDIT_CHAIN: &str = "audit_chain";
/// How many entries of each table came and went.
pub(super) const TALLIES: &str = "tallies";
/// What rows and operations are found by; see `words`.
pub(super) const WORDS: &str = "word_index";

/// Every table of the store's own, besides those of older schemas.
pub(super) const ALL: [&str; 16] = [
    META,
    GRAVES,
    INDEX,
    COUNTS,
    COUNTERS,
    BLOBS,
    PIECES,
    LOG,
    STANDING,
    FOUND,
    IMAGES,
    HISTORY,
    PENDING,
    AUDIT_CHAIN,
    TALLIES,
    WORDS,
];

/// Formats of a stored row; the first byte of its value. The first has no identities.
const BARE_ROW: u8 = 1;
const MARKED_ROW: u8 = 2;
/// Format of a record; the first byte of its value.
const RECORD_FORMAT: u8 = 1;

/// A row with what only the store knows of it.
pub(super) struct StoredRow {
    pub row: Row,
    /// Changes since a whole image of it was kept.
    pub edits: u8,
}

pub(super) fn encode_row(row: &Row, edits: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(22 + row.marks.len() + row.value.len());
    out.push(MARKED_ROW);
    out.extend_from_slice(&row.rev.to_be_bytes());
    out.extend_from_slice(&row.seq.to_be_bytes());
    out.push(edits);
    out.extend_from_slice(&(row.marks.len() as u32).to_be_bytes());
    out.extend_from_slice(&row.marks);
    out.extend_from_slice(&row.value);
    out
}

pub(super) fn decode_row(bytes: &[u8]) -> std::result::Result<Row, String> {
    decode_stored(bytes).map(|stored| stored.row)
}

pub(super) fn decode_stored(bytes: &[u8]) -> std::result::Result<StoredRow, String> {
    let (format, rest) = bytes.split_first().ok_or("it is empty")?;
    if ![BARE_ROW, MARKED_ROW].contains(format) {
        return Err(format!("its format is {format}, this packd knows {MARKED_ROW}"));
    }
    let (rev, rest) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let (seq, rest) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let (edits, marks, value) = match *format {
        BARE_ROW => (0, &[][..], rest),
        _ => {
            let (edits, rest) = rest.split_first().ok_or("it is cut short")?;
            let (len, rest) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
            let len = u32::from_be_bytes(*len) as usize;
            let (marks, value) = rest.split_at_checked(len).ok_or("it is cut short")?;
            (*edits, marks, value)
        }
    };
    let row = Row {
        rev: u64::from_be_bytes(*rev),
        seq: u64::from_be_bytes(*seq),
        value: value.to_vec(),
        marks: marks.to_vec(),
    };
    Ok(StoredRow { row, edits })
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

/// The streams count apart, so the stream is part of the key: no two records share one.
pub(super) fn log_key(stream: Stream, seq: u64) -> [u8; 9] {
    let mut key = [0; 9];
    key[0] = stream as u8;
    key[1..].copy_from_slice(&seq.to_be_bytes());
    key
}

pub(super) fn decode_log_key(key: &[u8]) -> Option<(Stream, u64)> {
    let (stream, seq) = key.split_first()?;
    let stream = [Stream::Ops, Stream::Audit].into_iter().find(|s| *s as u8 == *stream)?;
    Some((stream, u64::from_be_bytes(seq.try_into().ok()?)))
}

/// A record as it is stored: its metadata, and behind it what it did to each row.
pub(super) fn encode_record(op: &Op, changes: Option<&[RowChange]>) -> Result<Vec<u8>> {
    let meta = row::encode(op)?;
    let changes = changes.map(row::encode).transpose()?.unwrap_or_default();
    Ok(join(&meta, &changes))
}

/// The two parts of a record put together.
pub(super) fn join(meta: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(5 + meta.len() + changes.len());
    out.push(RECORD_FORMAT);
    out.extend_from_slice(&(meta.len() as u32).to_be_bytes());
    out.extend_from_slice(meta);
    out.extend_from_slice(changes);
    out
}

/// The two parts of a record, the second empty where it was dropped.
pub(super) fn parts(bytes: &[u8]) -> std::result::Result<(&[u8], &[u8]), String> {
    let (format, rest) = bytes.split_first().ok_or("it is empty")?;
    if *format != RECORD_FORMAT {
        return Err(format!("its format is {format}, this packd knows {RECORD_FORMAT}"));
    }
    let (len, rest) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
    rest.split_at_checked(u32::from_be_bytes(*len) as usize).ok_or_else(|| "it is cut short".to_string())
}

pub(super) fn decode_op(stream: Stream, seq: u64, bytes: &[u8]) -> Result<Op> {
    parts(bytes).and_then(|(meta, _)| row::decode(meta)).map_err(|e| unreadable(stream, seq, &e))
}

/// `None` where they were dropped.
pub(super) fn decode_changes(stream: Stream, seq: u64, bytes: &[u8]) -> Result<Option<Vec<RowChange>>> {
    let decode = |changes: &[u8]| match changes.is_empty() {
        true => Ok(None),
        false => row::decode(changes).map(Some),
    };
    parts(bytes).and_then(|(_, changes)| decode(changes)).map_err(|e| unreadable(stream, seq, &e))
}

/// The record without its changes, and how many bytes that saves; `None` where there is nothing to drop.
pub(super) fn without_changes(bytes: &[u8]) -> Option<(Vec<u8>, u64)> {
    let (_, changes) = parts(bytes).ok()?;
    let kept = bytes.len() - changes.len();
    (!changes.is_empty()).then(|| (bytes[..kept].to_vec(), changes.len() as u64))
}

/// Bytes of a record that can be dropped.
pub(super) fn changes_size(bytes: &[u8]) -> u64 {
    parts(bytes).map_or(0, |(_, changes)| changes.len() as u64)
}

pub(super) fn unreadable(stream: Stream, seq: u64, why: &str) -> Error {
    let name = if stream == Stream::Ops { "operation" } else { "audit record" };
    Error::io(format!("The record of {name} {seq} cannot be read: {why}.")).hint("Run `packd doctor`.")
}

/// What became of an operation after it was recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OpStanding {
    pub status: OpStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
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
