//! Looking: diffs, drift, explanations, and answers that are never old.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::rig::{BASE, Rig, SMALL, YAML};
use crate::common::real::until;
use crate::common::world::WatchedWorld;

#[test]
fn diff_and_preview_show_the_text() {
    let rig = Rig::new(SMALL);
    rig.write("project/AGENTS.md", "# base\nold rule\n");
    let diff = rig.ok("diff", json!({}));
    let of = |files: &Value, name: &str| {
        files.as_array().unwrap().iter().find(|f| f["path"] == name).cloned().unwrap_or_default()
    };
    let agents = of(&diff["files"], "AGENTS.md");
    assert_eq!(
        agents["unified"],
        "--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1,2 +1,2 @@\n # base\n-old rule\n+rule one\n"
    );
    assert!(agents["before_hash"].as_str().unwrap().starts_with("sha256:"));
    let plain = rig.ok("preview", json!({}));
    assert!(plain.get("diff").is_none());
    let preview = rig.ok("preview", json!({"diff": true}));
    assert_eq!(preview["plan"]["changes"], diff["changes"]);
    assert_eq!(of(&preview["diff"]["files"], "AGENTS.md"), agents);
    let skill = of(&preview["diff"]["files"], "tool/SKILL.md");
    assert!(
        skill["unified"]
            .as_str()
            .unwrap()
            .starts_with("--- a/tool/SKILL.md\n+++ b/tool/SKILL.md\n@@ -0,0 +1,")
    );
    rig.repo_file("modules/base/AGENTS.md", &"long line\n".repeat(20_000));
    assert!(
        rig.warnings("preview", json!({"diff": true})).iter().any(|w| w.starts_with("preview diff omitted"))
    );
}

#[test]
fn status_is_quiet_when_all_is_well_and_tells_four_things_apart() {
    let rig = Rig::new(SMALL);
    let fresh = rig.ok("status", json!({}));
    assert_eq!(fresh["summary"], json!({"modified": 0, "missing": 3, "extra": 0, "not_deployed": 3}));
    assert_eq!(fresh["next_actions_detailed"][1]["tool"], "deploy");
    rig.deploy();
    let reply = rig.call("status", json!({})).structured.unwrap();
    assert_eq!(reply["warnings"], json!([]));
    assert_eq!(reply["data"]["drift"], json!([]));
    assert!(reply["data"].get("next_actions").is_none(), "{reply}");
    rig.write("project/AGENTS.md", "edited\n");
    std::fs::remove_file(rig.project().join(".codex/skills/tool/run.sh")).unwrap();
    rig.write("project/.codex/skills/own/SKILL.md", "mine\n");
    rig.repo_file("modules/tool/new.md", "new\n");
    let status = rig.ok("status", json!({}));
    let kinds: Vec<_> =
        status["drift"].as_array().unwrap().iter().map(|d| d["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["extra", "missing", "modified"], "{status}");
    assert_eq!(status["summary"], json!({"modified": 1, "missing": 1, "extra": 1, "not_deployed": 1}));
    assert!(status["not_deployed"][0]["path"].as_str().unwrap().ends_with("tool/new.md"));
    let only = rig.ok("status", json!({"only": ["missing"]}));
    assert_eq!(only["drift"].as_array().unwrap().len(), 1);
    assert_eq!(only["summary_total"], json!({"modified": 1, "missing": 1, "extra": 1}));
    let explained = rig.ok("explain", json!({"kind": "status"}));
    assert_eq!(explained["drift"].as_array().unwrap().len(), 2, "unmanaged extras have no module");
    assert_eq!(explained["drift"][1]["modules"], json!(["instructions:base"]));
    assert_eq!(explained["drift"][1]["sources"][0]["layer"], "upstream");
    assert!(rig.call("explain", json!({"kind": "diff"})).text.contains("\"command\":\"explain.plan\""));
}

#[test]
fn explain_names_module_layer_and_file_also_for_single_files() {
    let rig = Rig::new(YAML);
    let plan = rig.ok("explain", json!({"kind": "plan", "target": "claude_code"}));
    let module = &plan["changes"][0]["modules"][0];
    assert_eq!(module["module_id"], "command:hello");
    assert_eq!(module["module_type"], "Command");
    assert_eq!(module["layer"], "upstream");
    assert_eq!(module["module_path"], "hello.md");
    assert_eq!(module["source_path"], rig.repo().join("modules/hello.md").display().to_string());
}

#[test]
fn doctor_tells_what_is_missing_without_writing() {
    let rig = Rig::new(SMALL);
    let doctor = rig.ok("doctor", json!({}));
    let roots = doctor["roots"].as_array().unwrap();
    assert_eq!(roots[0]["issues"], json!([]));
    assert_eq!(roots[0]["writable"], true);
    assert_eq!(roots[1]["issues"], json!(["missing"]));
    assert!(roots[1]["suggestion"].as_str().unwrap().starts_with("create directory: mkdir -p "));
    assert!(rig.disk().is_empty());
    rig.repo_file("overlays/instructions_base--d39861fff1/.agentpack/module_id", "other:module\n");
    rig.repo_file("overlays/instructions:base/AGENTS.md", "x\n");
    let warnings = rig.warnings("doctor", json!({}));
    assert!(warnings.iter().any(|w| w.contains("two global overlays")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("other:module")), "{warnings:?}");
}

/// With remembered file contents, an edit of the same length within the clock's grain must still be seen.
#[test]
fn the_next_call_sees_every_edit() {
    let rig = Rig::build(SMALL, |o| o.clock = Arc::new(packd::engine::clock::SystemClock));
    rig.deploy();
    let updates = |rig: &Rig| rig.ok("plan", json!({}))["summary"]["update"].clone();
    let path = rig.repo().join("modules/base/AGENTS.md");
    for n in 0..40 {
        let text = if n % 2 == 0 { BASE.replace("one", "two") } else { BASE.to_string() };
        // In place, with the old times put back: only the inode's change time can tell.
        let old = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::fs::write(&path, &text).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        assert_eq!(updates(&rig), json!(1 - n % 2), "round {n}");
    }
    // The same once the file has been left alone so long that its content is remembered.
    for n in 0..2 {
        let meta = std::fs::metadata(&path).unwrap();
        let changed = meta.modified().unwrap().max(std::time::UNIX_EPOCH + ctime(&meta));
        until("the file is old enough", || changed.elapsed().is_ok_and(|age| age.as_millis() > 150));
        assert_eq!(updates(&rig), json!(n));
        let text = if n == 0 { BASE.replace("one", "six") } else { BASE.to_string() };
        std::fs::write(&path, &text).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(meta.modified().unwrap()).unwrap();
        assert_eq!(updates(&rig), json!(1 - n), "round {n} with a remembered file");
    }
    rig.repo_file("overlays/instructions_base--d39861fff1/AGENTS.md", "overlay\n");
    assert_eq!(updates(&rig), 1, "a new overlay file");
    std::fs::remove_dir_all(rig.repo().join("overlays")).unwrap();
    assert_eq!(updates(&rig), 0);
    rig.repo_file(
        "agentpack.yaml",
        &SMALL.replace("include_tags: [core]", "include_modules: ['skill:tool']"),
    );
    assert_eq!(rig.ok("plan", json!({}))["summary"]["delete"], 1, "a changed profile");
}

fn ctime(meta: &std::fs::Metadata) -> std::time::Duration {
    use std::os::unix::fs::MetadataExt;
    std::time::Duration::new(meta.ctime() as u64, meta.ctime_nsec() as u32)
}

#[test]
fn files_nobody_touched_are_not_read_again() {
    let (world, noted) = WatchedWorld::noting();
    let rig = Rig::build(SMALL, |o| {
        o.world = Arc::new(world);
        // So late that every file has long been left alone.
        o.clock = Arc::new(packd::engine::clock::FixedClock::at("2099-01-01T00:00:00Z"));
    });
    for n in 0..5 {
        rig.repo_file(&format!("modules/tool/part{n}.md"), "part\n");
    }
    rig.deploy();
    let read = |tool: &str| {
        noted.lock().unwrap().clear();
        rig.ok(tool, json!({}));
        let there = |path: &PathBuf| path.exists();
        let read: Vec<PathBuf> = noted.lock().unwrap().iter().filter(|p| there(p)).cloned().collect();
        read
    };
    read("status");
    for tool in ["plan", "status", "diff", "deploy"] {
        assert_eq!(read(tool), [] as [PathBuf; 0], "{tool}");
    }
    rig.repo_file("modules/base/AGENTS.md", "longer than it was before\n");
    assert_eq!(read("plan"), [rig.repo().join("modules/base/AGENTS.md")]);
    assert_eq!(rig.ok("plan", json!({}))["summary"]["update"], 1);
    rig.write("project/AGENTS.md", "by hand\n");
    assert_eq!(read("status"), [rig.project().join("AGENTS.md")]);
    let file = std::fs::File::options().write(true).open(rig.repo().join("agentpack.yaml")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(read("plan"), [rig.repo().join("agentpack.yaml")], "a touched file is read, too");
}
