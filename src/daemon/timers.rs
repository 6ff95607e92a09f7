//! What the daemon does by the clock: sweep expired things every minute, drop old images once a day, and after an
//! unclean end look at the rows, a few at a time.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::engine::Engine;

const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// Between two slices of the check everything else has its turn.
const CHECK_EVERY: Duration = Duration::from_millis(5);
const SWEEPS_PER_COLLECTION: u32 = 24 * 60;

/// Starts the timers. They hold the engine only while they work, so they never keep the store open.
pub fn start(engine: &Arc<Engine>) {
    tokio::task::spawn_local(run(Arc::downgrade(engine)));
    tokio::task::spawn_local(chain(Arc::downgrade(engine)));
    tokio::task::spawn_local(count(Arc::downgrade(engine)));
    if engine.begin_check() {
        tokio::task::spawn_local(check(Arc::downgrade(engine)));
    }
}

async fn run(engine: Weak<Engine>) {
    let mut rounds = 0;
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        if let Err(e) = engine.sweep().await {
            tracing::warn!("sweeping failed: {e}");
        }
        rounds += 1;
        if rounds % SWEEPS_PER_COLLECTION == 0 {
            engine.drop_trash(false).await;
            match engine.collect_garbage().await {
                Ok(done) => tracing::info!("dropped {} images and {} blobs", done.images, done.blobs),
                Err(e) => tracing::warn!("collecting garbage failed: {e}"),
            }
        }
    }
}

async fn count(engine: Weak<Engine>) {
    tokio::time::sleep(CHECK_EVERY).await;
    let Some(engine) = engine.upgrade() else { return };
    if let Err(e) = engine.count_once().await {
        tracing::warn!("Counting the rows of the database was given up until the next start: {e}");
    }
}

/// Gives audit records of an older packd their digests.
async fn chain(engine: Weak<Engine>) {
    let mut after = 0;
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        match engine.chain_some(after).await {
            Ok(Some(next)) => after = next,
            Ok(None) => return,
            Err(e) => {
                return tracing::warn!("Chaining the audit stream was given up until the next start: {e}");
            }
        }
    }
}

async fn check(engine: Weak<Engine>) {
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        match engine.check_some().await {
            Ok(true) => {}
            Ok(false) if engine.health().is_none() => {
                return tracing::info!(
                    "The database was checked after an unclean end: every row can be read."
                );
            }
            Ok(false) => return,
            Err(e) => return tracing::warn!("The check of the database was given up: {e}"),
        }
    }
}
