//! Reads a database file page by page without redb: which tables are sound, and what can be read of the others.
//!
//! Knows as much of redb's file format as plain tables of byte strings need: header, commit slots, the tree of
//! tables, branch and leaf pages and their checksums. Changes nothing, trusts nothing and never panics.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
const PAGE: u64 = 4096;
const HEADER: usize = 320;
const SLOTS: [usize; 2] = [64, 192];
const SLOT_SUM: usize = 112;
const LEAF: u8 = 1;
const BRANCH: u8 = 2;
const PLAIN_TABLE: u8 = 3;
/// Deeper than any tree of a file that fits on a disk.
const DEEPEST: usize = 32;

/// Where a tree begins, and the checksum its first page must have.
#[derive(Clone, Copy)]
struct Root {
    page: u64,
    sum: u128,
}

/// One table of the file.
#[derive(Clone, Copy)]
pub(super) struct TableTree {
    root: Option<Root>,
    /// How many entries it is said to have.
    pub length: u64,
}

/// What was found of one table.
#[derive(Default)]
pub(super) struct PageCount {
    /// Pages that are not what they should be.
    pub bad: u64,
    /// Entries of pages whose checksum is right.
    pub sound: u64,
}

/// An entry, and whether its page is what it was when it was written.
pub(super) struct PageEntry<'a> {
    pub key: &'a [u8],
    pub value: &'a [u8],
    pub sound: bool,
}

pub(super) struct Pages {
    file: File,
    length: u64,
    /// Bytes of a whole region, and of its own header.
    region: u64,
    region_header: u64,
    pub tables: BTreeMap<String, TableTree>,
    /// What is wrong with the file before any table is looked at.
    pub trouble: Option<String>,
}

impl Pages {
    /// The file and its header; no table is looked for yet.
    fn begin(path: &Path) -> io::Result<(Pages, [u8; HEADER])> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let number = |at: usize| u64::from(u32::from_le_bytes(chunk(&header, at).unwrap_or_default()));
        let (header_pages, data_pages) = (number(16), number(20));
        let usual = header[..9] == *MAGIC && number(12) == PAGE && (1..=1 << 20).contains(&data_pages);
        // The usual geometry of a file with pages of 4 KiB, where the header does not tell.
        let (header_pages, data_pages) = if usual { (header_pages, data_pages) } else { (64, 1 << 20) };
        let pages = Pages {
            file,
            length,
            region: (header_pages + data_pages) * PAGE,
            region_header: header_pages * PAGE,
            tables: BTreeMap::new(),
            trouble: (!usual).then(|| "its header is damaged".to_string()),
        };
        Ok((pages, header))
    }

    /// What the file says its schema is, from the few pages that say so; none where they cannot be trusted.
    pub fn schema(path: &Path) -> Option<u64> {
        let (pages, header) = Pages::begin(path).ok()?;
        let newest = usize::from(header[9] & 1 != 0);
        [newest, 1 - newest].into_iter().find_map(|number| {
            let (tables, bad) = pages.list(root_of(&header, number)?);
            let meta = tables.get(super::layout::META).filter(|_| bad == 0)?;
            let mut schema = None;
            let found = pages.walk(meta, &mut |entry| {
                if entry.key == b"schema" {
                    schema = Some(super::raw::decode_number(entry.value));
                }
            });
            schema.filter(|_| found.bad == 0)
        })
    }

    /// Finds the tables of the newest commit that is whole, or else of the one with the least damage.
    pub fn open(path: &Path) -> io::Result<Pages> {
        let (mut pages, header) = Pages::begin(path)?;
        let newest = usize::from(header[9] & 1 != 0);
        // After a crash redb itself goes back to the commit before; at any other time that loses the newest one.
        let torn = header[9] & 2 != 0 && header[9] & 4 == 0;
        // All bad pages, those of the list of tables, and the tables.
        let mut best: Option<(u64, u64, BTreeMap<String, TableTree>)> = None;
        for number in [newest, 1 - newest] {
            let Some(root) = root_of(&header, number) else { continue };
            let (tables, listed) = pages.list(root);
            let bad = listed + tables.values().map(|tree| pages.walk(tree, &mut |_| {}).bad).sum::<u64>();
            if best.as_ref().is_none_or(|(least, ..)| bad < *least) {
                if number != newest && !torn {
                    pages.trouble = Some("its newest commit is damaged".into());
                }
                best = Some((bad, listed, tables));
            }
            if bad == 0 {
                break;
            }
        }
        match best {
            Some((bad, listed, tables)) => {
                pages.tables = tables;
                if listed > 0 || bad > 0 && pages.list_is_short() {
                    pages.trouble.get_or_insert("the list of its tables is damaged".into());
                    for (name, tree) in pages.search() {
                        pages.tables.entry(name).or_insert(tree);
                    }
                }
            }
            None => {
                pages.trouble = Some("both of its commit records are damaged".into());
                pages.tables = pages.search();
            }
        }
        Ok(pages)
    }

    /// Every entry that can be read, in the order of the tree.
    pub fn walk(&self, tree: &TableTree, each: &mut dyn FnMut(PageEntry)) -> PageCount {
        let mut found = PageCount::default();
        if let Some(root) = tree.root {
            self.visit(root, 0, &mut HashSet::new(), &mut found, each);
        }
        found
    }

    /// Tables that every database has from its first operation on.
    fn list_is_short(&self) -> bool {
        let has = |name: &str| self.tables.contains_key(name);
        let log = has(super::layout::LOG) || has(super::older::records(crate::core::op::Stream::Ops));
        !(has(super::layout::META) && has(super::layout::HISTORY) && log)
    }

    /// The tables below a root, and how many pages of that tree are bad.
    fn list(&self, root: Option<Root>) -> (BTreeMap<String, TableTree>, u64) {
        let mut tables = BTreeMap::new();
        let found = self.walk(&TableTree { root, length: 0 }, &mut |entry| {
            if let Some((name, tree)) = table_of(&entry) {
                tables.insert(name, tree);
            }
        });
        (tables, found.bad)
    }

    /// Without a root: every page that reads like a list of tables, and of each table the longest whose first page
    /// is right.
    fn search(&self) -> BTreeMap<String, TableTree> {
        let mut tables: BTreeMap<String, TableTree> = BTreeMap::new();
        for at in (PAGE + self.region_header..self.length).step_by(PAGE as usize) {
            let mut page = vec![0; PAGE as usize];
            if self.file.read_exact_at(&mut page, at).is_err() || page[0] != LEAF {
                continue;
            }
            for (key, value) in leaf(&page).map(|(entries, _)| entries).unwrap_or_default() {
                let Some((name, tree)) = table_of(&PageEntry { key, value, sound: true }) else { continue };
                let right = tree.root.is_some_and(|root| self.read(root).is_some_and(|(_, sound)| sound));
                if right && tables.get(&name).is_none_or(|known| known.length < tree.length) {
                    tables.insert(name, tree);
                }
            }
        }
        tables
    }

    fn visit(
        &self,
        root: Root,
        depth: usize,
        seen: &mut HashSet<u64>,
        found: &mut PageCount,
        each: &mut dyn FnMut(PageEntry),
    ) {
        let read = (depth < DEEPEST && seen.insert(root.page)).then(|| self.read(root)).flatten();
        let Some((page, sound)) = read else {
            found.bad += 1;
            return;
        };
        found.bad += u64::from(!sound);
        if page[0] == BRANCH {
            // Each child is checked by itself, so a branch that is partly right still leads to what is.
            for child in children(&page) {
                self.visit(child, depth + 1, seen, found, each);
            }
            return;
        }
        for (key, value) in leaf(&page).map(|(entries, _)| entries).unwrap_or_default() {
            found.sound += u64::from(sound);
            each(PageEntry { key, value, sound });
        }
    }

    /// The bytes of a page, and whether they are what they should be; `None` if it is no page at all.
    fn read(&self, root: Root) -> Option<(Vec<u8>, bool)> {
        let order = root.page >> 59;
        if order > 20 {
            return None;
        }
        let (index, region) = (root.page & (0xF_FFFF >> order), (root.page >> 20) & 0xF_FFFF);
        let size = PAGE << order;
        let at = PAGE + region * self.region + self.region_header + index * size;
        if at + size > self.length {
            return None;
        }
        let mut page = vec![0; usize::try_from(size).ok()?];
        self.file.read_exact_at(&mut page, at).ok()?;
        let end = match page[0] {
            LEAF => leaf(&page).map(|(_, end)| end),
            BRANCH => branch_end(&page),
            _ => return None,
        };
        let sound = end.is_some_and(|end| page.get(..end).is_some_and(|bytes| xxh3_128(bytes) == root.sum));
        Some((page, sound))
    }
}

/// Where the tables of a commit are listed, none in an empty file; nothing at all if its record is not right.
#[expect(clippy::option_option, reason = "a commit without tables is a commit")]
fn root_of(header: &[u8], number: usize) -> Option<Option<Root>> {
    let slot = header.get(SLOTS[number]..SLOTS[number] + 128)?;
    let right = chunk(slot, SLOT_SUM).map(u128::from_le_bytes) == Some(xxh3_128(&slot[..SLOT_SUM]));
    right.then(|| if slot[1] != 0 { root_at(slot, 8) } else { None })
}

fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    chunk(bytes, at).map(|b| usize::from(u16::from_le_bytes(b)))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    chunk(bytes, at).map(|b| u32::from_le_bytes(b) as usize)
}

fn root_at(bytes: &[u8], at: usize) -> Option<Root> {
    let page = u64::from_le_bytes(chunk(bytes, at)?);
    Some(Root { page, sum: u128::from_le_bytes(chunk(bytes, at + 8)?) })
}

/// The entries of a leaf with keys and values of any length, and where they end.
#[expect(clippy::type_complexity, reason = "keys with values, and an offset")]
fn leaf(page: &[u8]) -> Option<(Vec<(&[u8], &[u8])>, usize)> {
    let n = short(page, 2).filter(|n| *n > 0)?;
    let key_end = |i: usize| long(page, 4 + 4 * i);
    let value_end = |i: usize| long(page, 4 + 4 * n + 4 * i);
    let (mut key, mut value) = (4 + 8 * n, key_end(n - 1)?);
    let mut entries = Vec::new();
    for i in 0..n {
        let (k, v) = (key_end(i)?, value_end(i)?);
        // Where offsets make no sense, those around them may still do.
        if let (Some(bytes), Some(content)) = (page.get(key..k), page.get(value..v)) {
            entries.push((bytes, content));
        }
        (key, value) = (k, v);
    }
    Some((entries, value_end(n - 1)?))
}

fn branch_end(page: &[u8]) -> Option<usize> {
    let n = short(page, 2).filter(|n| *n > 0)?;
    long(page, 8 + 24 * (n + 1) + 4 * (n - 1))
}

fn children(page: &[u8]) -> Vec<Root> {
    let n = short(page, 2).unwrap_or(0) + 1;
    let child = |i: usize| {
        let sum = u128::from_le_bytes(chunk(page, 8 + 16 * i)?);
        Some(Root { page: u64::from_le_bytes(chunk(page, 8 + 16 * n + 8 * i)?), sum })
    };
    (0..n).map_while(child).collect()
}

/// A definition in the list of tables, if it is one of a plain table of byte strings.
fn table_of(entry: &PageEntry) -> Option<(String, TableTree)> {
    let name = String::from_utf8(entry.key.to_vec()).ok()?;
    let value = entry.value;
    let known = name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b.is_ascii_digit());
    // Type, length, root present, root (32 bytes), then: keys have no fixed size, values neither.
    let plain = *value.first()? == PLAIN_TABLE && *value.get(42)? == 0 && *value.get(47)? == 0;
    let length = u64::from_le_bytes(chunk(value, 1)?);
    let root = if *value.get(9)? != 0 { root_at(value, 10) } else { None };
    (known && plain && !name.is_empty()).then_some((name, TableTree { root, length }))
}
