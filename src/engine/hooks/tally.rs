//! Counts hooks by host and event, and remembers the last few so that the same thing is not taken up twice.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use super::{Hook, HookEvent};
use crate::core::Timestamp;

/// Events of which a repetition is noticed.
const REMEMBERED: usize = 256;
/// How long the start of a session in the same way counts as the same start.
const SAME_START: i64 = 5_000_000;

#[derive(Default)]
pub struct Tally(BTreeMap<(String, HookEvent), Row>);

#[derive(Default)]
struct Row {
    count: u64,
    /// Told a second time, and ignored.
    twice: u64,
    /// Answered when the hook had left.
    late: u64,
    micros: u64,
    longest: u64,
    last: Option<Timestamp>,
    trouble: Option<String>,
}

impl Tally {
    fn row(&mut self, hook: &Hook) -> &mut Row {
        self.0.entry((hook.host.clone(), hook.event)).or_default()
    }

    pub fn count(&mut self, hook: &Hook, now: Timestamp, took: i64) {
        let took = u64::try_from(took).unwrap_or(0);
        let late = took > hook.waits_ms.saturating_mul(1000);
        let row = self.row(hook);
        row.count += 1;
        row.late += u64::from(late);
        row.micros = row.micros.saturating_add(took);
        row.longest = row.longest.max(took);
        row.last = Some(now);
    }

    pub fn twice(&mut self, hook: &Hook) {
        self.row(hook).twice += 1;
    }

    pub fn trouble(&mut self, hook: &Hook, why: &str) {
        self.row(hook).trouble = Some(why.to_string());
    }

    pub fn to_json(&self, now: Timestamp) -> Value {
        let rows = self.0.iter().map(|((host, event), row)| {
            json!({
                "host": host, "event": event.as_str(), "count": row.count, "twice": row.twice, "late": row.late,
                "mean_us": row.micros / row.count.max(1), "max_us": row.longest,
                "seconds_ago": row.last.map(|at| (now.seconds() - at.seconds()).max(0)), "trouble": row.trouble,
            })
        });
        Value::Array(rows.collect())
    }
}

/// What was told lately.
#[derive(Default)]
pub struct Recent(VecDeque<(String, Timestamp)>);

impl Recent {
    /// Was exactly this told before? Only what can be told apart can be: a call by its id, a start by how it came about.
    pub fn again(&mut self, hook: &Hook, now: Timestamp) -> bool {
        let (what, same) = match hook.event {
            HookEvent::SessionStart => (hook.source.as_str(), SAME_START),
            HookEvent::PreTool | HookEvent::PostTool => (hook.call.as_str(), i64::MAX),
            HookEvent::Stop => return false,
        };
        if hook.session.is_empty() || what.is_empty() {
            return false;
        }
        let key = [&hook.host, &hook.session, hook.event.as_str(), what].join("\n");
        let before = self.0.iter().any(|(known, at)| *known == key && now.micros() - at.micros() < same);
        if !before {
            self.0.push_back((key, now));
            if self.0.len() > REMEMBERED {
                self.0.pop_front();
            }
        }
        before
    }
}

/// Sessions of hosts that were told something at a stop.
#[derive(Default)]
pub struct Spoken(VecDeque<(String, String)>);

impl Spoken {
    pub fn contains(&self, hook: &Hook) -> bool {
        self.0.iter().any(|(host, session)| *host == hook.host && *session == hook.session)
    }

    pub fn add(&mut self, hook: &Hook) {
        self.0.push_back((hook.host.clone(), hook.session.clone()));
        if self.0.len() > REMEMBERED {
            self.0.pop_front();
        }
    }
}
