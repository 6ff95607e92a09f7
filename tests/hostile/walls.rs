//! Workspaces are walled off from each other: what an agent is told ends where its project ends.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::host::{Host, write};
use crate::common::real::Place;

const SECRET: &str = "the plan nobody else may read";

/// Two agents of one user, each in a project of its own; the first has a plan.
fn neighbours(place: &Place) -> (Host, Host) {
    let (mine, theirs) = (place.work().join("mine"), place.work().join("theirs"));
    for dir in [&mine, &theirs] {
        std::fs::create_dir_all(dir).unwrap();
    }
    let open = |dir: &PathBuf| Host::with(place, dir, &["--workspace", dir.to_str().unwrap()]);
    let mut mine = open(&mine);
    mine.ok("tasks_create", json!({"kind": "plan", "title": SECRET}));
    (mine, open(&theirs))
}

fn first(host: &mut Host, stream: &str) -> Value {
    host.ok("history_list", json!({"stream": stream}))["operations"][0].clone()
}

/// Both streams count from one, so an audit record showed the rows of the operation with its number.
#[test]
fn an_audit_record_shows_its_own_data() {
    let place = Place::new();
    let (_mine, mut theirs) = neighbours(&place);
    theirs.fails("tasks_create", json!({"kind": "plan", "title": "refused", "mode": "ask"}));
    let record = first(&mut theirs, "audit");
    let shown = theirs.ok("history_show", json!({"operation_id": record["operation_id"]}));
    assert_eq!(shown["changes"], json!([]), "{shown}");
    assert_eq!(shown["data"]["event"], "refused");
    assert_eq!(shown["request"]["title"], "refused");
    assert!(!shown.to_string().contains(SECRET), "{shown}");
}

#[test]
fn nothing_of_another_workspace_is_shown_to_an_agent() {
    let place = Place::new();
    let (mut mine, mut theirs) = neighbours(&place);
    let op = first(&mut mine, "ops");
    let id = op["operation_id"].as_str().unwrap();
    let key = format!("{}:1", op["who"]["session"].as_str().unwrap());
    assert_eq!(mine.ok("history_show", json!({"request_key": key}))["operation_id"], json!(id));

    let told = theirs.fails("history_show", json!({"request_key": key}));
    assert!(told.contains("did not happen") && !told.contains(SECRET), "{told}");
    let told = theirs.fails("history_show", json!({"operation_id": id}));
    assert!(told.contains("in this workspace"), "{told}");
    for tool in ["history_list", "history_delta"] {
        let told = theirs.fails(tool, json!({"all_workspaces": true}));
        assert!(told.contains("persons") && !told.contains(SECRET), "{told}");
        assert_eq!(theirs.ok(tool, json!({"all_workspaces": false}))["operations"], json!([]));
    }
    theirs.fails("history_list", json!({"before": id}));
    theirs.fails("history_delta", json!({"since": id}));

    // The person whose workspaces they are sees all of it.
    let all = place.packd(&["history", "--all", "--json"]).ok();
    assert!(all.contains(id), "{all}");
    assert!(place.packd(&["show", id, "--json"]).ok().contains(SECRET));
    assert!(place.packd(&["show", "--request", &key, "--json"]).ok().contains(SECRET));
}

/// The mark that families put where the engine fills in an id was filled in anywhere, in people's titles, too.
#[test]
fn what_people_write_is_never_filled_in() {
    let place = Place::new();
    let mut host = Host::new(&place);
    let title = "Document the @op-id@ token and @audit-id@";
    let made = host.ok("tasks_create", json!({"kind": "plan", "title": title, "description": "@op-id@"}));
    assert_eq!(made["result"]["plan"]["title"], title, "{made}");
    let op = made["meta"]["operation_id"].as_str().unwrap();
    assert_eq!(op.len(), 36, "{made}");
    let marked = json!({"kind": "plan", "title": "@op-id@", "tags": ["@op-id@"]});
    let made = host
        .ok("tasks_batch", json!({"operations": [{"intent": "create", "kind": "plan", "title": "@op-id@"}]}));
    assert_eq!(made["result"]["latest_id"].as_str().unwrap().len(), 36, "{made}");
    assert!(made.to_string().contains("\"title\":\"@op-id@\""), "{made}");
    let planned = host.ok(
        "tasks_create",
        json!({"dry_run": true, "audit": true, "kind": "plan", "title": marked["title"]}),
    );
    assert!(planned["meta"]["audit_operation_id"].is_string(), "{planned}");
    let (text, value, _) = host.call("tasks_history", json!({"limit": 5}));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    assert!(!value.to_string().contains("\"latest_id\":\"@op-id@\""), "{value}");
    let pack =
        json!({"action": "create", "name": "pack", "title": title, "brief": "@op-id@", "ttl_minutes": 60});
    assert!(host.ok("input", pack).to_string().contains(title));
}

/// A directory that looks like one of the project's and is not.
fn link_out(place: &Place) -> PathBuf {
    let outside = place.path().join("elsewhere");
    write(&outside.join("TASK-009.task"), &format!("---\nid: TASK-009\ntitle: {SECRET}\n---\n"));
    write(&outside.join("ecosystem.yaml"), &format!("name: demo\ndescription: [{SECRET}]\n"));
    write(&outside.join("plain.txt"), SECRET);
    symlink(&outside, place.work().join("inside")).unwrap();
    outside
}

#[test]
fn tasks_are_imported_from_the_workspace_only() {
    let place = Place::new();
    let outside = link_out(&place);
    let mut host = Host::new(&place);
    let beside = "../elsewhere";
    for dir in [outside.to_str().unwrap(), beside, "inside", "/", "inside/.."] {
        let told = host.fails("tasks_storage", json!({"action": "import", "dir": dir, "dry_run": true}));
        assert!(told.contains("outside") && !told.contains(SECRET), "{dir}: {told}");
    }
    write(&place.work().join("tasks/TASK-001.task"), "---\nid: TASK-001\ntitle: Mine\n---\n");
    symlink(outside.join("TASK-009.task"), place.work().join("tasks/TASK-009.task")).unwrap();
    symlink(&outside, place.work().join("tasks/more")).unwrap();
    let absolute = place.work().join("tasks").canonicalize().unwrap();
    for dir in ["tasks", "./tasks/", absolute.to_str().unwrap()] {
        let got = host.ok("tasks_storage", json!({"action": "import", "dir": dir, "dry_run": true}));
        assert!(got.to_string().contains("Mine") && !got.to_string().contains(SECRET), "{dir}: {got}");
    }
}

#[test]
fn a_manifest_that_leads_out_of_the_workspace_is_not_read() {
    let place = Place::new();
    let outside = link_out(&place);
    let work = place.work();
    std::fs::create_dir_all(work.join("ecosystems/file")).unwrap();
    symlink(&outside, work.join("ecosystems/demo")).unwrap();
    symlink(outside.join("ecosystem.yaml"), work.join("ecosystems/file/ecosystem.yaml")).unwrap();
    symlink(outside.join("plain.txt"), work.join("ecosystems/plain.txt")).unwrap();
    let mut host = Host::new(&place);
    for name in ["demo", "file"] {
        let (text, value, _) = host.call("amof_validate_manifest", json!({"ecosystem": name}));
        let told = format!("{text}{value}");
        assert!(told.contains("outside the workspace") && !told.contains(SECRET), "{name}: {told}");
    }
    for name in ["../../elsewhere", "..", "demo/../demo"] {
        let told = host.fails("amof_validate_manifest", json!({"ecosystem": name}));
        assert!(told.contains("no ecosystem"), "{name}: {told}");
    }
    std::fs::remove_dir_all(work.join("ecosystems")).unwrap();
    write(&outside.join("all/hidden/ecosystem.yaml"), "name: hidden\n");
    symlink(outside.join("all"), work.join("ecosystems")).unwrap();
    let (text, value, _) = host.call("amof_list_ecosystems", json!({}));
    assert!(!format!("{text}{value}").contains("hidden"), "{text}{value}");
}

#[test]
fn packages_are_looked_for_in_the_workspace_only() {
    let place = Place::new();
    let outside = link_out(&place);
    write(&outside.join("aam.yaml"), &format!("name: far\nversion: 1.0.0\ndescription: {SECRET}\n"));
    let mut host = Host::with(&place, &place.work(), &["--allow-write"]);
    std::fs::create_dir_all(place.work().join(".aam")).unwrap();
    for path in [outside.to_str().unwrap(), "../elsewhere", "inside", "inside/aam.yaml", "~/elsewhere"] {
        let told = host.ok("aam_validate", json!({"path": path}));
        assert_eq!((&told["valid"], &told["package_name"]), (&json!(false), &Value::Null), "{path}: {told}");
        assert!(told["errors"][0].as_str().unwrap().contains("outside the workspace"), "{told}");
        let told = host.fails("aam_create_package", json!({"path": path}));
        assert!(told.contains("outside the workspace") || told.contains("not a directory"), "{path}: {told}");
    }
    symlink(outside.join("aam.yaml"), place.work().join("aam.yaml")).unwrap();
    let told = host.ok("aam_validate", json!({})).to_string();
    assert!(told.contains("outside the workspace") && !told.contains(SECRET), "{told}");
    let read = host.ask("resources/read", json!({"uri": "aam://manifest"}));
    assert!(!read.to_string().contains(SECRET), "{read}");
    write(&place.work().join("pkg/aam.yaml"), "name: near\nversion: 1.0.0\n");
    assert_eq!(host.ok("aam_validate", json!({"path": "pkg"}))["package_name"], "near");
}

#[test]
fn a_ref_shows_nothing_outside_its_source_root() {
    let place = Place::new();
    link_out(&place);
    let mut host = Host::new(&place);
    let ok = json!({"action": "create", "name": "walls", "title": "T", "brief": "b", "ttl_minutes": 60});
    host.ok("input", ok);
    let section = json!({"action": "upsert_section", "name": "walls", "expected_revision": 1, "section_key": "sec", "section_title": "S"});
    host.ok("input", section);
    let mut at = |path: &str| {
        host.call(
            "input",
            json!({"action": "upsert_ref", "name": "walls", "expected_revision": 2, "section_key": "sec",
                "ref_key": "ref", "path": path, "line_start": 1, "line_end": 1}),
        )
    };
    for path in ["../elsewhere/plain.txt", "/etc/passwd"] {
        let (text, _, failed) = at(path);
        assert!(failed && !text.contains(SECRET), "{path}: {text}");
    }
    at("inside/plain.txt");
    let (text, _, _) = host.call("output", json!({"action": "read", "name": "walls"}));
    assert!(!text.contains(SECRET), "{text}");
}
