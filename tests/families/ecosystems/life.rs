//! Ecosystems on real git repositories: install, sync, push, archive, discard, tickets, spin, scope, manifests.

use serde_json::{Value, json};

use super::rig::Rig;

#[test]
fn install_makes_worktree_and_clones_and_undo_removes_them_while_clean() {
    let rig = Rig::new();
    let plan = rig.ok("amof_install_ecosystem", json!({"ecosystem": "demo", "mode": "plan"}));
    assert_eq!(plan["dry_run"], true);
    assert_eq!(plan["clones"].as_array().unwrap().len(), 2);
    assert!(!rig.root().join("worktrees").exists(), "a plan changes nothing");
    rig.install();
    assert!(rig.checkout("api").join("README.md").exists());
    let branch = rig.git(&rig.root().join("worktrees/demo"), &["symbolic-ref", "--short", "HEAD"]);
    assert_eq!(branch, "workspace/demo");
    assert_eq!(rig.code("amof_install_ecosystem", json!({"ecosystem": "demo"})), "already_installed");

    let preview = rig.ok("history_undo", json!({}));
    assert_eq!(preview["preview"], true, "taking directories away is previewed first");
    assert!(rig.checkout("api").exists());
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!rig.root().join("worktrees/demo").exists());
    assert_eq!(rig.git(&rig.root(), &["branch", "--list", "workspace/demo"]), "");
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["installed"], false);
    rig.install();
}

#[test]
fn undo_of_an_install_refuses_when_there_is_work_and_changes_nothing() {
    let rig = Rig::new();
    rig.install();
    std::fs::write(rig.checkout("web").join("new.txt"), "mine").unwrap();
    let refused = rig.t.err(&rig.session, "history_undo", json!({"yes": true}));
    assert!(refused.to_string().contains("web has no uncommitted changes"), "{refused}");
    assert!(rig.checkout("api").exists() && rig.checkout("web").join("new.txt").exists());
    assert_eq!(rig.code("amof_install_ecosystem", json!({"ecosystem": "demo"})), "already_installed");
    std::fs::remove_file(rig.checkout("web").join("new.txt")).unwrap();
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!rig.checkout("web").exists());
}

#[test]
fn a_failed_install_leaves_nothing_behind() {
    let rig = Rig::new();
    std::fs::remove_dir_all(rig.remote_dir("web")).unwrap();
    let run = rig.done("amof_install_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "failed");
    assert!(!rig.root().join("worktrees/demo").exists(), "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.root(), &["branch", "--list", "workspace/demo"]), "");
    let summary = rig.ok("amof_summarize_run", json!({"run_id": run["run_id"]}));
    assert!(summary["errors"].to_string().contains("clone web"), "{summary}");
    let errors = rig.ok("amof_get_run_logs", json!({"run_id": run["run_id"], "level": "error"}));
    assert!(!errors["lines"].as_array().unwrap().is_empty());
}

#[test]
fn push_says_what_each_remote_gets_and_one_refusal_fails_the_run_but_not_the_others() {
    let rig = Rig::new();
    rig.install();
    assert_eq!(rig.code("amof_push_ecosystem", json!({"ecosystem": "demo"})), "nothing_to_push");
    let api = rig.commit(&rig.checkout("api"), "Api work");
    let web = rig.commit(&rig.checkout("web"), "Web work");
    let hook = rig.remote_dir("web").join("hooks/pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho 'no pushing today' >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();

    let plan = rig.ok("amof_push_ecosystem", json!({"ecosystem": "demo", "mode": "plan"}));
    let pushes = plan["pushes"].as_array().unwrap();
    let of = |name: &str| pushes.iter().find(|p| p["name"] == name).unwrap();
    assert_eq!(of("api")["to"], json!(api));
    assert_eq!(of("api")["commits"][0]["subject"], "Api work");
    assert_eq!(of("web")["state"], "ahead");

    let run = rig.done("amof_push_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "failed", "a refused push is a failure");
    assert_eq!(rig.git(&rig.remote_dir("api"), &["rev-parse", "main"]), api);
    assert_ne!(rig.git(&rig.remote_dir("web"), &["rev-parse", "main"]), web);
    assert!(rig.log(&run["run_id"]).contains("no pushing today"));
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    let last = |i: usize| status["repos"][i]["last_push"].clone();
    assert_eq!(last(0)["commit"], json!(api));
    assert_eq!(last(1), Value::Null);
    let ops = rig.ok("history_list", json!({"family": "ecosystems", "tool": "amof_push_ecosystem"}));
    assert_eq!(ops["operations"][0]["undoable"], false);
    assert!(ops["operations"][0]["not_undoable_because"].as_str().unwrap().contains("remote"));
}

#[test]
fn a_remote_that_vanished_or_hangs_is_reported_and_does_not_hang() {
    let rig = Rig::new();
    rig.install();
    rig.commit(&rig.checkout("api"), "Work");
    rig.commit(&rig.checkout("web"), "Work");
    std::fs::remove_dir_all(rig.remote_dir("web")).unwrap();
    // The far side of the other one takes the connection and never says anything.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("git://{}/api", silent.local_addr().unwrap());
    rig.git(&rig.checkout("api"), &["config", "remote.origin.url", &address]);

    let states = |said: Value| -> Vec<Value> {
        said["pushes"].as_array().unwrap().iter().map(|p| p["state"].clone()).collect()
    };
    // A plan asks nobody: it tells what each remote had when it was last heard of.
    let plan = rig.ok("amof_push_ecosystem", json!({"ecosystem": "demo", "mode": "plan"}));
    assert_eq!(plan["pushes"][0]["remote_asked"], false);
    assert_eq!(states(plan), ["ahead", "ahead"]);
    let staged = rig.ok("amof_push_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(states(staged), ["unreachable", "unreachable"]);
    let run = rig.done("amof_push_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "failed");
    let log = rig.log(&run["run_id"]);
    assert!(log.contains("gave no answer within 2 seconds"), "{log}");
    assert_eq!(rig.code("amof_archive_ecosystem", json!({"ecosystem": "demo"})), "push_blocked");
}

#[test]
fn sync_fast_forwards_and_never_touches_local_work() {
    let rig = Rig::new();
    rig.install();
    let other = rig.base().join("other");
    rig.git(&rig.base(), &["clone", "-q", rig.remote_dir("api").to_str().unwrap(), other.to_str().unwrap()]);
    let news = rig.commit(&other, "News");
    rig.git(&other, &["push", "-q", "origin", "main"]);
    let mine = rig.commit(&rig.checkout("web"), "Mine");
    std::fs::write(rig.checkout("web").join("draft.txt"), "x").unwrap();
    let run = rig.ran("amof_sync_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.checkout("api"), &["rev-parse", "HEAD"]), news);
    assert_eq!(rig.git(&rig.checkout("web"), &["rev-parse", "HEAD"]), mine);
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["repos"][1]["status"], "DIRTY+UNPUSHED");
}

#[test]
fn discard_lists_unpushed_work_and_refuses_without_force() {
    let rig = Rig::new();
    rig.install();
    rig.commit(&rig.checkout("api"), "Only here");
    std::fs::write(rig.checkout("web").join("draft.txt"), "x").unwrap();
    let refused = rig.err("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(refused["code"], "unpushed_work");
    let listed = refused["details"]["unpushed"].to_string();
    assert!(listed.contains("Only here") && listed.contains("draft.txt"), "{listed}");
    let run = rig.done("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert!(!rig.root().join("worktrees/demo").exists());
    assert_eq!(rig.git(&rig.root(), &["branch", "--list", "workspace/demo"]), "");
    assert!(rig.root().join("ecosystems/demo/ecosystem.yaml").exists());
}

#[test]
fn archive_pushes_keeps_a_record_and_removes_the_checkouts() {
    let rig = Rig::new();
    rig.install();
    let work = rig.commit(&rig.checkout("api"), "Work");
    std::fs::write(rig.checkout("web").join("draft.txt"), "x").unwrap();
    assert_eq!(rig.code("amof_archive_ecosystem", json!({"ecosystem": "demo"})), "uncommitted_work");
    std::fs::remove_file(rig.checkout("web").join("draft.txt")).unwrap();
    let run = rig.done("amof_archive_ecosystem", json!({"ecosystem": "demo", "message": "Done for now"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert_eq!(rig.git(&rig.remote_dir("api"), &["rev-parse", "main"]), work);
    assert!(!rig.root().join("worktrees/demo").exists());
    let files = rig
        .git(&rig.root(), &["ls-tree", "-r", "--name-only", "workspace/demo", "ecosystems/demo/archives/"]);
    let record = rig.git(&rig.root(), &["show", &format!("workspace/demo:{files}")]);
    assert!(record.contains("Done for now") && record.contains(&work), "{record}");
    rig.install();
}

#[test]
fn tickets_live_in_their_own_worktrees_and_can_be_undone() {
    let rig = Rig::new();
    rig.install();
    let run = rig.ran("amof_ticket_start", json!({"ecosystem": "demo", "ticket_id": "T-1"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    let tree = rig.root().join("worktrees/demo.tickets/T-1/api");
    assert_eq!(rig.git(&tree, &["symbolic-ref", "--short", "HEAD"]), "feature/T-1");
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!tree.exists());
    assert_eq!(rig.ok("amof_ticket_list", json!({"ecosystem": "demo"}))["tickets"], json!([]));
    rig.ok("history_redo", json!({"yes": true}));
    assert!(tree.exists());

    let tip = rig.commit(&tree, "Ticket work");
    assert_eq!(
        rig.code("amof_ticket_end", json!({"ecosystem": "demo", "ticket_id": "T-1", "cleanup": true})),
        "unpushed_work"
    );
    let run = rig.done("amof_push_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert_eq!(
        rig.git(&rig.remote_dir("api"), &["rev-parse", "feature/T-1"]),
        tip,
        "the ticket's branch is pushed"
    );
    let run = rig.done("amof_ticket_end", json!({"ecosystem": "demo", "ticket_id": "T-1", "cleanup": true}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert!(!tree.exists());
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.git(&tree, &["rev-parse", "HEAD"]), tip, "undo brings the worktree back at its commit");

    rig.ok("amof_ticket_switch", json!({"ecosystem": "demo", "ticket_id": "main"}));
    assert_eq!(rig.ok("amof_ticket_list", json!({"ecosystem": "demo"}))["active_ticket"], Value::Null);
    rig.ok("history_undo", json!({}));
    assert_eq!(rig.ok("amof_ticket_list", json!({"ecosystem": "demo"}))["active_ticket"], "T-1");
    rig.ok("amof_ticket_end", json!({"ecosystem": "demo", "ticket_id": "T-1"}));
    assert!(tree.exists(), "without cleanup nothing is deleted");
    assert_eq!(
        rig.code("amof_ticket_start", json!({"ecosystem": "demo", "ticket_id": "--upload-pack=x"})),
        "invalid_ticket"
    );
}

#[test]
fn spin_runs_the_previewed_script_and_remembers_the_deployment() {
    let rig = Rig::new();
    let plan = rig.ok("amof_spin_deploy", json!({"ecosystem": "demo", "mode": "plan"}));
    assert_eq!(plan["script"], "provisioners/local/spin.sh");
    assert_eq!(plan["script_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(plan["estimated_seconds"], Value::Null);
    let run = rig.done("amof_spin_deploy", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success");
    assert!(
        rig.log(&run["run_id"]).contains(&format!("deploy {}", rig.root().join("ecosystems/demo").display()))
    );
    let warnings = rig.ok("amof_get_run_logs", json!({"run_id": run["run_id"], "level": "warning"}));
    assert_eq!(warnings["lines"][0]["stream"], "stderr");
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["deployment"]["deployed"], true);
    let plan = rig.ok("amof_spin_deploy", json!({"ecosystem": "demo", "mode": "plan"}));
    assert!(plan["estimated_seconds"].is_u64(), "earlier runs give an estimate");
    rig.write("provisioners/local/spin.sh", "#!/bin/sh\necho broken >&2\nexit 7\n");
    let run = rig.done("amof_spin_destroy", json!({"ecosystem": "demo"}));
    assert_eq!((&run["status"], &run["exit_code"]), (&json!("failed"), &json!(7)));
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    let deployment = &status["deployment"];
    assert_eq!(
        (&deployment["state"], &deployment["deployed"]),
        (&json!("failed"), &json!(true)),
        "and what was before"
    );
    assert_eq!(
        (&deployment["failed"]["action"], &deployment["failed"]["status"]),
        (&json!("destroy"), &json!("failed"))
    );
    let text = rig.t.call(&rig.session, "amof_get_ecosystem_status", json!({"ecosystem": "demo"})).text;
    assert!(text.contains("failed at ") && text.contains("before: deployed with local"), "{text}");
    let list = rig.ok("amof_list_ecosystems", json!({}));
    assert_eq!(list["ecosystems"][0]["deployment"]["state"], "failed");
    rig.write("provisioners/local/spin.sh", "#!/bin/sh\necho fine\n");
    rig.done("amof_spin_deploy", json!({"ecosystem": "demo"}));
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["deployment"]["state"], "deployed", "a success ends it");
    assert_eq!(status["deployment"].get("failed"), None);
}

#[test]
fn scope_follows_the_session_and_an_argument_wins() {
    let rig = Rig::silent();
    rig.write("ecosystems/other/ecosystem.yaml", "repos: []\n");
    assert_eq!(rig.code("amof_describe_ecosystem", json!({})), "no_ecosystem");
    assert_eq!(rig.code("amof_use_ecosystem", json!({"name": "dmo"})), "unknown_ecosystem");
    rig.ok("amof_use_ecosystem", json!({"name": "demo"}));
    assert_eq!(rig.ok("amof_describe_ecosystem", json!({}))["ecosystem"], "demo");
    assert_eq!(rig.ok("amof_describe_ecosystem", json!({"ecosystem": "other"}))["ecosystem"], "other");
    rig.ok("amof_use_ecosystem", json!({"name": "other"}));
    rig.ok("amof_scope_back", json!({}));
    let info = rig.t.call(&rig.session, "amof_scope_info", json!({}));
    assert!(info.text.starts_with("[global > demo] "), "{}", info.text);
    assert!(info.text.contains("\n\nNext: ["), "{}", info.text);
    rig.ok("history_undo", json!({}));
    assert_eq!(rig.ok("amof_scope_info", json!({}))["ecosystem"], "other", "scope is part of the history");
    rig.ok("amof_scope_global", json!({}));
    assert_eq!(rig.ok("amof_scope_info", json!({}))["ecosystem"], Value::Null);
    let second = rig.other("two", |_| {});
    assert_eq!(rig.t.ok(&second, "amof_scope_info", json!({}))["scope"], "global");
}

#[test]
fn suggested_calls_are_valid_as_they_stand() {
    let rig = Rig::new();
    rig.install();
    rig.ok("amof_use_ecosystem", json!({"name": "demo"}));
    let first = [
        "amof_list_ecosystems",
        "amof_scope_info",
        "amof_describe_ecosystem",
        "amof_get_ecosystem_status",
        "amof_validate_manifest",
        "amof_ticket_list",
        "amof_list_runs",
        "amof_get_run_status",
        "amof_get_run_logs",
        "amof_summarize_run",
        "amof_release_status",
        "amof_release_validate",
        "amof_release_log",
        "amof_global_telemetry",
        "amof_get_server_status",
        "amof_get_active_runs",
        "amof_list_pending",
    ];
    for tool in first {
        let reply = rig.ok(tool, json!({}));
        let context = &reply["_context"];
        assert!(context["breadcrumb"].is_string() && context["mode"] == "execute", "{tool}: {context}");
        let next = reply["next"].as_array().unwrap();
        assert!((2..=5).contains(&next.len()), "{tool} suggests {} calls", next.len());
        for call in next {
            let name = call["tool"].as_str().unwrap();
            let reply = rig.t.call(&rig.session, name, call["arguments"].clone());
            assert!(!reply.is_error, "{tool} suggests {call}, which fails: {}", reply.text);
            rig.ok("amof_set_mode", json!({"mode": "execute"}));
            rig.ok("amof_use_ecosystem", json!({"name": "demo"}));
        }
    }
}

#[test]
fn manifests_are_checked_with_field_and_reason() {
    let rig = Rig::silent();
    rig.write(
        "ecosystems/demo/ecosystem.yaml",
        "name: demo\nprovisoner: x\nrepos:\n  - {name: api, url: '--upload-pack=evil', branch: main}\n  - {name: api, url: 'ext::sh -c x', path: ../out}\n  - {name: web, url: 'ftp://h/x'}\ncontext: {max_files: 0}\nguardrails: {no_touch_paths: ['/etc/*']}\n",
    );
    let found = rig.ok("amof_validate_manifest", json!({"ecosystem": "demo"}));
    assert_eq!(found["valid"], false);
    let fields: Vec<(String, String)> = found["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["severity"].as_str().unwrap().into(), p["field"].as_str().unwrap().into()))
        .collect();
    let has = |severity: &str, field: &str| fields.contains(&(severity.into(), field.into()));
    for field in ["repos[0].url", "repos[1].url", "repos[1].name", "repos[1].path", "context.max_files"] {
        assert!(has("error", field), "{field} in {fields:?}");
    }
    for field in ["provisoner", "repos[2].url", "repos[2].branch", "guardrails.no_touch_paths[0]"] {
        assert!(has("warning", field), "{field} in {fields:?}");
    }
    assert_eq!(rig.code("amof_describe_ecosystem", json!({"ecosystem": "demo"})), "invalid_manifest");
    rig.write("ecosystems/demo/ecosystem.yaml", "repos: [\n");
    let broken = rig.ok("amof_validate_manifest", json!({"ecosystem": "demo"}));
    assert!(broken["problems"][0]["message"].as_str().unwrap().contains("line "), "{broken}");
    rig.write("ecosystems/demo/ecosystem.yaml", "repos:\n  - {name: a, url: local}\n");
    assert_eq!(rig.ok("amof_validate_manifest", json!({"ecosystem": "demo"}))["valid"], true);
    assert_eq!(
        rig.ok("amof_validate_manifest", json!({"ecosystem": "demo", "strict": true}))["valid"],
        false
    );
}

#[test]
fn a_root_without_git_gets_a_plain_directory_and_strays_are_not_deleted() {
    let rig = Rig::new();
    std::fs::remove_dir_all(rig.root().join(".git")).unwrap();
    rig.install();
    assert!(rig.checkout("api").join("README.md").exists());
    rig.write("worktrees/demo/notes.txt", "mine");
    let refused = rig.err("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert!(refused["details"]["unpushed"].to_string().contains("notes.txt"), "{refused}");
    std::fs::remove_file(rig.root().join("worktrees/demo/notes.txt")).unwrap();
    let run = rig.done("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert!(!rig.root().join("worktrees/demo").exists());
}

#[test]
fn what_packd_did_not_install_is_never_deleted() {
    let rig = Rig::new();
    rig.write("worktrees/demo/precious.txt", "x");
    assert_eq!(rig.code("amof_install_ecosystem", json!({"ecosystem": "demo"})), "in_the_way");
    assert_eq!(rig.code("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true})), "not_ours");
    assert!(rig.root().join("worktrees/demo/precious.txt").exists());
}

/// A ticket's worktree is part of a clone's repository: undoing the install below it would break it.
#[test]
fn an_install_is_not_undone_below_a_ticket() {
    let rig = Rig::new();
    rig.install();
    let installed =
        rig.ok("history_list", json!({"tool": "amof_install_ecosystem"}))["operations"][0]["operation_id"]
            .clone();
    rig.ran("amof_ticket_start", json!({"ecosystem": "demo", "ticket_id": "T-1"}));
    let revert = json!({"operation_id": installed, "yes": true});
    let refused = rig.t.err(&rig.session, "history_revert", revert.clone());
    assert!(refused.to_string().contains("no ticket has worktrees"), "{refused}");
    assert!(rig.checkout("api").exists());
    rig.ok("history_undo", json!({"yes": true}));
    rig.ok("history_revert", revert);
    assert!(!rig.root().join("worktrees/demo").exists());
}
