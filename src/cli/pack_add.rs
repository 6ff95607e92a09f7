//! `packd pack add` and `packd pack edit`: code and words put into a pack by hand, each as one operation.

use std::path::{Component, Path};

use serde_json::{Value, json};

use super::pack::input;
use super::view::pack as view;
use super::view::render::Render;
use super::view::text::count;
use super::{Client, CommandFailure, ToolArgs, editor, ids};

/// `src/login.rs:10-42`: a file, and which lines of it.
struct Place<'a> {
    file: &'a str,
    lines: Option<(u64, u64)>,
}

fn place(said: &str) -> Result<Place<'_>, CommandFailure> {
    let wrong = || {
        CommandFailure::usage(format!("'{said}' names no lines of a file."))
            .hint("Examples: src/login.rs:10-42, src/login.rs:7, or src/login.rs --symbol verify.")
    };
    let Some((file, lines)) = said.rsplit_once(':') else { return Ok(Place { file: said, lines: None }) };
    let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
    match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(start), Ok(end)) if start >= 1 && start <= end && !file.is_empty() => {
            Ok(Place { file, lines: Some((start, end)) })
        }
        _ => Err(wrong()),
    }
}

/// An agent may point to what it is about to write; a person points to what is there.
fn exists(place: &Place) -> Result<(), CommandFailure> {
    let text = std::fs::read(place.file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => CommandFailure::refused(format!("There is no file {}.", place.file))
            .hint("Files are named from where you stand, such as src/login.rs:10-42."),
        _ => CommandFailure::refused(format!("Cannot read {}: {e}.", place.file)),
    })?;
    let lines = text.split(|b| *b == b'\n').count() as u64 - u64::from(text.ends_with(b"\n"));
    match place.lines {
        Some((_, end)) if end > lines => {
            Err(CommandFailure::refused(format!("{} has {}.", place.file, count(lines, "line")))
                .hint(format!("`packd pack add PACK {}:1-{lines}` adds all of it.", place.file)))
        }
        _ => Ok(()),
    }
}

/// All of it, or nothing.
pub fn run(
    client: &mut Client,
    pack: &str,
    code: &[String],
    symbol: Option<&str>,
    section: &str,
    why: Option<&str>,
    render: Render,
) -> Result<(), CommandFailure> {
    if symbol.is_some() && code.len() != 1 {
        return Err(CommandFailure::usage("--symbol belongs to one file.")
            .hint("packd pack add PACK FILE --symbol NAME"));
    }
    let places = code.iter().map(|said| place(said)).collect::<Result<Vec<_>, _>>()?;
    if let Some(bare) = places.iter().find(|p| p.lines.is_none() && symbol.is_none()) {
        return Err(CommandFailure::usage(format!("Which lines of {}?", bare.file))
            .hint(format!("packd pack add {pack} {}:START-END, or --symbol NAME.", bare.file)));
    }
    places.iter().try_for_each(exists)?;
    let id = ids::pack(client, pack)?;
    let now = input(client, ToolArgs::new().with("action", "get").with("id", &id))?;
    let mut ops = Vec::new();
    let known = |key: &str| now["sections"].as_array().into_iter().flatten().any(|s| s["key"] == key);
    let section = key(section);
    if !known(&section) {
        ops.push(
            ToolArgs::new()
                .with("action", "upsert_section")
                .with("section_key", &section)
                .with("section_title", title(&section)),
        );
    }
    for one in &places {
        let path = below_project(one.file);
        let name = match (symbol, one.lines) {
            (Some(symbol), _) => format!("{path} {symbol}"),
            (None, Some((start, end))) => format!("{path} {start}-{end}"),
            _ => path.clone(),
        };
        let mut op = ToolArgs::new()
            .with("action", "upsert_ref")
            .with("section_key", &section)
            .with("ref_key", key(&name))
            .with("path", path);
        match (symbol, one.lines) {
            (Some(symbol), _) => op.set("symbol", symbol),
            (None, Some((start, end))) => {
                op.set("line_start", start);
                op.set("line_end", end);
            }
            _ => {}
        }
        ops.push(op.given("ref_why", why));
    }
    let request = ToolArgs::new()
        .with("action", "write")
        .with("id", &id)
        .with("expected_revision", &now["revision"])
        .with("ops", ops);
    let done = input(client, request)?;
    render.view(&done, |r, pack: view::ChangedPackView| {
        view::changed(r, "changed", &pack);
        r.hint(format!("`packd pack show {}` shows it, `packd undo` takes it back.", pack.id));
    })
}

/// Files are named from where the person stands; packs name them from the project.
fn below_project(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = here.join(file);
    let clean =
        whole.components().filter(|c| !matches!(c, Component::CurDir)).collect::<std::path::PathBuf>();
    let real = clean.canonicalize().unwrap_or(clean);
    let shown = super::view::place::shown(&real.to_string_lossy());
    if Path::new(&shown).is_absolute() || shown.starts_with('~') { file.to_string() } else { shown }
}

/// Keys are 2 to 64 of a-z 0-9 _ -.
fn key(text: &str) -> String {
    let mut out: String = text
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    while out.contains("--") {
        out = out.replace("--", "-");
    }
    let out = out.trim_matches('-');
    // The end of a long path says more than its beginning.
    let from = out.len().saturating_sub(64);
    let out = out[from..].trim_matches('-').to_string();
    if out.len() < 2 { format!("ref{out}") } else { out }
}

fn title(key: &str) -> String {
    let mut letters = key.replace(['-', '_'], " ").chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    letters.into_iter().collect()
}

pub fn edit(client: &mut Client, pack: &str, render: Render) -> Result<(), CommandFailure> {
    let id = ids::pack(client, pack)?;
    let now = input(client, ToolArgs::new().with("action", "get").with("id", &id))?;
    let before: Value = input(client, ToolArgs::new().with("action", "export").with("id", &id))?;
    let document = before["document"].as_str().unwrap_or_default();
    let edited = editor::edit(document, &format!("{id}.md"))?;
    if edited == document {
        render.show(&json!({"changed": false}), |r| r.line("Nothing was changed."));
        return Ok(());
    }
    // Whoever changed it meanwhile is not overwritten.
    let request = ToolArgs::new()
        .with("action", "import")
        .with("document", edited)
        .with("expected_revision", &now["revision"]);
    let done = input(client, request)?;
    render.view(&done, |r, pack: view::ChangedPackView| view::changed(r, "changed", &pack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_file_is_read_as_people_write_it() {
        let of = |said: &'static str| place(said).map(|p| (p.file, p.lines)).ok();
        assert_eq!(of("src/a.rs:10-42"), Some(("src/a.rs", Some((10, 42)))));
        assert_eq!(of("src/a.rs:7"), Some(("src/a.rs", Some((7, 7)))));
        assert_eq!(of("src/a.rs"), Some(("src/a.rs", None)));
        for wrong in ["src/a.rs:9-3", "src/a.rs:0-3", "src/a.rs:x", ":1-2"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn keys_are_made_of_any_name() {
        assert_eq!(key("src/Login.rs 10-42"), "src-login-rs-10-42");
        assert_eq!(key("é"), "ref");
        assert!(key(&"x/".repeat(80)).len() <= 64);
    }
}
