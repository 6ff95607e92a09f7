//! Work inside the writer's transaction: handed over as a closure, answered only after the commit.
//!
//! What the work is about is not known here; who waits may be a task, a thread or nobody.

use std::sync::mpsc::sync_channel;

use tokio::sync::oneshot;

use super::Shared;
use crate::core::{Error, Outcome, Result};
use crate::store::{Batch, Settled};

impl Shared {
    /// Runs a closure inside the writer's transaction; the answer comes after the commit.
    pub(super) async fn in_writer<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tell, told) = oneshot::channel();
        self.submit(run, move |result| {
            let _ = tell.send(result);
        })?;
        told.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// The same for a thread that may block.
    pub(super) fn in_writer_blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (tell, told) = sync_channel(1);
        self.submit(run, move |result| {
            let _ = tell.send(result);
        })?;
        told.recv().unwrap_or_else(|_| Err(stopped()))
    }

    /// Keeps what a read found out for later ones. Nobody waits for it: what is not kept is found out again.
    pub(super) fn learn(&self, mut outcome: Outcome) {
        if !outcome.changes_something() {
            return;
        }
        let told = self.submit(
            move |batch| batch.apply_quietly(&mut outcome),
            |kept: Result<()>| {
                if let Err(e) = kept {
                    tracing::debug!("what a read found out was not kept: {e}");
                }
            },
        );
        if let Err(e) = told {
            tracing::debug!("what a read found out was not kept: {e}");
        }
    }

    pub(super) fn submit<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Batch) -> Result<T> + Send + 'static,
        answer: impl FnOnce(Result<T>) + Send + 'static,
    ) -> Result<()> {
        let news = self.news.clone();
        self.writer.submit(Box::new(move |batch| {
            let result = batch.and_then(run);
            Box::new(move |settled: Settled| {
                answer(settled.and(result));
                news.tell();
            })
        }))
    }
}

fn stopped() -> Error {
    Error::new(crate::core::Kind::State, "stopping", "The daemon is stopping.")
        .hint("Try again; the next call starts a new daemon.")
}
