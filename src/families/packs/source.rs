//! Source files behind refs: found below the source root, each read once, however many refs lead to it.
//!
//! Nothing here knows what a ref was made of; it only finds files, cuts them into lines and keeps what was found in
//! them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::core::inside::{self, Located};
use crate::core::world::{FileKind, ReadError, Stat};
use crate::core::{Error, Kind, SessionInfo, World};

use super::anchors::definitions::Definitions;
use super::anchors::languages::Language;
use super::errors::{invalid, io};
use super::excerpt::{NO_DESCRIPTORS, RefTrouble};
use super::model::{LineRange, PackRef};

/// Larger files are not read: an anchor into one cannot be checked.
const MAX_SOURCE: u64 = 16 << 20;

/// Where refs are resolved: `CONTEXT_PACK_SOURCE_ROOT`, by default the session's working directory.
pub fn source_root(session: &SessionInfo) -> PathBuf {
    let said = session.env.get("CONTEXT_PACK_SOURCE_ROOT").map_or("", |s| s.trim());
    let here = ["", ".", "cwd", "session_cwd", "__session_cwd__"];
    if here.contains(&said.to_lowercase().as_str()) { session.cwd.clone() } else { session.cwd.join(said) }
}

/// Where the refs lead with every symlink resolved: one place for all paths that mean the same file.
pub struct RefPlaces {
    places: Vec<Result<PathBuf, RefTrouble>>,
    /// The place of each ref.
    pub of_ref: Vec<usize>,
    /// The refs of each place, in order.
    pub refs_of: Vec<Vec<usize>>,
}

impl RefPlaces {
    pub fn find(world: &dyn World, root: &Path, refs: &[&PackRef]) -> RefPlaces {
        let root = world.canonical(root);
        let mut out = RefPlaces { places: Vec::new(), of_ref: Vec::new(), refs_of: Vec::new() };
        let mut ways = Ways { world, dirs: HashMap::new() };
        let mut by_text: HashMap<&str, usize> = HashMap::new();
        let mut by_file: HashMap<PathBuf, usize> = HashMap::new();
        for (i, r) in refs.iter().enumerate() {
            let place = *by_text.entry(&r.path).or_insert_with(|| {
                let found = match &root {
                    Ok(Some(root)) => ways.locate(root, &r.path),
                    Ok(None) => Err(missing(&r.path)),
                    Err(e) => Err(RefTrouble::Hard(e.clone())),
                };
                let new = out.places.len();
                let place = match &found {
                    Ok(path) => *by_file.entry(path.clone()).or_insert(new),
                    Err(_) => new,
                };
                if place == new {
                    out.places.push(found);
                    out.refs_of.push(Vec::new());
                }
                place
            });
            out.of_ref.push(place);
            out.refs_of[place].push(i);
        }
        out
    }

    pub fn read(&self, world: &dyn World, place: usize, path: &str) -> Result<SourceFile, RefTrouble> {
        self.at(place).and_then(|at| SourceFile::read(world, at, path))
    }

    pub fn at(&self, place: usize) -> Result<&Path, RefTrouble> {
        self.places[place].as_deref().map_err(Clone::clone)
    }
}

/// Directories that were resolved before: the files of one share its way.
struct Ways<'a> {
    world: &'a dyn World,
    dirs: HashMap<PathBuf, Option<PathBuf>>,
}

impl Ways<'_> {
    fn locate(&mut self, root: &Path, path: &str) -> Result<PathBuf, RefTrouble> {
        self.plain(root, path).map_or_else(|| locate(self.world, root, path), Ok)
    }

    /// A file that is no link, in a directory inside the root. Everything else is looked at in full.
    fn plain(&mut self, root: &Path, path: &str) -> Option<PathBuf> {
        if path.ends_with('/') || path.ends_with("/.") {
            return None;
        }
        let full = root.join(path);
        let (dir, name) = (full.parent()?, full.file_name()?);
        if !self.dirs.contains_key(dir) {
            let real = self.world.canonical(dir).ok().flatten();
            self.dirs.insert(dir.to_path_buf(), real);
        }
        let dir = self.dirs.get(dir)?.as_ref().filter(|dir| dir.starts_with(root))?;
        let place = dir.join(name);
        let stat = self.world.stat(&place).ok()??;
        (stat.kind == FileKind::File).then_some(place)
    }
}

/// Says something about packd and nothing about the ref: the call fails, no ref is called stale.
fn no_descriptors(path: &str, e: &ReadError) -> Error {
    Error::new(Kind::Io, NO_DESCRIPTORS, format!("file '{path}' cannot be read now: {e}"))
        .hint("Try again in a moment; closing editors or a higher `ulimit -n` helps.")
}

fn missing(path: &str) -> RefTrouble {
    RefTrouble::Stale(format!("file '{path}' does not exist under source root"))
}

/// The file a path means, below a root that is canonical already.
pub fn locate(world: &dyn World, root: &Path, path: &str) -> Result<PathBuf, RefTrouble> {
    match inside::locate(world, root, path) {
        Ok(Located::Here(place)) => Ok(place),
        Ok(Located::Outside) => {
            Err(RefTrouble::Hard(invalid(format!("path '{path}' resolves outside source root"))))
        }
        Ok(Located::Missing) => Err(missing(path)),
        Err(e) => Err(RefTrouble::Hard(io(format!("file '{path}' cannot be read: {}", e.message)))),
    }
}

/// A text file with the places where its lines begin.
pub struct SourceFile {
    text: String,
    starts: Vec<usize>,
    /// The file's stamps from before it was read.
    pub stat: Option<Stat>,
    /// As each language reads it: two links to one file may end differently.
    definitions: RefCell<Vec<(&'static Language, Rc<Definitions>)>>,
}

impl SourceFile {
    pub fn read(world: &dyn World, place: &Path, path: &str) -> Result<SourceFile, RefTrouble> {
        let (stat, bytes) = world.load(place, MAX_SOURCE).map_err(|e| match e {
            ReadError::Missing => missing(path),
            e @ ReadError::NoDescriptors => RefTrouble::Hard(no_descriptors(path, &e)),
            other => RefTrouble::Hard(io(format!("file '{path}' cannot be read: {other}"))),
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| RefTrouble::Hard(io(format!("file '{path}' is not UTF-8 text"))))?;
        Ok(SourceFile { stat: Some(stat), ..SourceFile::new(text) })
    }

    pub fn new(text: String) -> SourceFile {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        SourceFile { text, starts, stat: None, definitions: RefCell::default() }
    }

    pub fn total(&self) -> usize {
        self.starts.len()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of a range, without their endings. A range beyond the end is cut there.
    pub fn lines(&self, lines: LineRange) -> impl Iterator<Item = &str> + Clone {
        let at = |n: u64| usize::try_from(n).ok().and_then(|n| self.starts.get(n).copied());
        let from = at(lines.start.saturating_sub(1)).unwrap_or(self.text.len());
        let to = at(lines.end).unwrap_or(self.text.len()).max(from);
        self.text[from..to].lines()
    }

    /// What a language defines here, read when it is first asked for.
    pub fn definitions(
        &self,
        language: &'static Language,
        read: impl FnOnce(&SourceFile, &'static Language) -> Definitions,
    ) -> Rc<Definitions> {
        if let Some((_, known)) = self.definitions.borrow().iter().find(|(l, _)| std::ptr::eq(*l, language)) {
            return known.clone();
        }
        let found = Rc::new(read(self, language));
        self.definitions.borrow_mut().push((language, found.clone()));
        found
    }

    /// One line by its number from 1; `None` beyond either end.
    pub fn line(&self, number: usize) -> Option<&str> {
        let from = *self.starts.get(number.checked_sub(1)?)?;
        let line = &self.text[from..self.starts.get(number).copied().unwrap_or(self.text.len())];
        let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        Some(line)
    }

    /// Every line with its number from 1.
    pub fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(i, line)| (i + 1, line))
    }

    /// The lines of a range that is known to exist, each with its number.
    pub fn numbered(&self, lines: LineRange) -> String {
        let (first, last) = (lines.start as usize, lines.end as usize);
        let from = self.starts[first - 1];
        let to = self.starts.get(last).copied().unwrap_or(self.text.len());
        let mut out = String::with_capacity(to - from + (last - first + 1) * 8);
        for number in first..=last {
            let Some(line) = self.line(number) else { break };
            if number > first {
                out.push('\n');
            }
            push_number(&mut out, number, 4);
            out.push_str(": ");
            out.push_str(line);
        }
        out
    }

    /// The bytes of a range from its first line to its last one, if no line in it ends as on Windows: what joining its
    /// lines would give.
    pub fn joined(&self, lines: LineRange) -> Option<&str> {
        let at = |n: u64| usize::try_from(n).ok().and_then(|n| self.starts.get(n).copied());
        let from = at(lines.start.checked_sub(1)?)?;
        let text = &self.text[from..at(lines.end).unwrap_or(self.text.len()).max(from)];
        let text = text.strip_suffix('\n').unwrap_or(text);
        memchr::memchr(b'\r', text.as_bytes()).is_none().then_some(text)
    }
}

/// Writes a number, with blanks before it where it is shorter than `width`: what a format string does, ten times.
pub fn push_number(out: &mut String, number: usize, width: usize) {
    let mut digits = [b' '; 20];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        // The cast is exact: a digit.
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let from = at.min(digits.len() - width.min(digits.len()));
    // Digits and blanks are text.
    out.push_str(std::str::from_utf8(&digits[from..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_a_format_string_would() {
        for number in [0, 7, 42, 999, 1_000, 9_999, 10_000, 123_456, usize::MAX] {
            let mut out = String::new();
            push_number(&mut out, number, 4);
            assert_eq!(out, format!("{number:>4}"));
        }
        assert_eq!(
            SourceFile::new("a\r\n\nb".into()).numbered(LineRange { start: 1, end: 3 }),
            "   1: a\n   2: \n   3: b"
        );
    }
}
