//! What waits for a person's word: who asks, what exactly would happen, until when.

use serde::Deserialize;

use super::render::{Ink, Render};
use super::{op, people, place};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ConfirmationsView {
    pub pending: Vec<ConfirmationView>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ConfirmationView {
    pub id: String,
    pub status: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub summary: String,
    pub expires_at: String,
    pub client: String,
    pub workspace: String,
    /// The question with everything that would be done; only a person at a terminal is shown it.
    pub question: Option<String>,
    /// Why nobody may agree to it now: a ceiling, or a mode that was lowered.
    pub forbidden: Option<String>,
    /// The name that must be typed.
    pub typed: Option<String>,
}

pub fn list(r: Render, waiting: &ConfirmationsView) {
    if waiting.pending.is_empty() {
        return r.line("Nothing waits for confirmation.");
    }
    for one in &waiting.pending {
        let what = headline(&one.summary);
        r.prose(14, format!("{}  {what}", r.ink(Ink::Bold, &one.id)));
        let until = if one.status == "lapsed" {
            "asked a while ago; it is looked at again first".to_string()
        } else {
            format!("expires {}", r.when(&one.expires_at))
        };
        r.hint(format!("  {} in {}, {until}", one.client, place::project(&one.workspace)));
        if let Some(why) = &one.forbidden {
            r.prose(2, format!("  {}", r.ink(Ink::Yellow, why)));
        }
    }
    r.hint("`packd confirm` shows each in full and asks.");
}

/// The daemon's question as a person reads it: paths from where they stand, times of their clock, commands to type.
/// What would be executed is left word for word.
pub fn question(r: Render, text: &str) -> String {
    let line = |line: &str| {
        if let Some((who, place)) = line.strip_suffix(':').and_then(|line| line.split_once(" asks, in ")) {
            let who = if who == op::OWN_CLIENT { "You ask" } else { &format!("{who} asks") };
            return format!("{who}, in {}:", place::project(place));
        }
        match line.starts_with("Safer: ") || line.starts_with("This cannot be undone: ") {
            true => people::plain(line),
            false => place::named(&r.dated(line)),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// `[global > demo] Dry run: would install demo` as `Would install demo`.
pub fn headline(summary: &str) -> String {
    let text = match summary.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((_, rest)) => rest,
        None => summary,
    };
    let text = text.strip_prefix("Dry run: ").unwrap_or(text);
    let mut letters = text.chars();
    let text: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    people::plain(&text)
}
