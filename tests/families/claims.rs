//! Two agents must never do the same task: claims over the real engine in memory, and once through real shims.

use std::collections::BTreeSet;
use std::sync::Arc;

use packd::engine::Session;
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, person};
use crate::common::host::Host;
use crate::common::real::Place;

struct Rig {
    engine: TestEngine,
    one: Arc<Session>,
    two: Arc<Session>,
}

impl Rig {
    /// A plan with three tasks; the second depends on the first.
    fn new(plan: Value) -> Rig {
        let engine = TestEngine::new();
        let (one, two) = (engine.session("session-one", "/w"), engine.session("session-two", "/w"));
        engine.ok(&one, "tasks_create", plan);
        for (title, depends_on) in
            [("First", json!([])), ("Second", json!(["TASK-001"])), ("Third", json!([]))]
        {
            let step = json!([{"title": "The only step of it", "success_criteria": ["It is done"]}]);
            let args = json!({"parent": "PLAN-001", "title": title, "depends_on": depends_on, "steps": step});
            engine.ok(&one, "tasks_create", args);
        }
        Rig { engine, one, two }
    }

    fn plain() -> Rig {
        Rig::new(json!({"kind": "plan", "title": "Plan"}))
    }

    fn ok(&self, session: &Arc<Session>, tool: &str, args: Value) -> Value {
        self.engine.ok(session, tool, args)["result"].clone()
    }

    fn code(&self, session: &Arc<Session>, tool: &str, args: Value) -> Value {
        self.engine.err(session, tool, args)["error"]["code"].clone()
    }

    fn waits(&self, session: &Arc<Session>) -> Value {
        self.ok(session, "tasks_ready", json!({}))["waiting"].clone()
    }
}

#[test]
fn what_one_holds_the_other_is_not_given() {
    let rig = Rig::plain();
    let first = rig.ok(&rig.one, "tasks_claim", json!({"next": true}));
    assert_eq!(first["task_id"], "TASK-001");
    assert_eq!(first["lease_until"], "2026-01-02T03:34:05Z");
    let second = rig.ok(&rig.two, "tasks_claim", json!({"next": true}));
    assert_eq!(second["task_id"], "TASK-003", "the second waits for the first");
    let nothing = rig.ok(&rig.two, "tasks_claim", json!({"next": true}));
    assert!(nothing.get("task_id").is_none(), "{nothing}");
    assert_eq!(rig.code(&rig.two, "tasks_claim", json!({"task": "TASK-001"})), "TASK_HELD");
    let early = rig.engine.err(&rig.two, "tasks_claim", json!({"task": "TASK-001", "takeover": true}));
    assert_eq!(early["result"]["held_by"]["session"], "session-one", "a lease that lasts is not taken over");
    assert_eq!(rig.code(&rig.two, "tasks_release", json!({"task": "TASK-001"})), "TASK_HELD");
    let listed = rig.ok(&rig.two, "tasks_context", json!({"include_all": true}));
    assert_eq!(listed["tasks"][0]["held_by"], json!({"client": "test", "session": "session-one"}));
    assert!(listed["tasks"][1].get("held_by").is_none());
    let ready = rig.ok(&rig.two, "tasks_ready", json!({}));
    assert_eq!(ready["ready"], json!([]));
    assert_eq!(ready["yours"][0]["task_id"], "TASK-003");
    let because = ready["waiting"].as_array().unwrap();
    assert!(because[0]["because"].as_str().unwrap().contains("test (session session-)"), "{because:?}");
    assert_eq!(
        because[1],
        json!({"task_id": "TASK-002", "because": "It depends on TASK-001, not done yet."})
    );
}

/// Only `now` told who has what; an agent that followed the radar of a task began what somebody else was doing.
#[test]
fn radar_says_who_holds_a_task_and_now_sends_nobody_there() {
    let rig = Rig::plain();
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001"}));
    rig.ok(&rig.one, "tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "begun"}));
    let radar = rig.ok(&rig.two, "tasks_radar", json!({"task": "TASK-001"}));
    assert_eq!(radar["focus"]["held_by"]["session"], "session-one", "{radar}");
    assert!(radar["focus"]["lease_until"].is_string(), "{radar}");
    let now = rig.engine.call(&rig.two, "now", json!({})).text;
    assert!(now.starts_with("In hand: nothing; TASK-003 Third can be started"), "{now}");
}

#[test]
fn a_claim_is_no_operation_and_leaves_the_task_as_it_is() {
    let rig = Rig::plain();
    let before = rig.ok(&rig.one, "tasks_history", json!({"limit": 50}));
    let revision = rig.ok(&rig.one, "tasks_claim", json!({"task": "First"}))["revision"].clone();
    rig.ok(&rig.one, "tasks_release", json!({}));
    assert_eq!(rig.ok(&rig.one, "tasks_history", json!({"limit": 50})), before);
    let resumed = rig.ok(&rig.one, "tasks_resume", json!({"task": "TASK-001"}));
    assert_eq!(resumed["task"]["revision"], revision);
    let undone = rig.ok(&rig.one, "tasks_undo", json!({}));
    assert!(undone.to_string().contains("TASK-003"), "the newest operation is the last creation: {undone}");
}

#[test]
fn any_call_renews_and_silence_ends_a_lease() {
    let rig = Rig::plain();
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001", "lease_minutes": 10}));
    for _ in 0..4 {
        rig.engine.clock.advance(9 * 60);
        rig.ok(&rig.one, "tasks_focus_get", json!({}));
    }
    assert_eq!(rig.code(&rig.two, "tasks_claim", json!({"task": "TASK-001"})), "TASK_HELD");
    rig.engine.clock.advance(10 * 60 + 1);
    let taken = rig.ok(&rig.two, "tasks_claim", json!({"task": "TASK-001", "takeover": true}));
    assert_eq!(taken["taken_from"], json!({"client": "test", "session": "session-one"}));
    let warned = rig.engine.ok(
        &rig.one,
        "tasks_note",
        json!({"task": "TASK-001", "path": "s:0", "note": "still here"}),
    );
    assert!(
        warned["warnings"][0].as_str().unwrap().contains("is held by test (session session-)"),
        "{warned}"
    );
}

#[test]
fn a_session_that_is_gone_for_five_minutes_holds_nothing() {
    let rig = Rig::plain();
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001"}));
    rig.engine.engine.close_session(&rig.one);
    rig.engine.clock.advance(4 * 60);
    assert_eq!(rig.code(&rig.two, "tasks_claim", json!({"task": "TASK-001"})), "TASK_HELD");
    let back = rig.engine.session("session-one", "/w");
    rig.engine.clock.advance(4 * 60);
    assert_eq!(rig.code(&rig.two, "tasks_claim", json!({"task": "TASK-001"})), "TASK_HELD", "it came back");
    rig.engine.engine.close_session(&back);
    rig.engine.clock.advance(5 * 60 + 1);
    assert_eq!(
        rig.ok(&rig.two, "tasks_claim", json!({"task": "TASK-001"}))["taken_from"]["session"],
        "session-one"
    );
}

#[test]
fn closing_a_task_releases_it() {
    let rig = Rig::plain();
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001"}));
    let confirmed = json!({"criteria": {"confirmed": true}, "tests": {"confirmed": true}});
    rig.ok(
        &rig.one,
        "tasks_close_step",
        json!({"task": "TASK-001", "path": "s:0", "checkpoints": confirmed}),
    );
    rig.ok(
        &rig.one,
        "tasks_complete",
        json!({"task": "TASK-001", "status": "DONE", "force": true, "override_reason": "tested"}),
    );
    assert_eq!(rig.waits(&rig.two), json!([]), "the second is ready now");
    rig.ok(&rig.one, "tasks_undo", json!({}));
    let again = rig.ok(&rig.two, "tasks_claim", json!({"task": "TASK-001"}));
    assert!(again.get("taken_from").is_none(), "undo brings the task back, not the claim: {again}");
}

#[test]
fn an_exclusive_plan_leaves_its_tasks_to_their_holders() {
    let rig = Rig::new(json!({"kind": "plan", "title": "Plan", "exclusive": true}));
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001"}));
    let note = json!({"task": "TASK-001", "path": "s:0", "note": "mine"});
    let refused = rig.engine.err(&rig.two, "tasks_note", note.clone());
    assert_eq!(refused["error"]["code"], "TASK_HELD");
    assert_eq!(refused["suggestions"][0]["target"], "tasks_claim");
    rig.ok(&rig.one, "tasks_note", note.clone());
    let set = json!({"task": "PLAN-001", "ops": [{"op": "set", "field": "exclusive", "value": false}]});
    rig.ok(&rig.one, "tasks_patch", set);
    rig.ok(&rig.two, "tasks_note", note);
    let wrong = json!({"parent": "PLAN-001", "title": "Fourth", "exclusive": true});
    assert_eq!(rig.code(&rig.one, "tasks_create", wrong), "INVALID_FIELDS");
}

#[test]
fn a_person_holds_a_task_across_commands() {
    let rig = Rig::plain();
    let (first, next) = (rig.engine.open(person("cli-1", "/w")), rig.engine.open(person("cli-2", "/w")));
    rig.ok(&first, "tasks_claim", json!({"task": "TASK-001"}));
    rig.engine.engine.close_session(&first);
    rig.engine.clock.advance(10 * 60);
    assert_eq!(rig.ok(&next, "tasks_claim", json!({"task": "TASK-001"}))["renewed"], true);
    assert_eq!(rig.code(&rig.two, "tasks_claim", json!({"task": "TASK-001"})), "TASK_HELD");
}

#[test]
fn leases_survive_the_daemon_and_long_ended_ones_are_swept() {
    let rig = Rig::plain();
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-001", "lease_minutes": 10}));
    rig.engine.clock.advance(6 * 60);
    rig.ok(&rig.one, "tasks_focus_get", json!({}));
    assert_eq!(rig.engine.block_on(rig.engine.engine.sweep()).unwrap(), 1, "the renewal is written");
    assert_eq!(rig.engine.block_on(rig.engine.engine.sweep()).unwrap(), 0, "once");
    rig.engine.clock.advance(25 * 3600);
    assert_eq!(rig.engine.block_on(rig.engine.engine.sweep()).unwrap(), 1, "an old one goes");
    let free = rig.ok(&rig.two, "tasks_claim", json!({"task": "TASK-001"}));
    assert!(free.get("taken_from").is_none(), "{free}");
}

#[test]
fn a_task_is_claimed_by_its_title_where_that_is_clear() {
    let rig = Rig::plain();
    assert_eq!(rig.ok(&rig.one, "tasks_claim", json!({"task": " third "}))["task_id"], "TASK-003");
    assert_eq!(rig.code(&rig.one, "tasks_claim", json!({"task": "Fourth"})), "NOT_FOUND");
    rig.ok(&rig.one, "tasks_create", json!({"parent": "PLAN-001", "title": "THIRD"}));
    let several = rig.engine.err(&rig.one, "tasks_claim", json!({"task": "Third"}));
    assert_eq!(several["result"]["candidates"], json!(["TASK-003", "TASK-004"]));
    assert_eq!(rig.code(&rig.one, "tasks_claim", json!({"task": "PLAN-001"})), "NOT_A_TASK");
    assert_eq!(rig.code(&rig.one, "tasks_claim", json!({})), "MISSING_TARGET");
}

#[test]
fn eight_shims_race_for_ten_tasks_and_each_is_claimed_once() {
    let place = Place::new();
    let mut first = Host::new(&place);
    first.ok("tasks_create", json!({"kind": "plan", "title": "Race"}));
    for n in 0..10 {
        first.ok("tasks_create", json!({"parent": "PLAN-001", "title": format!("Heat {n}")}));
    }
    let claimed: Vec<String> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|_| {
                let place = &place;
                scope.spawn(move || {
                    let mut host = Host::new(place);
                    let mut mine = Vec::new();
                    while let Some(id) =
                        host.ok("tasks_claim", json!({"next": true}))["result"]["task_id"].as_str()
                    {
                        mine.push(id.to_string());
                    }
                    mine
                })
            })
            .collect();
        racers.into_iter().flat_map(|racer| racer.join().unwrap()).collect()
    });
    let once: BTreeSet<&String> = claimed.iter().collect();
    assert_eq!((claimed.len(), once.len()), (10, 10), "{claimed:?}");
}

#[test]
fn an_operation_says_what_its_author_had_in_hand() {
    let rig = Rig::plain();
    let pack = json!({"action": "create", "title": "Before", "ttl_minutes": 60});
    rig.engine.ok(&rig.one, "input", pack.clone());
    rig.ok(&rig.one, "tasks_claim", json!({"task": "TASK-003"}));
    rig.engine.ok(&rig.one, "input", pack.clone());
    rig.engine.ok(&rig.two, "input", pack);
    let listed = rig.engine.ok(&rig.two, "history_list", json!({"family": "packs"}));
    let tasks: Vec<&Value> =
        listed["operations"].as_array().unwrap().iter().map(|op| &op["who"]["task"]).collect();
    assert_eq!(tasks, [&Value::Null, &json!("TASK-003"), &Value::Null], "newest first");
}
