//! Random edits between snapshots, by several sessions: taking the operations back, newest first, leads through every
//! earlier state byte for byte, with all permission bits; and so does a restore.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::json;

use super::rig::Rig;

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, u8),
    Chmod(usize, u32),
    Remove(usize),
    Link(usize, usize),
    /// A directory with a file in it, in the place of a file.
    Below(usize, u8),
    Rename(usize, usize),
}

const NAMES: [&str; 6] = ["a.txt", "src/b.txt", "c", "d/e/f", "d/g", "h"];

fn edit() -> impl Strategy<Value = Edit> {
    let n = 0..NAMES.len();
    prop_oneof![
        3 => (n.clone(), any::<u8>()).prop_map(|(n, b)| Edit::Write(n, b)),
        2 => (n.clone(), 0u32..0o1000).prop_map(|(n, m)| Edit::Chmod(n, m | 0o400)),
        2 => n.clone().prop_map(Edit::Remove),
        1 => (n.clone(), n.clone()).prop_map(|(a, b)| Edit::Link(a, b)),
        1 => (n.clone(), any::<u8>()).prop_map(|(n, b)| Edit::Below(n, b)),
        1 => (n.clone(), n).prop_map(|(a, b)| Edit::Rename(a, b)),
    ]
}

fn clear(path: &std::path::Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_dir_all(path);
    for dir in path.ancestors().skip(1) {
        if fs::symlink_metadata(dir).is_ok_and(|m| !m.is_dir()) {
            let _ = fs::remove_file(dir);
        }
    }
    let _ = fs::create_dir_all(path.parent().unwrap());
}

fn apply(rig: &Rig, edit: &Edit) {
    let at = |n: &usize| rig.root().join(NAMES[*n]);
    match edit {
        Edit::Write(n, b) => {
            clear(&at(n));
            fs::write(at(n), vec![*b; usize::from(*b)]).unwrap();
        }
        Edit::Chmod(n, mode) => {
            if fs::symlink_metadata(at(n)).is_ok_and(|m| m.is_file()) {
                fs::set_permissions(at(n), fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
        Edit::Remove(n) => clear(&at(n)),
        Edit::Link(n, to) => {
            clear(&at(n));
            let up = "../".repeat(NAMES[*n].matches('/').count());
            std::os::unix::fs::symlink(format!("{up}{}", NAMES[*to]), at(n)).unwrap();
        }
        Edit::Below(n, b) => {
            clear(&at(n));
            fs::create_dir_all(at(n)).unwrap();
            fs::write(at(n).join("below"), [*b]).unwrap();
        }
        Edit::Rename(a, b) => {
            if a != b && fs::symlink_metadata(at(a)).is_ok_and(|m| m.is_file()) {
                let aside = rig.root().join("aside");
                fs::rename(at(a), &aside).unwrap();
                clear(&at(b));
                fs::rename(aside, at(b)).unwrap();
            }
        }
    }
}

fn walk(steps: &[Vec<Edit>], with_git: bool) {
    let rig = if with_git { Rig::new() } else { Rig::without_git() };
    rig.ok("snap_take", json!({}));
    let first = rig.disk();
    let mut states = vec![rig.disk()];
    for (n, edits) in steps.iter().enumerate() {
        let session = format!("s{}", n % 2);
        rig.bash(&session, &format!("c{n}"), |rig| edits.iter().for_each(|edit| apply(rig, edit)));
        let now = rig.disk();
        if *states.last().unwrap() != now {
            states.push(now);
        }
    }
    let last = states.len();
    assert_eq!(rig.ops().len(), last - 1, "one operation for each difference: {:?}", rig.summaries());
    while let Some(state) = states.pop() {
        assert_eq!(rig.disk(), state, "state {} of {last}", states.len());
        if !states.is_empty() {
            rig.ok("history_undo", json!({"yes": true}));
        }
    }
    for _ in 1..last {
        rig.ok("history_redo", json!({"yes": true}));
    }
    rig.ok("snap_restore", json!({"snapshot": "sn-1", "yes": true}));
    assert_eq!(rig.disk(), first);
    let ops = rig.ops().len();
    rig.bash("s0", "very last", |_| {});
    assert_eq!(rig.ops().len(), ops, "what packd wrote itself is nobody's operation: {:?}", rig.summaries());
}

proptest! {
    #![proptest_config(Config { cases: 12, failure_persistence: None, ..Config::default() })]

    #[test]
    fn every_state_comes_back(steps in prop::collection::vec(prop::collection::vec(edit(), 1..6), 1..6), git: bool) {
        walk(&steps, git);
    }
}
