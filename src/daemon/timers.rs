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
    if engine.has_older_records() {
        tokio::task::spawn_local(carry_over(Arc::downgrade(engine)));
    }
    if engine.begin_check() {
        tokio::task::spawn_local(check(Arc::downgrade(engine)));
    }
}

/// Records of an older schema are carried over while everybody is served.
async fn carry_over(engine: Weak<Engine>) {
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        match engine.carry_over_some().await {
            Ok(true) => {}
            Ok(false) => return tracing::info!("Every record of an older packd was carried over."),
            Err(e) => return tracing::warn!("Records of an older packd stay as they are for now: {e}"),
        }
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
