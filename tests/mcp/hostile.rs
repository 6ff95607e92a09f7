//! Clients that mean no good or know no better: answered or refused, and others never notice.

use std::rc::Rc;

use serde_json::json;

use crate::mcp::rig::{Rig, run};

#[test]
fn a_message_of_20_megabytes_is_refused_and_the_session_lives() {
    run(async {
        let client = Rig::new().client();
        let big = format!(r#"{{"id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "a".repeat(20_000_000));
        let answer = client.reply(&big).await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!(null)));
        assert_eq!(client.ask("ping", json!({})).await["result"], json!({}));
    });
}

#[test]
fn a_large_message_is_read_elsewhere_while_others_are_served() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        let text = "a".repeat(2_000_000);
        let line = json!({ "id": 1, "method": "tools/call", "params": { "name": "alpha_echo", "arguments": { "text": text } } });
        let mut large = Rc::clone(&client.session).accept(line.to_string());
        let early =
            std::future::poll_fn(|cx| std::task::Poll::Ready(large.as_mut().poll(cx).is_ready())).await;
        assert!(!early, "the runtime thread does not parse it");
        assert_eq!(rig.client().ask("ping", json!({})).await["result"], json!({}));
        assert!(large.await.unwrap().len() > 2_000_000);
    });
}

#[test]
fn a_large_message_that_is_garbage_is_answered_like_a_small_one() {
    run(async {
        let client = Rig::new().client();
        assert_eq!(client.reply(&"[".repeat(1_000_000)).await["error"]["code"], -32700);
        let deep = format!(
            r#"{{"id":1,"method":"tools/call","params":{{"name":"alpha_echo","arguments":{}1{}}}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert_eq!(client.reply(&deep).await["error"]["code"], -32602);
        let batch = format!("[{}]", vec!["1"; 200_000].join(","));
        assert_eq!(client.reply(&batch).await["error"]["code"], -32600);
    });
}

#[test]
fn a_hundred_thousand_pings_do_not_keep_another_session_waiting() {
    run(async {
        let rig = Rig::new();
        let (flood, other) = (rig.client(), rig.client());
        let flooding = tokio::task::spawn_local(async move {
            let mut answered = 0;
            for n in 0..100_000 {
                let line = format!(r#"{{"id":{n},"method":"ping"}}"#);
                answered += usize::from(Rc::clone(&flood.session).accept(line).await.is_some());
                if n % 100 == 0 {
                    // The connection yields between reads; the session itself never blocks.
                    tokio::task::yield_now().await;
                }
            }
            answered
        });
        for _ in 0..50 {
            assert_eq!(
                other.call("alpha_echo", json!({ "x": 1 })).await["result"]["structuredContent"],
                json!({ "x": 1 })
            );
            tokio::task::yield_now().await;
        }
        assert!(!flooding.is_finished(), "the other session was served in between");
        assert_eq!(flooding.await.unwrap(), 100_000);
    });
}

#[test]
fn notices_stop_for_a_client_that_never_reads_and_are_made_up_for_later() {
    run(async {
        let rig = Rig::new();
        let (writer, stuck) = (rig.client(), rig.client());
        stuck.handshake("2025-11-25").await;
        stuck.ask("resources/subscribe", json!({ "uri": "alpha://0" })).await;
        stuck.out.send("x".repeat(5 * 1024 * 1024));
        for n in 0..20 {
            writer.call("alpha_write", json!({ "n": n })).await;
        }
        tokio::task::yield_now().await;
        assert_eq!(stuck.out.take_lines().len(), 1, "nothing was added to what it does not read");
        stuck.ask("ping", json!({})).await;
        let heard: Vec<_> = stuck.heard().await.iter().map(|n| n["method"].clone()).collect();
        assert_eq!(heard, ["notifications/resources/list_changed", "notifications/resources/updated"]);
    });
}

#[test]
fn what_a_client_can_make_the_daemon_remember_is_bounded() {
    run(async {
        let client = Rig::new().client();
        let long = json!({ "uri": "a".repeat(10_000) });
        assert_eq!(client.ask("resources/subscribe", long).await["error"]["code"], -32602);
        for n in 0..1024 {
            client.ask("resources/subscribe", json!({ "uri": format!("alpha://{n}") })).await;
        }
        let more = client.ask("resources/subscribe", json!({ "uri": "alpha://more" })).await;
        assert_eq!(more["error"]["code"], -32602);
        let name = "x".repeat(100_000);
        let answer = client.ask(&name, json!({})).await;
        assert!(answer.to_string().len() < 1000, "what is sent is not repeated at length");
    });
}

#[test]
fn strange_values_in_every_place_are_answered() {
    run(async {
        let client = Rig::new().client();
        let values = [
            json!(null),
            json!(1),
            json!(-1.5),
            json!(true),
            json!(""),
            json!("x"),
            json!([]),
            json!({}),
            json!([[{}]]),
        ];
        let methods = [
            "initialize",
            "server/discover",
            "tools/list",
            "tools/call",
            "resources/list",
            "resources/read",
            "resources/templates/list",
            "resources/subscribe",
            "subscriptions/listen",
            "prompts/list",
            "prompts/get",
            "completion/complete",
            "logging/setLevel",
            "notifications/cancelled",
            "packd/none",
        ];
        let fields = [
            "name",
            "arguments",
            "uri",
            "cursor",
            "ref",
            "argument",
            "_meta",
            "notifications",
            "level",
            "requestId",
            "clientInfo",
            "protocolVersion",
        ];
        for method in methods {
            for field in fields {
                for value in &values {
                    let answer = client.ask(method, json!({ field: value })).await;
                    assert!(
                        answer["result"].is_object()
                            || answer["error"]["code"].is_i64()
                            || answer["result"].is_null(),
                        "{answer}"
                    );
                    assert_ne!(answer["error"]["code"], -32603, "{method} {field} {value}: {answer}");
                }
            }
        }
    });
}
