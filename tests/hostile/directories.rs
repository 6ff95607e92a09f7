//! Directories that were there before packd came stay when it takes its files away; its own go with them.

use std::fs;

use serde_json::json;

use crate::common::real::Place;
use crate::families::packages::rig::{Package, Rig};

#[test]
fn undoing_a_set_up_leaves_directories_that_were_there() {
    let place = Place::new();
    fs::create_dir(place.path().join(".cursor")).unwrap();
    place.packd(&["setup", "cursor"]).ok();
    assert!(place.path().join(".cursor/mcp.json").exists());
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    assert!(!place.path().join(".cursor/mcp.json").exists());
    assert!(place.path().join(".cursor").exists(), "an empty directory of the user's is theirs");

    // One that the set-up made goes with it, also after a restart of the daemon.
    fs::remove_dir(place.path().join(".cursor")).unwrap();
    place.packd(&["setup", "cursor"]).ok();
    place.packd(&["stop"]).ok();
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    assert!(!place.path().join(".cursor").exists());
    // And one that somebody made in its place afterwards is theirs.
    place.packd(&["redo", "--family", "hosts", "--yes"]).ok();
    fs::remove_dir_all(place.path().join(".cursor")).unwrap();
    fs::create_dir(place.path().join(".cursor")).unwrap();
    place.packd(&["setup", "cursor"]).ok();
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    assert!(place.path().join(".cursor").exists());
}

#[test]
fn packages_take_only_their_own_directories_along() {
    let rig = Rig::new();
    rig.publish(&Package {
        name: "@acme/all",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "review", "# Review\n"), ("prompts", "ask", "Ask me.\n")],
    });
    for mine in ["work/.cursor/skills", "work/.cursor/prompts"] {
        fs::create_dir_all(rig.path(mine)).unwrap();
    }
    let install = json!({"packages": ["@acme/all"], "platform": "cursor"});
    rig.ok("aam_install", install.clone());
    let made: Vec<_> =
        fs::read_dir(rig.path("work/.cursor/skills")).unwrap().flatten().map(|e| e.path()).collect();
    assert_eq!(made.len(), 1, "{made:?}");
    rig.t.ok(&rig.session, "history_undo", json!({"yes": true}));
    assert!(!made[0].exists(), "the skill's own directory goes");
    assert!(rig.has("work/.cursor/skills") && rig.has("work/.cursor/prompts"), "undo leaves what was there");
    rig.ok("aam_install", install);
    rig.ok("aam_uninstall", json!({"package_name": "@acme/all"}));
    assert!(!made[0].exists());
    assert!(rig.has("work/.cursor/skills") && rig.has("work/.cursor/prompts"), "uninstall, too");
}
