//! Following listens: no polling, every line once and to the last, and a stopped daemon stays stopped.

use serde_json::json;

use super::rig::Desk;
use crate::common::real::Process;
use crate::families::deploy::rig::write;

/// The screen once repeated the last line of a run five times a second and lost the end of a long log.
#[test]
fn every_line_of_a_run_is_printed_once_and_to_the_last() {
    let desk = Desk::new();
    desk.ecosystem();
    desk.packd(&["eco", "install", "demo", "--yes"]).ok();
    write(&desk.work().join("provisioners/local/spin.sh"), "#!/bin/sh\nseq 1 3000\nsleep 1\necho the end\n");
    let text = desk.packd(&["eco", "deploy", "demo", "--yes"]).ok();
    let numbers: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(numbers, (1..=3000).collect::<Vec<_>>());
    assert_eq!(text.matches("the end").count(), 1);
    assert!(text.trim_end().ends_with("Run ended: success"), "{}", &text[text.len() - 200..]);
    let again = desk.packd(&["run", "logs", "--follow"]).ok();
    assert_eq!(again.lines().filter(|line| line.parse::<u32>().is_ok()).count(), 3000);
}

fn calls(desk: &Desk) -> u64 {
    desk.packd(&["status", "--json"]).json()["calls"].as_u64().unwrap()
}

/// `packd watch` once made eight calls a second and brought a stopped daemon back.
#[test]
fn watching_costs_no_calls_and_starts_no_daemon() {
    let desk = Desk::new();
    desk.packd(&["pack", "new", "First"]).ok();
    let mut watch = Process::spawn(desk.command(&["watch"]));
    assert!(watch.line().contains("Watching"));
    desk.packd(&["pack", "new", "Second"]).ok();
    assert!(watch.line().contains("Made pack"));
    let before = calls(&desk);
    // Asking for the status is no call of a tool; this takes longer than several polls did.
    for _ in 0..40 {
        assert_eq!(calls(&desk), before, "somebody asked although nothing happened");
    }
    let begun = std::time::Instant::now();
    desk.packd(&["stop"]).ok();
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(5),
        "stopping waited for somebody who only listens"
    );
    assert!(watch.line().contains("has stopped"));
    for _ in 0..40 {
        assert_eq!(desk.packd(&["status", "--json"]).json()["running"], json!(false));
    }
    assert!(watch.running());
    // Whoever starts it again is heard.
    desk.packd(&["pack", "new", "Third"]).ok();
    assert!(watch.line().contains("Made pack"));
}

#[test]
fn watch_has_a_screen_of_its_own_that_q_ends() {
    use crate::common::pty::{self, Pty};
    if !pty::available() {
        return;
    }
    let desk = Desk::new();
    desk.packd(&["pack", "new", "Before"]).ok();
    let mut command = desk.command(&["watch"]);
    command.env("TERM", "xterm");
    let mut watch = Pty::spawn(&command);
    watch.until("\x1b[?1049h");
    watch.until("Made pack");
    desk.packd(&["task", "add", "Seen"]).ok();
    watch.until("Made TASK-001");
    watch.types("q");
    let (code, rest) = watch.end();
    assert_eq!(code, Some(0));
    assert!(rest.contains("\x1b[?1049l"), "the screen before comes back: {rest:?}");
}
