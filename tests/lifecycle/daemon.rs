//! The daemon's own life: who runs, how it ends, what it does under load.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::time::Duration;

use packd::daemon::ending::Ending;
use packd::ipc::scan;
use rustix::process::Signal;

use crate::common::fake::{Fake, empty_result};
use crate::common::real::{DEADLINE, PACKD, Place, Process, kill, until};

#[test]
fn a_second_daemon_says_so_and_ends_well() {
    let place = Place::new();
    let mut first = place.daemon();
    assert_eq!(first.line(), "ready");
    let mut second = place.daemon();
    assert_eq!(second.line(), "already running");
    assert!(second.wait().success());
    assert!(first.running());
    let mode = fs::metadata(place.socket()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::metadata(place.home().dir()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(place.home().database()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn sigterm_ends_it_in_order() {
    let place = Place::new();
    for signal in [Signal::TERM, Signal::INT] {
        let mut daemon = place.daemon();
        assert_eq!(daemon.line(), "ready");
        let mut shim = place.shim();
        shim.ping(1);
        kill(daemon.pid, signal);
        assert!(daemon.wait().success());
        assert!(!place.socket().exists());
        assert!(shim.running());
    }
    assert!(place.log().contains("SIGTERM was received."));
}

#[test]
fn without_a_session_it_ends_by_itself() {
    let place = Place::with_config("idle_minutes = 0.002\n");
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    assert!(daemon.wait().success());
    assert!(!place.socket().exists());
}

#[test]
fn an_open_session_keeps_it() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "1", empty_result, Some(Duration::from_millis(50)));
    let link = place.session();
    // The session is older than the idle time by the time this many questions were answered.
    let mut stream = BufReader::new(link.stream);
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_millis(200) {
        stream.get_mut().write_all(b"{\"id\":1,\"method\":\"ping\"}\n").unwrap();
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "it went away under an open session");
    }
    drop(stream);
    until("it ends once the session is gone", || fake.finished());
}

#[test]
fn a_drain_lets_calls_in_flight_finish_and_takes_no_new_clients() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "1", |_| None, None);
    let link = place.session();
    let mut stream = BufReader::new(link.stream);
    stream.get_mut().write_all(b"{\"id\":1,\"method\":\"tools/call\"}\n").unwrap();
    fake.seen.recv_timeout(DEADLINE).unwrap();
    // Sent before the client can know of the end: answered too.
    stream.get_mut().write_all(b"{\"id\":2,\"method\":\"tools/call\"}\n").unwrap();
    fake.ender.drain("the test asked");
    fake.seen.recv_timeout(DEADLINE).unwrap();
    assert!(!fake.finished());
    fake.release.send(true).unwrap();
    let mut ids = Vec::new();
    for line in stream.lines() {
        ids.push(scan::first_id(&line.unwrap()).to_string());
    }
    ids.sort();
    assert_eq!(ids, ["1", "2"]);
    assert!(matches!(fake.join(), Ending::Drain(_)));
    assert!(!place.socket().exists());
}

#[test]
fn a_removed_socket_is_not_unlinked_again_by_the_daemon_that_lost_it() {
    let place = Place::new();
    let fake = Fake::start(&place.home(), "1", empty_result, None);
    fs::remove_file(place.socket()).unwrap();
    let other = UnixListener::bind(place.socket()).unwrap();
    fake.ender.drain("the test asked");
    fake.join();
    assert!(place.socket().exists(), "it belongs to somebody else");
    drop(other);
}

#[test]
fn something_that_is_no_socket_in_its_place_is_left_alone() {
    let place = Place::new();
    place.home().prepare().unwrap();
    fs::write(place.socket(), "precious").unwrap();
    let mut daemon = place.daemon();
    assert!(daemon.line().starts_with("error: "));
    assert_eq!(daemon.wait().code(), Some(1));
    assert!(daemon.stderr().contains("is not a socket"));
    assert_eq!(fs::read_to_string(place.socket()).unwrap(), "precious");
}

#[test]
fn a_disk_without_room_is_one_clear_message() {
    let place = Place::new();
    let mut command = place.command("/bin/sh");
    // The nearest thing to a full disk that needs no privileges: no file may grow.
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" daemon 2>&1", PACKD]);
    let mut daemon = Process::spawn(command);
    let line = daemon.line();
    assert!(line.starts_with("error: ") && line.contains("packd.redb"), "{line}");
    assert_eq!(daemon.wait().code(), Some(1));
}

/// A client that sends without reading is held back, and gets every answer in the end.
#[test]
fn a_client_that_does_not_read_is_paused_and_loses_nothing() {
    let place = Place::new();
    let fake = Fake::start(
        &place.home(),
        "1",
        |line| Some(format!("{{\"id\":{},\"result\":\"{}\"}}", scan::first_id(line), "x".repeat(64 * 1024))),
        None,
    );
    let link = place.session();
    let stream = link.stream;
    stream.set_nonblocking(true).unwrap();
    let request = "{\"id\":1,\"method\":\"ping\"}\n".repeat(1024);
    let mut sent = 0;
    let mut refused_since = None;
    loop {
        match (&stream).write(&request.as_bytes()[sent % request.len()..]) {
            Ok(n) => {
                sent += n;
                refused_since = None;
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                // Held back for good: the daemon answered another client meanwhile and still takes nothing.
                let mut other = BufReader::new(place.session().stream);
                other.get_mut().write_all(b"{\"id\":9,\"method\":\"ping\"}\n").unwrap();
                let mut line = String::new();
                other.read_line(&mut line).unwrap();
                if refused_since == Some(sent) {
                    break;
                }
                refused_since = Some(sent);
            }
            Err(e) => panic!("{e}"),
        }
        assert!(sent < 64 * 1024 * 1024, "nothing holds it back");
    }
    // Complete the last line, then take everything.
    stream.set_nonblocking(false).unwrap();
    let line = "{\"id\":1,\"method\":\"ping\"}\n";
    let writer = stream.try_clone().unwrap();
    let rest = line.as_bytes()[sent % line.len()..].to_vec();
    let full = sent % line.len() == 0;
    let expected = sent / line.len() + usize::from(!full);
    std::thread::spawn(move || {
        let mut writer = writer;
        if !full {
            let _ = writer.write_all(&rest);
        }
        let _ = writer.shutdown(std::net::Shutdown::Write);
    });
    let answers = BufReader::new(stream).lines().map_while(Result::ok).count();
    assert_eq!(answers, expected);
    drop(fake);
}

#[test]
fn a_line_that_is_too_large_or_not_utf8_is_answered_on_the_socket_too() {
    let place = Place::new();
    let _fake = Fake::start(&place.home(), "1", empty_result, None);
    let mut stream = BufReader::new(place.session().stream);
    let writer = stream.get_ref().try_clone().unwrap();
    std::thread::spawn(move || {
        let mut writer = writer;
        let big = format!("{{\"id\":1,\"method\":\"{}\"}}\n", "x".repeat(20 * 1024 * 1024));
        writer.write_all(big.as_bytes()).unwrap();
        writer.write_all(b"{\"id\":2,\"method\":\"\xff\"}\n\n{\"id\":3,\"method\":\"ping\"}\n").unwrap();
    });
    let mut next = || {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    assert_eq!(next()["error"]["code"], 1003);
    let second = next();
    assert_eq!((&second["id"], &second["error"]["code"]), (&2.into(), &(-32700).into()));
    assert_eq!(next()["id"], 3);
}

#[test]
fn a_call_that_panics_is_one_error_and_the_session_goes_on() {
    let place = Place::new();
    let answer = |line: &str| if line.contains("boom") { panic!("boom") } else { empty_result(line) };
    let _fake = Fake::start(&place.home(), "1", answer, None);
    let mut stream = BufReader::new(place.session().stream);
    stream.get_mut().write_all(b"{\"id\":1,\"method\":\"boom\"}\n{\"id\":2,\"method\":\"ping\"}\n").unwrap();
    let (mut first, mut second) = (String::new(), String::new());
    stream.read_line(&mut first).unwrap();
    stream.read_line(&mut second).unwrap();
    assert!(first.contains("\"id\":1") && first.contains("-32603"), "{first}");
    assert!(second.contains("\"id\":2") && second.contains("result"), "{second}");
}

#[test]
fn a_passed_socket_is_used_and_never_unlinked() {
    let place = Place::new();
    place.home().prepare().unwrap();
    let listener = UnixListener::bind(place.socket()).unwrap();
    let activated = |listener: &UnixListener| {
        let mut command = place.command("/bin/sh");
        let fd: OwnedFd = listener.try_clone().unwrap().into();
        command.args(["-c", "export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\" daemon 3<&0 0</dev/null", PACKD]);
        command.stdin(Stdio::from(fd));
        Process::spawn(command)
    };
    let mut daemon = activated(&listener);
    assert_eq!(daemon.line(), "ready");
    place.shim().ping(1);
    // With the database taken, a second one is a failure, or the supervisor would start it for ever.
    let mut second = activated(&listener);
    assert!(second.line().starts_with("error: "));
    assert_eq!(second.wait().code(), Some(1));
    kill(daemon.pid, Signal::TERM);
    assert!(daemon.wait().success());
    assert!(place.socket().exists());
    // A client that comes between two daemons waits in the supervisor's socket for the next one.
    let mut shim = place.shim();
    shim.send(&serde_json::json!({"jsonrpc": "2.0", "id": 5, "method": "ping"}));
    let mut third = activated(&listener);
    assert_eq!(third.line(), "ready");
    assert_eq!(shim.reply()["id"], 5);
}

#[test]
fn a_supervisor_hears_when_it_is_ready_and_when_it_stops() {
    let place = Place::new();
    let path = place.path().join("notify");
    let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut command = place.command(PACKD);
    command.arg("daemon").env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "3600000000");
    let mut daemon = Process::spawn(command);
    let hear = || {
        let mut buffer = [0; 256];
        let n = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..n]).trim().to_string()
    };
    let mut heard = vec![hear(), hear()];
    heard.sort();
    assert_eq!(heard, ["READY=1", "WATCHDOG=1"]);
    kill(daemon.pid, Signal::TERM);
    assert_eq!(hear(), "STOPPING=1");
    assert!(daemon.wait().success());
    assert!(daemon.stderr().contains("Ready."), "the supervisor has the log");
}

#[test]
fn a_large_log_is_set_aside_when_the_daemon_starts() {
    let place = Place::new();
    place.home().prepare().unwrap();
    fs::write(place.home().log(), "old line\n".repeat(700_000)).unwrap();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let mut start = [0; 8];
    fs::File::open(place.home().dir().join("log.1")).unwrap().read_exact(&mut start).unwrap();
    assert_eq!(&start, b"old line");
    assert!(place.log().len() < 10_000);
    assert_eq!(fs::metadata(place.home().log()).unwrap().permissions().mode() & 0o777, 0o600);
}
