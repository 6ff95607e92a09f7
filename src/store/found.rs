//! What records are found by: one small entry for each thing somebody may ask for.
//!
//! An entry is a kind, a digest of what is asked for, and the record. Two things may share a digest, so whoever
//! looks a record up compares it with what was wanted; nothing is ever found that does not fit.

use xxhash_rust::xxh3::xxh3_64;

use super::layout;
use crate::core::change::{What, element_ids, part, path};
use crate::core::op::Stream;
use crate::core::{Key, Op, RowChange, TableShape};

/// What may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum By {
    Id = 1,
    Request = 2,
    Workspace = 3,
    Family = 4,
    Target = 5,
    Session = 6,
    Tool = 7,
    Client = 8,
    Field = 9,
    Row = 10,
}

/// Fields of one operation that are found; an operation that changes more is found below the fields they are in.
const MOST_FIELDS: usize = 64;

/// The entries of everything that fits: a record's key follows.
pub(super) fn prefix(by: By, what: &Key) -> Vec<u8> {
    let mut out = Vec::with_capacity(18);
    out.push(by as u8);
    out.extend_from_slice(&xxh3_64(what.as_bytes()).to_be_bytes());
    out
}

fn entry(by: By, what: &Key, stream: Stream, seq: u64) -> Vec<u8> {
    let mut out = prefix(by, what);
    out.extend_from_slice(&layout::log_key(stream, seq));
    out
}

pub(super) fn row_of(table: &str, key: &Key) -> Key {
    Key::of(table).join(key)
}

/// Where creations stand: which fields they have nobody lists, but for the elements of their lists.
fn made(workspace: &str) -> Key {
    Key::of(workspace).text("").text("made")
}

/// Where an operation stands that changed too many fields to list them: below the first field of each.
fn many(workspace: &str, first: &str) -> Key {
    Key::of(workspace).text("").text("many").text(first)
}

/// The parts of a path that are listed: its first field, and each element of a list on the way.
fn listed(wanted: &str) -> Vec<String> {
    let Some(segments) = path::parse(wanted) else { return Vec::new() };
    let mut out: Vec<String> =
        segments.first().map(|first| path::field("", &first.field)).into_iter().collect();
    let mut prefix = String::new();
    for segment in &segments {
        let mut at = path::field(&prefix, &segment.field);
        if let Some(id) = &segment.element {
            at = path::element(&at, id);
            out.push(at.clone());
        }
        prefix = format!("{at}.");
    }
    out
}

/// Where every record that touched a field stands, among others.
pub(super) fn of_field(workspace: &str, wanted: &str) -> Vec<Vec<u8>> {
    let listed = listed(wanted);
    let (Some(first), Some(last)) = (listed.first(), listed.last()) else { return Vec::new() };
    let mut out = vec![Key::of(workspace).text(last), many(workspace, first)];
    if listed.len() == 1 {
        out.push(made(workspace));
    }
    out.iter().map(|what| prefix(By::Field, what)).collect()
}

/// Every entry of a record.
pub(super) fn entries(op: &Op, changes: &[RowChange], shape: &dyn Fn(&str) -> TableShape) -> Vec<Vec<u8>> {
    let of = |by: By, what: Key| entry(by, &what, op.stream, op.seq);
    let here = || Key::of(&op.workspace);
    let mut out: Vec<_> =
        std::iter::once(&op.id).chain(&op.aliases).map(|id| of(By::Id, Key::of(id))).collect();
    out.push(of(By::Workspace, here()));
    out.push(of(By::Family, here().text(&op.family)));
    out.push(of(By::Tool, here().text(&op.tool)));
    out.push(of(By::Session, Key::of(&op.who.session)));
    out.push(of(By::Client, here().text(&op.who.client)));
    out.extend(op.request_key.iter().map(|key| of(By::Request, Key::of(key))));
    out.extend(op.targets.iter().map(|target| of(By::Target, here().text(target))));
    out.extend(changes.iter().map(|change| of(By::Row, row_of(&change.table, &change.key))));
    let mut fields: Vec<String> = changes.iter().flat_map(|change| fields_of(change, shape)).collect();
    fields.sort_unstable();
    fields.dedup();
    if fields.len() <= MOST_FIELDS {
        out.extend(fields.iter().map(|path| of(By::Field, here().text(path))));
    } else {
        let mut first: Vec<String> =
            fields.iter().filter_map(|path| listed(path).into_iter().next()).collect();
        first.sort_unstable();
        first.dedup();
        out.extend(first.iter().map(|field| of(By::Field, here().text(field))));
        out.extend(first.iter().map(|field| of(By::Field, many(&op.workspace, field))));
    }
    if changes.iter().any(|change| !matches!(change.what, What::Edited(_))) {
        out.push(of(By::Field, made(&op.workspace)));
    }
    out
}

/// The listed parts of what one row's change touched.
fn fields_of(change: &RowChange, shape: &dyn Fn(&str) -> TableShape) -> Vec<String> {
    match &change.what {
        What::Edited(fields) => fields.iter().flat_map(|field| listed(&field.path)).collect(),
        What::Made(content) | What::Gone(content) => {
            let shape = shape(&change.table);
            let marks = content.marks(&shape);
            let lists = marks.lists.keys().filter_map(|list| {
                let value = part(&shape, &content.value.0, &marks, list)?;
                Some(element_ids(&shape, list, &value).into_iter().map(|id| path::element(list, &id)))
            });
            lists.flatten().collect()
        }
    }
}
