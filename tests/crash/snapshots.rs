//! Snapshots when things end in the middle: a hook that is killed, a daemon that is killed, a disk that is full, and
//! several sessions at once. Nothing is half recorded, nothing is lost, nobody waits.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::real::{Place, Process, until};
use crate::common::small_disk::{SmallDisk, with_own_mounts};
use crate::families::snapshots::rig::git;

/// A user with a repository and a session in it.
fn project() -> (Place, Process) {
    let place = Place::new();
    git(&place.work(), &["init", "-q", "-b", "main"]);
    for n in 0..20 {
        fs::write(place.work().join(format!("f{n}.txt")), format!("start {n}\n")).unwrap();
    }
    git(&place.work(), &["add", "-A"]);
    git(&place.work(), &["commit", "-qm", "start"]);
    let shim = session(&place);
    (place, shim)
}

fn session(place: &Place) -> Process {
    let mut shim = place.shim();
    shim.initialize();
    shim
}

fn hook(work: &Path, phase: &str, session: &str, call: &str) -> Value {
    json!({"cwd": work, "phase": phase, "session": session, "host": "claude-code", "tool": "Bash", "call_id": call,
           "budget_ms": 60_000})
}

/// The answer to a request; notices in between are not it.
fn ask(shim: &mut Process, method: &str, params: &Value) -> Value {
    shim.send(&json!({"jsonrpc": "2.0", "id": "mine", "method": method, "params": params}));
    loop {
        let line = shim.reply();
        if line["id"] == "mine" {
            return line;
        }
    }
}

fn call(shim: &mut Process, tool: &str, args: Value) -> Value {
    let reply = ask(shim, "tools/call", &json!({"name": tool, "arguments": args}));
    reply["result"]["structuredContent"].clone()
}

fn ops(shim: &mut Process) -> Vec<Value> {
    call(shim, "history_list", json!({"limit": 200}))["operations"].as_array().cloned().unwrap_or_default()
}

fn files(work: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(work).unwrap().flatten().filter(|e| e.file_type().unwrap().is_file());
    entries.map(|e| (e.file_name().to_string_lossy().into_owned(), fs::read(e.path()).unwrap())).collect()
}

#[test]
fn a_daemon_killed_at_any_point_leaves_nothing_half_recorded() {
    let (place, mut shim) = project();
    let work = place.work();
    assert_eq!(call(&mut shim, "snap_take", json!({}))["snapshot"], "sn-1");
    let start = files(&work);
    for round in 0..6u64 {
        ask(&mut shim, "packd/snapshot", &hook(&work, "before", "s1", &format!("c{round}")));
        for n in 0..20 {
            fs::write(work.join(format!("f{n}.txt")), format!("round {round} of {n}\n")).unwrap();
        }
        shim.send(&json!({"jsonrpc": "2.0", "id": round, "method": "packd/snapshot",
                          "params": hook(&work, "after", "s1", &format!("c{round}"))}));
        // Each round a little later in the work.
        let begun = std::time::Instant::now();
        until("it is time", || begun.elapsed().as_micros() as u64 >= round * 4_000);
        place.kill_daemon();
        while shim.reply()["id"] != json!(round) {}
        drop(shim);
        shim = session(&place);
        // Whatever was not recorded is found by the next look.
        let taken = call(&mut shim, "snap_take", json!({}));
        assert!(taken["snapshot"].is_string(), "round {round}: {taken}");
        let quiet = call(&mut shim, "snap_take", json!({}));
        assert_eq!(
            (quiet["new"].as_bool(), quiet["changed"].as_u64()),
            (Some(false), Some(0)),
            "round {round}"
        );
        let recorded = ops(&mut shim);
        assert_eq!(recorded.len() as u64, round + 1, "one operation for one change: {recorded:?}");
        assert!(recorded.iter().all(|op| op.get("status").is_none_or(|s| s == "done")), "{recorded:?}");
    }
    let end = files(&work);
    let back = call(&mut shim, "snap_restore", json!({"snapshot": "sn-1", "yes": true}));
    assert_eq!(back["changed"], 20, "{back}");
    assert_eq!(files(&work), start);
    call(&mut shim, "history_undo", json!({"yes": true}));
    assert_eq!(files(&work), end);
}

#[test]
fn a_hook_that_is_gone_at_once_is_finished_by_the_daemon() {
    let (place, mut shim) = project();
    let work = place.work();
    call(&mut shim, "snap_take", json!({}));
    let leave = |phase: &str| {
        let mut link = place.session();
        let mut params = hook(&work, phase, "s1", "c1");
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        (params["at"], params["budget_ms"]) =
            (json!(now.as_micros() as i64), json!(if phase == "before" { 0 } else { 60_000 }));
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "packd/snapshot", "params": params});
        link.stream.write_all(format!("{request}\n").as_bytes()).unwrap();
        // The connection ends here, before any answer.
    };
    leave("before");
    fs::write(work.join("f0.txt"), "by the tool\n").unwrap();
    leave("after");
    until("the daemon recorded it", || !ops(&mut shim).is_empty());
    let op = ops(&mut shim).remove(0);
    assert_eq!(op["summary"], "Bash in claude-code changed f0.txt");
    // Half of a request, and what is no request at all.
    for bytes in [b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"packd/snap".as_slice(), b"\0\xff garbage\n"] {
        place.session().stream.write_all(bytes).unwrap();
    }
    call(&mut shim, "history_undo", json!({"yes": true}));
    assert_eq!(fs::read_to_string(work.join("f0.txt")).unwrap(), "start 0\n");
}

#[test]
fn several_sessions_at_once_lose_and_mix_nothing_silently() {
    let (place, mut shim) = project();
    let work = place.work();
    call(&mut shim, "snap_take", json!({}));
    std::thread::scope(|scope| {
        for who in 0..4 {
            let (place, work) = (&place, &work);
            scope.spawn(move || {
                let mut shim = session(place);
                for round in 0..5 {
                    let (name, id) = (format!("s{who}"), format!("{who}-{round}"));
                    ask(&mut shim, "packd/snapshot", &hook(work, "before", &name, &id));
                    fs::write(work.join(format!("new-{who}-{round}")), &id).unwrap();
                    ask(&mut shim, "packd/snapshot", &hook(work, "after", &name, &id));
                }
            });
        }
    });
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for op in ops(&mut shim) {
        let shown = call(&mut shim, "history_show", json!({"operation_id": op["operation_id"]}));
        let others = shown["data"]["shared_with"].as_array().cloned().unwrap_or_default();
        let mut owners = vec![shown["who"]["session"].clone()];
        owners.extend(others.iter().map(|doer| doer["session"].clone()));
        for effect in shown["effects"].as_array().unwrap() {
            let path = effect["path"].as_str().unwrap().rsplit('/').next().unwrap().to_string();
            let owner = format!("s{}", path.split('-').nth(1).unwrap());
            assert!(owners.contains(&json!(owner)), "{path} is {owner}'s, not {owners:?}'s");
            *seen.entry(path).or_default() += 1;
        }
    }
    assert_eq!(seen.len(), 20, "{seen:?}");
    // A file that another session's look met between its creation and its content is two changes, and no more.
    assert!(seen.values().all(|times| *times <= 2), "{seen:?}");
}

#[test]
fn a_full_disk_records_nothing_and_keeps_nobody_waiting() {
    with_own_mounts(
        "crash::snapshots::a_full_disk_records_nothing_and_keeps_nobody_waiting",
        on_a_small_disk,
    );
}

fn on_a_small_disk() {
    let (place, mut shim) = project();
    let work = place.work();
    let store = place.home().dir().join("snapshots");
    fs::create_dir_all(&store).unwrap();
    let Some(disk) = SmallDisk::over(&store, "400k") else { return };
    call(&mut shim, "snap_take", json!({}));
    ask(&mut shim, "packd/snapshot", &hook(&work, "before", "s1", "c1"));
    let mut noise = 1u64;
    let large: Vec<u8> = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (noise >> 56) as u8
    })
    .take(1 << 20)
    .collect();
    fs::write(work.join("f0.txt"), &large).unwrap();
    fs::write(work.join("f1.txt"), "small\n").unwrap();
    let refused = ask(&mut shim, "packd/snapshot", &hook(&work, "after", "s1", "c1"));
    assert!(refused["error"]["message"].as_str().unwrap_or_default().contains("Cannot write"), "{refused}");
    assert!(ops(&mut shim).is_empty(), "nothing is half recorded");
    shim.ping(99);
    disk.resize("16m");
    let done = ask(&mut shim, "packd/snapshot", &hook(&work, "after", "s1", "c1"));
    assert_eq!(done["result"]["changed"], 2, "{done}");
    call(&mut shim, "history_undo", json!({"yes": true}));
    assert_eq!(fs::read_to_string(work.join("f0.txt")).unwrap(), "start 0\n");
    assert_eq!(fs::read_to_string(work.join("f1.txt")).unwrap(), "start 1\n");
}
