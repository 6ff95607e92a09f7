//! Walks several sorted layers as if they were one: where two have the same key, the upper one counts.
//!
//! Layers in memory are read some entries at a time, so that nothing is locked while the caller looks at an entry.

use std::collections::VecDeque;
use std::ops::Bound;

use super::generation::{RawKey, Value};
use super::ground::Ground;
use super::raw::{Raw, Span};
use crate::core::Result;

/// Entries read from a layer at first; each time twice as many, up to the second number.
const FIRST: usize = 8;
const MOST: usize = 256;

/// A sorted layer in memory.
pub(super) trait Layer {
    /// The next entries of the span, up to `most`; fewer mean that there are no more.
    fn some(&self, table: &str, span: &Span, most: usize) -> Vec<(RawKey, Value)>;
}

/// Calls `each` for every entry that is there, until it returns false. `above` begins with the uppermost layer.
pub(super) fn walk(
    above: &[&dyn Layer],
    ground: &Ground,
    table: &str,
    span: &Span,
    each: &mut dyn FnMut(&[u8], &[u8]) -> bool,
) -> Result<()> {
    let mut upper = Upper::new(above, table, span);
    if upper.cursors.is_empty() {
        return ground.walk(table, span, each);
    }
    let mut more = true;
    ground.walk(table, span, &mut |key, value| {
        while more && upper.first().is_some_and(|above| comes_before(above, key, span)) {
            more = upper.give(each);
        }
        if more {
            more = if upper.first() == Some(key) { upper.give(each) } else { each(key, value) };
        }
        more
    })?;
    while more && upper.first().is_some() {
        more = upper.give(each);
    }
    Ok(())
}

fn comes_before(a: &[u8], b: &[u8], span: &Span) -> bool {
    if span.reverse { a > b } else { a < b }
}

/// The layers in memory as one.
struct Upper<'a> {
    span: &'a Span,
    cursors: Vec<Cursor<'a>>,
}

impl<'a> Upper<'a> {
    fn new(above: &[&'a dyn Layer], table: &'a str, span: &'a Span) -> Upper<'a> {
        let cursors = above.iter().map(|layer| Cursor::new(*layer, table, span));
        Upper { span, cursors: cursors.filter(|cursor| !cursor.ready.is_empty()).collect() }
    }

    fn next(&self) -> Option<usize> {
        let mut best: Option<(usize, &[u8])> = None;
        for (i, cursor) in self.cursors.iter().enumerate() {
            let Some((key, _)) = cursor.ready.front() else { continue };
            // Of equal keys the first is the upper one.
            if best.is_none_or(|(_, least)| comes_before(key, least, self.span)) {
                best = Some((i, key));
            }
        }
        best.map(|(i, _)| i)
    }

    fn first(&self) -> Option<&[u8]> {
        self.next().and_then(|i| self.cursors[i].ready.front()).map(|(key, _)| &**key)
    }

    /// Gives away the first entry, if it is one that was not removed; false when no more are wanted.
    fn give(&mut self, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> bool {
        let Some((key, value)) = self.next().and_then(|i| self.cursors[i].take()) else { return true };
        for cursor in &mut self.cursors {
            if cursor.ready.front().is_some_and(|(other, _)| *other == key) {
                cursor.take();
            }
        }
        value.is_none_or(|value| each(&key, &value))
    }
}

struct Cursor<'a> {
    layer: &'a dyn Layer,
    table: &'a str,
    rest: Span,
    ready: VecDeque<(RawKey, Value)>,
    size: usize,
    ended: bool,
}

impl<'a> Cursor<'a> {
    fn new(layer: &'a dyn Layer, table: &'a str, span: &Span) -> Cursor<'a> {
        let rest = span.clone();
        let mut cursor = Cursor { layer, table, rest, ready: VecDeque::new(), size: FIRST, ended: false };
        cursor.fill();
        cursor
    }

    fn take(&mut self) -> Option<(RawKey, Value)> {
        let taken = self.ready.pop_front();
        if self.ready.is_empty() {
            self.fill();
        }
        taken
    }

    fn fill(&mut self) {
        if self.ended {
            return;
        }
        let got = self.layer.some(self.table, &self.rest, self.size);
        self.ended = got.len() < self.size;
        self.size = (self.size * 2).min(MOST);
        if let Some((last, _)) = got.last() {
            let beyond = Bound::Excluded(last.to_vec());
            if self.rest.reverse { self.rest.end = beyond } else { self.rest.start = beyond }
        }
        self.ready = got.into();
    }
}
