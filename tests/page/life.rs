//! From `packd ui` to the closed port: nothing listens before, and nothing after.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use super::visit::{Visit, open};
use crate::common::real::{Place, until};
use crate::families::deploy::rig::write;

fn listening(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Ports on which a process listens for TCP, from the system's own list.
#[cfg(target_os = "linux")]
fn ports_of(pid: u32) -> Vec<String> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .filter_map(|fd| std::fs::read_link(fd.ok()?.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_string()))
        .collect();
    let mut out = Vec::new();
    for list in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = std::fs::read_to_string(list).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if fields[3] == "0A" && sockets.contains(&fields[9].to_string()) {
                out.push(fields[1].to_string());
            }
        }
    }
    out
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_listens_until_it_is_asked_for_and_then_on_the_loopback_address_alone() {
    let place = Place::new();
    place.packd(&["task", "add", "One"]).ok();
    let daemon = place.daemon_pid().unwrap();
    assert_eq!(ports_of(daemon), Vec::<String>::new());
    let (port, _) = open(&place, &[]);
    assert_eq!(ports_of(daemon), [format!("0100007F:{port:04X}")]);
}

#[test]
fn the_page_closes_some_time_after_the_last_one_looked() {
    let place = Place::new();
    let (port, _) = open(&place, &["--idle", "1"]);
    assert!(listening(port));
    let daemon = place.daemon_pid();
    until("the port is closed", || !listening(port));
    assert_eq!(place.daemon_pid(), daemon, "the daemon goes on");
    let (again, _) = open(&place, &[]);
    assert!(listening(again));
}

/// While a page is open it does not end; its sign-in ends with the port.
#[test]
fn an_open_page_keeps_the_port_and_a_new_port_knows_nobody() {
    use std::io::{Read, Write};
    let place = Place::new();
    let (port, code) = open(&place, &["--idle", "1"]);
    let mut visit = Visit { place, port, code, cookie: String::new(), token: String::new() };
    visit.sign_in();
    let mut stream = visit.connect();
    let ask = format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {}\r\n\r\n", visit.cookie);
    stream.write_all(ask.as_bytes()).unwrap();
    let mut some = [0; 512];
    let mut seen = String::new();
    // A beat comes every fifteen seconds: by then the second of idleness is long over.
    while !seen.contains(": here") {
        let n = stream.read(&mut some).unwrap();
        assert!(n > 0, "the stream ended: {seen}");
        seen.push_str(&String::from_utf8_lossy(&some[..n]));
    }
    assert!(listening(port));
    drop(stream);
    until("the port is closed", || !listening(port));
    let (fresh, _) = open(&visit.place, &[]);
    let old = visit.cookie.split_once('=').unwrap().1.to_string();
    visit.port = fresh;
    let answer = visit.ask("GET", "/", &[("Cookie", &format!("packd-{fresh}={old}"))], b"");
    assert_eq!(answer.status, 401, "{answer:?}");
}

#[test]
fn the_daemon_ends_while_pages_are_open() {
    let visit = Visit::new();
    let mut stream = visit.connect();
    use std::io::{Read, Write};
    let ask =
        format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n", visit.port, visit.cookie);
    stream.write_all(ask.as_bytes()).unwrap();
    let mut first = [0; 16];
    stream.read_exact(&mut first).unwrap();
    visit.place.packd(&["stop"]).ok();
    let mut rest = String::new();
    let _ = stream.read_to_string(&mut rest);
    assert!(!listening(visit.port));
    // The next daemon opens the same store at once.
    visit.place.packd(&["task", "add", "After"]).ok();
}

#[test]
fn the_address_is_alone_on_the_first_line_and_in_json() {
    let place = Place::new();
    let said = place.packd(&["ui", "--no-open"]).ok();
    assert_eq!(said.lines().count(), 1, "{said}");
    let answer = place.packd(&["ui", "--json"]).json();
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["url"]);
    assert!(answer["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{answer}");
    place.packd(&["ui", "--idle", "0"]).failed(2);
    place.packd(&["ui", "--idle", "soon"]).failed(2);
}

/// Other users can read the arguments of programs, so the code is in none of them: the browser gets a file.
#[test]
fn a_browser_is_started_on_a_file_that_only_its_owner_can_read() {
    let place = Place::new();
    let browser = place.path().join("browser");
    write(
        &browser,
        "#!/bin/sh\nstat -c %a \"$1\" > \"$0.mode\"\ncp \"$1\" \"$0.page\"\necho \"$*\" > \"$0.args\"\n",
    );
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(crate::common::real::PACKD);
    command.arg("ui").env("BROWSER", &browser);
    let said = crate::common::real::Ran::of(command).ok();
    let address = said.lines().next().unwrap().to_string();
    let code = address.split_once('#').unwrap().1.to_string();
    let beside =
        |end: &str| std::fs::read_to_string(place.path().join(format!("browser.{end}"))).unwrap_or_default();
    until("the browser ran", || !beside("args").is_empty());
    assert!(!beside("args").contains(&code), "{}", beside("args"));
    assert_eq!(beside("mode").trim(), "600");
    assert!(beside("page").contains(&address), "{}", beside("page"));
    let file = beside("args").trim().to_string();
    assert!(Path::new(&file).exists());
    let (port, _) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
    let mut visit =
        Visit { place, port: port.parse().unwrap(), code, cookie: String::new(), token: String::new() };
    visit.sign_in();
    assert!(!Path::new(&file).exists(), "a file whose code was used is of no use to anybody");
    assert_eq!(visit.post("/sign-out", &json!({})).status, 200);
}
