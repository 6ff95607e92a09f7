//! Shells complete ids and names from the daemon that runs, and a key press starts none.

use serde_json::json;

use super::rig::Desk;
use crate::common::real::Ran;

/// What a shell is offered for the last word.
fn offered(desk: &Desk, words: &[&str]) -> Vec<String> {
    let mut command = desk.command(&["--", "packd"]);
    command.args(words).env("PACKD_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let out = Ran::of(command).ok();
    out.lines().filter(|line| !line.starts_with('-')).map(str::to_string).collect()
}

#[test]
fn ids_and_names_come_from_the_daemon() {
    let desk = Desk::new();
    assert_eq!(offered(&desk, &["show", ""]), Vec::<String>::new());
    assert_eq!(desk.place.daemon_pid(), None, "a key press starts no daemon");

    desk.packd(&["task", "add", "Ship OAuth"]).ok();
    desk.packd(&["pack", "new", "Login", "--name", "login-flow"]).ok();
    let history = desk.packd(&["history", "--json"]).json();
    let newest = history["operations"][0]["operation_id"].as_str().unwrap();
    let ids = offered(&desk, &["show", ""]);
    assert_eq!(ids.len(), history["operations"].as_array().unwrap().len());
    assert!(newest.ends_with(&ids[0]) && ids[0].len() == 8, "{ids:?}");
    assert_eq!(offered(&desk, &["revert", &ids[0][..4]]), [ids[0].clone()]);
    assert_eq!(offered(&desk, &["pack", "show", "lo"]), ["login-flow"]);
    assert_eq!(offered(&desk, &["task", "start", "T"]), ["TASK-001"]);
    assert_eq!(offered(&desk, &["task", "claim", "T"]), ["TASK-001"]);
    assert_eq!(offered(&desk, &["history", "--by", ""]), ["you"]);
    assert_eq!(offered(&desk, &["undo", "--target", "log"]), ["login-flow"]);
    assert!(offered(&desk, &["history", "--family", ""]).contains(&"packs".to_string()));
    assert_eq!(offered(&desk, &["call", "tasks_rad"]), ["tasks_radar"]);
    assert!(offered(&desk, &["help", "mo"]).contains(&"modes".to_string()));
    assert!(offered(&desk, &["undo", "--session", ""]).len() > 1);
    assert_eq!(offered(&desk, &["workspace", "move", "/"]), [desk.work().to_str().unwrap()]);
}

#[test]
fn every_shell_gets_a_script_that_asks_packd() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.packd(&["completions", shell]).ok();
        assert!(script.contains("PACKD_COMPLETE") && script.contains("packd"), "{shell}: {script}");
        let told = desk.packd(&["completions", shell, "--json"]).json();
        assert_eq!(told["shell"], json!(shell));
    }
    // Where a shell is installed, it takes its script.
    let path = desk.place.path().join("complete.bash");
    std::fs::write(&path, desk.packd(&["completions", "bash"]).ok()).unwrap();
    match std::process::Command::new("bash").arg("-n").arg(&path).status() {
        Ok(status) => assert!(status.success()),
        Err(_) => println!("skipped: bash is not installed"),
    }
}
