//! Where and how to print: colour only on a terminal, plain text in a pipe, JSON on request.

use std::io::{IsTerminal, Write};

use jiff::Timestamp;
use serde_json::Value;

use super::super::CommandFailure;
use super::text::{hanging, wrap};
use super::time::{self, TimeStyle};
use super::{op, pager, people, place};

/// Screens narrower or wider than this are treated as this.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=200;
/// Where nobody says how wide it is.
pub const DEFAULT_WIDTH: usize = 80;

#[derive(Debug, Clone, Copy)]
pub struct Render {
    pub json: bool,
    pub width: usize,
    /// Prose is broken into lines: on a terminal, or where COLUMNS says how wide one would be.
    wraps: bool,
    colour: bool,
    clock: TimeStyle,
    now: Timestamp,
    pages: bool,
}

/// What the person said about how to print.
#[derive(Debug, Clone, Copy, Default)]
pub struct PrintWish {
    pub json: bool,
    /// `Some(true)` = always, `Some(false)` = never, `None` = on a terminal.
    pub colour: Option<bool>,
    pub clock: TimeStyle,
    pub no_pager: bool,
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
    pub fn new(wish: PrintWish) -> Self {
        let colour = wish.colour.unwrap_or_else(|| {
            std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
                && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
                && std::io::stdout().is_terminal()
        });
        let measured = columns();
        Render {
            json: wish.json,
            width: measured.unwrap_or(DEFAULT_WIDTH).clamp(*WIDTHS.start(), *WIDTHS.end()),
            wraps: measured.is_some(),
            colour,
            clock: wish.clock,
            now: Timestamp::now(),
            pages: !wish.json && !wish.no_pager,
        }
    }

    /// What follows may be longer than a screen.
    pub fn long(self) -> Render {
        if self.pages {
            pager::begin();
        }
        self
    }

    /// The same with fewer columns.
    pub fn narrower(self, columns: usize) -> Render {
        Render { width: self.width.saturating_sub(columns), ..self }
    }

    pub fn now(self) -> Timestamp {
        self.now
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
        match self.colour && !text.as_ref().is_empty() {
            true => format!("\x1b[{code}m{}\x1b[0m", text.as_ref()),
            false => text.as_ref().to_string(),
        }
    }

    pub fn line(self, text: impl AsRef<str>) {
        out(&format!("{}\n", text.as_ref()));
    }

    /// Prose, broken between words where it is wider than the screen; following lines are indented.
    pub fn prose(self, indent: usize, text: impl AsRef<str>) {
        for (i, line) in self.broken(indent, text.as_ref()).into_iter().enumerate() {
            self.line(if i == 0 { line } else { format!("{}{line}", " ".repeat(indent)) });
        }
    }

    fn broken(self, indent: usize, text: &str) -> Vec<String> {
        match self.wraps {
            true => hanging(text, self.width, self.width.saturating_sub(indent)),
            false => vec![text.to_string()],
        }
    }

    /// A quieter line: what one might do next.
    pub fn hint(self, text: impl AsRef<str>) {
        for line in self.broken(0, text.as_ref()) {
            self.line(self.ink(Ink::Dim, line));
        }
    }

    /// `name  value`, the value broken below itself.
    pub fn field(self, name: &str, width: usize, value: impl AsRef<str>) {
        let name = format!("{name:<width$}  ");
        let lines = match self.wraps {
            true => wrap(value.as_ref(), self.width.saturating_sub(width + 2)),
            false => vec![value.as_ref().to_string()],
        };
        for (i, line) in lines.into_iter().enumerate() {
            let name = if i == 0 { self.ink(Ink::Bold, &name) } else { " ".repeat(width + 2) };
            self.line(format!("{name}{line}").trim_end());
        }
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

    /// A view for people, or the reply it is made of as JSON.
    pub fn view<T: serde::de::DeserializeOwned>(
        self,
        reply: &Value,
        people: impl FnOnce(Render, T),
    ) -> Result<(), CommandFailure> {
        match self.json {
            true => self.json(reply),
            false => people(self, super::read(reply)?),
        }
        Ok(())
    }

    /// A time of a reply, as the person wants times.
    pub fn when(self, time: &str) -> String {
        time::shown(time, self.clock, self.now)
    }

    /// A sentence whose times are written as the person wants times.
    pub fn dated(self, text: &str) -> String {
        let one = |word: &str| {
            let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
            let time = bare.ends_with('Z') && bare.parse::<Timestamp>().is_ok();
            if time { format!("{}{}", self.when(bare), &word[bare.len()..]) } else { word.to_string() }
        };
        text.split(' ').map(one).collect::<Vec<_>>().join(" ").replace(" until in ", " for another ")
    }

    /// How long something lasts: `for another 29 min`, or until which clock time.
    pub fn until(self, time: &str) -> String {
        let when = self.when(time);
        match when.strip_prefix("in ") {
            Some(span) => format!("for another {span}"),
            None => format!("until {when}"),
        }
    }

    /// The time of day, where the day is known.
    pub fn clock(self, time: &str) -> String {
        let whole = time::shown(
            time,
            if self.clock == TimeStyle::Utc { TimeStyle::Utc } else { TimeStyle::Local },
            self.now,
        );
        whole.get(11..).map(str::to_string).unwrap_or(whole)
    }

    pub fn path(self, path: &str) -> String {
        place::shown(path)
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

    pub fn failure(self, failure: &CommandFailure) {
        if self.json && failure.shown {
            return;
        }
        if self.json {
            let body = serde_json::json!({
                "error": true, "message": failure.message, "hint": failure.hint, "details": failure.details,
            });
            return self.json(&body);
        }
        pager::end(self.width);
        let stderr = &mut std::io::stderr();
        let mut tell = |first: &str, text: &str| {
            let lines = match self.wraps {
                true => wrap(text, self.width.saturating_sub(7)),
                false => vec![text.to_string()],
            };
            for (i, line) in lines.into_iter().enumerate() {
                // Nothing can be done about a closed stderr.
                let _ = writeln!(stderr, "{}{line}", if i == 0 { first } else { "       " });
            }
        };
        // Only what a family said names times of its own; an example in a hint of ours is to be typed.
        let said = |text: &str| match failure.details.is_null() {
            true => people::plain(text),
            false => place::named(&op::named(&self.dated(&people::plain(text)))),
        };
        tell("packd: ", &said(&failure.message));
        if let Some(hint) = &failure.hint {
            tell("       ", &said(hint));
        }
    }

    /// Shows what was held back for the pager.
    pub fn finish(self) {
        pager::end(self.width);
    }
}

/// How wide the screen is, if there is one or COLUMNS speaks of one.
fn columns() -> Option<usize> {
    let stdout = std::io::stdout();
    let screen = || {
        let size = rustix::termios::tcgetwinsize(&stdout).ok()?;
        Some(usize::from(size.ws_col)).filter(|n| *n > 0)
    };
    let said = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|n| *n > 0);
    screen().or_else(said).or_else(|| stdout.is_terminal().then_some(DEFAULT_WIDTH))
}

/// A reader that went away (`| head`) is no error; the command just ends.
fn out(text: &str) {
    if !pager::hold(text) && std::io::stdout().write_all(text.as_bytes()).is_err() {
        std::process::exit(0);
    }
}
