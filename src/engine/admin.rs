//! Questions about the daemon itself, asked with `packd/…` methods on any connection.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::Engine;
use crate::core::{Error, Result};

impl Engine {
    pub async fn admin(&self, method: &str, params: &Value) -> Result<Value> {
        match method {
            "packd/stats" => self.stats(),
            "packd/gc" => {
                let done = self.collect_garbage().await?;
                let swept = self.sweep().await?;
                Ok(json!({"images_dropped": done.images, "blobs_dropped": done.blobs,
                          "bytes_freed": done.bytes, "swept": swept}))
            }
            "packd/doctor" => self.doctor(),
            "packd/sessions" => self.sessions(),
            "packd/mode" => self.set_mode(params).await,
            "packd/setup" => self.setup(params).await,
            "packd/backup" => self.backup(params).await,
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

    /// Who is connected, and in which mode.
    fn sessions(&self) -> Result<Value> {
        let mut list = Vec::new();
        for session in self.shared.sessions.all() {
            let info = session.info();
            let mode = self.shared.session_mode(&info)?.or(info.mode);
            list.push(json!({
                "session": info.id, "client": info.client, "workspace": info.workspace, "mode": mode,
                "max_mode": info.max_mode,
            }));
        }
        Ok(json!({"sessions": list, "max_mode": self.shared.max_mode}))
    }

    /// A person sets the mode of somebody's session; it is audited like a session's own change.
    async fn set_mode(&self, params: &Value) -> Result<Value> {
        let wanted = params["session"].as_str().unwrap_or_default();
        let open = self.shared.sessions.all();
        let asking = params["from"].as_str().unwrap_or_default();
        let home = open.iter().find(|s| s.info().id == asking).map(|s| s.info().workspace);
        let fits: Vec<_> = open
            .iter()
            .filter(|s| {
                let info = s.info();
                let chosen = if wanted.is_empty() {
                    Some(&info.workspace) == home.as_ref()
                } else {
                    info.id.starts_with(wanted)
                };
                info.id != asking && chosen
            })
            .collect();
        let [session] = fits.as_slice() else {
            let message = match fits.len() {
                0 => "No open session fits.".to_string(),
                n => format!("{n} open sessions fit."),
            };
            return Err(
                Error::invalid("session_unclear", message).hint("`packd mode` lists them; use --session.")
            );
        };
        let mode = params["mode"].as_str().unwrap_or_default().to_string();
        let mut request = super::Request::new("amof_set_mode", json!({"mode": mode}));
        request.request_id = json!("packd/mode");
        let reply = self.call(session, request).await;
        if reply.is_error {
            return Err(Error::invalid("mode_denied", reply.text));
        }
        let info = session.info();
        Ok(json!({"session": info.id, "client": info.client, "mode": mode}))
    }
}
