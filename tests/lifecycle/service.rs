//! Service files and what `packd service` does with them. No supervisor of the machine is ever asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use packd::cli::units::{self, Paths};
use packd::ipc::Home;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Ran, gone};
use crate::common::snapshot;

fn lines(text: &str) -> Value {
    text.lines().collect()
}

#[test]
fn the_rendered_files_are_as_reviewed() {
    // A home with a space and a percent sign: both mean something to systemd.
    let home = Home::at("/home/a b/100%/packd");
    let paths = Paths {
        program: "/opt/packd & co/bin/packd".into(),
        home: home.dir().into(),
        socket: home.socket().unwrap(),
        log: home.log(),
    };
    let [socket, service] = units::systemd(&paths);
    snapshot(
        "service_files",
        &json!({
            socket.0: lines(&socket.1), service.0: lines(&service.1), "packd.plist": lines(&units::launchd(&paths)),
        }),
    );
}

#[test]
fn systemd_accepts_the_units() {
    let place = Place::new();
    let home = place.home();
    let paths = Paths {
        program: PACKD.into(),
        home: home.dir().into(),
        socket: home.socket().unwrap(),
        log: home.log(),
    };
    let mut command = Command::new("systemd-analyze");
    command.args(["--user", "verify", "--man=no"]).env("XDG_RUNTIME_DIR", place.path());
    for (name, text) in units::systemd(&paths) {
        fs::write(place.path().join(name), text).unwrap();
        command.arg(place.path().join(name));
    }
    // Not every machine has it; where it is, its word counts.
    if let Ok(out) = command.output() {
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success() && !said.contains("packd."), "{said}");
    }
}

/// `packd` with a `systemctl` that writes down what it is asked and says yes.
fn supervised(place: &Place, args: &[&str]) -> Ran {
    let bin = place.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let fake = bin.join("systemctl");
    fs::write(&fake, format!("#!/bin/sh\necho \"$@\" >> '{}'\n", place.path().join("asked").display()))
        .unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(PACKD);
    command.args(args).env("PATH", format!("{}:/bin:/usr/bin", bin.display()));
    Ran::of(command)
}

#[cfg(target_os = "linux")]
#[test]
fn a_running_daemon_makes_way_for_the_service() {
    let place = Place::new();
    place.packd(&["stats"]).ok();
    let old = place.daemon_pid().unwrap();
    let done = supervised(&place, &["service", "install", "--json"]).json();
    assert_eq!(done["replaced_pid"], json!(old));
    gone(old);
    let units = place.path().join(".config/systemd/user");
    let socket = fs::read_to_string(units.join("packd.socket")).unwrap();
    assert!(socket.contains(&format!("ListenStream={}\n", place.socket().display())), "{socket}");
    assert!(fs::read_to_string(units.join("packd.service")).unwrap().contains(PACKD));
    let asked = fs::read_to_string(place.path().join("asked")).unwrap();
    let socket_up = asked.find("enable --now packd.socket").unwrap();
    assert!(socket_up < asked.find("start packd.service").unwrap(), "{asked}");

    let status = supervised(&place, &["service", "status", "--json"]).json();
    assert_eq!((&status["installed"], &status["current"]), (&json!(true), &json!(true)), "{status}");
    supervised(&place, &["service", "uninstall"]).ok();
    assert!(!units.join("packd.socket").exists() && !units.join("packd.service").exists());
    assert!(supervised(&place, &["service", "uninstall"]).ok().contains("was not installed"));
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_supervisor_the_answer_is_clear() {
    let place = Place::new();
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let mut command = place.command(PACKD);
    command.args(["service", "install"]).env("PATH", &empty);
    let said = Ran::of(command).failed(1);
    assert!(said.contains("starts by itself"), "{said}");
    assert!(!place.path().join(".config").exists());
}

#[test]
fn the_daemon_of_a_service_does_not_end_by_itself() {
    let place = Place::with_config("idle_minutes = 0.0001\n");
    let mut command = place.command(PACKD);
    command.arg("daemon").env("PACKD_IDLE_MINUTES", "0");
    let mut daemon = crate::common::real::Process::spawn(command);
    assert_eq!(daemon.line(), "ready");
    let status = place.packd(&["status", "--json"]).json();
    assert_eq!(status["idle_seconds"], json!(0));
    assert!(daemon.running());
}
