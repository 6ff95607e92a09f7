//! All printing of the command line: colour only on a terminal, plain text in a pipe, JSON on request.

use std::io::{IsTerminal, Write};

use serde_json::Value;

use super::Failure;

/// Where and how to print.
#[derive(Debug, Clone, Copy)]
pub struct Render {
    pub json: bool,
    colour: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Ink {
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
    Cyan,
}

impl Render {
    pub fn new(json: bool) -> Self {
        let colour = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            && std::io::stdout().is_terminal();
        Render { json, colour }
    }

    /// Text in a colour, where there is colour.
    pub fn ink(self, ink: Ink, text: impl AsRef<str>) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Dim => "2",
            Ink::Red => "31",
            Ink::Green => "32",
            Ink::Yellow => "33",
            Ink::Cyan => "36",
        };
        match self.colour {
            true => format!("\x1b[{code}m{}\x1b[0m", text.as_ref()),
            false => text.as_ref().to_string(),
        }
    }

    pub fn line(self, text: impl AsRef<str>) {
        out(&format!("{}\n", text.as_ref()));
    }

    pub fn raw(self, text: &str) {
        out(text);
        if !text.ends_with('\n') {
            out("\n");
        }
    }

    pub fn json(self, value: &Value) {
        // A JSON value always prints.
        out(&format!("{}\n", serde_json::to_string_pretty(value).unwrap_or_default()));
    }

    /// Either the value as JSON, or whatever the closure prints for people.
    pub fn show(self, value: &Value, people: impl FnOnce(Render)) {
        if self.json { self.json(value) } else { people(self) }
    }

    /// Columns padded to their widest cell; the last one is not padded.
    pub fn table(self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|s| visible(s)).max().unwrap_or(0);
        let widths: Vec<_> = (0..columns).map(width).collect();
        for row in rows {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                line.push_str(cell);
                if c + 1 < row.len() {
                    line.push_str(&" ".repeat(widths[c] - visible(cell) + 2));
                }
            }
            self.line(line.trim_end());
        }
    }

    /// A unified diff, added and removed lines in colour.
    pub fn unified(self, diff: &str) {
        for line in diff.lines() {
            self.line(match line.chars().next() {
                Some('+') => self.ink(Ink::Green, line),
                Some('-') => self.ink(Ink::Red, line),
                Some('@') => self.ink(Ink::Cyan, line),
                _ => line.to_string(),
            });
        }
    }

    pub fn failure(self, failure: &Failure) {
        if self.json && failure.shown {
            return;
        }
        if self.json {
            let body = serde_json::json!({
                "error": true, "message": failure.message, "hint": failure.hint, "details": failure.details,
            });
            return self.json(&body);
        }
        let stderr = &mut std::io::stderr();
        // Nothing can be done about a closed stderr.
        let _ = writeln!(stderr, "packd: {}", failure.message);
        if let Some(hint) = &failure.hint {
            let _ = writeln!(stderr, "       {hint}");
        }
    }
}

/// Width on screen: escape sequences do not count.
pub fn visible(text: &str) -> usize {
    let mut n = 0;
    let mut escape = false;
    for c in text.chars() {
        match (escape, c) {
            (true, 'm') => escape = false,
            (true, _) => {}
            (false, '\x1b') => escape = true,
            (false, _) => n += 1,
        }
    }
    n
}

/// Cut to a width, with an ellipsis where something is missing.
pub fn shorten(text: &str, width: usize) -> String {
    let text = text.replace('\n', " ");
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A reader that went away (`| head`) is no error; the command just ends.
fn out(text: &str) {
    if std::io::stdout().write_all(text.as_bytes()).is_err() {
        std::process::exit(0);
    }
}
