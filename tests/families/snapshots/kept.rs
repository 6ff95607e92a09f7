//! What is stored and what is only listed, how much, and for how long.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

use serde_json::{Value, json};

use super::rig::{Rig, git};

fn because<'a>(reply: &'a Value, path: &str) -> Option<&'a str> {
    let skipped = reply["skipped"].as_array()?;
    skipped.iter().find(|s| s["path"] == path).and_then(|s| s["because"].as_str())
}

/// Every object there is, unpacked, as one text.
fn stored(rig: &Rig) -> String {
    let mut out = String::new();
    for store in fs::read_dir(rig.store()).unwrap() {
        let dir = format!("--git-dir={}", store.unwrap().path().display());
        let ids = git(&rig.root(), &[&dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]);
        for id in ids.lines() {
            out += &git(&rig.root(), &[&dir, "cat-file", "blob", id]);
        }
    }
    out
}

#[test]
fn secrets_large_files_sockets_and_links_out_are_listed_and_not_stored() {
    let rig = Rig::new();
    rig.write(".env", "PASSWORD=canary\n");
    rig.write("conf/.env.local", "PASSWORD=canary\n");
    rig.write("deploy.pem", "canary\n");
    rig.write("plain.txt", "stored in full\n");
    let large = fs::File::create(rig.root().join("large.bin")).unwrap();
    large.set_len((32 << 20) + 1).unwrap();
    let _socket = UnixListener::bind(rig.root().join("socket")).unwrap();
    fs::write(rig.dir.path().join("outside.txt"), "canary\n").unwrap();
    std::os::unix::fs::symlink("../outside.txt", rig.root().join("out")).unwrap();
    std::os::unix::fs::symlink("/etc/hosts", rig.root().join("far")).unwrap();
    let taken = rig.ok("snap_take", json!({}));
    for path in [".env", "conf/.env.local", "deploy.pem"] {
        assert!(because(&taken, path).unwrap().contains("excluded"), "{path}: {taken}");
    }
    assert!(because(&taken, "large.bin").unwrap().contains("32 MiB"), "{taken}");
    assert!(because(&taken, "socket").unwrap().contains("socket"), "{taken}");
    for path in ["out", "far"] {
        assert!(because(&taken, path).unwrap().contains("out of the tree"), "{taken}");
    }
    assert!(!stored(&rig).contains("canary"));
    assert!(stored(&rig).contains("stored in full"));
    let mode = fs::metadata(rig.store()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    // They are still only listed when they change, and what is known of a large one is said.
    rig.bash("s1", "c1", |rig| {
        rig.write(".env", "PASSWORD=canary2\n");
        large.set_len((32 << 20) + 2).unwrap();
        rig.write("a.txt", "x\n");
    });
    let op = rig.ok("history_show", json!({"operation_id": rig.ops()[0]["operation_id"]}));
    assert_eq!(op["data"]["not_reversible"][0]["path"], "large.bin", "{op}");
    assert!(!op.to_string().contains(".env"), "{op}");
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("a.txt").as_deref(), Some("one\n"));
    assert_eq!(rig.read(".env").as_deref(), Some("PASSWORD=canary2\n"));
}

#[test]
fn a_person_decides_what_is_excluded() {
    let patterns = packd::core::snapshot::Patterns::new(["*.secret".to_string()]);
    let rig = Rig::with(|options| options.snapshots.exclude = patterns);
    git(&rig.root(), &["init", "-q"]);
    rig.write("x.secret", "canary\n");
    rig.write(".env", "now it is stored\n");
    let taken = rig.ok("snap_take", json!({}));
    assert!(because(&taken, "x.secret").is_some() && because(&taken, ".env").is_none(), "{taken}");
    assert!(stored(&rig).contains("now it is stored") && !stored(&rig).contains("canary"));
}

#[test]
fn a_tree_of_too_many_files_turns_automatic_snapshots_off_and_says_so() {
    let rig = Rig::with(|options| options.snapshots.max_files = 3);
    for n in 0..4 {
        rig.write(&format!("f{n}"), "x\n");
    }
    let off = rig.hook("before", "s1", "c1");
    assert_eq!(off["state"], "off");
    assert!(off["because"].as_str().unwrap().contains("4 files"), "{off}");
    assert_eq!(rig.hook("after", "s1", "c1")["state"], "off");
    assert!(rig.ok("snap_list", json!({}))["automatic_off"].as_str().unwrap().contains("4 files"));
    let taken = rig.ok("snap_take", json!({}));
    assert_eq!(taken["snapshot"], "sn-1", "whoever asks gets one: {taken}");
    let still = rig.ok("snap_list", json!({}));
    assert!(still["automatic_off"].is_string(), "and is told that hooks still take none: {still}");
}

#[test]
fn more_than_fits_is_not_stored_and_the_oldest_goes() {
    let rig = Rig::with(|options| options.snapshots.megabytes = 1);
    rig.write("small.txt", "x\n");
    rig.bash("s1", "c0", |_| {});
    // Contents that do not shrink.
    let noise = |seed: u64| {
        let mut x = seed;
        let mut out = Vec::new();
        while out.len() < 600 << 10 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            out.extend_from_slice(&x.to_le_bytes());
        }
        out
    };
    for n in 1..5u64 {
        rig.bash("s1", &format!("c{n}"), |rig| fs::write(rig.root().join("noise"), noise(n)).unwrap());
        assert!(size(&rig.store()) < 2 << 20, "after {n}");
    }
    rig.admin("packd/gc", &json!({}));
    assert!(size(&rig.store()) <= 1 << 20, "{}", size(&rig.store()));
    rig.bash("s1", "c9", |rig| rig.write("small.txt", "y\n"));
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("small.txt").as_deref(), Some("x\n"), "small things still fit");
}

fn size(dir: &std::path::Path) -> u64 {
    let mut bytes = 0;
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let meta = entry.metadata().unwrap();
        bytes += if meta.is_dir() { size(&entry.path()) } else { meta.len() };
    }
    bytes
}

#[test]
fn contents_are_packed_and_come_back_from_packs() {
    let rig = Rig::new();
    for n in 0..300 {
        rig.write(&format!("f{n}"), &format!("{n}\n"));
    }
    rig.bash("s1", "c0", |_| {});
    rig.bash("s1", "c1", |rig| (0..300).for_each(|n| rig.write(&format!("f{n}"), &format!("changed {n}\n"))));
    rig.admin("packd/gc", &json!({}));
    let store = fs::read_dir(rig.store()).unwrap().next().unwrap().unwrap().path();
    let packs = fs::read_dir(store.join("objects/pack")).unwrap().count();
    assert!(packs >= 2, "a pack and its index");
    let loose = fs::read_dir(store.join("objects")).unwrap().flatten().filter(|e| e.file_name().len() == 2);
    assert_eq!(loose.map(|e| fs::read_dir(e.path()).unwrap().count()).sum::<usize>(), 0);
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.read("f299").as_deref(), Some("299\n"));
    assert_eq!(rig.read("f0").as_deref(), Some("0\n"));
}

#[test]
fn old_snapshots_go_with_their_contents() {
    let rig = Rig::with(|options| options.snapshots.days = 0);
    rig.write("f", "first\n");
    rig.bash("s1", "c0", |_| {});
    rig.bash("s1", "c1", |rig| rig.write("f", "second\n"));
    rig.bash("s1", "c2", |rig| rig.write("f", "third\n"));
    rig.admin("packd/gc", &json!({}));
    let list = rig.ok("snap_list", json!({}));
    assert_eq!(list["snapshots"].as_array().unwrap().len(), 1, "the newest state stays known: {list}");
    let ops = rig.ops();
    let gone = rig.err("history_revert", json!({"operation_id": ops[1]["operation_id"], "yes": true}));
    assert!(gone["message"].as_str().unwrap().contains("f"), "{gone}");
    assert_eq!(rig.read("f").as_deref(), Some("third\n"));
}
