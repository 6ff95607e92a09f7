//! What discard, archive and undo of an install take away comes back byte for byte, or was never taken.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use serde_json::json;

use super::eco::Eco;
use crate::common::real::{PACKD, Place, Process, until};
use crate::families::ecosystems::rig::Rig;

/// Every file, link and mode below a directory. What git rewrites by merely looking (an index with fresh times) is
/// compared by what it says instead.
fn picture(dir: &Path) -> BTreeMap<String, String> {
    fn walk(dir: &Path, base: &Path, out: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(base).unwrap().display().to_string();
            let mode = meta.mode();
            if meta.is_dir() {
                out.insert(name, format!("directory {mode:o}"));
                walk(&path, base, out);
            } else if meta.is_symlink() {
                out.insert(name, format!("link to {}", fs::read_link(&path).unwrap().display()));
            } else {
                out.insert(name, format!("{mode:o} {:?}", fs::read(&path).unwrap()));
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(dir, dir, &mut out);
    out
}

/// What git says about a checkout, down to what is staged.
fn account(eco: &Eco, dir: &Path) -> Vec<String> {
    [
        &["status", "--porcelain=v2", "--branch", "--ignored"][..],
        &["ls-files", "--stage"],
        &["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/stash"],
        &["stash", "list", "--format=%H"],
        &["rev-parse", "HEAD"],
    ]
    .iter()
    .map(|args| eco.git(dir, args))
    .collect()
}

/// Work of every kind: on a detached HEAD, stashed twice, staged, modified, untracked, ignored, tagged, executable.
fn work_everywhere(eco: &Eco) {
    let api = eco.clone("api");
    for text in ["one", "two"] {
        fs::write(api.join("README.md"), text).unwrap();
        eco.git(&api, &["stash", "-q"]);
    }
    eco.git(&api, &["checkout", "-q", "--detach"]);
    eco.commit(&api, "Only here");
    eco.git(&api, &["tag", "mine"]);
    fs::write(api.join("staged.txt"), "staged").unwrap();
    eco.git(&api, &["add", "staged.txt"]);
    fs::write(api.join("staged.txt"), "and changed again").unwrap();
    fs::write(api.join("README.md"), "modified").unwrap();
    fs::create_dir_all(api.join("build/deep")).unwrap();
    fs::write(api.join("build/deep/out"), "ignored").unwrap();
    fs::write(api.join("key.local"), "ignored, too").unwrap();
    fs::write(api.join("run.sh"), "untracked").unwrap();
    fs::set_permissions(api.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("README.md", api.join("link")).unwrap();
    // And in the workspace, which is a worktree of the platform's repository.
    let workspace = eco.workspace();
    eco.git(&workspace, &["checkout", "-q", "--detach"]);
    eco.commit(&workspace, "Platform work");
    fs::write(workspace.join("staged-here.txt"), "staged in a worktree").unwrap();
    eco.git(&workspace, &["add", "staged-here.txt"]);
    fs::remove_file(workspace.join("staged-here.txt")).unwrap();
}

#[test]
fn a_commit_on_a_detached_head_is_work_for_discard_archive_and_undo() {
    let mut eco = Eco::installed();
    let api = eco.clone("api");
    eco.git(&api, &["checkout", "-q", "--detach"]);
    eco.commit(&api, "Only here");
    for tool in ["amof_discard_ecosystem", "amof_archive_ecosystem"] {
        let said = eco.refused(tool, json!({"ecosystem": "demo"}));
        assert!(said.contains("Only here") && said.contains("unpushed_work"), "{said}");
    }
    let said = eco.refused("history_undo", json!({"yes": true}));
    assert!(said.contains("Only here"), "{said}");
    let status = eco.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["repos"][0]["status"], "WRONG_BRANCH+UNPUSHED");
    assert_eq!(status["repos"][0]["unpushed"], 1);
    assert!(api.join("Only-here").exists());
}

#[test]
fn tags_stashes_rebases_other_worktrees_and_ignored_files_are_work() {
    let mut eco = Eco::installed();
    let web = eco.clone("web");
    let discard = json!({"ecosystem": "demo"});
    let says = |eco: &mut Eco, what: &str| {
        let said = eco.refused("amof_discard_ecosystem", discard.clone());
        assert!(said.contains(what), "no {what} in {said}");
    };

    eco.commit(&web, "Tagged work");
    eco.git(&web, &["tag", "keep"]);
    eco.git(&web, &["reset", "-q", "--hard", "HEAD~1"]);
    says(&mut eco, "Tagged work");
    eco.git(&web, &["tag", "-d", "keep"]);

    let elsewhere = eco.place.path().join("elsewhere");
    eco.git(&web, &["worktree", "add", "-q", "--detach", elsewhere.to_str().unwrap()]);
    eco.commit(&elsewhere, "In another worktree");
    says(&mut eco, "In another worktree");
    says(&mut eco, "elsewhere");
    eco.git(&web, &["worktree", "remove", "--force", elsewhere.to_str().unwrap()]);

    fs::write(web.join("secret.local"), "12345").unwrap();
    says(&mut eco, "ignored secret.local (5 bytes)");
    fs::remove_file(web.join("secret.local")).unwrap();

    fs::write(web.join("README.md"), "stashed").unwrap();
    eco.git(&web, &["stash", "-q"]);
    says(&mut eco, "1 stashed");
    eco.git(&web, &["stash", "drop", "-q"]);

    // A rebase that stopped: where it began is only in its own directory.
    let base = eco.git(&web, &["rev-parse", "HEAD"]);
    eco.git(&web, &["checkout", "-q", "--detach"]);
    fs::write(web.join("README.md"), "mine").unwrap();
    eco.git(&web, &["commit", "-q", "-am", "Mine before the rebase"]);
    eco.git(&web, &["checkout", "-q", "-b", "other", &base]);
    fs::write(web.join("README.md"), "theirs").unwrap();
    eco.git(&web, &["commit", "-q", "-am", "Theirs"]);
    eco.git(&web, &["checkout", "-q", "--detach", "@{-1}"]);
    let stopped = std::process::Command::new("git")
        .args(["rebase", "other"])
        .current_dir(&web)
        .env("HOME", eco.place.path())
        .output()
        .unwrap();
    assert!(!stopped.status.success(), "the rebase should stop");
    says(&mut eco, "Mine before the rebase");
    says(&mut eco, "a rebase in progress");
}

#[test]
fn what_is_discarded_comes_back_byte_for_byte() {
    let mut eco = Eco::installed();
    work_everywhere(&eco);
    let (api, workspace, root) = (eco.clone("api"), eco.workspace(), eco.root());
    let said = [account(&eco, &api), account(&eco, &workspace)];
    let files = picture(&workspace);
    let plan = eco.ok("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true, "mode": "plan"}));
    assert!(plan["irreversible"].as_str().unwrap().contains("30 days in the trash"), "{plan}");
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    assert!(!workspace.exists());
    assert_eq!(eco.git(&root, &["branch", "--list", "workspace/demo"]), "");

    let operation = eco.newest();
    let entries = eco.trash();
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["operation"], operation);
    assert_eq!(entries[0]["ecosystem"], "demo");
    assert_eq!(entries[0]["path"], json!(workspace));
    assert!(entries[0]["bytes"].as_u64().unwrap() > 0);
    let trash = eco.place.home().dir().join("trash");
    assert_eq!(fs::metadata(&trash).unwrap().permissions().mode() & 0o777, 0o700);
    let entry = trash.join(operation.as_str().unwrap());
    let table = eco.place.packd(&["trash"]).ok();
    assert!(table.contains("demo") && table.contains("worktrees/demo"), "{table}");

    // The bundles hold what the repositories may drop: every branch, tag and stash, HEAD, and what was staged.
    let heads = eco.git(&root, &["bundle", "list-heads", entry.join("bundles/api.bundle").to_str().unwrap()]);
    for wanted in ["HEAD", "refs/heads/main", "refs/tags/mine", "refs/stash", "refs/packd/stash/1"] {
        assert!(heads.contains(wanted), "no {wanted} in {heads}");
    }
    assert!(entry.join("indexes/api.index").exists() && entry.join("indexes/workspace.index").exists());

    // The worst that can happen to the platform's repository meanwhile.
    eco.git(&root, &["worktree", "prune"]);
    eco.git(&root, &["reflog", "expire", "--expire=now", "--all"]);
    eco.git(&root, &["gc", "-q", "--prune=now"]);

    eco.ok("history_undo", json!({"yes": true}));
    let back = [account(&eco, &api), account(&eco, &workspace)];
    assert_eq!(back, said);
    let now = picture(&workspace);
    for (path, was) in &files {
        if !path.ends_with(".git/index") {
            assert_eq!(now.get(path), Some(was), "{path}");
        }
    }
    assert_eq!(now.len(), files.len());
    assert!(eco.git(&root, &["worktree", "list"]).contains("worktrees/demo"));
    assert_eq!(eco.trash(), Vec::<serde_json::Value>::new(), "a restored entry leaves the list");

    // And there again, and back again.
    eco.ok("history_redo", json!({"yes": true}));
    assert!(!workspace.exists());
    assert_eq!(eco.trash().len(), 1);
    eco.ok("history_undo", json!({"yes": true}));
    assert_eq!([account(&eco, &api), account(&eco, &workspace)], said);
}

#[test]
fn undo_refuses_while_something_is_at_the_original_path() {
    let mut eco = Eco::installed();
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    fs::create_dir(eco.workspace()).unwrap();
    let said = eco.refused("history_undo", json!({"yes": true}));
    assert!(said.contains("worktrees/demo"), "{said}");
    assert_eq!(eco.trash().len(), 1);
    fs::remove_dir(eco.workspace()).unwrap();
    eco.ok("history_undo", json!({"yes": true}));
    assert!(eco.clone("api").join("README.md").exists());
}

#[test]
fn an_undone_install_and_an_archive_come_back() {
    let mut eco = Eco::installed();
    eco.ok("history_undo", json!({"yes": true}));
    assert!(!eco.workspace().exists());
    assert_eq!(eco.trash().len(), 1);
    eco.ok("history_redo", json!({"yes": true}));
    assert_eq!(eco.git(&eco.clone("api"), &["status", "--porcelain"]), "");
    assert_eq!(eco.trash().len(), 0);

    fs::write(eco.clone("api").join("note.local"), "ignored").unwrap();
    let plan = eco.ok("amof_archive_ecosystem", json!({"ecosystem": "demo", "mode": "plan"}));
    assert!(plan["irreversible"].as_str().unwrap().contains("30 days in the trash"), "{plan}");
    eco.success("amof_archive_ecosystem", json!({"ecosystem": "demo"}));
    assert!(!eco.workspace().exists());
    eco.ok("history_undo", json!({"yes": true}));
    assert_eq!(fs::read_to_string(eco.clone("api").join("note.local")).unwrap(), "ignored");
    let status = eco.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["installed"], true);
}

#[test]
fn tickets_go_and_come_with_their_ecosystem() {
    let mut eco = Eco::installed();
    let run = eco.ok("amof_ticket_start", json!({"ecosystem": "demo", "ticket_id": "T-1"}))["run_id"].clone();
    assert_eq!(eco.ended(&run)["status"], "success");
    let tree = eco.root().join("worktrees/demo.tickets/T-1/api");
    eco.commit(&tree, "Ticket work");
    fs::write(tree.join("draft.txt"), "draft").unwrap();
    eco.git(&tree, &["add", "draft.txt"]);
    let said = account(&eco, &tree);
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    assert!(!tree.exists());
    // Somebody tidies up inside the trash.
    let entry = eco.place.home().dir().join("trash").join(eco.newest().as_str().unwrap());
    for dir in fs::read_dir(entry.join("files")).unwrap().flatten() {
        for repo in ["api", "web"] {
            let clone = dir.path().join("repos").join(repo);
            if clone.exists() {
                eco.git(&clone, &["worktree", "prune"]);
            }
        }
    }
    eco.ok("history_undo", json!({"yes": true}));
    assert_eq!(account(&eco, &tree), said);
}

#[test]
fn emptying_the_trash_needs_a_yes_and_is_final() {
    let mut eco = Eco::installed();
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    let said = eco.place.packd(&["trash", "empty"]).failed(1);
    assert!(said.contains("--yes"), "{said}");
    eco.place.packd(&["gc"]).ok();
    assert_eq!(eco.trash().len(), 1, "gc drops only what is over its time");
    eco.place.packd(&["trash", "empty", "--yes"]).ok();
    assert_eq!(eco.trash().len(), 0);
    let said = eco.refused("history_undo", json!({"yes": true}));
    assert!(said.contains("no longer holds") && said.contains("install the ecosystem again"), "{said}");
    assert!(!eco.workspace().exists());
    eco.success("amof_install_ecosystem", json!({"ecosystem": "demo"}));
}

/// PACKD_HOME on another file system: the trash gets a copy that is compared before the original goes.
#[test]
fn a_trash_on_another_file_system_gets_a_copy() {
    let shm = Path::new("/dev/shm");
    let device = |p: &Path| fs::metadata(p).map(|m| m.dev()).ok();
    if device(shm).is_none() || device(shm) == device(Path::new("/tmp")) {
        println!("skipped: /dev/shm is not another file system than /tmp");
        return;
    }
    let Ok(far) = tempfile::Builder::new().prefix("packd-").tempdir_in(shm) else {
        println!("skipped: /dev/shm cannot be written");
        return;
    };
    let place = Place::new();
    place.home().prepare().unwrap();
    std::os::unix::fs::symlink(far.path(), place.home().dir().join("trash")).unwrap();
    fs::set_permissions(far.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let mut eco = Eco::at(place);
    work_everywhere(&eco);
    let (api, workspace) = (eco.clone("api"), eco.workspace());
    let said = [account(&eco, &api), account(&eco, &workspace)];
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    assert!(!workspace.exists());
    let beside: Vec<_> = fs::read_dir(workspace.parent().unwrap()).unwrap().flatten().collect();
    assert!(beside.is_empty(), "{beside:?}");
    eco.ok("history_undo", json!({"yes": true}));
    assert_eq!([account(&eco, &api), account(&eco, &workspace)], said);
    assert_eq!(fs::read_to_string(api.join("build/deep/out")).unwrap(), "ignored");
    assert_eq!(eco.trash().len(), 0);
}

/// The daemon in a mount namespace whose trash is a tiny file system.
#[test]
fn too_little_room_refuses_before_anything_moves() {
    let place = Place::new();
    place.home().prepare().unwrap();
    let trash = place.home().dir().join("trash");
    fs::create_dir(&trash).unwrap();
    let mut command = place.command("unshare");
    let script =
        format!("mount -t tmpfs -o size=512k,mode=700 tmpfs '{}' && exec '{PACKD}' daemon", trash.display());
    command.args(["-rm", "sh", "-c", &script]);
    let probe = place.command("unshare").args(["-rm", "true"]).status();
    if !probe.is_ok_and(|s| s.success()) {
        println!("skipped: no mount namespaces here");
        return;
    }
    let mut daemon = Process::spawn(command);
    crate::common::real::until("the daemon answers", || place.daemon_pid().is_some() || !daemon.running());
    if !daemon.running() {
        println!("skipped: a file system cannot be mounted here");
        return;
    }
    let mut eco = Eco::at(place);
    let api = eco.clone("api");
    let before = account(&eco, &api);
    let run = eco.done("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "failed", "{run}");
    assert!(run.to_string().contains("packd trash empty"), "{run}");
    assert_eq!(account(&eco, &api), before);
    assert_eq!(eco.trash().len(), 0);
    let status = eco.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["installed"], true);
}

#[test]
fn sync_does_not_overwrite_an_ignored_file() {
    let mut eco = Eco::installed();
    let api = eco.clone("api");
    fs::write(api.join("key.local"), "mine").unwrap();
    let (home, seed) = (eco.place.path().to_path_buf(), eco.place.path().join("seed"));
    let remote = home.join("remotes/api");
    eco.git(&home, &["clone", "-q", "-b", "main", remote.to_str().unwrap(), seed.to_str().unwrap()]);
    fs::write(seed.join("key.local"), "theirs").unwrap();
    eco.git(&seed, &["add", "-f", "key.local"]);
    eco.git(&seed, &["commit", "-q", "-m", "Add a file that others ignore"]);
    eco.git(&seed, &["push", "-q", "origin", "HEAD:main"]);
    let run = eco.ok("amof_sync_ecosystem", json!({"ecosystem": "demo"}))["run_id"].clone();
    assert_eq!(eco.ended(&run)["status"], "failed");
    assert_eq!(fs::read_to_string(api.join("key.local")).unwrap(), "mine");
}

/// What a daemon that was killed in the middle of a discard leaves: some of it moved, nothing recorded.
#[test]
fn a_move_that_a_crash_interrupted_is_put_back() {
    let mut eco = Eco::installed();
    work_everywhere(&eco);
    let (api, workspace) = (eco.clone("api"), eco.workspace());
    let said = [account(&eco, &api), account(&eco, &workspace)];
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    let trash = eco.place.home().dir().join("trash");
    let entry = trash.join(eco.newest().as_str().unwrap());
    // The entry is settled right after the run has ended.
    let mut page = String::new();
    until("the entry is kept", || {
        page = fs::read_to_string(entry.join("entry.json")).unwrap();
        page.contains("\"state\": \"kept\"")
    });
    // The same under the name of an operation that was never recorded, and only half-way.
    eco.leave();
    eco.place.packd(&["stop"]).ok();
    let other = "0190d1e2-0000-7000-8000-000000000000";
    let known = entry.file_name().unwrap().to_str().unwrap().to_string();
    fs::write(
        entry.join("entry.json"),
        page.replace(&known, other).replace("\"state\": \"kept\"", "\"state\": \"moving\""),
    )
    .unwrap();
    fs::rename(&entry, trash.join(other)).unwrap();
    eco.place.packd(&["history"]).ok();
    assert_eq!([account(&eco, &api), account(&eco, &workspace)], said);
    assert_eq!(eco.trash().len(), 0);
}

#[test]
fn tags_that_came_with_a_clone_are_the_remotes() {
    let mut eco = Eco::installed();
    eco.ok("history_undo", json!({"yes": true}));
    let (home, seed) = (eco.place.path().to_path_buf(), eco.place.path().join("seed"));
    let remote = home.join("remotes/api");
    eco.git(&home, &["clone", "-q", "-b", "main", remote.to_str().unwrap(), seed.to_str().unwrap()]);
    eco.commit(&seed, "Released from a branch that is gone");
    eco.git(&seed, &["tag", "v1"]);
    eco.git(&seed, &["push", "-q", "origin", "v1"]);
    eco.success("amof_install_ecosystem", json!({"ecosystem": "demo"}));
    let api = eco.clone("api");
    assert_eq!(eco.git(&api, &["tag"]), "v1");
    let status = eco.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["repos"][0]["status"], "OK", "{status}");
    eco.git(&api, &["tag", "mine", "v1"]);
    eco.git(&api, &["checkout", "-q", "mine"]);
    eco.commit(&api, "But this is mine");
    let said = eco.refused("history_undo", json!({"yes": true}));
    assert!(said.contains("But this is mine") && !said.contains("Released from"), "{said}");
    eco.git(&api, &["checkout", "-q", "main"]);
    eco.ok("history_undo", json!({"yes": true}));
    assert!(!eco.workspace().exists());
}

/// Deleting a branch under somebody's feet would leave their checkout on nothing.
#[test]
fn a_branch_that_another_checkout_is_on_stays() {
    let mut eco = Eco::installed();
    eco.git(&eco.workspace(), &["checkout", "-q", "--detach"]);
    eco.git(&eco.root(), &["checkout", "-q", "workspace/demo"]);
    eco.success("amof_discard_ecosystem", json!({"ecosystem": "demo", "force": true}));
    assert_eq!(eco.git(&eco.root(), &["status", "--porcelain", "--untracked-files=no"]), "");
    eco.git(&eco.root(), &["rev-parse", "--verify", "workspace/demo"]);
    eco.ok("history_undo", json!({"yes": true}));
    assert!(eco.clone("api").exists());
}

#[test]
fn thirty_days_are_thirty_days() {
    let rig = Rig::new();
    rig.install();
    let run = rig.done("amof_discard_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    let day = 24 * 3600;
    let entries = || fs::read_dir(rig.base().join("trash")).unwrap().count();
    rig.t.clock.advance(30 * day - 60);
    rig.t.block_on(rig.t.engine.drop_trash(false));
    assert_eq!(entries(), 1);
    rig.t.clock.advance(120);
    rig.t.block_on(rig.t.engine.drop_trash(false));
    assert_eq!(entries(), 0);
}
