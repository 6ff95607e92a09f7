//! The lines of a new ref: as given, or chosen by a definition's name or a text; and the anchor of what is there.
//!
//! Files are read in the preparation, each once. A ref to something that is not there yet is no error: a draft may
//! be written before the code is. The reply says so at once.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use crate::core::{Ctx, Result, Timestamp, World};

use super::actions::edit::PackEdit;
use super::actions::fields::{Fields, text};
use super::anchors::anchor::NewAnchor;
use super::anchors::pick;
use super::errors::invalid;
use super::excerpt::range;
use super::model::{LineRange, PackRef};
use super::reply::{ChosenRange, Extra};
use super::rules;
use super::source::{SourceFile, locate, source_root};

/// How the caller names the lines.
#[derive(Debug, Clone)]
pub enum NamedLines {
    Lines(LineRange),
    Symbol(String),
    Match(String),
}

/// What was found where a ref will point.
#[derive(Debug, Clone)]
pub struct PickedLines {
    pub lines: Result<LineRange>,
    pub new: Option<NewAnchor>,
    pub warning: Option<String>,
}

/// Source files, each read once.
pub struct Library<'a> {
    world: &'a dyn World,
    root: Option<PathBuf>,
    now: Timestamp,
    read: HashMap<String, std::result::Result<Rc<SourceFile>, String>>,
}

impl<'a> Library<'a> {
    pub fn of(ctx: &Ctx, world: &'a dyn World) -> Library<'a> {
        let root = world.canonical(&source_root(ctx.session)).ok().flatten();
        Library { world, root, now: ctx.now, read: HashMap::new() }
    }

    fn source(&mut self, path: &str) -> std::result::Result<Rc<SourceFile>, String> {
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let found = match &self.root {
            Some(root) => locate(self.world, root, path)
                .and_then(|at| SourceFile::read(self.world, &at, path))
                .map(Rc::new)
                .map_err(|trouble| trouble.reason().to_string()),
            None => Err("the source root does not exist".to_string()),
        };
        self.read.insert(path.to_string(), found.clone());
        found
    }

    /// Looks where a ref would point. The path is one that the rules accept.
    pub fn look(&mut self, path: &str, how: &NamedLines) -> PickedLines {
        let source = match (self.source(path), how) {
            (Ok(source), _) => source,
            (Err(why), NamedLines::Lines(lines)) => {
                return PickedLines { lines: Ok(*lines), new: None, warning: Some(why) };
            }
            (Err(why), _) => {
                let error = invalid(why).hint("Send a path that exists, relative to the source root.");
                return PickedLines { lines: Err(error), new: None, warning: None };
            }
        };
        let lines = match how {
            NamedLines::Lines(lines) => Ok(*lines),
            NamedLines::Symbol(name) => pick::symbol(&source, path, name),
            NamedLines::Match(text) => pick::matching(&source, path, text),
        };
        let Ok(chosen) = lines else { return PickedLines { lines, new: None, warning: None } };
        let (none, path) = (None::<String>, path.to_string());
        let item = PackRef {
            key: String::new(),
            path,
            lines: chosen,
            title: none.clone(),
            why: none.clone(),
            group: none,
        };
        match (range(&item, source.total()), &self.root) {
            (Ok(()), Some(root)) => {
                let new = NewAnchor::of(&source, root, &item.path, chosen, self.now);
                PickedLines { lines, new: Some(new), warning: None }
            }
            (Err(trouble), _) => {
                PickedLines { lines, new: None, warning: Some(trouble.reason().to_string()) }
            }
            (Ok(()), None) => PickedLines { lines, new: None, warning: None },
        }
    }
}

impl NamedLines {
    /// Are the lines chosen by what stands there?
    pub fn is_chosen(fields: &Fields) -> bool {
        fields.symbol.is_sent() || fields.matching.is_sent()
    }

    /// How an `upsert_ref` names its lines.
    pub fn of(fields: &Fields) -> Result<NamedLines> {
        // A text to be found keeps the white space it begins with.
        let (symbol, matching) = (text(&fields.symbol), fields.matching.get());
        let lines = fields.line_start.get().zip(fields.line_end.get());
        match (symbol, matching, lines) {
            (None, None, Some((start, end))) => Ok(NamedLines::Lines(LineRange { start: *start, end: *end })),
            (Some(symbol), None, None) => Ok(NamedLines::Symbol(symbol)),
            (None, Some(text), None) => Ok(NamedLines::Match(text.clone())),
            _ => Err(invalid("send either 'line_start' and 'line_end', or 'symbol', or 'match'")),
        }
    }
}

/// Looks for one `upsert_ref`; other edits look at nothing.
pub fn look(library: &mut Library, edit: &PackEdit) -> Option<PickedLines> {
    let PackEdit::UpsertRef { item, named, .. } = edit else { return None };
    let place = named.clone().and_then(|how| rules::path(&item.path).map(|path| (how, path)));
    Some(match place {
        Ok((how, path)) => library.look(&path, &how),
        Err(error) => PickedLines { lines: Err(error), new: None, warning: None },
    })
}

/// Gives the ref its lines, and says what there is to say about them.
pub fn settle(named: &Result<NamedLines>, looked: &PickedLines, item: &mut PackRef) -> Result<Extra> {
    let mut extra = Extra::default();
    if !matches!(named, Ok(NamedLines::Lines(_))) {
        item.lines = looked.lines.clone()?;
        extra.chosen = Some(ChosenRange { path: item.path.clone(), lines: item.lines });
    }
    extra.warnings.extend(looked.warning.as_ref().map(|why| format!("The ref is stored, but {why}.")));
    Ok(extra)
}
