//! A deploy that is stopped after its k-th file, for every k: at the next start it is finished or taken back,
//! manifests agree with the disk, the log says what happened, and nothing temporary is left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use packd::core::op::Stream;
use packd::core::view::{LogQuery, LogView};
use packd::core::{Op, Sha};
use packd::engine::{Activity, Session};
use packd::store::Store;
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, options};
#[cfg(target_os = "linux")]
use crate::common::small_disk::{SmallDisk, with_own_mounts};
use crate::families::deploy::rig::{SMALL, YAML, disk, fill, info, repo, write};

/// Engines over one database file, one after another.
struct Site {
    dir: tempfile::TempDir,
    root: PathBuf,
}

const NEVER: usize = usize::MAX;

impl Site {
    fn new(yaml: &str) -> Site {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("site");
        fill(&root, yaml);
        let root = root.canonicalize().unwrap();
        Site { dir, root }
    }

    /// Starts the daemon's engine; it stops dead once so many files are written.
    fn start(&self, stop_at: usize) -> (TestEngine, Arc<Session>) {
        let left = AtomicUsize::new(stop_at);
        let (options, clock) = options(|o| {
            // Counting ids would begin anew with every start.
            o.ids = Arc::new(packd::engine::clock::RandomIds);
            // No images are kept for undo: what snapshots need must stay all the same.
            o.retention = packd::store::Retention { days: 0, megabytes: 0, undo_range: 1 };
            o.after_effect = Box::new(move |done| {
                if done == left.load(Ordering::SeqCst) {
                    left.store(NEVER, Ordering::SeqCst);
                    // Unwinds past everything that would put things in order.
                    std::panic::resume_unwind(Box::new("stopped"));
                }
            });
        });
        let store =
            crate::common::engine::open(&self.dir.path().join("packd.redb"), || options.catalog()).unwrap();
        let t = TestEngine::start(store, options, clock);
        let s = t.open(info(&self.root));
        (t, s)
    }

    fn disk(&self) -> BTreeMap<String, (Vec<u8>, u32)> {
        disk(&self.root)
    }
}

fn token(t: &TestEngine, s: &Arc<Session>) -> Value {
    t.ok(s, "deploy", json!({}))["data"]["confirm_token"].clone()
}

fn apply(t: &TestEngine, s: &Arc<Session>, token: &Value) -> bool {
    !t.call(s, "deploy_apply", json!({"yes": true, "adopt": true, "confirm_token": token})).is_error
}

fn ops(t: &TestEngine) -> Vec<Op> {
    let snapshot = t.engine.store().read().unwrap();
    let query = LogQuery { include_undone: true, limit: 100, stream: Stream::Ops, ..LogQuery::default() };
    snapshot.view().ops(&query).unwrap().ops
}

/// Every file a manifest lists is there with the listed hash, and nothing temporary is anywhere.
fn manifests_agree(root: &Path) {
    let files = disk(root);
    for (path, (bytes, _)) in &files {
        assert!(!path.contains(".packd-tmp-"), "{path} is left over");
        if path.contains(".agentpack.manifest") {
            let manifest: Value = serde_json::from_slice(bytes).unwrap();
            let dir = Path::new(path).parent().unwrap();
            for file in manifest["managed_files"].as_array().unwrap() {
                let name = dir.join(file["path"].as_str().unwrap()).display().to_string();
                let have = files.get(&name).map(|(bytes, _)| Sha::of(bytes).0);
                assert_eq!(have.as_deref(), file["sha256"].as_str(), "{name}");
            }
        }
    }
}

fn change_modules(root: &Path) {
    write(&repo(root).join("modules/base/AGENTS.md"), "changed\n");
    write(&repo(root).join("modules/tool/more.md"), "more\n");
    std::fs::remove_file(repo(root).join("modules/tool/run.sh")).unwrap();
}

#[test]
fn stopped_after_any_file_a_deploy_is_finished_at_the_next_start() {
    let mut done_once = false;
    for k in 0.. {
        let site = Site::new(SMALL);
        write(&site.root.join("project/AGENTS.md"), "mine\n");
        let (t, s) = site.start(NEVER);
        assert!(apply(&t, &s, &token(&t, &s)));
        drop((t, s));
        change_modules(&site.root);
        let before = site.disk();
        let (t, s) = site.start(k);
        let finished = apply(&t, &s, &token(&t, &s));
        let half = site.disk();
        if !finished {
            assert_eq!(ops(&t).last().unwrap().status, packd::core::OpStatus::Pending);
        }
        drop((t, s));
        // What a real kill may leave beside the files.
        write(&site.root.join("project/.packd-tmp-left"), "half");
        let (t, s) = site.start(NEVER);
        if finished {
            // Stopped nowhere: k is beyond the last file.
            std::fs::remove_file(site.root.join("project/.packd-tmp-left")).unwrap();
            assert!(k > 3, "{k}");
            done_once = true;
            break;
        }
        manifests_agree(&site.root);
        let op = ops(&t).pop().unwrap();
        assert_eq!(op.status, packd::core::OpStatus::Done, "k = {k}");
        assert_eq!(t.ok(&s, "plan", json!({}))["data"]["changes"], json!([]), "everything is wholly new");
        assert_ne!(site.disk(), before);
        t.ok(&s, "history_undo", json!({"yes": true}));
        assert_eq!(
            site.disk(),
            before,
            "k = {k}: undo after recovery is exact; half-way it was {:?}",
            half.keys()
        );
    }
    assert!(done_once);
}

/// While the daemon was down somebody edited a file that was still to be written.
#[test]
fn what_somebody_changed_meanwhile_is_left_alone_and_reported() {
    let site = Site::new(SMALL);
    let (t, s) = site.start(1);
    assert!(!apply(&t, &s, &token(&t, &s)));
    drop((t, s));
    write(&site.root.join("project/AGENTS.md"), "theirs\n");
    let (t, s) = site.start(NEVER);
    let files = site.disk();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["project/AGENTS.md"], "what was written is taken back");
    assert_eq!(files["project/AGENTS.md"].0, b"theirs\n");
    let log = ops(&t);
    assert_eq!(log[0].status, packd::core::OpStatus::NeedsAttention);
    assert!(log[0].data.to_string().contains("AGENTS.md"), "{}", log[0].data);
    assert_eq!(t.ok(&s, "deploy_snapshots", json!({}))["data"]["total"], 0, "rows agree with the disk");
    assert!(apply(&t, &s, &token(&t, &s)), "the next deploy works");
    // However much is done afterwards, whoever looks after such things finds it.
    let seen = t.block_on(t.engine.activity(Activity::default(), None)).unwrap();
    for n in 0..3 {
        t.ok(&s, "tasks_create", json!({"kind": "plan", "title": format!("Plan {n}")}));
    }
    let later = t.block_on(t.engine.activity(seen, None)).unwrap();
    assert_eq!(later.unfinished, [log[0].id.clone()]);
}

#[test]
fn a_failure_half_way_rolls_back_files_and_rows() {
    let site = Site::new(YAML);
    write(&site.root.join("project/AGENTS.md"), "mine\n");
    let (options, clock) = options(|o| {
        let (victim, away) = (site.root.join("project/.github"), site.root.join("away"));
        o.after_effect = Box::new(move |done| {
            // A directory that no longer is one: somebody moved it and took its name.
            if done == 5 {
                std::fs::rename(&victim, &away).unwrap();
                write(&victim, "in the way");
            }
        });
    });
    let t = TestEngine::start(Store::in_memory(options.catalog()).unwrap(), options, clock);
    let s = t.open(info(&site.root));
    let before = site.disk();
    let token = token(&t, &s);
    let reply = t.call(&s, "deploy_apply", json!({"yes": true, "adopt": true, "confirm_token": token}));
    let error = reply.structured.unwrap()["errors"][0].clone();
    assert_eq!(error["code"], "E_IO_FAILED", "{error}");
    assert!(error["details"]["path"].as_str().unwrap().contains(".github"), "{error}");
    std::fs::remove_file(site.root.join("project/.github")).unwrap();
    assert_eq!(site.disk(), before, "nothing is left, not even in the directory that was moved");
    assert_eq!(ops(&t)[0].status, packd::core::OpStatus::Undone, "{}", ops(&t)[0].data);
    assert_eq!(t.ok(&s, "deploy_snapshots", json!({}))["data"]["total"], 0);
    assert_eq!(t.err(&s, "history_undo", json!({"yes": true}))["code"], "nothing_to_undo");
}

/// A home that cannot be written used to leave the files of the targets before it in place.
#[test]
#[cfg(target_os = "linux")]
fn a_permission_error_half_way_rolls_back() {
    // Not even root may create files there.
    let yaml = YAML.replace(
        "codex: {mode: files, scope: both}",
        "codex: {mode: files, scope: user, options: {codex_home: /sys}}",
    );
    let site = Site::new(&yaml);
    let (t, s) = site.start(NEVER);
    let token = token(&t, &s);
    let reply = t.call(&s, "deploy_apply", json!({"yes": true, "confirm_token": token}));
    let error = reply.structured.unwrap()["errors"][0].clone();
    assert_eq!(error["code"], "E_IO_PERMISSION_DENIED", "{error}");
    assert_eq!(error["details"]["reason_code"], "io_permission_denied");
    assert!(error["details"]["path_posix"].as_str().unwrap().starts_with("/sys/"), "{error}");
    assert!(site.disk().is_empty(), "{:?}", site.disk().keys());
    assert_eq!(ops(&t)[0].status, packd::core::OpStatus::Undone);
}

/// A disk that is really full: a small one is mounted over the project, in a name space nobody else sees.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_half_way_rolls_back() {
    with_own_mounts("crash_deploy::a_full_disk_half_way_rolls_back", deploy_to_a_small_disk);
}

#[cfg(target_os = "linux")]
fn deploy_to_a_small_disk() {
    let site = Site::new(SMALL);
    let project = site.root.join("project");
    let Some(disk) = SmallDisk::over(&project, "400k") else { return };
    // The first group of files fits, the second does not.
    for n in 0..120 {
        write(&repo(&site.root).join(format!("modules/tool/f{n:03}.md")), format!("{n}").repeat(1000));
    }
    write(&project.join("AGENTS.md"), "mine\n");
    let (t, s) = site.start(NEVER);
    let before = site.disk();
    let reviewed = token(&t, &s);
    let reply = t.call(&s, "deploy_apply", json!({"yes": true, "adopt": true, "confirm_token": reviewed}));
    let error = reply.structured.unwrap()["errors"][0].clone();
    assert_eq!(error["code"], "E_IO_NO_SPACE", "{error}");
    assert_eq!(error["details"]["reason_code"], "io_no_space");
    assert_eq!(error["details"]["next_calls"][0]["tool"], "deploy", "the token is used up: {error}");
    assert_eq!(site.disk(), before, "every byte is as it was");
    assert!(!project.join(".codex").exists(), "and no directory is left");
    assert_eq!(ops(&t)[0].status, packd::core::OpStatus::Undone);
    assert_eq!(t.ok(&s, "deploy_snapshots", json!({}))["data"]["total"], 0);
    disk.resize("4m");
    assert!(apply(&t, &s, &token(&t, &s)));
    assert_eq!(t.ok(&s, "status", json!({}))["data"]["drift"], json!([]));
}

#[test]
fn a_reviewed_plan_survives_a_restart() {
    let site = Site::new(SMALL);
    let (t, s) = site.start(NEVER);
    let token = token(&t, &s);
    drop((t, s));
    let (t, s) = site.start(NEVER);
    assert!(apply(&t, &s, &token));
    drop((t, s));
    let (t, s) = site.start(NEVER);
    assert!(!apply(&t, &s, &token), "and is still used up after another");
}

fn thousand(root: &Path) {
    for n in 0..1000 {
        let text = format!("file {n}\n{}\n", "some words to fill the file ".repeat(70));
        write(&repo(root).join(format!("modules/tool/part{:02}/f{n:04}.md", n % 20)), text);
    }
}

#[test]
fn a_thousand_files_over_several_roots_survive_being_stopped_anywhere() {
    for k in [1, 500, 1004] {
        let site = Site::new(SMALL);
        thousand(&site.root);
        let (t, s) = site.start(k);
        assert!(!apply(&t, &s, &token(&t, &s)), "k = {k}");
        drop((t, s));
        let (t, s) = site.start(NEVER);
        manifests_agree(&site.root);
        assert_eq!(t.ok(&s, "status", json!({}))["data"]["drift"], json!([]), "k = {k}");
        assert_eq!(t.ok(&s, "plan", json!({}))["data"]["changes"], json!([]), "k = {k}");
    }
}

#[test]
fn ten_deploys_that_change_one_file_of_a_thousand_grow_the_store_by_little() {
    let site = Site::new(SMALL);
    thousand(&site.root);
    let (t, s) = site.start(NEVER);
    assert!(apply(&t, &s, &token(&t, &s)));
    let bytes = |t: &TestEngine| t.engine.store().read().unwrap().sizes().unwrap().blob_bytes;
    let first = bytes(&t);
    for n in 0..10 {
        t.clock.advance(1);
        write(
            &repo(&site.root).join("modules/tool/part00/f0000.md"),
            format!("version {n}\n{}", "x".repeat(2000)),
        );
        assert!(apply(&t, &s, &token(&t, &s)));
    }
    let each = (bytes(&t) - first) / 10;
    assert!(each < 20_000, "each deploy took {each} bytes; all files together are {first}");
    // Reviewed plans keep contents, too, until they are forgotten.
    t.clock.advance(2000);
    t.block_on(t.engine.sweep()).unwrap();
    let dropped = t.block_on(t.engine.collect_garbage()).unwrap();
    let snapshot = t.engine.store().read().unwrap();
    assert_eq!(snapshot.tallied().unwrap(), Some(snapshot.sizes().unwrap()), "counts are kept, not guessed");
    drop(snapshot);
    assert!(dropped.images > 5, "{dropped:?}");
    let oldest = t.ok(&s, "deploy_snapshots", json!({}))["data"]["snapshots"][10]["snapshot_id"].clone();
    let done = t.ok(&s, "rollback", json!({"to": oldest, "yes": true}));
    assert_eq!(
        done["data"]["summary"],
        json!({"create": 0, "update": 1, "delete": 0}),
        "collection kept what snapshots need"
    );
}
