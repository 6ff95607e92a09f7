//! The one redactor against its own table: every example goes wherever it stands, and ordinary text stays.

use std::path::{Path, PathBuf};

use packd::core::redact::{self, MARK, Pattern, RedactStream};
use serde_json::json;

/// What redaction takes out of a text that stands alone, line by line.
fn taken(example: &str) -> Vec<String> {
    let (shown, found) = redact::text(example);
    assert!(found > 0 && shown.contains(MARK), "{example:?} stays as it is");
    let mut rest = example;
    let mut out = Vec::new();
    let mut kept = shown.split(MARK);
    rest = rest.strip_prefix(kept.next().unwrap()).unwrap();
    for part in kept {
        let at = if part.is_empty() { rest.len() } else { rest.find(part).unwrap() };
        out.extend(rest[..at].lines().filter(|l| !l.is_empty()).map(str::to_string));
        rest = &rest[at + part.len()..];
    }
    out
}

fn gone(pattern: &Pattern, place: &str, shown: &str, secrets: &[String]) {
    assert!(shown.contains(MARK), "{} {place}: {shown}", pattern.name);
    // A secret of a few letters may well be part of another word.
    for secret in secrets.iter().filter(|s| s.len() > 3) {
        assert!(!shown.contains(secret.as_str()), "{} {place}: {secret:?} is in {shown}", pattern.name);
    }
}

#[test]
fn every_example_goes_wherever_it_stands() {
    let table = redact::patterns();
    assert!(table.len() > 60);
    for pattern in &table {
        let example = pattern.example.as_str();
        let regex = regex::Regex::new(&pattern.regex).unwrap();
        assert!(regex.is_match(example), "{} does not match its own example", pattern.name);
        let secrets = taken(example);
        let plain = json!({"note": example, "n": 1}).to_string();
        let escaped = json!({"inner": plain}).to_string();
        let twice = json!({"outer": escaped}).to_string();
        let mut places = vec![
            ("in a text", format!("before {example} after")),
            ("on a line", format!("before\n{example}\nafter")),
            ("in a diff", format!("--- a\n+++ b\n+{}\n context", example.replace('\n', "\n+"))),
            ("in JSON", plain),
            ("in escaped JSON", escaped),
            ("in twice escaped JSON", twice),
        ];
        if !example.contains([' ', '"', '\n']) && !example.contains("://") {
            places.push(("in an address", format!("https://host.example/path?x={example}&y=1")));
        }
        for (place, text) in places {
            gone(pattern, place, &redact::text(&text).0, &secrets);
        }
        gone(
            pattern,
            "as a request",
            &redact::value(&json!({"deep": [{"note": example}]})).to_string(),
            &secrets,
        );
        let mut stream = RedactStream::default();
        let said: Vec<String> = example.lines().map(|l| stream.line(l)).collect();
        gone(pattern, "over lines", &said.join("\n"), &secrets);
        let again = redact::text(example).0;
        assert_eq!(
            redact::text(&again),
            (again.clone(), 0),
            "{}: redacting twice changes nothing",
            pattern.name
        );
    }
}

/// Every file below a path, as text; of sources only what comes before their tests.
fn texts(path: &Path, out: &mut Vec<(PathBuf, String)>) {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        return entries.iter().for_each(|p| texts(p, out));
    }
    if let Ok(text) = std::fs::read_to_string(path) {
        let own = if path.extension().is_some_and(|e| e == "rs") {
            text.split("#[cfg(test)]").next()
        } else {
            None
        };
        out.push((path.to_path_buf(), own.unwrap_or(&text).to_string()));
    }
}

#[test]
fn the_text_of_this_repository_stays() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for part in ["README.md", "proto", "docs", "src", "packaging", "benches", "Cargo.lock"] {
        if root.join(part).exists() {
            texts(&root.join(part), &mut files);
        }
    }
    assert!(files.len() > 300);
    let mut marks = Vec::new();
    for (path, text) in files {
        let (shown, _) = redact::text(&text);
        for (was, is) in text.lines().zip(shown.lines()).filter(|(was, is)| was != is) {
            marks.push(format!("{}: {was}\n    -> {is}", path.strip_prefix(root).unwrap().display()));
        }
    }
    assert!(marks.len() <= 1, "{} false marks:\n{}", marks.len(), marks.join("\n"));
}

#[test]
#[ignore = "a measurement, for docs/reliability.md"]
fn how_fast() {
    let mut files = Vec::new();
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut source: String = files.into_iter().map(|(_, text)| text).collect();
    let end = (0..=1_000_000).rev().find(|n| source.is_char_boundary(*n)).unwrap();
    source.truncate(end);
    let line = "tasks_note TASK-001 s:0 did the thing";
    let timed = |text: &str, times: u32| {
        redact::text(text);
        let start = std::time::Instant::now();
        (0..times).for_each(|_| drop(redact::text(text)));
        start.elapsed() / times
    };
    println!("a megabyte of source: {:?}; a short line: {:?}", timed(&source, 10), timed(line, 10_000));
}
