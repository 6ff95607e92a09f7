//! The real daemon, killed the hard way in the middle of a deploy, again and again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::real::{Place, Process, until};
use crate::families::deploy_lab::{disk, write};

const FILES: usize = 120;

const YAML: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: both}, claude_code: {mode: files, scope: project}}
modules:
  - {id: 'skill:big', type: skill, tags: [core], source: {local_path: {path: modules/big}}}
  - {id: 'command:go', type: command, tags: [core], source: {local_path: {path: modules/go.md}}}
";

fn repo(place: &Place) -> PathBuf {
    place.path().join(".agentpack/repo")
}

fn name(n: usize) -> String {
    format!("f{n:04}.md")
}

fn set_version(place: &Place, version: usize) {
    let repo = repo(place);
    write(&repo.join("agentpack.yaml"), YAML);
    write(&repo.join("modules/go.md"), format!("---\ndescription: go {version}\n---\n"));
    write(&repo.join("modules/big/SKILL.md"), "---\nname: big\ndescription: many files\n---\n");
    for n in 0..FILES {
        write(&repo.join("modules/big").join(name(n)), content(n, version));
    }
}

fn content(n: usize, version: usize) -> String {
    format!("file {n} version {version}\n{}\n", "text ".repeat(200))
}

fn call(shim: &mut Process, id: usize, tool: &str, args: Value) -> Value {
    let reply = shim.ask(json!(id), "tools/call", json!({"name": tool, "arguments": args}));
    assert_eq!(reply["id"], json!(id), "{reply}");
    reply["result"]["structuredContent"].clone()
}

/// Every deployed file is of one of these versions, and every manifest tells the truth.
fn wholly(place: &Place, version: usize) {
    let mut versions = std::collections::BTreeSet::new();
    for (path, (bytes, _)) in disk(place.path()) {
        assert!(!path.contains(".packd-tmp-"), "{path} is left over");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file = Path::new(&path).file_name().unwrap().to_string_lossy().into_owned();
        if let Some(n) =
            file.strip_prefix('f').and_then(|f| f.strip_suffix(".md")).and_then(|n| n.parse().ok())
        {
            let found = (0..=version).find(|v| content(n, *v) == text);
            versions.insert(found.unwrap_or_else(|| panic!("{path} is neither old nor new")));
        }
    }
    assert_eq!(versions.into_iter().collect::<Vec<_>>(), [version], "files of one deploy go together");
}

#[test]
fn a_daemon_killed_in_the_middle_of_a_deploy_leaves_all_or_nothing() {
    let place = Place::new();
    let mut shim = place.shim();
    let mut id = 0;
    let mut next = || {
        id += 1;
        id
    };
    let project = place.work().join(".codex/skills/big");
    let user = place.path().join(".codex/skills/big");
    let mut in_flight = 0;
    // Killed once the so-many-th file is there: in the first root, at the edges, in the last root.
    for (version, (root, kill_at)) in
        [(&user, 0), (&user, 60), (&project, 1), (&project, 119), (&user, 119)].into_iter().enumerate()
    {
        set_version(&place, version);
        let plan = call(&mut shim, next(), "deploy", json!({}));
        let token = plan["data"]["confirm_token"].clone();
        assert!(token.is_string(), "{plan}");
        let apply = next();
        let params = json!({"name": "deploy_apply", "arguments": {"yes": true, "confirm_token": token}});
        shim.send(&json!({"jsonrpc": "2.0", "id": apply, "method": "tools/call", "params": params}));
        let (file, wanted) = (root.join(name(kill_at)), content(kill_at, version));
        until("the file is written", || std::fs::read_to_string(&file).is_ok_and(|t| t == wanted));
        place.kill_daemon();
        let reply = shim.reply();
        assert_eq!(reply["id"], json!(apply), "{reply}");
        in_flight += usize::from(reply.get("error").is_some());
        let after = call(&mut shim, next(), "plan", json!({}));
        assert_eq!(after["data"]["changes"], json!([]), "version {version}: the deploy was finished");
        wholly(&place, version);
        let log = call(&mut shim, next(), "history_list", json!({"family": "deploy"}));
        assert_eq!(log["operations"][0]["status"], "done", "{log}");
        assert_eq!(log["operations"].as_array().unwrap().len(), version + 1);
    }
    assert!(in_flight >= 3, "the kills came too late to mean anything: {in_flight}");
    let undone = call(&mut shim, next(), "history_undo", json!({"yes": true}));
    assert_eq!(undone["preview"], false, "{undone}");
    wholly(&place, 3);
}
