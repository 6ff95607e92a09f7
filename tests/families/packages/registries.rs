//! The reading tools, settings, registries and resources of packages: forms, codes and the contract's clauses.

use serde_json::{Value, json};

use super::rig::{Package, Rig, info};

#[test]
fn lists_are_wrapped_and_errors_start_with_their_code() {
    let rig = Rig::bare(|_| {});
    let empty = rig.t.call(&rig.session, "aam_search", json!({"query": "x"}));
    assert_eq!((empty.is_error, empty.structured), (false, Some(json!({"result": []}))));
    assert_eq!(rig.list("aam_list", json!({})), [] as [Value; 0], "no .aam is an empty list");
    assert_eq!(rig.list("aam_registry_list", json!({})), [] as [Value; 0]);
    for (tool, args, code) in [
        ("aam_search", json!({}), "AAM_INVALID_ARGUMENT"),
        ("aam_search", json!({"query": "x", "limit": 51}), "AAM_INVALID_ARGUMENT"),
        ("aam_search", json!({"query": "x", "package_type": "gizmo"}), "AAM_INVALID_ARGUMENT"),
        ("aam_list", json!({"colour": 1}), "AAM_INVALID_ARGUMENT"),
        ("aam_info", json!({"package_name": "nope"}), "AAM_PACKAGE_NOT_FOUND"),
        ("aam_install", json!({"packages": ["nope"]}), "AAM_NOT_INITIALIZED"),
        ("aam_uninstall", json!({"package_name": "nope"}), "AAM_PACKAGE_NOT_INSTALLED"),
        ("aam_publish", json!({}), "AAM_MANIFEST_NOT_FOUND"),
        ("aam_create_package", json!({}), "AAM_INVALID_ARGUMENT"),
        ("aam_config_set", json!({"key": "nope", "value": "1"}), "AAM_INVALID_ARGUMENT"),
        ("aam_registry_add", json!({"name": "r", "url": "missing"}), "AAM_REGISTRY_UNREACHABLE"),
        ("aam_install", json!({"packages": ["x"], "mode": "maybe"}), "AAM_INVALID_ARGUMENT"),
        ("aam_install", json!({"packages": ["x"], "mode": "ask"}), "AAM_PERMISSION_DENIED"),
    ] {
        let text = rig.err(tool, args.clone());
        assert!(text.starts_with(&format!("[{code}] ")), "{tool} {args}: {text}");
        assert!(!text.contains(rig.dir.path().to_str().unwrap()), "no absolute paths: {text}");
    }
    std::fs::create_dir(rig.path("work/.aam")).unwrap();
    assert!(rig.err("aam_install", json!({"packages": ["x"]})).starts_with("[AAM_REGISTRY_NOT_CONFIGURED] "));
}

#[test]
fn without_the_flag_writing_is_refused_with_how_to_allow_it() {
    let rig = Rig::bare(|_| {});
    let mut info = info(rig.dir.path(), "work");
    info.allow_write = false;
    let session = rig.t.open(info);
    for (tool, args) in [
        ("aam_install", json!({"packages": ["x"]})),
        ("aam_config_set", json!({"key": "default_platform", "value": "claude"})),
        ("aam_registry_add", json!({"name": "r", "url": "."})),
        ("aam_create_package", json!({})),
        ("aam_restore", json!({})),
    ] {
        let reply = rig.t.call(&session, tool, args);
        assert!(reply.is_error && reply.text.starts_with("[AAM_PERMISSION_DENIED] "), "{}", reply.text);
        assert!(reply.text.contains("--allow-write"), "{}", reply.text);
    }
    assert!(!rig.t.call(&session, "aam_doctor", json!({})).is_error, "reading needs no flag");
}

#[test]
fn search_knows_types_authors_and_the_version_that_would_be_installed() {
    let rig = Rig::new();
    rig.skill("@acme/lint", "1.0.0", &[]);
    rig.skill("@acme/lint", "1.1.0-beta.1", &[]);
    let artifacts = [("prompts", "ask", "Ask.")];
    rig.publish(&Package {
        name: "linter-prompts",
        version: "0.2.0",
        dependencies: &[],
        artifacts: &artifacts,
    });
    let found = rig.list("aam_search", json!({"query": "LINT", "package_type": null}));
    assert_eq!(
        found,
        [
            json!({"name": "linter-prompts", "version": "0.2.0", "description": "The linter-prompts",
                   "author": "Ada", "artifact_types": ["prompt"], "registry": "main"}),
            json!({"name": "@acme/lint", "version": "1.0.0", "description": "The @acme/lint",
                   "author": "Ada", "artifact_types": ["skill"], "registry": "main"}),
        ]
    );
    let skills = rig.list("aam_search", json!({"query": "lint", "package_type": "skill"}));
    assert_eq!((skills.len(), &skills[0]["name"]), (1, &json!("@acme/lint")));
    assert_eq!(rig.list("aam_search", json!({"query": "lint", "limit": 1})).len(), 1);
}

/// AAM leaves types empty and the author out of its index, and its `latest` is the last version published.
#[test]
fn a_registry_written_by_aam_is_searched_right() {
    let rig = Rig::new();
    rig.skill("tool", "2.0.0", &[]);
    let entry = "packages:\n- name: tool\n  description: The tool\n  latest: 1.0.1\n  keywords: []\n  artifact_types: []\n  updated_at: '2026-01-01T00:00:00+00:00'\n";
    rig.write("registry/index.yaml", entry);
    let found = rig.list("aam_search", json!({"query": "tool", "package_type": "skill"}));
    assert_eq!((found.len(), &found[0]["version"], &found[0]["author"]), (1, &json!("2.0.0"), &json!("Ada")));
}

#[test]
fn a_registry_that_is_gone_is_named() {
    let rig = Rig::new();
    std::fs::remove_dir_all(rig.path("registry")).unwrap();
    let text = rig.err("aam_search", json!({"query": "x"}));
    assert!(text.starts_with("[AAM_REGISTRY_UNREACHABLE] ") && text.contains("'main'"), "{text}");
    assert_eq!(rig.list("aam_registry_list", json!({}))[0]["accessible"], json!(false));
    let failed = &rig.install(&["x"])["failed"][0];
    assert_eq!((&failed["code"], &failed["package"]), (&json!("AAM_REGISTRY_UNREACHABLE"), &json!("x")));
}

#[test]
fn info_shows_any_version_of_any_package() {
    let rig = Rig::new();
    rig.skill("base", "1.0.0", &[]);
    rig.skill("base", "2.0.0", &[("other", "^1.0.0")]);
    let newest = rig.ok("aam_info", json!({"package_name": "base"}));
    assert_eq!((&newest["version"], &newest["installed"]), (&json!("2.0.0"), &json!(false)));
    assert_eq!(newest["dependencies"], json!({"other": "^1.0.0"}));
    assert_eq!(newest["installed_version"], Value::Null);
    rig.install(&["base@1.0.0"]);
    let here = rig.ok("aam_info", json!({"package_name": "base"}));
    assert_eq!((&here["version"], &here["installed"]), (&json!("1.0.0"), &json!(true)));
    assert_eq!(
        here["artifacts"]["skills"][0],
        json!({"name": "base", "path": "skills/base/", "description": "About base"})
    );
    let other = rig.ok("aam_info", json!({"package_name": "base", "version": "2.0.0"}));
    assert_eq!((&other["version"], &other["installed_version"]), (&json!("2.0.0"), &json!("1.0.0")));
    let text = rig.err("aam_info", json!({"package_name": "base", "version": "9.0.0"}));
    assert!(text.starts_with("[AAM_PACKAGE_NOT_FOUND] ") && text.contains("2.0.0"), "{text}");
}

#[test]
fn a_setting_tells_its_true_source_and_an_unknown_one_the_valid_keys() {
    let rig = Rig::bare(|_| {});
    let get = |key: &str| {
        let reply = rig.ok("aam_config_get", json!({"key": key}));
        (reply["value"].clone(), reply["source"].as_str().unwrap().to_string())
    };
    assert_eq!(get("default_platform"), (json!("cursor"), "default".into()));
    assert_eq!(get("author.name"), (Value::Null, "default".into()), "an unset key is known");
    rig.ok("aam_config_set", json!({"key": "default_platform", "value": "claude"}));
    assert_eq!(get("default_platform"), (json!("claude"), "global".into()));
    rig.write("work/.aam/config.yaml", "default_platform: codex\nauthor:\n  name: Team\n");
    assert_eq!(get("default_platform"), (json!("codex"), "project".into()));
    assert_eq!(
        get("security"),
        (
            json!({"require_checksum": true, "require_signature": false, "on_signature_failure": "warn"}),
            "merged".into()
        )
    );
    let all = rig.ok("aam_config_get", json!({}));
    assert_eq!(
        (&all["key"], &all["source"], &all["value"]["author"]["name"]),
        (&Value::Null, &json!("merged"), &json!("Team"))
    );
    let text = rig.err("aam_config_get", json!({"key": "colour"}));
    assert!(text.contains("colour") && text.contains("security.require_checksum"), "{text}");
}

#[test]
fn setting_a_key_checks_its_type_writes_only_that_key_and_can_be_undone() {
    let rig = Rig::bare(|_| {});
    let global = "# mine\ndefault_platform: cursor # the usual\nsources: []\n";
    rig.write("home/.aam/config.yaml", global);
    rig.write("work/.aam/config.yaml", "author:\n  name: Team\n");
    for (key, value) in [
        ("active_platforms", "emacs"),
        ("default_platform", "emacs"),
        ("security.require_checksum", "perhaps"),
        ("registries", "x"),
        ("a.b.c", "x"),
    ] {
        let text = rig.err("aam_config_set", json!({"key": key, "value": value, "mode": "execute"}));
        assert!(text.starts_with("[AAM_INVALID_ARGUMENT] "), "{key}: {text}");
    }
    rig.ok("aam_config_set", json!({"key": "author.email", "value": "a@b.c"}));
    assert_eq!(
        rig.read("home/.aam/config.yaml"),
        format!("{global}author:\n  email: a@b.c\n"),
        "nothing of the project leaks in"
    );
    let set = rig.ok("aam_config_set", json!({"key": "active_platforms", "value": "claude, codex"}));
    for (field, value) in [
        ("key", json!("active_platforms")),
        ("value", json!(["claude", "codex"])),
        ("source", json!("global")),
    ] {
        assert_eq!(set[field], value, "{set}");
    }
    rig.undo();
    rig.undo();
    assert_eq!(rig.read("home/.aam/config.yaml"), global);
}

#[test]
fn security_settings_need_execute_said_out_loud() {
    let rig = Rig::bare(|_| {});
    let set = |mode: Option<&str>| {
        let mut args = json!({"key": "security.require_checksum", "value": "false"});
        if let Some(mode) = mode {
            args["mode"] = json!(mode);
        }
        rig.t.call(&rig.session, "aam_config_set", args)
    };
    assert!(set(None).text.starts_with("[AAM_PERMISSION_DENIED] "));
    assert!(
        !set(Some("plan")).is_error && !rig.has("home/.aam/config.yaml"),
        "a plan shows and does nothing"
    );
    assert!(!set(Some("execute")).is_error);
    assert_eq!(rig.yaml("home/.aam/config.yaml"), json!({"security": {"require_checksum": false}}));
}

#[test]
fn registries_are_added_where_they_take_effect() {
    let rig = Rig::bare(|_| {});
    std::fs::create_dir(rig.path("work/reg")).unwrap();
    let path = rig.path("work/reg").display().to_string();
    let added = rig.ok("aam_registry_add", json!({"name": "local-dev", "url": "reg"}));
    let wanted =
        json!({"name": "local-dev", "url": path, "type": "local", "is_default": false, "accessible": true});
    for (field, value) in wanted.as_object().unwrap() {
        assert_eq!(added[field], *value, "{added}");
    }
    let stored = &rig.yaml("home/.aam/config.yaml")["registries"][0];
    assert_eq!(stored["url"], json!(format!("file://{path}")), "as AAM reads it");
    assert!(
        rig.err("aam_registry_add", json!({"name": "local-dev", "url": "."}))
            .starts_with("[AAM_INVALID_ARGUMENT] ")
    );
    rig.ok("aam_registry_add", json!({"name": "two", "url": format!("file://{path}"), "set_default": true}));
    let names = |rig: &Rig| {
        let list = rig.list("aam_registry_list", json!({}));
        list.iter().map(|r| (r["name"].clone(), r["is_default"] == json!(true))).collect::<Vec<_>>()
    };
    assert_eq!(names(&rig), [(json!("local-dev"), false), (json!("two"), true)]);
    rig.undo();
    assert_eq!(names(&rig).len(), 1);
    rig.write("work/.aam/config.yaml", "registries: []\n");
    rig.ok("aam_registry_add", json!({"name": "mine", "url": "reg"}));
    assert_eq!(names(&rig), [(json!("mine"), false)], "the project's list hides the global one");
}

#[test]
fn validate_names_every_problem_by_its_path() {
    let rig = Rig::bare(|_| {});
    let missing = rig.ok("aam_validate", json!({}));
    assert_eq!((&missing["valid"], &missing["errors"][0]), (&json!(false), &json!("No aam.yaml found at .")));
    rig.write("work/aam.yaml", "name: [broken\n");
    let broken = rig.ok("aam_validate", json!({}));
    assert!(broken["errors"][0].as_str().unwrap().starts_with("YAML parse error: "), "{broken}");
    rig.write(
        "work/aam.yaml",
        "name: Bad\nversion: 1.0\ndescription: ' '\nartifacts:\n  skills:\n  - {name: B_d, path: ../x, description: ''}\n  - {name: ok, path: skills/ok}\n  prompts:\n  - {name: p, path: prompts/p.md, description: ''}\ndependencies: {x: ^1}\n",
    );
    let report = rig.ok("aam_validate", json!({"path": "."}));
    let errors: Vec<&str> =
        report["errors"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
    let fields: Vec<&str> = errors.iter().map(|e| e.split(':').next().unwrap()).collect();
    assert_eq!(
        fields,
        [
            "version",
            "name",
            "description",
            "artifacts.skills.0.name",
            "artifacts.skills.0.path",
            "artifacts.skills.1.description",
            "dependencies.x",
            "Artifact path 'prompts/p.md' does not exist",
        ],
        "{errors:?}"
    );
    assert_eq!(rig.ok("aam_validate", json!({}))["artifacts_valid"], json!(false));
}

#[test]
fn validate_sees_hidden_characters_and_links_that_lead_out() {
    let rig = Rig::new();
    let text = "Do this.\nAnd \u{202e}that\u{200b}.\n";
    let project = rig.author(&Package {
        name: "p",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("instructions", "rule", text), ("skills", "s", "# S")],
    });
    let author = rig.session_in(&project);
    let check = || rig.t.ok(&author, "aam_validate", json!({}));
    let report = check();
    assert_eq!(report["valid"], json!(true), "{report}");
    assert!(
        report["warnings"][0].as_str().unwrap().contains("line 2")
            && report["warnings"][0].as_str().unwrap().contains("U+202E")
    );
    rig.t.ok(&rig.session_in(&project), "aam_publish", json!({}));
    let installed = rig.install(&["p"]);
    assert!(installed["warnings"][0].as_str().unwrap().contains("U+202E"), "{installed}");
    rig.write("secret.txt", "key");
    std::os::unix::fs::symlink(rig.path("secret.txt"), rig.path(&format!("{project}/skills/s/link")))
        .unwrap();
    let report = check();
    assert!(report["errors"][0].as_str().unwrap().contains("leads out of the package"), "{report}");
}

#[test]
fn doctor_counts_and_finds_what_is_wrong() {
    let rig = Rig::new();
    rig.skill("base", "1.0.0", &[]);
    rig.install(&["base"]);
    let status = |report: &Value, name: &str| {
        let checks = report["checks"].as_array().unwrap();
        let check =
            checks.iter().find(|c| c["name"] == json!(name)).unwrap_or_else(|| panic!("{name}: {report}"));
        check["status"].as_str().unwrap().to_string()
    };
    let good = rig.ok("aam_doctor", json!({}));
    assert_eq!(
        (&good["healthy"], &good["summary"]),
        (&json!(true), &json!("10 passed, 0 warnings, 0 failed"))
    );
    assert_eq!(status(&good, "registry_main"), "pass");
    rig.write("work/.aam/packages/base/skills/base/SKILL.md", "changed");
    rig.write("work/.cursor/skills/base/SKILL.md", "edited");
    rig.write("work/.aam/packages/ghost/aam.yaml", "name: ghost");
    let bad = rig.ok("aam_doctor", json!({}));
    assert_eq!(
        ["packages_integrity", "deployed_files", "incomplete_install"].map(|n| status(&bad, n)),
        ["fail", "warn", "warn"]
    );
    assert_eq!((&bad["healthy"], &bad["summary"]), (&json!(false), &json!("7 passed, 2 warnings, 1 failed")));
    rig.write("work/.aam/aam-lock.yaml", "packages: [");
    assert_eq!(status(&rig.ok("aam_doctor", json!({})), "lock_file"), "fail", "a broken lock is a finding");
}

#[test]
fn resources_say_what_the_tools_say() {
    let rig = Rig::new();
    rig.skill("@a/b", "1.0.0", &[]);
    rig.install(&["@a/b"]);
    let read = |uri: &str| {
        let contents = rig.t.block_on(rig.t.engine.read_resource(&rig.session, uri)).unwrap();
        serde_json::from_str::<Value>(&contents.text).unwrap()
    };
    assert_eq!(read("aam://packages/installed"), json!(rig.list("aam_list", json!({}))));
    assert_eq!(read("aam://packages/a--b"), rig.ok("aam_info", json!({"package_name": "@a/b"})));
    assert_eq!(read("aam://packages/nothing"), Value::Null);
    assert_eq!(read("aam://registries"), json!(rig.list("aam_registry_list", json!({}))));
    assert_eq!(read("aam://config"), rig.ok("aam_config_get", json!({}))["value"]);
    assert_eq!(read("aam://manifest"), Value::Null);
    rig.write("work/aam.yaml", "name: x\n");
    assert_eq!(read("aam://manifest"), json!({"name": "x"}));
    assert!(rig.t.block_on(rig.t.engine.read_resource(&rig.session, "aam://nothing")).is_err());
}
