//! `snap_take`, `snap_list`, `snap_diff`, `snap_restore` as an agent uses them.

use serde_json::json;

use super::rig::Rig;
use crate::common::engine::session_info;

#[test]
fn a_tree_is_put_back_to_a_snapshot_as_one_operation_that_can_be_undone() {
    let rig = Rig::new();
    let taken = rig.ok("snap_take", json!({"label": "good"}));
    assert_eq!((taken["snapshot"].as_str(), taken["files"].as_u64()), (Some("sn-1"), Some(3)), "{taken}");
    let good = rig.disk();
    rig.bash("s1", "c1", |rig| rig.write("a.txt", "bad\n"));
    rig.write("junk.txt", "by hand, not recorded yet\n");
    let bad = rig.disk();
    let diff = rig.ok("snap_diff", json!({"from": "sn-1", "diff": true}));
    assert_eq!((diff["changed"].as_u64(), diff["to"].as_str()), (Some(2), Some("now")), "{diff}");
    assert!(diff["files"][0]["diff"].as_str().unwrap().contains("+bad"), "{diff}");
    assert!(diff["files"][1]["diff"].as_str().unwrap().contains("+by hand"), "{diff}");
    let preview = rig.ok("snap_restore", json!({"snapshot": "sn-1"}));
    assert_eq!(
        (preview["preview"].as_bool(), preview["changed"].as_u64()),
        (Some(true), Some(2)),
        "{preview}"
    );
    assert_eq!(rig.disk(), bad);
    assert_eq!(rig.ops().len(), 1, "a preview records nothing");
    rig.ok("snap_restore", json!({"snapshot": "sn-1", "yes": true}));
    assert_eq!(rig.disk(), good);
    assert_eq!(rig.summaries()[0], "Restored 2 files to sn-1");
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(rig.disk(), bad, "what was not recorded is not lost either");
    let nothing = rig.bash("s1", "c2", |_| {});
    assert_eq!(nothing["changed"], 0, "{nothing}");
}

/// Their history is that of the packs: where a session says they lie, and where they lie for those who say nothing.
#[test]
fn files_of_packs_are_in_no_snapshot() {
    let rig = Rig::new();
    let mut info = session_info("mcp-2", rig.root().to_str().unwrap());
    info.env.insert("CONTEXT_PACK_ROOT".into(), "own".into());
    let session = rig.t.open(info);
    rig.t.ok(&session, "snap_take", json!({}));
    rig.write("own/packs/pk_aaaaaaaa.md", "mirrored for this session\n");
    rig.write(".agents/mcp/context_pack/packs/pk_bbbbbbbb.md", "mirrored for others\n");
    rig.write("c.txt", "a file\n");
    let diff = rig.t.ok(&session, "snap_diff", json!({"from": "sn-1"}));
    let paths: Vec<_> =
        diff["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["c.txt"], "{diff}");
}

#[test]
fn one_file_alone_is_put_back() {
    let rig = Rig::new();
    rig.ok("snap_take", json!({}));
    rig.write("a.txt", "bad\n");
    rig.write("src/b.txt", "worse\n");
    rig.ok("snap_restore", json!({"snapshot": "sn-1", "path": "src", "yes": true}));
    assert_eq!(
        (rig.read("a.txt").as_deref(), rig.read("src/b.txt").as_deref()),
        (Some("bad\n"), Some("two\n"))
    );
}

#[test]
fn snapshots_are_listed_and_compared_both_ways() {
    let rig = Rig::new();
    for n in 1..5 {
        rig.write("a.txt", &format!("{n}\n"));
        rig.ok("snap_take", json!({"label": format!("step {n}")}));
    }
    let list = rig.ok("snap_list", json!({"limit": 3}));
    let names: Vec<_> =
        list["snapshots"].as_array().unwrap().iter().map(|s| s["snapshot"].as_str().unwrap()).collect();
    assert_eq!((names, list["has_more"].as_bool()), (vec!["sn-4", "sn-3", "sn-2"], Some(true)));
    let rest = rig.ok("snap_list", json!({"before": "sn-2"}));
    assert_eq!(rest["snapshots"][0]["label"], "step 1", "{rest}");
    let back = rig.ok("snap_diff", json!({"from": "sn-4", "to": "sn-2", "diff": true}));
    let diff = back["files"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("-4") && diff.contains("+2"), "{diff}");
    let same = rig.ok("snap_take", json!({}));
    assert_eq!((same["snapshot"].as_str(), same["new"].as_bool()), (Some("sn-4"), Some(false)), "{same}");
}

#[test]
fn mistakes_are_explained_and_change_nothing() {
    let rig = Rig::new();
    rig.ok("snap_take", json!({}));
    for (tool, args, code) in [
        ("snap_restore", json!({"snapshot": "yesterday"}), "invalid_arguments"),
        ("snap_restore", json!({"snapshot": "sn-77", "yes": true}), "not_found"),
        ("snap_diff", json!({"from": "sn-1", "to": "sn-0"}), "invalid_arguments"),
        ("snap_diff", json!({}), "invalid_arguments"),
        ("snap_list", json!({"before": "sn-9"}), "not_found"),
        ("snap_take", json!({"name": "x"}), "invalid_arguments"),
    ] {
        let reply = rig.err(tool, args.clone());
        assert_eq!(reply["code"], code, "{tool} {args}: {reply}");
        assert!(reply["hint"].is_string(), "{tool} {args}: {reply}");
    }
    let planned = rig.ok("snap_take", json!({"mode": "plan", "label": "no"}));
    assert_eq!(planned["new"], false, "{planned}");
    let asked = rig.err("snap_restore", json!({"snapshot": "sn-1", "mode": "ask"}));
    assert_eq!(asked["code"], "mode_denied", "{asked}");
    assert_eq!(rig.ok("snap_list", json!({}))["snapshots"].as_array().unwrap().len(), 1);
}

#[test]
fn bad_hooks_are_refused_and_change_nothing() {
    let rig = Rig::new();
    for params in [
        json!({}),
        json!({"cwd": "relative", "phase": "before", "session": "s"}),
        json!({"cwd": rig.root(), "phase": "during", "session": "s"}),
        json!({"cwd": rig.root(), "phase": "before", "session": " "}),
        json!({"cwd": rig.root(), "phase": "before", "session": 7}),
        json!([]),
    ] {
        let done = rig.t.block_on(rig.t.engine.admin(&rig.session, "packd/snapshot", &params));
        assert_eq!(done.unwrap_err().code, "invalid_params", "{params}");
    }
    let nowhere = rig.hook_with("before", "s", "c", json!({"cwd": "/no/such/dir"}));
    assert_eq!(nowhere["state"], "none");
    assert_eq!(rig.hook_with("before", "s", "c", json!({"cwd": "/"}))["state"], "none");
    assert!(rig.ok("snap_list", json!({}))["snapshots"].as_array().unwrap().is_empty());
}
