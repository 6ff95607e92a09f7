//! Installs that others disturb: at the same time, killed half-way, cancelled.

use std::sync::atomic::{AtomicUsize, Ordering};

use packd::engine::CallRequest;
use serde_json::json;

use super::install::all_kinds;
use super::rig::{Rig, info};
use crate::common::engine::{TestEngine, options};

#[test]
fn installs_at_the_same_time_all_end_up_in_the_lock() {
    let rig = Rig::new();
    let names: Vec<String> = (0..6).map(|i| format!("con-{i}")).collect();
    for name in &names {
        rig.skill(name, "1.0.0", &[]);
    }
    let sessions: Vec<_> = names.iter().map(|_| rig.session_in("work")).collect();
    rig.t.block_on(async {
        let mut calls: Vec<_> = names
            .iter()
            .zip(&sessions)
            .map(|(name, s)| {
                Box::pin(rig.t.engine.call(s, CallRequest::new("aam_install", json!({"packages": [name]}))))
            })
            .collect();
        std::future::poll_fn(|cx| {
            calls.retain_mut(|call| call.as_mut().poll(cx).is_pending());
            if calls.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    });
    let mut installed: Vec<String> = rig.installed().into_iter().map(|(n, _)| n).collect();
    installed.sort();
    assert_eq!(installed, names);
    for name in &names {
        assert_eq!(rig.yaml(&format!("work/.aam/packages/{name}/aam.yaml"))["name"], json!(name));
    }
}

/// The daemon dies after the third file of an install; the next start finishes the operation.
#[test]
fn an_install_that_was_killed_half_way_is_finished_at_the_next_start() {
    let rig = Rig::new();
    rig.publish(&all_kinds("1.0.0"));
    let file = rig.path("store.redb");
    let start = |die_at: usize| {
        let done = AtomicUsize::new(0);
        let (options, clock) = options(|o| {
            o.after_effect = Box::new(move |_| {
                assert!(done.fetch_add(1, Ordering::SeqCst) + 1 != die_at, "the daemon dies here");
            });
        });
        TestEngine::start(crate::common::engine::open(&file, || options.catalog()).unwrap(), options, clock)
    };
    let first = start(3);
    let session = first.open(info(rig.dir.path(), "work"));
    let reply = first.call(&session, "aam_install", json!({"packages": ["@acme/all"]}));
    assert!(reply.is_error && reply.text.starts_with("[AAM_INTERNAL_ERROR] "), "{}", reply.text);
    assert!(!rig.has("work/.aam/aam-lock.yaml"), "it really stopped half-way");
    first.engine.stop();
    drop((session, first));
    let second = start(usize::MAX);
    let session = second.open(info(rig.dir.path(), "work"));
    let listed = second.ok(&session, "aam_list", json!({}));
    assert_eq!(listed["result"][0]["artifact_count"], json!(4));
    assert_eq!(second.ok(&session, "aam_verify", json!({}))["valid"], json!(true));
    second.ok(&session, "history_undo", json!({"yes": true}));
    assert_eq!(rig.tree("work"), Default::default(), "and it can be undone like any other");
}

#[test]
fn progress_is_told_and_a_cancelled_install_leaves_nothing() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    let mut request = CallRequest::new("aam_install", json!({"packages": ["tool"]}));
    request.cancel.set();
    let (send, told) = std::sync::mpsc::channel();
    request.progress = Some(std::sync::Arc::new(move |p| drop(send.send(p.message))));
    let reply = rig.t.request(&rig.session, request);
    assert!(reply.is_error && reply.text.contains("cancelled"), "{}", reply.text);
    assert_eq!(told.recv().unwrap(), "Installing tool@1.0.0");
    assert_eq!(rig.tree("work"), Default::default());
    let mut request = CallRequest::new("aam_install", json!({"packages": ["tool"]}));
    let (send, told) = std::sync::mpsc::channel();
    request.progress = Some(std::sync::Arc::new(move |p| drop(send.send(p.message))));
    assert!(!rig.t.request(&rig.session, request).is_error);
    let last = told.try_iter().last().unwrap();
    let (done, total) = last.trim_end_matches(" files").split_once(" of ").unwrap();
    assert_eq!(done, total, "the writing of the files is told, too: {last}");
}
