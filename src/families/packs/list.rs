//! Lists: newest first, filtered, paged, at the cost of the page and not of the store.
//!
//! Everything shown comes from the index; a query reads the whole index of its space, but no pack.

use serde::Serialize;

use crate::core::{IndexQuery, Key, Needs, Result, Timestamp, View, row};

use super::actions::fields::{Fields, size};
use super::errors::io;
use super::life;
use super::model::PackStatus;
use super::rows::{BY_UPDATE, PackSummary, due, status_group};

/// Replies stay below this many bytes and say where to continue, even where a page was asked for.
pub const MAX_REPLY: usize = 1 << 20;
/// Where nobody said how long a page should be.
pub const UNASKED: usize = 16 * 1024;
/// Room for what stands around a list.
pub const AROUND: usize = 512;
const CHUNK: usize = 512;

#[derive(Debug, Clone, Default)]
pub struct PackFilter {
    pub status: Option<PackStatus>,
    /// Lower-case text to find in title, name and brief.
    pub query: Option<String>,
    pub offset: usize,
    pub limit: Option<usize>,
}

/// A longer page is made where no other client waits.
const SHORT_PAGE: usize = 100;

impl PackFilter {
    pub fn of(fields: &Fields) -> Result<PackFilter> {
        Ok(PackFilter {
            status: fields.status()?,
            query: fields.query.trimmed().map(str::to_lowercase),
            offset: size(&fields.offset).unwrap_or(0),
            limit: size(&fields.limit),
        })
    }

    /// A query looks at every pack of the index, and a long page at many.
    pub fn needs(&self) -> Needs {
        let long = self.limit.is_some_and(|n| n > SHORT_PAGE);
        if self.query.is_some() || long { Needs::Scan } else { Needs::Rows }
    }
}

#[derive(Debug, Default)]
pub struct PackListing {
    /// Bytes that a reply has for it.
    room: usize,
    pub packs: Vec<PackSummary>,
    /// How many packs match, on whatever page they are.
    pub total: usize,
    pub offset: usize,
}

impl PackListing {
    /// The offset of the next page, if something is left.
    pub fn next(&self) -> Option<usize> {
        let end = self.offset.saturating_add(self.packs.len());
        (end < self.total).then_some(end)
    }

    /// Keeps only what fits into a reply, measured by `size`; whether something had to go.
    pub fn fit(&mut self, mut size: impl FnMut(&PackSummary) -> usize) -> bool {
        let mut sum = 0;
        let fits = self.packs.iter().take_while(|p| {
            sum += size(p);
            sum <= self.room
        });
        let (fits, all) = (fits.count().max(1), self.packs.len());
        self.packs.truncate(fits);
        fits < all
    }
}

pub fn list(view: &dyn View, space: &str, now: Timestamp, filter: &PackFilter) -> Result<PackListing> {
    let group = status_group(space, filter.status);
    let room = if filter.limit.is_some() { MAX_REPLY } else { UNASKED - AROUND };
    let mut out = PackListing { room, offset: filter.offset, ..PackListing::default() };
    let end = filter.limit.map_or(usize::MAX, |n| filter.offset.saturating_add(n));
    let mut seen = 0;
    scan(view, &group, now, |summary| {
        if filter.query.as_ref().is_some_and(|q| !matches(&summary, q)) {
            return true;
        }
        if seen >= filter.offset && seen < end {
            out.packs.push(summary);
        }
        seen += 1;
        // With a query the total is only known at the end of the index.
        filter.query.is_some() || seen < end
    })?;
    out.total = match filter.query {
        Some(_) => seen,
        None => {
            let expired = due(view, group.clone(), now, usize::MAX)?.len();
            usize::try_from(view.count(BY_UPDATE, &group)?).unwrap_or(usize::MAX).saturating_sub(expired)
        }
    };
    Ok(out)
}

/// Hands out the live packs of a group, newest first, until `take` says false.
pub fn scan(
    view: &dyn View,
    group: &Key,
    now: Timestamp,
    mut take: impl FnMut(PackSummary) -> bool,
) -> Result<()> {
    let mut from: Option<Key> = None;
    // Most lists are short: start with a small page and grow.
    let mut chunk = 32;
    loop {
        let mut query = IndexQuery::new(BY_UPDATE, group.clone()).limit(chunk);
        query.from = from;
        let entries = view.index(&query)?;
        let full = entries.len() == chunk;
        let Some(last) = entries.last().map(|e| e.sort.clone()) else { return Ok(()) };
        for entry in entries {
            let summary: PackSummary = row::decode(&entry.value)
                .map_err(|e| io(format!("the index of packs cannot be read: {e}")))?;
            if summary.expires_at > now && !take(summary) {
                return Ok(());
            }
        }
        if !full {
            return Ok(());
        }
        from = Some(after(&last));
        chunk = CHUNK;
    }
}

/// The first key after `key`.
pub fn after(key: &Key) -> Key {
    let mut bytes = key.as_bytes().to_vec();
    bytes.push(0);
    Key::from_bytes(&bytes)
}

fn matches(summary: &PackSummary, query: &str) -> bool {
    let part = |text: &Option<String>| text.as_deref().unwrap_or_default().to_lowercase();
    let hay = format!("{} {} {}", part(&summary.title), part(&summary.name), part(&summary.brief));
    hay.contains(query)
}

/// A pack as lists show it, in the order of its keys.
#[derive(Serialize)]
pub struct ListedPack {
    expires_at: String,
    id: String,
    name: Option<String>,
    revision: u64,
    status: &'static str,
    title: Option<String>,
    ttl_remaining_human: String,
    ttl_remaining_seconds: i64,
    updated_at: String,
}

impl ListedPack {
    pub fn of(summary: &PackSummary, now: Timestamp) -> ListedPack {
        ListedPack {
            expires_at: summary.expires_at.zulu(),
            id: summary.id.clone(),
            name: summary.name.clone(),
            revision: summary.revision,
            status: summary.status.as_str(),
            title: summary.title.clone(),
            ttl_remaining_human: life::human(summary.expires_at, now),
            ttl_remaining_seconds: life::seconds_left(summary.expires_at, now),
            updated_at: summary.updated_at.zulu(),
        }
    }
}
