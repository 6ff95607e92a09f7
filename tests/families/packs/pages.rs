//! Pages that were rendered before: shown again without reading a file, and never where anything may be another.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::sources::Sources;

/// The files were left alone for as long as it takes to trust their stamps.
fn settled() -> Sources {
    let s = Sources::new();
    s.file("a.rs", "fn one() {}\nfn two() {}\nfn three() {}\n");
    s.file("src/b.rs", "let b = 1;\nlet c = 2;\n");
    s.engine.clock.advance(100 * 365 * 24 * 3600);
    s.pack(&[("one", "a.rs", 1, 2), ("bb", "src/b.rs", 1, 1)]);
    s
}

fn files_read(s: &Sources) -> usize {
    std::mem::take(&mut *s.read.lock().unwrap()).len()
}

#[test]
fn a_page_that_still_stands_is_shown_again_without_reading_a_file() {
    let s = settled();
    let first = s.render(json!({"name": "doc"}));
    assert!(first.contains("   1: fn one() {}") && first.contains("   1: let b = 1;"), "{first}");
    files_read(&s);
    assert_eq!(s.render(json!({"name": "doc"})), first);
    assert_eq!(files_read(&s), 0);
    // Only what is left of its life is another.
    s.engine.clock.advance(600);
    let later = s.render(json!({"name": "doc"}));
    assert_eq!(later, first.replace("ttl_remaining: 1h", "ttl_remaining: 50m"));
    assert_ne!(later, first);
    assert_eq!(files_read(&s), 0);
    // Another page is another page, and another state another one.
    assert!(s.render(json!({"name": "doc", "offset": 1})).contains("nothing left"));
    assert_eq!(files_read(&s), 1);
    s.ok(json!({"action": "set_meta", "name": "doc", "expected_revision": 4, "title": "Renamed"}));
    assert!(s.render(json!({"name": "doc"})).contains("Renamed"));
    assert_eq!(files_read(&s), 2);
}

#[test]
fn an_edit_a_removal_and_another_file_in_its_place_show_at_once() {
    let s = settled();
    let render = || s.render(json!({"name": "doc"}));
    let first = render();
    assert_eq!(render(), first);
    // Of the same length, so that only the stamps tell.
    s.file("a.rs", "fn ONE() {}\nfn two() {}\nfn three() {}\n");
    assert!(!render().contains("   1: fn one() {}"), "{}", render());
    s.file("a.rs", "fn one() {}\nfn two() {}\nfn three() {}\n");
    assert_eq!(render(), first);
    fs::remove_file(s.dir.path().join("src/b.rs")).unwrap();
    assert!(render().contains("stale ref"));
    s.file("elsewhere/b.rs", "let b = 7;\nlet c = 2;\n");
    fs::remove_dir(s.dir.path().join("src")).unwrap();
    symlink("elsewhere", s.dir.path().join("src")).unwrap();
    assert!(!render().contains("   1: let b = 1;"), "{}", render());
}

#[test]
fn what_is_reached_by_a_link_is_looked_at_each_time() {
    let s = Sources::new();
    s.file("v1/a.rs", "let version = 1;\n");
    s.file("v2/a.rs", "let version = 2;\n");
    let link = s.dir.path().join("current");
    symlink("v1", &link).unwrap();
    s.engine.clock.advance(100 * 365 * 24 * 3600);
    s.pack(&[("aa", "current/a.rs", 1, 1)]);
    let render = || s.render(json!({"name": "doc"}));
    let first = render();
    assert!(first.contains("version = 1"));
    assert_eq!(render(), first);
    fs::remove_file(&link).unwrap();
    symlink("v2", &link).unwrap();
    // It is not what was anchored any more, and says so.
    assert!(render().contains("\n- refs: 1 "), "{}", render());
}

#[test]
fn a_pack_that_expired_or_has_another_status_is_not_shown_from_memory() {
    let s = settled();
    s.render(json!({"name": "doc"}));
    s.render(json!({"name": "doc"}));
    assert!(s.err("output", json!({"name": "doc", "status": "finalized"})).contains("status"));
    let id = s.id();
    s.engine.clock.advance(3600);
    assert!(s.err("output", json!({"action": "get", "id": id})).starts_with("not_found"));
}
