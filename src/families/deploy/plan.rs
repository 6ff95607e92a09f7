//! The plan: what a deploy would create, update and delete, and its hash.

use serde_json::{Value, json};

use super::reply::{posix, shown};
use super::state::DeployState;
use super::target_file::TargetFile;
use crate::core::{SessionInfo, Sha, json as canonical};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedOp {
    Create,
    Update,
    Delete,
}

impl PlannedOp {
    pub fn as_str(self) -> &'static str {
        match self {
            PlannedOp::Create => "create",
            PlannedOp::Update => "update",
            PlannedOp::Delete => "delete",
        }
    }
}

#[derive(Debug, Clone)]
pub struct PlannedChange {
    pub at: TargetFile,
    pub op: PlannedOp,
    pub before: Option<Sha>,
    pub after: Option<Sha>,
    /// An update of a file that no manifest lists.
    pub adopt: bool,
    /// The file is not what was deployed last: somebody's edit would be overwritten or deleted.
    pub hand_edited: bool,
}

pub struct DeployPlan {
    pub changes: Vec<PlannedChange>,
    pub warnings: Vec<String>,
}

/// Compares what should be with what is.
pub fn plan(seen: &DeployState) -> DeployPlan {
    let mut changes = Vec::new();
    for (at, known) in &seen.files {
        let before = known.now_sha();
        let after = known.wanted.as_ref().map(|output| &output.content.sha);
        let op = match (before, after) {
            (None, Some(_)) => PlannedOp::Create,
            (Some(before), Some(after)) if before != after => PlannedOp::Update,
            (Some(_), None) => PlannedOp::Delete,
            _ => continue,
        };
        changes.push(PlannedChange {
            at: at.clone(),
            op,
            before: before.cloned(),
            after: after.cloned(),
            adopt: op == PlannedOp::Update && known.managed.is_none(),
            hand_edited: matches!((before, &known.managed), (Some(b), Some(m)) if *b != m.sha256),
        });
    }
    let warnings = changes.iter().filter(|c| c.hand_edited).map(|c| {
        let fate = if c.op == PlannedOp::Delete { "deleted" } else { "overwritten" };
        format!(
            "{} was edited by hand and would be {fate}; its content is kept and undo brings it back",
            shown(&c.at.path)
        )
    });
    DeployPlan { warnings: warnings.collect(), changes }
}

impl DeployPlan {
    pub fn count(&self, op: PlannedOp) -> u64 {
        self.changes.iter().filter(|c| c.op == op).count() as u64
    }

    pub fn summary(&self) -> Value {
        json!({"create": self.count(PlannedOp::Create), "update": self.count(PlannedOp::Update), "delete": self.count(PlannedOp::Delete)})
    }

    /// The summary as text.
    pub fn counts(&self) -> String {
        self.summary().to_string()
    }

    pub fn list(&self) -> Value {
        Value::Array(self.changes.iter().map(PlannedChange::json).collect())
    }

    /// `profile`, `targets`, `changes`, `summary`: what plan, diff and deploy share.
    pub fn data(&self, seen: &DeployState) -> Value {
        json!({
            "profile": seen.args.profile, "targets": seen.targets, "changes": self.list(), "summary": self.summary(),
        })
    }

    /// The answer of `deploy` before its token: what is reviewed, and what the hash covers.
    pub fn deploy_data(&self, seen: &DeployState) -> Value {
        let mut data = json!({"applied": false});
        for (key, value) in self.data(seen).as_object().into_iter().flatten() {
            data[key] = value.clone();
        }
        data
    }

    pub fn hash(&self, seen: &DeployState, session: &SessionInfo) -> String {
        let binding = seen.args.binding(session, &seen.place.detected_machine);
        let whole = json!({"binding": binding, "data": self.deploy_data(seen)});
        Sha::of(canonical::sorted(&whole).to_string().as_bytes()).0
    }
}

impl PlannedChange {
    pub fn reason(&self) -> &'static str {
        match self.op {
            PlannedOp::Create => "file missing",
            PlannedOp::Update if self.adopt => "would overwrite unmanaged existing file",
            PlannedOp::Update => "content differs",
            PlannedOp::Delete => "no longer managed",
        }
    }

    pub fn json(&self) -> Value {
        let path = shown(&self.at.path);
        let mut out = json!({
            "target": self.at.target, "op": self.op.as_str(), "path": path, "path_posix": posix(&path),
            "before_sha256": self.before, "after_sha256": self.after,
        });
        if self.op == PlannedOp::Update {
            out["update_kind"] = json!(if self.adopt { "adopt_update" } else { "managed_update" });
        }
        out["reason"] = json!(self.reason());
        if self.hand_edited {
            out["hand_edited"] = json!(true);
        }
        out
    }
}
