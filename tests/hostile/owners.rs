//! What belongs to another user is not read, run or believed; the refusal says whose it is and what to do.

use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::client::{Client, write};
use crate::common::engine::{TestEngine, session_info};
use crate::common::real::Place;
use crate::common::world::WatchedWorld;

/// Somebody who has no name on this machine.
const STRANGER: u32 = 54_321;

const CONFIG: &str = "version: 1\nprofiles: {default: {include_tags: [core]}}\n\
    targets: {codex: {mode: files, scope: project}}\n\
    modules:\n  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}\n";

/// A project with everything packd may read, all of it the user's own.
fn fill(home: &Path, work: &Path) {
    write(&work.join("ecosystems/demo/ecosystem.yaml"), "provisioner: local\nrepos: []\n");
    write(&work.join("ecosystems/other/ecosystem.yaml"), "repos: []\n");
    write(&work.join("provisioners/local/spin.sh"), "#!/bin/sh\nexit 0\n");
    write(&work.join("aam.yaml"), "name: mine\nversion: 1.0.0\ndescription: Mine\nartifacts: {}\n");
    std::fs::create_dir_all(work.join(".aam")).unwrap();
    let repo = home.join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), CONFIG);
    write(&repo.join("modules/base/AGENTS.md"), "# Rules\n");
    let registry = home.join("registry");
    write(&registry.join("index.yaml"), "packages: []\n");
    let config = format!("registries:\n- name: main\n  url: file://{}\n", registry.display());
    write(&home.join(".aam/config.yaml"), config);
    let ran = Command::new("git").args(["init", "-q"]).current_dir(work).env("HOME", home).status().unwrap();
    assert!(ran.success());
}

/// What must not be trusted once it is somebody else's, and a call that would.
fn cases(home: &Path, work: &Path) -> Vec<(PathBuf, &'static str, serde_json::Value)> {
    let demo = json!({"ecosystem": "demo"});
    vec![
        (work.join("ecosystems"), "amof_list_ecosystems", json!({})),
        (work.join("ecosystems/demo"), "amof_describe_ecosystem", demo.clone()),
        (work.join("ecosystems/demo/ecosystem.yaml"), "amof_describe_ecosystem", demo.clone()),
        (work.join("provisioners"), "amof_get_ecosystem_status", demo.clone()),
        (work.join("provisioners/local/spin.sh"), "amof_get_ecosystem_status", demo.clone()),
        (work.join(".git"), "amof_get_ecosystem_status", demo.clone()),
        (work.join(".git"), "amof_release_status", json!({})),
        (work.join(".git"), "plan", json!({})),
        (home.join(".agentpack/repo"), "plan", json!({})),
        (home.join(".agentpack/repo/agentpack.yaml"), "doctor", json!({})),
        (home.join(".agentpack/repo/modules/base/AGENTS.md"), "plan", json!({})),
        (work.join("aam.yaml"), "aam_validate", json!({})),
        (home.join(".aam/config.yaml"), "aam_search", json!({"query": "x"})),
        (home.join("registry"), "aam_install", json!({"packages": ["x"]})),
        (home.join("registry/index.yaml"), "aam_search", json!({"query": "x"})),
    ]
}

fn check(told: &str, what: &Path, tool: &str) {
    let owner = STRANGER.to_string();
    assert!(told.contains("owned") && told.contains(&owner), "{tool} on {}: {told}", what.display());
    assert!(told.contains("chown"), "a remedy for {}: {told}", what.display());
    assert!(!told.contains("safe.directory"), "{told}");
}

#[test]
fn every_family_refuses_what_another_user_owns() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (home, work) = (base.clone(), base.join("work"));
    fill(&home, &work);
    let foreign = Arc::new(Mutex::new(PathBuf::new()));
    let theirs = foreign.clone();
    let world = WatchedWorld {
        owner: Box::new(move |path| (path == *theirs.lock().unwrap()).then_some(STRANGER)),
        ..WatchedWorld::default()
    };
    let t = TestEngine::with_world(Arc::new(world));
    let mut info = session_info("s1", &work.display().to_string());
    info.home = home.clone();
    let session = t.open(info);
    for (what, tool, args) in cases(&home, &work) {
        *foreign.lock().unwrap() = PathBuf::new();
        let before = t.call(&session, tool, args.clone());
        assert!(!before.text.contains("owned by"), "{tool}: {}", before.text);
        *foreign.lock().unwrap() = what.clone();
        let reply = t.call(&session, tool, args);
        // These two answer for each registry or package on its own.
        let listed = matches!(tool, "aam_search" | "aam_install");
        assert!(reply.is_error || listed, "{tool} on {}: {}", what.display(), reply.text);
        check(&format!("{} {:?}", reply.text, reply.structured), &what, tool);
    }
    // One ecosystem of somebody else's does not hide the others.
    *foreign.lock().unwrap() = work.join("ecosystems/demo");
    let all = t.call(&session, "amof_list_ecosystems", json!({}));
    assert!(!all.is_error && all.text.contains("other"), "{}", all.text);
}

#[test]
fn the_daemon_refuses_what_another_user_owns_and_git_is_never_asked() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: needs root to give files away");
        return;
    }
    let place = Place::new();
    let (home, work) = (place.path().to_path_buf(), place.work());
    fill(&home, &work);
    let mut client = Client::new(&place, &["--allow-write"]);
    for (what, tool, args) in cases(&home, &work) {
        chown(&what, Some(STRANGER), None).unwrap();
        let told = client.call(tool, args).to_string();
        check(&told, &what, tool);
        chown(&what, Some(0), None).unwrap();
    }
    let listed = client.ok("amof_list_ecosystems", json!({}));
    assert!(listed.to_string().contains("demo"), "all of it is the user's own again: {listed}");
}
