//! Confirmations: every way a token can fail, each with its own code, and the modes around it.

use packd::core::Mode;
use packd::engine::Engine;
use serde_json::{Value, json};

use super::rig::Rig;

const INSTALL: &str = "amof_install_ecosystem";

fn demo() -> Value {
    json!({"ecosystem": "demo"})
}

fn nothing_happened(rig: &Rig) {
    rig.wait();
    assert!(!rig.root().join("worktrees").exists());
}

#[test]
fn ask_explains_plan_previews_execute_asks() {
    let rig = Rig::silent();
    let refused = rig.err(INSTALL, demo());
    assert_eq!(refused["code"], "mode_denied");
    let told = &refused["details"];
    assert!(told["would"].as_str().unwrap().contains("2 clones"), "{told}");
    assert_eq!(told["switch"], json!({"tool": "amof_set_mode", "arguments": {"mode": "execute"}}));
    assert!(told["state"].to_string().contains("clone api"));
    let plan = rig.ok(INSTALL, json!({"ecosystem": "demo", "mode": "plan"}));
    assert_eq!(plan["execute_hint"]["arguments"]["mode"], "execute");
    let staged = rig.t.call(&rig.session, INSTALL, json!({"ecosystem": "demo", "mode": "execute"}));
    assert!(!staged.is_error && staged.text.contains("[amof_confirm token="), "{}", staged.text);
    nothing_happened(&rig);
    let trail = rig.ok("history_list", json!({"stream": "audit"})).to_string();
    for step in ["Refused", "Previewed", "issued"] {
        assert!(trail.contains(step), "{step} is missing in {trail}");
    }
    let token = staged.structured.unwrap()["confirmation"]["token"].as_str().unwrap().to_string();
    assert!(!trail.contains(&token));
    rig.ok("amof_confirm", json!({"token": token}));
    rig.wait();
    let trail = rig.ok("history_list", json!({"stream": "audit"})).to_string();
    assert!(trail.contains("confirmed") && !trail.contains(&token), "{trail}");
}

#[test]
fn discard_in_ask_mode_suggests_archiving_first() {
    let rig = Rig::new();
    rig.install();
    rig.ok("amof_set_mode", json!({"mode": "ask"}));
    let told = rig.err("amof_discard_ecosystem", demo());
    assert!(told["details"]["alternatives"].to_string().contains("archive first"), "{told}");
    assert!(told["details"]["irreversible"].is_string());
    assert!(told["details"]["state"].to_string().contains("worktrees/demo/repos/api"));
}

#[test]
fn a_token_is_used_once() {
    let rig = Rig::new();
    let token = rig.token(INSTALL, demo());
    rig.ok("amof_confirm", json!({"token": token}));
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_used");
    rig.wait();
    let runs = rig.ok("amof_list_runs", demo());
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn unknown_foreign_expired_and_cancelled_tokens_are_told_apart() {
    let rig = Rig::new();
    let unknown = rig.err("amof_confirm", json!({"token": "9f1c2d3e-0000-4000-8000-000000000000"}));
    assert_eq!(unknown["code"], "confirm_unknown");
    let token = rig.token(INSTALL, demo());
    assert!(!rig.err("amof_confirm", json!({"token": "nope"})).to_string().contains(&token));
    let other = rig.other("two", |_| {});
    let foreign = rig.t.err(&other, "amof_confirm", json!({"token": token}));
    assert_eq!(foreign["error"]["code"], "confirm_wrong_session");
    let waiting = rig.ok("amof_list_pending", json!({}));
    assert_eq!(waiting["pending"].as_array().unwrap().len(), 1);
    assert!(!waiting.to_string().contains(&token), "what waits is listed without its token");
    assert_eq!(rig.t.ok(&other, "amof_list_pending", json!({}))["pending"], json!([]));
    rig.t.clock.advance(301);
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_expired");
    assert_eq!(rig.code("amof_cancel_confirm", json!({"token": token})), "confirm_expired");
    assert_eq!(rig.ok("amof_list_pending", json!({}))["pending"], json!([]));
    let token = rig.token(INSTALL, demo());
    rig.ok("amof_cancel_confirm", json!({"token": token}));
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_used");
    nothing_happened(&rig);
}

#[test]
fn a_name_typed_wrong_three_times_locks_the_token() {
    let rig = Rig::new();
    rig.install();
    let token = rig.token("amof_discard_ecosystem", demo());
    for (typed, left) in [(json!({"token": token}), 2), (json!({"token": token, "typed_value": "dem"}), 1)] {
        let wrong = rig.err("amof_confirm", typed);
        assert_eq!(
            (&wrong["code"], &wrong["details"]["attempts_left"]),
            (&json!("confirm_wrong_typed_value"), &json!(left))
        );
    }
    assert_eq!(
        rig.code("amof_confirm", json!({"token": token, "typed_value": "Demo"})),
        "confirm_wrong_typed_value"
    );
    let right = json!({"token": token, "typed_value": "demo"});
    assert_eq!(
        rig.err("amof_confirm", right)["details"]["attempts_left"],
        0,
        "the right name comes too late"
    );
    assert!(rig.checkout("api").exists());
}

/// Each change to what was previewed spends the token and gives a fresh preview with a fresh token.
#[test]
fn drift_spends_the_token_and_previews_again() {
    let rig = Rig::new();
    rig.install();
    rig.commit(&rig.checkout("api"), "One");
    let manifest = rig.root().join("ecosystems/demo/ecosystem.yaml");
    let drifts: [(&str, &dyn Fn()); 4] = [
        ("branch tip", &|| {
            rig.commit(&rig.checkout("api"), "Two");
        }),
        ("dirty set", &|| std::fs::write(rig.checkout("web").join("x.txt"), "x").unwrap()),
        ("manifest", &|| {
            let text = std::fs::read_to_string(&manifest).unwrap();
            std::fs::write(&manifest, text + "description: other\n").unwrap();
        }),
        ("remote", &|| {
            let tip = rig.git(&rig.checkout("api"), &["rev-parse", "HEAD~1"]);
            rig.git(&rig.checkout("api"), &["push", "-q", "origin", &format!("{tip}:main")]);
        }),
    ];
    for (what, drift) in drifts {
        let token = rig.token("amof_push_ecosystem", demo());
        drift();
        let drifted = rig.err("amof_confirm", json!({"token": token}));
        assert_eq!(drifted["code"], "confirm_state_drift", "{what}");
        assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_used", "{what}");
        let fresh = drifted["details"]["confirmation"]["token"].as_str().unwrap();
        assert!(drifted["details"]["preview"]["pushes"].is_array(), "{what}");
        rig.ok("amof_cancel_confirm", json!({"token": fresh}));
    }
    assert_eq!(rig.ok("amof_list_runs", json!({"ecosystem": "demo", "status": "queued"}))["runs"], json!([]));
}

#[test]
fn a_new_tag_is_drift_for_a_release() {
    let rig = Rig::new();
    let token = rig.token("amof_release_bump", json!({"bump_type": "patch"}));
    rig.git(&rig.root(), &["tag", "v5.0.0"]);
    let drifted = rig.err("amof_confirm", json!({"token": token}));
    assert_eq!(drifted["code"], "confirm_state_drift");
    assert_eq!(drifted["details"]["preview"]["release"]["tag"], "v5.0.1");
}

#[test]
fn lowering_the_mode_denies_and_raising_it_again_allows() {
    let rig = Rig::new();
    let token = rig.token(INSTALL, demo());
    rig.ok("amof_set_mode", json!({"mode": "ask"}));
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_mode_denied");
    nothing_happened(&rig);
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    rig.ok("amof_confirm", json!({"token": token}));
    rig.wait();
    // The same where execute was only said in the call.
    let rig = Rig::silent();
    let token = rig.token(INSTALL, json!({"ecosystem": "demo", "mode": "execute"}));
    rig.ok("amof_set_mode", json!({"mode": "plan"}));
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_mode_denied");
    nothing_happened(&rig);
}

#[test]
fn a_confirmed_call_means_the_ecosystem_that_was_previewed() {
    let rig = Rig::new();
    rig.write("ecosystems/other/ecosystem.yaml", "repos: []\n");
    rig.ok("amof_use_ecosystem", json!({"name": "demo"}));
    let token = rig.token(INSTALL, json!({}));
    rig.ok("amof_use_ecosystem", json!({"name": "other"}));
    let run = rig.ok("amof_confirm", json!({"token": token}));
    assert_eq!(run["_context"]["ecosystem"], "demo");
    rig.wait();
    assert!(rig.checkout("api").exists() && !rig.root().join("worktrees/other").exists());
}

#[test]
fn of_two_confirmations_at_once_one_wins() {
    let rig = Rig::new();
    let token = rig.token(INSTALL, demo());
    let ask = || packd::engine::CallRequest::new("amof_confirm", json!({"token": token}));
    let both = async {
        tokio::join!(rig.t.engine.call(&rig.session, ask()), rig.t.engine.call(&rig.session, ask()))
    };
    let (a, b) = rig.t.block_on(both);
    assert_eq!([a.is_error, b.is_error].iter().filter(|e| **e).count(), 1, "{} / {}", a.text, b.text);
    let lost = if a.is_error { a } else { b };
    assert_eq!(lost.structured.unwrap()["error"]["code"], "confirm_used");
    rig.wait();
    assert_eq!(rig.ok("amof_list_runs", demo())["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_token_survives_a_restart_of_the_daemon() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("packd.redb");
    let rig = Rig::on_file(&file);
    let token = rig.token(INSTALL, demo());
    let rig = rig.restarted(&file);
    rig.ok("amof_confirm", json!({"token": token}));
    rig.wait();
    assert!(rig.checkout("api").exists());
    assert_eq!(rig.code("amof_confirm", json!({"token": token})), "confirm_used");
}

#[test]
fn where_a_human_must_confirm_the_agent_cannot() {
    let rig = Rig::with(|o| o.human_confirms = true);
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    let asked = rig.err(INSTALL, demo());
    assert_eq!(asked["code"], "needs_human");
    assert!(!asked.to_string().contains("amof_confirm"), "no agent gets a token: {asked}");
    assert!(asked["details"]["preview"]["steps"].is_array(), "{asked}");
    let id = asked["details"]["confirmation"]["id"].clone();
    let refused = rig.err("amof_confirm", json!({"token": id}));
    assert_eq!(refused["code"], "confirm_needs_human");
    assert!(refused["hint"].as_str().unwrap().contains("packd confirm"));
    // Asking again is the same question, not a second one.
    assert_eq!(rig.err(INSTALL, demo())["details"]["confirmation"]["id"], id);
    let script = rig.other("script", |info| {
        info.env.insert("PACKD_CLI".into(), "1".into());
    });
    let refused = rig.t.err(&script, "amof_confirm", json!({"token": id}));
    assert_eq!(refused["error"]["code"], "confirm_needs_terminal");
    let person = rig.other("terminal", |info| {
        info.env.insert("PACKD_CLI".into(), "1".into());
        info.terminal = true;
    });
    let waiting = rig.t.ok(&person, "amof_list_pending", json!({}));
    assert_eq!(waiting["pending"].as_array().unwrap().len(), 1, "{waiting}");
    assert_eq!(waiting["pending"][0]["id"], id);
    let question = waiting["pending"][0]["question"].as_str().unwrap();
    assert!(question.contains("clone api") && !question.contains("amof_"), "{question}");
    nothing_happened(&rig);
    rig.t.ok(&person, "amof_confirm", json!({"token": id}));
    rig.wait();
    assert!(rig.checkout("api").exists());
    let decided = rig.ok("amof_list_pending", json!({"id": id}))["decided"][0].clone();
    assert!(decided["status"] == "done" && decided["run_id"].is_string(), "{decided}");
    // Taking an installation back removes directories: a person decides that, too.
    let undo = rig.t.err(&rig.session, "history_undo", json!({"yes": true}));
    assert_eq!(undo["code"], "needs_human", "{undo}");
    assert!(rig.checkout("api").exists());
    // Elicitation: the host asked the person, so the same session may go on.
    let engine: &Engine = &rig.t.engine;
    let id = undo["details"]["confirmation"]["id"].as_str().unwrap();
    let reply = rig.t.block_on(engine.confirm_for_person(&rig.session, id, None));
    assert!(!reply.is_error, "{}", reply.text);
    assert!(!rig.checkout("api").exists());
}

#[test]
fn a_ceiling_holds_against_session_and_call() {
    let rig = Rig::silent();
    let low = rig.other("low", |info| info.max_mode = Some(Mode::Plan));
    let denied = rig.t.err(&low, "amof_set_mode", json!({"mode": "execute"}));
    assert_eq!(denied["error"]["code"], "mode_denied");
    let args = json!({"ecosystem": "demo", "mode": "execute"});
    assert_eq!(rig.t.ok(&low, INSTALL, args)["dry_run"], true);
    nothing_happened(&rig);
}
