//! What an agent reads of ecosystems: the same facts in both forms, and next calls that are right.

use serde_json::{Value, json};

use super::rig::Rig;

/// Every text and number of a structured reply, but for the calls it suggests and where it stands.
fn facts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.is_empty() => out.push(text.clone()),
        Value::Number(n) => out.push(n.to_string()),
        Value::Array(items) => items.iter().for_each(|item| facts(item, out)),
        Value::Object(map) => {
            let told = |name: &str| ["_context", "next", "execute_hint", "confirmation"].contains(&name);
            map.iter().filter(|(name, _)| !told(name)).for_each(|(_, value)| facts(value, out));
        }
        _ => {}
    }
}

/// Names of states and actions; the sentences say them in their own way.
fn is_word(fact: &str) -> bool {
    fact.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn is_commit(fact: &str) -> bool {
    fact.len() == 40 && fact.bytes().all(|b| b.is_ascii_hexdigit())
}

#[test]
fn both_forms_of_a_preview_carry_the_same_facts() {
    let rig = Rig::silent();
    let plan =
        rig.t.call(&rig.session, "amof_install_ecosystem", json!({"ecosystem": "demo", "mode": "plan"}));
    let told = plan.structured.clone().unwrap();
    let mut all = Vec::new();
    facts(&told, &mut all);
    for fact in all.iter().filter(|fact| !is_word(fact)) {
        let shown = if is_commit(fact) { &fact[..8] } else { fact.as_str() };
        assert!(plan.text.contains(shown), "{fact:?} is not in the text:\n{}", plan.text);
    }
    for line in plan.text.lines().skip(1).filter(|line| !line.is_empty() && !line.contains(": [amof_")) {
        let known = told.to_string();
        let part = |word: &str| known.contains(word.trim_matches(|c: char| "[]();,:".contains(c)));
        assert!(line.split_whitespace().filter(|w| w.len() > 12).all(part), "only in the text: {line}");
    }
}

#[test]
fn a_question_leads_to_its_answer_and_the_answer_does_not_repeat_it() {
    let rig = Rig::new();
    let asked = rig.ok("amof_install_ecosystem", json!({"ecosystem": "demo"}));
    assert_eq!(asked["status"], "confirmation_required");
    assert_eq!(asked["next"][0]["tool"], "amof_confirm");
    assert!(asked["confirmation"]["question"].as_str().unwrap().contains("amof_confirm"));
    assert!(asked.get("execute_hint").is_none(), "the same call again would only ask again");
    let started = rig.ok("amof_confirm", asked["next"][0]["arguments"].clone());
    assert!(started.get("clones").is_none() && started.get("details").is_none(), "{started}");
    assert_eq!(started["next"][0]["tool"], "amof_get_run_status");
    let ended = rig.ok("amof_get_run_status", started["next"][0]["arguments"].clone());
    assert_eq!(ended["status"], "success", "{ended}");
    assert!(ended["next"].as_array().unwrap().iter().all(|n| n["tool"] != "amof_get_run_status"), "{ended}");
}

#[test]
fn where_there_is_no_directory_of_ecosystems_it_is_said_and_can_be_made() {
    let rig = Rig::silent();
    std::fs::remove_dir_all(rig.root().join("ecosystems")).unwrap();
    let reply = rig.t.call(&rig.session, "amof_validate_manifest", json!({"ecosystem": "shop"}));
    let told = reply.structured.unwrap();
    assert!(reply.is_error);
    assert_eq!(told["error"]["code"], "no_workspace", "{told}");
    assert!(reply.text.contains("packd://templates/ecosystem.yaml"), "{}", reply.text);
    let next = &told["next"][0];
    assert_eq!(next["tool"], "amof_init_ecosystem");
    rig.ok("amof_init_ecosystem", next["arguments"].clone());
    assert_eq!(rig.ok("amof_validate_manifest", json!({"ecosystem": "shop"}))["valid"], true);
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!rig.root().join("ecosystems/shop/ecosystem.yaml").exists());
}

#[test]
fn a_release_that_is_not_ready_is_not_sent_to_the_call_that_refuses_it() {
    let rig = Rig::silent();
    rig.write("loose.txt", "not committed");
    let told = rig.ok("amof_release_validate", json!({}));
    assert_eq!(told["valid"], false);
    let next = &told["next"][0];
    assert_ne!(next["tool"], "amof_release_bump");
    rig.ok(next["tool"].as_str().unwrap(), next["arguments"].clone());
}

#[test]
fn a_log_is_bounded_and_says_how_to_go_on() {
    let rig = Rig::new();
    let long = "x".repeat(20_000);
    let script =
        format!("#!/bin/sh\necho {long}\nfor i in 1 2 3 4 5 6 7 8 9; do echo {}; done\n", "y".repeat(1500));
    rig.write("provisioners/local/spin.sh", &script);
    let run = rig.done("amof_spin_deploy", json!({"ecosystem": "demo"}));
    let id = run["run_id"].clone();
    let logs = rig.t.call(&rig.session, "amof_get_run_logs", json!({"run_id": id}));
    let told = logs.structured.unwrap();
    assert!(logs.text.len() + told.to_string().len() <= 16 * 1024);
    assert!(told["left_out"].as_u64().unwrap() > 0, "{told}");
    let next = &told["next"][0];
    let whole = rig.ok(next["tool"].as_str().unwrap(), next["arguments"].clone());
    let text = whole.to_string();
    assert!(text.contains(" bytes in all)") && !text.contains(&long), "a long line is cut with its length");
}
