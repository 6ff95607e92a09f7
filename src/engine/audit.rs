//! The audit stream as a chain: older records are chained in the background, and the command line is given lines.
//!
//! Whether the lines fit together is found out by whoever reads them, so a store and a file are verified alike.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Engine, Session};
use crate::core::{Error, Result};

/// Records that get their digests in one job of the writer.
const CHAINED_AT_ONCE: usize = 256;
/// Lines in one answer.
const LINES: usize = 512;

impl Engine {
    /// Chains the next few records after this number; where more are left, the number to go on with.
    pub async fn chain_some(&self, after: u64) -> Result<Option<u64>> {
        let shared = self.shared.clone();
        let look = move || shared.store.read()?.backlog(after, CHAINED_AT_ONCE);
        let looked = tokio::task::spawn_blocking(look).await;
        let stopped = |_| Err(Error::internal("Chaining the audit stream was stopped by a defect."));
        let Some(backlog) = looked.unwrap_or_else(stopped)? else { return Ok(None) };
        self.shared.in_writer(move |batch| batch.catch_up(&backlog)).await
    }

    /// Lines of the audit stream after a number, each with its digest and the one before.
    pub(super) async fn audit_page(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        super::owner::command_line(session)?;
        let after = params["after"].as_u64().unwrap_or(0);
        let mut unchained = if after == 0 { Some(0) } else { None };
        while let Some(next) = unchained {
            unchained = self.chain_some(next).await?;
        }
        let shared = self.shared.clone();
        let read = tokio::task::spawn_blocking(move || shared.store.read()?.audit_lines(after, LINES)).await;
        let stopped = |_| Err(Error::internal("Reading the audit stream was stopped by a defect."));
        let page = read.unwrap_or_else(stopped)?;
        Ok(json!({"lines": page.lines, "next": page.next}))
    }
}
