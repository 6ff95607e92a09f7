//! Counting calls: how many, how long, how many failed. In memory only. And `packd stats`, which counts nothing: the
//! store keeps its own sizes.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::Engine;
use crate::core::{Error, Result};

/// Between two slices of counting everything else has its turn.
const PAUSE: Duration = Duration::from_millis(1);

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
pub struct ToolStats {
    tools: Mutex<BTreeMap<String, Tally>>,
}

impl ToolStats {
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

impl Engine {
    /// Calls, commits, queue and sizes. What a database of an older packd holds is not known until it was counted.
    pub fn stats(&self) -> Result<Value> {
        let writer = &self.shared.writer.stats;
        let store = &self.shared.store;
        let snapshot = store.read()?;
        let sizes = snapshot.tallied()?;
        let file = store.path().and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len());
        Ok(json!({
            "calls": self.shared.stats.calls(),
            "tools": self.shared.stats.to_json(),
            "writer": {
                "commits": writer.commits.load(Ordering::Relaxed),
                "jobs": writer.jobs.load(Ordering::Relaxed),
                "largest_batch": writer.largest_batch.load(Ordering::Relaxed),
                "waiting": writer.waiting.load(Ordering::Relaxed),
            },
            "store": {
                "file_bytes": file, "counting": sizes.is_none(),
                "rows": sizes.map(|s| s.rows), "ops": sizes.map(|s| s.ops), "audit": sizes.map(|s| s.audit),
                "blobs": sizes.map(|s| s.blobs), "blob_bytes": sizes.map(|s| s.blob_bytes),
                "tables": sizes.map(|_| snapshot.rows_by_table()).transpose()?,
            },
        }))
    }

    /// Counts once what a database of an older packd holds, on a thread that nobody waits for.
    pub async fn count_once(&self) -> Result<()> {
        let shared = self.shared.clone();
        let count = move || {
            let mut go_on = || {
                std::thread::sleep(PAUSE);
                !shared.stopped.load(Ordering::SeqCst)
            };
            shared.store.read()?.count_base(&mut go_on)
        };
        let counted = tokio::task::spawn_blocking(count).await;
        let stopped = |_| Err(Error::internal("Counting was stopped by a defect."));
        match counted.unwrap_or_else(stopped)? {
            Some(base) => self.shared.in_writer(move |batch| batch.keep_base(&base)).await,
            None => Ok(()),
        }
    }
}
