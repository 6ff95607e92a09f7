//! What the gates were set to at the last start: a start with laxer ones is recorded, and told for a while.
//!
//! Whoever can write the configuration can open the gates; this makes sure that nobody does so unseen.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Shared;
use super::housekeeping::nobody;
use super::serve::serving;
use crate::core::{Draft, Key, Mode, Outcome, Record, Result, Table, Timestamp, View};
use crate::policy;

/// `gates` → `Seen`.
pub const SETTINGS: Table = Table("settings");
const KEY: &str = "gates";
/// How long a relaxation is told.
const TOLD_SECONDS: i64 = 7 * 24 * 3600;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSettings {
    /// Only people confirm.
    pub human: bool,
    pub max_mode: Option<Mode>,
    /// Changes with the passphrase.
    pub passphrase: Option<String>,
    /// Each cell of the printed policy with how much it lets through.
    pub policy: BTreeMap<String, u8>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    gates: GateSettings,
    #[serde(default)]
    relaxed: Option<Relaxed>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Relaxed {
    at: Timestamp,
    what: String,
}

impl GateSettings {
    /// What `self` lets through that `before` did not, in words.
    fn laxer_than(&self, before: &GateSettings) -> Vec<String> {
        let mut out = Vec::new();
        if before.human && !self.human {
            out.push("confirm was \"human\" and is \"agent\"".to_string());
        }
        let most = |gates: &GateSettings| gates.max_mode.unwrap_or(Mode::Execute);
        if most(self) > most(before) {
            let word = |gates: &GateSettings| gates.max_mode.map_or("not set", Mode::as_str);
            out.push(format!("max_mode was {} and is {}", word(before), word(self)));
        }
        match (&before.passphrase, &self.passphrase) {
            (Some(_), None) => out.push("the passphrase is gone".to_string()),
            (Some(was), Some(is)) if was != is => {
                out.push("the passphrase was replaced while packd did not run".to_string());
            }
            _ => {}
        }
        for (cell, level) in &self.policy {
            if before.policy.get(cell).is_some_and(|was| level > was) {
                out.push(format!("the policy is laxer for {cell}"));
            }
        }
        out
    }
}

fn policy_levels() -> BTreeMap<String, u8> {
    let mut out = BTreeMap::new();
    for row in policy::table() {
        for (column, cell) in policy::COLUMNS.iter().zip(row.cells) {
            out.insert(format!("{} ({column})", row.class), policy::laxity(cell));
        }
    }
    out
}

/// At start: compares with the last one and keeps what is set now.
pub(super) fn compare(shared: &Arc<Shared>) -> Result<()> {
    let inner = shared.clone();
    shared.in_writer_blocking(move |batch| {
        let view = batch.view();
        let now = inner.clock.now();
        let gates = now_set(&inner);
        let before = (&view as &dyn View).get::<Seen>(SETTINGS, &Key::of(KEY))?.map(|(seen, _)| seen);
        let laxer = before.as_ref().map(|seen| gates.laxer_than(&seen.gates)).unwrap_or_default();
        let stricter = before.as_ref().is_some_and(|seen| !seen.gates.laxer_than(&gates).is_empty());
        let relaxed = match laxer.is_empty() {
            false => Some(Relaxed { at: now, what: laxer.join("; ") }),
            // What was taken back need not be told any more.
            true => before.as_ref().and_then(|seen| seen.relaxed.clone()).filter(|_| !stricter),
        };
        if before.as_ref().is_some_and(|seen| seen.gates == gates) {
            return Ok(());
        }
        let mut draft = Draft::new(&view);
        draft.put(SETTINGS, &Key::of(KEY), &Seen { gates, relaxed })?;
        batch.apply_quietly(&mut draft.into_outcome())?;
        if laxer.is_empty() {
            return Ok(());
        }
        let what = laxer.join("; ");
        tracing::warn!("The gates are laxer than at the last start: {what}.");
        let record = Record {
            summary: format!("Started with laxer gates than before: {what}."),
            targets: vec!["settings".into()],
            data: json!({"event": "laxer_settings", "changes": laxer}),
            ..Record::default()
        };
        let outcome = Outcome { record, ..Outcome::default() };
        batch.audit(inner.new_op(inner.names.family, &nobody("~"), &serving("start")), &outcome)?;
        Ok(())
    })
}

fn now_set(shared: &Shared) -> GateSettings {
    GateSettings {
        human: shared.human_confirms,
        max_mode: shared.max_mode,
        passphrase: shared.passphrase.mark(),
        policy: policy_levels(),
    }
}

/// A person changed a gate in the proper way: the next start has nothing to tell about it.
pub(super) async fn keep(shared: &Arc<Shared>) -> Result<()> {
    let inner = shared.clone();
    shared
        .in_writer(move |batch| {
            let view = batch.view();
            let before = (&view as &dyn View).get::<Seen>(SETTINGS, &Key::of(KEY))?.map(|(seen, _)| seen);
            let relaxed = before.and_then(|seen| seen.relaxed);
            let mut draft = Draft::new(&view);
            draft.put(SETTINGS, &Key::of(KEY), &Seen { gates: now_set(&inner), relaxed })?;
            batch.apply_quietly(&mut draft.into_outcome())
        })
        .await
}

/// One line for `packd status`, while there is something to tell.
pub(super) fn told(shared: &Shared) -> Result<Option<String>> {
    let snapshot = shared.store.read()?;
    let view = snapshot.view();
    let seen = (&view as &dyn View).get::<Seen>(SETTINGS, &Key::of(KEY))?.map(|(seen, _)| seen);
    let recent = |r: &Relaxed| r.at.plus_seconds(TOLD_SECONDS) > shared.clock.now();
    let relaxed = seen.and_then(|seen| seen.relaxed).filter(recent);
    Ok(relaxed.map(|r| format!("laxer since {}: {}", r.at.zulu(), r.what)))
}
