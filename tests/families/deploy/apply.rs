//! Review, apply, undo, roll back: exactly what was reviewed happens, once, and goes back exactly.

use std::os::unix::fs::symlink;

use packd::core::Sha;
use serde_json::{Value, json};

use super::rig::{BASE, Rig, SMALL, YAML, chmod, info, with, write};
use crate::common::snapshot;

fn apply(rig: &Rig, plan: &Value) -> Value {
    rig.ok("deploy_apply", json!({"yes": true, "confirm_token": plan["confirm_token"]}))
}

#[test]
fn the_plan_is_ordered_hashed_and_worded_as_published() {
    let rig = Rig::new(SMALL);
    rig.write("project/AGENTS.md", "mine\n");
    let reply = rig.call("plan", json!({}));
    let mut envelope = reply.structured.unwrap();
    let root = rig.root.display().to_string();
    let text = envelope.to_string().replace(&root, "ROOT");
    envelope = serde_json::from_str(&text).unwrap();
    snapshot("deploy_plan", &envelope);
    let reviewed = rig.ok("deploy", json!({}));
    let mut data = reviewed.clone();
    for field in ["confirm_token", "confirm_plan_hash", "confirm_token_expires_at"] {
        assert!(data.as_object_mut().unwrap().shift_remove(field).is_some(), "{field}");
    }
    let whole =
        json!({"binding": {"machine": null, "profile": null, "repo": null, "target": null}, "data": data});
    let sorted = packd::core::json::sorted(&whole).to_string();
    assert_eq!(reviewed["confirm_plan_hash"], json!(Sha::of(sorted.as_bytes()).as_str()));
    assert_eq!(reviewed["confirm_token"].as_str().unwrap().len(), 64);
    assert_eq!(reviewed["confirm_token_expires_at"], "2026-01-02T03:14:05.000000000Z");
}

#[test]
fn deploy_apply_checks_in_the_contracts_order() {
    let rig = Rig::new(SMALL);
    let code = |args: Value| rig.err("deploy_apply", args)["code"].as_str().unwrap().to_string();
    let bad_repo = json!({"repo": "/nowhere"});
    assert_eq!(code(bad_repo.clone()), "E_CONFIRM_REQUIRED", "approval comes before everything");
    assert_eq!(code(json!({"yes": false, "confirm_token": "x"})), "E_CONFIRM_REQUIRED");
    assert_eq!(code(with(&bad_repo, json!({"yes": true}))), "E_CONFIRM_TOKEN_REQUIRED");
    assert_eq!(code(json!({"yes": true, "confirm_token": "x"})), "E_CONFIRM_TOKEN_MISMATCH");
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    let with_token = |more: Value| with(&json!({"yes": true, "confirm_token": token}), more);
    assert_eq!(code(with_token(json!({"target": "codex"}))), "E_CONFIRM_TOKEN_MISMATCH", "other arguments");
    let dry = rig.ok("deploy_apply", json!({"dry_run": true}));
    assert_eq!(dry["applied"], false, "a dry run needs no approval");
    rig.write("project/AGENTS.md", "mine\n");
    rig.repo_file("modules/base/AGENTS.md", "changed\n");
    let drift = rig.err("deploy_apply", with_token(json!({})));
    assert_eq!(drift["code"], "E_CONFIRM_TOKEN_MISMATCH");
    assert_ne!(drift["details"]["confirm_plan_hash"], drift["details"]["expected_confirm_plan_hash"]);
    assert_eq!(drift["details"]["next_calls"][0]["tool"], "deploy");
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    let adopt = rig.err("deploy_apply", json!({"yes": true, "confirm_token": token}));
    assert_eq!(adopt["code"], "E_ADOPT_CONFIRM_REQUIRED");
    assert_eq!(adopt["details"]["adopt_updates"], 1);
    assert_eq!(rig.read("project/AGENTS.md"), "mine\n");
    rig.t.clock.advance(599);
    let args =
        json!({"yes": true, "confirm_token": token, "adopt": true, "profile": "default", "machine": "boxA"});
    assert_eq!(
        rig.ok("deploy_apply", args)["applied"],
        true,
        "the same token with adopt; defaults count as left out"
    );
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    rig.t.clock.advance(600);
    assert_eq!(code(json!({"yes": true, "confirm_token": token})), "E_CONFIRM_TOKEN_EXPIRED");
    assert_eq!(code(json!({"yes": true, "confirm_token": token})), "E_CONFIRM_TOKEN_MISMATCH");
}

#[test]
fn a_failed_review_gives_no_token_and_a_review_leaves_no_operation() {
    let rig = Rig::new(SMALL);
    let plan = rig.ok("deploy", json!({}));
    assert!(plan["confirm_token"].is_string());
    assert_eq!(rig.t.ok(&rig.s, "history_list", json!({}))["operations"], json!([]));
    let preview = rig.ok("deploy", json!({"mode": "plan"}));
    assert!(preview.get("confirm_token").is_none(), "a dry run cannot be confirmed");
    rig.repo_file("agentpack.yaml", "version: 1\n");
    let reply = rig.call("deploy", json!({}));
    assert!(reply.is_error && !reply.text.contains("confirm_token\""), "{}", reply.text);
}

#[test]
fn one_token_applies_once_even_when_used_three_times_at_once() {
    let rig = Rig::new(SMALL);
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    let call = || {
        let request =
            packd::engine::CallRequest::new("deploy_apply", json!({"yes": true, "confirm_token": token}));
        rig.t.engine.call(&rig.s, request)
    };
    let replies = rig.t.block_on(async {
        let (a, b, c) = tokio::join!(call(), call(), call());
        [a, b, c]
    });
    assert_eq!(replies.iter().filter(|r| !r.is_error).count(), 1, "{replies:?}");
    rig.undo();
    let again = rig.err("deploy_apply", json!({"yes": true, "confirm_token": token}));
    assert_eq!(again["code"], "E_CONFIRM_TOKEN_MISMATCH", "undo does not make a used token good again");
}

#[test]
fn undo_restores_every_byte_and_mode_and_redo_brings_the_deploy_back() {
    let rig = Rig::new(YAML);
    rig.write("project/AGENTS.md", "mine\n");
    chmod(&rig.project().join("AGENTS.md"), 0o600);
    let before = rig.disk();
    rig.deploy();
    let deployed = rig.disk();
    assert_eq!(deployed["project/AGENTS.md"].1, 0o600, "an existing file keeps its mode");
    let asked = rig.t.ok(&rig.s, "history_undo", json!({}));
    assert_eq!(asked["preview"], true, "files are only touched with yes");
    rig.undo();
    assert_eq!(rig.disk(), before);
    assert!(!rig.exists("home/.codex") && !rig.exists("project/.github"), "no empty directories stay");
    assert_eq!(rig.ok("deploy_snapshots", json!({}))["total"], 0);
    rig.t.ok(&rig.s, "history_redo", json!({"yes": true}));
    assert_eq!(rig.disk(), deployed);
    rig.write("project/AGENTS.md", "edited since\n");
    rig.write("home/.codex/AGENTS.md", "edited, too\n");
    let warned = rig.t.err(&rig.s, "history_undo", json!({}));
    let refused = rig.t.err(&rig.s, "history_undo", json!({"yes": true}));
    assert_eq!(warned, refused, "a preview checks what the doing checks");
    assert_eq!(refused["code"], "file_changed");
    assert_eq!(refused["details"]["paths"].as_array().unwrap().len(), 2, "every file in the way is named");
    assert_eq!(rig.read("project/AGENTS.md"), "edited since\n");
    assert_eq!(rig.read("project/.github/prompts/draft.prompt.md"), "Draft it.\n", "nothing was touched");
}

#[test]
fn hand_edits_are_marked_and_one_undo_brings_them_back() {
    let rig = Rig::new(SMALL);
    rig.deploy();
    rig.write("project/AGENTS.md", "my edit\n");
    rig.write("project/.codex/skills/tool/run.sh", "my script\n");
    rig.repo_file(
        "agentpack.yaml",
        &SMALL.replace("  - {id: 'skill:tool'", "  - {id: 'skill:tool', enabled: false"),
    );
    let plan = rig.ok("plan", json!({}));
    let edited: Vec<_> =
        plan["changes"].as_array().unwrap().iter().filter(|c| c["hand_edited"] == true).collect();
    assert_eq!(edited.len(), 2, "{plan}");
    let warnings = rig.warnings("plan", json!({}));
    assert!(warnings.iter().any(|w| w.contains("AGENTS.md was edited by hand")), "{warnings:?}");
    rig.deploy();
    assert_eq!(rig.read("project/AGENTS.md"), BASE);
    assert!(!rig.exists("project/.codex"), "directories left empty go");
    rig.undo();
    assert_eq!(rig.read("project/AGENTS.md"), "my edit\n");
    assert_eq!(rig.read("project/.codex/skills/tool/run.sh"), "my script\n");
}

#[test]
fn a_second_deploy_does_nothing_and_lost_manifests_come_back() {
    let rig = Rig::new(SMALL);
    rig.deploy();
    let plan = rig.ok("deploy", json!({}));
    assert_eq!(plan["summary"], json!({"create": 0, "update": 0, "delete": 0}));
    let done = apply(&rig, &plan);
    assert_eq!((&done["applied"], &done["reason"]), (&json!(false), &json!("no_changes")));
    std::fs::remove_file(rig.project().join(".agentpack.manifest.codex.json")).unwrap();
    assert_eq!(apply(&rig, &rig.ok("deploy", json!({})))["applied"], true);
    assert!(rig.exists("project/.agentpack.manifest.codex.json"));
    for manifest in
        ["project/.agentpack.manifest.codex.json", "project/.codex/skills/.agentpack.manifest.codex.json"]
    {
        std::fs::remove_file(rig.root.join(manifest)).unwrap();
    }
    rig.repo_file("modules/base/AGENTS.md", "new\n");
    let plan = rig.ok("plan", json!({}));
    assert_eq!(plan["changes"][0]["update_kind"], "managed_update", "the store remembers what was deployed");
}

#[test]
fn a_target_taken_out_of_the_configuration_takes_its_files_along() {
    let rig = Rig::new(YAML);
    rig.deploy();
    rig.repo_file("agentpack.yaml", &YAML.replace("  cursor: {mode: files, scope: project}\n", ""));
    let plan = rig.ok("plan", json!({}));
    assert_eq!(plan["summary"], json!({"create": 0, "update": 0, "delete": 2}), "{plan}");
    rig.deploy();
    assert!(!rig.exists("project/.cursor"));
    assert_eq!(rig.ok("plan", json!({}))["targets"], json!(["claude_code", "codex", "vscode"]));
    rig.undo();
    assert!(rig.exists("project/.cursor/rules/instructions_base--d39861fff1.mdc"));
}

#[test]
fn rollback_goes_to_a_snapshot_and_keeps_what_it_overwrites() {
    let rig = Rig::new(SMALL);
    let first = rig.deploy()["snapshot_id"].clone();
    rig.repo_file("modules/base/AGENTS.md", "two\n");
    rig.repo_file("modules/tool/more.md", "more\n");
    rig.t.clock.advance(1);
    let second = rig.deploy()["snapshot_id"].clone();
    rig.write("project/AGENTS.md", "hand edit\n");
    let list = rig.ok("deploy_snapshots", json!({}));
    assert_eq!(list["snapshots"][0]["snapshot_id"], second);
    assert_eq!(list["snapshots"][1]["snapshot_id"], first);
    assert_eq!(rig.err("rollback", json!({"to": first}))["code"], "E_CONFIRM_REQUIRED");
    for bad in ["../../../evil", "1", "", "01"] {
        assert_eq!(rig.err("rollback", json!({"to": bad, "yes": true}))["code"], "E_SNAPSHOT_NOT_FOUND");
    }
    rig.t.clock.advance(1);
    let done = rig.ok("rollback", json!({"to": first, "yes": true}));
    assert_eq!(done["rolled_back_to"], first);
    assert_eq!(rig.read("project/AGENTS.md"), BASE);
    assert!(!rig.exists("project/.codex/skills/tool/more.md"));
    let script = std::fs::metadata(rig.project().join(".codex/skills/tool/run.sh")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&script.permissions()) & 0o777, 0o755);
    assert!(rig.read("project/.agentpack.manifest.codex.json").contains(first.as_str().unwrap()));
    rig.undo();
    assert_eq!(rig.read("project/AGENTS.md"), "hand edit\n");
    assert_eq!(rig.read("project/.codex/skills/tool/more.md"), "more\n");
    rig.t.clock.advance(1);
    rig.ok("rollback", json!({"to": second, "yes": true}));
    assert_eq!(rig.read("project/AGENTS.md"), "two\n", "forward works as well");
}

#[test]
fn a_rollback_can_be_looked_at_first() {
    let rig = Rig::new(SMALL);
    let first = rig.deploy()["snapshot_id"].clone();
    rig.write("project/AGENTS.md", "edit\n");
    let reply = rig.call("rollback", json!({"to": first, "mode": "plan"}));
    assert!(!reply.is_error && !reply.text.contains('@'), "{}", reply.text);
    assert_eq!(reply.structured.unwrap()["data"]["summary"], json!({"create": 0, "update": 1, "delete": 0}));
    assert_eq!(rig.read("project/AGENTS.md"), "edit\n");
}

#[test]
fn reviewed_plans_are_forgotten_in_time() {
    let rig = Rig::new(SMALL);
    rig.ok("deploy", json!({}));
    let rows = |rig: &Rig| rig.t.engine.store().read().unwrap().sizes().unwrap().rows;
    let before = rows(&rig);
    rig.t.clock.advance(700);
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    assert_eq!(rows(&rig), before, "an expired token can still be told from an unknown one");
    rig.t.clock.advance(600);
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    assert_eq!(rows(&rig), before - 1);
    assert_eq!(rig.t.ok(&rig.s, "history_list", json!({}))["operations"], json!([]));
}

/// Working in the home directory makes user and project scope the same place.
#[test]
fn the_home_directory_can_be_the_project() {
    let rig = Rig::new(YAML);
    let mut home = info(&rig.root);
    home.workspace = rig.home().display().to_string();
    home.tree = home.workspace.clone();
    let s = rig.t.open(home);
    let token = rig.t.ok(&s, "deploy", json!({}))["data"]["confirm_token"].clone();
    rig.t.ok(&s, "deploy_apply", json!({"yes": true, "confirm_token": token}));
    assert_eq!(rig.t.ok(&s, "plan", json!({}))["data"]["changes"], json!([]));
    rig.write("home/.claude/commands/hello.md", "---\ndescription: edited\n---\n");
    let dry = rig.t.ok(&s, "evolve_propose", json!({"dry_run": true}));
    assert_eq!(dry["data"]["summary"]["drifted_proposeable"], 1, "{dry}");
}

/// Rolling back one project or one target used to delete the files of the others.
#[test]
fn rollback_stays_in_its_project_and_targets() {
    let rig = Rig::new(YAML);
    let codex = rig.deploy_with(json!({"target": "codex"}))["snapshot_id"].clone();
    rig.t.clock.advance(1);
    rig.deploy();
    let mut other = info(&rig.root);
    std::fs::create_dir_all(rig.root.join("other")).unwrap();
    other.workspace = rig.root.join("other").display().to_string();
    other.tree = other.workspace.clone();
    let s = rig.t.open(other);
    rig.t.clock.advance(1);
    let token = rig.t.ok(&s, "deploy", json!({}))["data"]["confirm_token"].clone();
    rig.t.ok(&s, "deploy_apply", json!({"yes": true, "confirm_token": token}));
    let theirs = rig.t.err(&s, "rollback", json!({"to": codex, "yes": true}));
    assert_eq!(theirs["errors"][0]["code"], "E_SNAPSHOT_NOT_FOUND", "a snapshot belongs to its project");
    rig.write("project/AGENTS.md", "edit\n");
    let before = rig.disk();
    rig.t.clock.advance(1);
    rig.ok("rollback", json!({"to": codex, "yes": true}));
    let after = rig.disk();
    let touched: Vec<_> = before.keys().filter(|k| before.get(*k) != after.get(*k)).collect();
    assert!(touched.iter().all(|p| p.contains("codex") || p.contains("AGENTS.md")), "{touched:?}");
    assert_eq!(before.len(), after.len(), "nothing of others was deleted");
    assert!(rig.exists("other/AGENTS.md"));
}

#[test]
fn undoing_an_older_deploy_names_the_newer_one() {
    let rig = Rig::new(SMALL);
    let first = rig.deploy()["operation_id"].clone();
    rig.repo_file("modules/base/AGENTS.md", "two\n");
    rig.t.clock.advance(1);
    let second = rig.deploy()["operation_id"].clone();
    let refused = rig.t.err(&rig.s, "history_revert", json!({"operation_id": first, "yes": true}));
    assert_eq!(refused["code"], "undo_conflict");
    assert_eq!(refused["details"]["in_the_way"][0]["operation_id"], second);
}

#[test]
fn a_mode_that_was_said_governs_the_family() {
    let rig = Rig::new(SMALL);
    for (tool, args) in [("deploy_apply", json!({"yes": true, "confirm_token": "x"})), ("deploy", json!({}))]
    {
        let refused = rig.err(tool, with(&args, json!({"mode": "ask"})));
        assert_eq!(refused["code"], "E_MODE_DENIED", "{tool}");
    }
    let plan = rig.ok("deploy_apply", json!({"mode": "plan", "yes": true, "confirm_token": "x"}));
    assert_eq!(plan["applied"], false);
    assert!(rig.disk().is_empty(), "nothing was written");
}

#[test]
fn a_link_that_appears_after_the_review_stops_the_apply_untouched() {
    let rig = Rig::new(SMALL);
    let token = rig.ok("deploy", json!({}))["confirm_token"].clone();
    std::fs::create_dir_all(rig.root.join("elsewhere")).unwrap();
    symlink(rig.root.join("elsewhere"), rig.project().join(".codex")).unwrap();
    let error = rig.err("deploy_apply", json!({"yes": true, "confirm_token": token}));
    assert_eq!(error["code"], "E_PATH_SYMLINK");
    assert!(rig.disk().is_empty());
}

#[test]
fn long_lists_are_cut_and_the_whole_is_a_resource() {
    let rig = Rig::new(SMALL);
    for n in 0..600 {
        write(&rig.repo().join(format!("modules/tool/f{n:03}.md")), format!("file {n}\n"));
    }
    let reply = rig.call("deploy", json!({}));
    let data = reply.structured.unwrap()["data"].clone();
    assert!(reply.text.len() <= 16 * 1024, "{}", reply.text.len());
    assert!((10..603).contains(&data["changes"].as_array().unwrap().len()));
    assert_eq!(data["changes_truncated"], true);
    assert_eq!(data["changes_total"], 603);
    assert_eq!(data["summary"]["create"], 603);
    assert_eq!(reply.links.len(), 1);
    let whole = rig.t.block_on(rig.t.engine.read_resource(&rig.s, &reply.links[0].0)).unwrap();
    let whole: Value = serde_json::from_str(&whole.text).unwrap();
    assert_eq!(whole["changes"].as_array().unwrap().len(), 603);
    let plan = rig.call("plan", json!({}));
    assert!(plan.text.len() <= 16 * 1024, "{}", plan.text.len());
    rig.t.block_on(rig.t.engine.read_resource(&rig.s, &plan.links[0].0)).unwrap();
}

/// "Which files" is not what a team lead asks; it is what was changed in them.
#[test]
fn an_operation_shows_what_became_of_its_files() {
    let rig = Rig::new(SMALL);
    rig.write("project/AGENTS.md", "# base\nmy rule\napi_key = abcdef123456\n");
    rig.write("project/.codex/skills/tool/run.sh", "old\n");
    rig.repo_file("modules/tool/logo.png", "x");
    std::fs::write(rig.repo().join("modules/tool/logo.png"), b"\x89PNG\xff").unwrap();
    let id = rig.deploy()["operation_id"].clone();
    let shown = rig.t.ok(&rig.s, "history_show", json!({"operation_id": id}));
    let file = |name: &str| {
        let found = shown["effects"]
            .as_array()
            .unwrap()
            .iter()
            .find(|e| e["path"].as_str().is_some_and(|p| p.ends_with(name)));
        found.cloned().unwrap_or_default()
    };
    let agents = file("/project/AGENTS.md");
    assert_eq!(agents["change"], "update");
    let diff = agents["diff"].as_str().unwrap();
    assert!(diff.contains("-my rule\n") && diff.contains("+rule one\n"), "{diff}");
    assert!(diff.contains("<redacted>") && !diff.contains("abcdef123456"), "no secrets: {diff}");
    assert_eq!(file("run.sh")["mode"], json!({"before": "644", "after": "755"}));
    assert_eq!(file("logo.png")["diff_omitted"], "It is not text.");
    assert!(file("SKILL.md")["diff"].as_str().unwrap().contains("+name: tool\n"));
}
