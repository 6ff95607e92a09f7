//! How an ecosystem's deployment stands: deployed, destroyed, or left half-way by a run that did not succeed.
//!
//! A failure stands beside what was before, which it does not erase; the next success takes it away.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::state::{DEPLOYMENTS, Deployment, Place};
use crate::core::run::RunStatus;
use crate::core::{Result, Table, Timestamp, View};

/// (root, name) → [`Fell`].
pub const FAILURES: Table = Table("eco_failures");

/// A deploy or destroy whose script was begun and did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fell {
    /// `deploy` or `destroy`.
    pub action: String,
    pub status: RunStatus,
    pub at: Timestamp,
    pub run: String,
    pub note: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The last success.
    pub before: Option<Deployment>,
    /// What has gone wrong since.
    pub fell: Option<Fell>,
}

impl Standing {
    pub fn of(view: &dyn View, place: &Place) -> Result<Standing> {
        let before = view.get(DEPLOYMENTS, &place.key())?.map(|(row, _)| row);
        let fell = view.get(FAILURES, &place.key())?.map(|(row, _)| row);
        Ok(Standing { before, fell })
    }

    fn word(&self) -> Option<&'static str> {
        match (&self.fell, &self.before) {
            (Some(_), _) => Some("failed"),
            (None, Some(d)) if d.deployed => Some("deployed"),
            (None, Some(_)) => Some("destroyed"),
            (None, None) => None,
        }
    }

    /// For people: `None` where packd never did anything.
    pub fn line(&self) -> Option<String> {
        let before = self.before.as_ref().map(|d| {
            let word = if d.deployed { "deployed" } else { "destroyed" };
            format!("{word} with {} at {}", d.provisioner, d.at.zulu())
        });
        let Some(fell) = &self.fell else { return before };
        let short = fell.run.get(..8).unwrap_or(&fell.run);
        Some(format!(
            "failed at {}: {} {} (run {short}); before: {}",
            fell.at.zulu(),
            fell.action,
            match fell.status {
                RunStatus::Cancelled => "was cancelled",
                RunStatus::Interrupted => "was interrupted",
                _ => "failed",
            },
            before.unwrap_or_else(|| "never deployed by packd".into())
        ))
    }

    /// `null` where packd never did anything. Beside `failed`, the other fields say what was before.
    pub fn json(&self) -> Value {
        let Some(word) = self.word() else { return Value::Null };
        let mut out = json!({"state": word});
        if let Some(d) = &self.before {
            out["deployed"] = json!(d.deployed);
            out["provisioner"] = json!(d.provisioner);
            out["at"] = json!(d.at.zulu());
            out["run_id"] = json!(d.run);
            out["script_sha256"] = json!(d.script_sha);
        }
        if let Some(fell) = &self.fell {
            out["failed"] = json!({
                "at": fell.at.zulu(), "action": fell.action, "status": fell.status.as_str(), "run_id": fell.run,
                "note": fell.note,
            });
        }
        out
    }
}
