//! What lands where, byte for byte: existing installs must not notice who deployed.

use serde_json::{Value, json};

use super::rig::{BASE, Rig, SMALL, YAML, git, write};
use crate::common::snapshot;

#[test]
fn every_target_gets_its_files_in_the_published_form() {
    let rig = Rig::new(YAML);
    let done = rig.deploy();
    assert_eq!(done["applied"], true);
    let files: Vec<_> = rig.disk().into_iter().map(|(path, (_, mode))| format!("{mode:o} {path}")).collect();
    snapshot("deploy_files", &files);
    let combined = "<!-- agentpack:module=instructions:base -->\n# base\nrule one\n<!-- /agentpack -->\n\n---\n\n\
                    <!-- agentpack:module=instructions:extra -->\nextra rule\n<!-- /agentpack -->";
    assert_eq!(rig.read("home/.codex/AGENTS.md"), combined);
    assert_eq!(rig.read("project/.github/copilot-instructions.md"), combined);
    assert_eq!(
        rig.read("project/.cursor/rules/instructions_base--d39861fff1.mdc"),
        "---\ndescription: \"agentpack: instructions:base\"\nglobs: []\nalwaysApply: true\n---\n\n# base\nrule one\n"
    );
    assert_eq!(rig.read("project/.github/prompts/draft.prompt.md"), "Draft it.\n");
    let manifest: Value =
        serde_json::from_str(&rig.read("home/.codex/.agentpack.manifest.codex.json")).unwrap();
    snapshot("deploy_manifest", &manifest);
    assert!(rig.read("home/.codex/.agentpack.manifest.codex.json").ends_with("}\n"));
}

#[test]
fn one_instruction_module_is_copied_unchanged_and_further_targets_work() {
    let yaml = SMALL.replace(
        "targets: {codex: {mode: files, scope: project}}",
        "targets: {jetbrains: {mode: files, scope: project}, zed: {mode: files, scope: both}}",
    );
    let rig = Rig::new(&yaml);
    rig.deploy();
    assert_eq!(rig.read("project/.junie/guidelines.md"), BASE);
    assert_eq!(rig.read("project/.rules"), BASE);
    assert!(rig.exists("project/.agentpack.manifest.zed.json"));
    assert_eq!(rig.ok("plan", json!({"target": "zed"}))["targets"], json!(["zed"]));
}

#[test]
fn overlays_replace_and_patch_in_three_layers() {
    let rig = Rig::new(SMALL);
    let agents = |rig: &Rig| {
        rig.deploy();
        rig.read("project/AGENTS.md")
    };
    assert_eq!(agents(&rig), BASE);
    rig.repo_file("overlays/instructions_base--d39861fff1/AGENTS.md", "global\nrule one\n");
    assert_eq!(agents(&rig), "global\nrule one\n");
    let dir = "overlays/machines/boxa/instructions_base--d39861fff1/.agentpack";
    rig.repo_file(&format!("{dir}/overlay.json"), r#"{"overlay_kind":"patch"}"#);
    let patch = "--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1,2 +1,2 @@\n global\n-rule one\n+machine rule\n";
    rig.repo_file(&format!("{dir}/patches/AGENTS.md.patch"), patch);
    assert_eq!(agents(&rig), "global\nmachine rule\n");
    let explained = rig.ok("explain", json!({"kind": "plan", "machine": "other"}));
    assert_eq!(explained["changes"][0]["modules"][0]["layer"], "global", "{explained}");
    let id = rig.ok("doctor", json!({}))["project_id"].as_str().unwrap().to_string();
    // An older install: the raw module id as directory name.
    rig.repo_file(&format!("projects/{id}/overlays/instructions:base/AGENTS.md"), "mine\n");
    assert_eq!(agents(&rig), "mine\n");
    rig.repo_file("overlays/instructions_base--d39861fff1/AGENTS.md", "other\n");
    let error = rig.err("plan", json!({}));
    assert_eq!(error["code"], "E_OVERLAY_PATCH_APPLY_FAILED");
    assert_eq!(error["details"]["relpath"], "AGENTS.md");
    assert_eq!(error["details"]["scope"], "machine");
}

#[test]
fn an_overlay_that_mixes_kinds_or_drifted_is_told() {
    let rig = Rig::new(SMALL);
    let dir = "overlays/instructions_base--d39861fff1";
    rig.repo_file(&format!("{dir}/AGENTS.md"), "x\n");
    rig.repo_file(
        &format!("{dir}/.agentpack/baseline.json"),
        r#"{"version":2,"file_manifest":[{"path":"AGENTS.md","sha256":"old","bytes":1}]}"#,
    );
    let warnings = rig.warnings("plan", json!({}));
    assert!(warnings[0].starts_with(
        "overlay drift (global) module instructions:base: upstream changed for AGENTS.md (old -> "
    ));
    rig.repo_file(&format!("{dir}/.agentpack/patches/AGENTS.md.patch"), "--- a/AGENTS.md\n");
    assert_eq!(rig.err("plan", json!({}))["code"], "E_CONFIG_INVALID");
}

#[test]
fn the_project_is_the_git_top_level_and_its_origin_names_it() {
    let rig = Rig::new(SMALL);
    git(&rig.project(), &["init", "-q"]);
    git(&rig.project(), &["remote", "add", "origin", "git@example.com:Org/Proj.git"]);
    let mut info = super::rig::info(&rig.root);
    write(&rig.project().join("sub/x"), "");
    info.workspace = rig.project().join("sub").display().to_string();
    let s = rig.t.open(info);
    let doctor = rig.t.ok(&s, "doctor", json!({}));
    assert_eq!(doctor["data"]["project_id"], "de9d546a53904cce");
    assert_eq!(doctor["data"]["project"], rig.project().display().to_string());
    assert_eq!(doctor["data"]["machine_id"], "boxa");
    let warned = doctor["warnings"].to_string();
    assert!(warned.contains("not ignored by git"), "{warned}");
    write(&rig.project().join(".gitignore"), ".agentpack.manifest*.json\n");
    assert_eq!(rig.t.ok(&s, "doctor", json!({}))["warnings"], json!([]));
}

#[test]
fn homes_come_from_options_then_environment() {
    let yaml = "version: 1\nprofiles: {default: {include_tags: [core]}}\n\
                targets: {codex: {mode: files, scope: user, options: {write_user_prompts: no}}}\nmodules:\n\
                - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}\n";
    let rig = Rig::new(yaml);
    let mut info = super::rig::info(&rig.root);
    info.env.insert("CODEX_HOME".into(), rig.root.join("env-codex").display().to_string());
    let s = rig.t.open(info);
    let path =
        |args: Value| rig.t.ok(&s, "plan", args)["data"]["changes"][0]["path"].as_str().unwrap().to_string();
    assert_eq!(path(json!({})), rig.root.join("env-codex/AGENTS.md").display().to_string());
    rig.repo_file("agentpack.yaml", &yaml.replace("write_user_prompts: no", "codex_home: '~/opt-codex'"));
    assert_eq!(path(json!({})), rig.home().join("opt-codex/AGENTS.md").display().to_string());
    let repo = rig.repo().display().to_string();
    assert_eq!(path(json!({"repo": repo})), rig.home().join("opt-codex/AGENTS.md").display().to_string());
}

#[test]
fn a_locked_git_module_is_fetched_verified_and_refused_when_tampered_with() {
    let rig = Rig::new(SMALL);
    let upstream = rig.root.join("upstream");
    write(&upstream.join("pack/AGENTS.md"), "from git\n");
    git(&upstream, &["init", "-q"]);
    git(&upstream, &["add", "-A"]);
    git(&upstream, &["commit", "-qm", "one"]);
    let commit = git(&upstream, &["rev-parse", "HEAD"]);
    let url = upstream.display().to_string();
    let yaml = SMALL.replace(
        "{local_path: {path: modules/base}}",
        &format!("{{git: {{url: '{url}', ref: main, subdir: pack}}}}"),
    );
    rig.repo_file("agentpack.yaml", &yaml);
    let agents = |plan: &Value| {
        plan["changes"].as_array().unwrap().iter().any(|c| {
            c["path"].as_str().unwrap().ends_with("/AGENTS.md")
                && c["after_sha256"] == json!(packd::core::Sha::of(b"from git\n").as_str())
        })
    };
    assert!(agents(&rig.ok("plan", json!({}))), "the branch is resolved and fetched");
    let file = packd::core::Sha::of(b"from git\n");
    let tree = packd::core::Sha::of(format!("AGENTS.md\n{file}\n9\n").as_bytes());
    let lock = json!({"version": 1, "generated_at": "2026-01-01T00:00:00Z", "modules": [{
        "id": "instructions:base", "type": "instructions", "resolved_version": commit, "sha256": tree,
        "resolved_source": {"local_path": null, "git": {"url": url, "commit": commit, "subdir": "pack"}},
        "file_manifest": [{"path": "AGENTS.md", "sha256": file, "bytes": 9}]}]});
    rig.repo_file("agentpack.lock.json", &lock.to_string());
    assert!(agents(&rig.ok("plan", json!({}))));
    let key = packd::core::Sha::of(url.as_bytes());
    let cached = rig.home().join(format!(".agentpack/cache/git/{key}/{commit}/pack/AGENTS.md"));
    assert!(cached.exists(), "checkouts are where existing installs have them");
    write(&cached, "evil git\n");
    let error = rig.err("plan", json!({}));
    assert_eq!(error["code"], "E_LOCKFILE_MISMATCH");
    assert_eq!(error["details"]["files"], json!(["AGENTS.md"]));
    rig.repo_file("agentpack.lock.json", "{");
    assert_eq!(rig.err("plan", json!({}))["code"], "E_LOCKFILE_INVALID", "a broken lock is never ignored");
}

/// Every target of the table of agents, whichever they are: what the table says its agent reads is written, and an undo
/// takes all of it away.
#[test]
fn every_target_writes_and_is_taken_back() {
    for agent in packd::core::agents::ALL.into_iter().filter(|agent| !agent.target.is_empty()) {
        let target = agent.target;
        let yaml = SMALL.replace(
            "codex: {mode: files, scope: project}",
            &format!("{target}: {{mode: files, scope: project}}"),
        );
        let yaml = format!(
            "{yaml}  - {{id: 'command:hello', type: command, tags: [core], source: {{local_path: {{path: modules/hello.md}}}}}}\n"
        );
        let rig = Rig::new(&yaml);
        rig.deploy();
        let written = rig.disk().len();
        assert!(written >= 2, "{target} writes {written} files, its manifest among them");
        assert_eq!(rig.ok("status", json!({}))["summary"]["modified"], 0, "{target}");
        // Claude Code has its own way to instructions, and gets skills only where that is asked for.
        if target != "claude_code" {
            let of = |name: &str| format!("project/{name}");
            let (file, skills) = (agent.in_project.instructions, agent.in_project.skills);
            assert!(file.is_empty() || rig.read(&of(file)) == BASE, "{target}: {file}");
            // Cursor and VS Code read skills that packages bring; a deploy has none for them.
            let skilled = !skills.is_empty() && !["cursor", "vscode"].contains(&target);
            assert_eq!(rig.exists(&of(&format!("{skills}/tool/SKILL.md"))), skilled, "{target}: {skills}");
        }
        rig.undo();
        assert!(rig.disk().is_empty(), "{target} leaves something behind");
    }
}
