//! How replies are made, whatever the tool: bounded, with what matters first, naming only calls that can be made.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::rig::{Agent, Said};
use crate::common::real::Place;

const MOST: usize = 16 * 1024;
/// What some hosts show of a reply that is too long for them.
const HEAD: usize = 500;

fn write(path: std::path::PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A plan of many tasks, one of them with many steps, all with long texts.
fn long_work(agent: &mut Agent) {
    let long = "x".repeat(2_000);
    agent.ok(
        "tasks_create",
        json!({"kind": "plan", "title": "Release", "contract": long, "description": long}),
    );
    let step = |n: usize| {
        json!({"title": format!("Step {n} {}", "s".repeat(200)), "success_criteria": [long, long],
            "tests": [format!("cargo test {}", "y".repeat(300))], "blockers": ["b".repeat(300)]})
    };
    let steps: Vec<Value> = (0..120).map(step).collect();
    let title = "t".repeat(180);
    agent.ok(
        "tasks_create",
        json!({"parent": "PLAN-001", "title": title, "description": long, "steps": steps}),
    );
    for n in 0..45 {
        agent.ok("tasks_create", json!({"parent": "PLAN-001", "title": format!("{n} {title}")}));
    }
    agent.ok("tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": long}));
}

/// Packs, one of them with many refs into a long file, and a deploy of many files.
fn long_files(place: &Place, agent: &mut Agent) {
    for n in 0..40 {
        let brief = "b".repeat(800);
        agent.ok(
            "input",
            json!({"action": "create", "name": format!("pack-{n}"), "title": "T".repeat(150),
            "brief": brief, "ttl_minutes": 60}),
        );
    }
    let line = |n: usize| format!("let long_{n} = compute({n}); // {}\n", "c".repeat(80));
    write(place.work().join("src/long.rs"), &(0..2_000).map(line).collect::<String>());
    let item = |n: usize| {
        let lines = format!("{}-{}", n * 20 + 1, n * 20 + 20);
        json!({"key": format!("ref-{n}"), "path": "src/long.rs", "lines": lines, "why": "w".repeat(200)})
    };
    let section = |s: usize| {
        let refs: Vec<Value> = (0..40).map(item).collect();
        json!({"key": format!("part-{s}"), "refs": refs})
    };
    let sections: Vec<Value> = (0..3).map(section).collect();
    agent.ok("input", json!({"action": "write", "name": "huge", "sections": sections}));
    let repo = place.path().join(".agentpack/repo");
    let mut config = "version: 1\nprofiles: {default: {include_tags: [core]}}\ntargets: {codex: {mode: files, scope: both}}\nmodules:\n".to_string();
    for n in 0..50 {
        let source = format!("source: {{local_path: {{path: modules/tool{n}}}}}");
        config += &format!("  - {{id: 'skill:tool{n}', type: skill, tags: [core], {source}}}\n");
        let text =
            format!("---\nname: tool{n}\ndescription: does things\n---\n\n{}", "Use it.\n".repeat(200));
        write(repo.join(format!("modules/tool{n}/SKILL.md")), &text);
    }
    write(repo.join("agentpack.yaml"), &config);
}

#[test]
fn no_reply_is_longer_than_16_kilobytes_unless_its_length_was_asked_for() {
    let place = Place::new();
    let mut agent = Agent::new(&place, &[]);
    long_work(&mut agent);
    long_files(&place, &mut agent);
    let task = json!({"task": "TASK-001"});
    let plan = json!({"plan": "PLAN-001"});
    let mut calls = vec![
        ("now", json!({})),
        ("find", json!({"query": "step"})),
        ("tasks_resume", json!({"task": "TASK-001", "compact": false})),
        ("tasks_resume", json!({"task": "TASK-001", "include_steps": true})),
        ("tasks_context", json!({"include_all": true})),
        ("tasks_history", json!({})),
        ("tasks_delta", json!({})),
        ("tasks_ready", json!({})),
        ("tasks_note", json!({"task": "TASK-001", "path": "s:1", "note": "n".repeat(40_000)})),
        ("tasks_edit", json!({"task": "TASK-001", "description": "d".repeat(40_000)})),
        ("history_list", json!({})),
        ("history_delta", json!({})),
        ("history_undo", json!({"mode": "plan"})),
        ("input", json!({})),
        ("input", json!({"action": "get", "name": "huge"})),
        ("input", json!({"action": "check", "name": "huge"})),
        ("output", json!({})),
        ("output", json!({"name": "huge"})),
    ];
    for tool in
        ["tasks_radar", "tasks_handoff", "tasks_context_pack", "tasks_resume", "tasks_mirror", "tasks_lint"]
    {
        calls.extend([(tool, task.clone()), (tool, plan.clone())]);
    }
    for tool in ["plan", "diff", "preview", "status", "doctor", "deploy"] {
        calls.push((tool, json!({})));
    }
    calls.push(("preview", json!({"diff": true})));
    let mut over = Vec::new();
    let mut tell = |said: &Said, what: String| {
        assert!(!said.failed, "{what}: {}", said.text);
        if said.bytes() > MOST {
            over.push(format!("{what}: {} bytes", said.bytes()));
        }
    };
    for (tool, args) in calls {
        let said = agent.call(tool, &args);
        let shown: String = args.to_string().chars().take(60).collect();
        tell(&said, format!("{tool} {shown}"));
    }
    let log = agent.ok("history_list", json!({"limit": 100}));
    for op in log["operations"].as_array().unwrap() {
        let said = agent.call("history_show", &json!({"operation_id": op["operation_id"]}));
        tell(&said, format!("history_show of {}", op["summary"]));
    }
    assert!(over.is_empty(), "{over:#?}");
}

/// Every call that a reply names, wherever it stands.
fn named(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let call = map.get("tool").filter(|_| map.contains_key("arguments"));
            let call = call.or_else(|| map.get("target").filter(|_| map.contains_key("validated")));
            out.extend(call.and_then(Value::as_str).map(str::to_string));
            map.values().for_each(|value| named(value, out));
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, out)),
        _ => {}
    }
}

#[test]
fn a_session_with_the_small_set_is_sent_to_tools_that_it_has() {
    let place = Place::new();
    let mut agent = Agent::new(&place, &["--toolsets", "core"]);
    let listed = agent.tools();
    let confirmed = json!({"confirmed": true});
    let both = json!({"criteria": confirmed, "tests": confirmed});
    let at = json!({"task": "TASK-001", "path": "s:0"});
    let with = |more: Value| super::mistakes::with(&at, more);
    let step = json!({"title": "A step", "success_criteria": ["It works"], "tests": ["true"]});
    let writes = [
        ("tasks_create", json!({"kind": "plan", "title": "Release"})),
        (
            "tasks_create",
            json!({"parent": "PLAN-001", "title": "T", "success_criteria": ["c"], "steps": [step]}),
        ),
        ("tasks_claim", json!({"task": "TASK-001"})),
        ("tasks_note", with(json!({"note": "n"}))),
        ("tasks_evidence_capture", with(json!({"verification_outcome": "pass"}))),
        ("tasks_close_step", with(json!({"checkpoints": both}))),
        ("tasks_close_task", json!({"task": "TASK-001", "apply": true})),
    ];
    let errors = [
        ("tasks_close_step", json!({"task": "TASK-001", "path": "s:9", "checkpoints": both})),
        ("tasks_note", json!({"path": "s:0", "note": "n"})),
        ("tasks_claim", json!({"task": "TASK-9"})),
        ("tasks_create", json!({"title": "T", "parent": "PLAN-9"})),
    ];
    for (tool, args) in writes.iter().chain(&errors) {
        let said = agent.call(tool, args);
        let mut calls = Vec::new();
        named(&said.body, &mut calls);
        for call in &calls {
            assert!(listed.contains(call), "{tool} {args} sends to {call}: {}", said.text);
        }
        assert!(said.failed || said.next().is_some(), "{tool} {args} names no next call: {}", said.text);
    }
}

impl Agent {
    fn tools(&mut self) -> BTreeSet<String> {
        let listed = self.ask("tools/list", json!({}));
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_string();
        listed["result"]["tools"].as_array().unwrap().iter().map(name).collect()
    }
}

/// Replies about tasks keep the order of their contract, where the result stands before the suggestions.
#[test]
fn outcome_and_next_call_stand_at_the_beginning() {
    let place = Place::new();
    write(place.path().join("registry/.keep"), "");
    let mut agent = Agent::new(&place, &["--allow-write"]);
    let calls = [
        ("deploy_init", json!({})),
        ("deploy", json!({})),
        ("aam_registry_add", json!({"name": "main", "url": "../registry", "set_default": true})),
        ("aam_init", json!({"name": "first"})),
        ("aam_publish", json!({})),
    ];
    for (tool, args) in calls {
        let said = agent.call(tool, &args);
        let head: String = said.text.chars().take(HEAD).collect();
        let (next, _) =
            said.next().unwrap_or_else(|| panic!("{tool} {args} names no next call: {}", said.text));
        assert!(head.contains(&next), "{tool} {args} names {next} too late: {}", said.text);
        let outcome = if said.failed { ["\"code\":", "message"] } else { ["true", "_id"] };
        let told = said.text.starts_with('[') || outcome.iter().any(|word| head.contains(word));
        assert!(told, "{tool} {args} does not begin with its outcome: {head}");
    }
}
