//! What stands at a path of a row, and what is in the way of carrying changes out there.

use super::marks::{self, Mark, Marks};
use super::path::{self, Segment};
use super::{FieldChange, Packed, Way, diff};
use crate::core::msgpack;
use crate::core::shape::{Field, Shape, TableShape};

/// A field that is not what the operation left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    pub path: String,
    pub left: Option<Packed>,
    pub now: Option<Packed>,
}

/// The value at a path; `None` where there is nothing, or where the shape knows no such path.
pub fn part(shape: &TableShape, value: &[u8], marks: &Marks, wanted: &str) -> Option<Vec<u8>> {
    let segments = path::parse(wanted)?;
    FieldPlace::find(shape.shape, value, marks, &segments).map(|place| place.value.to_vec())
}

/// The keys of the elements of a keyed list, given the list; none for any other path.
pub fn element_ids(shape: &TableShape, list: &str, value: &[u8]) -> Vec<String> {
    let by = path::parse(list).and_then(|segments| kind(shape.shape, &segments));
    let Some(Field::Keyed(by, _)) = by else { return Vec::new() };
    marks::keyed(by, value).unwrap_or_default().iter().map(|(id, _)| (*id).to_string()).collect()
}

pub(super) struct FieldPlace<'a> {
    pub value: &'a [u8],
    pub mark: Option<&'a Mark>,
    /// The shape of what is there, where it is a map.
    shape: Option<&'static Shape>,
}

impl<'a> FieldPlace<'a> {
    pub fn find(
        shape: &'static Shape,
        value: &'a [u8],
        marks: &'a Marks,
        path: &[Segment],
    ) -> Option<FieldPlace<'a>> {
        let mut place = FieldPlace { value, mark: None, shape: Some(shape) };
        let mut prefix = String::new();
        for Segment { field, element } in path {
            let shape = place.shape?;
            let fields = msgpack::fields(place.value)?;
            let value = fields.iter().find(|(name, _)| name == field).map(|(_, value)| *value)?;
            let at = path::field(&prefix, field);
            let kind = shape.field(field);
            place = match (element, kind) {
                (None, Some(Field::Nested(inner))) => FieldPlace { value, mark: None, shape: Some(inner) },
                (None, _) => FieldPlace { value, mark: None, shape: None },
                (Some(id), Some(Field::Keyed(by, inner))) => {
                    let elements = marks::keyed(by, value)?;
                    let n = elements.iter().position(|(known, _)| known == id)?;
                    let mark = marks.list(&at, elements.len()).map(|marks| &marks[n]);
                    FieldPlace { value: elements[n].1, mark, shape: Some(inner) }
                }
                (Some(id), Some(Field::Log)) => {
                    let items = msgpack::items(value)?;
                    let list = marks.list(&at, items.len())?;
                    let n = list.iter().position(|mark| mark.0.text() == *id)?;
                    FieldPlace { value: items[n], mark: Some(&list[n]), shape: None }
                }
                (Some(id), Some(Field::Set)) => {
                    let n = diff::members(value)?.iter().position(|member| member == id)?;
                    FieldPlace { value: msgpack::items(value)?[n], mark: None, shape: None }
                }
                (Some(_), _) => return None,
            };
            prefix = match element {
                Some(id) => format!("{}.", path::element(&at, id)),
                None => format!("{at}."),
            };
        }
        Some(place)
    }
}

/// The field a path ends at, as its shape calls it.
pub(super) fn kind(shape: &'static Shape, path: &[Segment]) -> Option<Field> {
    let mut shape = shape;
    let (last, way) = path.split_last()?;
    for segment in way {
        shape = match shape.field(&segment.field)? {
            Field::Keyed(_, inner) | Field::Nested(inner) => inner,
            _ => return None,
        };
    }
    shape.field(&last.field)
}

/// Every field that keeps these changes from being carried out, because it is no longer what they expect.
pub fn clashes(
    shape: &TableShape,
    value: &[u8],
    marks: &Marks,
    fields: &[FieldChange],
    way: Way,
) -> Vec<Clash> {
    let mut out = Vec::new();
    for change in fields {
        let Some(segments) = path::parse(&change.path) else { continue };
        if kind(shape.shape, &segments).is_some_and(Field::yields) {
            continue;
        }
        let place = FieldPlace::find(shape.shape, value, marks, &segments);
        if let Some((before, after)) = &change.moved {
            let expected = if way == Way::Back { after } else { before };
            let now = place.as_ref().and_then(|p| p.mark).map(|mark| mark.1.clone());
            if now.as_deref() != Some(expected) {
                let packed = |at: &str| crate::core::row::encode(at).ok().map(Packed);
                let now = now.and_then(|at| packed(&at));
                out.push(Clash { path: change.path.clone(), left: packed(expected), now });
            }
            continue;
        }
        let (here, _) = change.sides(way);
        let now = place.as_ref().map(|place| place.value);
        match (here, now) {
            (None, None) => {}
            (Some(here), Some(now)) if here.0 == now => {}
            (Some(here), Some(now)) => match place.as_ref().and_then(|place| place.shape) {
                Some(inner) => out.extend(inside(inner, &change.path, &here.0, now)),
                None => out.push(clash(&change.path, Some(&here.0), Some(now))),
            },
            (here, now) => out.push(clash(&change.path, here.map(|here| here.0.as_slice()), now)),
        }
    }
    out
}

/// What differs in a whole row from what an operation left, fields that yield aside.
pub fn row_clashes(shape: &TableShape, left: &[u8], now: &[u8]) -> Vec<Clash> {
    inside(shape.shape, "", left, now)
}

fn clash(path: &str, left: Option<&[u8]>, now: Option<&[u8]>) -> Clash {
    let packed = |side: Option<&[u8]>| side.map(|bytes| Packed(bytes.to_vec()));
    Clash { path: path.to_string(), left: packed(left), now: packed(now) }
}

fn inside(shape: &'static Shape, path: &str, left: &[u8], now: &[u8]) -> Vec<Clash> {
    if left == now {
        return Vec::new();
    }
    let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
    let differing = diff::differing(shape, &prefix, left, now);
    let below = |change: &FieldChange| {
        let own = change.path.strip_prefix(&prefix).unwrap_or(&change.path);
        path::parse(own).and_then(|segments| kind(shape, &segments))
    };
    let counts = differing.into_iter().filter(|change| !below(change).is_some_and(Field::yields));
    counts.map(|change| Clash { path: change.path, left: change.before, now: change.after }).collect()
}
