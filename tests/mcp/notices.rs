//! Notices of many real sessions: merged while many write, and the last one always comes.
//!
//! Once 64 writers of one workspace were sent 16 notices for each of their replies, which was most of what the
//! daemon did.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::Instant;

use serde_json::{Value, json};

use crate::common::real::{DEADLINE, Place};

const SESSIONS: usize = 64;
const WRITES: usize = 10;
const CHANGED: &str = "notifications/resources/list_changed";

struct Session {
    from: BufReader<UnixStream>,
    to: UnixStream,
    notices: usize,
}

impl Session {
    fn open(place: &Place) -> Session {
        let stream = place.session().stream;
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut session =
            Session { from: BufReader::new(stream.try_clone().unwrap()), to: stream, notices: 0 };
        session.send(json!({"jsonrpc": "2.0", "id": "hi", "method": "initialize", "params":
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}));
        session.replies(1);
        session.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, message: Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn create(&mut self, id: usize) {
        let args = json!({"action": "create", "title": "A pack", "brief": "b", "ttl_minutes": 60});
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "input", "arguments": args}}));
    }

    /// Reads one line; true for a reply.
    fn read(&mut self) -> bool {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("a line in time");
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_ne!(line["result"]["isError"], json!(true), "{line}");
        self.notices += usize::from(line["method"] == CHANGED);
        line.get("id").is_some()
    }

    fn replies(&mut self, mut wanted: usize) {
        while wanted > 0 {
            wanted -= usize::from(self.read());
        }
    }

    fn hears_more_than(&mut self, notices: usize) {
        while self.notices <= notices {
            self.read();
        }
    }
}

#[test]
fn writers_are_not_drowned_in_notices_and_nobody_misses_the_last_change() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let mut sessions: Vec<Session> = (0..SESSIONS).map(|_| Session::open(&place)).collect();
    let began = Instant::now();
    for n in 0..WRITES {
        sessions.iter_mut().for_each(|session| session.create(n));
    }
    sessions.iter_mut().for_each(|session| session.replies(WRITES));
    // A ping behind the replies brings what was sent before it.
    for session in &mut sessions {
        session.send(json!({"jsonrpc": "2.0", "id": "p", "method": "ping"}));
        session.replies(1);
    }
    let most = 1 + began.elapsed().as_millis().div_ceil(100) as usize;
    for session in &sessions {
        let told = session.notices;
        assert!((1..=most).contains(&told), "{told} notices in {:?}", began.elapsed());
    }
    // One change after another: the second falls into the time in which nothing is told, and is told after it.
    for n in 0..2 {
        let heard: Vec<usize> = sessions.iter().map(|session| session.notices).collect();
        sessions[0].create(WRITES + n);
        sessions[0].replies(1);
        for (session, before) in sessions.iter_mut().zip(heard) {
            session.hears_more_than(before);
        }
    }
}
