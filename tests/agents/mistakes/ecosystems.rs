//! Mistakes with ecosystems, runs and confirmations.

use serde_json::json;

use super::super::rig::Agent;
use super::{led, other, recover, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    let mut agent = Agent::new(&place, &[]);
    let shop = json!({"ecosystem": "shop"});
    let bump = json!({"ecosystem": "shop", "bump_type": "minor", "mode": "execute"});
    recover(
        &mut agent,
        vec![
            led(
                "amof_install_ecosystem",
                json!({"ecosystem": "store"}),
                &["No workspace with an 'ecosystems' directory", "packd://templates/ecosystem.yaml"],
            ),
            other(
                "amof_init_ecosystem",
                json!({"name": "shop"}),
                &["no mode was said", "execute"],
                "amof_init_ecosystem",
                json!({"name": "shop", "mode": "execute"}),
            ),
            led("amof_init_ecosystem", json!({"name": "shop", "mode": "execute"}), &["exists already"]),
            led("amof_describe_ecosystem", json!({"ecosystem": "shp"}), &["Did you mean 'shop'?"]),
            led("amof_use_ecosystem", json!({"name": "shp"}), &["Did you mean 'shop'?"]),
            wrong("amof_use_ecosystem", shop.clone(), &["'name' is required"], json!({"name": "shop"})),
            wrong("amof_describe_ecosystem", json!({"name": "shop"}), &["ecosystem"], shop.clone()),
            wrong(
                "amof_install_ecosystem",
                json!({"ecosystem": "shop", "mode": "exec"}),
                &["ask, plan, execute"],
                json!({"ecosystem": "shop", "mode": "plan"}),
            ),
            led("amof_install_ecosystem", shop.clone(), &["no mode was said"]),
            led(
                "amof_sync_ecosystem",
                json!({"ecosystem": "shop", "mode": "execute"}),
                &["is not installed"],
            ),
            led("amof_confirm", json!({"token": "x"}), &["no such confirmation token"]),
            wrong("amof_set_mode", json!({"mode": "exec"}), &["ask, plan, execute"], json!({"mode": "ask"})),
            led("amof_get_run_status", json!({"run_id": "x"}), &["There is no run 'x'"]),
            wrong(
                "amof_list_runs",
                json!({"status": "done"}),
                &["success, failed"],
                json!({"status": "success"}),
            ),
            led(
                "amof_ticket_switch",
                json!({"ecosystem": "shop", "ticket_id": "T-1", "mode": "execute"}),
                &["has no ticket"],
            ),
            led("amof_release_bump", bump, &["is not a git checkout"]),
            led(
                "amof_release_status",
                json!({"ecosystem": "shop", "repo": "nope"}),
                &["has no repository 'nope'"],
            ),
        ],
    )
}
