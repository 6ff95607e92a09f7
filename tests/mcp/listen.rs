//! Notices: who hears of a change, in which form, and when it stops. Cancellation and progress, too.

use std::rc::Rc;

use packd::ipc::hello::ResumeProof;
use packd::mcp::service::Hello;
use serde_json::{Value, json};

use crate::mcp::rig::{Client, Rig, hello, modern, run};

const TAG: &str = "io.modelcontextprotocol/subscriptionId";

fn methods(heard: &[Value]) -> Vec<&str> {
    heard.iter().map(|n| n["method"].as_str().unwrap_or("a result")).collect()
}

async fn listen(client: &Client, id: i64, filter: Value) {
    let line = modern(id, "subscriptions/listen", json!({ "notifications": filter }));
    assert_eq!(client.line(&line).await, None, "the request stays open");
}

#[test]
fn a_change_reaches_every_session_of_the_workspace_and_no_other() {
    run(async {
        let rig = Rig::new();
        let (writer, reader) = (rig.client(), rig.client());
        let elsewhere = rig.open(&Hello { cwd: "/tmp".into(), ..hello() }).unwrap();
        for client in [&writer, &reader, &elsewhere] {
            client.handshake("2025-11-25").await;
        }
        writer.call("alpha_write", json!({})).await;
        assert_eq!(methods(&reader.heard().await), ["notifications/resources/list_changed"]);
        assert_eq!(methods(&writer.heard().await), ["notifications/resources/list_changed"]);
        assert_eq!(elsewhere.heard().await, Vec::<Value>::new());
    });
}

#[test]
fn nothing_is_sent_before_the_handshake_is_over() {
    run(async {
        let rig = Rig::new();
        let (writer, client) = (rig.client(), rig.client());
        client.ask("initialize", json!({ "protocolVersion": "2025-11-25" })).await;
        writer.call("alpha_write", json!({})).await;
        assert_eq!(client.heard().await, Vec::<Value>::new());
        client.ask("resources/subscribe", json!({ "uri": "alpha://0" })).await;
        writer.call("alpha_write", json!({ "n": 1 })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new(), "another request does not end a handshake");
        client.notify("notifications/initialized", json!({})).await;
        assert_eq!(
            methods(&client.heard().await),
            ["notifications/resources/list_changed", "notifications/resources/updated"],
            "what was missed is made up for"
        );
        client.ask("resources/unsubscribe", json!({ "uri": "alpha://0" })).await;
        writer.call("alpha_write", json!({ "n": 2 })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new(), "an edit does not change the list");
        writer.call("alpha_write", json!({ "uri": "alpha://1" })).await;
        assert_eq!(client.hears().await.len(), 1);
    });
}

#[test]
fn legacy_subscriptions_tell_of_the_resources_asked_for() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        client.ask("resources/subscribe", json!({ "uri": "alpha://5" })).await;
        client.call("alpha_write", json!({ "uri": "alpha://4" })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new());
        client.call("alpha_write", json!({ "uri": "alpha://5" })).await;
        let heard = client.heard().await;
        assert_eq!(methods(&heard), ["notifications/resources/updated"]);
        assert_eq!(heard[0]["params"], json!({ "uri": "alpha://5" }));
        client.ask("resources/unsubscribe", json!({ "uri": "alpha://5" })).await;
        client.call("alpha_write", json!({ "uri": "alpha://5", "n": 2 })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new());
    });
}

#[test]
fn a_stream_is_acknowledged_first_and_every_message_is_tagged() {
    run(async {
        let rig = Rig::new();
        let (client, writer) = (rig.client(), rig.client());
        let filter = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
            "resourceSubscriptions": ["alpha://5"] });
        listen(&client, 77, filter).await;
        writer.call("alpha_write", json!({ "uri": "alpha://5" })).await;
        let heard = client.heard().await;
        assert_eq!(
            methods(&heard),
            [
                "notifications/subscriptions/acknowledged",
                "notifications/resources/list_changed",
                "notifications/resources/updated"
            ]
        );
        assert!(heard.iter().all(|n| n["params"]["_meta"][TAG] == 77), "{heard:?}");
        let honoured = json!({ "toolsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["alpha://5"] });
        assert_eq!(
            heard[0]["params"]["notifications"], honoured,
            "prompts never change, so that is not promised"
        );
    });
}

#[test]
fn a_stream_brings_only_what_was_asked_for_and_ends_when_cancelled() {
    run(async {
        let rig = Rig::new();
        let (client, writer) = (rig.client(), rig.client());
        listen(&client, 1, json!({ "toolsListChanged": true })).await;
        listen(&client, 2, json!({ "resourcesListChanged": true })).await;
        client.heard().await;
        writer.call("alpha_write", json!({})).await;
        let heard = client.heard().await;
        assert_eq!(heard.len(), 1);
        assert_eq!(heard[0]["params"]["_meta"][TAG], 2);
        client.notify("notifications/cancelled", json!({ "requestId": 2 })).await;
        writer.call("alpha_write", json!({ "n": 2 })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new());
    });
}

#[test]
fn a_daemon_that_ends_closes_its_streams_in_good_order() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        listen(&client, 3, json!({ "resourcesListChanged": true })).await;
        client.heard().await;
        client.session.draining();
        let heard = client.heard().await;
        assert_eq!((&heard[0]["id"], &heard[0]["result"]["resultType"]), (&json!(3), &json!("complete")));
        assert_eq!(heard[0]["result"]["_meta"][TAG], 3);
    });
}

#[test]
fn a_listen_request_without_a_filter_or_too_many_of_them_is_refused() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        assert_eq!(client.ask_modern("subscriptions/listen", json!({})).await["error"]["code"], -32602);
        for id in 0..64 {
            listen(&client, id, json!({})).await;
        }
        let full = client.reply(&modern(64, "subscriptions/listen", json!({ "notifications": {} }))).await;
        assert_eq!(full["error"]["code"], -32602);
    });
}

#[test]
fn a_session_is_resumed_only_with_its_key() {
    run(async {
        let rig = Rig::new();
        let first = rig.client();
        let resume =
            ResumeProof { session: first.welcome.session.clone(), key: first.welcome.resume_key.clone() };
        let again = rig.open(&Hello { resume: Some(resume.clone()), ..hello() }).unwrap();
        assert!(again.welcome.resumed);
        assert_eq!(again.welcome.session, first.welcome.session);
        listen(&again, 4, json!({ "toolsListChanged": true })).await;
        let heard = again.heard().await;
        assert_eq!(
            methods(&heard),
            ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"],
            "the daemon before may have had other tools"
        );

        let wrong = ResumeProof { key: "guessed".into(), ..resume };
        let other = rig.open(&Hello { resume: Some(wrong), ..hello() }).unwrap();
        assert!(!other.welcome.resumed && other.welcome.session != first.welcome.session);
    });
}

#[test]
fn a_cancelled_call_is_not_answered_and_its_namesake_of_another_session_is() {
    run(async {
        let rig = Rig::new();
        let (one, two) = (rig.client(), rig.client());
        let line = r#"{"id":9,"method":"tools/call","params":{"name":"alpha_slow"}}"#;
        let first = tokio::task::spawn_local(Rc::clone(&one.session).accept(line.into()));
        let second = tokio::task::spawn_local(Rc::clone(&two.session).accept(line.into()));
        let gate = rig.gate.clone();
        tokio::task::spawn_blocking(move || gate.wait_for(2)).await.unwrap();
        one.notify("notifications/cancelled", json!({ "requestId": 9, "reason": "enough" })).await;
        one.notify("notifications/cancelled", json!({ "requestId": "unknown" })).await;
        assert_eq!(one.ask("ping", json!({})).await["result"], json!({}), "others go on meanwhile");
        rig.gate.open();
        assert_eq!(first.await.unwrap(), None);
        assert!(second.await.unwrap().unwrap().contains("\"result\""));
    });
}

#[test]
fn the_same_id_twice_in_flight_gets_two_answers() {
    // A server that keys its calls by id loses one of them.
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        let line = |n: i32| {
            format!(
                r#"{{"id":1,"method":"tools/call","params":{{"name":"alpha_slow","arguments":{{"n":{n}}}}}}}"#
            )
        };
        let both = [1, 2].map(|n| tokio::task::spawn_local(Rc::clone(&client.session).accept(line(n))));
        let gate = rig.gate.clone();
        tokio::task::spawn_blocking(move || gate.wait_for(2)).await.unwrap();
        rig.gate.open();
        for (n, task) in [1, 2].into_iter().zip(both) {
            let reply: Value = serde_json::from_str(&task.await.unwrap().unwrap()).unwrap();
            assert_eq!(reply["result"]["structuredContent"]["n"], n);
        }
    });
}

#[test]
fn progress_comes_only_with_a_token_grows_and_is_not_a_flood() {
    run(async {
        let client = Rig::new().client();
        client.ask("tools/call", json!({ "name": "alpha_long" })).await;
        assert_eq!(client.heard().await, Vec::<Value>::new());
        let params = json!({ "name": "alpha_long", "_meta": { "progressToken": "tok" } });
        client.ask("tools/call", params).await;
        let heard = client.heard().await;
        assert!(
            heard.len() < 6 && heard.iter().all(|n| n["method"] == "notifications/progress"),
            "{heard:?}"
        );
        let steps: Vec<f64> = heard.iter().map(|n| n["params"]["progress"].as_f64().unwrap()).collect();
        assert!(
            steps.is_sorted_by(|a, b| a < b) && steps.first() == Some(&0.1) && steps.last() == Some(&1.0)
        );
        let first = json!({ "progressToken": "tok", "progress": 0.1, "total": 1, "message": "working" });
        assert_eq!(heard[0]["params"], first);
    });
}
