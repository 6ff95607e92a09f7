//! The plugin tree: what is committed is what is made, every manifest fits its schema, and no host finds an event twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use packd::families::hosts::hooks::{HOOKED, HookProgram};
use packd::families::hosts::plugin::Build;
use serde_json::{Value, json};

use crate::common::real::Place;
use crate::common::schema;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn tree(host: Option<&'static str>) -> BTreeMap<String, String> {
    let program = HookProgram { command: "packd-mcp".into(), home: None };
    Build { host, program, args: Vec::new() }.tree()
}

fn on_disk(dir: &Path) -> BTreeMap<String, String> {
    fn walk(dir: &Path, root: &Path, out: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => walk(&entry, root, out),
                false => {
                    let name = entry.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                    out.insert(name, std::fs::read_to_string(&entry).unwrap());
                }
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(dir, dir, &mut out);
    out
}

#[test]
fn what_is_committed_is_what_is_made() {
    let dir = Path::new(ROOT).join("packaging/plugin");
    if std::env::var_os("PACKD_UPDATE_PACKAGING").is_some() {
        let _ = std::fs::remove_dir_all(&dir);
        for (name, text) in tree(None) {
            std::fs::create_dir_all(dir.join(&name).parent().unwrap()).unwrap();
            std::fs::write(dir.join(name), text).unwrap();
        }
    }
    assert_eq!(
        on_disk(&dir),
        tree(None),
        "run this test with PACKD_UPDATE_PACKAGING=1, or `packd plugin build packaging/plugin`"
    );
}

#[test]
fn the_command_writes_the_tree_for_all_hosts_or_for_one() {
    let place = Place::new();
    for (args, host) in [
        (&[][..], None),
        (&["--host", "gemini"][..], Some("gemini")),
        (&["--host", "codex"][..], Some("codex")),
    ] {
        let dir = place.path().join(host.unwrap_or("all"));
        let made =
            place.packd(&[&["plugin", "build", dir.to_str().unwrap(), "--json"], args].concat()).json();
        assert_eq!(made["files"].as_array().unwrap().len(), tree(host).len());
        assert_eq!(on_disk(&dir), tree(host));
    }
    assert!(place.packd(&["plugin", "build", "/proc/none"]).failed(1).contains("cannot be written"));
    assert!(place.daemon_pid().is_none(), "it needs no daemon");
}

fn fits(schema: &str, text: &str) {
    let file = Path::new(ROOT).join("tests/data/schemas").join(schema);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(schema::malformed(&schema), [""; 0]);
    assert_eq!(schema::faults(&schema, &value), [""; 0], "{text}");
}

#[test]
fn every_manifest_fits_its_published_schema() {
    for host in [None, Some("claude"), Some("codex"), Some("gemini"), Some("copilot"), Some("cursor")] {
        let tree = tree(host);
        for (name, text) in tree.iter().filter(|(name, _)| name.ends_with(".json")) {
            match name.as_str() {
                "plugin.json" => fits("agent-plugin.json", text),
                "mcp.json" => fits("agent-mcp.json", text),
                ".cursor-plugin/plugin.json" => fits("cursor-plugin.json", text),
                "hooks/codex.json" => fits("codex-hooks.json", text),
                _ => drop(serde_json::from_str::<Value>(text).unwrap()),
            }
        }
    }
}

/// Found in a real host: Codex sent all of packd's tools with every turn, 60 kB of them, once packd was a plugin.
#[test]
fn a_host_that_sends_every_tool_each_time_gets_the_small_set() {
    let args = |host: Option<&'static str>, file: &str, more: &[&str]| {
        let program = HookProgram { command: "packd-mcp".into(), home: None };
        let build = Build { host, program, args: more.iter().map(|arg| arg.to_string()).collect() };
        let file: Value = serde_json::from_str(&build.tree()[file]).unwrap();
        file["mcpServers"]["packd"]["args"].clone()
    };
    for host in ["codex", "copilot", "cursor"] {
        assert_eq!(args(Some(host), ".mcp.json", &[]), json!(["--toolsets", "core"]), "{host}");
    }
    for host in [None, Some("gemini")] {
        assert_eq!(args(host, "gemini-extension.json", &[]), json!(["--toolsets", "core"]));
    }
    for host in [None, Some("claude")] {
        assert_eq!(args(host, ".mcp.json", &[]), json!([]), "Claude Code loads tools on demand");
    }
    assert_eq!(args(Some("codex"), ".mcp.json", &["--toolsets", "all"]), json!(["--toolsets", "all"]));
}

fn events(text: &str) -> BTreeSet<String> {
    let file: Value = serde_json::from_str(text).unwrap();
    file["hooks"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn no_host_finds_an_event_twice_or_one_that_it_does_not_know() {
    let all = tree(None);
    // Claude Code reads both files; Gemini CLI only the first, and complains about events it does not know.
    let (shared, claude) = (events(&all["hooks/hooks.json"]), events(&all["hooks/claude.json"]));
    assert!(shared.is_disjoint(&claude));
    assert_eq!(shared, BTreeSet::from(["SessionStart".to_string()]));
    let gemini = tree(Some("gemini"));
    for event in ["SessionStart", "BeforeTool", "AfterTool", "AfterAgent"] {
        assert!(events(&gemini["hooks/hooks.json"]).contains(event));
    }
    // Files that more than one host may read do not say whose they are; the hook tells by what it hears.
    assert!(!all["hooks/hooks.json"].contains("--host") && !all["hooks/claude.json"].contains("--host"));
    for hooked in HOOKED.iter().filter(|hooked| !["claude", "gemini"].contains(&hooked.host)) {
        assert!(all[&format!("hooks/{}.json", hooked.host)].contains(&format!("--host {}", hooked.host)));
    }
    // Hosts that take no hooks from an Agent Plugin get a tree that is none.
    for host in ["codex", "copilot", "cursor"] {
        assert!(!tree(Some(host)).contains_key("plugin.json"), "{host}");
    }
}
