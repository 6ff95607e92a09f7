//! What an agent reads of packages: what a reply costs, that it says what changed, and that its next call works.

use packd::core::Reply;
use serde_json::{Value, json};

use super::rig::{Package, Rig};

const MOST: usize = 16 * 1024;

/// A reply whose two forms are the same, and its structured part.
fn read(reply: Reply) -> Value {
    let structured = reply.structured.unwrap_or_default();
    assert_eq!(reply.text, structured.to_string(), "text and structured content are one form");
    assert!(reply.text.len() <= MOST, "{} bytes", reply.text.len());
    structured
}

fn call(rig: &Rig, tool: &str, args: Value) -> Value {
    let reply = rig.t.call(&rig.session, tool, args.clone());
    assert!(!reply.is_error, "{tool} {args}: {}", reply.text);
    read(reply)
}

/// The call that the text of an error names.
fn next_of(error: &str) -> Option<Value> {
    let (_, next) = error.split_once("\nNext: ")?;
    Some(serde_json::from_str(next).unwrap())
}

fn follow(rig: &Rig, next: &Value) -> Reply {
    rig.t.call(&rig.session, next["tool"].as_str().unwrap(), next["arguments"].clone())
}

#[test]
fn the_daily_job_costs_little_and_every_write_says_what_changed() {
    let rig = Rig::new();
    let mut bytes = 0;
    let mut write = |tool: &str, args: Value, most: usize| {
        let said = call(&rig, tool, args);
        let size = said.to_string().len();
        assert!(size <= most, "{tool} took {size} bytes: {said}");
        bytes += size;
        assert!(said["operation_id"].is_string(), "{tool}: {said}");
        let next = follow(&rig, &said["next"]);
        assert!(!next.is_error, "{tool}: its next call failed: {}", next.text);
        for (name, value) in said.as_object().unwrap() {
            let empty =
                value.is_null() || *value == json!([]) || *value == json!({}) || *value == json!(false);
            let named = ["already_installed", "failed", "dependents_warning", "is_default"];
            assert!(!empty || named.contains(&name.as_str()), "{tool} sends an empty '{name}': {said}");
        }
        said
    };
    rig.author(&Package {
        name: "lint",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "lint", "# one\n")],
    });
    rig.author(&Package {
        name: "lint",
        version: "1.1.0",
        dependencies: &[],
        artifacts: &[("skills", "lint", "# two\n")],
    });
    for version in ["1.0.0", "1.1.0"] {
        std::fs::rename(
            rig.path(&format!("authors/lint-{version}")),
            rig.path(&format!("work/lint-{version}")),
        )
        .unwrap();
    }
    write("aam_publish", json!({"path": "lint-1.0.0"}), 1024);
    let installed = write("aam_install", json!({"packages": ["lint"], "platform": "claude"}), 1024);
    let changed = installed["changed"].as_array().unwrap();
    assert_eq!(changed[0], json!({"of": ".claude/skills/lint/SKILL.md", "made": true}), "{changed:?}");
    write("aam_publish", json!({"path": "lint-1.1.0"}), 1024);
    let upgraded = write("aam_upgrade", json!({}), 1024);
    assert_eq!(
        (&upgraded["upgraded"][0]["from"], &upgraded["upgraded"][0]["version"]),
        (&json!("1.0.0"), &json!("1.1.0"))
    );
    write("aam_uninstall", json!({"package_name": "lint"}), 1024);
    let set = write("aam_config_set", json!({"key": "default_platform", "value": "codex"}), 512);
    assert_eq!(set["changed"], json!([{"field": "default_platform", "after": "codex"}]));
    assert!(bytes <= 4 * 1024, "the job took {bytes} bytes");
}

#[test]
fn many_files_are_counted_and_the_rest_is_one_call_away() {
    let rig = Rig::new();
    let names: Vec<String> = (0..60).map(|n| format!("skill-number-{n}")).collect();
    let artifacts: Vec<_> = names.iter().map(|name| ("skills", name.as_str(), "# text\n")).collect();
    rig.publish(&Package { name: "many", version: "1.0.0", dependencies: &[], artifacts: &artifacts });
    let said = call(&rig, "aam_install", json!({"packages": ["many"], "platform": "claude"}));
    assert!(said.to_string().len() <= 2 * 1024, "{}", said.to_string().len());
    let shown = said["changed"].as_array().unwrap().len() as u64;
    assert_eq!(shown + said["changed_left"].as_u64().unwrap(), 60 + 61 + 1, "{said}");
    let whole = follow(&rig, &said["changed_rest"]);
    assert!(!whole.is_error, "{}", whole.text);
    let described = call(&rig, "aam_info", json!({"package_name": "many"}));
    assert!(described.get("left_out").is_none() && described.get("keywords").is_some(), "{described}");
}

#[test]
fn a_package_too_long_for_a_reply_says_what_is_left_out_and_where_it_is() {
    let rig = Rig::new();
    let names: Vec<String> = (0..300).map(|n| format!("skill-number-{n}")).collect();
    let artifacts: Vec<_> = names.iter().map(|name| ("skills", name.as_str(), "# text\n")).collect();
    rig.publish(&Package { name: "@acme/many", version: "1.0.0", dependencies: &[], artifacts: &artifacts });
    let said = call(&rig, "aam_info", json!({"package_name": "@acme/many"}));
    let shown = said["artifacts"]["skills"].as_array().unwrap().len() as u64;
    assert_eq!(shown + said["left_out"]["artifacts.skills"].as_u64().unwrap(), 300);
    assert_eq!(said["whole"], "aam://packages/acme--many");
}

#[test]
fn long_lists_come_in_pages() {
    let rig = Rig::new();
    let mut lock = String::from("lockfile_version: 1\npackages:\n");
    for n in 0..300 {
        lock += &format!(
            "  package-{n}:\n    version: \"1.0.0\"\n    source: main\n    checksum: sha256:{:064}\n    dependencies: {{}}\n",
            n
        );
    }
    rig.write("work/.aam/aam-lock.yaml", &lock);
    for (tool, field) in [("aam_list", "result"), ("aam_verify", "packages")] {
        let (mut args, mut seen, mut pages) = (json!({}), 0, 0);
        loop {
            let page = call(&rig, tool, args);
            seen += page[field].as_array().unwrap().len();
            pages += 1;
            if page["left"].is_null() {
                break;
            }
            assert_eq!(page["next"]["tool"], tool);
            args = page["next"]["arguments"].clone();
        }
        assert_eq!(seen, 300, "{tool}");
        assert!(pages > 1, "{tool}");
    }
    call(&rig, "aam_outdated", json!({}));
    call(&rig, "aam_doctor", json!({}));
}

#[test]
fn a_first_package_is_written_validated_published_and_taken_back() {
    let rig = Rig::bare(|_| {});
    let made = call(&rig, "aam_init", json!({"name": "first"}));
    assert_eq!(made["written"], json!(["aam.yaml", "skills/hello/SKILL.md", ".aam/config.yaml"]));
    let report = read(follow(&rig, &made["next"]));
    assert_eq!((&report["valid"], &report["package_name"]), (&json!(true), &json!("first")));
    let error = rig.err("aam_publish", json!({}));
    assert!(error.starts_with("[AAM_REGISTRY_NOT_CONFIGURED]"), "{error}");
    assert!(!follow(&rig, &next_of(&error).unwrap()).is_error);
    call(&rig, "aam_publish", json!({}));
    assert!(rig.has("home/.aam/registry/registry.yaml"));
    let again = rig.err("aam_init", json!({}));
    assert!(!follow(&rig, &next_of(&again).unwrap()).is_error, "{again}");
    for _ in 0..3 {
        rig.undo();
    }
    assert!(!rig.has("work/aam.yaml") && !rig.has("work/.aam/config.yaml") && !rig.has("home/.aam/registry"));
    rig.write("work/aam.yaml", "mine\n");
    assert_eq!(call(&rig, "aam_init", json!({}))["written"], json!([".aam/config.yaml"]));
    assert_eq!(rig.read("work/aam.yaml"), "mine\n", "never overwritten");
}

#[test]
fn the_next_call_of_each_error_leads_past_it() {
    let cases: Vec<(&str, Value)> = vec![
        ("aam_install", json!({"packages": ["lint"]})),
        ("aam_upgrade", json!({})),
        ("aam_restore", json!({})),
        ("aam_publish", json!({})),
        ("aam_uninstall", json!({"package_name": "nosuch"})),
        ("aam_verify", json!({"package_name": "nosuch"})),
        ("aam_info", json!({"package_name": "nosuch"})),
        ("aam_create_package", json!({})),
        ("aam_registry_add", json!({"name": "mine", "url": "registry"})),
        ("aam_registry_add", json!({"name": "mine", "url": "~/deep/registry", "set_default": true})),
        ("aam_config_get", json!({"key": "nosuch"})),
        ("aam_config_set", json!({"key": "nosuch", "value": "x"})),
        ("aam_config_set", json!({"key": "security.require_checksum", "value": "false"})),
    ];
    for (tool, args) in cases {
        let rig = Rig::bare(|_| {});
        let error = rig.err(tool, args.clone());
        let next = next_of(&error).unwrap_or_else(|| panic!("{tool} {args} names no next call: {error}"));
        let followed = follow(&rig, &next);
        assert!(!followed.is_error, "{tool} {args} led to {next}: {}", followed.text);
        let after = rig.t.call(&rig.session, tool, args.clone());
        let other = ["aam_config_set", "aam_list", "aam_search", "aam_config_get", "aam_registry_list"]
            .iter()
            .any(|t| next["tool"] == *t);
        let said = |text: &str| text.lines().next().unwrap_or_default().to_string();
        assert!(
            other || !after.is_error || said(&after.text) != said(&error),
            "{tool} {args}: the same again: {error}"
        );
    }
}

#[test]
fn errors_in_a_project_with_packages_lead_on_as_well() {
    let rig = Rig::new();
    rig.skill("lint", "1.0.0", &[]);
    rig.write("work/broken/aam.yaml", "name: broken\n");
    rig.write("work/some/skills/a/SKILL.md", "# a\n");
    for (tool, args) in [
        ("aam_publish", json!({"path": "broken"})),
        ("aam_publish", json!({"path": "some"})),
        ("aam_publish", json!({"path": "some", "tag": "1.0"})),
        ("aam_create_package", json!({"path": "broken"})),
        ("aam_info", json!({"package_name": "lint", "version": "9.0.0"})),
        ("aam_registry_add", json!({"name": "main", "url": "broken"})),
    ] {
        let error = rig.err(tool, args.clone());
        let next = next_of(&error).unwrap_or_else(|| panic!("{tool} {args} names no next call: {error}"));
        let followed = follow(&rig, &next);
        let first = |text: &str| text.lines().next().unwrap_or_default().to_string();
        assert!(first(&followed.text) != first(&error), "{tool} {args} led to {next}: {}", followed.text);
    }
    for error in [rig.err("aam_publish", json!({"path": "broken"})), rig.err("aam_publish", json!({}))] {
        assert!(error.contains("packd://templates/aam.yaml"), "{error}");
    }
    let failed = call(&rig, "aam_install", json!({"packages": ["lint@^9.0.0"]}));
    assert_eq!(failed["failed"][0]["details"].get("next"), None, "said once");
    assert!(!follow(&rig, &failed["next"]).is_error);
    let missing = rig.err("aam_registry_add", json!({"name": "new", "url": "not/there"}));
    assert!(missing.contains("mkdir") && missing.contains("\"create\""), "{missing}");
}
