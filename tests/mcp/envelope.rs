//! What a line may look like, and what comes back for each that is wrong.

use serde_json::{Value, json};

use crate::mcp::rig::{Rig, run};

#[test]
fn ids_come_back_byte_for_byte() {
    run(async {
        let client = Rig::new().client();
        for id in [r#""a\u0062c""#, "0", "-7", "1e3", "1.50", r#""""#] {
            let reply = client.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
            assert_eq!(reply, Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)));
        }
    });
}

/// A call with an id of null once ran and was never answered.
#[test]
fn an_id_that_cannot_be_echoed_is_refused_and_nothing_runs() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        let other = rig.client();
        other.handshake("2025-11-25").await;
        for id in ["null", "true", "false", "[2]", r#"{"a":[1,null]}"#] {
            for call in ["shutdown", "tools/call"] {
                let params = r#"{"name":"alpha_write"}"#;
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{call}","params":{params}}}"#);
                let reply = client.reply(&line).await;
                assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)), "{line}");
            }
        }
        assert_eq!(other.heard().await, Vec::<Value>::new(), "nothing was written");
        assert_eq!(client.ask("ping", json!({})).await["result"], json!({}), "nothing was shut down");
    });
}

#[test]
fn wrong_lines_are_answered_with_the_right_code() {
    // line, code, id of the answer
    let table: &[(&str, i64, Value)] = &[
        ("garbage", -32700, Value::Null),
        ("{", -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping""#, -32700, Value::Null),
        (r#"{"id":1,"method":"ping"} trailing"#, -32700, Value::Null),
        ("[1", -32700, Value::Null),
        ("42", -32600, Value::Null),
        ("null", -32600, Value::Null),
        (r#""ping""#, -32600, Value::Null),
        ("[]", -32600, Value::Null),
        ("{}", -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":5}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":null}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":{}}"#, -32600, json!(5)),
        (r#"{"jsonrpc":2,"id":5,"method":"ping"}"#, -32600, json!(5)),
        (r#"{"id":5,"id":6,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"id":5,"method":"ping","params":[1]}"#, -32602, json!(5)),
        (r#"{"id":5,"method":"ping","params":"x"}"#, -32602, json!(5)),
        (r#"{"id":5,"method":"ping","params":{"n":1e999}}"#, -32602, json!(5)),
        (r#"{"id":5,"method":"no/such"}"#, -32601, json!(5)),
        (r#"{"id":5,"method":""}"#, -32601, json!(5)),
    ];
    run(async {
        let client = Rig::new().client();
        for (line, code, id) in table {
            let reply = client.reply(line).await;
            assert_eq!((&reply["error"]["code"], &reply["id"]), (&json!(code), id), "{line}");
            assert!(reply["error"]["message"].as_str().unwrap().ends_with('.'), "{reply}");
        }
        assert_eq!(client.ask("ping", json!({})).await["result"], json!({}), "still alive");
    });
}

#[test]
fn nothing_is_answered_to_what_asks_nothing() {
    run(async {
        let client = Rig::new().client();
        for line in [
            "",
            "   ",
            r#"{"jsonrpc":"2.0","method":"no/such"}"#,
            r#"{"jsonrpc":"2.0","method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":9,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}"#,
            r#"[{"method":"notifications/initialized"},{"method":"x"}]"#,
        ] {
            assert_eq!(client.line(line).await, None, "{line}");
        }
    });
}

#[test]
fn a_byte_order_mark_and_a_missing_version_are_forgiven() {
    run(async {
        let client = Rig::new().client();
        assert_eq!(client.reply("\u{feff}{\"id\":1,\"method\":\"ping\"}").await["result"], json!({}));
    });
}

#[test]
fn a_batch_is_answered_in_order_and_keeps_its_bad_members_apart() {
    run(async {
        let client = Rig::new().client();
        let line = r#"[{"id":1,"method":"ping"},7,{"method":"notifications/initialized"},
            {"id":"2","method":"tools/call","params":{"name":"alpha_echo","arguments":{"k":1}}},
            {"id":3,"method":"tools/call","params":{"name":"alpha_boom"}}]"#;
        let replies = client.reply(&line.replace('\n', " ")).await;
        let of: Vec<_> = replies.as_array().unwrap().iter().map(|r| r["id"].clone()).collect();
        assert_eq!(of, [json!(1), Value::Null, json!("2"), json!(3)]);
        assert_eq!(replies[1]["error"]["code"], -32600);
        assert_eq!(replies[2]["result"]["structuredContent"], json!({ "k": 1 }));
    });
}

#[test]
fn a_request_written_as_an_array_of_fields_is_refused() {
    // Derived readers take arrays for structs; the original server answered this one by accident.
    run(async {
        let replies = Rig::new().client().reply(r#"["2.0",7,"ping",null]"#).await;
        let codes: Vec<_> = replies.as_array().unwrap().iter().map(|r| r["error"]["code"].clone()).collect();
        assert_eq!(codes, [-32600, -32600, -32600, -32600]);
    });
}

#[test]
fn after_shutdown_only_exit_is_answered_and_nothing_runs() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        assert_eq!(
            client.line(r#"{"id":1,"method":"shutdown"}"#).await.unwrap(),
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#
        );
        assert_eq!(client.call("alpha_echo", json!({})).await["error"]["code"], -32000);
        assert_eq!(client.ask("shutdown", json!({})).await["result"], Value::Null);
        assert_eq!(client.ask("exit", json!({})).await["result"], Value::Null);
        let other = rig.client();
        other.handshake("2025-11-25").await;
        client.notify("tools/call", json!({ "name": "alpha_write" })).await;
        assert_eq!(other.heard().await, Vec::<Value>::new(), "a call after shutdown has no effect");
    });
}
