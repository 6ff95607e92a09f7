//! The file form of a pack: what packd writes it reads back, and what the format forbids is refused.

use packd::core::{Kind, Timestamp};
use packd::families::packs::file::{export, import};
use packd::families::packs::model::{ContextPack, Diagram, LineRange, PackRef, PackStatus, Section};

fn pack() -> ContextPack {
    ContextPack {
        id: "pk_f2ireb33".into(),
        workspace: "/w".into(),
        name: Some("login-flow".into()),
        title: Some("Login".into()),
        brief: None,
        status: PackStatus::Draft,
        tags: vec!["auth".into(), "api".into()],
        sections: vec![Section {
            key: "entry".into(),
            title: "Entry".into(),
            description: Some("First\nsecond".into()),
            refs: vec![PackRef {
                key: "handler".into(),
                path: "src/auth.rs".into(),
                lines: LineRange { start: 1, end: 20 },
                title: None,
                why: Some("token".into()),
                group: None,
            }],
            diagrams: vec![Diagram {
                key: "flow".into(),
                title: "Flow".into(),
                mermaid: "graph LR\nA-->B".into(),
                why: None,
            }],
        }],
        created_at: Timestamp::parse("2026-01-02T03:04:05Z").unwrap(),
        updated_at: Timestamp::parse("2026-01-02T03:04:05.120Z").unwrap(),
        expires_at: Timestamp::parse("2026-01-03T03:04:05.000001Z").unwrap(),
    }
}

#[test]
fn the_file_is_front_matter_in_the_order_of_the_model_and_nothing_else() {
    let text = export(&pack(), 7).unwrap();
    let wanted = r#"---
schema_version: 2
id: pk_f2ireb33
name: login-flow
title: Login
brief: null
status: draft
tags:
- auth
- api
sections:
- key: entry
  title: Entry
  description: |-
    First
    second
  refs:
  - key: handler
    path: src/auth.rs
    lines:
      start: 1
      end: 20
    title: null
    why: token
    group: null
  diagrams:
  - key: flow
    title: Flow
    mermaid: |-
      graph LR
      A-->B
    why: null
revision: 7
created_at: "2026-01-02T03:04:05Z"
updated_at: "2026-01-02T03:04:05.120Z"
expires_at: "2026-01-03T03:04:05.000001Z"
---
"#;
    assert_eq!(text, wanted);
}

#[test]
fn awkward_strings_come_back_unchanged() {
    let strings = [
        "true",
        "no",
        "~",
        "null",
        "123",
        "1.5",
        "0x1f",
        "2026-01-01",
        "2026-01-02T03:04:05Z",
        "- item",
        "? key",
        "key: value",
        "#comment",
        "a #b",
        "'quoted'",
        "\"double\"",
        "it's",
        "---",
        "...",
        "--- x",
        "[a]",
        "{a: b}",
        "&anchor",
        "*alias",
        "!tag",
        "%dir",
        "@at",
        "`tick`",
        "|",
        ">",
        "tab\there",
        "nul\u{0}byte",
        "bell\u{7}",
        "cr\rlf",
        "crlf\r\nline",
        "line\n---\nline",
        "\nleading",
        "trailing\n",
        "trailing\n\n",
        "  two spaces first\nx",
        "x\n  indented\ny",
        " \n x",
        "a\n\n\nb",
        "e\u{301}\u{1F600}",
        "\u{feff}bom",
        "nel\u{85}x",
        "ls\u{2028}x",
        "nbsp\u{a0}",
        "a: b\n- c\n# d",
        "yes",
        "y",
        "1e3",
        ".inf",
        "=",
        "<<",
        "1_000",
        "12:30:45",
        "\\n",
        "\u{7f}",
        "ends with colon:",
        "a very long single line that goes on and on well beyond eighty characters, with commas, and  double  spaces in it ",
        "x\ty\nz",
        "trailing space \nnext",
        "...\n---\n...",
        ":",
        "-",
        "\u{200b}zero",
        "'",
        "\"",
        "{{ tpl }}",
        "a\u{b}b",
        "\u{1b}[0m",
    ];
    for text in strings {
        let mut pack = pack();
        pack.title = Some(text.into());
        pack.brief = Some(text.into());
        pack.tags = vec![text.into(), "after".into()];
        pack.sections[0].title = text.into();
        pack.sections[0].description = Some(text.into());
        pack.sections[0].refs[0].why = Some(text.into());
        pack.sections[0].diagrams[0].mermaid = text.into();
        let file = export(&pack, 3).unwrap();
        let (back, revision) =
            import(&file, "x.md", "/w").unwrap_or_else(|e| panic!("{text:?}: {e}\n{file}"));
        assert_eq!((&back, revision), (&pack, 3), "{text:?} in\n{file}");
    }
}

#[test]
fn what_is_not_exactly_a_pack_is_refused_with_the_path() {
    let good = export(&pack(), 7).unwrap();
    for (what, text) in [
        ("empty", String::new()),
        ("garbage", "not yaml".into()),
        ("no closing line", good.trim_end().trim_end_matches("---").to_string()),
        ("windows line ends in the first line", good.replacen("---\n", "---\r\n", 1)),
        ("empty front matter", "---\n---\n".into()),
        ("a missing key", good.replace("tags:\n- auth\n- api\n", "")),
        ("a bad id", good.replace("pk_f2ireb33", "pk_f2ireb3")),
        ("a bad time", good.replace("2026-01-02T03:04:05.120Z", "yesterday")),
        ("a bad status", good.replace("draft", "open")),
    ] {
        assert_ne!(text, good, "{what}");
        let error = import(&text, "/r/packs/x.md", "/w").unwrap_err();
        assert_eq!((error.kind, error.code.as_str()), (Kind::Io, "io_error"), "{what}");
        assert!(error.message.contains("/r/packs/x.md"), "{what}: {}", error.message);
    }
}

#[test]
fn another_schema_version_asks_for_a_migration() {
    for version in ["1", "3"] {
        let text = format!("---\nschema_version: {version}\nwhatever: x\n---\n");
        let error = import(&text, "/r/packs/x.md", "/w").unwrap_err();
        assert_eq!((error.kind, error.code.as_str()), (Kind::Migration, "migration_required"));
        assert!(error.message.starts_with("schema migration required: "), "{}", error.message);
        assert!(
            error.message.contains("/r/packs/x.md") && error.message.contains(version),
            "{}",
            error.message
        );
    }
}

#[test]
fn files_of_other_writers_are_read() {
    let text = "---\nschema_version: 2\nid: pk_f2ireb33\nextra: {a: 1}\nstatus: finalized\ntags: [x]\nsections:\n- key: main\n  \
                title: 'Main # [x]'\n  refs:\n  - key: one\n    path: a.rs\n    lines:\n      start: 1\n      end: 2\n  \
                diagrams: []\nrevision: 31\ncreated_at: 2026-11-16T01:51:12.867078364Z\nupdated_at: \
                2026-11-16T02:51:12+01:00\nexpires_at: '2026-11-17T01:51:12Z'\n---\r\nnotes below are not looked at\n---\n";
    let (pack, revision) = import(text, "x.md", "/w").unwrap();
    assert_eq!(revision, 31);
    assert_eq!(pack.sections[0].title, "Main # [x]");
    assert_eq!(pack.created_at.zulu(), "2026-11-16T01:51:12.867078Z");
    assert_eq!(pack.updated_at.zulu(), "2026-11-16T01:51:12Z");
    assert_eq!((pack.name, pack.status), (None, PackStatus::Finalized));
}
