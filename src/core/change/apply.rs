//! Carrying field changes out and taking them back, on a row to which others may have done things since.
//!
//! [`clashes`] says what is in the way; [`apply`] does not ask. What a change does not name stays byte for byte.

use super::marks::{self, Lists, Mark, Marks};
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
    Place::find(shape.shape, value, marks, &segments).map(|place| place.value.to_vec())
}

/// The keys of the elements of a keyed list, given the list; none for any other path.
pub fn element_ids(shape: &TableShape, list: &str, value: &[u8]) -> Vec<String> {
    let by = path::parse(list).and_then(|segments| kind(shape.shape, &segments));
    let Some(Field::Keyed(by, _)) = by else { return Vec::new() };
    marks::keyed(by, value).unwrap_or_default().iter().map(|(id, _)| (*id).to_string()).collect()
}

struct Place<'a> {
    value: &'a [u8],
    mark: Option<&'a Mark>,
    /// The shape of what is there, where it is a map.
    shape: Option<&'static Shape>,
}

impl<'a> Place<'a> {
    fn find(shape: &'static Shape, value: &'a [u8], marks: &'a Marks, path: &[Segment]) -> Option<Place<'a>> {
        let mut place = Place { value, mark: None, shape: Some(shape) };
        let mut prefix = String::new();
        for Segment { field, element } in path {
            let shape = place.shape?;
            let fields = msgpack::fields(place.value)?;
            let value = fields.iter().find(|(name, _)| name == field).map(|(_, value)| *value)?;
            let at = path::field(&prefix, field);
            let kind = shape.field(field);
            place = match (element, kind) {
                (None, Some(Field::Nested(inner))) => Place { value, mark: None, shape: Some(inner) },
                (None, _) => Place { value, mark: None, shape: None },
                (Some(id), Some(Field::Keyed(by, inner))) => {
                    let elements = marks::keyed(by, value)?;
                    let n = elements.iter().position(|(known, _)| known == id)?;
                    let mark = marks.list(&at, elements.len()).map(|marks| &marks[n]);
                    Place { value: elements[n].1, mark, shape: Some(inner) }
                }
                (Some(id), Some(Field::Log)) => {
                    let items = msgpack::items(value)?;
                    let list = marks.list(&at, items.len())?;
                    let n = list.iter().position(|mark| mark.0.text() == *id)?;
                    Place { value: items[n], mark: Some(&list[n]), shape: None }
                }
                (Some(id), Some(Field::Set)) => {
                    let n = diff::members(value)?.iter().position(|member| member == id)?;
                    Place { value: msgpack::items(value)?[n], mark: None, shape: None }
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
fn kind(shape: &'static Shape, path: &[Segment]) -> Option<Field> {
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
        let place = Place::find(shape.shape, value, marks, &segments);
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

/// Carries the changes out on a row, or takes them back; gives the row as its family writes it, and its marks.
///
/// A field that yields and is no longer what the changes expect stays as it is.
pub fn apply(
    shape: &TableShape,
    value: &[u8],
    marks: &Marks,
    fields: &[FieldChange],
    way: Way,
) -> (Vec<u8>, Marks) {
    let mut row = Row { shape: shape.shape, tree: Tree::Packed(value.to_vec()), marks: marks.clone() };
    let mut coming: Vec<&FieldChange> = Vec::new();
    for change in fields {
        let Some(segments) = path::parse(&change.path) else { continue };
        let (here, there) = change.sides(way);
        let yields = kind(shape.shape, &segments).is_some_and(Field::yields);
        if yields {
            let now = Place::find(shape.shape, value, marks, &segments).map(|place| place.value);
            if now != here.map(|here| here.0.as_slice()) {
                continue;
            }
        }
        let comes = segments.last().is_some_and(|last| last.element.is_some()) && here.is_none();
        match &change.moved {
            Some((before, after)) => {
                row.put_at(&segments, if way == Way::Back { before } else { after });
            }
            None if comes => coming.push(change),
            None => row.set(&segments, there, change, way),
        }
    }
    // What comes finds its place when everything that goes is gone, the first first.
    coming.sort_by_key(|change| change.index);
    for change in coming {
        if let (Some(segments), (_, Some(there))) = (path::parse(&change.path), change.sides(way)) {
            row.insert(&segments, there, change);
        }
    }
    let mut out = Vec::with_capacity(value.len() + 64);
    row.tree.write(&mut out);
    (shape.normal(out), row.marks)
}

/// A value whose touched parts have been taken apart.
enum Tree {
    Packed(Vec<u8>),
    Map(Vec<(String, Tree)>),
    List(Vec<Tree>),
}

impl Tree {
    fn map(&mut self) -> &mut Vec<(String, Tree)> {
        if let Tree::Packed(bytes) = self {
            let fields = msgpack::fields(bytes).unwrap_or_default();
            let fields = fields.into_iter().map(|(name, v)| (name.to_string(), Tree::Packed(v.to_vec())));
            *self = Tree::Map(fields.collect());
        }
        match self {
            Tree::Map(fields) => fields,
            // Only values that are lists by their shape become lists, and those are never asked for fields.
            Tree::Packed(_) | Tree::List(_) => unreachable!("a list has no fields"),
        }
    }

    fn list(&mut self) -> &mut Vec<Tree> {
        if let Tree::Packed(bytes) = self {
            let items = msgpack::items(bytes).unwrap_or_default();
            *self = Tree::List(items.into_iter().map(|item| Tree::Packed(item.to_vec())).collect());
        }
        match self {
            Tree::List(items) => items,
            Tree::Packed(_) | Tree::Map(_) => unreachable!("a map has no elements"),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Tree::Packed(bytes) => out.extend_from_slice(bytes),
            Tree::Map(fields) => {
                msgpack::put_fields(out, fields.len(), std::iter::empty());
                for (name, tree) in fields {
                    msgpack::put_text(out, name);
                    tree.write(out);
                }
            }
            Tree::List(items) => {
                msgpack::put_items(out, items.len(), std::iter::empty());
                items.iter().for_each(|item| item.write(out));
            }
        }
    }

    fn packed(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }
}

struct Row {
    shape: &'static Shape,
    tree: Tree,
    marks: Marks,
}

/// A list on its way: where it is, what kind it is, and its elements.
struct Open<'a> {
    at: String,
    kind: Field,
    items: &'a mut Vec<Tree>,
    marks: &'a mut Marks,
}

impl Row {
    /// The map that holds the last field of a path, made where it is missing; `None` where an element on the way
    /// is not there.
    fn holder(&mut self, way: &[Segment]) -> Option<(&mut Tree, &'static Shape, String, &mut Marks)> {
        let (mut tree, mut shape, mut prefix) = (&mut self.tree, self.shape, String::new());
        for Segment { field, element } in way {
            let at = path::field(&prefix, field);
            let kind = shape.field(field)?;
            let below = entry(tree.map(), field, kind);
            match (kind, element) {
                (Field::Nested(inner), None) => {
                    (tree, shape, prefix) = (below, inner, format!("{at}."));
                }
                (Field::Keyed(by, inner), Some(id)) => {
                    let items = below.list();
                    let n = items.iter().position(|item| is(item, by, id))?;
                    (tree, shape) = (&mut items[n], inner);
                    prefix = format!("{}.", path::element(&at, id));
                }
                _ => return None,
            }
        }
        Some((tree, shape, prefix, &mut self.marks))
    }

    fn open(&mut self, segments: &[Segment]) -> Option<Open<'_>> {
        let (last, way) = segments.split_last()?;
        let (tree, shape, prefix, marks) = self.holder(way)?;
        let kind = shape.field(&last.field)?;
        let items = entry(tree.map(), &last.field, kind).list();
        Some(Open { at: path::field(&prefix, &last.field), kind, items, marks })
    }

    /// Sets or removes a field, or removes an element.
    fn set(&mut self, segments: &[Segment], there: Option<&Packed>, change: &FieldChange, way: Way) {
        let Some((last, above)) = segments.split_last() else {
            if let Some(there) = there {
                self.tree = Tree::Packed(there.0.clone());
            }
            return;
        };
        if let (Some(id), None) = (&last.element, there) {
            if let Some(mut list) = self.open(segments) {
                list.remove(id);
            }
            return;
        }
        if last.element.is_some() {
            if let (Some(mut list), Some(there)) = (self.open(segments), there) {
                list.replace(last.element.as_deref().unwrap_or_default(), there);
            }
            return;
        }
        let Some((tree, shape, prefix, marks)) = self.holder(above) else { return };
        let fields = tree.map();
        match there {
            Some(there) => match fields.iter_mut().find(|(name, _)| *name == last.field) {
                Some((_, tree)) => *tree = Tree::Packed(there.0.clone()),
                None => fields.push((last.field.clone(), Tree::Packed(there.0.clone()))),
            },
            None => fields.retain(|(name, _)| *name != last.field),
        }
        // A list that was set as a whole has identities of its own on each side.
        if let Some(mark) = &change.mark {
            let at = path::field(&prefix, &last.field);
            marks.forget_list(&at);
            match (way, there) {
                (Way::Back, _) => marks.lists.extend(change.inner.clone().unwrap_or_default()),
                (Way::Forth, Some(there)) => {
                    marks::add_fresh_field(&mut marks.lists, &mark.0, shape, &prefix, &last.field, &there.0);
                }
                (Way::Forth, None) => {}
            }
        }
    }

    fn insert(&mut self, segments: &[Segment], there: &Packed, change: &FieldChange) {
        if let Some(mut list) = self.open(segments) {
            list.insert(there, change);
        }
    }

    fn put_at(&mut self, segments: &[Segment], at: &str) {
        let id = segments.last().and_then(|last| last.element.clone()).unwrap_or_default();
        if let Some(mut list) = self.open(segments) {
            list.move_to(&id, at);
        }
    }
}

fn entry<'a>(fields: &'a mut Vec<(String, Tree)>, name: &str, kind: Field) -> &'a mut Tree {
    let n = match fields.iter().position(|(known, _)| known == name) {
        Some(n) => n,
        None => {
            let empty = if matches!(kind, Field::Nested(_)) { 0x80 } else { 0x90 };
            fields.push((name.to_string(), Tree::Packed(vec![empty])));
            fields.len() - 1
        }
    };
    &mut fields[n].1
}

/// Is this the element of a keyed list with this key?
fn is(item: &Tree, by: &str, id: &str) -> bool {
    match item {
        Tree::Packed(bytes) => {
            let fields = msgpack::fields(bytes).unwrap_or_default();
            fields.iter().any(|(name, value)| *name == by && msgpack::text(value) == Some(id))
        }
        Tree::Map(fields) => {
            fields.iter().any(|(name, value)| name == by && msgpack::text(&value.packed()) == Some(id))
        }
        Tree::List(_) => false,
    }
}

impl Open<'_> {
    fn position(&self, id: &str) -> Option<usize> {
        match self.kind {
            Field::Keyed(by, _) => self.items.iter().position(|item| is(item, by, id)),
            Field::Log => {
                self.marks.list(&self.at, self.items.len())?.iter().position(|mark| mark.0.text() == id)
            }
            _ => self.items.iter().position(|item| msgpack::text(&item.packed()) == Some(id)),
        }
    }

    fn has_marks(&self) -> bool {
        matches!(self.kind, Field::Keyed(..) | Field::Log)
    }

    /// The marks of the list as it is now; a list whose marks do not fit is left without.
    fn own_marks(&self) -> Vec<Mark> {
        self.marks.list(&self.at, self.items.len()).map(<[Mark]>::to_vec).unwrap_or_default()
    }

    fn remove(&mut self, id: &str) {
        let Some(n) = self.position(id) else { return };
        let mut marks = self.own_marks();
        self.items.remove(n);
        if self.has_marks() && n < marks.len() {
            marks.remove(n);
            self.marks.put(&self.at, marks);
        }
        self.marks.forget_below(&path::element(&self.at, id));
    }

    fn replace(&mut self, id: &str, there: &Packed) {
        if let Some(n) = self.position(id) {
            self.items[n] = Tree::Packed(there.0.clone());
        }
    }

    fn insert(&mut self, there: &Packed, change: &FieldChange) {
        let item = Tree::Packed(there.0.clone());
        let mut marks = self.own_marks();
        let n = match (self.kind, &change.mark) {
            (Field::Keyed(..), Some(mark)) => marks.partition_point(|m| (&m.1, &m.0) < (&mark.1, &mark.0)),
            _ => change.index.map_or(usize::MAX, |n| n as usize),
        };
        let n = n.min(self.items.len());
        self.items.insert(n, item);
        let Some(mark) = change.mark.as_ref().filter(|_| self.has_marks()) else { return };
        marks.insert(n.min(marks.len()), mark.clone());
        self.marks.put(&self.at, marks);
        if let Field::Keyed(_, inner) = self.kind {
            let own = change.path.clone();
            let below = change.inner.clone().unwrap_or_else(|| {
                let mut fresh = Lists::new();
                marks::add_fresh(&mut fresh, &mark.0, inner, &format!("{own}."), &there.0);
                fresh
            });
            self.marks.lists.extend(below);
        }
    }

    fn move_to(&mut self, id: &str, at: &str) {
        let mut marks = self.own_marks();
        let Some(n) = self.position(id).filter(|n| *n < marks.len()) else { return };
        let (item, mark) = (self.items.remove(n), Mark(marks.remove(n).0, at.to_string()));
        let n = marks.partition_point(|m| (&m.1, &m.0) < (&mark.1, &mark.0));
        self.items.insert(n, item);
        marks.insert(n, mark);
        self.marks.put(&self.at, marks);
    }
}
