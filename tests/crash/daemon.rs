//! The real daemon, killed the hard way in the middle of a deploy, again and again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use packd::core::Sha;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{Place, Process, gone, kill, until};
use crate::families::deploy::rig::{disk, write};

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

fn set_version(place: &Place, files: usize, version: usize) {
    let repo = repo(place);
    write(&repo.join("agentpack.yaml"), YAML);
    write(&repo.join("modules/go.md"), format!("---\ndescription: go {version}\n---\n"));
    write(&repo.join("modules/big/SKILL.md"), "---\nname: big\ndescription: many files\n---\n");
    for n in 0..files {
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

/// Where the skill goes: to the user's directory first, then to the project's.
fn roots(place: &Place) -> [PathBuf; 2] {
    [place.path(), &place.work()].map(|base| base.join(".codex/skills/big"))
}

/// Reviews, and sends the apply without waiting for its answer; gives its id.
fn begin_apply(shim: &mut Process, next: &mut impl FnMut() -> usize) -> usize {
    let plan = call(shim, next(), "deploy", json!({}));
    let token = plan["data"]["confirm_token"].clone();
    assert!(token.is_string(), "{plan}");
    let id = next();
    let params = json!({"name": "deploy_apply", "arguments": {"yes": true, "confirm_token": token}});
    shim.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    id
}

/// The version all deployed files are of. Every file is whole, every manifest tells the truth, nothing is left over.
fn deployed_version(place: &Place, newest: usize) -> Option<usize> {
    let files = disk(place.path());
    let mut versions = std::collections::BTreeSet::new();
    for (path, (bytes, _)) in &files {
        assert!(!path.contains(".packd-tmp-"), "{path} is left over");
        let text = String::from_utf8_lossy(bytes);
        let dir = Path::new(path).parent().unwrap();
        let file = Path::new(path).file_name().unwrap().to_string_lossy();
        if let Some(n) =
            file.strip_prefix('f').and_then(|f| f.strip_suffix(".md")).and_then(|n| n.parse().ok())
        {
            let found = (0..=newest).rev().find(|v| content(n, *v) == text);
            versions.insert(found.unwrap_or_else(|| panic!("{path} is neither old nor new")));
        } else if file.starts_with(".agentpack.manifest") {
            let manifest: Value = serde_json::from_str(&text).unwrap();
            for listed in manifest["managed_files"].as_array().unwrap() {
                let name = dir.join(listed["path"].as_str().unwrap()).display().to_string();
                let have = files.get(&name).map(|(bytes, _)| Sha::of(bytes).0);
                assert_eq!(have.as_deref(), listed["sha256"].as_str(), "{name}");
            }
        }
    }
    assert!(versions.len() <= 1, "files of one deploy go together: {versions:?}");
    versions.pop_first()
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
    let [user, project] = roots(&place);
    let mut in_flight = 0;
    // Killed once the so-many-th file is there: in the first root, at the edges, in the last root.
    for (version, (root, kill_at)) in
        [(&user, 0), (&user, 60), (&project, 1), (&project, 119), (&user, 119)].into_iter().enumerate()
    {
        set_version(&place, 120, version);
        let apply = begin_apply(&mut shim, &mut next);
        let (file, wanted) = (root.join(name(kill_at)), content(kill_at, version));
        until("the file is written", || std::fs::read_to_string(&file).is_ok_and(|t| t == wanted));
        place.kill_daemon();
        let reply = shim.reply();
        assert_eq!(reply["id"], json!(apply), "{reply}");
        in_flight += usize::from(reply.get("error").is_some());
        let after = call(&mut shim, next(), "plan", json!({}));
        assert_eq!(after["data"]["changes"], json!([]), "version {version}: the deploy was finished");
        assert_eq!(deployed_version(&place, version), Some(version));
        let log = call(&mut shim, next(), "history_list", json!({"family": "deploy"}));
        assert_eq!(log["operations"][0]["status"], "done", "{log}");
        assert_eq!(log["operations"].as_array().unwrap().len(), version + 1);
    }
    assert!(in_flight >= 3, "the kills came too late to mean anything: {in_flight}");
    let undone = call(&mut shim, next(), "history_undo", json!({"yes": true}));
    assert_eq!(undone["preview"], false, "{undone}");
    assert_eq!(deployed_version(&place, 4), Some(3));
}

/// A thousand files over three roots, killed at moments nobody chose: before the operation is stored, while new
/// contents are staged, between two files, after the last one.
#[test]
fn killed_at_random_moments_a_deploy_of_a_thousand_files_is_whole_or_not_there() {
    const FILES: usize = 500;
    let seed = uuid::Uuid::new_v4().as_u128() as u64 | 1;
    eprintln!("seed {seed}");
    let mut state = seed;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let place = Place::new();
    let mut shim = place.shim();
    let mut id = 0;
    let mut next = || {
        id += 1;
        id
    };
    let (mut in_flight, mut kept, mut operations) = (0, None, 0);
    for version in 0..10 {
        set_version(&place, FILES, version);
        shim.ping(next() as u64);
        let daemon = place.daemon_pid().expect("a daemon runs");
        let (root, n) = (&roots(&place)[random(2) as usize], random(FILES as u64) as usize);
        let apply = begin_apply(&mut shim, &mut next);
        if version % 4 > 0 {
            let (file, wanted) = (root.join(name(n)), content(n, version));
            until("the file is written", || std::fs::read_to_string(&file).is_ok_and(|t| t == wanted));
        }
        let moment = Instant::now() + Duration::from_micros(random(5_000));
        until("the moment has come", || Instant::now() >= moment);
        kill(daemon, Signal::KILL);
        gone(daemon);
        let reply = shim.reply();
        assert_eq!(reply["id"], json!(apply), "{reply}");
        in_flight += usize::from(reply.get("error").is_some());
        let plan = call(&mut shim, next(), "plan", json!({}));
        let found = deployed_version(&place, version);
        let log = call(&mut shim, next(), "history_list", json!({"family": "deploy", "limit": 50}));
        let log = log["operations"].as_array().unwrap();
        assert!(log.iter().all(|op| op["status"] == "done"), "{log:?}");
        if log.len() > operations {
            assert_eq!(found, Some(version), "the deploy was recorded, so it was finished");
            assert_eq!(plan["data"]["changes"], json!([]), "version {version}");
            kept = found;
        } else {
            assert!(reply.get("error").is_some(), "an answer means that the deploy is stored: {reply}");
            assert_eq!(found, kept, "the deploy was not recorded, so nothing of it is there");
        }
        operations = log.len();
    }
    assert!(in_flight >= 3, "the kills came too late to mean anything: {in_flight}");
}
