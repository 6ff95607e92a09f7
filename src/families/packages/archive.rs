//! Package archives (`.aam`): gzip tar, read and written in memory.
//!
//! Reading keeps to limits before it trusts a number, follows no link out of the package and makes no special
//! file. Writing is reproducible: same files, same bytes.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use super::errors::{ARCHIVE, fail};
use super::manifest::bad_path;
use super::source::is_in_git;
use crate::core::{Error, Result};

pub const MAX_COMPRESSED: u64 = 50 << 20;
const MAX_TOTAL: u64 = 200 << 20;
pub const MAX_ENTRIES: usize = 10_000;
/// Text packs to about a fifth; two hundred times is a bomb. Small packages may do as they like.
const MAX_RATIO: u64 = 200;
const RATIO_FROM: u64 = 1 << 20;
const MAX_LINKS: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedFile {
    pub bytes: Vec<u8>,
    pub executable: bool,
}

impl PackedFile {
    pub fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// Path inside the package (with `/`) to content.
pub type PackageFiles = BTreeMap<String, PackedFile>;

fn bad(why: impl std::fmt::Display) -> Error {
    fail(ARCHIVE, format!("The archive was refused: {why}."))
        .hint("Nothing was changed. The package must be made anew by its publisher.")
}

fn check_size(files: &PackageFiles, packed: u64) -> Result<()> {
    let total: u64 = files.values().map(|f| f.bytes.len() as u64).sum();
    within(files.len(), total, packed)
}

fn within(entries: usize, total: u64, packed: u64) -> Result<()> {
    if packed > MAX_COMPRESSED {
        return Err(bad(format!("it has {packed} bytes, more than {MAX_COMPRESSED}")));
    }
    if entries > MAX_ENTRIES {
        return Err(bad(format!("it has more than {MAX_ENTRIES} entries")));
    }
    if total > MAX_TOTAL {
        return Err(bad(format!("its files have more than {MAX_TOTAL} bytes")));
    }
    if total > RATIO_FROM && total > packed.saturating_mul(MAX_RATIO) {
        return Err(bad(format!("it expands to more than {MAX_RATIO} times its size")));
    }
    Ok(())
}

/// All files of an archive, links replaced by what they point to.
pub fn unpack(bytes: &[u8]) -> Result<PackageFiles> {
    let packed = bytes.len() as u64;
    within(0, 0, packed)?;
    let limit = MAX_TOTAL.min(packed.saturating_mul(MAX_RATIO).max(RATIO_FROM));
    // Headers and padding come on top of the files themselves.
    let room = limit + (MAX_ENTRIES as u64) * 2048 + (1 << 20);
    let reader = flate2::read::MultiGzDecoder::new(bytes).take(room);
    let mut tar = tar::Archive::new(reader);
    let mut files = PackageFiles::new();
    let mut links = BTreeMap::new();
    let mut total = 0;
    let told = |e: std::io::Error| bad(format!("it cannot be read ({e})"));
    for (count, entry) in tar.entries().map_err(told)?.enumerate() {
        let mut entry = entry.map_err(told)?;
        let raw = entry.path_bytes().into_owned();
        let name = String::from_utf8(raw).map_err(|_| bad("a name in it is not UTF-8"))?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let path = clean(&name)?;
        if is_in_git(&path) {
            return Err(bad(format!("it holds {path}, and .git is never part of a package")));
        }
        if kind.is_symlink() || kind.is_hard_link() {
            let target = entry.link_name_bytes().map(|b| b.into_owned()).unwrap_or_default();
            let target = String::from_utf8(target).map_err(|_| bad("a link in it is not UTF-8"))?;
            let resolved = if kind.is_hard_link() { clean(&target)? } else { resolve(&path, &target)? };
            links.insert(path, resolved);
        } else if kind.is_file() {
            let size = entry.header().entry_size().map_err(told)?;
            total += size;
            within(count + 1, total, packed)?;
            let executable = entry.header().mode().unwrap_or(0o644) & 0o100 != 0;
            let mut content = Vec::new();
            entry.read_to_end(&mut content).map_err(told)?;
            if content.len() as u64 != size {
                return Err(bad("it ends in the middle of a file"));
            }
            if files.insert(path.clone(), PackedFile { bytes: content, executable }).is_some() {
                return Err(bad(format!("{path} is in it twice")));
            }
        } else {
            return Err(bad(format!("{path} is neither a file nor a directory")));
        }
    }
    materialise(&mut files, &links)?;
    check_size(&files, packed)?;
    nested(&files)?;
    Ok(files)
}

/// A name with `/` between plain parts; anything that could leave the package is refused.
fn clean(name: &str) -> Result<String> {
    if let Some(why) = bad_path(name) {
        return Err(bad(format!("the path {name:?} {why}")));
    }
    if name.contains('\\') {
        return Err(bad(format!("the path {name:?} contains a backslash")));
    }
    let parts: Vec<&str> = name.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
    if parts.is_empty() {
        return Err(bad(format!("the path {name:?} names nothing")));
    }
    Ok(parts.join("/"))
}

/// Where a symlink leads, as a path inside the package.
fn resolve(link: &str, target: &str) -> Result<String> {
    let escapes = || bad(format!("the link {link} leads out of the package"));
    if target.starts_with('/') || target.is_empty() {
        return Err(escapes());
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(escapes)?;
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Err(escapes()) } else { Ok(parts.join("/")) }
}

/// Puts the content of its target in the place of every link; a link to a directory brings its files.
fn materialise(files: &mut PackageFiles, links: &BTreeMap<String, String>) -> Result<()> {
    for (link, target) in links {
        let mut at = target.clone();
        let mut steps = 0;
        while let Some(next) = links.get(&at) {
            at = next.clone();
            steps += 1;
            if steps > MAX_LINKS {
                return Err(bad(format!("the link {link} leads nowhere")));
            }
        }
        let below = format!("{at}/");
        let found: Vec<(String, PackedFile)> = match files.get(&at) {
            Some(file) => vec![(link.clone(), file.clone())],
            None => files
                .range(below.clone()..)
                .take_while(|(p, _)| p.starts_with(&below))
                .map(|(p, f)| (format!("{link}/{}", &p[below.len()..]), f.clone()))
                .collect(),
        };
        if found.is_empty() {
            return Err(bad(format!("the link {link} leads to nothing in it")));
        }
        files.extend(found);
        within(files.len(), files.values().map(|f| f.bytes.len() as u64).sum(), MAX_COMPRESSED)?;
    }
    Ok(())
}

/// A path may not be a file and a directory at once.
fn nested(files: &PackageFiles) -> Result<()> {
    for path in files.keys() {
        let mut at = path.as_str();
        while let Some((parent, _)) = at.rsplit_once('/') {
            if files.contains_key(parent) {
                return Err(bad(format!("{parent} is a file and a directory in it")));
            }
            at = parent;
        }
    }
    Ok(())
}

/// One file of an archive, without unpacking the rest.
pub fn one_file(bytes: &[u8], wanted: &str) -> Result<Option<Vec<u8>>> {
    within(0, 0, bytes.len() as u64)?;
    let reader = flate2::read::MultiGzDecoder::new(bytes).take(MAX_TOTAL);
    let told = |e: std::io::Error| bad(format!("it cannot be read ({e})"));
    for entry in tar::Archive::new(reader).entries().map_err(told)? {
        let entry = entry.map_err(told)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if name.strip_prefix("./").unwrap_or(&name) == wanted && entry.header().entry_type().is_file() {
            let mut content = Vec::new();
            entry.take(1 << 20).read_to_end(&mut content).map_err(told)?;
            return Ok(Some(content));
        }
    }
    Ok(None)
}

/// The archive of these files: sorted, without times and owners, `aam.yaml` first so that it is found fast.
pub fn pack(files: &PackageFiles) -> Result<Vec<u8>> {
    let told = |e: std::io::Error| fail(ARCHIVE, format!("The archive cannot be written: {e}."));
    let gzip = flate2::GzBuilder::new().mtime(0).operating_system(255);
    let mut tar = tar::Builder::new(gzip.write(Vec::new(), flate2::Compression::new(6)));
    let (first, rest): (Vec<_>, Vec<_>) = files.iter().partition(|(p, _)| *p == super::manifest::FILE);
    for (path, file) in first.into_iter().chain(rest) {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(file.mode());
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        header.set_entry_type(tar::EntryType::Regular);
        tar.append_data(&mut header, path, file.bytes.as_slice()).map_err(told)?;
    }
    let mut gzip = tar.into_inner().map_err(told)?;
    gzip.flush().map_err(told)?;
    let bytes = gzip.finish().map_err(told)?;
    check_size(files, bytes.len() as u64)?;
    Ok(bytes)
}
