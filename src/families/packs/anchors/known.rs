//! The anchors of one pack, read for a look at its refs: of each the few words that say whether its lines are in
//! place. The rest of an anchor is read only where they are not, which is rare.

use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::super::model::{LineRange, PackRef};
use super::super::rows::pack_key;
use super::anchor::{ANCHORS, Anchor, LATE_ANCHORS, key_of};
use crate::core::row::{self, unreadable};
use crate::core::{Error, Key, Result, RowQuery, Sha, Table, Timestamp, View};

/// One anchor, as far as it is needed.
pub struct Known {
    key: Key,
    path: String,
    pub lines: LineRange,
    pub digest: Sha,
    pub squeezed: Sha,
    pub since: Timestamp,
    pub late: bool,
    value: Vec<u8>,
    whole: OnceLock<std::result::Result<Anchor, Error>>,
}

/// What is read of a row at once. Every field must be there, as in an [`Anchor`].
#[derive(Deserialize)]
struct Gist<'a> {
    root: &'a str,
    path: &'a str,
    lines: LineRange,
    digest: &'a str,
    squeezed: &'a str,
    since: Timestamp,
    #[serde(default)]
    late: bool,
    #[serde(rename = "before")]
    _before: IgnoredAny,
    #[serde(rename = "after")]
    _after: IgnoredAny,
    #[serde(rename = "text")]
    _text: IgnoredAny,
}

impl Known {
    /// All of it.
    pub fn whole(&self) -> Result<&Anchor> {
        let table = if self.late { LATE_ANCHORS } else { ANCHORS };
        let read = || row::decode(&self.value).map_err(|e| unreadable(table, &self.key, &e));
        self.whole.get_or_init(read).as_ref().map_err(Clone::clone)
    }
}

/// The anchors of one pack below one source root.
#[derive(Default)]
pub struct PackAnchors {
    space: String,
    id: String,
    root: String,
    /// In the order of their keys.
    made: Vec<Known>,
    late: Vec<Known>,
}

impl PackAnchors {
    pub fn of_pack(view: &dyn View, space: &str, id: &str, root: &Path) -> Result<PackAnchors> {
        let root = root.display().to_string();
        let (made, late) =
            (read(view, ANCHORS, space, id, &root)?, read(view, LATE_ANCHORS, space, id, &root)?);
        Ok(PackAnchors { space: space.to_string(), id: id.to_string(), root, made, late })
    }

    /// The anchor of a ref, if it was made of the place the ref has now.
    pub fn of_ref(&self, section: &str, r: &PackRef) -> Option<&Known> {
        let key = key_of(&self.space, &self.id, section, &r.key);
        let fits = |a: &&Known| a.path == r.path && a.lines == r.lines;
        find(&self.made, &key).filter(fits).or_else(|| {
            (!self.late.is_empty()).then(|| find(&self.late, &key.text(&self.root)).filter(fits)).flatten()
        })
    }
}

fn find<'a>(all: &'a [Known], key: &Key) -> Option<&'a Known> {
    all.binary_search_by(|known| known.key.cmp(key)).ok().map(|at| &all[at])
}

fn read(view: &dyn View, table: Table, space: &str, id: &str, root: &str) -> Result<Vec<Known>> {
    let mut all = Vec::new();
    for (key, row) in view.rows(&RowQuery::new(table, pack_key(space, id)))? {
        let gist: Gist = row::decode(&row.value).map_err(|e| unreadable(table, &key, &e))?;
        if gist.root != root {
            continue;
        }
        let (path, digest, squeezed) =
            (gist.path.to_string(), Sha(gist.digest.to_string()), Sha(gist.squeezed.to_string()));
        let Gist { lines, since, late, .. } = gist;
        let whole = OnceLock::new();
        all.push(Known { key, path, lines, digest, squeezed, since, late, value: row.value, whole });
    }
    Ok(all)
}
