//! Git's objects as bytes: what a tree and a commit consist of, and the file a loose object is. Pure.

use std::io::Write;

use crate::core::{Error, Result};

/// One line of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// In octal, without leading zeros.
    pub mode: String,
    pub name: Vec<u8>,
    /// In hexadecimal.
    pub id: String,
}

impl TreeEntry {
    pub fn is_dir(&self) -> bool {
        self.mode == "40000"
    }

    /// Git sorts a directory as if its name ended in a slash.
    fn order(&self) -> Vec<u8> {
        let mut key = self.name.clone();
        if self.is_dir() {
            key.push(b'/');
        }
        key
    }
}

/// The lines of `ls-tree -z`: mode, kind and id, a tab, the name.
pub fn parse_tree(listed: &[u8]) -> Vec<TreeEntry> {
    let entry = |line: &[u8]| {
        let tab = line.iter().position(|b| *b == b'\t')?;
        let meta = std::str::from_utf8(&line[..tab]).ok()?;
        let mut parts = meta.split(' ');
        let mode = parts.next()?.trim_start_matches('0').to_string();
        Some(TreeEntry { mode, id: parts.nth(1)?.to_string(), name: line[tab + 1..].to_vec() })
    };
    listed.split(|b| *b == 0).filter_map(entry).collect()
}

pub fn tree(mut entries: Vec<TreeEntry>) -> Result<Vec<u8>> {
    entries.sort_by_key(TreeEntry::order);
    let mut out = Vec::new();
    for entry in entries {
        out.extend_from_slice(entry.mode.as_bytes());
        out.push(b' ');
        out.extend_from_slice(&entry.name);
        out.push(0);
        out.extend(raw(&entry.id)?);
    }
    Ok(out)
}

fn raw(id: &str) -> Result<Vec<u8>> {
    let wrong = || Error::io(format!("git named an object {id:?}, which is not a name of one."));
    if !id.is_ascii() || !id.len().is_multiple_of(2) {
        return Err(wrong());
    }
    (0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).map_err(|_| wrong())).collect()
}

pub fn commit(tree: &str, parent: Option<&str>, author: &str, committer: &str, message: &str) -> Vec<u8> {
    let parent = parent.map(|id| format!("parent {id}\n")).unwrap_or_default();
    format!("tree {tree}\n{parent}author {author}\ncommitter {committer}\n\n{message}\n").into_bytes()
}

/// The file that holds an object on its own.
pub fn loose(kind: &str, body: &[u8]) -> Result<Vec<u8>> {
    let told = |e: std::io::Error| Error::internal(format!("An object cannot be packed: {e}."));
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(format!("{kind} {}\0", body.len()).as_bytes()).map_err(told)?;
    zlib.write_all(body).map_err(told)?;
    zlib.finish().map_err(told)
}

/// Where that file lies below `objects/`.
pub fn path(id: &str) -> String {
    let (dir, file) = id.split_at(2.min(id.len()));
    format!("{dir}/{file}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_sorted_as_git_sorts_it() {
        let id = "00ff".repeat(10);
        let listed = format!("100644 blob {id}\ta-b\0040000 tree {id}\ta\0100755 blob {id}\ta.c\0");
        let entries = parse_tree(listed.as_bytes());
        assert!(entries[1].is_dir());
        let bytes = tree(entries).unwrap();
        let at = |name: &[u8]| bytes.windows(name.len()).position(|w| w == name).unwrap();
        assert!(at(b" a-b\0") < at(b" a.c\0") && at(b" a.c\0") < at(b"40000 a\0"));
        assert!(raw("0g").is_err() && raw("abc").is_err());
    }
}
