//! Installing, upgrading, uninstalling and restoring packages: transactions, dependencies, ownership, undo.

use std::fs;

use serde_json::json;

use super::rig::{Package, Rig};

const KINDS: &[(&str, &str, &str)] = &[
    ("agents", "helper", "You help.\n"),
    ("skills", "lint", "# Lint\n"),
    ("prompts", "ask", "Ask.\n"),
    ("instructions", "rule", "Be kind.\n"),
];

pub fn all_kinds(version: &str) -> Package<'_> {
    Package { name: "@acme/all", version, dependencies: &[], artifacts: KINDS }
}

#[test]
fn dependencies_come_first_and_the_lock_says_everything() {
    let rig = Rig::new();
    rig.skill("base", "1.0.0", &[]);
    rig.skill("base", "1.2.0", &[]);
    rig.skill("base", "2.0.0", &[]);
    rig.skill("app", "1.0.0", &[("base", "^1.0.0")]);
    let before = rig.tree("work");
    let reply = rig.install(&["app"]);
    let names: Vec<_> =
        reply["installed"].as_array().unwrap().iter().map(|p| (&p["name"], &p["version"])).collect();
    assert_eq!(names, [(&json!("base"), &json!("1.2.0")), (&json!("app"), &json!("1.0.0"))]);
    let app = &reply["installed"][1];
    assert_eq!(
        (&app["artifact_count"], &app["artifacts"], &app["source"]),
        (&json!(1), &json!({"skills": 1}), &json!("main"))
    );
    assert_eq!(
        (&reply["dependencies_resolved"], &reply["failed"], &reply["already_installed"]),
        (&json!(1), &json!([]), &json!([]))
    );
    let lock = rig.yaml("work/.aam/aam-lock.yaml");
    assert_eq!(lock["lockfile_version"], json!(1));
    let entry = &lock["packages"]["app"];
    assert_eq!(
        (&entry["version"], &entry["source"], &entry["dependencies"]),
        (&json!("1.0.0"), &json!("main"), &json!({"base": "^1.0.0"}))
    );
    assert_eq!(entry["checksum"], app["checksum"]);
    assert!(entry["file_checksums"]["files"]["aam.yaml"].is_string());
    assert!(rig.has("work/.cursor/skills/base/SKILL.md"), "deployed to the default platform");
    assert_eq!(rig.install(&["app", "base@^1.0.0"])["already_installed"], json!(["app", "base"]));
    let after = rig.tree("work");
    rig.undo();
    assert_eq!(rig.tree("work"), before, "undo leaves nothing behind");
    assert!(rig.has("work/.aam"), "the workspace itself stays");
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.tree("work"), after);
}

#[test]
fn every_platform_gets_its_files_and_gives_them_back() {
    let rig = Rig::new();
    rig.publish(&all_kinds("1.0.0"));
    rig.write("work/CLAUDE.md", "# Mine\n");
    let before = rig.tree("work");
    for (platform, wanted) in [
        (
            "cursor",
            [
                ".cursor/rules/agent-helper.mdc",
                ".cursor/skills/lint/SKILL.md",
                ".cursor/prompts/ask.md",
                ".cursor/rules/rule.mdc",
            ],
        ),
        (
            "claude",
            [
                ".claude/agents/helper.md",
                ".claude/skills/lint/SKILL.md",
                ".claude/prompts/ask.md",
                "CLAUDE.md",
            ],
        ),
        (
            "codex",
            [
                "AGENTS.md",
                "../home/.codex/skills/lint/SKILL.md",
                "../home/.codex/prompts/ask.md",
                "AGENTS.md",
            ],
        ),
        (
            "copilot",
            [
                ".github/agents/helper.agent.md",
                ".github/skills/lint/SKILL.md",
                ".github/prompts/ask.md",
                ".github/instructions/rule.instructions.md",
            ],
        ),
    ] {
        rig.ok("aam_install", json!({"packages": ["@acme/all"], "platform": platform}));
        for path in wanted {
            assert!(rig.has(&format!("work/{path}")), "{platform}: {path}");
        }
        match platform {
            "cursor" => assert_eq!(
                rig.read("work/.cursor/rules/rule.mdc"),
                "---\ndescription: \"About rule\"\nalwaysApply: true\n---\n\nBe kind.\n"
            ),
            "claude" => {
                assert_eq!(
                    rig.read("work/CLAUDE.md"),
                    "# Mine\n\n<!-- BEGIN AAM: rule instruction -->\nBe kind.\n<!-- END AAM: rule instruction -->\n"
                );
                assert!(
                    rig.read("work/.claude/agents/helper.md")
                        .starts_with("---\nname: \"helper\"\ndescription: \"About helper\"\n---\n")
                );
            }
            "codex" => {
                assert!(rig.read("work/AGENTS.md").contains("<!-- BEGIN AAM: helper agent -->\nYou help.\n"))
            }
            _ => {}
        }
        let gone = rig.ok("aam_uninstall", json!({"package_name": "@acme/all"}));
        assert_eq!((&gone["version"], &gone["dependents_warning"]), (&json!("1.0.0"), &json!([])));
        let mut left = rig.tree("work");
        left.remove(".aam/aam-lock.yaml");
        assert_eq!(left, before, "{platform}");
        assert!(!rig.has("home/.codex/skills"), "{platform}");
    }
    assert!(
        rig.err("aam_install", json!({"packages": ["@acme/all"], "platform": "emacs"}))
            .starts_with("[AAM_INVALID_ARGUMENT] ")
    );
    rig.ok("aam_install", json!({"packages": ["@acme/all"], "no_deploy": true}));
    assert!(rig.has("work/.aam/packages/acme--all/aam.yaml") && !rig.has("work/.cursor"));
    rig.install(&["@acme/all"]);
    rig.ok("aam_install", json!({"packages": ["@acme/all"], "platform": "claude"}));
    assert!(rig.has("work/.cursor/skills/lint/SKILL.md") && rig.has("work/.claude/skills/lint/SKILL.md"));
    let again = rig.ok("aam_install", json!({"packages": ["@acme/all"], "platform": "claude"}));
    assert_eq!((&again["installed"], &again["already_installed"]), (&json!([]), &json!(["@acme/all"])));
    rig.ok("aam_uninstall", json!({"package_name": "@acme/all"}));
    assert!(!rig.has("work/.cursor") && !rig.has("work/.claude"), "it goes from every platform");
}

#[test]
fn each_failure_has_its_own_code_and_the_rest_is_installed() {
    let rig = Rig::new();
    rig.skill("good", "1.0.0", &[]);
    rig.skill("bad", "1.0.0", &[]);
    rig.skill("on-bad", "1.0.0", &[("bad", "*")]);
    let archive = rig.path("registry/packages/bad/versions/1.0.0.aam");
    let mut bytes = fs::read(&archive).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(&archive, bytes).unwrap();
    let reply = rig.install(&["good", "nope", "Not A Name", "good@9.9.9", "bad", "on-bad"]);
    let codes: Vec<_> = reply["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["package"].as_str().unwrap(), f["code"].as_str().unwrap()))
        .collect();
    assert_eq!(
        codes,
        [
            ("nope", "AAM_PACKAGE_NOT_FOUND"),
            ("Not A Name", "AAM_INVALID_ARGUMENT"),
            ("good@9.9.9", "AAM_PACKAGE_NOT_FOUND"),
            ("bad", "AAM_CHECKSUM_MISMATCH"),
            ("on-bad", "AAM_CHECKSUM_MISMATCH"),
        ]
    );
    assert!(
        reply["failed"][2]["hint"].as_str().unwrap().contains("1.0.0")
            && reply["failed"][2]["details"]["available"].is_array()
    );
    assert_eq!(rig.installed(), [("good".into(), "1.0.0".into())]);
    assert!(!rig.has("work/.aam/packages/bad") && !rig.has("work/.aam/packages/.downloads"));
}

#[test]
fn what_the_user_owns_or_edited_is_never_lost() {
    let rig = Rig::new();
    rig.publish(&all_kinds("1.0.0"));
    rig.write("work/.cursor/skills/lint/SKILL.md", "my own");
    let before = rig.tree("work");
    let failed = &rig.install(&["@acme/all"])["failed"][0];
    assert_eq!(
        (&failed["code"], &failed["details"]["path"]),
        (&json!("AAM_FILE_CONFLICT"), &json!(".cursor/skills/lint/SKILL.md"))
    );
    let forced = rig.ok("aam_install", json!({"packages": ["@acme/all"], "force": true}));
    assert_eq!(
        (&forced["failed"][0]["code"], rig.tree("work")),
        (&json!("AAM_FILE_CONFLICT"), before),
        "not even by force"
    );
    fs::remove_file(rig.path("work/.cursor/skills/lint/SKILL.md")).unwrap();
    rig.install(&["@acme/all"]);
    rig.write("work/.cursor/prompts/ask.md", "edited");
    let gone = rig.ok("aam_uninstall", json!({"package_name": "@acme/all"}));
    assert!(gone["files_kept"][0].as_str().unwrap().contains(".cursor/prompts/ask.md"), "{gone}");
    assert_eq!(rig.read("work/.cursor/prompts/ask.md"), "edited");
    assert!(rig.has("work/.cursor/skills/lint"), "it was there before");
    assert!(!rig.has("work/.cursor/rules"), "it was made for the package");
}

#[test]
fn two_packages_that_want_one_path_are_both_named() {
    let rig = Rig::new();
    rig.publish(&Package {
        name: "one",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "same", "1")],
    });
    rig.publish(&Package {
        name: "two",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "same", "2")],
    });
    let reply = rig.install(&["one", "two"]);
    let message = reply["failed"][0]["message"].as_str().unwrap();
    assert!(message.contains("'one'") && message.contains("'two'"), "{message}");
    assert_eq!(rig.installed().len(), 1);
    assert_eq!(rig.read("work/.cursor/skills/same/SKILL.md"), "1");
}

#[test]
fn an_upgrade_exchanges_files_and_a_failed_one_keeps_the_old_version() {
    let rig = Rig::new();
    rig.publish(&Package {
        name: "tool",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "a", "1"), ("skills", "b", "1"), ("prompts", "p", "1")],
    });
    rig.ok("aam_install", json!({"packages": ["tool"], "platform": "claude"}));
    rig.write("work/.claude/prompts/p.md", "edited");
    rig.publish(&Package {
        name: "tool",
        version: "1.1.0",
        dependencies: &[],
        artifacts: &[("skills", "a", "2"), ("prompts", "p", "2")],
    });
    let outdated = rig.ok("aam_outdated", json!({}));
    assert_eq!(
        outdated["outdated"],
        json!([{"name": "tool", "current": "1.0.0", "wanted": "1.1.0", "latest": "1.1.0", "source": "main"}])
    );
    let before = rig.tree("work");
    let archive = rig.path("registry/packages/tool/versions/1.1.0.aam");
    let good = fs::read(&archive).unwrap();
    fs::write(&archive, b"rubbish").unwrap();
    let failed = rig.ok("aam_install", json!({"packages": ["tool@1.1.0"], "force": true}));
    assert_eq!((failed["failed"].as_array().unwrap().len(), rig.tree("work")), (1, before.clone()));
    fs::write(&archive, good).unwrap();
    let done = rig.ok("aam_upgrade", json!({}));
    assert_eq!(
        (&done["upgraded"][0]["from"], &done["upgraded"][0]["version"]),
        (&json!("1.0.0"), &json!("1.1.0"))
    );
    assert_eq!(rig.read("work/.claude/skills/a/SKILL.md"), "2", "on the platform it was installed for");
    assert!(!rig.has("work/.claude/skills/b") && !rig.has("work/.cursor"));
    assert_eq!(rig.read("work/.claude/prompts/p.md"), "edited");
    assert!(done["warnings"][0].as_str().unwrap().contains("prompts/p.md"), "{done}");
    assert_eq!(rig.ok("aam_upgrade", json!({}))["unchanged"], json!(["tool"]));
    rig.undo();
    assert_eq!(rig.tree("work"), before);
}

#[test]
fn verify_tells_what_differs_and_restore_brings_it_back() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    rig.install(&["tool"]);
    rig.skill("tool", "1.1.0", &[]);
    let whole = rig.tree("work");
    assert_eq!(rig.ok("aam_verify", json!({}))["valid"], json!(true));
    fs::remove_dir_all(rig.path("work/.cursor")).unwrap();
    rig.write("work/.aam/packages/tool/skills/tool/SKILL.md", "changed");
    rig.write("work/.aam/packages/tool/extra", "x");
    let report = &rig.ok("aam_verify", json!({"package_name": "tool"}))["packages"][0];
    assert_eq!(
        (&report["valid"], &report["modified"], &report["extra"]),
        (&json!(false), &json!(["skills/tool/SKILL.md"]), &json!(["extra"]))
    );
    assert_eq!(report["deployed_missing"], json!([".cursor/skills/tool/SKILL.md"]));
    let restored = rig.ok("aam_restore", json!({}));
    assert_eq!(restored["installed"][0]["version"], json!("1.0.0"), "as locked, not the newest");
    assert_eq!(rig.tree("work"), whole);
    assert_eq!(rig.ok("aam_restore", json!({}))["already_installed"], json!(["tool"]));
    // A fresh clone: only the lock file is there.
    fs::remove_dir_all(rig.path("work/.aam/packages")).unwrap();
    fs::remove_dir_all(rig.path("work/.cursor")).unwrap();
    rig.ok("aam_restore", json!({}));
    assert_eq!(rig.tree("work"), whole);
    let path = rig.path("registry/packages/tool/versions/1.0.0.aam");
    fs::write(&path, fs::read(rig.path("registry/packages/tool/versions/1.1.0.aam")).unwrap()).unwrap();
    let failed = rig.ok("aam_restore", json!({"force": true}));
    assert_eq!(
        failed["failed"][0]["code"],
        json!("AAM_CHECKSUM_MISMATCH"),
        "another archive under the same version"
    );
}

/// AAM records neither platforms nor files, so what it installed is told from the package itself.
#[test]
fn what_aam_installed_is_uninstalled_by_its_content() {
    let rig = Rig::new();
    let project = rig.author(&all_kinds("1.0.0"));
    let lock = "lockfile_version: 1\nresolved_at: '2026-01-01T00:00:00+00:00'\npackages:\n  '@acme/all':\n    version: 1.0.0\n    source: main\n    checksum: sha256:00\n    dependencies: {}\n    file_checksums: null\n    source_name: null\n    source_commit: null\n";
    rig.write("work/.aam/aam-lock.yaml", lock);
    for (path, text) in rig.tree(&project) {
        rig.write(&format!("work/.aam/packages/acme--all/{path}"), &text);
    }
    rig.write("work/.claude/agents/helper.md", "You help.\n");
    rig.write("work/.claude/skills/lint/SKILL.md", "# Lint\n");
    rig.write("work/.claude/prompts/ask.md", "changed by the user");
    assert_eq!(
        rig.list("aam_list", json!({}))[0]["artifacts"],
        json!({"agents": 1, "skills": 1, "prompts": 1, "instructions": 1})
    );
    rig.ok("aam_uninstall", json!({"package_name": "@acme/all"}));
    let left: Vec<String> = rig.tree("work").into_keys().collect();
    assert_eq!(left, [".aam/aam-lock.yaml", ".claude/prompts/ask.md"]);
}

#[test]
fn a_plan_says_what_an_install_would_do_and_does_nothing() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    let before = rig.tree("work");
    let plan = rig.ok("aam_install", json!({"packages": ["tool"], "mode": "plan"}));
    assert_eq!(plan["installed"][0]["name"], json!("tool"));
    let refused = rig.t.call(&rig.session, "aam_install", json!({"packages": ["tool"], "mode": "ask"}));
    assert!(refused.text.contains("would write 4 files"), "{}", refused.text);
    assert!(
        refused.structured.unwrap()["state"]
            .as_array()
            .unwrap()
            .contains(&json!(".cursor/skills/tool/SKILL.md"))
    );
    assert_eq!(rig.tree("work"), before);
}

#[test]
fn signatures_that_are_required_are_missed() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    rig.write("work/.aam/config.yaml", "security:\n  require_signature: true\n");
    assert_eq!(
        rig.ok("aam_install", json!({"packages": ["tool"], "mode": "plan"}))["warnings"],
        json!(["tool@1.0.0 is not signed."])
    );
    rig.write(
        "work/.aam/config.yaml",
        "security:\n  require_signature: true\n  on_signature_failure: error\n",
    );
    assert_eq!(rig.install(&["tool"])["failed"][0]["code"], json!("AAM_PERMISSION_DENIED"));
}
