//! YAML of others: words that look like booleans, and files that want to grow.

use serde_json::{Value, json};

use crate::common::host::{Host, write};
use crate::common::real::Place;

/// A tag `yes` once was a boolean to the reader, so that every deploy of the repository stopped with "invalid type".
#[test]
fn a_tag_that_looks_like_a_boolean_does_not_stop_a_deploy() {
    let place = Place::new();
    let repo = place.path().join(".agentpack/repo");
    write(
        &repo.join("agentpack.yaml"),
        "version: 1\nprofiles:\n  default: {include_tags: [yes]}\n  off: {include_tags: [no]}\n\
         targets:\n  codex: {mode: files, scope: project}\nmodules:\n\
         \x20 - {id: 'instructions:base', type: instructions, tags: [yes, on], source: {local_path: {path: modules/base}}}\n\
         \x20 - {id: 'instructions:other', type: instructions, tags: [n], source: {local_path: {path: modules/other}}}\n",
    );
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
    write(&repo.join("modules/other/AGENTS.md"), "# other\n");
    let mut host = Host::new(&place);
    let planned = host.ok("plan", json!({}));
    assert_eq!(planned["data"]["summary"]["create"], 1, "{planned}");
    let none = host.ok("plan", json!({"profile": "off"}));
    assert_eq!(none["data"]["summary"]["create"], 0, "{none}");
}

/// A title `yes` was imported as "true".
#[test]
fn task_files_keep_their_words_both_ways() {
    let place = Place::new();
    for word in ["yes", "no", "on", "off", "y", "n"] {
        let text = format!("---\nid: TASK-001\ntitle: {word}\ntags: [{word}]\nassignee: {word}\n---\n");
        let dir = place.work().join(word);
        write(&dir.join("TASK-001.task"), &text);
        let mut host = Host::with(&place, &dir, &["--workspace", dir.to_str().unwrap()]);
        host.ok("tasks_storage", json!({"action": "import", "dir": "."}));
        let files = host.ok("tasks_storage", json!({"action": "export"}));
        let file = find(&files, "files")[0]["text"].as_str().unwrap().to_string();
        for line in [format!("title: \"{word}\""), format!("- \"{word}\""), format!("assignee: \"{word}\"")] {
            assert!(file.replace('\'', "\"").contains(&line), "{line} is not in\n{file}");
        }
    }
}

/// The first member of this name, wherever it stands.
fn find<'a>(value: &'a Value, name: &str) -> &'a Value {
    fn look<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
        match value {
            Value::Object(map) => map.get(name).or_else(|| map.values().find_map(|v| look(v, name))),
            Value::Array(items) => items.iter().find_map(|v| look(v, name)),
            _ => None,
        }
    }
    look(value, name).unwrap_or_else(|| panic!("no '{name}' in {value}"))
}

/// Thirty lines that stand for four to the power of thirty words.
#[test]
fn a_file_that_wants_to_grow_is_refused_and_the_daemon_lives() {
    let place = Place::new();
    let mut laughs = "a0: &a0 [ha, ha]\n".to_string();
    for n in 1..30 {
        let b = n - 1;
        laughs += &format!("a{n}: &a{n} [*a{b}, *a{b}, *a{b}, *a{b}]\n");
    }
    write(&place.work().join("TASK-001.task"), &format!("---\nid: TASK-001\ntitle: T\n{laughs}---\n"));
    write(&place.path().join(".agentpack/repo/agentpack.yaml"), &format!("version: 1\n{laughs}"));
    write(&place.work().join("ecosystems/demo/ecosystem.yaml"), &format!("name: demo\n{laughs}"));
    let mut host = Host::new(&place);
    let import = host.ok("tasks_storage", json!({"action": "import", "dir": "."}));
    assert_eq!(find(&import, "counts")["failed"], 1, "{import}");
    assert!(host.fails("plan", json!({})).contains("E_CONFIG_INVALID"));
    let (text, value, _) = host.call("amof_validate_manifest", json!({"ecosystem": "demo"}));
    assert!(format!("{text}{value}").contains("not valid YAML"), "{text} {value}");
    host.shim.ping(1);
}
