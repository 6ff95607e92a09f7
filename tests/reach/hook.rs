//! `packd-mcp hook` with the real programs: it says what it should, and whatever goes wrong no host ever notices.

use std::io::Write;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Process, Ran, SHIM, kill, until};
use crate::common::small_disk::{SmallDisk, with_own_mounts};

/// What Claude Code says to its hooks.
fn claude(place: &Place, event: &str, more: Value) -> String {
    let mut said = json!({"session_id": "host-1", "transcript_path": "/t.jsonl", "cwd": place.work(),
                          "hook_event_name": event});
    for (name, value) in more.as_object().unwrap() {
        said[name] = value.clone();
    }
    said.to_string()
}

fn command(place: &Place, args: &[&str]) -> Command {
    let mut command = place.command(SHIM);
    // The machine that tests run on is busy; how long a hook takes is measured by the bench.
    command.arg("hook").args(args).env("PACKD_HOOK_MS", "10000");
    command
}

/// Runs a hook to its end with this on stdin.
fn hook(place: &Place, args: &[&str], said: &str) -> Ran {
    run(command(place, args), said)
}

fn run(mut command: Command, said: &str) -> Ran {
    let mut child = command.spawn().unwrap();
    // A hook that has seen enough does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(said.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: out.status.code(), stdout: text(&out.stdout), stderr: text(&out.stderr) }
}

#[track_caller]
fn silent(ran: &Ran) {
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

fn counted(place: &Place) -> Vec<Value> {
    let mut shim = place.shim();
    shim.initialize();
    let answer = shim.ask(json!(1), "packd/doctor", json!({}));
    answer["result"]["hooks"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_session_that_starts_starts_the_daemon_and_hears_how_things_stand() {
    let place = Place::new();
    let start = claude(&place, "SessionStart", json!({"source": "startup"}));
    let ran = hook(&place, &["session-start"], &start);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(place.daemon_pid().is_some(), "the start of a session starts the daemon");
    let said = ran.json();
    let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert_eq!(said["hookSpecificOutput"]["hookEventName"], "SessionStart");
    assert!(context.starts_with("From packd"), "{context}");
    assert!(context.contains("not by the user"), "{context}");
    assert_eq!(said.as_object().unwrap().len(), 1, "nothing that decides anything");

    // Told again at once (a plugin and an entry of its own), it is said once.
    silent(&hook(&place, &["SessionStart", "--host", "claude"], &start));
    // After a compaction it is said again.
    let compact = claude(&place, "SessionStart", json!({"source": "compact"}));
    assert!(hook(&place, &["session-start"], &compact).stdout.contains("additionalContext"));
}

#[test]
fn every_host_is_answered_in_its_own_form() {
    let place = Place::new();
    place.packd(&["status"]).ok();
    let cwd = place.work();
    let common = |more: Value| {
        let mut said = json!({"cwd": cwd, "source": "startup"});
        more.as_object().unwrap().iter().for_each(|(k, v)| said[k] = v.clone());
        said.to_string()
    };
    let gemini = common(
        json!({"session_id": "g", "hook_event_name": "SessionStart", "timestamp": "2026-01-01T00:00:00Z"}),
    );
    assert!(
        hook(&place, &["SessionStart"], &gemini).json()["hookSpecificOutput"]["additionalContext"]
            .is_string()
    );
    let codex = common(
        json!({"session_id": "x", "hook_event_name": "SessionStart", "model": "m", "permission_mode": "default"}),
    );
    assert!(
        hook(&place, &["session-start"], &codex).json()["hookSpecificOutput"]["additionalContext"]
            .is_string()
    );
    let copilot = common(json!({"sessionId": "c", "timestamp": 17, "source": "new"}));
    assert!(hook(&place, &["sessionStart"], &copilot).json()["additionalContext"].is_string());
    let cursor = json!({"conversation_id": "u", "hook_event_name": "sessionStart", "workspace_roots": [cwd]})
        .to_string();
    assert!(hook(&place, &["sessionStart"], &cursor).json()["additional_context"].is_string());
    let kiro = json!({"hook_event_name": "agentSpawn", "cwd": cwd}).to_string();
    assert!(hook(&place, &["agentSpawn"], &kiro).stdout.starts_with("From packd"));
    let hosts: Vec<String> =
        counted(&place).iter().map(|row| row["host"].as_str().unwrap().to_string()).collect();
    assert_eq!(hosts, ["codex", "copilot", "cursor", "gemini", "kiro"]);
}

#[test]
fn without_a_daemon_only_the_start_of_a_session_does_anything() {
    let place = Place::new();
    let tool = claude(&place, "PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "1"}));
    for event in ["pre-tool", "post-tool", "stop"] {
        silent(&hook(&place, &[event], &tool));
    }
    assert!(place.daemon_pid().is_none());
    assert!(!place.home().dir().exists(), "not even a directory is left");
}

#[test]
fn what_nobody_understands_ends_quietly() {
    let place = Place::new();
    counted(&place);
    let start = claude(&place, "SessionStart", json!({"source": "startup"}));
    for args in [
        &["no-such-event"][..],
        &[],
        &["session-start", "--host", "emacs"],
        &["session-start", "--host"],
        &["session-start", "stop"],
        &["session-start", "--hostile", "x"],
    ] {
        silent(&hook(&place, args, &start));
    }
    for garbage in [
        "",
        "{",
        "}",
        "[]",
        "null",
        "\u{0}\u{1}\u{2}",
        "{\"a\":1}",
        "{\"session_id\":7,\"hook_event_name\":[]}",
        "not json at all",
        "{\"hook_event_name\":\"\\ud800\"}",
        "\"{}\"",
    ] {
        silent(&hook(&place, &["session-start"], garbage));
        silent(&hook(&place, &["pre-tool", "--host", "gemini"], garbage));
    }
    // Bytes that are no text, and more than anybody waits for.
    let mut deep = command(&place, &["stop"]);
    deep.stdin(Stdio::piped());
    silent(&run(deep, &"{\"a\":".repeat(200_000)));
    // The command line's own `hook` is the same one.
    let mut cli = place.command(PACKD);
    cli.args(["hook", "no-such-event", "--whatever"]);
    silent(&run(cli, "x"));
    assert_eq!(counted(&place), Vec::<Value>::new(), "the daemon heard of none of it");
}

#[test]
fn input_that_never_comes_is_not_waited_for() {
    let place = Place::new();
    let mut waiting = place.command(SHIM);
    waiting.args(["hook", "session-start"]);
    let mut process = Process::spawn(waiting);
    // Its stdin stays open and empty.
    assert!(process.wait().success());
    assert!(process.silent() && process.stderr().is_empty());
    assert!(place.daemon_pid().is_none());
}

#[test]
fn an_object_is_enough_even_if_the_host_keeps_the_pipe_open() {
    let place = Place::new();
    let mut process = Process::spawn(command(&place, &["session-start"]));
    process.write(claude(&place, "SessionStart", json!({"source": "startup"})).as_bytes());
    assert!(process.line().contains("additionalContext"));
    assert!(process.wait().success());
}

#[test]
fn a_daemon_that_accepts_and_never_answers_is_left_alone() {
    let place = Place::new();
    place.home().prepare().unwrap();
    let _deaf = UnixListener::bind(place.socket()).unwrap();
    let tool = claude(&place, "PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "1"}));
    for event in ["session-start", "pre-tool", "post-tool", "stop"] {
        let mut hook = place.command(SHIM);
        hook.args(["hook", event]);
        silent(&run(hook, &tool));
    }
}

#[test]
fn a_hook_that_is_killed_half_way_leaves_the_daemon_well() {
    let place = Place::new();
    place.packd(&["status"]).ok();
    let before = place.packd(&["history", "--json"]).json();
    for n in 0..20 {
        let mut process = Process::spawn(command(&place, &["pre-tool"]));
        let said = claude(&place, "PreToolUse", json!({"tool_name": "Bash", "tool_use_id": n.to_string()}));
        process.write(&said.as_bytes()[..said.len() - usize::from(n % 2 == 0)]);
        kill(process.pid, Signal::KILL);
        process.wait();
    }
    assert_eq!(place.packd(&["history", "--json"]).json()["operations"], before["operations"]);
    silent(&hook(&place, &["stop"], &claude(&place, "Stop", json!({}))));
}

#[test]
fn readers_and_packds_own_tools_do_not_even_ask() {
    let place = Place::new();
    place.packd(&["status"]).ok();
    for tool in ["Read", "mcp__packd__now", "mcp__plugin_packd_packd__tasks_note"] {
        let said = claude(&place, "PreToolUse", json!({"tool_name": tool, "tool_use_id": tool}));
        silent(&hook(&place, &["pre-tool"], &said));
    }
    assert_eq!(counted(&place), Vec::<Value>::new());
    let said = claude(&place, "PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "1"}));
    silent(&hook(&place, &["pre-tool"], &said));
    // The same call told twice counts once.
    silent(&hook(&place, &["pre-tool", "--host", "claude"], &said));
    let rows = counted(&place);
    assert_eq!(
        (&rows[0]["event"], &rows[0]["count"], &rows[0]["twice"]),
        (&json!("pre-tool"), &json!(1), &json!(1))
    );
}

#[test]
fn a_full_disk_is_nothing_to_a_host() {
    with_own_mounts("reach::hook::a_full_disk_is_nothing_to_a_host", || {
        let place = Place::new();
        place.home().prepare().unwrap();
        let Some(disk) = SmallDisk::over(place.home().dir(), "64k") else { return };
        // The daemon cannot even start.
        silent(&hook(
            &place,
            &["session-start"],
            &claude(&place, "SessionStart", json!({"source": "startup"})),
        ));
        disk.resize("64m");
        place.packd(&["status"]).ok();
        let filler = place.home().dir().join("filler");
        let mut full = std::fs::File::create(&filler).unwrap();
        while full.write_all(&[0; 4096]).is_ok() {}
        let said = |event: &str, n: u32| {
            claude(&place, event, json!({"tool_name": "Bash", "tool_use_id": n.to_string()}))
        };
        for n in 0..3 {
            silent(&hook(&place, &["pre-tool"], &said("PreToolUse", n)));
            std::fs::write(place.work().join("a.txt"), format!("{n}")).unwrap();
            silent(&hook(&place, &["post-tool"], &said("PostToolUse", n)));
        }
        silent(&hook(&place, &["stop"], &claude(&place, "Stop", json!({}))));
        std::fs::remove_file(&filler).unwrap();
        // Nothing is half there.
        place.packd(&["status"]).ok();
        let ops = place.packd(&["history", "--json"]).json();
        let all = ops["operations"].as_array().cloned().unwrap_or_default();
        assert!(all.iter().all(|op| op["status"] != "pending"), "{all:?}");
    });
}

/// A session that says the name a host's server client says.
fn session_of(place: &Place, name: &str) -> Process {
    let mut shim = place.shim();
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}});
    shim.ask(json!(0), "initialize", params);
    shim.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    shim
}

fn call(shim: &mut Process, tool: &str, args: Value) -> Value {
    shim.send(&json!({"jsonrpc": "2.0", "id": tool, "method": "tools/call",
                      "params": {"name": tool, "arguments": args}}));
    // What changed is told to the session, too, before or after the reply.
    let answer = loop {
        let line = shim.reply();
        if line["id"] == json!(tool) {
            break line;
        }
    };
    assert_ne!(answer["result"]["isError"], json!(true), "{answer}");
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or("{}").to_string();
    serde_json::from_str(&text).unwrap_or_default()
}

#[test]
fn a_stop_says_once_what_a_claimed_task_still_lacks_and_changes_are_attributed_to_it() {
    let place = Place::new();
    std::fs::write(place.work().join("a.txt"), "one\n").unwrap();
    let mut shim = session_of(&place, "claude-code");
    call(&mut shim, "tasks_create", json!({"kind": "plan", "title": "Garden"}));
    let steps =
        json!([{"title": "Buy paint", "success_criteria": ["There is paint"], "tests": ["ls paint"]}]);
    call(
        &mut shim,
        "tasks_create",
        json!({"kind": "task", "parent": "PLAN-001", "title": "Paint the fence", "steps": steps}),
    );
    // Nothing is in hand: nothing is said.
    silent(&hook(&place, &["stop"], &claude(&place, "Stop", json!({}))));
    call(&mut shim, "tasks_claim", json!({"task": "TASK-001"}));

    let tool = |event: &str| claude(&place, event, json!({"tool_name": "Bash", "tool_use_id": "toolu_1"}));
    silent(&hook(&place, &["pre-tool"], &tool("PreToolUse")));
    std::fs::write(place.work().join("a.txt"), "two\n").unwrap();
    silent(&hook(&place, &["post-tool"], &tool("PostToolUse")));

    let said = hook(&place, &["Stop"], &claude(&place, "Stop", json!({"stop_hook_active": false}))).json();
    let text = said["systemMessage"].as_str().unwrap();
    assert_eq!(said.as_object().unwrap().len(), 1);
    for part in ["TASK-001", "Paint the fence", "no evidence", "no note", "packd task note"] {
        assert!(text.contains(part), "{text}");
    }
    silent(&hook(&place, &["stop"], &claude(&place, "Stop", json!({}))));
    // Another session of the host, not joined with this client, holds nothing.
    let codex = json!({"session_id": "x", "turn_id": "1", "cwd": place.work(), "hook_event_name": "Stop"})
        .to_string();
    silent(&hook(&place, &["stop"], &codex));

    let listed = place.packd(&["history", "--json"]).json();
    let op = listed["operations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|op| op["family"] == "snapshots")
        .unwrap()
        .clone();
    assert!(op.to_string().contains("claude-code"), "attributed to the joined session: {op}");
    assert!(!op.to_string().contains("claude:host-1"), "and not to one of its own: {op}");
    let shown = place.packd(&["show", op["operation_id"].as_str().unwrap(), "--json"]).json();
    assert!(shown.to_string().contains("TASK-001"), "and to its task: {shown}");
    assert!(op["summary"].as_str().unwrap().contains("Bash"), "{op}");
}

/// A host was killed in the middle of a call: for four hours, whatever anybody did in that tree was taken for the work of
/// the session that was gone.
#[test]
fn a_host_that_dies_in_the_middle_of_a_call_leaves_its_window_to_nobody() {
    let place = Place::new();
    std::fs::write(place.work().join("a.txt"), "one\n").unwrap();
    let mut dying = session_of(&place, "claude-code");
    let pre = |session: &str, call: &str| {
        let more = json!({"session_id": session, "tool_name": "Bash", "tool_use_id": call});
        silent(&hook(&place, &["pre-tool"], &claude(&place, "PreToolUse", more)));
    };
    pre("host-1", "toolu_1");
    kill(dying.pid, Signal::KILL);
    dying.wait();
    std::fs::write(place.work().join("a.txt"), "by hand, later\n").unwrap();
    pre("host-2", "toolu_2");
    let ops =
        || place.packd(&["history", "--json"]).json()["operations"].as_array().cloned().unwrap_or_default();
    until("the change is recorded", || !ops().is_empty());
    assert_eq!(ops()[0]["who"]["client"], "outside", "{:?}", ops());
}

#[test]
fn how_long_a_hook_takes_is_counted_from_its_first_moment() {
    let place = Place::new();
    counted(&place);
    let mut process = Process::spawn(command(&place, &["pre-tool"]));
    // More than a pipe holds: once it is written, the hook reads.
    let more =
        json!({"tool_name": "Bash", "tool_use_id": "1", "tool_input": {"command": " ".repeat(1 << 20)}});
    let said = claude(&place, "PreToolUse", more);
    let (most, rest) = said.split_at(said.len() - 1);
    process.write(most.as_bytes());
    let waiting = std::time::Instant::now();
    until("the host has taken its time", || waiting.elapsed().as_millis() >= 100);
    process.write(rest.as_bytes());
    assert!(process.wait().success());
    let rows = counted(&place);
    assert!(rows[0]["max_us"].as_u64().unwrap() >= 100_000, "{rows:?}");
}
