//! `packd pack check`: do the refs of packs still point to the code they were made of? For people and for CI.

use serde_json::{Value, json};

use super::pack::{input, these_or_all};
use super::render::{Ink, Render};
use super::{Client, Failure};

/// More refs than a pack can hold in one reply; a check shows them all.
const ALL: u64 = 100_000;

pub fn run(client: &mut Client, names: Vec<String>, fix: bool, render: Render) -> Result<(), Failure> {
    let mut checked = Vec::new();
    for name in these_or_all(client, names)? {
        let mut found = input(client, json!({"action": "check", "id": name, "limit": ALL}))?;
        if fix && found["counts"]["moved"].as_u64().unwrap_or(0) > 0 {
            let request =
                json!({"action": "reanchor", "id": found["id"], "expected_revision": found["revision"]});
            let repaired = client.must("input", request)?["repaired"].clone();
            found = input(client, json!({"action": "check", "id": found["id"], "limit": ALL}))?;
            found["repaired"] = repaired;
        }
        checked.push(found);
    }
    let bad: u64 = checked.iter().map(not_ok).sum();
    render.show(&json!({"packs": checked}), |r| {
        if checked.is_empty() {
            r.line("There are no packs here.");
        }
        checked.iter().for_each(|pack| show(pack, r));
    });
    if bad == 0 {
        return Ok(());
    }
    let movable = checked.iter().any(|pack| pack["counts"]["moved"].is_u64());
    let hint = match movable {
        true => "packd pack check --fix points refs whose code moved to its new place.",
        false => {
            "Read them with packd pack show NAME; an agent that works on the pack repairs or removes them."
        }
    };
    let what = if bad == 1 { "1 ref does".to_string() } else { format!("{bad} refs do") };
    Err(Failure::refused(format!("{what} not show what was anchored.")).hint(hint).shown())
}

fn not_ok(pack: &Value) -> u64 {
    let counts = pack["counts"].as_object().into_iter().flatten();
    counts.filter(|(verdict, _)| *verdict != "ok").filter_map(|(_, n)| n.as_u64()).sum()
}

fn place(at: &Value) -> String {
    let line = |field: &str| at["lines"][field].as_u64().unwrap_or_default();
    format!("{}:{}-{}", at["path"].as_str().unwrap_or_default(), line("start"), line("end"))
}

fn show(pack: &Value, r: Render) {
    let counts = pack["counts"].as_object().into_iter().flatten();
    let counts: Vec<String> = counts.map(|(verdict, n)| format!("{n} {verdict}")).collect();
    let counts = if counts.is_empty() { "no refs".to_string() } else { counts.join(", ") };
    let ink = if not_ok(pack) == 0 { Ink::Green } else { Ink::Yellow };
    r.line(format!("{}  {}", pack["id"].as_str().unwrap_or_default(), r.ink(ink, counts)));
    if let Some(n) = pack["repaired"].as_u64().filter(|n| *n > 0) {
        r.line(format!("  {n} repaired"));
    }
    for one in pack["refs"].as_array().into_iter().flatten().filter(|one| one["verdict"] != "ok") {
        let of = |field: &str| one[field].as_str().unwrap_or_default();
        let name = format!("{} / {}", of("section"), of("key"));
        let told = match of("verdict") {
            "moved" | "changed" => format!("{} → {}", place(&one["was"]), place(one)),
            _ => of("reason").to_string(),
        };
        r.line(format!("  {:<8} {name}: {told}", of("verdict")));
    }
}
