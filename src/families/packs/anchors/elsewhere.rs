//! Code that left its file: a file that was renamed, split, or gave some of its lines to another.
//!
//! Looked for by content among the files of the same kind below the source root, within limits, those that look
//! most like the old place first. Directories that hold no source of the project are not entered.

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

use super::super::model::LineRange;
use super::super::source::SourceFile;
use super::anchor::Anchor;
use super::search;
use crate::core::World;
use crate::core::world::FileKind;

const MAX_ENTRIES: usize = 20_000;
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 64 << 20;
const MAX_ONE: u64 = 2 << 20;
const NOT_SOURCE: [&str; 9] =
    ["node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "out", "coverage"];

/// One anchor that is not in its file any more, with the text it kept.
pub struct Missing<'a> {
    pub anchor: &'a Anchor,
    pub text: String,
}

/// Where one was found.
pub struct FoundElsewhere {
    pub path: String,
    pub lines: LineRange,
    pub source: Rc<SourceFile>,
}

/// For each missing one the place where its lines stand now, if that can be found.
pub fn look(world: &dyn World, root: &Path, missing: &[Missing]) -> Vec<Option<FoundElsewhere>> {
    let mut found: Vec<Option<FoundElsewhere>> = missing.iter().map(|_| None).collect();
    let mut files = files(world, root, missing);
    files.sort_by_key(|path| missing.iter().map(|m| unlike(path, &m.anchor.path)).min());
    let mut bytes = 0;
    for path in files.iter().take(MAX_FILES) {
        let open =
            missing.iter().zip(&found).any(|(m, f)| f.is_none() && ending(path) == ending(&m.anchor.path));
        if world.cancelled() || bytes > MAX_BYTES || !open {
            continue;
        }
        let Ok(content) = world.read(&root.join(path), MAX_ONE) else { continue };
        bytes += content.len();
        let Ok(text) = String::from_utf8(content) else { continue };
        let source = Rc::new(SourceFile::new(text));
        for (slot, one) in found.iter_mut().zip(missing) {
            if slot.is_some() || *path == one.anchor.path {
                continue;
            }
            let here = search::same(&source, one.anchor, &one.text, &Default::default());
            *slot = here.map(|lines| FoundElsewhere { path: path.clone(), lines, source: source.clone() });
        }
    }
    found
}

fn ending(path: &str) -> &str {
    name(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The same name somewhere else, then the same folder, then the rest.
fn unlike(path: &str, old: &str) -> u8 {
    match () {
        () if name(path) == name(old) => 0,
        () if folder(path) == folder(old) => 1,
        () => 2,
    }
}

fn files(world: &dyn World, root: &Path, missing: &[Missing]) -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = VecDeque::from([String::new()]);
    let mut seen = 0;
    while let Some(at) = folders.pop_front() {
        if seen > MAX_ENTRIES || world.cancelled() {
            break;
        }
        let Ok(Some(entries)) = world.list(&root.join(&at)) else { continue };
        seen += entries.len();
        for (entry, kind) in entries {
            let path = if at.is_empty() { entry.clone() } else { format!("{at}/{entry}") };
            match kind {
                FileKind::Dir if !entry.starts_with('.') && !NOT_SOURCE.contains(&entry.as_str()) => {
                    folders.push_back(path);
                }
                FileKind::File if missing.iter().any(|m| ending(&m.anchor.path) == ending(&path)) => {
                    out.push(path)
                }
                _ => {}
            }
        }
    }
    out
}
