//! Pages of a real database are zeroed and flipped: damage is named with its table and its remedy, a repair keeps
//! everything that can be read, and nothing of it is called a defect or passes as sound.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use packd::core::Timestamp;
use packd::store::{repair, survey};
use serde_json::json;

use crate::common::engine::{TestEngine, options};
use crate::common::real::Place;
use crate::common::words::{Words, set, texts, tools};

const PAGE: u64 = 4096;

fn now() -> Timestamp {
    Timestamp::parse("2026-01-02T03:04:05Z").unwrap()
}

fn engine_options() -> (packd::engine::Options, std::sync::Arc<packd::engine::clock::FixedClock>) {
    options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    })
}

fn open(path: &Path) -> packd::core::Result<TestEngine> {
    let (options, clock) = engine_options();
    let store = crate::common::engine::open(path, || options.catalog())?;
    Ok(TestEngine::start(store, options, clock))
}

/// A database with enough in it for trees of two levels, closed in an orderly way.
fn sample(dir: &Path) -> PathBuf {
    let path = dir.join("sample.redb");
    let t = open(&path).unwrap();
    let s = t.session("s", "/w");
    for n in 0..60 {
        set(&t, &s, &format!("word{n:03}"), &format!("text {n} {}", "x".repeat(n * 7)));
    }
    for n in 0..10 {
        t.ok(&s, "input", json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n}")}));
    }
    t.ok(&s, "history_undo", json!({}));
    t.engine.stop();
    path
}

/// What a hurt copy is called, how it is hurt.
fn hurt(sample: &Path, copy: &Path, page: u64, how: &str) {
    fs::copy(sample, copy).unwrap();
    let file = fs::OpenOptions::new().read(true).write(true).open(copy).unwrap();
    let mut bytes = vec![0; PAGE as usize];
    file.read_exact_at(&mut bytes, page * PAGE).unwrap();
    match how {
        "zero" => bytes.fill(0),
        "garbage" => bytes.iter_mut().enumerate().for_each(|(i, b)| *b = (i as u64 * 167 + page * 31) as u8),
        _ => {
            for at in [5, 40, 1000, 3000] {
                bytes[at] ^= 0x55;
            }
        }
    }
    file.write_all_at(&bytes, page * PAGE).unwrap();
}

fn in_use(sample: &Path) -> Vec<u64> {
    let bytes = fs::read(sample).unwrap();
    let used = |page: &[u8]| page.iter().any(|b| *b != 0);
    (0..bytes.len() as u64 / PAGE).filter(|n| used(&bytes[(n * PAGE) as usize..][..PAGE as usize])).collect()
}

#[test]
fn a_sound_database_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = sample(dir.path());
    let catalog = engine_options().0.catalog();
    assert_eq!(survey(&path, &catalog).unwrap(), Vec::<String>::new());
    let done = repair(&path, &catalog, now()).unwrap();
    assert!(done.damage.is_empty() && done.kept.is_none(), "{done:?}");
    assert_eq!(texts(&open(&path).unwrap()).len(), 60);
    let names = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(names, 1, "nothing was left beside it");
}

/// Whatever page is hurt: the repaired database has every row whose image is kept, and says what it lost.
#[test]
fn whichever_page_is_hurt_the_rows_come_back_from_their_pages_or_from_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let path = sample(dir.path());
    let whole = texts(&open(&path).unwrap());
    let catalog = engine_options().0.catalog();
    let pages = in_use(&path);
    assert!(pages.len() > 30, "{} pages", pages.len());
    let (mut damaged, mut restored) = (0, 0);
    for (i, page) in pages.into_iter().enumerate() {
        let how = ["zero", "garbage", "flip"][i % 3];
        let copy = dir.path().join(format!("hurt-{page}"));
        hurt(&path, &copy, page, how);
        let bytes = fs::read(&copy).unwrap();
        let named = survey(&copy, &catalog);
        // The survey may let redb mend its own list of free pages; the rest of the test begins with the damage.
        fs::write(&copy, &bytes).unwrap();
        let done = match repair(&copy, &catalog, now()) {
            Ok(done) => done,
            Err(e) => {
                assert_eq!(page, 0, "page {page} {how}: {e}");
                continue;
            }
        };
        if done.damage.is_empty() {
            // A page that no tree leads to: nothing to repair, and nothing may be missing.
            assert_eq!(named.unwrap(), Vec::<String>::new(), "page {page} {how}");
            assert_eq!(texts(&open(&copy).unwrap()), whole, "page {page} {how}");
            continue;
        }
        damaged += 1;
        restored += done.restored.len();
        assert!(named.is_err() || !named.unwrap().is_empty(), "page {page} {how} passed as sound");
        assert_eq!(
            fs::read(done.kept.as_ref().unwrap()).unwrap(),
            bytes,
            "page {page} {how}: not kept as it was"
        );
        let t = open(&copy).unwrap_or_else(|e| panic!("page {page} {how}: {e}"));
        let found = texts(&t);
        let lost: Vec<_> = done.lost.iter().filter(|item| item.table == "words").collect();
        let missing = whole.keys().filter(|key| found.get(*key) != whole.get(*key)).count();
        assert!(missing == 0 || !lost.is_empty(), "page {page} {how}: {missing} rows are gone, {done:?}");
        let s = t.session("s", "/w");
        set(&t, &s, "new", "written after the repair");
        let listed = t.ok(&s, "history_list", json!({"limit": 5}));
        assert!(!listed["operations"].as_array().unwrap().is_empty());
        t.engine.stop();
        drop((s, t));
        assert_eq!(survey(&copy, &catalog).unwrap(), Vec::<String>::new(), "page {page} {how}");
        fs::remove_file(&copy).unwrap();
        fs::remove_file(done.kept.unwrap()).unwrap();
    }
    assert!(damaged > 15, "only {damaged} pages mattered");
    assert!(restored > 0, "no row was ever taken from the log");
}

/// Served as it is, a damaged database gives errors that say so.
#[test]
fn no_garbage_page_is_called_a_defect() {
    let dir = tempfile::tempdir().unwrap();
    let path = sample(dir.path());
    let mut named = BTreeMap::new();
    for (i, page) in in_use(&path).into_iter().enumerate() {
        let how = ["zero", "garbage", "flip"][i % 3];
        let copy = dir.path().join(format!("hurt-{page}"));
        hurt(&path, &copy, page, how);
        let t = match open(&copy) {
            Ok(t) => t,
            Err(e) => {
                assert!(["damaged", "io_error"].contains(&e.code.as_str()), "page {page} {how}: {e:?}");
                assert!(e.hint.is_some(), "page {page} {how}: {e:?}");
                continue;
            }
        };
        let s = t.session("s", "/w");
        let mut say = |what: &str, text: &str| {
            assert!(!text.contains("defect"), "page {page} {how}, {what}: {text}");
            if text.contains("is damaged") {
                assert!(text.contains("packd repair"), "page {page} {how}, {what}: {text}");
                *named.entry(what.to_string()).or_insert(0) += 1;
            }
        };
        for (tool, args) in [
            ("input", json!({"action": "list"})),
            ("history_list", json!({"limit": 100})),
            ("words_set", json!({"name": "word030", "text": "new"})),
            ("words_many", json!({"names": ["word000", "word059", "other"], "text": "new"})),
            ("history_undo", json!({})),
        ] {
            let reply = t.call(&s, tool, args);
            if reply.is_error {
                say(tool, &format!("{} {}", reply.text, reply.structured.unwrap_or_default()));
            }
        }
        match t.block_on(t.engine.admin(&s, "packd/doctor", &json!({}))) {
            Ok(answer) => say("doctor", &format!("{answer} packd repair")),
            Err(e) => say("doctor", &e.to_string()),
        }
        t.engine.stop();
        drop((s, t));
        fs::remove_file(&copy).unwrap();
    }
    assert!(named.len() >= 3, "damage was met in {named:?} only");
}

/// What doctor says of the database, in its one document.
fn database_line(stdout: &str) -> serde_json::Value {
    let checks: serde_json::Value = serde_json::from_str(stdout).unwrap();
    checks["checks"].as_array().unwrap().iter().find(|c| c["check"] == "database").cloned().unwrap()
}

#[test]
fn doctor_names_the_table_and_repair_mends_it() {
    let place = Place::new();
    for n in 0..12 {
        let args = json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n}")}).to_string();
        place.packd(&["call", "input", &args]).ok();
    }
    assert!(place.packd(&["repair"]).ok().contains("nothing to repair"), "the daemon was stopped for it");
    assert!(place.daemon_pid().is_none());
    let database = place.home().database();
    let bytes = fs::read(&database).unwrap();
    // A leaf of the packs: the titles stand in it.
    let at = bytes.windows(6).position(|w| w == b"Pack 7").unwrap() as u64 / PAGE;
    hurt(&database.clone(), &place.path().join("hurt"), at, "flip");
    fs::copy(place.path().join("hurt"), &database).unwrap();
    let damaged = fs::read(&database).unwrap();

    let said = place.packd(&["doctor", "--json"]);
    assert_eq!(said.code, Some(1));
    let line = database_line(&said.stdout);
    assert_eq!(line["verdict"], "fail", "{line}");
    assert!(line["found"].as_str().unwrap().contains("table "), "{line}");
    assert!(line["remedy"].as_str().unwrap().contains("packd repair"), "{line}");
    place.packd(&["stop"]).ok();
    fs::write(&database, &damaged).unwrap();

    let done = place.packd(&["repair", "--json"]).json();
    assert_eq!(done["repaired"], json!(true), "{done}");
    let kept = PathBuf::from(done["kept"].as_str().unwrap());
    assert_eq!(fs::read(&kept).unwrap(), damaged);
    assert!(kept.file_name().unwrap().to_str().unwrap().starts_with("packd.redb.20"), "{kept:?}");
    let list = place.packd(&["pack", "list", "--json"]).json();
    assert_eq!(list["packs"].as_array().unwrap().len(), 12, "{done}\n{list}");
    let line = database_line(&place.packd(&["doctor", "--json"]).ok());
    assert_eq!(line["verdict"], "pass", "{line}");
}

/// After a kill the daemon serves at once, and looks at the rows by and by.
#[test]
fn an_unclean_end_is_followed_by_a_check_in_slices() {
    let place = Place::new();
    let create = |n: usize| {
        let args = json!({"action": "create", "ttl_minutes": 60, "title": format!("Pack {n}")}).to_string();
        place.packd(&["call", "input", &args]).ok();
    };
    // A kill right after a write: redb has to repair then.
    crate::common::real::until("the end was unclean", || {
        create(0);
        place.kill_daemon();
        create(1);
        let log = place.log();
        log.contains("every row can be read")
            || place.packd(&["status", "--json"]).stdout.contains("being checked")
    });
    crate::common::real::until("the check ends", || place.log().contains("every row can be read"));
}
