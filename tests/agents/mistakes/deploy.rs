//! Mistakes with deploying configuration.

use serde_json::json;

use super::super::rig::Agent;
use super::{led, recover, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    let mut agent = Agent::new(&place, &[]);
    let target = json!({"target": "codex"});
    recover(
        &mut agent,
        vec![
            led("deploy", json!({}), &["E_CONFIG_MISSING", "packd://templates/agentpack.yaml"]),
            led("deploy_init", json!({}), &["E_FILE_EXISTS"]),
            led("deploy", json!({"target": "claude"}), &["'claude' is not a target"]),
            wrong("deploy", json!({"targets": ["codex"]}), &["Did you mean 'target'?"], target.clone()),
            wrong("plan", json!({"target": "emacs"}), &["codex", "cursor"], target.clone()),
            led("deploy", json!({"profile": "nope"}), &["There is no profile 'nope'"]),
            led("deploy_apply", json!({}), &["E_CONFIRM_REQUIRED"]),
            led("deploy_apply", json!({"yes": true}), &["E_CONFIRM_TOKEN_REQUIRED"]),
            led("deploy_apply", json!({"yes": true, "confirm_token": "x"}), &["unknown or was used already"]),
            led("rollback", json!({}), &["E_CONFIRM_REQUIRED"]),
            led("rollback", json!({"to": "1", "yes": true}), &["There is no snapshot '1'"]),
            wrong("status", json!({"only": "missing"}), &["[\\\"missing\\\"]"], json!({"only": ["missing"]})),
            wrong(
                "status",
                json!({"only": ["edited"]}),
                &["missing, modified, extra"],
                json!({"only": ["modified"]}),
            ),
            wrong(
                "explain",
                json!({}),
                &["'kind' is required", "plan, diff, status"],
                json!({"kind": "plan"}),
            ),
            wrong("explain", json!({"kind": "deploy"}), &["plan, diff, status"], json!({"kind": "diff"})),
            wrong("deploy", json!({"mode": "exec"}), &["ask, plan, execute"], json!({"mode": "plan"})),
        ],
    )
}
