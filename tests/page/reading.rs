//! What is shown, as bytes: everything agents wrote is text, and without scripts the page still reads.

use serde_json::json;

use super::visit::{Visit, agent, asks_for_deploy, call, deployable, gated};
use crate::families::deploy::rig::write;

const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

#[test]
fn without_scripts_there_are_tasks_packs_and_operations() {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "Ship OAuth"]).ok();
    visit.place.packd(&["pack", "new", "Login flow", "--name", "login-flow"]).ok();
    let page = visit.get("/").body;
    for word in ["Ship OAuth", "login-flow", "Login flow", "Made TASK-001", "~/work"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    for id in ["needs", "now", "timeline", "tasks", "packs", "deploy", "runs", "plots"] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    let times = page.matches("<time datetime=").count();
    assert!(times >= 3, "{times}");
}

#[test]
fn whatever_an_agent_wrote_is_text() {
    let visit = Visit::new();
    let mut agent = agent(&visit.place);
    call(&mut agent, "tasks_create", json!({"kind": "plan", "title": HOSTILE}));
    call(
        &mut agent,
        "tasks_create",
        json!({"kind": "task", "parent": "PLAN-001", "title": HOSTILE, "description": HOSTILE,
               "steps": [{"title": HOSTILE, "success_criteria": [HOSTILE], "tests": [HOSTILE]}]}),
    );
    write(&visit.place.work().join("a.rs"), "fn a() {}\n");
    let written = call(
        &mut agent,
        "input",
        json!({"action": "write", "name": "hostile", "title": HOSTILE, "brief": HOSTILE, "sections": [{
            "key": "one", "title": HOSTILE, "description": HOSTILE,
            "refs": [{"key": "aa", "path": "a.rs", "lines": "1-1", "title": HOSTILE, "why": HOSTILE}],
            "diagrams": [{"key": "dd", "title": HOSTILE, "mermaid": "graph LR\n A[\"<script>x</script>\"]-->B"}]}]}),
    );
    assert!(written["payload"]["id"].is_string(), "{written}");
    let work = visit.place.work().canonicalize().unwrap().display().to_string().replace('/', "%2F");
    let first = visit.get("/").body;
    let pack = first.split("href=\"/pack/").nth(1).unwrap().split('"').next().unwrap().to_string();
    let ids = visit.place.packd(&["history", "--json"]).json();
    let mut screens = vec![
        first,
        visit.get(&format!("/task/TASK-001?project={work}")).body,
        visit.get(&format!("/pack/{pack}")).body,
        visit.get(&format!("/?client={}", "%3Cscript%3Ealert(1)%3C%2Fscript%3E")).body,
    ];
    for op in ids["operations"].as_array().unwrap() {
        screens.push(visit.get(&format!("/operation/{}", op["operation_id"].as_str().unwrap())).body);
    }
    for screen in &screens {
        assert!(
            !screen.contains("<script>") && !screen.contains("<img") && !screen.contains("alert(1)</"),
            "{screen}"
        );
    }
    assert!(screens[1].contains("&lt;script&gt;alert(1)"), "{}", screens[1]);
    assert!(screens[2].contains("graph LR") && screens[2].contains("&lt;script&gt;x"), "{}", screens[2]);
    assert!(screens[2].contains(">ok</span>"), "each ref has its verdict: {}", screens[2]);
}

/// A mark that turns text around turned the words of the page beside it around, too: "gnidnep" for "pending".
#[test]
fn what_cannot_be_seen_is_shown() {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "photo\u{202e}gnp.exe \u{1b}[31mred\u{200b}"]).ok();
    let id = visit.place.packd(&["history", "--json"]).json()["operations"][0]["operation_id"].clone();
    let work = visit.place.work().canonicalize().unwrap().display().to_string().replace('/', "%2F");
    let preview = visit.post("/undo", &json!({"operation_id": id})).body;
    let one = visit.get(&format!("/task/TASK-001?project={work}")).body;
    for text in [visit.get("/").body, one.clone(), preview] {
        let hidden = |c: char| matches!(c, '\u{202e}' | '\u{1b}' | '\u{200b}');
        assert!(!text.contains(hidden) && !text.contains("\\u001b"), "{text}");
    }
    assert!(one.contains("photo⟨202E⟩gnp.exe ⟨1B⟩[31mred⟨200B⟩"), "{one}");
}

/// Pages of twenty steps are for agents, who go on reading.
#[test]
fn a_plan_shows_its_tasks_and_a_task_all_its_steps_with_evidence() {
    let visit = Visit::new();
    let mut agent = agent(&visit.place);
    let plan = json!({"kind": "plan", "title": "Release", "contract_data": {"goal": "Ship it safely", "risks": ["The keys"]}});
    call(&mut agent, "tasks_create", plan);
    let steps: Vec<_> = (0..190)
        .map(|n| json!({"title": format!("Step of number {n}"), "success_criteria": ["It works"]}))
        .collect();
    let task = json!({"kind": "task", "parent": "PLAN-001", "title": "Many steps", "steps": steps});
    call(&mut agent, "tasks_create", task);
    let ran = json!({"kind": "cmd_output", "command": "cargo test", "stdout": "230 passed & <done>", "exit_code": 0});
    call(&mut agent, "tasks_evidence_capture", json!({"task": "TASK-001", "path": "s:189", "items": [ran]}));
    call(&mut agent, "tasks_claim", json!({"task": "TASK-001"}));
    let work = visit.place.work().canonicalize().unwrap().display().to_string().replace('/', "%2F");
    let plan = visit.get(&format!("/task/PLAN-001?project={work}")).body;
    for word in ["Ship it safely", "The keys", "Many steps", "/task/TASK-001?"] {
        assert!(plan.contains(word), "{word}: {plan}");
    }
    let task = visit.get(&format!("/task/TASK-001?project={work}")).body;
    assert_eq!(task.matches("Step of number ").count(), 190);
    for word in
        ["<code>cargo test</code>", "exit 0", "230 passed &amp; &lt;done&gt;", "<dt>Held by</dt><dd>test"]
    {
        assert!(task.contains(word), "{word}: {task}");
    }
}

#[test]
fn a_click_opens_the_diff_and_filters_narrow_the_timeline() {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "Ship OAuth"]).ok();
    visit.place.packd(&["pack", "new", "Login flow"]).ok();
    let mut agent = agent(&visit.place);
    call(&mut agent, "tasks_create", json!({"kind": "plan", "title": "By the agent"}));
    let page = visit.get("/?family=tasks").body;
    assert!(page.contains("Made TASK-001") && !page.contains("Made pack"), "{page}");
    let page = visit.get("/?client=test").body;
    assert!(page.contains("Made PLAN-002") && !page.contains("Made PLAN-001"), "{page}");
    let all = visit.get("/").body;
    assert!(all.contains("data-session="), "the agent is connected: {all}");
    let session = super::visit::attribute(&all, "data-session=", "data-session");
    let page = visit.get(&format!("/?session={session}")).body;
    assert!(page.contains("Made PLAN-002") && !page.contains("Made TASK-001"), "{page}");
    let id = super::visit::attribute(&all, "<li class=\"op\"", "data-id");
    let one = visit.get(&format!("/operation/{id}")).body;
    assert!(one.contains("<ins>") && one.contains("By the agent"), "{one}");
    for missing in
        ["/operation/nosuch", "/task/TASK-999", "/pack/nosuch", "/run/nosuch", "/nosuch", "/operation/"]
    {
        assert_eq!(visit.get(missing).status, 404, "{missing}");
    }
    let elsewhere = visit.get("/?project=%2Fetc").body;
    assert!(elsewhere.contains("Nothing was done in a project of that name"), "{elsewhere}");
}

#[test]
fn stale_packs_drift_and_numbers_are_shown() {
    let visit = Visit::at({
        let place = crate::common::real::Place::new();
        deployable(&place);
        place
    });
    let place = &visit.place;
    write(&place.work().join("a.rs"), "fn a() {\n    one();\n}\n");
    place.packd(&["pack", "new", "Login", "--name", "login"]).ok();
    place.packd(&["pack", "add", "login", "a.rs:1-3", "--why", "the check"]).ok();
    place.packd(&["deploy", "--apply", "--yes"]).ok();
    assert!(visit.get("/part/stale").body.contains("Every ref shows what it was made of."));
    write(&place.work().join("AGENTS.md"), "# by hand\n");
    std::fs::remove_file(place.work().join("a.rs")).unwrap();
    let drift = visit.get("/part/deploy").body;
    assert!(drift.contains("AGENTS.md") && drift.contains("packd deploy diff"), "{drift}");
    let numbers = visit.get("/part/plots").body;
    assert!(
        numbers.contains("<svg") && numbers.contains("</span> you ") && numbers.contains("The store"),
        "{numbers}"
    );
    // What was looked at stands for a while; a page of its own is looked at anew.
    let page = visit.get("/").body;
    let address = page.split("href=\"/pack/").nth(1).unwrap().split('"').next().unwrap().to_string();
    let pack = visit.get(&format!("/pack/{address}")).body;
    assert!(pack.contains("1 missing") || pack.contains("1 lost"), "{pack}");
}

#[test]
fn what_waits_is_shown_whole() {
    let visit = Visit::at(gated(""));
    let mut agent = agent(&visit.place);
    let id = asks_for_deploy(&mut agent);
    let page = visit.get("/").body;
    assert!(page.contains(&format!("data-confirmation=\"{id}\"")), "{page}");
    assert!(
        page.contains("AGENTS.md")
            && page.contains(">Approve</button>")
            && page.contains(">Decline</button>"),
        "{page}"
    );
    assert!(page.contains("<ins>+# base\n</ins>"), "with what would be in the files: {page}");
}
