//! Edits find their way back into the config repo without anybody noticing a branch switch.

use serde_json::{Value, json};

use super::rig::{BASE, Rig, YAML, disk, git, write};

/// A rig whose config repo is a committed git repository.
fn rig() -> Rig {
    let rig = Rig::new(YAML);
    let repo = rig.repo();
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "start"]);
    write(&rig.home().join(".gitconfig"), "[user]\n\tname = Me\n\temail = me@example.com\n");
    rig.deploy();
    rig
}

fn propose(rig: &Rig, args: Value) -> Value {
    rig.ok("evolve_propose", super::rig::with(&args, json!({"yes": true})))
}

#[test]
fn without_drift_there_is_nothing_to_propose() {
    let rig = rig();
    assert_eq!(rig.ok("evolve_propose", json!({}))["reason"], "no_drift");
    std::fs::remove_file(rig.project().join(".github/prompts/draft.prompt.md")).unwrap();
    let data = rig.ok("evolve_propose", json!({}));
    assert_eq!(data["reason"], "no_proposeable_drift");
    assert_eq!(data["skipped"][0]["reason_code"], "missing");
    assert_eq!(data["summary"]["skipped_missing"], 1);
}

/// A proposal from a cursor rule used to store generated front matter, one from a VS Code prompt a second file:
/// after merging, every tool failed.
#[test]
fn edits_of_every_target_map_back_and_a_merged_proposal_renders() {
    let rig = rig();
    let rule = "project/.cursor/rules/instructions_extra--8ce628876b.mdc";
    rig.write(rule, rig.read(rule).replace("extra rule", "extra rule from cursor"));
    rig.write("project/.github/prompts/draft.prompt.md", "Draft it well.\n");
    rig.write("home/.codex/AGENTS.md", rig.read("home/.codex/AGENTS.md").replace("rule one", "rule 1"));
    rig.write("home/.claude/skills/tool/run.sh", "#!/bin/sh\necho changed\n");
    let work_tree = disk(&rig.repo());
    let dry = rig.ok("evolve_propose", json!({"dry_run": true}));
    assert_eq!((&dry["created"], &dry["reason"]), (&json!(false), &json!("dry_run")));
    assert_eq!(dry["candidates"].as_array().unwrap().len(), 4, "{dry}");
    assert_eq!(rig.err("evolve_propose", json!({}))["code"], "E_CONFIRM_REQUIRED");
    let done = propose(&rig, json!({}));
    assert_eq!((&done["created"], &done["committed"]), (&json!(true), &json!(true)));
    let branch = done["branch"].as_str().unwrap();
    assert_eq!(branch, "evolve/propose-global-multi-20260102T030405Z-000000000");
    assert_eq!(disk(&rig.repo()), work_tree, "the work tree is not touched");
    assert_eq!(git(&rig.repo(), &["status", "--porcelain"]), "");
    assert_eq!(git(&rig.repo(), &["branch", "--show-current"]), "main");
    let show = |path: &str| git(&rig.repo(), &["show", &format!("{branch}:{path}")]);
    assert_eq!(show("overlays/instructions_extra--8ce628876b/AGENTS.md"), "extra rule from cursor");
    assert_eq!(show("overlays/prompt_draft--4c683d0b2e/draft.md"), "Draft it well.");
    assert_eq!(show("overlays/instructions_base--d39861fff1/AGENTS.md"), BASE.replace("one", "1").trim());
    assert_eq!(
        git(&rig.repo(), &["log", "-1", "--format=%s|%an", branch]),
        "chore(evolve): propose overlay updates|Me"
    );
    let modes = git(&rig.repo(), &["ls-tree", "-r", branch, "overlays/"]);
    assert!(modes.lines().any(|l| l.starts_with("100755") && l.ends_with("run.sh")), "{modes}");
    git(&rig.repo(), &["merge", "-q", branch]);
    let plan = rig.ok("plan", json!({}));
    assert!(plan["summary"]["create"] == 0, "{plan}");
    rig.deploy();
    assert_eq!(rig.ok("evolve_propose", json!({}))["reason"], "no_drift", "the proposal carried every edit");
    assert!(!rig.read("home/.codex/AGENTS.md").contains("alwaysApply"));
}

#[test]
fn undo_removes_the_branch_unless_somebody_built_on_it() {
    let rig = rig();
    rig.write("project/.github/prompts/draft.prompt.md", "Edited.\n");
    propose(&rig, json!({"branch": "idea"}));
    assert_eq!(rig.err("evolve_propose", json!({"branch": "idea", "yes": true}))["code"], "E_BRANCH_EXISTS");
    assert_eq!(
        rig.err("evolve_propose", json!({"branch": "idea/x", "yes": true}))["code"],
        "E_BRANCH_EXISTS"
    );
    assert_eq!(rig.err("evolve_propose", json!({"branch": "-x", "yes": true}))["code"], "E_BRANCH_INVALID");
    rig.undo();
    assert_eq!(git(&rig.repo(), &["branch", "--list", "idea"]), "");
    rig.t.ok(&rig.s, "history_redo", json!({"yes": true}));
    git(&rig.repo(), &["commit-tree", "idea^{tree}", "-p", "idea", "-m", "more"]);
    let tip = git(&rig.repo(), &["commit-tree", "idea^{tree}", "-p", "idea", "-m", "more"]);
    git(&rig.repo(), &["update-ref", "refs/heads/idea", &tip]);
    assert_eq!(rig.t.err(&rig.s, "history_undo", json!({"yes": true}))["code"], "file_changed");
    assert_eq!(git(&rig.repo(), &["rev-parse", "idea"]), tip);
}

#[test]
fn what_stands_in_the_way_of_a_proposal_is_an_error() {
    let rig = rig();
    rig.write("project/.github/prompts/draft.prompt.md", "Edited.\n");
    std::fs::remove_file(rig.home().join(".gitconfig")).unwrap();
    assert_eq!(rig.err("evolve_propose", json!({"yes": true}))["code"], "E_GIT_IDENTITY_MISSING");
    write(&rig.repo().join("note"), "dirty");
    assert_eq!(rig.err("evolve_propose", json!({"yes": true}))["code"], "E_GIT_WORKTREE_DIRTY");
    std::fs::remove_dir_all(rig.repo().join(".git")).unwrap();
    assert_eq!(rig.err("evolve_propose", json!({"yes": true}))["code"], "E_GIT_REPO_REQUIRED");
    let list = rig.t.ok(&rig.s, "history_list", json!({"family": "deploy"}));
    assert_eq!(list["operations"].as_array().unwrap().len(), 1, "failures leave no operation");
}

#[test]
fn what_cannot_go_back_is_skipped_with_a_reason() {
    let rig = rig();
    rig.write("home/.codex/AGENTS.md", "markers gone\n");
    rig.write("home/.claude/skills/tool/SKILL.md", "no front matter any more\n");
    rig.write("project/.codex/skills/tool/run.sh", "one\n");
    rig.write("home/.codex/skills/tool/run.sh", "two\n");
    let reply = rig.call("evolve_propose", json!({"dry_run": true})).structured.unwrap();
    let reasons: Vec<_> =
        reply["data"]["skipped"].as_array().unwrap().iter().map(|s| s["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["would_not_render", "multi_module_output"], "{reply}");
    assert!(reply["warnings"].to_string().contains("edited differently"));
    let one = rig.ok("evolve_propose", json!({"dry_run": true, "module_id": "prompt:draft"}));
    assert_eq!(one["reason"], "no_drift");
}

#[test]
fn restore_brings_missing_files_back_and_touches_nothing_else() {
    let rig = rig();
    assert_eq!(rig.ok("evolve_restore", json!({}))["reason"], "no_missing");
    let before = rig.disk();
    std::fs::remove_dir_all(rig.project().join(".github/prompts")).unwrap();
    std::fs::remove_file(rig.home().join(".claude/commands/hello.md")).unwrap();
    rig.write("project/AGENTS.md", "edited\n");
    let planned = rig.ok("evolve_restore", json!({"dry_run": true}));
    assert_eq!(planned["reason"], "dry_run");
    let wanted = rig.ok("status", json!({}))["drift"].as_array().unwrap().len();
    assert!(wanted >= 3, "two are missing, one is edited");
    let summary = &planned["summary"];
    let (missing, existing) =
        (summary["missing"].as_u64().unwrap(), summary["skipped_existing"].as_u64().unwrap());
    assert_eq!(missing, 2, "{planned}");
    assert!(existing >= 3, "what is there is counted: {planned}");
    assert_eq!(rig.err("evolve_restore", json!({}))["code"], "E_CONFIRM_REQUIRED");
    let one = rig.ok("evolve_restore", json!({"yes": true, "module_id": "prompt:draft"}));
    assert_eq!(one["summary"]["restored"], 1);
    assert!(one["summary"]["skipped_existing"].as_u64().unwrap() < existing, "of that module only: {one}");
    let done = rig.ok("evolve_restore", json!({"yes": true}));
    assert_eq!(done["reason"], "restored");
    assert_eq!(rig.read("project/AGENTS.md"), "edited\n");
    rig.deploy();
    assert_eq!(rig.disk().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
}
