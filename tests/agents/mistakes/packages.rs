//! Mistakes with agent packages.

use serde_json::json;

use super::super::rig::Agent;
use super::{led, recover, wrong};
use crate::common::real::Place;

pub fn recovered() -> usize {
    let place = Place::new();
    std::fs::create_dir(place.work().join("good")).unwrap();
    let mut agent = Agent::new(&place, &["--allow-write"]);
    let search = json!({"query": "lint"});
    recover(
        &mut agent,
        vec![
            led("aam_install", json!({"packages": ["lint"]}), &["AAM_NOT_INITIALIZED"]),
            led("aam_registry_add", json!({"name": "mine", "url": "shelf"}), &["does not exist", "mkdir"]),
            led("aam_publish", json!({}), &["There is no aam.yaml", "packd://templates/aam.yaml"]),
            led("aam_info", json!({"package_name": "lint"}), &["neither installed nor in any registry"]),
            led("aam_uninstall", json!({"package_name": "lint"}), &["is not installed"]),
            led("aam_verify", json!({"package_name": "lint"}), &["is not installed"]),
            led("aam_config_set", json!({"key": "platform", "value": "codex"}), &["default_platform"]),
            wrong(
                "aam_search",
                json!({"q": "lint"}),
                &["'query' is required", "'q' is not a field"],
                search.clone(),
            ),
            wrong(
                "aam_install",
                json!({"packages": "lint"}),
                &["Send [\"lint\"]"],
                json!({"packages": ["lint"], "mode": "plan"}),
            ),
            wrong(
                "aam_install",
                json!({"package": ["lint"]}),
                &["Did you mean 'packages'?"],
                json!({"packages": ["lint"], "mode": "plan"}),
            ),
            wrong(
                "aam_install",
                json!({"packages": ["lint"], "platform": "emacs"}),
                &["not one of", "claude"],
                json!({"packages": ["lint"], "platform": "claude", "mode": "plan"}),
            ),
            wrong(
                "aam_init",
                json!({"name": "Bad Name"}),
                &["lower-case letters"],
                json!({"name": "good", "path": "good"}),
            ),
            wrong(
                "aam_list",
                json!({"limit": 3}),
                &["'limit' is not a field", "offset"],
                json!({"offset": 0}),
            ),
        ],
    )
}
