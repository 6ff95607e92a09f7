//! Finding the lines of an anchor again in one file.
//!
//! First the same lines, then the same lines with other white space; of several the best surrounded and nearest.
//! Then what has become of them: the definition of that name, or whatever stands between the same neighbours. Code that
//! is there twice is not taken for its twin when one of the two is edited.

use super::super::model::LineRange;
use super::super::source::SourceFile;
use super::anchor::{Anchor, marks_after, marks_before};
use super::definitions::{self, Definition, Definitions};
use super::fingerprint::{digest, mark, squeeze, squeezed};
use crate::core::Sha;

/// What became of an anchor in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// The same lines, here.
    Same(LineRange),
    /// The definition they belong to, with other lines.
    Changed(LineRange),
    /// Something else where they were; they themselves may be in another file.
    Instead(LineRange),
}

/// Lines with fewer letters and digits in all are found again only by what is around them.
const TELLING: usize = 8;
/// So many remembered neighbours must be there before what is between them counts as the lines' successor.
const NEIGHBOURS: usize = 3;
/// How much longer than before what stands between two neighbours may be.
const GROWN: u64 = 60;

/// Do these lines of the file hold what the anchor saw, white space aside?
pub fn holds(source: &SourceFile, exact: &Sha, loose: &Sha, lines: LineRange) -> bool {
    lines.start >= 1
        && lines.end <= source.total() as u64
        && (digest_of(source, lines) == *exact || squeezed(source.lines(lines)) == *loose)
}

/// The digest of lines, of one piece where that is the same.
fn digest_of(source: &SourceFile, lines: LineRange) -> Sha {
    match source.joined(lines) {
        Some(text) => Sha::of(text.as_bytes()),
        None => digest(source.lines(lines)),
    }
}

/// The best place of the same lines; `text` is what the anchor kept of them, `all` what is defined in the file.
pub fn same(source: &SourceFile, anchor: &Anchor, text: &str, all: &Definitions) -> Option<LineRange> {
    let kept: Vec<String> = text.lines().map(squeeze).collect();
    let (at, telling) = kept.iter().enumerate().max_by_key(|(i, l)| (l.len(), usize::MAX - i))?;
    let letters: usize = kept.iter().map(|l| l.chars().filter(|c| c.is_alphanumeric()).count()).sum();
    let length = anchor.lines.end - anchor.lines.start;
    let mut best = None;
    for (number, line) in source.numbered_lines() {
        // The cheap look first: most lines of a file are not this one.
        if number <= at || !could_be(line, telling) || squeeze(line) != *telling {
            continue;
        }
        let start = (number - at) as u64;
        let place = LineRange { start, end: start + length };
        if !holds(source, &anchor.digest, &anchor.squeezed, place) {
            continue;
        }
        let near = surrounded(source, anchor, place);
        if letters < TELLING && near < 2 {
            continue;
        }
        let exact = digest(source.lines(place)) == anchor.digest;
        let rank =
            (at_home(anchor, all, place), near, exact, u64::MAX - place.start.abs_diff(anchor.lines.start));
        if best.as_ref().is_none_or(|(than, _)| rank > *than) {
            best = Some((rank, place));
        }
    }
    best.map(|(_, place)| place)
}

fn could_be(line: &str, telling: &str) -> bool {
    line.len() >= telling.len() && line.trim_start().as_bytes().first() == telling.as_bytes().first()
}

/// How many of the remembered neighbours are there.
fn surrounded(source: &SourceFile, anchor: &Anchor, place: LineRange) -> usize {
    let alike = |a: &[String], b: &[String]| a.iter().zip(b).filter(|(a, b)| a == b).count();
    alike(&marks_before(source, place.start as usize), &anchor.before)
        + alike(&marks_after(source, place.end as usize), &anchor.after)
}

/// Do these lines belong to a definition of the anchor's name in the same surroundings?
fn at_home(anchor: &Anchor, all: &Definitions, place: LineRange) -> bool {
    !anchor.definition.is_empty()
        && all.of_range(place).is_some_and(|own| all.is_called(own, &anchor.definition))
}

/// Where the same lines stand elsewhere in the file: what was made of those that were meant, if these are only a copy
/// of them.
fn edited(source: &SourceFile, anchor: &Anchor, all: &Definitions, copy: LineRange) -> Option<LineRange> {
    let homes: Vec<&Definition> = all.iter().filter(|d| all.is_called(d, &anchor.definition)).collect();
    let found = match (at_home(anchor, all, copy), homes.as_slice()) {
        (true, [_]) => return None,
        (false, homes) if !anchor.definition.is_empty() => {
            let home = nearest(homes, anchor)?;
            match anchor.lead >= 0 {
                true => successor(source, anchor, all, home),
                false => between(source, anchor, Some(home.lines)).lines()?,
            }
        }
        // Only the neighbours tell which of several is meant.
        _ => {
            let found = between(source, anchor, None).lines()?;
            if surrounded(source, anchor, found) <= surrounded(source, anchor, copy) {
                return None;
            }
            found
        }
    };
    // Lines with something new beside them are still those lines.
    let within = copy.start >= found.start && copy.end <= found.end;
    (!within).then_some(found)
}

fn nearest<'a>(all: &[&'a Definition], anchor: &Anchor) -> Option<&'a Definition> {
    all.iter().copied().min_by_key(|d| d.lines.start.abs_diff(anchor.lines.start))
}

/// What stands where the lines were; `None` = nothing that could be shown as their successor.
fn changed(source: &SourceFile, anchor: &Anchor, all: &Definitions) -> Option<Hit> {
    let called = |same: &dyn Fn(&Definition) -> bool| -> Vec<&Definition> {
        all.iter().filter(|d| !anchor.definition.is_empty() && same(d)).collect()
    };
    let own = nearest(&called(&|d| all.is_called(d, &anchor.definition)), anchor);
    let alike = || nearest(&called(&|d| Some(&d.name) == anchor.definition.last()), anchor);
    let lines = match own.or_else(alike) {
        // The range began with the definition, or with what is written above it.
        Some(one) if anchor.lead >= 0 => Some(successor(source, anchor, all, one)),
        Some(one) => match between(source, anchor, Some(one.lines)) {
            Between::Unknown => Some(one.lines),
            known => known.lines(),
        },
        None => between(source, anchor, None).lines(),
    };
    // A definition that is not here any more may have gone to another file; lines of none have their place only.
    let here = own.is_some() || anchor.definition.is_empty();
    lines.map(if here { Hit::Changed } else { Hit::Instead })
}

/// The lines that a range which began with a definition, or above it, has now.
fn successor(source: &SourceFile, anchor: &Anchor, all: &Definitions, own: &Definition) -> LineRange {
    let above = all.iter().map(|d| d.lines.end).filter(|end| *end < own.lines.start).max();
    let start = own.lines.start.saturating_sub(anchor.lead.unsigned_abs()).max(above.unwrap_or(0) + 1);
    let length = anchor.lines.end - anchor.lines.start;
    let end = match (anchor.beyond, anchor.to_its_end) {
        (true, _) => match between(source, anchor, None).lines() {
            Some(found) if found.start <= own.lines.start && found.end >= own.lines.end => return found,
            _ => (start + length).min(source.total() as u64).max(own.lines.end),
        },
        (false, true) => own.lines.end,
        (false, false) => own.lines.end.min(start + length),
    };
    LineRange { start, end: end.max(start) }
}

enum Between {
    Lines(LineRange),
    /// The neighbours stand side by side: what was between them is gone.
    Nothing,
    Unknown,
}

impl Between {
    fn lines(self) -> Option<LineRange> {
        match self {
            Between::Lines(lines) => Some(lines),
            Between::Nothing | Between::Unknown => None,
        }
    }
}

/// What stands between the neighbours the lines had. Where there were none above or below, the file begins or ends.
fn between(source: &SourceFile, anchor: &Anchor, within: Option<LineRange>) -> Between {
    // Each line is marked once: a neighbour such as `}` stands in thousands of places.
    let marks: Vec<Option<String>> = source.numbered_lines().map(|(_, line)| mark(line)).collect();
    let is = |number: u64, wanted: &String| marks[number as usize - 1].as_ref() == Some(wanted);
    let length = anchor.lines.end - anchor.lines.start + 1;
    let total = marks.len() as u64;
    let limits = within.unwrap_or(LineRange { start: 1, end: total });
    let above: Vec<u64> = match anchor.before.first() {
        Some(above) => (limits.start..=limits.end).filter(|n| is(*n, above)).collect(),
        None => vec![0],
    };
    let mut best: Option<((usize, u64), LineRange)> = None;
    for number in above {
        // What follows the last lines of a definition stands outside of it.
        let last = total.min(number + length + GROWN);
        let next = match anchor.after.first() {
            Some(below) => (number + 1..=last).find(|n| is(*n, below)),
            None => Some(total + 1).filter(|end| end - number <= 2 * length + GROWN),
        };
        let Some(next) = next else { continue };
        let place = LineRange { start: number + 1, end: limits.end.min(next - 1) };
        let rank = (surrounded(source, anchor, place), u64::MAX - place.start.abs_diff(anchor.lines.start));
        if best.as_ref().is_none_or(|(than, _)| rank > *than) {
            best = Some((rank, place));
        }
    }
    let enough = NEIGHBOURS.min(anchor.before.len() + anchor.after.len());
    match best {
        Some(((near, _), _)) if near < enough => Between::Unknown,
        Some((_, place)) if blank(source, place) => Between::Nothing,
        Some((_, place)) => Between::Lines(trimmed(source, place)),
        None => Between::Unknown,
    }
}

fn blank(source: &SourceFile, place: LineRange) -> bool {
    place.end < place.start || source.lines(place).all(|l| l.trim().is_empty())
}

/// Without blank lines at either end; there is a line that is not blank.
fn trimmed(source: &SourceFile, mut place: LineRange) -> LineRange {
    let is_blank = |n: u64| source.line(n as usize).is_none_or(|l| l.trim().is_empty());
    while place.start < place.end && is_blank(place.start) {
        place.start += 1;
    }
    while place.end > place.start && is_blank(place.end) {
        place.end -= 1;
    }
    place
}

/// All of it: the same lines where they were, elsewhere in the file, or what became of them.
pub fn find(source: &SourceFile, path: &str, anchor: &Anchor, text: &str) -> Option<Hit> {
    if holds(source, &anchor.digest, &anchor.squeezed, anchor.lines) {
        return Some(Hit::Same(anchor.lines));
    }
    let all = &*definitions::all(source, path);
    match same(source, anchor, text, all) {
        Some(place) => Some(edited(source, anchor, all, place).map_or(Hit::Same(place), Hit::Changed)),
        None => changed(source, anchor, all),
    }
}
