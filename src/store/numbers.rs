//! The numbers of the records that a query may want, in order: several lists read side by side, a piece at a time.

use std::collections::VecDeque;
use std::ops::Bound;

use super::found::{self, By};
use super::layout;
use super::older;
use super::raw::{Raw, Span, decode_number};
use crate::core::Key;
use crate::core::Result;
use crate::core::view::LogQuery;

/// Read at first, and from then on.
const FIRST: usize = 32;
const MORE: usize = 256;

/// A list whose keys end with the number of a record.
pub(super) struct NumberedList {
    pub table: &'static str,
    pub prefix: Vec<u8>,
}

struct Reading {
    source: NumberedList,
    ahead: VecDeque<u64>,
    /// The last number that was read.
    last: Option<u64>,
    ended: bool,
}

pub(super) struct Numbers {
    lists: Vec<Reading>,
    newest_first: bool,
    after: Option<u64>,
    before: Option<u64>,
}

impl Numbers {
    /// The narrowest lists that together contain every record the query wants.
    pub fn of(raw: &impl Raw, query: &LogQuery) -> Result<Numbers> {
        let mut sources: Vec<NumberedList> = prefixes(query)
            .into_iter()
            .map(|mut prefix| {
                prefix.push(query.stream as u8);
                NumberedList { table: layout::FOUND, prefix }
            })
            .collect();
        if sources.is_empty() {
            sources.push(NumberedList { table: layout::LOG, prefix: vec![query.stream as u8] });
        }
        sources.extend(older::source(raw, query)?);
        let reading = |source| Reading { source, ahead: VecDeque::new(), last: None, ended: false };
        Ok(Numbers {
            lists: sources.into_iter().map(reading).collect(),
            newest_first: query.newest_first,
            after: query.after,
            before: query.before,
        })
    }

    pub fn next(&mut self, raw: &impl Raw) -> Result<Option<u64>> {
        for n in 0..self.lists.len() {
            self.fill(raw, n)?;
        }
        let heads = self.lists.iter().filter_map(|list| list.ahead.front().copied());
        let next = if self.newest_first { heads.max() } else { heads.min() };
        for list in &mut self.lists {
            // A record may stand in several lists.
            if list.ahead.front().copied() == next {
                list.ahead.pop_front();
            }
        }
        Ok(next)
    }

    fn fill(&mut self, raw: &impl Raw, n: usize) -> Result<()> {
        let list = &mut self.lists[n];
        if list.ended || !list.ahead.is_empty() {
            return Ok(());
        }
        let limit = if list.last.is_none() { FIRST } else { MORE };
        let at = |seq: u64| [list.source.prefix.as_slice(), &seq.to_be_bytes()].concat();
        let mut span = Span::prefix(&list.source.prefix).reverse(self.newest_first).limit(limit);
        let (last_up, last_down) = if self.newest_first { (None, list.last) } else { (list.last, None) };
        if let Some(after) = last_up.max(self.after) {
            span.start = Bound::Excluded(at(after));
        }
        let before = last_down.into_iter().chain(self.before).min();
        if let Some(before) = before {
            span.end = Bound::Excluded(at(before));
        }
        let found = raw.collect(list.source.table, &span)?;
        list.ended = found.len() < limit;
        list.ahead.extend(found.iter().map(|(key, _)| decode_number(&key[key.len() - 8..])));
        list.last = list.ahead.back().copied().or(list.last);
        Ok(())
    }
}

/// Everything a wanted record stands below, of the filter that fits the fewest.
fn prefixes(query: &LogQuery) -> Vec<Vec<u8>> {
    let one = |by: By, what: Key| vec![found::prefix(by, &what)];
    if let Some((table, key)) = &query.row {
        return one(By::Row, found::row_of(table.0, key));
    }
    if let Some(session) = query.session.as_ref().filter(|_| query.workspace.is_none()) {
        return one(By::Session, Key::of(session));
    }
    let Some(workspace) = &query.workspace else { return Vec::new() };
    let here = || Key::of(workspace);
    if let Some(target) = &query.target {
        return one(By::Target, here().text(target));
    }
    if let Some(path) = &query.field {
        return found::of_field(workspace, path);
    }
    if let Some(session) = &query.session {
        return one(By::Session, Key::of(session));
    }
    if !query.tools.is_empty() {
        return query.tools.iter().map(|tool| found::prefix(By::Tool, &here().text(tool))).collect();
    }
    if let Some(client) = &query.client {
        return one(By::Client, here().text(client));
    }
    match &query.family {
        Some(family) => one(By::Family, here().text(family)),
        None => one(By::Workspace, here()),
    }
}
