//! Source files behind refs: found below the source root, read once, cut into numbered lines.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::core::world::ReadError;
use crate::core::{Error, SessionInfo, World};

use super::errors::{invalid, io};
use super::model::{Lines, Ref};

/// Larger files are not read: an anchor into one shows as stale.
pub const MAX_SOURCE: u64 = 16 << 20;
/// A longer excerpt would fill a reply alone.
const MAX_EXCERPT: usize = 900 << 10;
/// Enough for any page of a reply; what is beyond it is left for the next page.
const MAX_GATHERED: usize = 8 << 20;

/// Why a ref cannot be shown.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// The file or the lines are gone: the ref is out of date.
    Stale(String),
    /// The ref points at something that cannot be shown at all.
    Hard(Error),
}

impl Trouble {
    /// The words after `stale ref: `.
    pub fn reason(&self) -> &str {
        match self {
            Trouble::Stale(why) => why,
            Trouble::Hard(error) => error.message.strip_prefix("invalid data: ").unwrap_or(&error.message),
        }
    }
}

/// What became of one ref.
#[derive(Debug, Clone)]
pub enum Excerpt {
    Code(String),
    Trouble(Trouble),
    /// Not read, because the page was full before it.
    Left,
}

/// Where refs are resolved: `CONTEXT_PACK_SOURCE_ROOT`, by default the session's working directory.
pub fn source_root(session: &SessionInfo) -> PathBuf {
    let said = session.env.get("CONTEXT_PACK_SOURCE_ROOT").map_or("", |s| s.trim());
    let here = ["", ".", "cwd", "session_cwd", "__session_cwd__"];
    if here.contains(&said.to_lowercase().as_str()) { session.cwd.clone() } else { session.cwd.join(said) }
}

/// The excerpts of `refs`, each file read once; stops where `budget` bytes are full.
pub fn gather(world: &dyn World, root: &Path, refs: &[&Ref], budget: usize) -> Vec<Excerpt> {
    let places = Places::find(world, root, refs);
    let mut out = vec![Excerpt::Left; refs.len()];
    let mut done = vec![false; refs.len()];
    let (mut used, mut gathered) = (0, 0);
    for (i, first) in refs.iter().enumerate() {
        if used > budget || (gathered > MAX_GATHERED && !done[i]) {
            break;
        }
        if !done[i] {
            let place = places.of_ref[i];
            let source = places.read(world, place, &first.path);
            // Every ref into this file gets its lines now, so that its text need not be kept.
            for &j in places.refs_of[place].iter().filter(|j| **j >= i) {
                if j > i && gathered > MAX_GATHERED {
                    break;
                }
                out[j] = excerpt(&source, refs[j]);
                done[j] = true;
                if let Excerpt::Code(code) = &out[j] {
                    gathered += code.len();
                }
            }
        }
        if let Excerpt::Code(code) = &out[i] {
            used += code.len();
        }
    }
    out
}

/// What stands in the way of each ref, in order; `None` = it resolves.
pub fn inspect(world: &dyn World, root: &Path, refs: &[&Ref]) -> Vec<Option<Trouble>> {
    let places = Places::find(world, root, refs);
    let mut out = vec![None; refs.len()];
    for (place, members) in places.refs_of.iter().enumerate() {
        let Some(first) = members.first() else { continue };
        let source = places.read(world, place, &refs[*first].path);
        for &i in members {
            out[i] = match &source {
                Ok(source) => range(refs[i], source.total()).err(),
                Err(trouble) => Some(trouble.clone()),
            };
        }
    }
    out
}

fn excerpt(source: &Result<Source, Trouble>, r: &Ref) -> Excerpt {
    let source = match source {
        Ok(source) => source,
        Err(trouble) => return Excerpt::Trouble(trouble.clone()),
    };
    if let Err(trouble) = range(r, source.total()) {
        return Excerpt::Trouble(trouble);
    }
    let code = source.numbered(r.lines);
    if code.len() > MAX_EXCERPT {
        let what = format!("lines {}-{} of file '{}'", r.lines.start, r.lines.end, r.path);
        let why = format!("{what} have {} bytes, too many for one reply; anchor fewer lines", code.len());
        return Excerpt::Trouble(Trouble::Hard(io(why)));
    }
    Excerpt::Code(code)
}

fn range(r: &Ref, total: usize) -> Result<(), Trouble> {
    let Lines { start, end } = r.lines;
    let says = |what: String| Err(Trouble::Stale(format!("file '{}' has {total} lines but {what}", r.path)));
    let total = total as u64;
    match () {
        () if start > total => says(format!("ref starts at {start}")),
        () if end > total => says(format!("ref ends at {end}")),
        // Only a file written by hand can hold such a range.
        () if start == 0 || end < start => says(format!("ref asks for lines {start}-{end}")),
        () => Ok(()),
    }
}

/// Where the refs lead with every symlink resolved: one place for all paths that mean the same file.
struct Places {
    places: Vec<Result<PathBuf, Trouble>>,
    /// The place of each ref.
    of_ref: Vec<usize>,
    /// The refs of each place, in order.
    refs_of: Vec<Vec<usize>>,
}

impl Places {
    fn find(world: &dyn World, root: &Path, refs: &[&Ref]) -> Places {
        let root = world.canonical(root);
        let mut out = Places { places: Vec::new(), of_ref: Vec::new(), refs_of: Vec::new() };
        let mut by_text: HashMap<&str, usize> = HashMap::new();
        let mut by_file: HashMap<PathBuf, usize> = HashMap::new();
        for (i, r) in refs.iter().enumerate() {
            let place = *by_text.entry(&r.path).or_insert_with(|| {
                let found = match &root {
                    Ok(Some(root)) => locate(world, root, &r.path),
                    Ok(None) => Err(missing(&r.path)),
                    Err(e) => Err(Trouble::Hard(e.clone())),
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

    fn read(&self, world: &dyn World, place: usize, path: &str) -> Result<Source, Trouble> {
        self.places[place].as_ref().map_err(Clone::clone).and_then(|at| Source::read(world, at, path))
    }
}

fn missing(path: &str) -> Trouble {
    Trouble::Stale(format!("file '{path}' does not exist under source root"))
}

fn locate(world: &dyn World, root: &Path, path: &str) -> Result<PathBuf, Trouble> {
    match world.canonical(&root.join(path)) {
        Ok(Some(place)) if place.starts_with(root) => Ok(place),
        Ok(Some(_)) => Err(Trouble::Hard(invalid(format!("path '{path}' resolves outside source root")))),
        Ok(None) => Err(missing(path)),
        Err(e) => Err(Trouble::Hard(io(format!("file '{path}' cannot be read: {}", e.message)))),
    }
}

/// A text file with the places where its lines begin.
struct Source {
    text: String,
    starts: Vec<usize>,
}

impl Source {
    fn read(world: &dyn World, place: &Path, path: &str) -> Result<Source, Trouble> {
        let bytes = world.read(place, MAX_SOURCE).map_err(|e| match e {
            ReadError::Missing => missing(path),
            other => Trouble::Hard(io(format!("file '{path}' cannot be read: {other}"))),
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Trouble::Hard(io(format!("file '{path}' is not UTF-8 text"))))?;
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(i, _)| i + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Ok(Source { text, starts })
    }

    fn total(&self) -> usize {
        self.starts.len()
    }

    /// The lines of a range that [`range`] has accepted, each with its number.
    fn numbered(&self, lines: Lines) -> String {
        let (first, last) = (lines.start as usize, lines.end as usize);
        let from = self.starts[first - 1];
        let to = self.starts.get(last).copied().unwrap_or(self.text.len());
        let mut out = String::with_capacity(to - from + (last - first + 1) * 6);
        for (i, line) in self.text[from..to].lines().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = write!(out, "{:>4}: {line}", first + i);
        }
        out
    }
}
