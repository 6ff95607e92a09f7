//! Which versions an install takes: conflicts, backtracking, pre-releases and tags.

use std::fs;

use serde_json::json;

use super::rig::{Package, Rig};

#[test]
fn a_conflict_tells_the_chain_of_reasons_and_changes_nothing() {
    let rig = Rig::new();
    rig.skill("base", "1.0.0", &[]);
    rig.skill("base", "2.0.0", &[]);
    rig.skill("old", "1.0.0", &[("base", "^1.0.0")]);
    rig.skill("new", "1.0.0", &[("base", "^2.0.0")]);
    let text = rig.err("aam_install", json!({"packages": ["old", "new"]}));
    assert!(text.starts_with("[AAM_DEPENDENCY_CONFLICT] "), "{text}");
    for word in ["old 1.0.0 needs base >=1.0.0,<2.0.0", "new needs base >=2.0.0,<3.0.0", "you asked for new"]
    {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
    rig.install(&["old"]);
    let before = rig.tree("work");
    for packages in [json!(["new"]), json!(["base@2.0.0"])] {
        let text = rig.err("aam_install", json!({"packages": packages}));
        assert!(text.starts_with("[AAM_DEPENDENCY_CONFLICT] ") && text.contains("old"), "{text}");
    }
    assert_eq!(rig.tree("work"), before, "what is installed is a constraint, too");
}

#[test]
fn resolution_backtracks_cycles_end_and_registries_have_an_order() {
    let rig = Rig::new();
    rig.skill("base", "1.0.0", &[]);
    rig.skill("base", "2.0.0", &[]);
    rig.skill("mid", "1.0.0", &[("base", "*")]);
    rig.skill("mid", "2.0.0", &[("base", "^2.0.0")]);
    rig.skill("app", "1.0.0", &[("base", "~1.0.0"), ("mid", "*")]);
    rig.install(&["app"]);
    let mut installed = rig.installed();
    installed.sort();
    let wanted =
        [("app", "1.0.0"), ("base", "1.0.0"), ("mid", "1.0.0")].map(|(n, v)| (n.to_string(), v.to_string()));
    assert_eq!(installed, wanted, "the newest mid does not fit, an older one does");
    rig.skill("ring-a", "1.0.0", &[("ring-b", "^1.0.0")]);
    rig.skill("ring-b", "1.0.0", &[("ring-a", "^1.0.0")]);
    assert_eq!(rig.install(&["ring-a"])["installed"].as_array().unwrap().len(), 2);
    rig.skill("self", "1.0.0", &[("self", "^1.0.0")]);
    assert_eq!(rig.install(&["self"])["installed"].as_array().unwrap().len(), 1);
    fs::create_dir(rig.path("second")).unwrap();
    rig.ok("aam_registry_add", json!({"name": "second", "url": rig.path("second")}));
    let project = rig.author(&Package {
        name: "only-two",
        version: "1.0.0",
        dependencies: &[("base", "*")],
        artifacts: &[("skills", "two", "x")],
    });
    rig.t.ok(&rig.session_in(&project), "aam_publish", json!({"registry": "second"}));
    assert_eq!(rig.install(&["only-two"])["installed"][0]["source"], json!("second"));
}

#[test]
fn pre_releases_and_tags_can_be_had_when_asked_for() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    let project = rig.author(&Package {
        name: "tool",
        version: "2.0.0-beta.1",
        dependencies: &[],
        artifacts: &[("skills", "tool", "beta")],
    });
    rig.t.ok(&rig.session_in(&project), "aam_publish", json!({"tag": "beta"}));
    rig.install(&["tool"]);
    assert_eq!(rig.installed()[0].1, "1.0.0", "a final release is preferred");
    rig.install(&["tool@beta"]);
    assert_eq!(rig.installed()[0].1, "2.0.0-beta.1");
    rig.install(&["tool@latest"]);
    assert_eq!(rig.installed()[0].1, "1.0.0");
}
