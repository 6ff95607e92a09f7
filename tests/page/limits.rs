//! What nobody can make too much of: bodies, headers, time and connections. Others notice nothing.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::visit::{Visit, agent};

fn headers(visit: &Visit, length: usize) -> String {
    format!(
        "POST /decline HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\nX-Packd-Token: {}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
        visit.port, visit.cookie, visit.token
    )
}

#[test]
fn bodies_are_limited() {
    let visit = Visit::new();
    // A body of exactly 64 kB is read, one byte more is not.
    let fits = format!("{{\"id\":\"{}\"}}", "x".repeat(64 * 1024 - 9));
    assert_eq!(fits.len(), 64 * 1024);
    assert_eq!(visit.post("/decline", &serde_json::from_str(&fits).unwrap()).status, 409);
    let long = json!({"id": "x".repeat(64 * 1024 - 8)});
    assert_eq!(visit.post("/decline", &long).status, 413);
    // One that only says so is refused before it comes.
    let told = visit.raw(headers(&visit, 10_000_000).as_bytes());
    assert_eq!(told.unwrap().status, 413);
    // And one that does not say how long it is is read no further.
    let head = headers(&visit, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let mut all = head.into_bytes();
    for _ in 0..20 {
        all.extend_from_slice(b"2000\r\n");
        all.extend(std::iter::repeat_n(b'x', 0x2000));
        all.extend_from_slice(b"\r\n");
    }
    assert_eq!(visit.raw(&all).map(|answer| answer.status), Some(413));
    assert_eq!(visit.get("/").status, 200);
}

#[test]
fn endless_headers_and_no_http_at_all_end_the_connection() {
    let visit = Visit::new();
    let mut endless = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", visit.port);
    endless.push_str(&format!("X-Long: {}\r\n\r\n", "y".repeat(200_000)));
    let answered = visit.raw(endless.as_bytes());
    assert!(answered.is_none_or(|answer| (400..500).contains(&answer.status)));
    for junk in
        ["\0\0\0\0\r\n\r\n", "SSH-2.0-x\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "{\"jsonrpc\":\"2.0\"}\r\n\r\n"]
    {
        let answered = visit.raw(junk.as_bytes());
        assert!(answered.as_ref().is_none_or(|answer| (400..500).contains(&answer.status)), "{answered:?}");
    }
    assert_eq!(visit.get("/").status, 200);
}

/// A thousand connections that say nothing, or half of something, keep neither the page nor anybody else from working.
#[test]
fn a_thousand_connections_are_bounded_and_keep_nobody_out() {
    let visit = Visit::new();
    let mut editor = agent(&visit.place);
    let daemon = visit.place.daemon_pid().unwrap();
    let descriptors = || std::fs::read_dir(format!("/proc/{daemon}/fd")).map(Iterator::count).unwrap_or(0);
    let before = descriptors();
    let mut held: Vec<TcpStream> = Vec::new();
    for n in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", visit.port)) else { break };
        if n % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.");
        }
        held.push(stream);
        if n % 100 == 0 {
            editor.ping(n);
            assert_eq!(visit.get("/").status, 200, "after {n} connections");
        }
    }
    assert_eq!(held.len(), 1000);
    assert_eq!(visit.get("/").status, 200);
    editor.ping(1001);
    if cfg!(target_os = "linux") {
        crate::common::real::until("the oldest connections gave way", || descriptors() < before + 100);
    }
}

/// A browser that asks for much and takes nothing holds its own connection and no more.
#[test]
fn who_does_not_read_holds_up_nobody() {
    let visit = Visit::new();
    for n in 0..30 {
        visit
            .place
            .packd(&["task", "add", &format!("Task number {n} {}", "with a long title ".repeat(20))])
            .ok();
    }
    let mut greedy = visit.connect();
    let ask = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n", visit.port, visit.cookie);
    greedy.set_nonblocking(true).unwrap();
    // As many as the system takes without anybody reading an answer.
    for _ in 0..2000 {
        if greedy.write(ask.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(visit.get("/").status, 200);
    agent(&visit.place).ping(1);
}

#[test]
fn an_event_stream_that_is_not_read_costs_nothing() {
    let visit = Visit::new();
    let ask =
        format!("GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n", visit.port, visit.cookie);
    let mut silent: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = visit.connect();
            stream.write_all(ask.as_bytes()).unwrap();
            stream
        })
        .collect();
    for n in 0..10 {
        visit.place.packd(&["task", "add", &format!("Task {n}")]).ok();
    }
    let mut some = [0; 64];
    for stream in &mut silent {
        assert!(stream.read(&mut some).unwrap() > 0);
        assert!(some.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(visit.get("/").status, 200);
}
