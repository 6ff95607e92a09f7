//! What an agent reads of deploy: what a reply costs, that it says what changed, and that its next call is right.

use serde_json::{Value, json};

use super::rig::{Rig, SMALL, with};

/// The call that a reply suggests, carried out as it stands.
fn follow(rig: &Rig, next: &Value) -> Value {
    rig.ok(next["tool"].as_str().unwrap(), next["arguments"].clone())
}

#[test]
fn a_review_shows_the_text_of_its_changes_and_the_call_that_applies_them() {
    let rig = Rig::new(SMALL);
    let reply = rig.call("deploy", json!({}));
    let review = reply.structured.unwrap();
    assert_eq!(reply.text, review.to_string(), "one form, sent twice or once as the host wants");
    let changes = review["data"]["changes"].as_array().unwrap().len();
    assert!(reply.text.len() <= 3 * 1024, "{} bytes for {changes} changes", reply.text.len());
    let diffs = review["diffs"].as_array().unwrap();
    assert_eq!(diffs.len(), changes);
    assert!(diffs.iter().any(|d| d["unified"].as_str().is_some_and(|text| text.contains("+rule one"))));
    assert_eq!(review["next"]["tool"], "deploy_apply");
    let applied = follow(&rig, &review["next"]);
    assert_eq!(applied["applied"], true);
    assert!(rig.exists("project/AGENTS.md"));
}

#[test]
fn after_a_missing_config_comes_the_call_that_writes_one() {
    let rig = Rig::new(SMALL);
    let elsewhere = rig.home().join("elsewhere").display().to_string();
    let error = rig.err("plan", json!({"repo": elsewhere}));
    assert_eq!(error["code"], "E_CONFIG_MISSING");
    let calls = error["details"]["next_calls"].as_array().unwrap();
    assert_eq!(calls[0]["tool"], "deploy_init");
    assert!(calls.iter().all(|call| call["tool"] != "plan"), "never the call that failed: {calls:?}");
    assert!(error["details"]["hint"].as_str().unwrap().contains("packd://templates/agentpack.yaml"));
    follow(&rig, &calls[0]);
    rig.ok("plan", json!({"repo": elsewhere}));
    let again = rig.err("deploy_init", json!({"repo": elsewhere}));
    assert_eq!(again["code"], "E_FILE_EXISTS");
    follow(&rig, &again["details"]["next_calls"][0]);
    rig.t.ok(&rig.s, "history_undo", json!({"yes": true}));
    assert_eq!(rig.err("plan", json!({"repo": elsewhere}))["code"], "E_CONFIG_MISSING");
}

/// `deploy_init {"repo": "/etc"}` once wrote there, because a config repo may be read wherever it lies.
#[test]
fn a_first_config_repo_is_only_written_where_the_caller_is_at_home() {
    let rig = Rig::new(SMALL);
    let outside = rig.root.join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, rig.root.join("project/way_out")).unwrap();
    for repo in [outside.join("deeper"), outside.clone(), rig.root.join("project/way_out"), "/".into()] {
        let refused = rig.err("deploy_init", json!({"repo": repo}));
        assert_eq!(refused["code"], "E_INVALID_ARGUMENTS", "{refused}");
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    let missing = rig.err("plan", json!({"repo": outside}));
    assert_eq!(missing["code"], "E_CONFIG_MISSING");
    assert!(!missing.to_string().contains("deploy_init"), "never a call that is refused: {missing}");
    rig.ok("deploy_init", json!({"repo": "config"}));
    assert!(rig.exists("project/config/agentpack.yaml"));
}

#[test]
fn a_target_that_does_not_exist_never_leads_to_more_than_was_asked_for() {
    let rig = Rig::new(SMALL);
    for (wrong, meant) in [("claude", Some("claude_code")), ("codx", Some("codex")), ("emacs", None)] {
        let error = rig.err("deploy", json!({"target": wrong}));
        assert_eq!(error["code"], "E_TARGET_UNSUPPORTED");
        let call = &error["details"]["next_calls"][0];
        assert_eq!(call["arguments"]["target"].as_str(), meant, "{wrong}: {error}");
    }
}

#[test]
fn status_tells_an_edit_from_a_change_of_the_config() {
    let rig = Rig::new(SMALL);
    rig.deploy();
    let cause = |rig: &Rig| rig.ok("status", json!({}))["drift"][0]["cause"].clone();
    rig.repo_file("modules/base/AGENTS.md", "# base\nrule two\n");
    assert_eq!(cause(&rig), "config_changed");
    rig.deploy();
    rig.write("project/AGENTS.md", "mine\n");
    assert_eq!(cause(&rig), "edited_by_hand");
}

#[test]
fn approval_comes_first_and_unknown_fields_are_named() {
    let rig = Rig::new(SMALL);
    let unknown = json!({"yes": true, "confirm_token": "x", "bogus": 1});
    assert_eq!(rig.err("deploy_apply", with(&unknown, json!({"yes": false})))["code"], "E_CONFIRM_REQUIRED");
    let error = rig.err("deploy_apply", unknown);
    assert_eq!(error["code"], "E_INVALID_ARGUMENTS");
    assert!(error["message"].as_str().unwrap().contains("bogus"), "{error}");
    assert_eq!(rig.err("rollback", json!({"to": "1", "bogus": 1}))["code"], "E_CONFIRM_REQUIRED");
}
