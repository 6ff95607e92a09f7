//! Whether the rows can be read: looked at in the background after an unclean end, and for `packd doctor`.
//!
//! Calls are served meanwhile. A slice is a bounded number of rows on a thread that nobody waits for.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::Engine;
use crate::core::{Error, Result};
use crate::store::Damage;

/// Rows looked at in one go.
pub const SLICE: usize = 256;

/// Records carried over in one go: no writer waits longer for that than for a few of its own kind.
const CARRIED: usize = 64;

/// How far the check is.
#[derive(Default)]
pub(crate) struct Health(Mutex<State>);

#[derive(Default)]
struct State {
    /// Table by its place in the list, and the key to go on with.
    at: Option<(usize, Option<Vec<u8>>)>,
    damage: Vec<Damage>,
}

impl Engine {
    /// Begins a check if the database was not closed in an orderly way; false if there is nothing to check.
    pub fn begin_check(&self) -> bool {
        let unclean = self.shared.store.was_unclean();
        if unclean {
            self.state(|state| state.at = Some((0, None)));
        }
        unclean
    }

    /// Looks at the next few rows; true while there are more.
    pub async fn check_some(&self) -> Result<bool> {
        let Some((table, from)) = self.state(|state| state.at.clone()) else { return Ok(false) };
        let shared = self.shared.clone();
        let work = move || {
            let snapshot = shared.store.read()?;
            let Some(name) = snapshot.checked_tables().get(table).copied() else { return Ok(None) };
            let mut damage = Vec::new();
            let next = snapshot.check_slice(name, from.as_deref(), SLICE, &mut damage)?;
            Ok(Some((next, damage)))
        };
        let stopped = || Err(Error::internal("The check was stopped by a defect."));
        let looked = tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| stopped())?;
        Ok(self.state(|state| match looked {
            None => {
                state.at = None;
                false
            }
            Some((next, damage)) => {
                for found in damage {
                    tracing::error!("{} Run `packd repair`.", words(&found));
                    state.damage.push(found);
                }
                state.at = Some(if next.is_some() { (table, next) } else { (table + 1, None) });
                true
            }
        }))
    }

    /// Are there records of an older schema?
    pub fn has_older_records(&self) -> bool {
        self.shared.store.read().and_then(|snapshot| snapshot.has_older_records()).unwrap_or(false)
    }

    /// Carries a few records of an older schema over into the log; true while there are more.
    pub async fn carry_over_some(&self) -> Result<bool> {
        self.shared.in_writer(|batch| batch.carry_over(CARRIED)).await
    }

    /// Are the words kept of everything that is there?
    pub fn words_are_kept(&self) -> bool {
        self.shared.store.read().and_then(|snapshot| snapshot.words_are_kept()).unwrap_or(true)
    }

    /// Keeps the words of a few rows that an older packd wrote; true while there are more.
    pub async fn keep_some_words(&self) -> Result<bool> {
        self.shared.in_writer(|batch| batch.keep_words(CARRIED)).await
    }

    /// One line for `packd status`, where there is something to say.
    pub fn health(&self) -> Option<String> {
        self.state(|state| match (state.damage.first(), &state.at) {
            (Some(first), _) => Some(format!("{} Run `packd repair`.", words(first))),
            (None, Some(_)) => Some("being checked after an unclean end".to_string()),
            (None, None) => None,
        })
    }

    /// Every row and record that cannot be read, looked for where nobody waits.
    pub(super) async fn doctor(&self) -> Result<Value> {
        let shared = self.shared.clone();
        let looked = tokio::task::spawn_blocking(move || shared.store.read()?.damaged_rows());
        let damaged =
            looked.await.unwrap_or_else(|_| Err(Error::internal("The check was stopped by a defect.")))?;
        let rows: Vec<_> =
            damaged.iter().map(|d| json!({"table": d.table, "key": d.key, "why": d.why})).collect();
        let collected = self.shared.store.read()?.last_collection()?;
        let ago = collected.map(|at| (self.shared.clock.now().seconds() - at.seconds()).max(0));
        Ok(json!({"damaged_rows": rows, "collected_seconds_ago": ago, "hooks": self.hooks_seen(),
                  "tables": self.shared.store.catalog().tables.len()}))
    }

    fn state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.shared.health.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn words(damage: &Damage) -> String {
    match damage.key.as_str() {
        "" => damage.why.clone(),
        key => format!("The row {key} of the table {} is damaged: {}.", damage.table, damage.why),
    }
}
