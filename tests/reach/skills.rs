//! The skills: correct against the tools that exist, and served in three ways.

use std::collections::BTreeSet;

use packd::core::skills;
use packd::daemon::assemble;
use serde_json::{Value, json};

use crate::common::real::Place;

fn tools() -> BTreeSet<String> {
    assemble::declared().unwrap().into_iter().map(|tool| tool.name).collect()
}

#[test]
fn every_call_in_a_skill_is_one_its_tool_accepts() {
    let declared = assemble::declared().unwrap();
    let mut calls = 0;
    for skill in skills::ALL {
        let mut text = skill.text;
        while let Some(at) = text.find("```json\n") {
            let (block, rest) = text[at + 8..].split_once("```").unwrap();
            text = rest;
            // A call may go over several lines: it ends where the next one begins.
            let mut block = block.trim();
            while !block.is_empty() {
                let (name, args) = block.split_once(' ').unwrap();
                let mut values = serde_json::Deserializer::from_str(args).into_iter::<Value>();
                let args = values.next().unwrap().unwrap_or_else(|e| panic!("{}: {name}: {e}", skill.name));
                let used = values.byte_offset();
                let tool = declared.iter().find(|tool| tool.name == name);
                let tool = tool.unwrap_or_else(|| panic!("{} names the tool {name}", skill.name));
                let faults = packd::core::schema::check_all(&tool.schema, &args);
                assert!(faults.is_empty(), "{}: {name} {args}: {faults:?}", skill.name);
                calls += 1;
                block = block[name.len() + 1 + used..].trim_start();
            }
        }
    }
    assert!(calls > 20, "{calls}");
}

#[test]
fn every_tool_a_skill_names_exists() {
    let tools = tools();
    let looks_like_a_tool = |word: &str| {
        ["tasks_", "history_", "snap_", "deploy_", "evolve_"].iter().any(|head| word.starts_with(head))
            || ["now", "find", "input", "output", "deploy", "rollback"].contains(&word)
    };
    for skill in skills::ALL {
        let quoted = skill.text.split('`').skip(1).step_by(2);
        for word in
            quoted.filter_map(|words| words.split([' ', '\n']).next()).filter(|word| looks_like_a_tool(word))
        {
            assert!(tools.contains(word), "{} names {word}", skill.name);
        }
    }
}

#[test]
fn they_are_prompts_resources_and_skills() {
    let place = Place::new();
    let mut shim = place.shim();
    let hello = shim.initialize();
    assert_eq!(hello["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/skills"], json!({}));
    let listed = shim.ask(json!(1), "skills/list", json!({}))["result"]["skills"].clone();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), skills::ALL.len());
    for entry in listed {
        let uri = entry["uri"].as_str().unwrap();
        let name = entry["frontmatter"]["name"].as_str().unwrap();
        assert!(uri.ends_with(&format!("/{name}/SKILL.md")), "the name can be told from the address");
        let got = shim.ask(json!(2), "skills/get", json!({"uri": uri}));
        assert_eq!(&got["result"]["skill"], entry);
        let read = shim.ask(json!(3), "resources/read", json!({"uri": uri}))["result"]["contents"][0].clone();
        let text = read["text"].as_str().unwrap();
        let digest = format!("sha256:{}", packd::core::Sha::of(text.as_bytes()).as_str());
        assert_eq!(entry["resources"], json!([{"uri": uri, "digest": digest, "size": text.len()}]));
        assert_eq!(read["mimeType"], "text/markdown");
        let prompt = shim.ask(json!(4), "prompts/get", json!({"name": name}))["result"].clone();
        let said = prompt["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(said.starts_with("# ") && text.ends_with(said), "{said}");
    }
    let resources = shim.ask(json!(5), "resources/list", json!({}))["result"]["resources"].clone();
    let skills_there =
        resources.as_array().unwrap().iter().filter(|r| r["uri"].as_str().unwrap().starts_with("skill://"));
    assert_eq!(skills_there.count(), skills::ALL.len());
    let unknown = shim.ask(json!(6), "skills/get", json!({"uri": "skill://packd/none/SKILL.md"}));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn a_session_sees_the_skills_of_the_families_it_lists() {
    let place = Place::new();
    let mut command = place.command(crate::common::real::SHIM);
    command.args(["--toolsets", "packs"]);
    let mut shim = crate::common::real::Process::spawn(command);
    shim.initialize();
    let listed = shim.ask(json!(1), "skills/list", json!({}))["result"]["skills"].clone();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|s| s["frontmatter"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["write-a-context-pack"]);
}

/// SEP-2640: both methods of the extension say how long their answer holds, to clients that speak the revision it is made for.
#[test]
fn both_answers_say_how_long_they_hold() {
    let place = Place::new();
    let mut shim = place.shim();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}});
    let listed = shim.ask(json!(1), "skills/list", json!({"_meta": meta}))["result"].clone();
    let uri = listed["skills"][0]["uri"].clone();
    let got = shim.ask(json!(2), "skills/get", json!({"_meta": meta, "uri": uri}))["result"].clone();
    for result in [&listed, &got] {
        assert_eq!(result["resultType"], "complete", "{result}");
        assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
    }
}
