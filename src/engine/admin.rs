//! Questions about the daemon itself, asked with `packd/…` methods on any connection.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::Engine;
use crate::core::{Error, Result};

impl Engine {
    pub async fn admin(&self, method: &str, _params: &Value) -> Result<Value> {
        match method {
            "packd/stats" => self.stats(),
            "packd/gc" => {
                let done = self.collect_garbage().await?;
                let swept = self.sweep().await?;
                Ok(json!({"images_dropped": done.images, "blobs_dropped": done.blobs,
                          "bytes_freed": done.bytes, "swept": swept}))
            }
            "packd/doctor" => self.doctor(),
            _ => Err(Error::invalid("unknown_method", format!("There is no method {method}."))),
        }
    }

    /// Calls, commits, queue and sizes.
    pub fn stats(&self) -> Result<Value> {
        let writer = &self.shared.writer.stats;
        let sizes = self.shared.store.read()?.sizes()?;
        let file = self.shared.store.path().and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len());
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
                "file_bytes": file, "rows": sizes.rows, "ops": sizes.ops, "audit": sizes.audit,
                "blobs": sizes.blobs, "blob_bytes": sizes.blob_bytes,
            },
        }))
    }

    /// Every row and record that cannot be read.
    fn doctor(&self) -> Result<Value> {
        let damaged = self.shared.store.read()?.damaged_rows()?;
        let rows: Vec<_> =
            damaged.iter().map(|d| json!({"table": d.table, "key": d.key, "why": d.why})).collect();
        Ok(json!({"damaged_rows": rows, "tables": self.shared.store.catalog().tables.len()}))
    }
}
