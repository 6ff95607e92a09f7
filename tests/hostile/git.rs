//! Looking at a repository runs nothing that the repository names, takes no lock and asks no remote.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};

use super::canary::{Trap, call, gits, ok, result};
use crate::common::real::Process;

/// Every call that looks at repositories without being confirmed, in a session where the mode is ask.
const LOOKS: [(&str, &str); 10] = [
    ("amof_get_ecosystem_status", "{}"),
    ("amof_describe_ecosystem", "{}"),
    ("amof_ticket_list", "{}"),
    ("amof_release_status", "{}"),
    ("amof_release_log", "{}"),
    ("amof_release_validate", "{}"),
    ("amof_push_ecosystem", "{}"),
    ("amof_push_ecosystem", "{\"mode\":\"plan\"}"),
    ("amof_discard_ecosystem", "{}"),
    ("amof_sync_ecosystem", "{\"mode\":\"plan\"}"),
];

fn about_demo(args: &str) -> Value {
    let mut args: Value = serde_json::from_str(args).unwrap();
    args["ecosystem"] = json!("demo");
    args
}

/// Name, bytes and time of a repository's index.
fn index(dir: &Path) -> (Vec<u8>, std::time::SystemTime) {
    let file = dir.join(".git/index");
    (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap())
}

fn task(shim: &mut Process) {
    ok(shim, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let step = json!([{"title": "Step", "success_criteria": ["done"]}]);
    ok(shim, "tasks_create", json!({"kind": "task", "parent": "PLAN-001", "title": "T", "steps": step}));
}

fn verify(shim: &mut Process) -> Value {
    let criteria = json!({"criteria": {"confirmed": true}});
    // The whole step, with the evidence that was taken from git.
    let args = json!({"task": "TASK-001", "path": "s:0", "checkpoints": criteria, "compact": false});
    ok(shim, "tasks_verify", args)
}

#[test]
fn no_look_runs_what_a_repository_names() {
    for path in gits() {
        let trap = Trap::new(&path);
        trap.poison(&trap.work());
        trap.poison(&trap.api());
        let before = (index(&trap.work()), index(&trap.api()));
        let mut shim = trap.shim(&[]);
        for (tool, args) in LOOKS {
            call(&mut shim, tool, about_demo(args));
            assert_eq!(trap.fired(), Vec::<String>::new(), "{tool} {args} with {path}");
        }
        let mut reader = trap.shim(&["--read-only"]);
        for (tool, args) in &LOOKS[..6] {
            call(&mut reader, tool, about_demo(args));
        }
        assert_eq!(trap.fired(), Vec::<String>::new(), "--read-only with {path}");
        assert_eq!((index(&trap.work()), index(&trap.api())), before, "an index was written");
    }
}

#[test]
fn evidence_of_a_task_runs_nothing_and_leaves_the_index_alone() {
    for path in gits() {
        let trap = Trap::new(&path);
        let mut shim = trap.shim(&[]);
        task(&mut shim);
        trap.poison(&trap.work());
        let before = index(&trap.work());
        let said = verify(&mut shim);
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
        assert_eq!(index(&trap.work()), before);
        let told = said.to_string();
        assert!(told.contains(&trap.git(&trap.work(), &["rev-parse", "--short=12", "HEAD"])), "{told}");
    }
}

#[test]
fn a_repository_inside_the_project_that_only_looks_like_one_is_not_followed() {
    for path in gits() {
        let trap = Trap::new(&path);
        let buried = trap.work().join("docs");
        trap.git(&trap.work(), &["init", "-q", "--bare", "docs"]);
        let canary = trap.canary("buried");
        trap.write(&buried.join("tree/a"), "a");
        for (key, value) in [("core.bare", "false"), ("core.worktree", "tree"), ("core.fsmonitor", &canary)] {
            trap.git(&trap.work(), &["config", "--file", "docs/config", key, value]);
        }
        let mut shim = trap.shim(&["--workspace", buried.to_str().unwrap()]);
        task(&mut shim);
        verify(&mut shim);
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn submodules_are_looked_at_without_their_own_programs() {
    for path in gits() {
        let trap = Trap::new(&path);
        let api = trap.api();
        let remote = trap.remote();
        trap.git(
            &api,
            &["-c", "protocol.file.allow=always", "submodule", "add", "-q", remote.to_str().unwrap(), "sub"],
        );
        trap.git(&api, &["commit", "-q", "-m", "Take a submodule"]);
        let mut shim = trap.shim(&[]);
        let clean = ok(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
        assert_eq!(clean["repos"][0]["dirty"], 0, "{clean}");
        trap.poison(&api.join("sub"));
        call(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
        trap.write(&api.join("sub/new"), "work that is nowhere else");
        let changed = ok(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
        assert_eq!(changed["repos"][0]["dirty"], 1, "{changed}");
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn a_partial_clone_fetches_nothing_while_it_is_looked_at() {
    for path in gits() {
        let trap = Trap::new(&path);
        let api = trap.api();
        let canary = trap.canary("promised");
        for (key, value) in [
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.uploadpack", &canary),
        ] {
            trap.git(&api, &["config", key, value]);
        }
        // All that HEAD needs is gone, as if it had never been fetched.
        fs::remove_dir_all(api.join(".git/objects")).unwrap();
        fs::create_dir_all(api.join(".git/objects/pack")).unwrap();
        let mut shim = trap.shim(&[]);
        for (tool, args) in LOOKS {
            call(&mut shim, tool, about_demo(args));
            assert_eq!(trap.fired(), Vec::<String>::new(), "{tool} {args} with {path}");
        }
    }
}

#[test]
fn doctor_of_deploy_runs_nothing_in_a_read_only_session() {
    for path in gits() {
        let trap = Trap::new(&path);
        let repo = trap.place.path().join(".agentpack/repo");
        trap.write(
            &repo.join("agentpack.yaml"),
            "version: 1\nprofiles:\n  default:\n    include_tags: [base]\n\
             targets:\n  codex: {mode: files, scope: project}\n\
             modules:\n  - id: instructions:base\n    type: instructions\n    tags: [base]\n\
             \u{20}   source: {local_path: {path: modules/base}}\n",
        );
        trap.write(&repo.join("modules/base/AGENTS.md"), "text");
        trap.poison(&trap.work());
        let mut shim = trap.shim(&["--read-only"]);
        let (said, _) = call(&mut shim, "doctor", json!({}));
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}: {said}");
    }
}

#[test]
fn ask_and_plan_contact_no_remote_and_a_staged_push_asks_it_by_its_address_alone() {
    let trap = Trap::new(&gits()[0]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("git://{}/api", listener.local_addr().unwrap());
    let api = trap.api();
    trap.git(&api, &["config", "remote.origin.url", &address]);
    trap.git(&api, &["config", "core.gitProxy", &trap.canary("proxy")]);
    let mut shim = trap.shim(&[]);
    for args in [json!({"ecosystem": "demo"}), json!({"ecosystem": "demo", "mode": "plan"})] {
        call(&mut shim, "amof_push_ecosystem", args.clone());
        assert!(listener.accept().is_err(), "{args} reached the remote");
    }
    let answering = std::thread::spawn(move || {
        listener.set_nonblocking(false).unwrap();
        listener.accept().map(drop)
    });
    call(&mut shim, "amof_push_ecosystem", json!({"ecosystem": "demo", "mode": "execute"}));
    // It was asked now, which is what tells the two apart.
    answering.join().unwrap().unwrap();
    assert_eq!(trap.fired(), Vec::<String>::new());
}

#[test]
fn a_staged_push_runs_nothing_and_the_confirmed_one_runs_its_hooks() {
    let trap = Trap::new(&gits()[0]);
    let api = trap.api();
    trap.write(&api.join("new"), "new");
    trap.git(&api, &["add", "new"]);
    trap.git(&api, &["commit", "-q", "-m", "Second"]);
    trap.poison(&api);
    trap.git(&api, &["config", "--unset", "remote.origin.receivepack"]);
    let hook = trap.place.path().join("hooks/pre-push");
    fs::copy(trap.canary("pre-push"), &hook).unwrap();
    let mut shim = trap.shim(&["--mode", "execute"]);
    let staged = ok(&mut shim, "amof_push_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(trap.fired(), Vec::<String>::new(), "{staged}");
    assert_eq!(staged["pushes"][0]["state"], "ahead", "{staged}");
    let token = staged["confirmation"]["token"].clone();
    let run = ok(&mut shim, "amof_confirm", json!({"token": token}))["run_id"].clone();
    let ended = ok(&mut shim, "amof_get_run_status", json!({"run_id": run, "wait_seconds": 30}));
    assert_eq!(ended["status"], "success", "{ended}");
    assert!(trap.fired().contains(&"pre-push".to_string()));
    assert_eq!(trap.git(&trap.remote(), &["rev-parse", "main"]), trap.git(&api, &["rev-parse", "HEAD"]));
}

#[test]
fn addresses_that_name_programs_are_never_used() {
    for path in gits() {
        let trap = Trap::new(&path);
        let api = trap.api();
        let canary = trap.canary("address");
        trap.git(&api, &["config", &format!("url.ext::{canary}.insteadOf"), "evil:"]);
        let mut shim = trap.shim(&["--mode", "execute"]);
        for url in [
            format!("ext::{canary}"),
            "evil:".to_string(),
            "fd::0".to_string(),
            format!("ssh://-oProxyCommand={canary}/x"),
            format!("-oProxyCommand={canary}:x"),
            format!("--upload-pack={canary}"),
        ] {
            trap.git(&api, &["config", "remote.origin.url", &url]);
            let staged = ok(&mut shim, "amof_push_ecosystem", json!({"ecosystem": "demo"}));
            assert_eq!(staged["pushes"][0]["state"], "unreachable", "{url}: {staged}");
            let run = ok(&mut shim, "amof_sync_ecosystem", json!({"ecosystem": "demo"}))["run_id"].clone();
            let ended = ok(&mut shim, "amof_get_run_status", json!({"run_id": run, "wait_seconds": 30}));
            assert_eq!(ended["status"], "failed", "{url}: {ended}");
            assert_eq!(trap.fired(), Vec::<String>::new(), "{url} with {path}");
        }
    }
}

#[test]
fn a_git_that_cannot_be_told_what_not_to_run_is_not_used() {
    // Stands for a git from before 2.31: it forgets the settings that come by the environment.
    let trap = Trap::new(&gits()[0]);
    let real = trap.path.split(':').next().unwrap().to_string();
    let old = trap.place.path().join("old/git");
    trap.write(&old, &format!("#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec {real}/git \"$@\"\n"));
    fs::set_permissions(&old, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    trap.poison(&trap.api());
    let old = Trap { path: format!("{}:/usr/bin:/bin", old.parent().unwrap().display()), ..trap };
    let mut shim = old.shim(&[]);
    let (said, failed) = call(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert!(failed && said.to_string().contains("git 2.31 or newer"), "{said}");
    assert_eq!(old.fired(), Vec::<String>::new());
}

#[test]
fn a_repository_that_claims_files_elsewhere_neither_shows_nor_writes_them() {
    for path in gits() {
        let trap = Trap::new(&path);
        let (api, seed) = (trap.api(), trap.place.path().join("seed"));
        let elsewhere = trap.place.path().join("elsewhere");
        trap.write(&elsewhere.join("private"), "mine");
        trap.write(&seed.join("private"), "theirs");
        trap.git(&seed, &["add", "-A"]);
        trap.git(&seed, &["commit", "-q", "-m", "Overwrite"]);
        trap.git(&seed, &["push", "-q", trap.remote().to_str().unwrap(), "main"]);
        trap.git(&api, &["config", "core.worktree", elsewhere.to_str().unwrap()]);
        let mut shim = trap.shim(&["--mode", "execute"]);
        let status = ok(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
        assert_eq!(status["repos"][0]["dirty"], 0, "{status}");
        let run = ok(&mut shim, "amof_sync_ecosystem", json!({"ecosystem": "demo"}))["run_id"].clone();
        let ended = ok(&mut shim, "amof_get_run_status", json!({"run_id": run, "wait_seconds": 30}));
        assert_eq!(ended["status"], "success", "{ended}");
        assert_eq!(fs::read_to_string(elsewhere.join("private")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(api.join("private")).unwrap(), "theirs");
    }
}

#[test]
fn a_sync_runs_neither_hooks_nor_programs_of_the_repository() {
    for path in gits() {
        let trap = Trap::new(&path);
        let (api, seed) = (trap.api(), trap.place.path().join("seed"));
        trap.write(&seed.join("later.txt"), "later\n");
        trap.git(&seed, &["add", "-A"]);
        trap.git(&seed, &["commit", "-q", "-m", "Later"]);
        trap.git(&seed, &["push", "-q", trap.remote().to_str().unwrap(), "main"]);
        trap.poison(&api);
        let mut shim = trap.shim(&["--mode", "execute"]);
        let run = ok(&mut shim, "amof_sync_ecosystem", json!({"ecosystem": "demo"}))["run_id"].clone();
        let ended = ok(&mut shim, "amof_get_run_status", json!({"run_id": run, "wait_seconds": 30}));
        assert_eq!(ended["status"], "success", "{ended}");
        assert_eq!(fs::read_to_string(api.join("later.txt")).unwrap(), "later\n");
        assert_eq!(trap.fired(), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn a_file_that_looks_changed_for_want_of_its_filter_is_named() {
    let trap = Trap::new(&gits()[0]);
    let api = trap.api();
    // As a large-file filter does: short in the repository, long in the checkout. It is the user's own.
    let filter = "[filter \"short\"]\nclean = cut -c1-3\nsmudge = sed s/$/-long/\nrequired = true\n";
    let config = trap.place.path().join(".gitconfig");
    fs::write(&config, fs::read_to_string(&config).unwrap() + filter).unwrap();
    trap.write(&api.join(".gitattributes"), "*.bin filter=short\n");
    trap.write(&api.join("a.bin"), "abc-long\n");
    trap.git(&api, &["add", "-A"]);
    trap.git(&api, &["commit", "-q", "-m", "Filtered"]);
    trap.write(&api.join("a.bin"), "abc-long\n");
    assert_eq!(trap.git(&api, &["status", "--porcelain"]), "");
    trap.write(&api.join("a.bin"), "abc-long\n");
    let mut shim = trap.shim(&[]);
    let said = result(&mut shim, "amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(said["structuredContent"]["repos"][0]["filters_not_run"], json!(["a.bin"]), "{said}");
    let text = said["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("a.bin may look changed because looking runs no filters"), "{said}");
}
