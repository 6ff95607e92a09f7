//! Content by address. Long content is kept in pieces cut at lines, so that versions of a list which differ
//! in one entry share all the rest.

use super::layout::{BLOBS, PIECES};
use super::raw::{Raw, RawWrite};
use crate::core::{Error, Result, Sha};

/// Begins a value that lists pieces. Content that begins so itself is always kept in pieces.
const LISTED: &[u8] = b"\0packd pieces\0";
/// Up to here content is kept whole.
const WHOLE: usize = 8 * 1024;
const LEAST: usize = 1024;
const MOST: usize = 16 * 1024;

pub(super) fn put(txn: &impl RawWrite, sha: &Sha, bytes: &[u8]) -> Result<()> {
    if txn.has(BLOBS, sha.as_str().as_bytes())? {
        return Ok(());
    }
    if bytes.len() <= WHOLE && !bytes.starts_with(LISTED) {
        return add(txn, BLOBS, sha.as_str().as_bytes(), bytes);
    }
    let mut list = LISTED.to_vec();
    for piece in pieces(bytes) {
        let key = key_of(piece)?;
        if !txn.has(PIECES, &key)? {
            add(txn, PIECES, &key, piece)?;
        }
        list.extend_from_slice(&key);
    }
    add(txn, BLOBS, sha.as_str().as_bytes(), &list)
}

fn add(txn: &impl RawWrite, table: &str, key: &[u8], value: &[u8]) -> Result<()> {
    txn.put(table, key, value)?;
    super::tally::note(txn, table, None, Some(value))
}

pub(super) fn get(raw: &impl Raw, sha: &Sha) -> Result<Option<Vec<u8>>> {
    let Some(value) = raw.get(BLOBS, sha.as_str().as_bytes())? else { return Ok(None) };
    if !value.starts_with(LISTED) {
        return Ok(Some(value));
    }
    let mut out = Vec::new();
    for key in listed(&value) {
        let piece = raw.get(PIECES, key)?;
        out.extend(
            piece.ok_or_else(|| {
                Error::io(format!("A piece of the content {sha} is missing from the store."))
            })?,
        );
    }
    Ok(Some(out))
}

/// The keys of the pieces that a stored value consists of; none for content kept whole.
pub(super) fn listed(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.strip_prefix(LISTED).unwrap_or_default().chunks(32)
}

fn key_of(piece: &[u8]) -> Result<Vec<u8>> {
    let hex = Sha::of(piece);
    data_encoding::HEXLOWER
        .decode(hex.as_str().as_bytes())
        .map_err(|e| Error::internal(format!("A digest is not hex: {e}.")))
}

/// Cuts after lines that look a certain way, so that the cuts move along with the text around them.
fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let mut out = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        at += line.len();
        while at - start > MOST {
            out.push(&bytes[start..start + MOST]);
            start += MOST;
        }
        if at - start >= LEAST && marks(line) {
            out.push(&bytes[start..at]);
            start = at;
        }
    }
    if start < bytes.len() {
        out.push(&bytes[start..]);
    }
    out
}

/// One line in eight, by content alone (FNV-1a).
fn marks(line: &[u8]) -> bool {
    let hash =
        line.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) & 7 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_whole_and_an_edit_changes_few() {
        let text: String = (0..3000).map(|n| format!("line {n} {}\n", n * 7919 % 1013)).collect();
        let edited = text.replacen("line 1500", "line one thousand five hundred", 1);
        let (a, b) = (pieces(text.as_bytes()), pieces(edited.as_bytes()));
        assert_eq!(a.concat(), text.as_bytes());
        let new: usize = b.iter().filter(|p| !a.contains(p)).map(|p| p.len()).sum();
        assert!(new < 2 * MOST, "{new} bytes are new");
        assert!(a.iter().all(|p| p.len() <= MOST));
        let binary = vec![7u8; 100_000];
        assert_eq!(pieces(&binary).concat(), binary);
    }
}
