//! What the daemon does by the clock: sweep expired things every minute, drop old images once a day.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::engine::Engine;

const SWEEP_EVERY: Duration = Duration::from_secs(60);
const SWEEPS_PER_COLLECTION: u32 = 24 * 60;

/// Starts the timers. They hold the engine only while they work, so they never keep the store open.
pub fn start(engine: &Arc<Engine>) {
    tokio::task::spawn_local(run(Arc::downgrade(engine)));
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
            match engine.collect_garbage().await {
                Ok(done) => tracing::info!("dropped {} images and {} blobs", done.images, done.blobs),
                Err(e) => tracing::warn!("collecting garbage failed: {e}"),
            }
        }
    }
}
