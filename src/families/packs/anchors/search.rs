//! Finding the lines of an anchor again in one file.
//!
//! First the same lines, then the same lines with other white space; of several the best surrounded and nearest.
//! Then what has become of them: the definition of that name, or whatever stands between the same neighbours.

use super::super::model::Lines;
use super::super::source::Source;
use super::anchor::{Anchor, marks_after, marks_before};
use super::definitions;
use super::fingerprint::{digest, mark, squeeze, squeezed};
use crate::core::Sha;

/// What became of an anchor in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// The same lines, here.
    Same(Lines),
    /// Other lines in their place.
    Changed(Lines),
}

/// Lines with fewer letters and digits in all are found again only by what is around them.
const TELLING: usize = 8;
/// So many remembered neighbours must be there before what is between them counts as the lines' successor.
const NEIGHBOURS: usize = 3;
/// How much longer than before what stands between two neighbours may be.
const GROWN: u64 = 60;

/// Do these lines of the file hold what the anchor saw, white space aside?
pub fn holds(source: &Source, exact: &Sha, loose: &Sha, lines: Lines) -> bool {
    lines.start >= 1
        && lines.end <= source.total() as u64
        && (digest_of(source, lines) == *exact || squeezed(source.lines(lines)) == *loose)
}

/// The digest of lines, of one piece where that is the same.
fn digest_of(source: &Source, lines: Lines) -> Sha {
    match source.joined(lines) {
        Some(text) => Sha::of(text.as_bytes()),
        None => digest(source.lines(lines)),
    }
}

/// The best place of the same lines; `text` is what the anchor kept of them.
pub fn same(source: &Source, anchor: &Anchor, text: &str) -> Option<Lines> {
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
        let place = Lines { start, end: start + length };
        if !holds(source, &anchor.digest, &anchor.squeezed, place) {
            continue;
        }
        let near = surrounded(source, anchor, place);
        if letters < TELLING && near < 2 {
            continue;
        }
        let exact = digest(source.lines(place)) == anchor.digest;
        let rank = (near, exact, u64::MAX - place.start.abs_diff(anchor.lines.start));
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
fn surrounded(source: &Source, anchor: &Anchor, place: Lines) -> usize {
    let alike = |a: &[String], b: &[String]| a.iter().zip(b).filter(|(a, b)| a == b).count();
    alike(&marks_before(source, place.start as usize), &anchor.before)
        + alike(&marks_after(source, place.end as usize), &anchor.after)
}

/// What stands where the lines were; `None` = nothing that could be shown as their successor.
pub fn changed(source: &Source, path: &str, anchor: &Anchor) -> Option<Lines> {
    let all = definitions::all(source, path);
    let named = match anchor.definition.is_empty() {
        true => Vec::new(),
        false => all.named(&anchor.definition),
    };
    let nearest = named.iter().min_by_key(|d| d.lines.start.abs_diff(anchor.lines.start));
    match nearest {
        // The range began with the definition, or with what is written above it.
        Some(own) if anchor.lead >= 0 => {
            let above = all.iter().map(|d| d.lines.end).filter(|end| *end < own.lines.start).max();
            let first =
                own.lines.start.saturating_sub(anchor.lead.unsigned_abs()).max(above.unwrap_or(0) + 1);
            let length = anchor.lines.end - anchor.lines.start;
            let last = if anchor.to_its_end { own.lines.end } else { own.lines.end.min(first + length) };
            Some(Lines { start: first, end: last.max(first) })
        }
        Some(own) => match between(source, anchor, Some(own.lines)) {
            Between::Lines(found) => Some(found),
            Between::Nothing => None,
            Between::Unknown => Some(own.lines),
        },
        None => match between(source, anchor, None) {
            Between::Lines(found) => Some(found),
            Between::Nothing | Between::Unknown => None,
        },
    }
}

enum Between {
    Lines(Lines),
    /// The neighbours stand side by side: what was between them is gone.
    Nothing,
    Unknown,
}

/// What stands between the neighbours the lines had.
fn between(source: &Source, anchor: &Anchor, within: Option<Lines>) -> Between {
    let (Some(above), Some(below)) = (anchor.before.first(), anchor.after.first()) else {
        return Between::Unknown;
    };
    // Each line is marked once: a neighbour such as `}` stands in thousands of places.
    let marks: Vec<Option<String>> = source.numbered_lines().map(|(_, line)| mark(line)).collect();
    let is = |number: u64, wanted: &String| marks[number as usize - 1].as_ref() == Some(wanted);
    let length = anchor.lines.end - anchor.lines.start + 1;
    let limits = within.unwrap_or(Lines { start: 1, end: marks.len() as u64 });
    let mut best: Option<((usize, u64), Lines)> = None;
    for number in (limits.start..=limits.end).filter(|n| is(*n, above)) {
        let last = limits.end.min(number + length + GROWN);
        let Some(next) = (number + 1..=last).find(|n| is(*n, below)) else { continue };
        let place = Lines { start: number + 1, end: next - 1 };
        let rank = (surrounded(source, anchor, place), u64::MAX - place.start.abs_diff(anchor.lines.start));
        if best.as_ref().is_none_or(|(than, _)| rank > *than) {
            best = Some((rank, place));
        }
    }
    match best {
        Some(((near, _), _)) if near < NEIGHBOURS => Between::Unknown,
        Some((_, place)) if blank(source, place) => Between::Nothing,
        Some((_, place)) => Between::Lines(trimmed(source, place)),
        None => Between::Unknown,
    }
}

fn blank(source: &Source, place: Lines) -> bool {
    place.end < place.start || source.lines(place).all(|l| l.trim().is_empty())
}

/// Without blank lines at either end; there is a line that is not blank.
fn trimmed(source: &Source, mut place: Lines) -> Lines {
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
pub fn find(source: &Source, path: &str, anchor: &Anchor, text: &str) -> Option<Hit> {
    if holds(source, &anchor.digest, &anchor.squeezed, anchor.lines) {
        return Some(Hit::Same(anchor.lines));
    }
    same(source, anchor, text).map(Hit::Same).or_else(|| changed(source, path, anchor).map(Hit::Changed))
}
