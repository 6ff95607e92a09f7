//! What can be found by words: which rows of a family, and how a hit is shown and opened.
//!
//! The store keeps the words of every row that a family has a [`Finder`] for, like any other index; all texts of the row
//! count. A search costs what it shows, in a store of any size.

use super::standing::NextCall;
use super::{Ctx, Key, Row, Table, Timestamp};

/// The rows of one kind that belong to the asking session.
pub struct Findable {
    /// `packs`, `tasks` …
    pub kind: &'static str,
    pub table: Table,
    /// The first parts of the keys of its rows: the spaces that the session sees.
    pub spaces: Vec<String>,
    /// How a row is shown; `None` = it is nobody's to find.
    pub shown: fn(&Ctx, &Key, &Row) -> Option<ShownHit>,
}

/// A row as a hit.
pub struct ShownHit {
    pub id: String,
    pub title: String,
    /// The call that shows all of it.
    pub call: NextCall,
}

/// What a row is found by besides its texts. It must follow from the row alone, and from what seldom changes.
pub struct Label {
    /// Words that count more than those of the texts: id, name, title.
    pub title: String,
    /// Newer ones are shown first.
    pub born: Timestamp,
}

/// How rows of a family are found.
#[derive(Clone, Copy)]
pub struct Searchable {
    pub label: Finder,
    /// Those that this session finds.
    pub seen: fn(&Ctx) -> Findable,
}

/// The label of a row; `None` = rows of this table are not found by words, or this one cannot be read.
pub type Finder = fn(Table, &Key, &Row) -> Option<Label>;

/// Where words are looked for.
#[derive(Debug, Clone)]
pub enum Space {
    /// Rows whose keys begin with this text.
    Rows(Table, String),
    /// The operations of a workspace.
    Operations(String),
}

#[derive(Debug, Clone)]
pub struct WordQuery {
    pub space: Space,
    /// Each must be the beginning of a word.
    pub words: Vec<String>,
    /// Those with every word in the title come first, then the newest.
    pub limit: usize,
}

#[derive(Debug, Clone, Default)]
pub struct WordPage {
    pub hits: Vec<WordHit>,
    /// There may be more than these.
    pub more: bool,
}

#[derive(Debug, Clone)]
pub struct WordHit {
    /// The row; empty for an operation.
    pub key: Key,
    /// The number of an operation, the birth of a row.
    pub born: u64,
    /// How many of the words are in the title.
    pub in_title: usize,
}
