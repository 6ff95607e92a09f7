//! A disk that is full, read-only or broken: each failure is an error of the call that met it, what was
//! acknowledged is there afterwards, what was refused is not, and the daemon goes on.

use std::io::ErrorKind;

use packd::core::Reply;
use packd::store::Store;
use serde_json::json;

use crate::common::backend::{Faulty, Plan, Recorder};
use crate::common::engine::{TestEngine, options};
#[cfg(target_os = "linux")]
use crate::common::real::{Place, Ran};
#[cfg(target_os = "linux")]
use crate::common::small_disk::{SmallDisk, with_own_mounts};
use crate::common::words::{Words, replay, table, texts, tools};

const NEVER: Plan = Plan { at: usize::MAX, times: 0, kind: ErrorKind::Other };

fn engine_over(make: impl Fn() -> Faulty + Send + Sync + 'static) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = Store::with_backends(make, options.catalog()).unwrap();
    TestEngine::start(store, options, clock)
}

fn reopened(bytes: Vec<u8>) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = Store::with_backend(Recorder::holding(bytes), options.catalog()).unwrap();
    TestEngine::start(store, options, clock)
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

/// Runs the workload with one plan; what was told must be what is found, with and without a power loss.
/// Returns how many calls of the storage there were, and whether anything was refused or left open.
fn try_plan(plan: Plan) -> (usize, bool) {
    let disk = Faulty::new(NEVER);
    let again = disk.clone();
    let t = engine_over(move || again.clone());
    let s = t.session("s", "/w");
    // Whatever belongs to starting is over before the counting begins.
    t.ok(&s, "words_set", json!({"name": "first", "text": "x"}));
    disk.begin(plan);
    let mut said = Vec::new();
    for n in 0..WRITES {
        let reply = t.call(&s, "words_set", json!({"name": format!("w{n}"), "text": "x".repeat(n * 700)}));
        if reply.is_error {
            assert!(!reply.text.contains("defect"), "{plan:?}: {}", reply.text);
        }
        said.push(told(&reply));
    }
    let calls = disk.calls();
    // The fault is over: the same process writes again.
    disk.begin(NEVER);
    t.ok(&s, "words_set", json!({"name": "last", "text": "x"}));
    drop(s);
    drop(t);
    for (how, bytes) in [("as it was left", disk.cache()), ("after a power loss", disk.disk())] {
        let t = reopened(bytes);
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

#[test]
fn whichever_call_of_the_storage_fails_the_outcome_is_known() {
    let (calls, trouble) = try_plan(NEVER);
    assert!(!trouble && calls > 60, "{calls} calls");
    let mut troubles = 0;
    for at in 0..calls {
        let kind = [ErrorKind::StorageFull, ErrorKind::Other, ErrorKind::ReadOnlyFilesystem][at % 3];
        troubles += usize::from(try_plan(Plan { at, times: 1, kind }).1);
    }
    assert!(troubles > calls / 3, "of {calls} failing calls only {troubles} were noticed");
}

#[test]
fn a_disk_that_stays_broken_for_a_while_is_survived() {
    let (calls, _) = try_plan(NEVER);
    for at in (0..calls).step_by(5) {
        for times in [3, 40] {
            try_plan(Plan { at, times, kind: ErrorKind::StorageFull });
        }
    }
}

#[test]
fn a_full_disk_has_a_name_of_its_own_and_reading_goes_on() {
    let disk = Faulty::new(NEVER);
    let again = disk.clone();
    let t = engine_over(move || again.clone());
    let s = t.session("s", "/w");
    let pack = |title: &str| json!({"action": "create", "ttl_minutes": 60, "title": title});
    t.ok(&s, "input", pack("Kept"));
    disk.begin(Plan { at: 0, times: 1, kind: ErrorKind::StorageFull });
    let error = t.err(&s, "input", pack("Refused"));
    assert_eq!(
        (error["code"].as_str(), error["kind"].as_str()),
        (Some("no_space"), Some("io_error")),
        "{error}"
    );
    assert!(error["message"].as_str().unwrap().contains("Nothing was stored"), "{error}");
    assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 1);
    disk.begin(NEVER);
    t.ok(&s, "input", pack("After"));
    assert_eq!(t.ok(&s, "input", json!({"action": "list"}))["payload"]["total"], 2);
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
