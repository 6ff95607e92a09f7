//! Listing and calling tools, and the launch flags that choose them.

use packd::mcp::service::{Flags, Service};
use serde_json::{Value, json};

use crate::mcp::rig::{Client, Rig, run};

async fn listed(client: &Client) -> Vec<String> {
    let tools = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
    tools.as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_string()).collect()
}

fn list(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(|n| n.to_string()).collect())
}

#[test]
fn the_list_is_one_sorted_page_without_our_own_notes() {
    run(async {
        let client = Rig::new().client();
        let names = listed(&client).await;
        assert!(names.is_sorted() && names.contains(&"alpha_write".to_string()));
        let raw = client.line(r#"{"id":1,"method":"tools/list"}"#).await.unwrap();
        assert!(!raw.contains("\"packd\":{") && !raw.contains("nextCursor"));
        assert_eq!(
            Some(raw),
            client.line(r#"{"id":1,"method":"tools/list"}"#).await,
            "byte for byte the same"
        );
        assert_eq!(client.ask("tools/list", json!({ "cursor": "x" })).await["error"]["code"], -32602);
        assert!(client.ask("tools/list", json!({ "cursor": null })).await["result"].is_object());
    });
}

#[test]
fn flags_choose_the_list() {
    run(async {
        let rig = Rig::new();
        let with = async |flags: Flags| listed(&rig.with_flags(flags).unwrap()).await;
        assert_eq!(with(Flags { toolsets: list(&["beta"]), ..Flags::default() }).await, ["beta_echo"]);
        let both = Flags { toolsets: list(&["beta"]), tools: list(&["alpha_echo"]), ..Flags::default() };
        assert_eq!(with(both).await, ["alpha_echo", "beta_echo"]);
        let named = Flags { tools: list(&["alpha_write", "alpha_echo"]), ..Flags::default() };
        assert_eq!(with(named.clone()).await, ["alpha_echo", "alpha_write"]);
        let excluded = Flags { exclude_tools: list(&["alpha_echo"]), ..named.clone() };
        assert_eq!(with(excluded).await, ["alpha_write"], "exclusion beats an explicit choice");
        let read_only = Flags { read_only: true, allow_write: true, ..named };
        assert_eq!(with(read_only).await, ["alpha_echo"], "read-only beats everything");
        let write = Flags { toolsets: list(&["beta"]), allow_write: true, ..Flags::default() };
        assert_eq!(with(write).await, ["beta_echo", "beta_install"]);
        let all = with(Flags { toolsets: list(&["all"]), ..Flags::default() }).await;
        assert_eq!(all, listed(&rig.client()).await);
    });
}

#[test]
fn a_misspelt_flag_is_refused_with_the_valid_names() {
    run(async {
        let rig = Rig::new();
        let why = |flags: Flags| rig.with_flags(flags).err().map(|e| (e.message, e.hint)).unwrap();
        let (message, hint) = why(Flags { toolsets: list(&["gamma"]), ..Flags::default() });
        assert_eq!(message, "There is no toolset 'gamma'.");
        assert!(hint.contains("alpha, beta, all"), "{hint}");
        let (_, hint) = why(Flags { exclude_tools: list(&["alpha_wirte"]), ..Flags::default() });
        assert_eq!(hint, "Did you mean 'alpha_write'?");
        let (message, _) = why(Flags { mode: Some("sudo".into()), ..Flags::default() });
        assert_eq!(message, "--mode does not know the mode 'sudo'.");
    });
}

#[test]
fn a_call_of_an_unlisted_tool_names_the_flag_that_lists_it() {
    run(async {
        let rig = Rig::new();
        let refused = async |flags: Flags, tool: &str| {
            let answer = rig.with_flags(flags).unwrap().call(tool, json!({})).await;
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            answer["error"]["message"].as_str().unwrap().to_string()
        };
        let flags = Flags { toolsets: list(&["beta"]), ..Flags::default() };
        assert!(refused(flags, "alpha_echo").await.contains("--toolsets"));
        let flags = Flags { exclude_tools: list(&["alpha_echo"]), ..Flags::default() };
        assert!(refused(flags, "alpha_echo").await.contains("--exclude-tools"));
        let flags = Flags { read_only: true, ..Flags::default() };
        assert!(refused(flags, "alpha_write").await.contains("--read-only"));
    });
}

#[test]
fn a_tool_behind_allow_write_is_answered_by_its_family() {
    run(async {
        let answer = Rig::new().client().call("beta_install", json!({ "name": "x" })).await;
        assert!(answer["result"].is_object(), "{answer}");
    });
}

#[test]
fn a_call_answers_text_and_structure_and_says_whether_it_failed() {
    run(async {
        let client = Rig::new().client();
        let done = client.call("alpha_echo", json!({ "b": 1, "a": [2] })).await["result"].clone();
        assert_eq!(
            done,
            json!({ "content": [{ "type": "text", "text": r#"{"b":1,"a":[2]}"# }], "structuredContent": { "b": 1, "a": [2] }, "isError": false })
        );
        let failed = client.call("alpha_fail", json!({})).await["result"].clone();
        assert_eq!(failed["isError"], true);
        assert!(failed["content"][0]["text"].as_str().unwrap().contains("It went wrong."));
    });
}

#[test]
fn wrong_calls_are_told_apart() {
    run(async {
        let client = Rig::new().client();
        for params in [
            json!({ "name": "alpha_echo", "arguments": [] }),
            json!({ "name": "alpha_echo", "arguments": null }),
            json!({ "name": "alpha_echo", "arguments": "x" }),
            json!({ "name": 7 }),
            json!({}),
        ] {
            assert_eq!(client.ask("tools/call", params.clone()).await["error"]["code"], -32602, "{params}");
        }
        let absent = client.ask("tools/call", json!({ "name": "alpha_echo" })).await;
        assert_eq!(absent["result"]["structuredContent"], json!({}));
        let unknown = client.call("alpha_ecko", json!({})).await["error"].clone();
        assert_eq!(unknown["code"], -32602);
        assert_eq!(unknown["message"], "There is no tool 'alpha_ecko'. Did you mean 'alpha_echo'?");
    });
}

#[test]
fn a_panic_in_a_tool_costs_one_error_reply() {
    run(async {
        let client = Rig::new().client();
        let answer = client.call("alpha_boom", json!({})).await;
        let failed = answer["error"]["code"] == -32603 || answer["result"]["isError"] == true;
        assert!(failed && answer["id"] == 1, "{answer}");
        assert!(client.call("alpha_echo", json!({})).await["result"].is_object());
    });
}

#[test]
fn resource_links_go_only_to_clients_that_know_them() {
    run(async {
        let rig = Rig::new();
        let content = async |version: &str| {
            let client = rig.client();
            client.handshake(version).await;
            client.call("alpha_link", json!({})).await["result"]["content"].clone()
        };
        let link = json!({ "type": "resource_link", "uri": "alpha://7", "name": "seven" });
        assert_eq!(content("2025-06-18").await[1], link);
        assert_eq!(content("2025-03-26").await[1], Value::Null);
        let modern = rig.client().ask_modern("tools/call", json!({ "name": "alpha_link" })).await;
        assert_eq!(modern["result"]["content"][1], link);
    });
}

#[test]
fn the_family_sees_the_request_id_and_a_key_of_session_and_id() {
    run(async {
        let client = Rig::new().client();
        let line = r#"{"id":"x 1","method":"tools/call","params":{"name":"alpha_who"}}"#;
        let seen = client.reply(line).await["result"]["structuredContent"].clone();
        assert_eq!(seen["request_id"], "x 1");
        assert_eq!(seen["request_key"], format!("{}:\"x 1\"", client.welcome.session));
    });
}

#[test]
fn a_drained_server_keeps_what_was_written_and_takes_no_more() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        client.call("alpha_write", json!({})).await;
        rig.server.drain().await;
        let late = client.call("alpha_write", json!({ "n": 2 })).await["result"].clone();
        assert_eq!(late["isError"], true, "{late}");
        let notes = rig.server.notes();
        assert!(notes.contains(&("operations".to_string(), "1".to_string())), "{notes:?}");
    });
}
