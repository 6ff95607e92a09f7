//! Things that have all of some words: sorted lists of entries walked side by side, each leaping to where the others are.
//!
//! Costs what it finds, not what there is: a list is never read where another has nothing. What a query may read is
//! limited, and it says so where that was not enough.

use std::collections::{HashSet, VecDeque};
use std::ops::Bound;

use super::layout;
use super::raw::{Raw, Span, decode_number};
use super::words;
use crate::core::findable::{Space, WordHit, WordPage, WordQuery};
use crate::core::{Key, Result};

/// Entries of a list read at a time.
const AT_ONCE: usize = 32;
/// Different words that begin with an asked one.
const WORDS: usize = 128;
/// Times that a query goes to the table.
const READS: usize = 5000;

pub(super) fn search(raw: &impl Raw, query: &WordQuery) -> Result<WordPage> {
    let space = words::space(&query.space);
    let mut page = WordPage { more: !words::all_kept(raw)?, ..WordPage::default() };
    let mut asked = Vec::new();
    for word in &query.words {
        let (kept, all) = beginning(raw, space, word.as_bytes())?;
        page.more |= !all;
        asked.push(kept);
    }
    if asked.is_empty() || asked.iter().any(Vec::is_empty) {
        return Ok(page);
    }
    let mut reads = READS;
    let mut titles = Walk::of(space, &asked, &[true]);
    let mut hits = titles.up_to(raw, query.limit, &mut reads)?;
    page.more |= titles.stopped;
    if hits.len() < query.limit {
        let mut all = Walk::of(space, &asked, &[true, false]);
        let found = all.up_to(raw, query.limit, &mut reads)?;
        page.more |= all.stopped;
        let first: HashSet<Vec<u8>> = hits.iter().map(|(place, _)| place.clone()).collect();
        hits.extend(found.into_iter().filter(|(place, _)| !first.contains(place)));
    }
    page.hits = hits.into_iter().map(|(place, in_title)| hit(&query.space, &place, in_title)).collect();
    Ok(page)
}

fn hit(space: &Space, place: &[u8], in_title: usize) -> WordHit {
    let born = u64::MAX - decode_number(place);
    let rest = Key::from_bytes(place.get(8..).unwrap_or_default());
    let key = match space {
        Space::Rows(_, first) => Key::of(first).join(&rest),
        Space::Operations(_) => Key::empty(),
    };
    WordHit { key, born, in_title }
}

/// The kept words that begin with an asked one, and whether these are all.
fn beginning(raw: &impl Raw, space: [u8; 8], asked: &[u8]) -> Result<(Vec<Vec<u8>>, bool)> {
    let mut span = Span::prefix(&[&space[..], asked].concat());
    let mut out = Vec::new();
    loop {
        let mut next = None;
        raw.walk(layout::WORDS, &span, &mut |key, _| {
            next = key.get(8..).and_then(|rest| rest.split(|b| *b == 0).next()).map(<[u8]>::to_vec);
            false
        })?;
        let Some(word) = next else { return Ok((out, true)) };
        if out.len() == WORDS {
            return Ok((out, false));
        }
        // Behind all entries of this word.
        span.start = Bound::Included([&space[..], &word, &[1]].concat());
        out.push(word);
    }
}

/// The asked words, each in the lists of everything that begins with it.
struct Walk {
    asked: Vec<Vec<List>>,
    /// It ended before the lists did.
    stopped: bool,
}

/// The entries of one word, as far as they are read.
struct List {
    prefix: Vec<u8>,
    in_title: bool,
    ahead: VecDeque<Vec<u8>>,
    ended: bool,
}

impl Walk {
    fn of(space: [u8; 8], asked: &[Vec<Vec<u8>>], sides: &[bool]) -> Walk {
        let list = |word: &[u8], in_title: bool| List {
            prefix: words::list(space, word, in_title),
            in_title,
            ahead: VecDeque::new(),
            ended: false,
        };
        let lists = |kept: &Vec<Vec<u8>>| {
            kept.iter().flat_map(|word| sides.iter().map(|side| list(word, *side))).collect()
        };
        Walk { asked: asked.iter().map(lists).collect(), stopped: false }
    }

    /// Places that every asked word has, newest first, with how many of the words are in the title.
    fn up_to(&mut self, raw: &impl Raw, most: usize, reads: &mut usize) -> Result<Vec<(Vec<u8>, usize)>> {
        let (mut out, mut place, mut turn, mut agreed) = (Vec::new(), Vec::new(), 0, 0);
        loop {
            let count = self.asked.len();
            let Some(found) = next(&mut self.asked[turn % count], raw, &place, reads)? else {
                self.stopped |= *reads == 0;
                return Ok(out);
            };
            agreed = if found == place { agreed + 1 } else { 1 };
            place = found;
            turn += 1;
            if agreed < count {
                continue;
            }
            if out.len() == most {
                self.stopped = true;
                return Ok(out);
            }
            let has = |lists: &&Vec<List>| {
                lists.iter().any(|list| list.in_title && list.ahead.front() == Some(&place))
            };
            out.push((place.clone(), self.asked.iter().filter(has).count()));
            // The very next place there could be.
            place.push(0);
            agreed = 0;
        }
    }
}

/// The first place at or behind this one in any of the lists.
fn next(lists: &mut [List], raw: &impl Raw, from: &[u8], reads: &mut usize) -> Result<Option<Vec<u8>>> {
    let mut first: Option<&Vec<u8>> = None;
    for list in lists {
        list.leap(raw, from, reads)?;
        first = match (first, list.ahead.front()) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
    }
    Ok(first.filter(|_| *reads > 0).cloned())
}

impl List {
    fn leap(&mut self, raw: &impl Raw, from: &[u8], reads: &mut usize) -> Result<()> {
        while self.ahead.front().is_some_and(|place| place.as_slice() < from) {
            self.ahead.pop_front();
        }
        if !self.ahead.is_empty() || self.ended || *reads == 0 {
            return Ok(());
        }
        *reads -= 1;
        let span = Span::prefix(&self.prefix).from([&self.prefix, from].concat());
        let (own, ahead) = (self.prefix.len(), &mut self.ahead);
        raw.walk(layout::WORDS, &span, &mut |key, _| {
            ahead.push_back(key[own..].to_vec());
            ahead.len() < AT_ONCE
        })?;
        self.ended = self.ahead.len() < AT_ONCE;
        Ok(())
    }
}
