//! How an ecosystem's deployment stands: deployed, destroyed, or left half-way by a run that did not succeed.
//!
//! A failure stands beside what was before, which it does not erase; the next success takes it away.

use serde::{Deserialize, Serialize};

use super::rows::{DEPLOYMENTS, EcosystemId, SpinDeployment};
use crate::core::run::RunStatus;
use crate::core::{Result, Table, Timestamp, View};

/// (root, name) → [`FailedSpin`].
pub const FAILURES: Table = Table("eco_failures");

/// A deploy or destroy whose script was begun and did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedSpin {
    /// `deploy` or `destroy`.
    pub action: String,
    pub status: RunStatus,
    pub at: Timestamp,
    pub run: String,
    pub note: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpinStanding {
    /// The last success.
    pub before: Option<SpinDeployment>,
    /// What has gone wrong since.
    pub fell: Option<FailedSpin>,
}

impl SpinStanding {
    pub fn of(view: &dyn View, id: &EcosystemId) -> Result<SpinStanding> {
        let before = view.get(DEPLOYMENTS, &id.key())?.map(|(row, _)| row);
        let fell = view.get(FAILURES, &id.key())?.map(|(row, _)| row);
        Ok(SpinStanding { before, fell })
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

    /// `None` where packd never did anything. Beside `failed`, the other fields say what was before.
    pub fn shown(&self) -> Option<ShownStanding> {
        let before = self.before.as_ref();
        Some(ShownStanding {
            state: self.word()?,
            deployed: before.map(|d| d.deployed),
            provisioner: before.map(|d| d.provisioner.clone()),
            at: before.map(|d| d.at.zulu()),
            run_id: before.map(|d| d.run.clone()),
            script_sha256: before.map(|d| d.script_sha.clone()),
            failed: self.fell.as_ref().map(|fell| ShownFailure {
                at: fell.at.zulu(),
                action: fell.action.clone(),
                status: fell.status.as_str(),
                run_id: fell.run.clone(),
                note: fell.note.clone(),
            }),
        })
    }
}

/// As replies have it.
#[derive(Debug, Clone, Serialize)]
pub struct ShownStanding {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    deployed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provisioner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    script_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<ShownFailure>,
}

#[derive(Debug, Clone, Serialize)]
struct ShownFailure {
    at: String,
    action: String,
    status: &'static str,
    run_id: String,
    note: String,
}
