//! Old and new ends of the socket meet: within the protocol range they work, outside they say what to do.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use packd::ipc::hello::{
    FRAME_MAX, Hello, KIND_DRAIN, KIND_MCP, KIND_STATUS, PROTO, Welcome, decode, encode, read_frame,
};
use serde::Serialize;

use crate::common::fake::{Fake, empty_result};
use crate::common::real::{DEADLINE, Place};

fn greet<T: Serialize>(place: &Place, hello: &T) -> (UnixStream, Welcome) {
    let mut stream = UnixStream::connect(place.socket()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(&encode(hello).unwrap()).unwrap();
    let welcome = read_frame(&mut stream).unwrap();
    (stream, welcome)
}

fn works(stream: UnixStream) {
    let mut stream = BufReader::new(stream);
    stream.get_mut().write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert_eq!(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

/// As a shim of the first release knew it: fewer fields.
#[derive(Serialize)]
struct OldHello {
    proto: u32,
    proto_min: u32,
    version: &'static str,
    kind: &'static str,
    cwd: String,
}

/// As a shim of the future knows it: more fields, more protocols.
#[derive(Serialize)]
struct NewHello {
    proto: u32,
    proto_min: u32,
    version: &'static str,
    kind: &'static str,
    cwd: String,
    user_home: String,
    pid: u32,
    colours: BTreeMap<&'static str, Vec<u32>>,
    flags: NewFlags,
}

#[derive(Serialize)]
struct NewFlags {
    read_only: bool,
    theme: &'static str,
}

#[test]
fn an_old_shim_works_with_this_daemon() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let cwd = place.work().to_string_lossy().into_owned();
    let (stream, welcome) =
        greet(&place, &OldHello { proto: 1, proto_min: 1, version: "0.0.1", kind: "mcp", cwd });
    assert_eq!((welcome.error, welcome.proto), (None, 1));
    works(stream);
}

#[test]
fn a_newer_shim_works_with_this_daemon_as_long_as_the_ranges_meet() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let hello = |proto_min| NewHello {
        proto: PROTO + 5,
        proto_min,
        version: "9.0.0",
        kind: "mcp",
        cwd: place.work().to_string_lossy().into_owned(),
        user_home: place.path().to_string_lossy().into_owned(),
        pid: 1,
        colours: BTreeMap::from([("red", vec![1, 2])]),
        flags: NewFlags { read_only: false, theme: "dark" },
    };
    let (stream, welcome) = greet(&place, &hello(PROTO));
    assert_eq!((welcome.error, welcome.proto), (None, PROTO));
    works(stream);
    let (_, welcome) = greet(&place, &hello(PROTO + 1));
    assert!(welcome.error.unwrap().contains(&format!("{}", PROTO + 1)));
    assert!(welcome.hint.unwrap().contains("packd restart"));
    assert_eq!(welcome.proto, PROTO, "so that the client can tell who is older");
}

#[test]
fn a_client_of_a_forgotten_protocol_is_told_to_update() {
    let place = Place::new();
    let _fake = Fake::start(&place.home(), "1", empty_result, None);
    let (_, welcome) = greet(&place, &Hello { proto: 0, kind: KIND_MCP.into(), ..Hello::default() });
    assert!(welcome.error.is_some());
    assert!(welcome.hint.unwrap().contains("Update packd-mcp"));
}

#[test]
fn status_and_drain_are_understood_whatever_the_protocol() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let hello = |kind: &str| Hello { proto: 900, proto_min: 800, kind: kind.into(), ..Hello::default() };
    let (_, welcome) = greet(&place, &hello(KIND_STATUS));
    assert_eq!(welcome.pid, daemon.pid);
    assert_eq!(welcome.home, place.home().dir().to_string_lossy());
    assert_eq!(welcome.status.unwrap().idle_seconds, 600);
    let (mut stream, welcome) = greet(&place, &hello(KIND_DRAIN));
    assert_eq!(welcome.error, None);
    // The connection ends when the process does, and by then the database is free.
    assert_eq!(stream.read(&mut [0; 8]).unwrap_or(0), 0);
    assert!(daemon.wait().success());
}

#[test]
fn an_unknown_kind_of_client_is_told_so() {
    let place = Place::new();
    let _fake = Fake::start(&place.home(), "1", empty_result, None);
    let (_, welcome) = greet(&place, &Hello { proto: 1, kind: "graphql".into(), ..Hello::default() });
    assert!(welcome.error.unwrap().contains("graphql"));
}

#[test]
fn what_is_no_hello_is_dropped_and_others_are_served() {
    let place = Place::new();
    let _fake = Fake::start(&place.home(), "1", empty_result, None);
    let oversize = (FRAME_MAX as u32 + 1).to_be_bytes();
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], &oversize, &[0, 0, 0, 3, 0xc1, 0xc1, 0xc1], b""] {
        let mut stream = UnixStream::connect(place.socket()).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(matches!(stream.read(&mut [0; 8]), Ok(0) | Err(_)));
    }
    works(place.session().stream);
}

#[test]
fn a_welcome_of_another_version_is_read_by_what_is_known_of_it() {
    #[derive(Serialize)]
    struct NewWelcome {
        proto: u32,
        session: &'static str,
        mood: Vec<u8>,
    }
    let frame = encode(&NewWelcome { proto: 1, session: "s", mood: vec![1] }).unwrap();
    let welcome: Welcome = decode(&frame[4..]).unwrap();
    assert_eq!((welcome.proto, welcome.session.as_str(), welcome.resumed), (1, "s", false));
}

/// A daemon of our own making: it answers a Hello when the test wants it to.
struct Listening(std::os::unix::net::UnixListener);

impl Listening {
    fn at(place: &Place) -> Listening {
        place.home().prepare().unwrap();
        Listening(std::os::unix::net::UnixListener::bind(place.socket()).unwrap())
    }

    /// The next client after its Hello, which is read to its last byte and no further.
    fn greeted(&self) -> UnixStream {
        let (mut stream, _) = self.0.accept().unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let hello: Hello = read_frame(&mut stream).unwrap();
        assert_eq!(hello.kind, KIND_MCP);
        stream
    }
}

fn line(stream: &UnixStream) -> String {
    let mut text = String::new();
    BufReader::new(stream).read_line(&mut text).unwrap();
    text
}

fn welcome(mut stream: &UnixStream) {
    let welcome = Welcome { session: "s".into(), ..Welcome::of_this_process("") };
    stream.write_all(&encode(&welcome).unwrap()).unwrap();
}

#[test]
fn the_first_message_travels_with_the_hello_and_is_said_again_where_no_welcome_came() {
    let place = Place::new();
    let daemon = Listening::at(&place);
    let mut shim = place.shim();
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#;
    shim.write(format!("{initialize}\n").as_bytes());
    let ending = daemon.greeted();
    assert_eq!(line(&ending).trim_end(), initialize, "before any Welcome");
    drop(ending);
    let mut stream = daemon.greeted();
    welcome(&stream);
    assert_eq!(line(&stream).trim_end(), initialize);
    stream.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n").unwrap();
    assert_eq!(shim.line(), r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    shim.write(format!("{ping}\n").as_bytes());
    assert_eq!(line(&stream).trim_end(), ping, "and nothing twice");
}

#[test]
fn a_call_waits_for_the_welcome_because_it_must_not_happen_twice() {
    let place = Place::new();
    let daemon = Listening::at(&place);
    let mut shim = place.shim();
    let call = r#"{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"input"}}"#;
    shim.write(format!("{call}\n").as_bytes());
    let mut stream = daemon.greeted();
    stream.set_nonblocking(true).unwrap();
    let early = stream.read(&mut [0; 8]);
    assert!(early.is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock), "nothing follows the Hello");
    stream.set_nonblocking(false).unwrap();
    welcome(&stream);
    assert_eq!(line(&stream).trim_end(), call);
}

#[test]
fn a_client_that_is_turned_away_is_told_why_whatever_it_said_already() {
    let place = Place::new();
    let mut daemon = place.daemon();
    assert_eq!(daemon.line(), "ready");
    let mut stream = UnixStream::connect(place.socket()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut said =
        encode(&Hello { proto: 900, proto_min: 800, kind: KIND_MCP.into(), ..Hello::default() }).unwrap();
    said.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}\n");
    stream.write_all(&said).unwrap();
    let welcome: Welcome = read_frame(&mut stream).unwrap();
    assert!(welcome.hint.unwrap().contains("packd restart"));
    assert!(matches!(stream.read(&mut [0; 8]), Ok(0) | Err(_)), "and gets no answer");
}
