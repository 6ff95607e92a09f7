//! Undo, redo and revert field by field: what others did to the same pack or task since stays, and what is in the
//! way is named.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::engine::TestEngine;
use crate::common::real::{Place, Process};
use crate::families::tasks::rig::Rig;

fn id_of(envelope: &Value) -> String {
    envelope["meta"]["operation_id"]
        .as_str()
        .unwrap_or_else(|| panic!("no operation: {envelope}"))
        .to_string()
}

impl Rig {
    /// Does something and gives the operation it left.
    fn done(&self, intent: &str, args: Value) -> String {
        id_of(&self.envelope(intent, args))
    }

    fn step(&self, n: usize) -> Value {
        self.task("TASK-001")["steps"][n].clone()
    }

    fn note(&self, n: usize, note: &str) -> String {
        self.done("note", json!({"task": "TASK-001", "path": format!("s:{n}"), "note": note}))
    }

    fn title(&self, title: &str) -> String {
        let ops = json!([{"op": "set", "field": "title", "value": title}]);
        self.done("patch", json!({"task": "TASK-001", "ops": ops}))
    }

    fn revert(&self, id: &str) -> Value {
        self.engine.ok(&self.session, "history_revert", json!({"operation_id": id}))
    }

    fn show(&self, id: &str) -> Value {
        self.engine.ok(&self.session, "history_show", json!({"operation_id": id}))
    }

    fn notes(&self, n: usize) -> Vec<String> {
        let step = self.step(n);
        let notes = step["progress_notes"].as_array().cloned().unwrap_or_default();
        notes.iter().map(|note| note.as_str().unwrap().to_string()).collect()
    }
}

/// An old edit could not be taken back once anybody had touched the same task.
#[test]
fn an_old_edit_is_taken_back_under_later_ones() {
    let rig = Rig::with_task();
    let renamed = rig.title("Another title");
    rig.note(0, "first");
    rig.done("edit", json!({"task": "TASK-001", "description": "Written later"}));
    rig.revert(&renamed);
    let task = rig.task("TASK-001");
    assert_eq!((task["title"].as_str(), task["description"].as_str()), (Some("Task"), Some("Written later")));
    assert_eq!(rig.notes(0).len(), 1, "the note stays");
    // And that can itself be undone.
    rig.engine.ok(&rig.session, "history_undo", json!({}));
    assert_eq!(rig.task("TASK-001")["title"], "Another title");
}

#[test]
fn one_of_several_equal_notes_is_taken_back() {
    let rig = Rig::with_task();
    rig.note(0, "same");
    let second = rig.note(0, "same");
    rig.note(0, "last");
    rig.revert(&second);
    let notes = rig.notes(0);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("same") && notes[1].contains("last"), "{notes:?}");
}

#[test]
fn a_clash_names_the_field_both_values_and_only_the_operations_that_touched_it() {
    let rig = Rig::with_task();
    let first = rig.title("One");
    rig.note(0, "about something else");
    let second = rig.title("Two");
    let refused = rig.engine.err(&rig.session, "history_revert", json!({"operation_id": first}));
    assert_eq!(refused["code"], "undo_conflict");
    let fields = refused["details"]["fields"].as_array().unwrap();
    assert_eq!(
        fields,
        &[json!({"path": "title", "left": "One", "now": "Two", "operations": [second]})],
        "{refused}"
    );
    assert_eq!(refused["details"]["in_the_way"].as_array().unwrap().len(), 1);
    assert_eq!(rig.task("TASK-001")["title"], "Two", "nothing was touched");
    // Once the field holds again what the operation left, nothing is in the way.
    rig.title("One");
    rig.revert(&first);
    assert_eq!(rig.task("TASK-001")["title"], "Task");
}

#[test]
fn a_creation_that_others_edited_since_names_those_edits() {
    let t = TestEngine::new();
    let s = t.session("s1", "/w");
    let create = json!({"action": "create", "ttl_minutes": 60, "title": "P"});
    let pack = t.ok(&s, "input", create);
    let id = pack["payload"]["id"].as_str().unwrap().to_string();
    let revision = || {
        let pack = t.ok(&s, "input", json!({"action": "get", "id": id}));
        pack["payload"]["revision"].as_u64().unwrap()
    };
    let section = json!({"action": "upsert_section", "id": id, "section_key": "entry",
        "section_title": "Entry", "expected_revision": revision()});
    t.ok(&s, "input", section);
    let made = t.ok(&s, "history_list", json!({"limit": 1}))["operations"][0]["operation_id"].clone();
    let edit = json!({"action": "upsert_section", "id": id, "section_key": "entry",
        "section_title": "Entry point", "expected_revision": revision()});
    t.ok(&s, "input", edit);
    let edited = t.ok(&s, "history_list", json!({"limit": 1}))["operations"][0]["operation_id"].clone();
    let refused = t.err(&s, "history_revert", json!({"operation_id": made}));
    let field = &refused["details"]["fields"][0];
    assert_eq!(field["path"], "sections[entry].title", "{refused}");
    assert_eq!((&field["left"], &field["now"]), (&json!("Entry"), &json!("Entry point")));
    assert_eq!(field["operations"], json!([edited]));
}

#[test]
fn one_changed_field_is_shown_as_one_changed_field() {
    let rig = Rig::with_task();
    let renamed = rig.title("Another title");
    let shown = rig.show(&renamed);
    let changes = shown["changes"].as_array().unwrap();
    let task = changes.iter().find(|c| c["table"] == "tasks").unwrap();
    let edited = task["edited"].as_array().unwrap();
    let title = edited.iter().find(|f| f["path"] == "title").unwrap();
    assert_eq!(title, &json!({"path": "title", "before": "Task", "after": "Another title"}));
    assert!(edited.len() <= 3, "{edited:?}");
    let noted = rig.show(&rig.note(1, "seen"));
    let paths: Vec<String> = noted["changes"][0]["edited"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["path"].as_str().unwrap().to_string())
        .collect();
    let step = rig.step(1)["id"].as_str().unwrap().to_string();
    assert!(paths.iter().any(|p| p.starts_with(&format!("steps[{step}].progress_notes["))), "{paths:?}");
    // A long text is shown as what changed in it.
    let long = |end: &str| format!("{}{end}\n", "A line that stays as it is.\n".repeat(40));
    rig.done("edit", json!({"task": "TASK-001", "description": long("old")}));
    let edit = rig.done("edit", json!({"task": "TASK-001", "description": long("new")}));
    let shown = rig.show(&edit);
    let edited = shown["changes"][0]["edited"].as_array().unwrap();
    let field = edited.iter().find(|f| f["path"] == "description").unwrap();
    let diff = field["diff"].as_str().unwrap_or_else(|| panic!("{field}"));
    assert!(diff.contains("-old") && diff.contains("+new") && diff.len() < 300, "{diff}");
    assert!(field.get("before").is_none());
}

#[test]
fn who_changed_a_field_can_be_asked() {
    let rig = Rig::with_task();
    let renamed = rig.title("Another title");
    let noted = rig.note(0, "first");
    rig.note(1, "second");
    let found = |path: &str| -> Vec<String> {
        let list = rig.engine.ok(&rig.session, "history_list", json!({"path": path, "target": "TASK-001"}));
        let ops = list["operations"].as_array().unwrap();
        ops.iter().map(|op| op["operation_id"].as_str().unwrap().to_string()).collect()
    };
    let step = rig.step(0)["id"].as_str().unwrap().to_string();
    let created = found("id")[0].clone();
    assert_eq!(found("title"), [renamed, created.clone()]);
    assert_eq!(found(&format!("steps[{step}].progress_notes"))[0], noted);
    assert_eq!(found(&format!("steps[{step}]")), [noted, created]);
    assert_eq!(found("steps").len(), 3);
    assert_eq!(found("titl"), Vec::<String>::new());
    let wrong = rig.engine.err(&rig.session, "history_list", json!({"path": "steps["}));
    assert_eq!(wrong["code"], "invalid_arguments");
    // Without a target the whole workspace is meant.
    let list = rig.engine.ok(&rig.session, "history_list", json!({"path": format!("steps[{step}]")}));
    assert_eq!(list["operations"].as_array().unwrap().len(), 2);
}

#[test]
fn a_task_is_shown_as_it_was_after_any_operation() {
    let rig = Rig::with_task();
    let created = rig.ok("history", json!({}))["operations"][1]["id"].as_str().unwrap().to_string();
    let plan = rig.ok("history", json!({}))["operations"][0]["id"].as_str().unwrap().to_string();
    let mut ids = Vec::new();
    for n in 0..150 {
        ids.push(rig.title(&format!("Title {n}")));
    }
    rig.note(0, "later");
    let at = |id: &str, target: Option<&str>| {
        let mut args = json!({"operation_id": id, "at": true});
        if let Some(target) = target {
            args["target"] = json!(target);
        }
        args
    };
    let shown = |id: &str| rig.engine.ok(&rig.session, "history_show", at(id, None));
    let text = shown(&created)["text"].as_str().unwrap().to_string();
    assert!(text.contains("title: Task\n") && !text.contains("later"), "{text}");
    for n in [0, 63, 64, 65, 100, 149] {
        let then = shown(&ids[n]);
        assert!(then["text"].as_str().unwrap().contains(&format!("title: Title {n}\n")), "{n}: {then}");
        assert_eq!(then["revision"], json!(n + 2));
    }
    let early = rig.engine.err(&rig.session, "history_show", at(&plan, Some("TASK-001")));
    assert_eq!(early["code"], "not_yet_made", "{early}");
    let gone = rig.done("delete", json!({"task": "TASK-001"}));
    let late = rig.engine.err(&rig.session, "history_show", at(&gone, None));
    assert_eq!(late["code"], "already_gone", "{late}");
    assert!(shown(&ids[100])["text"].as_str().unwrap().contains("Title 100"), "also when it is gone now");
}

/// What follows from other fields is never in the way, and is right afterwards.
#[test]
fn progress_and_status_are_settled_again() {
    let rig = Rig::with_task();
    let done = |n: usize| {
        rig.done(
            "progress",
            json!({"task": "TASK-001", "path": format!("s:{n}"), "completed": true, "force": true, "override_reason": "test"}),
        )
    };
    let first = done(0);
    assert_eq!(rig.task("TASK-001")["progress"], 50);
    let second = done(1);
    assert_eq!(rig.task("TASK-001")["progress"], 100);
    rig.revert(&first);
    let task = rig.task("TASK-001");
    assert_eq!((&task["progress"], &task["status"]), (&json!(50), &json!("ACTIVE")), "{task}");
    assert_eq!(rig.step(1)["completed"], json!(true));
    rig.revert(&second);
    let task = rig.task("TASK-001");
    assert_eq!(task["progress"], 0, "{task}");
}

#[derive(Debug, Clone)]
enum Edit {
    Title(u8),
    Description(u8),
    Note(usize, u8),
}

fn edits() -> impl Strategy<Value = (Vec<Edit>, prop::sample::Index)> {
    let one = prop_oneof![
        any::<u8>().prop_map(Edit::Title),
        any::<u8>().prop_map(Edit::Description),
        (0..2usize, 0..3u8).prop_map(|(step, note)| Edit::Note(step, note)),
    ];
    (prop::collection::vec(one, 1..12), any::<prop::sample::Index>())
}

/// Title, description, and the notes of both steps.
type Shown = (String, String, Vec<String>, Vec<String>);

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Taking back one of many interleaved edits leaves all the others exactly.
    #[test]
    fn taking_back_one_of_many_leaves_the_others((edits, which) in edits()) {
        let rig = Rig::with_task();
        let shown = |rig: &Rig| -> Shown {
            let task = rig.task("TASK-001");
            let text = |name: &str| task[name].as_str().unwrap_or_default().to_string();
            (text("title"), text("description"), rig.notes(0), rig.notes(1))
        };
        let start = shown(&rig);
        let mut ids = Vec::new();
        for edit in &edits {
            ids.push(match edit {
                Edit::Title(n) => {
                    let ops = json!([{"op": "set", "field": "title", "value": format!("T{n}")}]);
                    rig.envelope("patch", json!({"task": "TASK-001", "ops": ops}))
                }
                Edit::Description(n) =>
                    rig.envelope("edit", json!({"task": "TASK-001", "description": format!("D{n}")})),
                Edit::Note(step, n) => rig.envelope(
                    "note", json!({"task": "TASK-001", "path": format!("s:{step}"), "note": format!("N{n}")})),
            }["meta"]["operation_id"].as_str().map(str::to_string));
        }
        let now = shown(&rig);
        let k = which.index(edits.len());
        let Some(id) = &ids[k] else { return Ok(()) };
        let last = |is: &dyn Fn(&Edit) -> Option<String>, before: usize| edits[..before].iter().rev().find_map(is);
        let title = |e: &Edit| if let Edit::Title(n) = e { Some(format!("T{n}")) } else { None };
        let description = |e: &Edit| if let Edit::Description(n) = e { Some(format!("D{n}")) } else { None };
        let mut wanted = now.clone();
        let mut clashes = false;
        match &edits[k] {
            Edit::Title(n) => {
                clashes = now.0 != format!("T{n}");
                wanted.0 = last(&title, k).unwrap_or(start.0.clone());
            }
            Edit::Description(n) => {
                clashes = now.1 != format!("D{n}");
                wanted.1 = last(&description, k).unwrap_or(start.1.clone());
            }
            Edit::Note(step, _) => {
                let place = edits[..k].iter().filter(|e| matches!(e, Edit::Note(s, _) if s == step)).count();
                let notes = if *step == 0 { &mut wanted.2 } else { &mut wanted.3 };
                notes.remove(place);
            }
        }
        let reply = rig.engine.call(&rig.session, "history_revert", json!({"operation_id": id}));
        prop_assert_eq!(reply.is_error, clashes, "{}", reply.text);
        prop_assert_eq!(shown(&rig), if clashes { now } else { wanted });
    }
}

/// Two agents on one task: everything one of them did goes, at once, and comes back at once.
#[test]
fn all_that_one_session_did_is_taken_back_together() {
    let rig = Rig::with_task();
    let other = rig.engine.session("s2", "/w");
    let as_other = |intent: &str, args: Value| rig.engine.ok(&other, &format!("tasks_{intent}"), args);
    as_other("note", json!({"task": "TASK-001", "path": "s:0", "note": "theirs, first"}));
    rig.note(0, "mine");
    as_other("note", json!({"task": "TASK-001", "path": "s:0", "note": "theirs, second"}));
    as_other("edit", json!({"task": "TASK-001", "description": "Theirs"}));
    let undo = |yes: bool| json!({"session": "s2", "yes": yes});
    let preview = rig.engine.ok(&rig.session, "history_undo", undo(false));
    assert_eq!((&preview["count"], &preview["preview"]), (&json!(3), &json!(true)), "{preview}");
    assert_eq!(rig.notes(0).len(), 3, "a preview changes nothing");
    let done = rig.engine.ok(&rig.session, "history_undo", undo(true));
    assert!(done["operation_id"].is_string(), "{done}");
    assert_eq!(rig.notes(0).len(), 1);
    assert!(rig.notes(0)[0].contains("mine"));
    assert_eq!(rig.task("TASK-001")["description"], "");
    let list = rig.engine.ok(&rig.session, "history_list", json!({"session": "s2"}));
    assert!(list["operations"].as_array().unwrap().iter().all(|op| op["status"] == "undone"), "{list}");

    rig.engine.ok(&rig.session, "history_redo", json!({}));
    assert_eq!(rig.notes(0).len(), 3);
    assert_eq!(rig.task("TASK-001")["description"], "Theirs");
    let order: Vec<_> = rig.notes(0).iter().map(|n| n.contains("mine")).collect();
    assert_eq!(order, [false, true, false], "in the order in which they were written");

    // Whatever another session did to the same field since is in the way of all of it.
    rig.done("edit", json!({"task": "TASK-001", "description": "Mine"}));
    let refused = rig.engine.err(&rig.session, "history_undo", undo(true));
    assert_eq!(refused["details"]["fields"][0]["path"], "description", "{refused}");
    assert_eq!(refused["details"]["in_the_way"][0]["client"], "test");
    assert_eq!(rig.notes(0).len(), 3, "nothing was touched");
    let wrong = rig.engine.err(&rig.session, "history_undo", json!({"since": "2026-01-01T00:00:00Z"}));
    assert_eq!(wrong["code"], "invalid_arguments");
    let none = rig.engine.err(&rig.session, "history_undo", json!({"session": "nobody"}));
    assert_eq!(none["code"], "nothing_to_undo");
}

/// The same through shim, socket and daemon: one agent edits, another takes an old edit back, a person looks.
#[test]
fn field_by_field_through_the_real_binaries() {
    let place = Place::new();
    let (mut one, mut two) = (place.shim(), place.shim());
    let call = |shim: &mut Process, id: u64, tool: &str, args: Value| {
        let params = json!({"name": tool, "arguments": args});
        let mut reply = shim.ask(json!(id), "tools/call", params);
        // What others do is told in between.
        while reply["id"] != json!(id) {
            reply = shim.reply();
        }
        reply["result"]["structuredContent"].clone()
    };
    one.initialize();
    two.initialize();
    call(&mut one, 1, "tasks_create", json!({"title": "Plan"}));
    let steps = json!([{"title": "The only step here", "success_criteria": ["c"], "tests": ["t"], "blockers": ["none"]}]);
    call(
        &mut one,
        2,
        "tasks_create",
        json!({"parent": "PLAN-001", "title": "Before", "steps": steps,
        "success_criteria": ["done"]}),
    );
    let ops = json!([{"op": "set", "field": "title", "value": "After"}]);
    let renamed = id_of(&call(&mut one, 3, "tasks_patch", json!({"task": "TASK-001", "ops": ops})));
    call(&mut two, 4, "tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "kept"}));
    let done = call(&mut two, 5, "history_revert", json!({"operation_id": renamed}));
    assert!(done["operation_id"].is_string(), "{done}");

    let was = place.packd(&["at", &renamed, "--json"]).json();
    assert!(was["text"].as_str().unwrap().contains("title: After"), "{was}");
    let now = place.packd(&["at", done["operation_id"].as_str().unwrap(), "TASK-001"]).ok();
    assert!(now.contains("title: Before") && now.contains("kept"), "{now}");
    let shown = place.packd(&["show", &renamed]).ok();
    assert!(shown.contains("title") && shown.contains("After"), "{shown}");
    let found = place.packd(&["history", "--path", "title", "--json"]).json();
    assert_eq!(
        found["operations"].as_array().unwrap().len(),
        4,
        "two creations, the edit and its revert: {found}"
    );
}

/// `packd show` of a ref that somebody added began with a screen of digests: what packd notes of the anchored lines is no
/// news to anybody. It is still there for who asks for everything.
#[test]
fn what_packd_notes_for_itself_is_told_only_when_asked() {
    let place = Place::new();
    std::fs::write(place.work().join("a.rs"), "fn main() {}\n").unwrap();
    place.packd(&["pack", "new", "Notes", "--name", "notes"]).ok();
    place.packd(&["pack", "add", "notes", "a.rs:1-1"]).ok();
    let tables = |args: Value| {
        let shown = place.packd(&["call", "history_show", &args.to_string()]).json();
        let changes = shown["changes"].as_array().unwrap().clone();
        changes.iter().map(|row| row["table"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let listed = place.packd(&["history", "--json"]).json();
    let id = listed["operations"][0]["operation_id"].clone();
    assert_eq!(tables(json!({"operation_id": id})), ["packs"]);
    assert_eq!(tables(json!({"operation_id": id, "full": true})), ["pack_anchors", "packs"]);
    let screen = place.packd(&["show"]).ok();
    assert!(screen.contains("a.rs") && !screen.contains("digest"), "{screen}");
}
