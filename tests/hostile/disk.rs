//! A disk that is full, read-only or broken: each failure is an error of the call that met it, what was
//! acknowledged is there afterwards, what was refused is not, and the daemon goes on.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use packd::core::Reply;
use serde_json::json;

use crate::common::backend::{Disk, Faulty, Of, Plan, Recorder};
use crate::common::engine::{TestEngine, options};
#[cfg(target_os = "linux")]
use crate::common::real::{Place, Ran};
#[cfg(target_os = "linux")]
use crate::common::small_disk::{SmallDisk, with_own_mounts};
use crate::common::words::{Words, replay, table, texts, tools};

const NEVER: Plan = Plan { at: usize::MAX, times: 0, kind: ErrorKind::Other, of: Of::Database };

/// An engine on a disk, and whether it was told to end.
fn engine_over(disk: &impl Disk) -> (TestEngine, Arc<AtomicBool>) {
    let ended = Arc::new(AtomicBool::new(false));
    let told = ended.clone();
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
        o.on_fatal = Box::new(move |_| told.store(true, Ordering::SeqCst));
    });
    let store = disk.store(options.catalog()).unwrap();
    (TestEngine::start(store, options, clock), ended)
}

#[derive(PartialEq)]
enum Told {
    Stored,
    Refused,
    Unknown,
}

fn told(reply: &Reply) -> Told {
    match reply.is_error {
        false => Told::Stored,
        true if reply.text.contains("not known whether") => Told::Unknown,
        true => Told::Refused,
    }
}

const WRITES: usize = 8;

/// Runs the workload with one plan; what was told must be what is found, with and without a power loss. Where the
/// daemon is told to end, the next one goes on.
/// Returns how many calls of that kind there were, and whether anything was refused or left open.
fn try_plan(plan: Plan) -> (usize, bool) {
    let disk = Faulty::new(NEVER);
    let (mut t, mut ended) = engine_over(&disk);
    let mut s = t.session("s", "/w");
    // Whatever belongs to starting is over before the counting begins.
    t.ok(&s, "words_set", json!({"name": "first", "text": "x"}));
    t.engine.store().checkpoint().unwrap();
    disk.begin(plan);
    let mut said = Vec::new();
    for n in 0..WRITES {
        let reply = t.call(&s, "words_set", json!({"name": format!("w{n}"), "text": "x".repeat(n * 700)}));
        if reply.is_error {
            assert!(!reply.text.contains("defect"), "{plan:?}: {}", reply.text);
        }
        said.push(told(&reply));
        if said.last() == Some(&Told::Unknown) {
            assert_eq!(plan.of, Of::SlotSyncs, "{plan:?}: {}", reply.text);
            t.engine.stop();
            assert!(ended.load(Ordering::SeqCst), "{plan:?}: the daemon was not told to end");
            drop((s, t));
            (t, ended) = engine_over(&disk);
            s = t.session("s", "/w");
        }
        if n % 3 == 2 {
            // What fails here is tried again by the next write.
            let _ = t.engine.store().checkpoint();
        }
    }
    let calls = disk.calls();
    // The fault is over: the same process writes again.
    disk.begin(NEVER);
    t.ok(&s, "words_set", json!({"name": "last", "text": "x"}));
    let (running, halted) = (disk.cache(), disk.disk());
    drop((s, t));
    for (how, image) in [
        ("as a kill leaves it", running),
        ("as a power loss leaves it", halted),
        ("as it was left", disk.cache()),
        ("after a power loss at the end", disk.disk()),
    ] {
        let (t, _) = engine_over(&Recorder::holding(image));
        let found = texts(&t);
        for (n, told) in said.iter().enumerate() {
            let there = found.contains_key(&format!("w{n}"));
            assert!(*told != Told::Stored || there, "{plan:?}: write {n} was acknowledged and is gone {how}");
            assert!(*told != Told::Refused || !there, "{plan:?}: write {n} was refused and is there {how}");
        }
        assert!(found.contains_key("first") && found.contains_key("last"), "{plan:?} {how}");
        assert_eq!(replay(&t), table(&t), "{plan:?}: rows and log disagree {how}");
    }
    (calls, said.iter().any(|told| *told != Told::Stored))
}

const KINDS: [ErrorKind; 3] = [ErrorKind::StorageFull, ErrorKind::Other, ErrorKind::ReadOnlyFilesystem];

fn each_fails_once(of: Of, least: usize) -> usize {
    let (calls, trouble) = try_plan(Plan { of, ..NEVER });
    assert!(!trouble && calls >= least, "{calls} calls");
    let fails = |at: usize| try_plan(Plan { at, times: 1, kind: KINDS[at % 3], of }).1;
    (0..calls).filter(|at| fails(*at)).count()
}

#[test]
fn whichever_write_of_the_journal_fails_its_batch_is_refused_and_the_next_is_stored() {
    assert!(each_fails_once(Of::Slots, WRITES) >= WRITES);
}

#[test]
fn whichever_sync_of_the_journal_fails_the_outcome_is_unknown_and_the_daemon_ends() {
    assert_eq!(each_fails_once(Of::SlotSyncs, WRITES), WRITES);
}

/// A checkpoint that fails loses nothing: the journal has it.
#[test]
fn whichever_call_of_the_database_fails_what_was_acknowledged_is_there() {
    each_fails_once(Of::Database, 20);
}

#[test]
fn a_disk_that_stays_broken_for_a_while_is_survived() {
    for of in [Of::Database, Of::Slots] {
        let (calls, _) = try_plan(Plan { of, ..NEVER });
        for at in (0..calls).step_by(5) {
            for times in [3, 40] {
                try_plan(Plan { at, times, kind: ErrorKind::StorageFull, of });
            }
        }
    }
}

#[test]
fn a_full_disk_has_a_name_of_its_own_and_reading_goes_on() {
    let disk = Faulty::new(NEVER);
    let (t, ended) = engine_over(&disk);
    let s = t.session("s", "/w");
    let pack = |title: &str| json!({"action": "create", "ttl_minutes": 60, "title": title});
    t.ok(&s, "input", pack("Kept"));
    for (of, title) in [(Of::DatabasePages, "Refused by the database"), (Of::Slots, "Refused by the journal")]
    {
        disk.begin(Plan { at: 0, times: usize::MAX, kind: ErrorKind::StorageFull, of });
        let _ = t.engine.store().checkpoint();
        let error = t.err(&s, "input", pack(title));
        assert_eq!(
            (error["code"].as_str(), error["kind"].as_str()),
            (Some("no_space"), Some("io_error")),
            "{error}"
        );
        assert!(error["message"].as_str().unwrap().contains("Nothing was stored"), "{error}");
        assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 1, "it can be read");
        disk.begin(NEVER);
    }
    t.ok(&s, "input", pack("After"));
    assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 2);
    assert!(!ended.load(Ordering::SeqCst));
}

/// A user whose packd lives on a disk of this size. Bound in this order, the disk goes before its directory does.
#[cfg(target_os = "linux")]
fn small_home(size: &str) -> Option<(Place, SmallDisk)> {
    let place = Place::new();
    place.home().prepare().unwrap();
    SmallDisk::over(place.home().dir(), size).map(|disk| (place, disk))
}

#[cfg(target_os = "linux")]
fn fill(file: &std::path::Path) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    while file.write_all(&[7; 4096]).is_ok() {}
}

#[cfg(target_os = "linux")]
fn create(place: &Place, title: &str) -> Ran {
    let args = json!({"action": "create", "ttl_minutes": 60, "title": title, "brief": "b".repeat(2000)});
    place.packd(&["call", "input", &args.to_string()])
}

#[cfg(target_os = "linux")]
#[test]
fn a_daemon_on_a_full_disk_lives_and_writes_again_when_there_is_room() {
    with_own_mounts(
        "hostile::disk::a_daemon_on_a_full_disk_lives_and_writes_again_when_there_is_room",
        || {
            let Some((place, _disk)) = small_home("6m") else { return };
            create(&place, "Kept").ok();
            let pid = place.daemon_pid().unwrap();
            let filler = place.home().dir().join("filler");
            fill(&filler);
            // Inside the file there may be room for some more.
            let refused =
                (0..400).map(|n| create(&place, &format!("More {n}"))).find(|ran| ran.code != Some(0));
            let refused = refused.expect("the disk never became full");
            let said = format!("{}{}", refused.stdout, refused.stderr);
            assert!(said.contains("no_space") && said.contains("Nothing was stored"), "{said}");
            let titles = |place: &Place| place.packd(&["pack", "list", "--limit", "500", "--json"]).json();
            let before = titles(&place)["packs"].as_array().unwrap().len();
            assert_eq!(create(&place, "Again").code, Some(1), "it is still full");
            assert_eq!(titles(&place)["packs"].as_array().unwrap().len(), before, "and can be read");
            std::fs::remove_file(&filler).unwrap();
            create(&place, "After").ok();
            assert_eq!(titles(&place)["packs"].as_array().unwrap().len(), before + 1);
            assert_eq!(place.daemon_pid(), Some(pid), "the daemon went on all the time");
            place.packd(&["stop"]).ok();
        },
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_first_start_on_a_full_disk_leaves_nothing_behind() {
    with_own_mounts("hostile::disk::a_first_start_on_a_full_disk_leaves_nothing_behind", || {
        let Some((place, disk)) = small_home("200k") else { return };
        let filler = place.home().dir().join("filler");
        fill(&filler);
        let said = create(&place, "First").failed(3);
        assert!(said.contains("room"), "{said}");
        let left = || {
            let names = std::fs::read_dir(place.home().dir()).unwrap();
            names.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(left(), ["filler"]);
        std::fs::remove_file(&filler).unwrap();
        disk.resize("16m");
        create(&place, "First").ok();
        place.packd(&["stop"]).ok();
    });
}
