//! What a person is asked before a dangerous call runs: what will happen, to what, whether it can be taken back,
//! and who wants it.
//!
//! Built from the previewed outcome, never from a tool's own text, and shown the same way in a host's dialog and
//! in a terminal. Whatever an agent chose (names, paths, arguments) is shown without control characters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ctx::Explanation;
use super::diff::{Diff, DiffRoom};
use super::{Effect, FileImage, Outcome, Result, View, redact};

/// Lines kept with a question; more than that nobody reads before deciding.
const MOST_LINES: usize = 500;
/// Bytes of contents kept with a question.
const MOST_CONTENT: usize = 32 * 1024;
/// Arguments that say how a call is gated, not what it does.
const GATES: [&str; 5] = ["yes", "confirm_token", "mode", "wait_seconds", "dry_run"];

/// History tells what was done; a question asks whether to do it.
const ORDERS: [(&str, &str); 16] = [
    ("Deployed ", "Deploy "),
    ("Rolled back ", "Roll back "),
    ("Proposed ", "Propose "),
    ("Restored ", "Restore "),
    ("Installed ", "Install "),
    ("Reinstalled ", "Reinstall "),
    ("Uninstalled ", "Uninstall "),
    ("Upgraded ", "Upgrade "),
    ("Published ", "Publish "),
    ("Created ", "Create "),
    ("Added ", "Add "),
    ("Changed ", "Change "),
    ("Removed ", "Remove "),
    ("Undid: ", "Undo: "),
    ("Redid: ", "Redo: "),
    ("Reverted: ", "Take back: "),
];

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// One sentence, in words of people.
    pub what: String,
    /// Files, branches, directories, steps: exactly.
    #[serde(default)]
    pub details: Vec<String>,
    /// What becomes of the content of those files, line by line, secrets redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<String>,
    #[serde(default)]
    pub irreversible: Option<String>,
    /// `packd undo` takes it back.
    #[serde(default)]
    pub undoable: bool,
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// What was asked for, as `name = value`, secrets redacted.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The name that must be typed.
    #[serde(default)]
    pub typed: Option<String>,
    pub client: String,
    pub workspace: String,
}

impl Question {
    /// From what a family explains about a call that a run will carry out.
    pub fn explained(told: Explanation) -> Question {
        Question {
            what: told.would,
            details: told.state,
            irreversible: told.irreversible,
            alternatives: told.alternatives,
            ..Question::default()
        }
        .tidy()
    }

    /// From what a call would do at once; contents that are kept already are taken from the view.
    pub fn proposed(outcome: &Outcome, view: &dyn View) -> Result<Question> {
        let mut details: Vec<String> = outcome.effects.iter().map(file).collect();
        details.extend(outcome.steps.iter().map(|step| step.label.clone()));
        let irreversible = outcome.record.irreversible.clone();
        let question = Question {
            what: order(&outcome.record.summary),
            undoable: irreversible.is_none() && outcome.kind.is_none(),
            details,
            contents: contents(outcome, view)?,
            irreversible,
            ..Question::default()
        };
        Ok(question.tidy())
    }

    #[must_use]
    pub fn asked_by(mut self, client: &str, workspace: &str, args: &Map<String, Value>) -> Question {
        self.client = plain(client);
        self.workspace = plain(workspace);
        let args = redact::object(args);
        let shown = args.iter().filter(|(name, value)| !GATES.contains(&name.as_str()) && !value.is_null());
        self.arguments = shown
            .map(|(name, value)| plain(&format!("{name} = {}", value.as_str().unwrap_or(&value.to_string()))))
            .collect();
        self
    }

    fn tidy(mut self) -> Question {
        let total = self.details.len();
        self.details.truncate(MOST_LINES);
        if total > MOST_LINES {
            self.details.push(format!("and {} more", total - MOST_LINES));
        }
        self.what = plain(&self.what);
        self.irreversible = self.irreversible.map(|why| plain(&why));
        for line in self.details.iter_mut().chain(&mut self.alternatives) {
            *line = plain(line);
        }
        self
    }

    /// The question for people, with at most so many lines of details; whole, it tells the contents of files, too.
    pub fn text(&self, most: usize) -> String {
        let client = if self.client.is_empty() { "An unnamed client" } else { &self.client };
        let mut out = format!("{client} asks, in {}:\n\n  {}\n", self.workspace, self.what);
        for line in self.details.iter().take(most) {
            out.push_str(&format!("    {line}\n"));
        }
        if self.details.len() > most {
            out.push_str(&format!(
                "    and {} more; `packd confirm` shows them all\n",
                self.details.len() - most
            ));
        }
        if most == usize::MAX {
            for line in &self.contents {
                out.push_str(&format!("{line}\n"));
            }
        }
        if !self.arguments.is_empty() {
            out.push_str(&format!("\nAsked for with: {}.\n", self.arguments.join(", ")));
        }
        match (&self.irreversible, self.undoable) {
            (Some(why), _) => out.push_str(&format!("\nThis cannot be undone: {}\n", ended(why))),
            (None, true) => out.push_str("\n`packd undo` takes it back.\n"),
            (None, false) => {}
        }
        for line in &self.alternatives {
            out.push_str(&format!("Safer: {}\n", ended(line)));
        }
        if let Some(name) = &self.typed {
            out.push_str(&format!("\nTo agree, type the name: {name}\n"));
        }
        out.trim_end().to_string()
    }
}

/// Unified diffs of the files, each after an empty line; where there is none, why.
fn contents(outcome: &Outcome, view: &dyn View) -> Result<Vec<String>> {
    let known = |image: &Option<FileImage>| -> Result<Option<Vec<u8>>> {
        let Some(image) = image else { return Ok(Some(Vec::new())) };
        match outcome.blobs.iter().find(|(sha, _)| *sha == image.sha) {
            Some((_, bytes)) => Ok(Some(bytes.clone())),
            None => view.blob(&image.sha),
        }
    };
    let mut room = DiffRoom::of(MOST_CONTENT);
    let mut out = Vec::new();
    for effect in outcome.effects.iter().take(MOST_LINES) {
        let path = plain(&effect.path.to_string_lossy());
        let diff = match (known(&effect.before)?, known(&effect.after)?) {
            (Some(before), Some(after)) => Some(room.unified(&path, Some(&before), Some(&after))),
            _ => None,
        };
        out.push(String::new());
        match diff {
            Some(Diff::Text(text)) => out.extend(redact::text(&text).0.lines().map(visible)),
            Some(Diff::TooLong(_)) => out.push(format!("{path} is too long to be shown here.")),
            Some(Diff::NotText) => out.push(format!("{path} is not text.")),
            None => out.push(format!("The content of {path} is not at hand.")),
            // Neither is there for those after it, and none of them is read in vain.
            Some(Diff::NoRoom) => {
                out.push(format!("There is no room for {path} and what comes after it."));
                break;
            }
        }
    }
    Ok(out)
}

fn file(effect: &Effect) -> String {
    let verb = match (&effect.before, &effect.after) {
        (None, Some(_)) => "create",
        (Some(_), None) => "delete",
        _ => "update",
    };
    format!("{verb} {}", effect.full_path().display())
}

fn order(summary: &str) -> String {
    let found =
        ORDERS.iter().find_map(|(done, order)| Some(format!("{order}{}", summary.strip_prefix(done)?)));
    ended(&found.unwrap_or_else(|| summary.to_string()))
}

/// A sentence has an end.
fn ended(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?', ':']) { text.to_string() } else { format!("{text}.") }
}

/// A line of a file with its indentation; what it would do to a terminal it does not.
fn visible(line: &str) -> String {
    line.chars().map(|c| if c != '\t' && hidden(c) { ' ' } else { c }).collect()
}

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// One line without control characters: a name must not be able to draw a prompt of its own.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if hidden(c) { ' ' } else { c }).collect::<String>().trim().to_string()
}
