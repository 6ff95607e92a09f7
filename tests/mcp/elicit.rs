//! Where a person must confirm, the host asks the person: with a request in the older protocol, with another
//! round in the newer one. Nothing but an explicit yes does anything, and the agent cannot say it itself.

use std::sync::Arc;

use packd::core::Declared;
use serde_json::{Value, json};

use crate::common::engine::options;
use crate::common::text_snapshot;
use crate::common::words::Words;
use crate::mcp::rig::{Client, Gate, Rig, run};

/// `words_set` as a dangerous tool that is confirmed, and a configuration that wants people to do it.
fn rig() -> Rig {
    let tool = json!({"family": "words", "tools": [{"name": "words_set", "inputSchema": {"type": "object"},
        "packd": {"safety": "dangerous", "gate": "mode", "confirm": "simple", "line": "x"}}]});
    let (options, _) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(Declared::parse_all(&tool.to_string()).unwrap());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
        o.human_confirms = true;
    });
    Rig::over(options, Arc::new(Gate::default()))
}

fn dangerous() -> Value {
    json!({"name": "words_set", "arguments": {"name": "a", "text": "x", "mode": "execute"}})
}

async fn operations(client: &Client) -> usize {
    let list = client.call("history_list", json!({})).await;
    list["result"]["structuredContent"]["operations"].as_array().unwrap().len()
}

async fn legacy_with_elicitation(rig: &Rig) -> Client {
    let client = rig.client();
    let offers = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}});
    client.ask("initialize", offers).await;
    client
}

/// Makes the dangerous call and answers the question it leads to.
async fn answered(client: &Client, answer: Value) -> Value {
    let call = client.ask("tools/call", dangerous());
    let person = async {
        let question = loop {
            if let Some(question) =
                client.heard().await.into_iter().find(|m| m["method"] == "elicitation/create")
            {
                break question;
            }
        };
        assert_eq!(question["params"]["requestedSchema"]["properties"]["decision"]["default"], "deny");
        text_snapshot("question_in_a_dialog", question["params"]["message"].as_str().unwrap());
        let line = json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}).to_string();
        assert_eq!(client.line(&line).await, None);
    };
    tokio::join!(call, person).0
}

#[test]
fn an_approval_by_the_person_runs_the_call() {
    run(async {
        let rig = rig();
        let client = legacy_with_elicitation(&rig).await;
        let done = answered(&client, json!({"action": "accept", "content": {"decision": "approve"}})).await;
        assert_eq!(done["result"]["content"][0]["text"], "done");
        assert_eq!(operations(&client).await, 1);
    });
}

#[test]
fn anything_else_means_not_done() {
    run(async {
        let rig = rig();
        let client = legacy_with_elicitation(&rig).await;
        for answer in [
            json!({"action": "accept", "content": {"decision": "deny"}}),
            json!({"action": "decline"}),
            json!({"action": "cancel"}),
            json!({}),
        ] {
            let refused = answered(&client, answer).await;
            assert_eq!(refused["result"]["isError"], true, "{refused}");
        }
        assert_eq!(operations(&client).await, 0);
    });
}

#[test]
fn an_agent_cannot_confirm_for_the_person() {
    run(async {
        let rig = rig();
        let client = rig.client();
        client.handshake("2025-11-25").await;
        let refused = client.ask("tools/call", dangerous()).await;
        assert!(refused.to_string().contains("packd confirm"), "{refused}");
        let waiting = client.call("amof_list_pending", json!({})).await;
        let id = waiting["result"]["structuredContent"]["pending"][0]["id"].clone();
        assert!(id.is_string(), "{waiting}");
        let refused = client.call("amof_confirm", json!({"token": id})).await;
        assert!(refused.to_string().contains("packd confirm"), "{refused}");
        assert_eq!(operations(&client).await, 0);
    });
}

/// A modern request of a client that can ask its person.
async fn modern(client: &Client, mut params: Value) -> Value {
    params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    client.reply(&line).await["result"].clone()
}

#[test]
fn the_newer_protocol_asks_with_another_round() {
    run(async {
        let rig = rig();
        let (client, watcher) = (rig.client(), rig.client());
        let asked = modern(&client, dangerous()).await;
        assert_eq!(asked["resultType"], "input_required");
        assert_eq!(asked["inputRequests"]["confirm"]["method"], "elicitation/create");
        let again = |mut call: Value| {
            call["requestState"] = asked["requestState"].clone();
            call["inputResponses"] =
                json!({"confirm": {"action": "accept", "content": {"decision": "approve"}}});
            call
        };
        let mut other = dangerous();
        other["arguments"]["text"] = json!("something else");
        let line =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": again(other)}).to_string();
        assert_eq!(client.reply(&line).await["error"]["code"], -32602, "the approval is for another call");
        assert_eq!(operations(&watcher).await, 0);
        let done = modern(&client, again(dangerous())).await;
        assert_eq!(done["resultType"], "complete");
        assert_eq!(done["content"][0]["text"], "done", "{done}");
        let twice = modern(&client, again(dangerous())).await;
        assert_eq!(twice["isError"], true, "an approval works once: {twice}");
        assert_eq!(operations(&watcher).await, 1);
    });
}
