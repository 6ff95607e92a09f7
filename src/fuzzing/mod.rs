//! Everything packd reads from somebody else, as functions of arbitrary bytes: none may panic, hang or contradict
//! itself. `fuzz/` runs them under a fuzzer, `tests/house/fuzz.rs` with the inputs kept from there.

mod arguments;
mod nowhere;

use std::path::Path;

use crate::core::confirm::Pending;
use crate::core::run::{LogLine, RunRow};
use crate::core::{Change, Key, Op, Row, redact, row};
use crate::families::{deploy, ecosystems, packages, packs, tasks};
use crate::ipc::frame::{Frame, FrameReader};
use crate::ipc::hello::{self, Hello, Welcome};
use crate::ipc::scan;

pub type FuzzTarget = fn(&[u8]);

/// Name of the target, which is also that of its corpus, and what it does with an input.
pub const TARGETS: [(&str, FuzzTarget); 17] = [
    ("frame", frame),
    ("scan", scanned),
    ("hello", greeting),
    ("envelope", envelope),
    ("pack_file", pack_file),
    ("task_file", task_file),
    ("manifest", manifest),
    ("archive", archive),
    ("patch", patch),
    ("rows", rows),
    ("redact", redacted),
    ("args_deploy", |data| arguments::family("deploy", data)),
    ("args_ecosystems", |data| arguments::family("ecosystems", data)),
    ("args_history", |data| arguments::family("history", data)),
    ("args_packages", |data| arguments::family("packages", data)),
    ("args_packs", |data| arguments::family("packs", data)),
    ("args_tasks", |data| arguments::family("tasks", data)),
];

/// Runs one target by its name; an unknown name is a mistake of the caller.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(n, _)| *n == name);
    assert!(target.is_some(), "there is no target {name}");
    if let Some((_, target)) = target {
        target(data);
    }
}

fn lossy(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Two parts of one input, cut where its first byte says.
fn halves(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((at, rest)) = data.split_first() else { return (data, data) };
    rest.split_at((usize::from(*at) * 8).min(rest.len()))
}

/// However the bytes come in, the same messages are found, and none has a line break.
fn frame(data: &[u8]) {
    let read = |piece: usize| {
        let mut out = Vec::new();
        let mut reader = FrameReader::new();
        data.chunks(piece).for_each(|bytes| reader.push(bytes, &mut |found| out.push(found)));
        reader.end(&mut |found| out.push(found));
        out
    };
    let whole = read(data.len().max(1));
    assert_eq!(whole, read(1), "found depends on how the bytes came in");
    for found in whole {
        if let Frame::Message(text) = found {
            assert!(!text.contains('\n'), "a message with a line break");
        }
    }
}

fn scanned(data: &[u8]) {
    let text = lossy(data);
    for head in scan::heads(&text) {
        let _ = (head.id(&text), head.method(&text), head.listens(&text));
    }
    let _ = scan::first_id(&text);
    let _ = scan::member(&text, &["params", "_meta", "progressToken"]);
}

fn greeting(data: &[u8]) {
    if let Ok(hello) = hello::decode::<Hello>(data) {
        let again = hello::encode(&hello).and_then(|frame| hello::decode::<Hello>(&frame[4..]));
        assert!(again.is_ok(), "a hello that cannot be passed on");
        let _ = hello.agree();
    }
    let _ = hello::decode::<Welcome>(data);
    let _ = hello::read_frame::<Hello>(&mut &data[..]);
}

fn envelope(data: &[u8]) {
    let _ = crate::mcp::envelope::parse(&lossy(data));
}

/// What was taken in can be written out and taken in again.
fn pack_file(data: &[u8]) {
    if let Ok((pack, revision)) = packs::file::import(&lossy(data), "fuzz.md", "/w") {
        let text = packs::file::export(&pack, revision).unwrap_or_default();
        assert!(packs::file::import(&text, "fuzz.md", "/w").is_ok(), "a pack cannot be read back: {text}");
    }
}

fn task_file(data: &[u8]) {
    if let Ok((item, revision)) = tasks::file::decode("fuzz/TASK-001.task", &lossy(data)) {
        let text = tasks::file::encode(&item, revision).unwrap_or_default();
        let again = tasks::file::decode("fuzz/TASK-001.task", &text);
        assert!(again.is_ok(), "a task cannot be read back: {text}");
    }
}

fn manifest(data: &[u8]) {
    let _ = ecosystems::manifest::check(&lossy(data), "demo");
    let _ = packages::manifest::PackageManifest::read(data);
    let _ = deploy::config::DeployConfig::parse(Path::new("/w/agentpack.yaml"), data);
}

/// What was unpacked can be packed and unpacked again, the same.
fn archive(data: &[u8]) {
    use packages::archive::{pack, unpack};
    let Ok(files) = unpack(data) else { return };
    if let Ok(again) = pack(&files).and_then(|bytes| unpack(&bytes)) {
        assert_eq!(files, again, "an archive changed on its way");
    }
}

fn patch(data: &[u8]) {
    let (diff, text) = halves(data);
    if let Ok(patch) = deploy::patch::FilePatch::parse(&lossy(diff)) {
        let _ = patch.apply(&lossy(text));
    }
}

/// Rows as a damaged or newer database may hold them: an error each, never a panic.
fn rows(data: &[u8]) {
    let (key, value) = halves(data);
    let key = Key::from_bytes(key);
    let mut parts = key.parts();
    let _ = (parts.text(), parts.number(), parts.text());
    let _ = row::decode::<Op>(value);
    let _ = row::decode::<Vec<Change>>(value);
    let _ = row::decode::<Pending>(value);
    let _ = row::decode::<RunRow>(value);
    let _ = row::decode::<LogLine>(value);
    let row = Row { rev: 1, seq: 1, value: value.to_vec(), marks: Vec::new() };
    for family in crate::daemon::assemble::families() {
        for table in family.tables() {
            for indexer in family.indexers() {
                let _ = indexer(*table, &key, &row);
            }
        }
    }
}

fn redacted(data: &[u8]) {
    let text = lossy(data);
    let (shown, found) = redact::text(&text);
    assert_eq!(found == 0, shown == text, "counted and done differ");
    let mut stream = redact::RedactStream::default();
    for line in text.lines() {
        let _ = stream.line(line);
    }
}
