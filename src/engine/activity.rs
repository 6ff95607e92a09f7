//! What was done when, by whom and where, and what was left half-way: read off the log once, newest first, and then only
//! what is new.
//!
//! For plots, lists of projects and whoever has to look after something; how far back it looks is bounded, and it looks where nobody else waits.

use std::collections::BTreeMap;

use super::Engine;
use crate::core::op::{OpStatus, Stream};
use crate::core::view::{LogQuery, LogView};
use crate::core::{Result, Timestamp};

/// Hours that are counted.
pub const HOURS: i64 = 24;
/// Records looked at in one go.
const MOST: usize = 50_000;
const PAGE: usize = 500;
/// Projects that are remembered.
const MOST_PROJECTS: usize = 200;
/// Unfinished operations that are remembered.
const MOST_UNFINISHED: usize = 50;

/// What is known so far.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    /// The newest record that was counted.
    head: u64,
    /// Operations by hour (since 1970) and client.
    pub hours: BTreeMap<(i64, String), u64>,
    /// Projects with the time of the newest operation seen in them.
    pub projects: BTreeMap<String, Timestamp>,
    /// Operations that were not finished when they were looked at, the newest first; some will be by now.
    pub unfinished: Vec<String>,
    /// There was more than could be looked at.
    pub cut: bool,
}

impl Activity {
    /// Projects, the most recent first.
    pub fn recent(&self) -> Vec<String> {
        let mut all: Vec<(&String, &Timestamp)> = self.projects.iter().collect();
        all.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        all.into_iter().map(|(path, _)| path.clone()).collect()
    }
}

fn hour(time: Timestamp) -> i64 {
    time.seconds().div_euclid(3600)
}

impl Engine {
    /// Adds what was recorded since. `most` bounds how many records are looked at.
    pub async fn activity(&self, known: Activity, most: Option<usize>) -> Result<Activity> {
        let most = most.unwrap_or(MOST);
        self.elsewhere("packd/activity", move |shared| {
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let log: &dyn LogView = &view;
            let now = hour(shared.clock.now());
            let mut out = known;
            let (upto, mut looked, mut before) = (out.head, 0, None);
            out.head = log.head(Stream::Ops)?;
            let mut unfinished = Vec::new();
            'log: loop {
                let page = log.ops(&LogQuery {
                    newest_first: true,
                    include_undone: true,
                    before,
                    limit: PAGE.min(most),
                    ..LogQuery::default()
                })?;
                for op in &page.ops {
                    if op.seq <= upto {
                        break 'log;
                    }
                    looked += 1;
                    if matches!(op.status, OpStatus::Pending | OpStatus::NeedsAttention) {
                        unfinished.push(op.id.clone());
                    }
                    if hour(op.time) > now - HOURS {
                        *out.hours.entry((hour(op.time), op.who.client.clone())).or_default() += 1;
                    }
                    if out.projects.len() < MOST_PROJECTS || out.projects.contains_key(&op.workspace) {
                        let newest = out.projects.entry(op.workspace.clone()).or_insert(op.time);
                        *newest = (*newest).max(op.time);
                    }
                }
                before = page.next.or(page.ops.last().map(|op| op.seq));
                if !page.has_more || before.is_none_or(|seq| seq <= upto) {
                    break;
                }
                if looked >= most {
                    out.cut = true;
                    break;
                }
            }
            out.hours.retain(|(at, _), _| *at > now - HOURS);
            unfinished.append(&mut out.unfinished);
            unfinished.truncate(MOST_UNFINISHED);
            out.unfinished = unfinished;
            Ok(out)
        })
        .await
    }
}
