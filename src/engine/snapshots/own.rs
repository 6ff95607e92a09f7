//! What packd's own operations wrote below a tree since it was looked at last: nobody else did that, and it is
//! recorded already.

use std::collections::BTreeMap;
use std::path::Path;

use crate::core::op::Stream;
use crate::core::snapshot::{FileChange, Side};
use crate::core::view::LogQuery;
use crate::core::{FileImage, Result, View};

const PAGE: usize = 500;

/// The first state that an operation found a file in, and the last one that an operation left it in.
pub struct OwnWrite {
    found: Option<FileImage>,
    left: Option<FileImage>,
}

/// Files below a root that operations after `heeded` wrote; and the last operation there is.
pub fn written(view: &dyn View, root: &Path, heeded: u64) -> Result<(BTreeMap<String, OwnWrite>, u64)> {
    let head = view.log().head(Stream::Ops)?;
    let mut out: BTreeMap<String, OwnWrite> = BTreeMap::new();
    let mut after = heeded;
    while after < head {
        let query = LogQuery { after: Some(after), limit: PAGE, include_undone: true, ..LogQuery::default() };
        let page = view.log().ops(&query)?;
        for effect in page.ops.iter().flat_map(|op| &op.effects) {
            let full = effect.full_path();
            let Some(path) = full.strip_prefix(root).ok().and_then(Path::to_str) else { continue };
            let (found, left) = (effect.before.clone(), effect.after.clone());
            out.entry(path.to_string())
                .and_modify(|w| w.left.clone_from(&left))
                .or_insert(OwnWrite { found, left });
        }
        match page.ops.last().filter(|_| page.has_more) {
            Some(last) => after = last.seq,
            None => break,
        }
    }
    Ok((out, head))
}

fn side(image: &Option<FileImage>) -> Side {
    image.clone().map_or(Side::Absent, Side::Kept)
}

/// The part of a change that packd did not make itself; `None` = it made all of it.
pub fn rest(change: &FileChange, written: &BTreeMap<String, OwnWrite>) -> Option<FileChange> {
    let Some(own) = written.get(&change.path) else { return Some(change.clone()) };
    let (found, left) = (side(&own.found), side(&own.left));
    let piece = |before: Side, after: Side| FileChange { path: change.path.clone(), before, after };
    if left != change.after {
        // Somebody went on from what packd had left.
        return Some(piece(left, change.after.clone()));
    }
    (found != change.before).then(|| piece(change.before.clone(), found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Sha;

    #[test]
    fn only_what_packd_did_not_write_is_left() {
        let image = |text: &str| Some(FileImage::new(Sha::of(text.as_bytes()), 0o644));
        let own = BTreeMap::from([("f".to_string(), OwnWrite { found: image("1"), left: image("2") })]);
        let change = |before: &str, after: &str| FileChange {
            path: "f".into(),
            before: side(&image(before)),
            after: side(&image(after)),
        };
        assert_eq!(rest(&change("1", "2"), &own), None);
        assert_eq!(rest(&change("1", "3"), &own), Some(change("2", "3")), "changed after packd wrote it");
        assert_eq!(rest(&change("0", "2"), &own), Some(change("0", "1")), "changed before packd wrote it");
        let other = FileChange { path: "g".into(), ..change("1", "2") };
        assert_eq!(rest(&other, &own), Some(other.clone()));
    }
}
