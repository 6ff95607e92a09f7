//! Resources, templates, prompts, completion, and the methods of packd's own command line.

use serde_json::{Value, json};

use crate::mcp::rig::{Rig, run};

#[test]
fn pages_reach_every_resource_once() {
    run(async {
        let client = Rig::new().client();
        let mut seen = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = client.ask("resources/list", json!({ "cursor": cursor })).await["result"].clone();
            let entries = page["resources"].as_array().unwrap();
            assert!(entries.len() <= 100);
            seen.extend(entries.iter().map(|r| r["uri"].as_str().unwrap().to_string()));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        let expected: Vec<String> = (0..250).map(|n| format!("alpha://{n}")).collect();
        assert_eq!(seen, expected);
    });
}

#[test]
fn a_cursor_that_was_never_given_out_is_refused() {
    run(async {
        let client = Rig::new().client();
        for cursor in [json!("x"), json!("nope:1"), json!("alpha:x"), json!(7), json!("")] {
            let answer = client.ask("resources/list", json!({ "cursor": cursor })).await;
            assert_eq!(answer["error"]["code"], -32602, "{cursor}");
        }
    });
}

#[test]
fn a_family_that_is_not_listed_offers_nothing() {
    run(async {
        let rig = Rig::new();
        let flags = packd::mcp::service::Flags { toolsets: Some(vec!["beta".into()]), ..Default::default() };
        let client = rig.with_flags(flags).unwrap();
        assert_eq!(client.ask("resources/list", json!({})).await["result"]["resources"], json!([]));
        assert_eq!(
            client.ask("resources/templates/list", json!({})).await["result"]["resourceTemplates"],
            json!([])
        );
        assert_eq!(client.ask("prompts/list", json!({})).await["result"]["prompts"], json!([]));
    });
}

#[test]
fn a_resource_is_read_as_text() {
    run(async {
        let client = Rig::new().client();
        let text = client.ask("resources/read", json!({ "uri": "alpha://2" })).await["result"].clone();
        assert_eq!(
            text,
            json!({ "contents": [{ "uri": "alpha://2", "mimeType": "text/plain", "text": "text 2" }] })
        );
    });
}

#[test]
fn a_missing_resource_has_another_code_in_each_era() {
    run(async {
        let client = Rig::new().client();
        let missing = json!({ "uri": "alpha://999" });
        let legacy = client.ask("resources/read", missing.clone()).await["error"].clone();
        assert_eq!((&legacy["code"], &legacy["data"]["uri"]), (&json!(-32002), &json!("alpha://999")));
        let modern = client.ask_modern("resources/read", missing).await["error"].clone();
        assert_eq!(modern["code"], -32602);
        assert_eq!(client.ask("resources/read", json!({})).await["error"]["code"], -32602);
    });
}

#[test]
fn prompts_are_listed_and_filled_in() {
    run(async {
        let client = Rig::new().client();
        let prompts = client.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
        assert_eq!(prompts[0]["name"], "alpha_start");
        assert_eq!(
            prompts[0]["arguments"][0],
            json!({ "name": "topic", "description": "What about.", "required": true })
        );
        let got =
            client.ask("prompts/get", json!({ "name": "alpha_start", "arguments": { "topic": "t" } })).await;
        assert_eq!(got["result"]["messages"][0]["content"]["text"], "Begin with \"t\".");
        let missing = client.ask("prompts/get", json!({ "name": "alpha_start" })).await["error"].clone();
        assert!(missing["code"] == -32602 && missing["message"].as_str().unwrap().contains("'topic'"));
        assert_eq!(client.ask("prompts/get", json!({ "name": "none" })).await["error"]["code"], -32602);
    });
}

#[test]
fn completion_gives_at_most_a_hundred_values_and_says_so() {
    run(async {
        let client = Rig::new().client();
        let complete = async |typed: &str| {
            let reference = json!({ "type": "ref/resource", "uri": "alpha://{n}" });
            let params = json!({ "ref": reference, "argument": { "name": "n", "value": typed } });
            client.ask("completion/complete", params).await["result"]["completion"].clone()
        };
        let many = complete("").await;
        assert_eq!(many["values"].as_array().unwrap().len(), 100);
        assert_eq!((&many["total"], &many["hasMore"]), (&json!(250), &json!(true)));
        assert_eq!(
            complete("24").await["values"],
            json!(["24", "240", "241", "242", "243", "244", "245", "246", "247", "248", "249"])
        );
        let bad = client.ask("completion/complete", json!({ "ref": { "type": "x" } })).await;
        assert_eq!(bad["error"]["code"], -32602);
    });
}

#[test]
fn the_command_line_asks_its_own_methods_on_the_same_connection() {
    run(async {
        let client = Rig::new().client();
        client.call("alpha_echo", json!({})).await;
        let stats = client.ask("packd/stats", json!({})).await["result"].clone();
        assert_eq!(stats["calls"], 1, "{stats}");
        assert_eq!(client.ask("packd/none", json!({})).await["error"]["code"], -32601);
    });
}
