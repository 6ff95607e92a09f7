//! Where a person must confirm: every family's dangerous calls wait, run exactly as previewed, and leave a trail.

use std::sync::{Arc, Mutex};

use packd::core::Mode;
use packd::engine::confirm::person::Passphrase;
use packd::engine::{CallRequest, Options, Session};
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, options, person, session_info};
use crate::common::text_snapshot;
use crate::families::deploy::rig::{Rig, SMALL};
use crate::families::ecosystems;
use crate::families::packages::rig as packages_rig;

fn human(options: &mut Options) {
    options.human_confirms = true;
}

fn rig() -> Rig {
    Rig::build(SMALL, human)
}

/// The confirmation that a refused call left.
fn asked(told: &Value) -> String {
    let details = told.get("details").unwrap_or(told);
    let id = details["confirmation"]["id"].as_str();
    id.unwrap_or_else(|| panic!("nobody is asked: {told}")).to_string()
}

fn at_terminal(t: &TestEngine) -> Arc<Session> {
    t.open(person("terminal", "/elsewhere"))
}

fn agree(t: &TestEngine, id: &str) -> Value {
    t.ok(&at_terminal(t), "amof_confirm", json!({"token": id}))
}

fn review(rig: &Rig) -> Value {
    let plan = rig.ok("deploy", json!({}));
    json!({"yes": true, "adopt": true, "confirm_token": plan["confirm_token"]})
}

#[test]
fn a_deploy_passes_its_own_gate_first_and_then_waits_for_a_person() {
    let rig = rig();
    let before = rig.disk();
    assert_eq!(rig.err("deploy_apply", json!({}))["code"], "E_CONFIRM_REQUIRED");
    assert_eq!(rig.err("deploy_apply", json!({"yes": true}))["code"], "E_CONFIRM_TOKEN_REQUIRED");
    let wrong = json!({"yes": true, "confirm_token": "0".repeat(64)});
    assert_eq!(rig.err("deploy_apply", wrong)["code"], "E_CONFIRM_TOKEN_MISMATCH");
    let call = review(&rig);
    let told = rig.err("deploy_apply", call.clone());
    assert_eq!(
        (&told["code"], &told["details"]["reason_code"]),
        (&json!("E_NEEDS_HUMAN"), &json!("needs_human"))
    );
    assert!(told["details"]["hint"].as_str().unwrap().contains("packd confirm"), "{told}");
    assert_eq!(rig.disk(), before);
    let id = asked(&told);
    let listed = rig.t.ok(&rig.s, "amof_list_pending", json!({}));
    assert_eq!(
        (&listed["pending"][0]["id"], &listed["pending"][0]["tool"]),
        (&json!(id), &json!("deploy_apply"))
    );
    assert!(!listed.to_string().contains(call["confirm_token"].as_str().unwrap()), "{listed}");
    assert_eq!(
        rig.t.err(&rig.s, "amof_confirm", json!({"token": id}))["error"]["code"],
        "confirm_needs_human"
    );
    let done = agree(&rig.t, &id);
    assert_eq!(done["data"]["applied"], true, "{done}");
    assert!(rig.exists("project/AGENTS.md"));
    let op = rig.t.ok(&rig.s, "history_list", json!({}))["operations"][0].clone();
    assert_eq!(
        (&op["tool"], &op["who"]["session"]),
        (&json!("deploy_apply"), &json!("s1")),
        "the agent's own"
    );
    let decided = rig.t.ok(&rig.s, "amof_list_pending", json!({"id": id}))["decided"][0].clone();
    assert_eq!((&decided["status"], &decided["operation_id"]), (&json!("done"), &op["operation_id"]));
    assert_eq!(rig.err("deploy_apply", call)["code"], "E_CONFIRM_TOKEN_MISMATCH", "a token works once");
}

#[test]
fn undo_redo_and_revert_of_files_wait_and_those_of_rows_do_not() {
    let rig = rig();
    agree(&rig.t, &asked(&rig.err("deploy_apply", review(&rig))));
    let deployed = rig.disk();
    let preview = rig.t.ok(&rig.s, "history_undo", json!({}));
    assert_eq!(preview["preview"], true, "looking needs nobody: {preview}");
    let undo = rig.t.err(&rig.s, "history_undo", json!({"yes": true}));
    assert_eq!((&undo["code"], rig.disk() == deployed), (&json!("needs_human"), true));
    agree(&rig.t, &asked(&undo));
    assert!(!rig.exists("project/AGENTS.md"));
    let redo = rig.t.err(&rig.s, "history_redo", json!({"yes": true}));
    assert_eq!(redo["code"], "needs_human");
    agree(&rig.t, &asked(&redo));
    assert_eq!(rig.disk(), deployed);
    let ops = rig.t.ok(&rig.s, "history_list", json!({"tool": "deploy_apply"}));
    let id = &ops["operations"][0]["operation_id"];
    let revert = rig.t.err(&rig.s, "history_revert", json!({"operation_id": id, "yes": true}));
    assert_eq!(revert["code"], "needs_human");
    assert_eq!(rig.disk(), deployed);
    rig.t.ok(&rig.s, "input", json!({"action": "create", "title": "Notes", "ttl_minutes": 60}));
    let rows = rig.t.ok(&rig.s, "history_undo", json!({"yes": true, "family": "packs"}));
    assert_eq!(rows["preview"], false, "{rows}");
}

#[test]
fn rollback_and_evolve_wait_too() {
    let rig = rig();
    agree(&rig.t, &asked(&rig.err("deploy_apply", review(&rig))));
    crate::families::deploy::rig::git(&rig.repo(), &["init", "-q"]);
    for (name, value) in [("user.name", "T"), ("user.email", "t@example.org")] {
        crate::families::deploy::rig::git(&rig.repo(), &["config", name, value]);
    }
    crate::families::deploy::rig::git(&rig.repo(), &["add", "-A"]);
    crate::families::deploy::rig::git(&rig.repo(), &["commit", "-q", "-m", "All"]);
    let first = rig.ok("deploy_snapshots", json!({}))["snapshots"][0]["snapshot_id"].clone();
    let file = "project/AGENTS.md";
    let text = rig.read(file);
    std::fs::remove_file(rig.root.join(file)).unwrap();
    assert_eq!(rig.ok("evolve_restore", json!({"dry_run": true}))["reason"], "dry_run");
    assert_eq!(rig.err("evolve_restore", json!({}))["code"], "E_CONFIRM_REQUIRED");
    let told = rig.err("evolve_restore", json!({"yes": true}));
    assert_eq!((&told["code"], rig.exists(file)), (&json!("E_NEEDS_HUMAN"), false));
    agree(&rig.t, &asked(&told));
    assert_eq!(rig.read(file), text);
    rig.write(file, text.replace("rule one", "rule 1"));
    let told = rig.err("evolve_propose", json!({"yes": true}));
    assert_eq!(told["code"], "E_NEEDS_HUMAN", "{told}");
    let branches = || crate::families::deploy::rig::git(&rig.repo(), &["branch", "--list", "evolve/*"]);
    assert_eq!(branches(), "");
    // Time passes before the person looks: what is carried out is still what was shown.
    rig.t.clock.advance(120);
    let done = agree(&rig.t, &asked(&told));
    assert!(branches().contains(done["data"]["branch"].as_str().unwrap()), "{done}");
    let told = rig.err("rollback", json!({"to": first, "yes": true}));
    assert_eq!((&told["code"], rig.read(file) != text), (&json!("E_NEEDS_HUMAN"), true));
    agree(&rig.t, &asked(&told));
    assert_eq!(rig.read(file), text);
}

#[test]
fn every_writing_package_call_waits() {
    let rig = packages_rig::Rig::bare(human);
    std::fs::create_dir_all(rig.path("registry")).unwrap();
    std::fs::create_dir_all(rig.path("work/.aam")).unwrap();
    let call = |session: &Arc<Session>, tool: &str, args: Value| {
        let reply = rig.t.call(session, tool, args);
        assert!(reply.is_error && reply.text.starts_with("[AAM_NEEDS_HUMAN] "), "{tool}: {}", reply.text);
        let told = reply.structured.unwrap();
        assert_eq!(told["code"], "needs_human");
        rig.t.clock.advance(60);
        agree(&rig.t, &asked(&told))
    };
    call(&rig.session, "aam_registry_add", json!({"name": "main", "url": rig.path("registry")}));
    let skill = |version: &str| {
        let text = format!("---\nname: lint\n---\n# {version}\n");
        let artifacts = [("skills", "lint", text.as_str())];
        let package =
            packages_rig::Package { name: "lint", version, dependencies: &[], artifacts: &artifacts };
        let project = rig.author(&package);
        call(&rig.session_in(&project), "aam_publish", json!({}));
    };
    skill("1.0.0");
    assert!(!rig.has("work/.aam/packages/lint"));
    call(&rig.session, "aam_install", json!({"packages": ["lint"]}));
    assert_eq!(rig.installed(), [("lint".to_string(), "1.0.0".to_string())]);
    skill("1.1.0");
    call(&rig.session, "aam_upgrade", json!({}));
    assert_eq!(rig.installed()[0].1, "1.1.0");
    call(&rig.session, "aam_config_set", json!({"key": "default_platform", "value": "claude"}));
    call(&rig.session, "aam_uninstall", json!({"package_name": "lint"}));
    assert!(rig.installed().is_empty());
    // The family's own gate comes first.
    let mut info = packages_rig::info(rig.dir.path(), "work");
    info.allow_write = false;
    let reply = rig.t.call(&rig.t.open(info), "aam_uninstall", json!({"package_name": "lint"}));
    assert!(reply.text.contains("AAM_PERMISSION_DENIED"), "{}", reply.text);
}

#[test]
fn what_changed_since_is_shown_again_before_anything_runs() {
    let rig = rig();
    agree(&rig.t, &asked(&rig.err("deploy_apply", review(&rig))));
    let id = asked(&rig.t.err(&rig.s, "history_undo", json!({"yes": true})));
    rig.t.ok(&rig.s, "input", json!({"action": "create", "title": "Notes", "ttl_minutes": 60}));
    let terminal = at_terminal(&rig.t);
    let drifted = rig.t.err(&terminal, "amof_confirm", json!({"token": id}))["error"].clone();
    assert_eq!(drifted["code"], "confirm_state_drift");
    assert!(rig.exists("project/AGENTS.md"));
    // The newest operation is another one now, and it has no files: then there is nothing to ask about files.
    assert!(drifted["details"]["question"]["text"].as_str().unwrap().contains("Undo: "), "{drifted}");
    agree(&rig.t, &id);
    assert!(rig.exists("project/AGENTS.md"), "what was agreed to was the pack");
}

#[test]
fn a_lapsed_question_stays_for_a_day_and_is_asked_afresh() {
    let rig = rig();
    let id = asked(&rig.err("deploy_apply", review(&rig)));
    rig.t.clock.advance(3 * 3600);
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    let terminal = at_terminal(&rig.t);
    let listed = rig.t.ok(&terminal, "amof_list_pending", json!({}));
    assert_eq!(
        (&listed["pending"][0]["id"], &listed["pending"][0]["status"]),
        (&json!(id), &json!("lapsed"))
    );
    let fresh = rig.t.err(&terminal, "amof_confirm", json!({"token": id}))["error"].clone();
    assert_eq!(fresh["code"], "confirm_lapsed");
    assert!(fresh["details"]["question"]["text"].as_str().unwrap().contains("AGENTS.md"), "{fresh}");
    assert!(!rig.exists("project/AGENTS.md"));
    agree(&rig.t, &id);
    assert!(rig.exists("project/AGENTS.md"));
    let id = asked(&rig.t.err(&rig.s, "history_undo", json!({"yes": true})));
    rig.t.clock.advance(25 * 3600);
    assert_eq!(rig.t.ok(&terminal, "amof_list_pending", json!({}))["pending"], json!([]), "{id}");
}

#[test]
fn whoever_asked_can_wait_for_the_answer() {
    let rig = rig();
    let mut call = review(&rig);
    call["wait_seconds"] = json!(600);
    let terminal = at_terminal(&rig.t);
    let engine = &rig.t.engine;
    let agent = engine.call(&rig.s, CallRequest::new("deploy_apply", call));
    let person = async {
        let id = loop {
            let listed = engine.call(&terminal, CallRequest::new("amof_list_pending", json!({}))).await;
            if let Some(id) = listed.structured.unwrap()["pending"][0]["id"].as_str() {
                break id.to_string();
            }
            tokio::task::yield_now().await;
        };
        engine.call(&terminal, CallRequest::new("amof_confirm", json!({"token": id}))).await
    };
    let (told, _) = rig.t.block_on(async { tokio::join!(agent, person) });
    assert!(!told.is_error, "{}", told.text);
    assert_eq!(told.structured.unwrap()["data"]["applied"], true);
    // A no is an answer, too, and so is waiting with the list.
    let id = asked(&rig.t.err(&rig.s, "history_undo", json!({"yes": true})));
    let wait =
        engine.call(&rig.s, CallRequest::new("amof_list_pending", json!({"id": id, "wait_seconds": 600})));
    let no = engine.call(&terminal, CallRequest::new("amof_cancel_confirm", json!({"token": id})));
    let (told, _) = rig.t.block_on(async { tokio::join!(wait, no) });
    assert_eq!(told.structured.unwrap()["decided"][0]["status"], "declined");
    assert!(rig.exists("project/AGENTS.md"));
}

/// Everything of the audit stream that this target finds.
fn trail(t: &TestEngine, s: &Arc<Session>, target: Option<&str>) -> Vec<Value> {
    let mut args = json!({"stream": "audit", "limit": 200});
    if let Some(target) = target {
        args["target"] = json!(target);
    }
    let ops = t.ok(s, "history_list", args)["operations"].as_array().unwrap().clone();
    ops.iter().map(|op| t.ok(s, "history_show", json!({"operation_id": op["operation_id"]}))).collect()
}

#[test]
fn every_step_of_a_confirmation_is_found_under_one_id_and_by_what_it_is_about() {
    let rig = ecosystems::rig::Rig::on(TestEngine::build(human));
    let set = |mode: &str| rig.t.call(&rig.session, "amof_set_mode", json!({"mode": mode}));
    assert_eq!(rig.code("amof_install_ecosystem", json!({"ecosystem": "demo"})), "mode_denied");
    set("execute");
    let told = rig.err("amof_install_ecosystem", json!({"ecosystem": "demo"}));
    let id = asked(&told);
    rig.code("amof_confirm", json!({"token": id}));
    agree(&rig.t, &id);
    rig.wait();
    let steps = trail(&rig.t, &rig.session, Some(&format!("confirmation:{id}")));
    let events: Vec<&str> = steps.iter().rev().map(|s| s["data"]["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["confirmation_asked", "refused", "confirmation_confirmed", "confirmation_done"]);
    let of = |event: &str| steps.iter().find(|s| s["data"]["event"] == event).unwrap()["data"].clone();
    let (first, yes) = (of("confirmation_asked"), of("confirmation_confirmed"));
    assert_eq!((&first["digest"], &first["text"]), (&yes["digest"], &yes["text"]));
    assert!(yes["text"].as_str().unwrap().contains("clone api") && yes["by"] == "person", "{yes}");
    let about = trail(&rig.t, &rig.session, Some("ecosystem:demo"));
    let refusals = about.iter().filter(|s| s["data"]["event"] == "refused").count();
    assert_eq!(refusals, 2, "the mode's and the agent's own yes");
    assert!(about.iter().any(|s| s["data"]["event"] == "confirmation_done"));
}

#[test]
fn every_refusal_is_recorded() {
    let rig = rig();
    let refused = |code: &str| {
        let all = trail(&rig.t, &rig.s, None);
        all.iter().any(|r| r["data"]["event"] == "refused" && r["data"]["code"] == code)
    };
    rig.err("deploy_apply", json!({"yes": false}));
    assert!(refused("E_CONFIRM_REQUIRED"));
    rig.err("deploy_apply", json!({"yes": true, "confirm_token": "x", "nonsense": 1}));
    assert!(refused("E_INVALID_ARGUMENTS"), "a dangerous call that is not understood");
    rig.t.err(&rig.s, "amof_cancel_confirm", json!({"token": "unknown"}));
    assert!(refused("confirm_unknown"));
    let mut low = session_info("low", rig.project().to_str().unwrap());
    low.max_mode = Some(Mode::Plan);
    rig.t.err(&rig.t.open(low), "amof_set_mode", json!({"mode": "execute"}));
    assert!(refused("mode_denied"));
    let call = review(&rig);
    rig.t.clock.advance(601);
    rig.err("deploy_apply", call);
    assert!(refused("E_CONFIRM_TOKEN_EXPIRED"));
    let id = asked(&rig.err("deploy_apply", review(&rig)));
    rig.t.clock.advance(301);
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    let steps = trail(&rig.t, &rig.s, Some(&format!("confirmation:{id}")));
    let events: Vec<&Value> = steps.iter().map(|s| &s["data"]["event"]).collect();
    assert_eq!(events, ["confirmation_expired", "confirmation_asked"], "once");
    let audit = rig.t.ok(&rig.s, "history_list", json!({"stream": "audit", "limit": 200})).to_string();
    assert!(!audit.contains("unknown\""), "no token is recorded: {audit}");
}

/// A passphrase that is compared as it is: how it is kept is the daemon's business.
#[derive(Default)]
struct Plain(Mutex<Option<String>>);

impl Passphrase for Plain {
    fn is_set(&self) -> bool {
        self.0.lock().unwrap().is_some()
    }
    fn mark(&self) -> Option<String> {
        self.0.lock().unwrap().clone()
    }
    fn fits(&self, said: &str) -> packd::core::Result<bool> {
        Ok(self.0.lock().unwrap().as_deref() == Some(said))
    }
    fn change(&self, new: Option<&str>) -> packd::core::Result<()> {
        *self.0.lock().unwrap() = new.map(str::to_string);
        Ok(())
    }
}

#[test]
fn a_passphrase_stands_before_everything_a_person_may_do() {
    let kept = Arc::new(Plain::default());
    let same = kept.clone();
    let rig = Rig::build(SMALL, |o| {
        human(o);
        o.passphrase = same;
    });
    let admin = |s: &Arc<Session>, method: &str, params: Value| {
        rig.t.block_on(rig.t.engine.admin(s, method, &params))
    };
    let terminal = at_terminal(&rig.t);
    let script = {
        let mut info = person("script", "/elsewhere");
        info.terminal = false;
        rig.t.open(info)
    };
    for (who, short) in [(&rig.s, "correct horse"), (&script, "correct horse"), (&terminal, "short")] {
        admin(who, "packd/passphrase", json!({"new": short})).unwrap_err();
    }
    assert!(!kept.is_set() && rig.t.engine.dialogs());
    admin(&terminal, "packd/passphrase", json!({"new": "correct horse"})).unwrap();
    assert!(!rig.t.engine.dialogs(), "a dialog cannot take it");
    let id = asked(&rig.err("deploy_apply", review(&rig)));
    let terminal = at_terminal(&rig.t);
    let needs = rig.t.err(&terminal, "amof_confirm", json!({"token": id}));
    assert_eq!(needs["error"]["code"], "needs_passphrase");
    let reply = rig.t.block_on(rig.t.engine.confirm_for_person(&rig.s, &id, None));
    assert!(reply.is_error && !rig.exists("project/AGENTS.md"), "{}", reply.text);
    for left in [2, 1, 0] {
        let wrong = admin(&terminal, "packd/unlock", json!({"passphrase": "guess"})).unwrap_err();
        assert_eq!(wrong.details.unwrap()["attempts_left"], left);
    }
    let late = admin(&terminal, "packd/unlock", json!({"passphrase": "correct horse"})).unwrap_err();
    assert_eq!(late.code, "wrong_passphrase", "three tries are all");
    let changed = admin(&at_terminal(&rig.t), "packd/passphrase", json!({"new": "another one"})).unwrap_err();
    assert_eq!(changed.code, "needs_passphrase", "changing asks for the old one");
    let terminal = at_terminal(&rig.t);
    admin(&terminal, "packd/unlock", json!({"passphrase": "correct horse"})).unwrap();
    rig.t.ok(&terminal, "amof_confirm", json!({"token": id}));
    assert!(rig.exists("project/AGENTS.md"));
    let seen = trail(&rig.t, &terminal, None);
    let wrong = seen.iter().filter(|r| r["data"]["event"] == "wrong_passphrase").count();
    assert_eq!(wrong, 3);
    assert!(!json!(seen).to_string().contains("horse"), "what was said is never kept");
}

#[test]
fn a_start_with_laxer_gates_is_recorded_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("packd.redb");
    let start = |adjust: &dyn Fn(&mut Options)| {
        let (options, clock) = options(adjust);
        let store = crate::common::engine::open(&file, || options.catalog()).unwrap();
        TestEngine::start(store, options, clock)
    };
    let set = Arc::new(Plain(Mutex::new(Some("correct horse".into()))));
    let strict = |o: &mut Options| {
        human(o);
        o.max_mode = Some(Mode::Plan);
        o.passphrase = set.clone();
    };
    let stop = |t: TestEngine| {
        let told = t.engine.told();
        t.engine.stop();
        told
    };
    assert_eq!(stop(start(&strict)), None, "the first start has nothing to compare with");
    assert_eq!(stop(start(&strict)), None);
    let lax = start(&|_| {});
    let audit = lax.ok(&lax.session("s", "~"), "history_list", json!({"stream": "audit"}));
    let record = audit["operations"][0]["summary"].as_str().unwrap().to_string();
    for word in ["confirm was \"human\"", "max_mode was plan", "the passphrase is gone"] {
        assert!(record.contains(word), "{record}");
    }
    assert!(stop(lax).unwrap().contains("confirm was"));
    assert!(stop(start(&|_| {})).is_some(), "it is told for a while");
    assert_eq!(stop(start(&strict)), None, "and no more once it was taken back");
}

#[test]
fn people_are_asked_in_words_of_people() {
    let rig = Rig::build(SMALL, human);
    rig.write("project/AGENTS.md", "mine\n");
    asked(&rig.err("deploy_apply", review(&rig)));
    let listed = rig.t.ok(&at_terminal(&rig.t), "amof_list_pending", json!({}));
    let root = rig.root.display().to_string();
    let text =
        |listed: &Value, root: &str| listed["pending"][0]["question"].as_str().unwrap().replace(root, "ROOT");
    text_snapshot("question_deploy", &text(&listed, &root));
    let rig = ecosystems::rig::Rig::on(TestEngine::build(human));
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    rig.err("amof_install_ecosystem", json!({"ecosystem": "demo"}));
    let listed = rig.t.ok(&at_terminal(&rig.t), "amof_list_pending", json!({}));
    // The first eight characters of a commit.
    let head = rig.git(&rig.root(), &["rev-parse", "--short=8", "HEAD"]);
    let shown = text(&listed, &rig.base().display().to_string()).replace(&head, "HEAD");
    text_snapshot("question_install", &shown);
}

/// A name must not be able to draw a prompt of its own on the person's terminal.
#[test]
fn what_an_agent_chose_cannot_draw_on_the_terminal() {
    use packd::core::Question;
    let args = json!({"branch": "x\u{1b}[2J\nProceed? [y/N] y\u{202e}", "yes": true, "mode": "execute"});
    let question = Question::default().asked_by("a\u{7}gent\r\n", "/w", args.as_object().unwrap());
    let text = question.text(10);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n') && !text.contains('\u{202e}'), "{text:?}");
    assert!(text.starts_with("a gent asks, in /w:\n") && !text.contains("yes ="), "{text:?}");
}
