//! Carrying field changes out and taking them back, on a row to which others may have done things since.
//!
//! Does not ask whether anything is in the way (see `clash`). What a change does not name stays byte for byte.

use super::clash::{FieldPlace, kind};
use super::marks::{self, Lists, Mark, Marks};
use super::path::{self, Segment};
use super::{FieldChange, Packed, Way};
use crate::core::msgpack;
use crate::core::shape::{Field, Shape, TableShape};

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
            let now = FieldPlace::find(shape.shape, value, marks, &segments).map(|place| place.value);
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
            // Packed just became a map, and only fields that are lists by their shape ever become lists.
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
            // Packed just became a list, and only fields that are maps by their shape ever become maps.
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
        let is_list = |kind: &Field| matches!(kind, Field::Keyed(..) | Field::Log | Field::Set);
        let kind = shape.field(&last.field).filter(is_list)?;
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
