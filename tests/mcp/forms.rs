//! What reaches a model: instructions, the small set of tools, and replies in one form or two.

use packd::mcp::service::Flags;
use serde_json::{Value, json};

use super::rig::{Client, Rig, run};

fn real() -> Rig {
    let options = packd::daemon::assemble::options(|e| panic!("the writer failed: {e}")).unwrap();
    Rig::over(options, Default::default())
}

fn flags(toolsets: &[&str]) -> Flags {
    Flags { toolsets: Some(toolsets.iter().map(|s| s.to_string()).collect()), ..Flags::default() }
}

async fn instructions(client: &Client) -> String {
    client.handshake("2025-11-25").await["instructions"].as_str().unwrap().to_string()
}

/// Some hosts paste the instructions into every tool's description, others cut them after 157 characters.
#[test]
fn instructions_are_short_and_begin_with_the_first_call() {
    run(async {
        let rig = real();
        let all = instructions(&rig.client()).await;
        assert!(all.chars().count() <= 300, "{} characters: {all}", all.chars().count());
        let head: String = all.chars().take(150).collect();
        assert!(head.starts_with("packd: shared memory for coding agents. Call 'now' first"), "{head}");
        for family in ["packs", "tasks", "deploy", "packages", "ecosystems", "history", "snapshots"] {
            assert!(!all.contains(family), "{family} is named: {all}");
        }
        let without = instructions(&rig.with_flags(flags(&["tasks"])).unwrap()).await;
        assert!(!without.contains("'now'"), "a tool that is not listed is not named: {without}");
    });
}

#[test]
fn the_small_set_does_the_daily_work_in_nine_kilobytes() {
    run(async {
        let rig = real();
        let client = rig.with_flags(flags(&["core"])).unwrap();
        let listed = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
        let mut names: Vec<&str> =
            listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        let mut wanted = vec![
            "now",
            "find",
            "input",
            "output",
            "tasks_create",
            "tasks_claim",
            "tasks_note",
            "tasks_evidence_capture",
            "tasks_close_step",
            "tasks_close_task",
            "history_list",
            "history_show",
            "history_undo",
            "history_revert",
        ];
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        let bytes = listed.to_string().len();
        assert!(bytes <= 9 * 1024, "the small set takes {bytes} bytes");
        let more = rig.with_flags(flags(&["core", "deploy"])).unwrap();
        let more = more.ask("tools/list", json!({})).await["result"]["tools"].as_array().unwrap().len();
        assert!(more > wanted.len(), "a set and a family add up");
        let refused = client.call("deploy", json!({})).await;
        assert!(refused["error"]["message"].as_str().unwrap().contains("--toolsets"), "{refused}");
    });
}

#[test]
fn codex_gets_text_alone_and_others_both_forms_unless_told_otherwise() {
    run(async {
        let rig = real();
        for (structured, client, both) in [
            (None, "codex-mcp-client", false),
            (None, "claude-code", true),
            (Some("never"), "claude-code", false),
            (Some("always"), "codex-mcp-client", true),
        ] {
            let said = Flags { structured: structured.map(str::to_string), ..Flags::default() };
            let session = rig.with_flags(said).unwrap();
            let about = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": client, "version": "1"}});
            session.ask("initialize", about).await;
            let reply = session.call("tasks_ready", json!({})).await["result"].clone();
            let text: Value = serde_json::from_str(reply["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(text["intent"], "ready");
            assert_eq!(reply.get("structuredContent").is_some(), both, "{structured:?} {client}");
        }
        let wrong = Flags { structured: Some("twice".into()), ..Flags::default() };
        assert!(rig.with_flags(wrong).err().unwrap().message.contains("--structured"));
    });
}

#[test]
fn an_unknown_tool_is_answered_with_the_nearest() {
    run(async {
        let client = real().client();
        let missing = client.call("task_claim", json!({})).await;
        assert!(missing["error"]["message"].as_str().unwrap().contains("'tasks_claim'"), "{missing}");
    });
}
