//! What the daemon does by the clock: sweep expired things every minute, collect once a day of wall time however often
//! it is started, and in the first moments what an older packd or an unclean end left to do, a few rows at a time.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::engine::Engine;

const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// Between two slices of the check everything else has its turn.
const CHECK_EVERY: Duration = Duration::from_millis(5);
/// How often it is looked whether a day has passed; the first time soon, because a daemon may not live long.
const COLLECT_AFTER: Duration = Duration::from_secs(10);

/// Starts the timers. They hold the engine only while they work, so they never keep the store open.
pub fn start(engine: &Arc<Engine>) {
    tokio::task::spawn_local(run(Arc::downgrade(engine)));
    tokio::task::spawn_local(collect(Arc::downgrade(engine)));
    tokio::task::spawn_local(chain(Arc::downgrade(engine)));
    tokio::task::spawn_local(count(Arc::downgrade(engine)));
    if engine.has_older_records() {
        tokio::task::spawn_local(carry_over(Arc::downgrade(engine)));
    }
    if !engine.words_are_kept() {
        tokio::task::spawn_local(keep_words(Arc::downgrade(engine)));
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

/// What an older packd wrote gets its words while everybody is served.
async fn keep_words(engine: Weak<Engine>) {
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        match engine.keep_some_words().await {
            Ok(true) => {}
            Ok(false) => return tracing::info!("Everything an older packd wrote can be found by its words."),
            Err(e) => return tracing::warn!("Not everything can be found by its words for now: {e}"),
        }
    }
}

async fn run(engine: Weak<Engine>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        let Some(engine) = engine.upgrade() else { return };
        if let Err(e) = engine.sweep().await {
            tracing::warn!("sweeping failed: {e}");
        }
    }
}

/// The time of the last collection is stored, so days of several daemons count.
async fn collect(engine: Weak<Engine>) {
    let mut pause = COLLECT_AFTER;
    loop {
        tokio::time::sleep(pause).await;
        pause = SWEEP_EVERY;
        let Some(engine) = engine.upgrade() else { return };
        match engine.collection_is_due() {
            Ok(false) => continue,
            Ok(true) => {}
            Err(e) => {
                tracing::warn!("It is not known when garbage was last collected: {e}");
                continue;
            }
        }
        engine.drop_trash(false).await;
        match engine.collect_garbage().await {
            Ok(done) => {
                tracing::info!("dropped the changes of {} operations and {} blobs", done.images, done.blobs);
            }
            Err(e) => {
                tracing::warn!("collecting garbage failed: {e}");
                continue;
            }
        }
        match engine.compact_if_worthwhile().await {
            Ok(Some(done)) => {
                tracing::info!("the database shrank from {} to {} bytes", done.before, done.after)
            }
            Ok(None) => {}
            Err(e) => tracing::warn!("compacting the database failed; nothing was changed: {e}"),
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
