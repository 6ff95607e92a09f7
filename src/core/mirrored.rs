//! Rows that are also files of a project: what a family says about its own, so that the engine can keep both alike.
//!
//! The store is the truth, the files are how people share it. The engine lists, reads and writes the files and remembers
//! how each looked when both sides agreed; what a difference means is decided by the family, from the log. Neither knows
//! the other's half.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Call, Change, Ctx, Error, Outcome, Result, SessionInfo, Timestamp, View};

/// The directory whose files mirror a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorRoot {
    pub dir: PathBuf,
    /// Where below it the files lie.
    pub files: PathBuf,
    /// Set where nobody declared the directory: it counts only if it is there, inside this workspace, and it
    /// is never created.
    pub within: Option<PathBuf>,
}

/// What has to happen so that a file and its row agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Agree,
    /// The store is ahead: write the file, or remove it where the row is gone.
    Write,
    /// Somebody changed, added or removed the file.
    TakeIn,
}

/// Which files a call is about, as far as a damaged one is concerned.
#[derive(Debug, PartialEq, Eq)]
pub enum FilesAsked {
    /// A list: it must not silently leave out a damaged one.
    All,
    One(String),
    Nothing,
}

/// A file as it was found, to be compared with its row.
pub struct MirrorFile<'a> {
    pub text: Option<&'a str>,
    pub path: &'a Path,
    /// Of the session that looks.
    pub workspace: &'a str,
}

pub trait Mirrored: Send + Sync {
    /// The collection that a session sees.
    fn space_of(&self, session: &SessionInfo) -> String;

    /// Where a space is mirrored to; the directory may not be there.
    fn root_of(&self, space: &str) -> Option<MirrorRoot>;

    fn file_name(&self, id: &str) -> String;

    /// What a file is for; `None` = its name is not one of this family.
    fn id_of<'a>(&self, name: &'a str) -> Option<&'a str>;

    /// What is said of a file with a wrong name.
    fn misnamed(&self, path: &Path) -> Error;

    /// Everything of a space that has a file.
    fn ids(&self, view: &dyn View, space: &str) -> Result<BTreeSet<String>>;

    /// What a commit touched, by space.
    fn touched(&self, changes: &[Change]) -> BTreeMap<String, BTreeSet<String>>;

    fn asks(&self, view: &dyn View, space: &str, call: &Call, now: Timestamp) -> FilesAsked;

    /// Grows with every change of a row, its deletion included; 0 = there never was one.
    fn stamp(&self, view: &dyn View, space: &str, id: &str) -> Result<u64>;

    /// The stamp that row and file are known to have agreed on.
    fn agreed(&self, view: &dyn View, space: &str, id: &str) -> Result<u64>;

    /// Compares a file with its row; `agreed` is the stamp both last agreed on. The error says why the text is none.
    fn compare(
        &self,
        view: &dyn View,
        space: &str,
        id: &str,
        found: &MirrorFile,
        agreed: u64,
    ) -> Result<std::result::Result<Agreement, Error>>;

    /// What the file should hold; `None` = it should not be there.
    fn document(&self, view: &dyn View, space: &str, id: &str) -> Result<Option<String>>;

    /// The call of the family's own that takes a file in; no document = the file is gone.
    fn take_in(&self, space: &str, id: &str, document: Option<&str>) -> (&'static str, Map<String, Value>);

    /// The call that notes what agrees.
    fn note(&self, space: &str, agreed: &BTreeMap<String, u64>) -> (&'static str, Map<String, Value>);

    /// What has expired in a space whose files lie in its project goes now that somebody works there, under the name of
    /// a tool; `None` = nothing has.
    fn expired(&self, ctx: &Ctx, space: &str) -> Result<Option<(&'static str, Outcome)>>;
}
