//! What is wrong is said with a stable code, a reason and a next step; nothing leaves its place.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::rig::{Rig, SMALL, YAML, write};

fn plan_error(rig: &Rig) -> Value {
    let error = rig.err("plan", json!({}));
    assert!(error["details"]["reason_code"].is_string(), "{error}");
    assert!(!error["details"]["next_actions"].as_array().unwrap().is_empty(), "{error}");
    error
}

#[test]
fn every_mistake_in_the_configuration_has_its_code() {
    let rig = Rig::new(SMALL);
    let cases: &[(&str, &str, &str)] = &[
        ("version: 1", "version: 2", "E_CONFIG_UNSUPPORTED_VERSION"),
        ("version: 1", "version: [", "E_CONFIG_INVALID"),
        ("default:", "other:", "E_CONFIG_INVALID"),
        ("codex:", "emacs:", "E_TARGET_UNSUPPORTED"),
        (
            "{codex: {mode: files, scope: project}}",
            "{cursor: {mode: files, scope: user}}",
            "E_CONFIG_INVALID",
        ),
        ("skill:tool", "instructions:base", "E_CONFIG_INVALID"),
        ("skill:tool", "skill:../../evil", "E_CONFIG_INVALID"),
        ("path: modules/tool", "path: modules/none", "E_SOURCE_MISSING"),
        ("path: modules/tool", "path: ../../../outside", "E_SOURCE_UNSAFE"),
        ("path: modules/tool", "path: /etc", "E_SOURCE_UNSAFE"),
        ("{local_path: {path: modules/tool}}", "{git: {url: '--upload-pack=touch x'}}", "E_CONFIG_INVALID"),
        ("{local_path: {path: modules/tool}}", "{git: {url: 'x', ref: '-x'}}", "E_CONFIG_INVALID"),
        ("{local_path: {path: modules/tool}}", "{git: {url: 'x', subdir: '../../y'}}", "E_CONFIG_INVALID"),
        ("{local_path: {path: modules/tool}}", "{}", "E_CONFIG_INVALID"),
    ];
    write(&rig.root.join("outside/SKILL.md"), "x");
    for (old, new, code) in cases {
        rig.repo_file("agentpack.yaml", &SMALL.replace(old, new));
        assert_eq!(plan_error(&rig)["code"], *code, "{old} -> {new}");
    }
    assert!(!rig.exists("home/x") && !rig.exists("project/x"));
    rig.repo_file("agentpack.yaml", SMALL);
    let next = |error: &Value| error["details"]["next_calls"].clone();
    let unknown = rig.err("plan", json!({"profile": "no", "target": "codex"}));
    assert_eq!(unknown["code"], "E_PROFILE_NOT_FOUND");
    assert_eq!(next(&unknown), json!([{"tool": "plan", "arguments": {"target": "codex"}}]));
    let unknown = rig.err("plan", json!({"target": "no"}));
    assert_eq!(unknown["code"], "E_TARGET_UNSUPPORTED");
    assert_eq!(next(&unknown), Value::Null, "no target would be more than was asked for");
    assert_eq!(rig.err("plan", json!({"target": "cursor"}))["code"], "E_CONFIG_INVALID", "not configured");
    assert_eq!(rig.err("plan", json!({"repo": "/nowhere"}))["code"], "E_CONFIG_MISSING");
    assert_eq!(rig.err("plan", json!({"bogus": 1}))["code"], "E_INVALID_ARGUMENTS");
    rig.ok("plan", json!({"profile": null, "target": null, "dry_run": true}));
}

#[test]
fn modules_are_checked_for_what_their_type_needs() {
    let rig = Rig::new(YAML);
    let cases: &[(&str, &[u8], &str)] = &[
        ("modules/tool/SKILL.md", b"no front matter", "E_CONFIG_INVALID"),
        ("modules/tool/SKILL.md", b"---\nname: x\n---\n", "E_CONFIG_INVALID"),
        ("modules/base/AGENTS.md", b"\xff\xfe", "E_MODULE_NOT_UTF8"),
        ("modules/hello.md", b"no header", "E_MODULE_INVALID"),
        ("modules/hello.md", b"---\ndescription: x\n---\n!bash ls\n", "E_MODULE_INVALID"),
    ];
    for (path, bytes, code) in cases {
        let full = rig.repo().join(path);
        let good = std::fs::read(&full).unwrap();
        std::fs::write(&full, bytes).unwrap();
        assert_eq!(plan_error(&rig)["code"], *code, "{path}");
        std::fs::write(&full, good).unwrap();
    }
    rig.ok("plan", json!({}));
}

/// A module link to a private key used to be deployed with the key's content.
#[test]
fn links_are_read_inside_a_module_and_nowhere_else() {
    let rig = Rig::new(SMALL);
    write(&rig.root.join("secret"), "key");
    let link = rig.repo().join("modules/tool/inner.md");
    symlink("SKILL.md", &link).unwrap();
    assert!(rig.ok("plan", json!({})).to_string().contains("inner.md"), "a link inside its module is a file");
    std::fs::remove_file(&link).unwrap();
    symlink(rig.root.join("secret"), &link).unwrap();
    assert_eq!(plan_error(&rig)["code"], "E_SOURCE_UNSAFE");
    std::fs::remove_file(&link).unwrap();
    symlink("..", &link).unwrap();
    assert_eq!(plan_error(&rig)["code"], "E_SOURCE_UNSAFE");
}

/// A linked `.codex` directory used to be written through, and a link in a file's place replaced.
#[test]
fn nothing_is_written_through_a_link_or_over_a_directory() {
    let rig = Rig::new(SMALL);
    std::fs::create_dir_all(rig.root.join("elsewhere")).unwrap();
    symlink(rig.root.join("elsewhere"), rig.project().join(".codex")).unwrap();
    assert!(rig.warnings("plan", json!({}))[0].contains("is a symlink"));
    assert_eq!(rig.err("deploy", json!({}))["code"], "E_PATH_SYMLINK");
    assert_eq!(std::fs::read_dir(rig.root.join("elsewhere")).unwrap().count(), 0);
    std::fs::remove_file(rig.project().join(".codex")).unwrap();
    symlink("nowhere", rig.project().join("AGENTS.md")).unwrap();
    assert_eq!(rig.err("plan", json!({}))["code"], "E_PATH_SYMLINK");
    std::fs::remove_file(rig.project().join("AGENTS.md")).unwrap();
    std::fs::create_dir(rig.project().join("AGENTS.md")).unwrap();
    assert_eq!(rig.err("plan", json!({}))["code"], "E_PATH_IS_DIRECTORY");
}

#[test]
fn two_modules_may_want_one_file_only_with_the_same_bytes() {
    let yaml = format!(
        "{SMALL}  - {{id: 'other:tool', type: skill, tags: [core], source: {{local_path: {{path: modules/tool}}}}}}\n"
    );
    let rig = Rig::new(&yaml);
    rig.deploy();
    let manifest = rig.read("project/.codex/skills/.agentpack.manifest.codex.json");
    assert!(manifest.contains("\"other:tool\",\n        \"skill:tool\""), "{manifest}");
    rig.repo_file("modules/tool2/SKILL.md", "---\nname: a\ndescription: b\n---\n");
    rig.repo_file("agentpack.yaml", &yaml.replacen("modules/tool}", "modules/tool2}", 1));
    let error = plan_error(&rig);
    assert_eq!(error["code"], "E_DESIRED_STATE_CONFLICT");
    assert_eq!(error["details"]["existing"]["module_ids"], json!(["other:tool"]));
    assert_eq!(error["details"]["new"]["module_ids"], json!(["skill:tool"]));
}
