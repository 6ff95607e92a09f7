//! Both protocol eras on one connection, decided per request.

use packd::mcp::VERSIONS;
use serde_json::{Value, json};

use crate::mcp::rig::{Rig, modern, run};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[test]
fn a_handshake_echoes_legacy_versions_and_never_agrees_to_the_modern_one() {
    run(async {
        let rig = Rig::new();
        for version in &VERSIONS[1..] {
            assert_eq!(rig.client().handshake(version).await["protocolVersion"], *version);
        }
        for version in ["2026-07-28", "", "9999-01-01", "nonsense"] {
            assert_eq!(rig.client().handshake(version).await["protocolVersion"], "2025-11-25", "{version}");
        }
        let bare = rig.client().ask("initialize", json!({})).await;
        assert_eq!(bare["result"]["protocolVersion"], "2025-11-25");
    });
}

#[test]
fn a_handshake_says_what_the_server_is() {
    run(async {
        let rig = Rig::new();
        let answer = rig.client().handshake("2025-06-18").await;
        assert_eq!(answer["serverInfo"]["name"], "packd");
        assert_eq!(answer["capabilities"]["tools"]["listChanged"], true);
        assert_eq!(answer["capabilities"]["resources"], json!({ "subscribe": true, "listChanged": true }));
        assert!(answer["instructions"].as_str().unwrap().len() <= 2048);
        assert_eq!(answer.get("resultType"), None, "legacy results carry nothing modern");

        let flags = packd::mcp::service::Flags { name: Some("context-pack".into()), ..Default::default() };
        let named = rig.with_flags(flags).unwrap().handshake("2025-06-18").await;
        assert_eq!(named["serverInfo"]["name"], "context-pack");
    });
}

#[test]
fn discovery_lists_every_version_and_needs_no_handshake() {
    run(async {
        let result = Rig::new().client().ask_modern("server/discover", json!({})).await["result"].clone();
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["supportedVersions"], json!(VERSIONS));
        assert!(result["ttlMs"].as_u64().unwrap() > 0);
        assert_eq!(result["cacheScope"], "private");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "packd");
        assert!(result["capabilities"]["tools"].is_object());
    });
}

#[test]
fn incomplete_modern_requests_are_told_what_is_missing() {
    run(async {
        let client = Rig::new().client();
        let cases = [
            ("tools/list", json!({ VERSION: "2026-07-28" }), CAPABILITIES),
            ("tools/list", json!({ CAPABILITIES: {} }), VERSION),
            ("server/discover", json!({}), VERSION),
            ("tools/list", json!({ VERSION: 7, CAPABILITIES: {} }), VERSION),
            ("tools/list", json!({ VERSION: "2026-07-28", CAPABILITIES: [] }), CAPABILITIES),
        ];
        for (method, meta, named) in cases {
            let error = client.ask(method, json!({ "_meta": meta })).await["error"].clone();
            assert_eq!(error["code"], -32602, "{method} {meta}");
            assert!(error["message"].as_str().unwrap().contains(named), "{error}");
        }
    });
}

#[test]
fn an_unknown_version_gets_the_shape_clients_detect_eras_by() {
    run(async {
        let meta = json!({ "_meta": { VERSION: "2031-01-01", CAPABILITIES: {} } });
        let error = Rig::new().client().ask("server/discover", meta).await["error"].clone();
        assert_eq!(error["code"], -32022);
        assert_eq!(error["data"], json!({ "supported": VERSIONS, "requested": "2031-01-01" }));
    });
}

#[test]
fn what_the_modern_era_removed_is_gone_there_and_kept_for_legacy() {
    run(async {
        let client = Rig::new().client();
        client.handshake("2025-11-25").await;
        for (method, params) in [
            ("ping", json!({})),
            ("logging/setLevel", json!({ "level": "debug" })),
            ("resources/subscribe", json!({ "uri": "alpha://1" })),
            ("resources/unsubscribe", json!({ "uri": "alpha://1" })),
        ] {
            assert_eq!(client.ask_modern(method, params.clone()).await["error"]["code"], -32601, "{method}");
            assert_eq!(client.ask(method, params).await["result"], json!({}), "{method}");
        }
        assert_eq!(client.ask("logging/setLevel", json!({ "level": "loud" })).await["error"]["code"], -32602);
    });
}

#[test]
fn a_connection_that_shook_hands_may_mix_the_eras() {
    run(async {
        let client = Rig::new().client();
        client.handshake("2025-11-25").await;
        client.ask_modern("server/discover", json!({})).await;
        let legacy = client.ask("tools/list", json!({})).await["result"].clone();
        let modern = client.ask_modern("tools/list", json!({})).await["result"].clone();
        assert_eq!(legacy.get("resultType"), None);
        assert_eq!(legacy.get("ttlMs"), None);
        assert_eq!(modern["resultType"], "complete");
        assert_eq!((&modern["ttlMs"], &modern["cacheScope"]), (&json!(300_000), &json!("private")));
        assert_eq!(modern["tools"].to_string(), legacy["tools"].to_string(), "the same bytes in both eras");
    });
}

/// Without a handshake there is nothing a request without `_meta` could mean, once the client spoke modern.
#[test]
fn a_connection_that_opened_modern_must_stay_so_until_it_shakes_hands() {
    run(async {
        let rig = Rig::new();
        let client = rig.client();
        assert!(client.ask("tools/list", json!({})).await["result"].is_object(), "nothing was said yet");
        client.ask_modern("server/discover", json!({})).await;
        for method in ["tools/list", "ping", "resources/list"] {
            let error = client.ask(method, json!({})).await["error"].clone();
            assert_eq!(error["code"], -32602, "{method}");
            let text = error["message"].as_str().unwrap();
            assert!(text.contains(VERSION) && text.contains(CAPABILITIES), "{text}");
        }
        assert!(client.ask_modern("tools/list", json!({})).await["result"].is_object());
        client.notify("notifications/cancelled", json!({"requestId": 1})).await;
        client.handshake("2025-11-25").await;
        assert!(client.ask("tools/list", json!({})).await["result"].is_object());
        assert!(rig.client().ask("tools/list", json!({})).await["result"].is_object(), "others are others");
    });
}

#[test]
fn every_cacheable_modern_result_carries_its_hints() {
    run(async {
        let client = Rig::new().client();
        for (method, params) in [
            ("tools/list", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/read", json!({ "uri": "alpha://1" })),
        ] {
            let result = client.ask_modern(method, params).await["result"].clone();
            assert!(result["ttlMs"].is_u64() && result["cacheScope"] == "private", "{method}: {result}");
        }
        let call = client.ask_modern("tools/call", json!({ "name": "alpha_echo" })).await["result"].clone();
        assert_eq!((&call["resultType"], call.get("ttlMs")), (&json!("complete"), None));
    });
}

#[test]
fn the_host_is_known_by_the_name_it_gave_in_either_era() {
    run(async {
        let client = Rig::new().client();
        let name = |answer: &Value| answer["result"]["structuredContent"]["client"].clone();
        client.ask("initialize", json!({ "clientInfo": { "name": "old-host", "version": "1" } })).await;
        assert_eq!(name(&client.call("alpha_who", json!({})).await), "old-host");
        let info = json!({ "io.modelcontextprotocol/clientInfo": { "name": "new-host", "version": "2" } });
        let line = modern(1, "tools/call", json!({ "name": "alpha_who", "_meta": info }));
        assert_eq!(name(&client.reply(&line).await), "new-host");
    });
}
