//! The bytes of the journal: the header of a slot, and one record per batch.
//!
//! A record is right only under the epoch and the database it was written for: its checksum is seeded with both. It
//! begins at a page and its checksum stands in its last page, so that no page is written twice in one epoch and no
//! record is right before its last page is there.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a disk or a file system may write at once without being asked.
pub(super) const PAGE: usize = 4096;
const MAGIC: &[u8; 8] = b"packdjn2";
const HEADER: usize = 48;
/// Length and version before the entries.
const HEAD: usize = 12;
const SUM: usize = 8;
const PUT: u8 = 1;
const REMOVE: u8 = 2;

/// Which database a slot belongs to; made at random with the database.
pub(super) type DatabaseId = [u8; 16];

/// The beginning of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub id: DatabaseId,
    /// Rises with each new beginning.
    pub epoch: u64,
    /// Random, so that what an earlier life of the slot left behind never fits.
    pub salt: u64,
    /// The first version of this epoch. Records of earlier epochs from here on were never acknowledged.
    pub first: u64,
}

impl Header {
    /// One page.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(PAGE);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&self.id);
        for number in [self.epoch, self.salt, self.first] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let sum = xxh3_64_with_seed(&out, 0);
        out.extend_from_slice(&sum.to_le_bytes());
        out.resize(PAGE, 0);
        out
    }

    pub fn decode(bytes: &[u8]) -> Option<Header> {
        let body = bytes.get(..HEADER)?;
        let sum = u64::from_le_bytes(*bytes.get(HEADER..)?.first_chunk()?);
        if !body.starts_with(MAGIC) || xxh3_64_with_seed(body, 0) != sum {
            return None;
        }
        let id = *body[8..].first_chunk()?;
        let number = |at: usize| body[at..].first_chunk().map(|b| u64::from_le_bytes(*b));
        Some(Header { id, epoch: number(24)?, salt: number(32)?, first: number(40)? })
    }

    /// Two numbers and the id in one: what every checksum of this epoch begins with.
    pub fn seed(&self) -> u64 {
        xxh3_64_with_seed(&self.id, self.epoch ^ self.salt.rotate_left(32)) ^ self.salt
    }
}

/// The entries of one batch in the order in which they were written.
#[derive(Debug, Default, Clone)]
pub(super) struct JournalEntries {
    bytes: Vec<u8>,
    unfit: bool,
}

/// One entry; without a value it was removed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JournalEntry<'a> {
    pub table: &'a str,
    pub key: &'a [u8],
    pub value: Option<&'a [u8]>,
}

impl JournalEntries {
    pub fn push(&mut self, table: &str, key: &[u8], value: Option<&[u8]>) {
        let (Ok(name), Ok(length)) = (u8::try_from(table.len()), u32::try_from(key.len())) else {
            self.unfit = true;
            return;
        };
        self.bytes.push(if value.is_some() { PUT } else { REMOVE });
        self.bytes.push(name);
        self.bytes.extend_from_slice(table.as_bytes());
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(key);
        if let Some(value) = value {
            let Ok(length) = u32::try_from(value.len()) else {
                self.unfit = true;
                return;
            };
            self.bytes.extend_from_slice(&length.to_le_bytes());
            self.bytes.extend_from_slice(value);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.unfit
    }

    /// The record of this version, padded to whole pages; none if it is longer than a record can be.
    pub fn record(&self, seed: u64, version: u64) -> Option<Vec<u8>> {
        let length = u32::try_from(self.bytes.len()).ok().filter(|_| !self.unfit)?;
        let whole = (HEAD + self.bytes.len() + SUM).next_multiple_of(PAGE);
        let mut out = Vec::with_capacity(whole);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&version.to_le_bytes());
        out.extend_from_slice(&self.bytes);
        let sum = xxh3_64_with_seed(&out, seed);
        // The checksum ends with the last page, so that a record without that page is never right.
        out.resize(whole - SUM, 0);
        out.extend_from_slice(&sum.to_le_bytes());
        Some(out)
    }
}

/// A record as it was found.
#[derive(Debug)]
pub(super) struct FoundRecord<'a> {
    pub version: u64,
    entries: &'a [u8],
    /// Where the next one begins.
    pub end: usize,
}

/// The record at this place, if there is a right one.
pub(super) fn record_at(slot: &[u8], at: usize, seed: u64) -> Option<FoundRecord<'_>> {
    let bytes = slot.get(at..)?;
    let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
    let version = u64::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
    let whole = (HEAD + length + SUM).next_multiple_of(PAGE);
    let body = bytes.get(..HEAD + length)?;
    let sum = u64::from_le_bytes(*bytes.get(whole - SUM..whole)?.first_chunk()?);
    (xxh3_64_with_seed(body, seed) == sum).then(|| FoundRecord {
        version,
        entries: &body[HEAD..],
        end: at + whole,
    })
}

impl<'a> FoundRecord<'a> {
    /// Each entry in order; none where the bytes are not entries, which a right checksum rules out.
    pub fn entries(&self) -> Option<Vec<JournalEntry<'a>>> {
        let mut rest = self.entries;
        let mut out = Vec::new();
        while !rest.is_empty() {
            let kind = take(&mut rest, 1)?[0];
            let name = usize::from(take(&mut rest, 1)?[0]);
            let table = std::str::from_utf8(take(&mut rest, name)?).ok()?;
            let key = long(&mut rest)?;
            let value = match kind {
                PUT => Some(long(&mut rest)?),
                REMOVE => None,
                _ => return None,
            };
            out.push(JournalEntry { table, key, value });
        }
        Some(out)
    }
}

fn take<'a>(rest: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(n)?;
    *rest = left;
    Some(taken)
}

fn long<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(*take(rest, 4)?.first_chunk()?);
    take(rest, length as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_OF: Header = Header { id: [7; 16], epoch: 3, salt: 99, first: 12 };

    fn sample() -> Vec<u8> {
        let mut entries = JournalEntries::default();
        entries.push("packs", b"key", Some(b"a value"));
        entries.push("graves", b"other", None);
        entries.push("packs", b"empty", Some(b""));
        entries.record(HEADER_OF.seed(), 12).unwrap()
    }

    #[test]
    fn a_header_and_a_record_come_back_as_they_were() {
        assert_eq!(Header::decode(&HEADER_OF.encode()), Some(HEADER_OF));
        let bytes = sample();
        assert_eq!(bytes.len(), PAGE);
        let found = record_at(&bytes, 0, HEADER_OF.seed()).unwrap();
        assert_eq!((found.version, found.end), (12, PAGE));
        let entries = found.entries().unwrap();
        assert_eq!(entries[0], JournalEntry { table: "packs", key: b"key", value: Some(b"a value") });
        assert_eq!(entries[1], JournalEntry { table: "graves", key: b"other", value: None });
        assert_eq!(entries[2].value, Some(&b""[..]));
    }

    #[test]
    fn another_epoch_salt_or_database_makes_it_wrong() {
        let bytes = sample();
        for other in [
            Header { epoch: 4, ..HEADER_OF },
            Header { salt: 98, ..HEADER_OF },
            Header { id: [8; 16], ..HEADER_OF },
        ] {
            assert!(record_at(&bytes, 0, other.seed()).is_none());
        }
    }

    #[test]
    fn no_flipped_byte_of_a_header_or_of_the_used_part_of_a_record_passes() {
        let header = HEADER_OF.encode();
        for at in 0..HEADER + 8 {
            let mut bytes = header.clone();
            bytes[at] ^= 0x20;
            assert_eq!(Header::decode(&bytes), None, "byte {at}");
        }
        let record = sample();
        let used = HEAD + u32::from_le_bytes(*record.first_chunk().unwrap()) as usize;
        for at in (0..used).chain(PAGE - SUM..PAGE) {
            let mut bytes = record.clone();
            bytes[at] ^= 0x01;
            assert!(record_at(&bytes, 0, HEADER_OF.seed()).is_none(), "byte {at}");
        }
    }

    #[test]
    fn garbage_is_no_record_and_no_panic() {
        for n in 0..2000usize {
            let bytes: Vec<u8> = (0..n % 300).map(|i| (i * 31 + n * 17) as u8).collect();
            assert!(record_at(&bytes, 0, 5).is_none());
            assert_eq!(Header::decode(&bytes), None);
        }
    }
}
