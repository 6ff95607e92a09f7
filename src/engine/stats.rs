//! Counting calls: how many, how long, how many failed. In memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// Upper bounds in microseconds of the latency classes; the last is open.
const CLASSES: [u64; 10] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 25_000, 100_000, 1_000_000];

#[derive(Default, Clone)]
struct Tally {
    calls: u64,
    errors: u64,
    micros: u64,
    longest: u64,
    classes: [u64; CLASSES.len() + 1],
}

#[derive(Default)]
pub struct Stats {
    tools: Mutex<BTreeMap<String, Tally>>,
}

impl Stats {
    pub fn count(&self, tool: &str, took: Duration, failed: bool) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = tools.entry(tool.to_string()).or_default();
        tally.calls += 1;
        tally.errors += u64::from(failed);
        tally.micros = tally.micros.saturating_add(micros);
        tally.longest = tally.longest.max(micros);
        let class = CLASSES.iter().position(|c| micros <= *c).unwrap_or(CLASSES.len());
        tally.classes[class] += 1;
    }

    pub fn calls(&self) -> u64 {
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).values().map(|t| t.calls).sum()
    }

    pub fn to_json(&self) -> Value {
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = tools.iter().map(|(name, t)| {
            json!({
                "tool": name, "calls": t.calls, "errors": t.errors,
                "mean_us": t.micros / t.calls.max(1), "p50_us": t.quantile(0.5), "p99_us": t.quantile(0.99),
                "max_us": t.longest,
            })
        });
        Value::Array(rows.collect())
    }
}

impl Tally {
    /// Upper bound of the class in which the quantile lies.
    fn quantile(&self, q: f64) -> u64 {
        let mut left = (self.calls as f64 * q).ceil() as u64;
        for (i, n) in self.classes.iter().enumerate() {
            if left <= *n {
                return CLASSES.get(i).copied().unwrap_or(self.longest).min(self.longest);
            }
            left -= n;
        }
        self.longest
    }
}
