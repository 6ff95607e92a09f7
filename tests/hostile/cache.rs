//! Copies of repositories elsewhere: made by the engine alone, whole or not at all, without running anything; and a
//! session that may only look gets what is there and learns what is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Client, write};
use crate::common::real::{Place, until};

fn git(place: &Place, dir: &Path, args: &[&str]) -> String {
    let out = Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(dir)
        .env("HOME", place.path().join("nobody"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_string()
}

fn commit(place: &Place, dir: &Path) -> String {
    if !dir.join(".git").exists() {
        git(place, dir, &["init", "-q"]);
    }
    git(place, dir, &["add", "-A"]);
    git(place, dir, &["commit", "-qm", "more"]);
    git(place, dir, &["rev-parse", "HEAD"])
}

/// A module in a repository of its own, and a config repo that wants it.
fn module(place: &Place) -> PathBuf {
    let upstream = place.path().join("upstream");
    write(&upstream.join("pack/AGENTS.md"), "# From afar\n");
    commit(place, &upstream);
    let config = format!(
        "version: 1\nprofiles: {{default: {{include_tags: [core]}}}}\n\
         targets: {{codex: {{mode: files, scope: project}}}}\n\
         modules:\n  - {{id: 'instructions:base', type: instructions, tags: [core], \
         source: {{git: {{url: '{}', ref: main, subdir: pack}}}}}}\n",
        upstream.display()
    );
    write(&place.path().join(".agentpack/repo/agentpack.yaml"), config);
    upstream
}

fn has_change(plan: &Value) -> bool {
    plan["data"]["changes"].to_string().contains("AGENTS.md")
}

/// All names below a directory, `.git` left out.
fn names(dir: &Path) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() && name != ".git" {
            out.extend(names(&entry.path()));
        }
        out.push(entry.path().display().to_string());
    }
    out.sort();
    out
}

#[test]
fn a_session_that_only_looks_deploys_from_what_is_cached_and_names_what_is_missing() {
    let place = Place::new();
    let upstream = module(&place);
    let mut reader = Client::new(&place, &["--read-only"]);
    let told = reader.refused("plan", json!({}));
    assert!(told.contains("E_SOURCE_NOT_CACHED") && told.contains("instructions:base"), "{told}");
    assert!(told.contains(&upstream.display().to_string()) && told.contains("--read-only"), "{told}");
    assert!(!place.path().join(".agentpack/cache").exists(), "a look leaves nothing behind");
    assert!(!place.home().dir().join("cache").exists());
    let mut client = Client::new(&place, &[]);
    assert!(has_change(&client.ok("plan", json!({}))));
    std::fs::rename(&upstream, place.path().join("gone")).unwrap();
    assert!(has_change(&reader.ok("plan", json!({}))), "what is cached needs no remote");
    let told = client.refused("plan", json!({}));
    assert!(told.contains("E_GIT_FAILED"), "{told}");
}

#[test]
fn a_registry_is_read_from_the_cache_where_no_remote_may_be_asked() {
    let place = Place::new();
    std::fs::create_dir_all(place.work().join(".aam")).unwrap();
    let upstream = place.path().join("upstream");
    write(&upstream.join("registry.yaml"), "name: far\ntype: git\napi_version: 1\n");
    write(&upstream.join("index.yaml"), "packages:\n- name: greet\n  description: Greets\n  latest: 1.0.0\n");
    commit(&place, &upstream);
    let config = format!("registries:\n- name: far\n  url: git+file://{}\n  type: git\n", upstream.display());
    write(&place.path().join(".aam/config.yaml"), config);
    let mut reader = Client::new(&place, &["--read-only"]);
    let mut client = Client::new(&place, &["--allow-write"]);
    let search = json!({"query": "greet"});
    for (who, tool, args) in [
        (&mut reader, "aam_search", search.clone()),
        (&mut client, "aam_install", json!({"packages": ["greet"], "mode": "plan"})),
    ] {
        let told = who.call(tool, args).to_string();
        assert!(told.contains("not in the cache") && told.contains("AAM_"), "{tool}: {told}");
    }
    assert!(!place.home().dir().join("cache").exists(), "neither a look nor a plan makes a clone");
    assert!(client.ok("aam_search", search.clone()).to_string().contains("Greets"));
    assert!(place.home().dir().join("cache/git").is_dir(), "in the daemon's own directory");
    std::fs::rename(&upstream, place.path().join("gone")).unwrap();
    assert!(reader.ok("aam_search", search).to_string().contains("Greets"));
}

#[test]
fn a_clone_runs_nothing_and_fetches_no_submodule() {
    let place = Place::new();
    let ran = place.path().join("ran");
    let evil = place.path().join("evil");
    write(&evil, format!("#!/bin/sh\ntouch '{}'\ncat\n", ran.display()));
    for path in ["evil", "hooks/post-checkout", "template/hooks/post-checkout"] {
        let path = place.path().join(path);
        if path != evil {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::copy(&evil, &path).unwrap();
        }
        Command::new("chmod").arg("755").arg(&path).status().unwrap();
    }
    let inner = place.path().join("inner");
    write(&inner.join("secret.md"), "inner\n");
    commit(&place, &inner);
    let upstream = module(&place);
    write(&upstream.join(".gitattributes"), "*.md filter=evil\n");
    let from = inner.display().to_string();
    git(
        &place,
        &upstream,
        &["-c", "protocol.file.allow=always", "submodule", "add", "-q", &from, "pack/sub"],
    );
    let head = commit(&place, &upstream);
    let base = place.path().display().to_string();
    write(
        &place.path().join(".gitconfig"),
        format!(
            "[filter \"evil\"]\n\tsmudge = {base}/evil\n\tclean = {base}/evil\n\trequired = true\n\
             [core]\n\thooksPath = {base}/hooks\n\tfsmonitor = {base}/evil\n\
             [init]\n\ttemplateDir = {base}/template\n[submodule]\n\trecurse = true\n\
             [protocol \"file\"]\n\tallow = always\n"
        ),
    );
    let mut client = Client::new(&place, &[]);
    assert!(has_change(&client.ok("plan", json!({}))));
    assert!(!ran.exists(), "neither a filter, a hook nor a monitor was run");
    let all = names(&place.path().join(".agentpack/cache/git"));
    assert!(all.iter().any(|n| n.ends_with(&format!("{head}/pack/AGENTS.md"))), "{all:?}");
    assert!(!all.iter().any(|n| n.ends_with("secret.md")), "{all:?}");
}

#[test]
fn calls_that_want_the_same_checkout_share_one_and_a_failure_leaves_none() {
    let place = Place::new();
    let upstream = module(&place);
    let mut clients: Vec<Client> = (0..4).map(|_| Client::new(&place, &[])).collect();
    let asked: Vec<u64> = clients.iter_mut().map(|client| client.send("plan", json!({}))).collect();
    for (client, id) in clients.iter_mut().zip(asked) {
        let plan = client.answer(id);
        assert!(has_change(&plan["structuredContent"]), "{plan}");
    }
    let shelf = place.path().join(".agentpack/cache/git");
    let parent = std::fs::read_dir(&shelf).unwrap().next().unwrap().unwrap().path();
    let made = || std::fs::read_dir(&parent).unwrap().count();
    assert_eq!(made(), 1, "one checkout, and nothing temporary");
    let config = place.path().join(".agentpack/repo/agentpack.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    write(&config, text.replace("ref: main", &format!("ref: {}", "abcdef0123".repeat(4))));
    let told = clients[0].refused("plan", json!({}));
    assert!(told.contains("E_GIT_FAILED") && told.contains("abcdef0123"), "{told}");
    write(&config, text.replace("ref: main", "ref: nowhere"));
    let told = clients[0].refused("plan", json!({}));
    assert!(told.contains("E_SOURCE_MISSING") && told.contains("nowhere"), "{told}");
    assert_eq!(made(), 1);
    write(&upstream.join("pack/AGENTS.md"), "# Newer\n");
    let head = commit(&place, &upstream);
    write(&config, text);
    clients[0].ok("plan", json!({}));
    assert!(parent.join(head).is_dir(), "a ref is asked for on every call");
}

/// A daemon that was killed in the middle of a clone used to be able to leave half of one under its final name.
#[test]
fn a_daemon_killed_while_it_clones_leaves_no_half_checkout() {
    let place = Place::new();
    module(&place);
    let (bin, begun, door) =
        (place.path().join("bin"), place.path().join("begun"), place.path().join("door"));
    assert!(Command::new("mkfifo").arg(&door).status().unwrap().success());
    let slow = format!(
        "#!/bin/sh\ncase \" $* \" in *\" clone \"*)\n  for into; do :; done\n  mkdir -p \"$into/pack\"\n  \
         echo half > \"$into/pack/AGENTS.md\"\n  touch '{}'\n  read -r word < '{}'\n  exit 1\nesac\n\
         PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"\n",
        begun.display(),
        door.display()
    );
    write(&bin.join("git"), slow);
    Command::new("chmod").arg("755").arg(bin.join("git")).status().unwrap();
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display());
    let mut client = Client::with_env(&place, &[], &[("PATH", &path)]);
    client.send("plan", json!({}));
    until("the clone begins", || begun.exists());
    place.kill_daemon();
    // The program that outlived its daemon ends, too.
    std::fs::write(&door, "go\n").unwrap();
    drop(client);
    let mut client = Client::new(&place, &[]);
    let plan = client.ok("plan", json!({}));
    let whole = packd::core::Sha::of(b"# From afar\n");
    assert!(plan["data"]["changes"].to_string().contains(whole.as_str()), "{plan}");
}
