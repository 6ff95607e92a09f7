//! Where am I? One call that never fails, in at most 3 kB, the same for tool, resource and prompt; and the workspace that
//! linked work trees share.

use std::process::Command;

use serde_json::{Value, json};

use crate::common::engine::{TestEngine, session_info};
use crate::common::host::{Host, write};
use crate::common::real::{PACKD, Place};

fn now(t: &TestEngine, session: &std::sync::Arc<packd::engine::Session>) -> String {
    let reply = t.call(session, "now", json!({}));
    assert!(!reply.is_error, "{}", reply.text);
    assert!(reply.text.len() <= 3 * 1024, "{} bytes", reply.text.len());
    reply.text
}

fn plan_with_task(t: &TestEngine, session: &std::sync::Arc<packd::engine::Session>) {
    t.ok(session, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let steps = json!([{"title": "Parse the file", "success_criteria": ["It parses"], "tests": ["make test"]},
        {"title": "Write it again", "success_criteria": ["It writes"]}]);
    t.ok(session, "tasks_create", json!({"parent": "PLAN-001", "title": "Reader", "steps": steps}));
}

#[test]
fn an_empty_workspace_is_no_error() {
    let t = TestEngine::new();
    let session = t.session("s1", "/w");
    assert_eq!(
        now(&t, &session),
        "In hand: nothing (no plan and no task is open here)\n\
         Next: tasks_create {\"kind\":\"plan\",\"title\":\"<fill: what is to be done>\"}"
    );
    t.ok(&session, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let planned = now(&t, &session);
    assert!(
        planned.contains("PLAN-001 Plan is open") && planned.contains("\"parent\":\"PLAN-001\""),
        "{planned}"
    );
    assert!(!t.call(&session, "now", json!({"verbose": true})).is_error, "whatever is sent along");
}

#[test]
fn it_says_what_is_in_hand_how_it_chose_and_what_was_noted() {
    let t = TestEngine::new();
    let (one, two) = (t.session("session-one", "/w"), t.session("session-two", "/w"));
    plan_with_task(&t, &one);
    let free = now(&t, &one);
    assert!(
        free.contains("TASK-001 Reader can be started")
            && free.contains("Next: tasks_claim {\"task\":\"TASK-001\"}")
            && free.contains("Step s:0: Parse the file"),
        "{free}"
    );
    t.ok(&one, "tasks_claim", json!({"next": true}));
    t.ok(&one, "tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": "half way: tests red"}));
    let mine = now(&t, &one);
    for part in [
        "In hand: TASK-001 Reader",
        "this session claimed it",
        "Step s:0: Parse the file",
        "done when: It parses",
        "test with: make test",
        "half way: tests red",
        "Held:\n- TASK-001 Reader: you",
        "Next: tasks_",
    ] {
        assert!(mine.contains(part), "{part} is missing:\n{mine}");
    }
    assert!(mine.find("Next:").unwrap() < 500, "the next call stands early:\n{mine}");
    let theirs = now(&t, &two);
    assert!(theirs.contains("do not work on it") || theirs.contains("test (session session-)"), "{theirs}");
    t.ok(&two, "tasks_create", json!({"parent": "PLAN-001", "title": "Writer"}));
    let news = now(&t, &one);
    assert!(
        news.contains("Done by others since you looked just now:") && news.contains("TASK-002"),
        "{news}"
    );
    // Nobody waits for the mark to be kept; a write behind it has waited.
    t.ok(&one, "tasks_focus_set", json!({"task": "TASK-002"}));
    let focused = now(&t, &one);
    assert!(focused.contains("In hand: TASK-002 Writer, TODO, 0 % (it is the focus)"), "{focused}");
    assert!(!focused.contains("Done by others"), "told once: {focused}");
}

#[test]
fn a_long_task_still_fits() {
    let t = TestEngine::new();
    let session = t.session("s1", "/w");
    t.ok(&session, "tasks_create", json!({"kind": "plan", "title": "p".repeat(500)}));
    let long = "x".repeat(2000);
    let steps: Vec<Value> = (0..50)
        .map(|n| json!({"title": format!("{n} {}", "y".repeat(400)), "success_criteria": [long, long, long, long, long], "tests": [long, long]}))
        .collect();
    t.ok(&session, "tasks_create", json!({"parent": "PLAN-001", "title": "t".repeat(500), "steps": steps}));
    t.ok(&session, "tasks_claim", json!({"next": true}));
    for _ in 0..5 {
        t.ok(&session, "tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": long}));
    }
    assert!(now(&t, &session).contains("TASK-001"));
}

/// A session that was not offered a tool is not sent to it.
#[test]
fn next_calls_name_only_what_the_session_has() {
    let t = TestEngine::new();
    plan_with_task(&t, &t.session("s1", "/w"));
    let mut info = session_info("s2", "/w");
    info.offered = packd::core::Offered::only(["now".to_string()]);
    let narrow = t.open(info);
    let text = now(&t, &narrow);
    assert!(text.contains("TASK-001") && !text.contains("Next:"), "{text}");
}

#[test]
fn tool_resource_and_prompt_say_the_same_through_real_programs() {
    let place = Place::new();
    let mut host = Host::new(&place);
    host.ok("tasks_create", json!({"kind": "plan", "title": "Plan"}));
    host.ok("tasks_create", json!({"parent": "PLAN-001", "title": "Reader"}));
    let (text, _, failed) = host.call("now", json!({}));
    assert!(!failed && text.contains("TASK-001 Reader"), "{text}");
    let read = host.ask("resources/read", json!({"uri": "packd://now"}));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("TASK-001 Reader"), "{read}");
    let prompt = host.ask("prompts/get", json!({"name": "resume"}));
    let said = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(said.starts_with("Go on with the work in hand.") && said.contains("TASK-001 Reader"), "{said}");
}

/// A host whose `now` said nothing of them: an agent went on with a pack that showed other code than it had been made
/// of, over agent files that somebody had edited by hand.
#[test]
fn stale_packs_and_drifted_deploys_are_told_everywhere_through_real_programs() {
    let place = Place::new();
    let work = place.work();
    write(&work.join("src/a.rs"), "fn one() {}\nfn two() {}\nfn three() {}\n");
    let repo = place.path().join("config");
    write(&repo.join("agentpack.yaml"), DEPLOYED);
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
    let mut host = Host::with(&place, &work, &["--allow-write", "--mode", "execute"]);
    let refs = json!([{"key": "two", "path": "src/a.rs", "lines": "2-2", "title": "Two"}]);
    let sections = json!([{"key": "main", "title": "Main", "refs": refs}]);
    let pack = json!({"action": "write", "name": "walker", "title": "Walker", "sections": sections});
    host.ok("input", pack);
    let with_repo = |mut more: Value| {
        more["repo"] = json!(repo);
        more
    };
    let token = host.ok("deploy", with_repo(json!({})))["data"]["confirm_token"].clone();
    host.ok("deploy_apply", with_repo(json!({"yes": true, "confirm_token": token})));
    let quiet = host.call("now", json!({})).0;
    assert!(!quiet.contains("Look at:"), "nothing is stale yet: {quiet}");

    write(&work.join("src/a.rs"), "fn one() {}\nfn other() {}\nfn three() {}\n");
    write(&work.join("AGENTS.md"), "# edited by hand\n");
    let (text, _, failed) = host.call("now", json!({}));
    assert!(!failed && text.len() <= 3 * 1024, "{text}");
    let read = host.ask("resources/read", json!({"uri": "packd://now"}));
    let prompt = host.ask("prompts/get", json!({"name": "resume"}));
    let resource = read["result"]["contents"][0]["text"].as_str().unwrap().to_string();
    let resume = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_string();
    for said in [&text, &resource, &resume] {
        assert!(said.contains("1 stale pack (walker) no longer shows the code as it is."), "{said}");
        assert!(said.contains("(input {\"action\":\"check\",\"id\":\"pk_"), "{said}");
        assert!(said.contains("1 deployed file is no longer what was deployed (AGENTS.md)."), "{said}");
        assert!(said.contains("(status {\"repo\":"), "{said}");
    }
    let mut command = place.command(PACKD);
    let screen = command.current_dir(&work).output().unwrap();
    let screen = String::from_utf8_lossy(&screen.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        screen.contains("1 stale pack (walker) no longer shows the code as it is. (`packd pack check`)"),
        "{screen}"
    );
    assert!(screen.contains("no longer what was deployed (AGENTS.md). (`packd deploy status`)"), "{screen}");

    std::fs::remove_file(work.join("AGENTS.md")).unwrap();
    assert!(host.call("now", json!({})).0.contains("1 deployed file"), "one that is gone has drifted, too");
}

const DEPLOYED: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
";

/// However many packs there are, `now` looks at some of them and says so.
#[test]
fn a_glance_is_bounded_and_says_so() {
    let t = TestEngine::new();
    let session = t.session("s1", "/w");
    for n in 0..25 {
        let pack = json!({"action": "create", "name": format!("pack-{n}"), "title": "P", "ttl_minutes": 60});
        t.ok(&session, "input", pack);
    }
    let text = now(&t, &session);
    assert!(
        text.contains("Only the newest 20 packs were checked against the code; none is stale."),
        "{text}"
    );
}

fn git(dir: &std::path::Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main"]);
    let out = command.args(args).current_dir(dir).env("HOME", dir).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
}

/// Parallel agents each have a work tree: they share the tasks, and what one claims the others see.
#[test]
fn linked_work_trees_share_a_workspace_and_keep_their_files_apart() {
    let place = Place::new();
    let main = place.work();
    git(&main, &["init", "-q"]);
    git(&main, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let tree = place.path().join("tree");
    git(&main, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let mut first = Host::with(&place, &main, &[]);
    let mut second = Host::with(&place, &tree, &["--allow-write"]);
    first.ok("tasks_create", json!({"kind": "plan", "title": "Plan"}));
    first.ok("tasks_create", json!({"parent": "PLAN-001", "title": "Shared"}));
    let claimed = second.ok("tasks_claim", json!({"next": true}));
    assert_eq!(claimed["result"]["task_id"], "TASK-001");
    let waiting = first.ok("tasks_ready", json!({}))["result"]["waiting"].clone();
    assert_eq!(waiting[0]["task_id"], "TASK-001", "{waiting}");
    let (text, _, _) = second.call("now", json!({}));
    assert!(text.contains("this session claimed it"), "{text}");
    // Who looks at the shared history sees which of the trees each was in.
    second.ok("tasks_create", json!({"parent": "PLAN-001", "title": "Made in the tree"}));
    let history = first.ok("history_list", json!({}));
    let trees: Vec<&Value> =
        history["operations"].as_array().unwrap().iter().map(|op| &op["who"]["tree"]).collect();
    assert_eq!(trees, [&json!(tree.canonicalize().unwrap()), &Value::Null, &Value::Null], "{history}");
    let theirs = history["operations"][0]["operation_id"].as_str().unwrap();
    let shown = place.packd(&["show", theirs]);
    assert!(shown.stdout.lines().any(|l| l.starts_with("tree") && l.ends_with("/tree")), "{}", shown.stdout);
    // A directory that only says it is a work tree of another project is none.
    let liar = place.path().join("liar");
    std::fs::create_dir(&liar).unwrap();
    std::fs::write(liar.join(".git"), format!("gitdir: {}/.git/worktrees/tree\n", main.display())).unwrap();
    let mut third = Host::with(&place, &liar, &[]);
    assert_eq!(third.ok("tasks_ready", json!({}))["result"]["waiting"], json!([]));
}

#[test]
fn words_find_things_and_each_hit_opens() {
    let t = TestEngine::new();
    let session = t.session("s1", "/w");
    plan_with_task(&t, &session);
    t.ok(
        &session,
        "tasks_note",
        json!({"task": "TASK-001", "path": "s:0", "note": "the walker skips links"}),
    );
    let pack = json!({"action": "create", "name": "walker-notes", "title": "How the walker works", "ttl_minutes": 60});
    t.ok(&session, "input", pack);
    let found = t.ok(&session, "find", json!({"query": "Walker"}));
    let kinds: Vec<&str> =
        found["hits"].as_array().unwrap().iter().map(|h| h["kind"].as_str().unwrap()).collect();
    assert_eq!(&kinds[..2], ["packs", "tasks"], "a title before a note: {found}");
    for hit in found["hits"].as_array().unwrap() {
        let call = &hit["call"];
        let reply = t.call(&session, call["tool"].as_str().unwrap(), call["arguments"].clone());
        assert!(!reply.is_error, "{call}: {}", reply.text);
    }
    let mut info = session_info("s3", "/w");
    info.offered = packd::core::Offered::only(["find".to_string(), "history_list".to_string()]);
    let daily = t.ok(&t.open(info), "find", json!({"query": "walker", "kinds": ["tasks"]}));
    assert_eq!(daily["hits"][0]["call"]["tool"], "history_list", "only what the session has: {daily}");
    let none = t.ok(&session, "find", json!({"query": "walker nowhere"}));
    assert_eq!(none["hits"], json!([]));
    let only = t.ok(&session, "find", json!({"query": "walker", "kinds": ["tasks"]}));
    assert_eq!(only["hits"].as_array().unwrap().len(), 1);
    assert!(t.call(&session, "find", json!({"query": "x", "kinds": ["pack"]})).is_error, "no such kind");
    assert!(t.call(&session, "find", json!({"query": " "})).is_error);
    let elsewhere = t.session("s2", "/other");
    assert_eq!(t.ok(&elsewhere, "find", json!({"query": "walker"}))["hits"], json!([]), "another workspace");
}

#[test]
fn twenty_hits_are_three_kilobytes() {
    let t = TestEngine::new();
    let session = t.session("s1", "/w");
    t.ok(&session, "tasks_create", json!({"kind": "plan", "title": "Plan"}));
    for n in 0..30 {
        t.ok(
            &session,
            "tasks_create",
            json!({"parent": "PLAN-001", "title": format!("Needle {n} {}", "z".repeat(300))}),
        );
    }
    let reply = t.call(&session, "find", json!({"query": "needle"}));
    assert!(reply.text.len() <= 3 * 1024, "{} bytes", reply.text.len());
    let found = reply.structured.unwrap();
    assert_eq!(found["hits"].as_array().unwrap().len(), 20);
    assert!(found["found"].as_u64().unwrap() >= 30);
}
