//! The shim as a host sees it: it starts what it needs, answers, explains what is wrong, and goes when it should.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::real::{Place, Process, SHIM, kill, until};

/// Ends that the contract bounds by 200 ms; a loaded machine gets a factor, a hang does not pass.
const PROMPTLY: Duration = Duration::from_secs(3);

#[test]
fn thirty_shims_on_a_cold_home_share_one_daemon() {
    let place = Place::new();
    let mut shims: Vec<Process> = (0..30).map(|_| place.shim()).collect();
    for shim in &mut shims {
        shim.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    }
    for shim in &mut shims {
        assert_eq!(shim.reply()["result"], json!({}));
    }
    until("the log says so", || place.log().contains("Ready."));
    let ready = place.log().matches("Ready.").count();
    assert_eq!(ready, 1, "one daemon came up: {}", place.log());
}

#[test]
fn killing_the_daemon_under_ten_sessions_is_not_noticed_by_their_next_call() {
    let place = Place::new();
    let mut shims: Vec<Process> = (0..10).map(|_| place.shim()).collect();
    for shim in &mut shims {
        assert!(shim.initialize()["result"]["serverInfo"].is_object());
        shim.ping(1);
    }
    let old = place.kill_daemon();
    for shim in &mut shims {
        // The very next line is the answer: the repeated handshake's reply was kept back.
        shim.ping(2);
        shim.ping(3);
    }
    assert_ne!(place.daemon_pid(), Some(old));
}

#[test]
fn a_socket_file_that_a_dead_daemon_left_is_no_obstacle() {
    let place = Place::new();
    place.home().prepare().unwrap();
    drop(UnixListener::bind(place.socket()).unwrap());
    assert!(place.socket().exists());
    place.shim().ping(1);
}

/// Each of these must be one clear answer with the remedy, also on stderr, and the shim must live on.
fn refused(place: &Place, shim: &mut Process, words: &[&str]) {
    for id in [1, 2] {
        let reply = shim.ask(json!(id), "ping", json!({}));
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(id), &json!(1002)), "{reply}");
        let message = reply["error"]["message"].as_str().unwrap();
        for word in words {
            assert!(message.contains(word), "{word:?} is missing in: {message}");
        }
        assert!(!reply["error"]["data"]["hint"].as_str().unwrap().is_empty());
    }
    assert!(shim.running());
    shim.close_stdin();
    let stderr = shim.stderr();
    assert!(words.iter().all(|word| stderr.contains(word)), "{stderr}");
    assert_eq!(place.daemon_pid(), None);
}

#[test]
fn a_home_that_is_a_symbolic_link_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path().join("elsewhere")).unwrap();
    symlink(place.path().join("elsewhere"), place.home().dir()).unwrap();
    refused(&place, &mut place.shim(), &["is a symbolic link", "PACKD_HOME"]);
}

#[test]
fn a_home_that_others_can_write_to_is_refused() {
    let place = Place::new();
    place.home().prepare().unwrap();
    fs::set_permissions(place.home().dir(), fs::Permissions::from_mode(0o770)).unwrap();
    refused(&place, &mut place.shim(), &["open to other users (mode 770)", "chmod 700"]);
}

#[test]
fn a_home_that_is_a_file_is_refused() {
    let place = Place::new();
    fs::write(place.home().dir(), "").unwrap();
    refused(&place, &mut place.shim(), &["is not a directory"]);
}

#[test]
fn a_home_whose_socket_path_is_too_long_is_refused_with_the_limit() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    command.env("PACKD_HOME", place.path().join("x".repeat(100)));
    let limit = if cfg!(target_os = "linux") { "allows 107" } else { "allows 103" };
    refused(&place, &mut Process::spawn(command), &[limit, "PACKD_HOME"]);
}

#[test]
fn a_relative_home_is_refused() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    command.env("PACKD_HOME", "state/packd");
    refused(&place, &mut Process::spawn(command), &["state/packd", "not an absolute path"]);
}

#[test]
fn a_database_that_is_none_is_refused_and_left_alone() {
    let place = Place::new();
    place.home().prepare().unwrap();
    fs::write(place.home().database(), "this is not a database").unwrap();
    refused(&place, &mut place.shim(), &["packd.redb"]);
    assert_eq!(fs::read_to_string(place.home().database()).unwrap(), "this is not a database");
    assert!(place.log().contains("packd.redb"), "{}", place.log());
}

#[test]
fn a_wrong_line_in_the_configuration_is_named() {
    let place = Place::with_config("idle_minutes = 5\nidle_hours = 1\n");
    refused(&place, &mut place.shim(), &["config.toml", "line 2", "idle_hours"]);
    assert!(place.log().contains("idle_hours"));
}

#[test]
fn a_home_that_was_repaired_is_used_by_the_next_request() {
    let place = Place::new();
    place.home().prepare().unwrap();
    fs::set_permissions(place.home().dir(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut shim = place.shim();
    assert!(shim.ask(json!(1), "ping", json!({}))["error"].is_object());
    fs::set_permissions(place.home().dir(), fs::Permissions::from_mode(0o700)).unwrap();
    shim.ping(2);
}

#[test]
fn exit_ends_the_shim_while_stdin_is_still_open() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.ping(1);
    let began = Instant::now();
    assert_eq!(shim.ask(json!("bye"), "exit", Value::Null)["result"], Value::Null);
    assert!(shim.wait().success());
    assert!(began.elapsed() < PROMPTLY);

    let mut shim = place.shim();
    shim.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert!(shim.wait().success());
    assert!(shim.silent());
}

#[test]
fn after_shutdown_only_exit_is_accepted() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.ping(1);
    assert_eq!(
        shim.ask(json!(2), "shutdown", Value::Null),
        json!({"jsonrpc": "2.0", "id": 2, "result": null})
    );
    assert_eq!(shim.ask(json!(3), "ping", json!({}))["error"]["code"], json!(-32000));
    shim.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(shim.ask(json!(4), "shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(shim.ask(json!(5), "exit", Value::Null)["id"], json!(5));
    assert!(shim.wait().success());
}

#[test]
fn a_host_that_never_asks_anything_is_left_after_the_configured_time() {
    let place = Place::new();
    let began = Instant::now();
    let mut command = place.command(SHIM);
    command.env("CONTEXT_PACK_INITIALIZE_TIMEOUT_MS", "250");
    let mut shim = Process::spawn(command);
    // A notification is no request.
    shim.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}));
    assert!(shim.wait().success());
    assert!(began.elapsed() >= Duration::from_millis(250) && began.elapsed() < PROMPTLY);
}

#[test]
fn a_request_of_either_protocol_era_keeps_the_shim() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    command.env("CONTEXT_PACK_INITIALIZE_TIMEOUT_MS", "400");
    let mut shim = Process::spawn(command);
    let began = Instant::now();
    shim.ask(json!(1), "server/discover", json!({}));
    // Asking goes on beyond the limit; every answer shows that it still lives.
    let mut id = 1;
    while began.elapsed() < Duration::from_millis(600) {
        id += 1;
        shim.ask(json!(id), "ping", json!({}));
    }
    assert!(shim.running());
}

#[test]
fn the_end_of_stdin_ends_the_shim_after_the_answers() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.write(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    shim.close_stdin();
    assert_eq!(shim.reply()["id"], json!(1));
    assert_eq!(shim.reply()["id"], json!(2));
    assert!(shim.wait().success());

    let mut idle = place.shim();
    idle.ping(1);
    let began = Instant::now();
    idle.close_stdin();
    assert!(idle.wait().success());
    assert!(began.elapsed() < PROMPTLY);
}

#[test]
fn a_closed_stdout_ends_the_shim_while_stdin_is_still_open() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let (send, ended) = std::sync::mpsc::channel();
    let stdin = child.stdin.take();
    std::thread::spawn(move || send.send(child.wait()));
    let status = ended.recv_timeout(crate::common::real::DEADLINE).expect("it ends");
    assert!(status.unwrap().success());
    drop(stdin);
}

#[test]
fn signals_end_the_shim_at_once() {
    let place = Place::new();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut shim = place.shim();
        shim.ping(1);
        kill(shim.pid, signal);
        shim.wait();
    }
    assert!(place.daemon_pid().is_some(), "the daemon does not care");
}

/// Hosts leak pipes: a shim whose host was killed must go although somebody still holds its stdin.
#[test]
fn the_death_of_its_parent_ends_the_shim() {
    let place = Place::new();
    let mut command = place.command("/bin/sh");
    command.args(["-c", "{ \"$0\" <&3 & } 3<&0; wait", SHIM]);
    let mut shell = Process::spawn(command);
    shell.ping(1);
    kill(shell.pid, Signal::KILL);
    shell.stdout_closes();
}

#[test]
fn a_wrong_option_is_explained_on_stderr_and_never_on_stdout() {
    let place = Place::new();
    let mut command = place.command(SHIM);
    command.arg("--mood").arg("ask");
    let mut shim = Process::spawn(command);
    assert_eq!(shim.wait().code(), Some(2));
    assert!(shim.silent());
    assert!(shim.stderr().contains("--mood"));
}
