//! From two whole rows to the fields that differ, and the identities of the new one.

use std::collections::{HashMap, HashSet};

use super::marks::{self, Mark, Marks, Uid};
use super::{FieldChange, Packed, RowChange, RowContent, What, order, path};
use crate::core::shape::{Field, Shape, TableShape};
use crate::core::{Change, msgpack};

const EMPTY_MAP: &[u8] = &[0x80];
const EMPTY_LIST: &[u8] = &[0x90];

/// Where new identities come from: a random text and how many were made of it.
pub struct Seed {
    random: Vec<u8>,
    used: u64,
}

impl Seed {
    pub fn new(random: &str) -> Seed {
        Seed { random: random.as_bytes().to_vec(), used: 0 }
    }

    fn uid(&mut self) -> Uid {
        self.used += 1;
        Uid::from(&self.random, "", self.used)
    }
}

impl RowChange {
    /// What a change of a whole row comes down to, and the marks of the row it leaves (none for a row that is gone).
    pub fn between(shape: &TableShape, change: &Change, seed: &mut Seed) -> (RowChange, Option<Marks>) {
        let rev = |image: &Option<crate::core::Image>| image.as_ref().map_or(0, |image| image.rev);
        let (from, to) = (rev(&change.before), rev(&change.after));
        let (what, marks) = match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                let old = before.marks_or(shape, &change.key);
                // Content that comes back brings its identities along.
                let given = after.own_marks();
                let mut diff = Diff::new(&old, given.as_ref(), seed);
                diff.row(shape, &before.value, &after.value);
                let Diff { out, new, .. } = diff;
                (What::Edited(out), Some(new))
            }
            (None, Some(after)) => {
                let fresh = || Marks::fresh(seed.uid(), shape.shape, &after.value);
                let marks = after.own_marks().unwrap_or_else(fresh);
                (What::Made(RowContent::new(shape, &after.value, &marks)), Some(marks))
            }
            (Some(before), None) => {
                let old = before.marks_or(shape, &change.key);
                (What::Gone(RowContent::new(shape, &before.value, &old)), None)
            }
            (None, None) => (What::Edited(Vec::new()), None),
        };
        (RowChange { table: change.table.clone(), key: change.key.clone(), from, to, what }, marks)
    }
}

/// The paths below which two versions of one map differ, whatever their identities.
pub(super) fn differing(shape: &Shape, prefix: &str, before: &[u8], after: &[u8]) -> Vec<FieldChange> {
    let old = Marks { lists: marks_of(shape, prefix, before), uid: Uid::default() };
    let mut seed = Seed::new("");
    let mut diff = Diff::new(&old, None, &mut seed);
    if !diff.map(shape, prefix, before, after) {
        diff.whole(prefix.trim_end_matches('.'), Some(before), Some(after));
    }
    diff.out
}

fn marks_of(shape: &Shape, prefix: &str, value: &[u8]) -> marks::Lists {
    let mut lists = marks::Lists::new();
    marks::add_fresh(&mut lists, &Uid::default(), shape, prefix, value);
    lists
}

struct Diff<'a> {
    old: &'a Marks,
    /// Identities that the new side already has; otherwise they are kept or made.
    given: Option<&'a Marks>,
    new: Marks,
    seed: &'a mut Seed,
    out: Vec<FieldChange>,
}

impl<'a> Diff<'a> {
    fn new(old: &'a Marks, given: Option<&'a Marks>, seed: &'a mut Seed) -> Diff<'a> {
        Diff { old, given, new: given.unwrap_or(old).clone(), seed, out: Vec::new() }
    }

    fn row(&mut self, shape: &TableShape, before: &[u8], after: &[u8]) {
        if before == after {
            return;
        }
        let keeps_form = shape.is_declared() || same_names(before, after);
        if !keeps_form || !self.map(shape.shape, "", before, after) {
            self.out.clear();
            self.whole("", Some(before), Some(after));
        }
    }

    /// False where one side is no map.
    fn map(&mut self, shape: &Shape, prefix: &str, before: &[u8], after: &[u8]) -> bool {
        let (Some(before), Some(after)) = (msgpack::fields(before), msgpack::fields(after)) else {
            return false;
        };
        for (name, value) in &after {
            let old = before.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            if old != Some(*value) {
                self.field(shape, prefix, name, old, Some(value));
            }
        }
        for (name, value) in &before {
            if !after.iter().any(|(known, _)| known == name) {
                self.field(shape, prefix, name, Some(value), None);
            }
        }
        true
    }

    fn field(
        &mut self,
        shape: &Shape,
        prefix: &str,
        name: &str,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) {
        let at = path::field(prefix, name);
        let (old, new) = (before.unwrap_or(EMPTY_LIST), after.unwrap_or(EMPTY_LIST));
        let done = match shape.field(name) {
            Some(Field::Keyed(by, inner)) => {
                if !self.keyed(by, inner, &at, old, new) {
                    self.anew(shape, prefix, name, before, after);
                }
                true
            }
            Some(Field::Log) => {
                if !self.log(&at, old, new) {
                    self.anew(shape, prefix, name, before, after);
                }
                true
            }
            Some(Field::Set) => self.set(&at, old, new),
            Some(Field::Nested(inner)) => {
                self.map(inner, &format!("{at}."), before.unwrap_or(EMPTY_MAP), after.unwrap_or(EMPTY_MAP))
            }
            _ => false,
        };
        if !done {
            self.whole(&at, before, after);
        }
    }

    fn whole(&mut self, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) {
        let packed = |side: Option<&[u8]>| side.map(|bytes| Packed(bytes.to_vec()));
        self.out.push(FieldChange {
            path: path.to_string(),
            before: packed(before),
            after: packed(after),
            ..FieldChange::default()
        });
    }

    /// A list whose elements cannot be told apart is a whole value, and all that is in it begins anew.
    fn anew(&mut self, shape: &Shape, prefix: &str, name: &str, before: Option<&[u8]>, after: Option<&[u8]>) {
        let at = path::field(prefix, name);
        let uid = self.seed.uid();
        self.whole(&at, before, after);
        if let Some(change) = self.out.last_mut() {
            change.inner = Some(self.old.of_list(&at));
            change.mark = Some(Mark(uid, String::new()));
        }
        self.new.forget_list(&at);
        if let Some(after) = after {
            marks::add_fresh_field(&mut self.new.lists, &uid, shape, prefix, name, after);
        }
    }

    fn keyed(&mut self, by: &str, inner: &Shape, at: &str, before: &[u8], after: &[u8]) -> bool {
        let (Some(before), Some(after)) = (marks::keyed(by, before), marks::keyed(by, after)) else {
            return false;
        };
        let Some(old) = self.old.list(at, before.len()).map(<[Mark]>::to_vec).or_else(|| none(&before))
        else {
            return false;
        };
        let given = match self.given {
            Some(given) => match given.list(at, after.len()).map(<[Mark]>::to_vec).or_else(|| none(&after)) {
                Some(given) => Some(given),
                None => return false,
            },
            None => None,
        };
        let places: HashMap<&str, usize> = before.iter().enumerate().map(|(n, (id, _))| (*id, n)).collect();
        let stays: HashSet<&str> = after.iter().map(|(id, _)| *id).collect();
        for (n, (id, value)) in before.iter().enumerate().filter(|(_, (id, _))| !stays.contains(id)) {
            self.left(inner, &path::element(at, id), value, old[n].clone());
        }
        let new = given.unwrap_or_else(|| self.placed(&after, &places, &old));
        for ((id, value), mark) in after.iter().zip(&new) {
            let own = path::element(at, id);
            match places.get(id) {
                Some(&n) => {
                    if old[n].1 != mark.1 {
                        let moved = Some((old[n].1.clone(), mark.1.clone()));
                        self.out.push(FieldChange { path: own.clone(), moved, ..FieldChange::default() });
                    }
                    if before[n].1 != *value && !self.map(inner, &format!("{own}."), before[n].1, value) {
                        self.whole(&own, Some(before[n].1), Some(value));
                    }
                }
                None => self.came(inner, &own, value, mark.clone()),
            }
        }
        self.new.put(at, new);
        true
    }

    /// The marks of a list in its new order: who stays in place keeps the place, everybody else gets one between.
    fn placed(&mut self, after: &[(&str, &[u8])], places: &HashMap<&str, usize>, old: &[Mark]) -> Vec<Mark> {
        let was: Vec<Option<usize>> = after.iter().map(|(id, _)| places.get(id).copied()).collect();
        let kept = rising(&was);
        let mut new: Vec<Mark> = Vec::with_capacity(after.len());
        for (n, place) in was.iter().enumerate() {
            let mark = match place {
                Some(place) if kept.contains(&n) => old[*place].clone(),
                place => {
                    let before = (n + 1..was.len())
                        .find(|m| kept.contains(m))
                        .and_then(|m| was[m].map(|place| old[place].1.as_str()));
                    let at = order::between(new.last().map(|mark| mark.1.as_str()), before);
                    Mark(place.map_or_else(|| self.seed.uid(), |place| old[place].0), at)
                }
            };
            new.push(mark);
        }
        new
    }

    fn log(&mut self, at: &str, before: &[u8], after: &[u8]) -> bool {
        let (Some(before), Some(after)) = (msgpack::items(before), msgpack::items(after)) else {
            return false;
        };
        let Some(old) = self.old.list(at, before.len()).map(<[Mark]>::to_vec).or_else(|| none(&before))
        else {
            return false;
        };
        let new: Vec<Mark> = match self.given {
            Some(given) => match given.list(at, after.len()).map(<[Mark]>::to_vec).or_else(|| none(&after)) {
                Some(given) => given,
                None => return false,
            },
            None => {
                let head = before.iter().zip(&after).take_while(|(b, a)| b == a).count();
                let tails = before[head..].iter().rev().zip(after[head..].iter().rev());
                let tail = tails.take_while(|(b, a)| b == a).count();
                let middle = after.len() - head - tail;
                let mut new = old[..head].to_vec();
                new.extend((0..middle).map(|_| Mark(self.seed.uid(), String::new())));
                new.extend_from_slice(&old[old.len() - tail..]);
                new
            }
        };
        let places = |marks: &[Mark]| -> HashMap<Uid, usize> {
            marks.iter().enumerate().map(|(n, mark)| (mark.0, n)).collect()
        };
        let (was, is) = (places(&old), places(&new));
        for (n, mark) in old.iter().enumerate() {
            if is.get(&mark.0).is_none_or(|m| after[*m] != before[n]) {
                self.element(at, &mark.0.text(), Some(before[n]), None, Some(mark.clone()), n);
            }
        }
        for (n, mark) in new.iter().enumerate() {
            if was.get(&mark.0).is_none_or(|m| before[*m] != after[n]) {
                self.element(at, &mark.0.text(), None, Some(after[n]), Some(mark.clone()), n);
            }
        }
        self.new.put(at, new);
        true
    }

    /// False where the same members stand in another order, or where this is no set: then it is a whole value.
    fn set(&mut self, at: &str, before: &[u8], after: &[u8]) -> bool {
        let (Some(before), Some(after)) = (members(before), members(after)) else { return false };
        let both = |list: &[&str], other: &[&str]| -> Vec<String> {
            list.iter().filter(|m| other.contains(m)).map(ToString::to_string).collect()
        };
        if both(&before, &after) != both(&after, &before) {
            return false;
        }
        let packed = |text: &str| {
            let mut out = Vec::new();
            msgpack::put_text(&mut out, text);
            out
        };
        for (n, gone) in before.iter().enumerate().filter(|(_, m)| !after.contains(m)) {
            self.element(at, gone, Some(&packed(gone)), None, None, n);
        }
        for (n, new) in after.iter().enumerate().filter(|(_, m)| !before.contains(m)) {
            self.element(at, new, None, Some(&packed(new)), None, n);
        }
        true
    }

    fn element(
        &mut self,
        list: &str,
        id: &str,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
        mark: Option<Mark>,
        index: usize,
    ) {
        self.whole(&path::element(list, id), before, after);
        if let Some(change) = self.out.last_mut() {
            change.mark = mark;
            change.index = Some(u32::try_from(index).unwrap_or(u32::MAX));
        }
    }

    /// An element of a keyed list is gone, and with it the marks inside of it.
    fn left(&mut self, shape: &Shape, own: &str, value: &[u8], mark: Mark) {
        let inner = self.old.below(own);
        let mut fresh = marks::Lists::new();
        marks::add_fresh(&mut fresh, &mark.0, shape, &format!("{own}."), value);
        self.whole(own, Some(value), None);
        if let Some(change) = self.out.last_mut() {
            change.inner = (inner != fresh).then_some(inner);
            change.mark = Some(mark);
        }
        self.new.forget_below(own);
    }

    fn came(&mut self, shape: &Shape, own: &str, value: &[u8], mark: Mark) {
        let mut fresh = marks::Lists::new();
        marks::add_fresh(&mut fresh, &mark.0, shape, &format!("{own}."), value);
        let inner = match self.given {
            Some(given) => Some(given.below(own)).filter(|inner| *inner != fresh),
            None => {
                self.new.lists.extend(fresh);
                None
            }
        };
        self.whole(own, None, Some(value));
        if let Some(change) = self.out.last_mut() {
            change.inner = inner;
            change.mark = Some(mark);
        }
    }
}

/// No marks are right for no elements.
fn none<T>(elements: &[T]) -> Option<Vec<Mark>> {
    elements.is_empty().then(Vec::new)
}

fn same_names(before: &[u8], after: &[u8]) -> bool {
    match (msgpack::fields(before), msgpack::fields(after)) {
        (Some(before), Some(after)) => {
            before.iter().map(|(name, _)| name).eq(after.iter().map(|(name, _)| name))
        }
        _ => false,
    }
}

pub(super) fn members(list: &[u8]) -> Option<Vec<&str>> {
    let members: Vec<&str> = msgpack::items(list)?.into_iter().map(msgpack::text).collect::<Option<_>>()?;
    let distinct: HashSet<&&str> = members.iter().collect();
    (distinct.len() == members.len()).then_some(members)
}

/// The positions of a longest rising sequence among the places that are known.
fn rising(places: &[Option<usize>]) -> HashSet<usize> {
    // Of all rising sequences of each length, the one that ends lowest.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (n, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let length = ends.partition_point(|end| places[*end].is_some_and(|other| other < *place));
        before[n] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = n,
            None => ends.push(n),
        }
    }
    let mut out = HashSet::new();
    let mut at = ends.last().copied();
    while let Some(n) = at {
        out.insert(n);
        at = before[n];
    }
    out
}
