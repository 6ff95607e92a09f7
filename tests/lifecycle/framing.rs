//! Every framing of the packs contract, in every chopping, and what is no message at all.

use packd::ipc::frame::{Frame, FrameReader, Framing, MESSAGE_MAX};
use serde_json::{Value, json};

use crate::common::real::{DEADLINE, Place};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn headers(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// What comes out of `input`, fed in pieces of `size`.
fn read(input: &[u8], size: usize) -> (Vec<Frame>, Framing) {
    let mut reader = FrameReader::new();
    let mut all = Vec::new();
    for piece in input.chunks(size) {
        reader.push(piece, &mut |found| all.push(found));
    }
    reader.end(&mut |found| all.push(found));
    (all, reader.mode())
}

/// The messages as values, `null` for each thing that was refused.
fn values(input: &[u8], size: usize) -> Vec<Value> {
    let value = |found| match found {
        Frame::Message(text) => {
            assert!(!text.contains('\n'));
            serde_json::from_str(&text).unwrap()
        }
        Frame::Bad { .. } => Value::Null,
    };
    read(input, size).0.into_iter().map(value).collect()
}

#[test]
fn every_framing_gives_the_same_messages_however_it_is_chopped() {
    let pretty = "{\r\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1,\n\"method\": \"a } \\\" b\"\n}";
    let ping: Value = serde_json::from_str(PING).unwrap();
    let odd: Value = serde_json::from_str(pretty).unwrap();
    let cases: Vec<(String, Vec<Value>, Framing)> = vec![
        (format!("{PING}\n"), vec![ping.clone()], Framing::Lines),
        (PING.into(), vec![ping.clone()], Framing::Lines),
        (format!("{PING}{PING}"), vec![ping.clone(), ping.clone()], Framing::Lines),
        (format!("\n\n {PING}\r\n\r\n{PING}\n"), vec![ping.clone(), ping.clone()], Framing::Lines),
        (format!("{pretty}\n{PING}"), vec![odd.clone(), ping.clone()], Framing::Lines),
        (format!("[{PING},\n{pretty}]{PING}"), vec![json!([ping, odd]), ping.clone()], Framing::Lines),
        (headers(PING), vec![ping.clone()], Framing::Headers),
        (headers(PING) + &headers(pretty), vec![ping.clone(), odd.clone()], Framing::Headers),
        (headers(PING) + PING + "\n" + &headers(PING), vec![ping.clone(); 3], Framing::Headers),
        (PING.to_string() + &headers(PING), vec![ping.clone(); 2], Framing::Lines),
        (
            format!(
                "Content-Type: x; charset=utf-8\r\ncontent-LENGTH : 3\nX-A: b\nContent-Length:{}\n\n{PING}",
                PING.len()
            ),
            vec![ping.clone()],
            Framing::Headers,
        ),
        ("\u{feff}".to_string() + PING, vec![ping.clone()], Framing::Lines),
    ];
    for (input, expected, mode) in cases {
        for size in [1, 2, 3, 7, 64, 4096] {
            assert_eq!(values(input.as_bytes(), size), expected, "{input:?} in pieces of {size}");
            assert_eq!(read(input.as_bytes(), size).1, mode, "{input:?}");
        }
    }
}

#[test]
fn garbage_is_answered_and_never_swallows_what_follows() {
    let good: Value = serde_json::from_str(PING).unwrap();
    for garbage in [
        "42\n",
        "hello\n",
        "foo: bar\n",
        "foo: bar\n\n",
        "Content-Length: many\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 0\r\n\r\n",
        "{\"cut\": \"off\n",
        "{\"cut\": \"off\\\n",
        "{\"cut\": 1\n",
        "{\"cut\": {\"deep\": [1\n",
        "[1, 2\n",
        "{\"wrong\": 1]\n",
        "}\n",
        "\"text\"\n",
        "\u{0}\u{1}\n",
    ] {
        let input = format!("{garbage}{PING}\n{PING}\n");
        for size in [1, 5, 4096] {
            let found = values(input.as_bytes(), size);
            assert_eq!(found, [Value::Null, good.clone(), good.clone()], "{garbage:?} in pieces of {size}");
        }
    }
}

#[test]
fn the_answer_to_what_is_not_utf8_carries_its_id_and_frames_are_read_leniently() {
    let mut text = br#"{"id":"x","method":"a"#.to_vec();
    text.extend_from_slice(b"\xff\"}");
    let (found, _) = read(&text, 4096);
    assert!(matches!(&found[..], [Frame::Bad { id, code: -32700, .. }] if id == "\"x\""), "{found:?}");
    let mut framed = format!("Content-Length: {}\r\n\r\n", text.len()).into_bytes();
    framed.extend_from_slice(&text);
    let (found, _) = read(&framed, 4096);
    assert!(matches!(&found[..], [Frame::Message(text)] if text.contains('\u{fffd}')), "{found:?}");
}

#[test]
fn a_line_break_inside_a_string_of_a_frame_is_refused() {
    let (found, mode) = read(headers("{\"id\":1,\"method\":\"a\nb\"}").as_bytes(), 4096);
    assert!(matches!(&found[..], [Frame::Bad { code: -32700, .. }]), "{found:?}");
    assert_eq!(mode, Framing::Headers);
}

#[test]
fn an_oversize_message_is_refused_by_its_id_and_the_next_one_is_read() {
    let big = format!("{{\"id\":7,\"method\":\"m\",\"params\":\"{}\"}}", "x".repeat(MESSAGE_MAX));
    for input in [format!("{big}\n{PING}\n"), headers(&big) + &headers(PING)] {
        let (found, _) = read(input.as_bytes(), 64 * 1024);
        let framed = input.starts_with("Content");
        match &found[..] {
            [Frame::Bad { id, code: 1003, .. }, Frame::Message(next)] => {
                assert_eq!((id.as_str(), next.as_str()), (if framed { "null" } else { "7" }, PING));
            }
            other => panic!("{} things", other.len()),
        }
    }
    let largest = format!("{{\"p\":\"{}\"}}", "x".repeat(MESSAGE_MAX - 8));
    assert_eq!(largest.len(), MESSAGE_MAX);
    assert!(matches!(&read(largest.as_bytes(), 64 * 1024).0[..], [Frame::Message(_)]));
}

/// The same through the real binaries: framed in, framed out, for good.
#[test]
fn replies_are_framed_as_the_first_message_was() {
    let place = Place::new();
    let mut command = place.command(crate::common::real::SHIM);
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = headers(PING) + PING + "\n" + &headers("{\"cut\"");
    std::io::Write::write_all(&mut stdin, input.as_bytes()).unwrap();
    drop(stdin);
    let (send, output) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let output = output.recv_timeout(DEADLINE).expect("it ends").unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let pong = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert!(text.starts_with(&(headers(pong) + &headers(pong))), "{text:?}");
    assert_eq!(text.matches("Content-Length: ").count(), 3, "{text:?}");
    assert!(text.contains("-32700"), "{text:?}");
}

#[test]
fn bad_lines_between_good_ones_are_answered_in_place() {
    let place = Place::new();
    let mut shim = place.shim();
    shim.write(b"what?\n");
    let reply = shim.reply();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32700)));
    shim.ping(1);
    shim.write(b"{\"id\":2,\"method\":\"pi\xffng\"}\n");
    let reply = shim.reply();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(2), &json!(-32700)));
    shim.ping(3);
}
