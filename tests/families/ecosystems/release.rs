//! Releases: semver order, all or nothing, nothing pushed unless asked, undo while unpushed.

use serde_json::{Value, json};

use super::rig::Rig;

fn tags(rig: &Rig) -> String {
    rig.git(&rig.root(), &["tag", "--list"])
}

#[test]
fn a_release_is_a_changelog_a_record_a_commit_and_a_tag() {
    let rig = Rig::new();
    let plan =
        rig.ok("amof_release_bump", json!({"bump_type": "minor", "pre_release": "rc", "mode": "plan"}));
    assert_eq!(plan["release"]["tag"], "v0.1.0-rc.1");
    assert_eq!(tags(&rig), "");
    let run = rig.done("amof_release_bump", json!({"bump_type": "minor", "pre_release": "rc"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    let run = rig.done("amof_release_promote", json!({}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    let status = rig.ok("amof_release_status", json!({}));
    assert_eq!(status["current"], "v0.1.0", "a stable release outranks its candidate");
    assert_eq!(rig.git(&rig.root(), &["cat-file", "-t", "v0.1.0"]), "tag");
    assert_eq!(rig.git(&rig.root(), &["log", "-1", "--format=%s"]), "chore(release): v0.1.0");
    let record = std::fs::read_to_string(rig.root().join("releases/v0.1.0.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["previous_tag"], "v0.1.0-rc.1");
    let changelog = std::fs::read_to_string(rig.root().join("CHANGELOG.md")).unwrap();
    assert!(changelog.find("## 0.1.0 ").unwrap() < changelog.find("## 0.1.0-rc.1").unwrap(), "{changelog}");
    assert!(changelog.contains("- Begin"));
    assert_eq!(rig.code("amof_release_promote", json!({})), "cannot_promote");
    assert_eq!(rig.ok("amof_release_log", json!({}))["releases"][0]["tag"], "v0.1.0");

    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(tags(&rig), "v0.1.0-rc.1");
    assert_eq!(rig.git(&rig.root(), &["log", "-1", "--format=%s"]), "chore(release): v0.1.0-rc.1");
    assert_eq!(rig.git(&rig.root(), &["status", "--porcelain"]), "");
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.ok("amof_release_status", json!({}))["current"], "v0.1.0");
}

#[test]
fn a_failure_half_way_leaves_no_commit_and_no_tag() {
    let rig = Rig::new();
    let before = rig.git(&rig.root(), &["rev-parse", "HEAD"]);
    // A tag hook does not exist, so the tag itself is made to fail: its directory is taken by a file.
    let token = rig.token("amof_release_bump", json!({"bump_type": "minor"}));
    std::fs::write(rig.root().join(".git/refs/tags/v0.1.0.lock"), "").unwrap();
    let run = rig.ok("amof_confirm", json!({"token": token}))["run_id"].clone();
    let run = rig.ended(&run);
    assert_eq!(run["status"], "failed", "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.root(), &["rev-parse", "HEAD"]), before);
    assert_eq!(rig.git(&rig.root(), &["status", "--porcelain"]), "", "{}", rig.log(&run["run_id"]));
    assert_eq!(tags(&rig), "");
    assert_eq!(rig.ok("amof_release_log", json!({}))["releases"], json!([]));
}

#[test]
fn a_repository_of_the_ecosystem_can_be_released_and_pushed() {
    let rig = Rig::new();
    rig.install();
    std::fs::write(rig.checkout("api").join("CHANGELOG.md"), "# Changes\n\n## 0.0.1 - long ago\n\n- Old\n")
        .unwrap();
    std::fs::write(rig.checkout("api").join("VERSION"), "0.0.1\n").unwrap();
    rig.commit(&rig.checkout("api"), "Add a changelog");
    let args = json!({"ecosystem": "demo", "repo": "api", "bump_type": "patch"});
    let run = rig.done("amof_release_bump", args);
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.remote_dir("api"), &["tag"]), "", "nothing is pushed unless asked");
    assert_eq!(std::fs::read_to_string(rig.checkout("api").join("VERSION")).unwrap(), "0.1.0\n");
    let args = json!({"ecosystem": "demo", "repo": "api", "bump_type": "patch", "push": true});
    let run = rig.done("amof_release_bump", args);
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.remote_dir("api"), &["tag"]), "v0.1.1");
    let ops = rig.ok("history_list", json!({"tool": "amof_release_bump"}));
    assert_eq!(ops["operations"][0]["undoable"], false, "a pushed release stays");
    assert_eq!(tags(&rig), "", "the platform itself was not released");
}

#[test]
fn a_pushed_release_is_not_taken_back() {
    let rig = Rig::new();
    rig.install();
    std::fs::write(rig.checkout("api").join("CHANGELOG.md"), "# Changes\n").unwrap();
    rig.commit(&rig.checkout("api"), "Add a changelog");
    let run =
        rig.done("amof_release_bump", json!({"ecosystem": "demo", "repo": "api", "bump_type": "patch"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    rig.git(&rig.checkout("api"), &["push", "-q", "origin", "main", "v0.1.0"]);
    let refused = rig.t.err(&rig.session, "history_undo", json!({"yes": true}));
    assert!(refused.to_string().contains("the release was not pushed"), "{refused}");
    assert_eq!(rig.git(&rig.checkout("api"), &["tag"]), "v0.1.0");
}

#[test]
fn gates_refuse_what_is_not_ready() {
    let rig = Rig::new();
    rig.write("stray.txt", "x");
    assert_eq!(rig.code("amof_release_bump", json!({"bump_type": "patch"})), "release_blocked");
    let checked = rig.ok("amof_release_validate", json!({}));
    assert_eq!(checked["valid"], false);
    assert!(checked["problems"].to_string().contains("uncommitted"));
}
