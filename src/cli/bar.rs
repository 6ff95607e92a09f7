//! A progress bar from the daemon's own progress notices: on a terminal and nowhere else.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Shorter work is shown by its result alone, unless it is this many files.
const PATIENCE: Duration = Duration::from_millis(500);
const MANY: f64 = 50.0;
const CELLS: usize = 24;

pub struct Bar {
    since: Instant,
    on_terminal: bool,
    shown: bool,
}

impl Default for Bar {
    fn default() -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        Bar { since: Instant::now(), on_terminal: !dumb && std::io::stderr().is_terminal(), shown: false }
    }
}

impl Bar {
    /// Draws one notice over the one before.
    pub fn show(&mut self, notice: &Value) {
        if !self.on_terminal || !worth_showing(notice, self.since.elapsed()) {
            return;
        }
        let line = drawn(notice);
        // A terminal that went away is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}").and_then(|()| std::io::stderr().flush());
        self.shown = true;
    }

    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K").and_then(|()| std::io::stderr().flush());
            self.shown = false;
        }
    }
}

fn worth_showing(notice: &Value, waited: Duration) -> bool {
    waited >= PATIENCE || notice["total"].as_f64().is_some_and(|total| total > MANY)
}

/// The bar as text, at most 80 columns wide.
fn drawn(notice: &Value) -> String {
    let share =
        notice["progress"].as_f64().unwrap_or(0.0) / notice["total"].as_f64().unwrap_or(1.0).max(1e-9);
    let share = share.clamp(0.0, 1.0);
    let full = (share * CELLS as f64) as usize;
    let message = super::view::text::shorten(notice["message"].as_str().unwrap_or_default(), 44);
    format!("{}{} {:>3.0} % {message}", "█".repeat(full), "░".repeat(CELLS - full), share * 100.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn many_files_are_shown_at_once_and_other_work_when_it_takes_long() {
        let at_once = Duration::ZERO;
        assert!(worth_showing(&json!({"progress": 1, "total": 51}), at_once));
        assert!(!worth_showing(&json!({"progress": 1, "total": 50}), at_once));
        assert!(worth_showing(&json!({"progress": 0.5, "total": 1.0}), PATIENCE));
    }

    #[test]
    fn a_notice_becomes_a_bar_that_fits_a_terminal() {
        let half = drawn(&json!({"progress": 30, "total": 60, "message": "30 of 60 files"}));
        assert!(half.starts_with(&"█".repeat(12)) && half.ends_with(" 50 % 30 of 60 files"), "{half}");
        let long = drawn(&json!({"progress": 9.0, "message": "x".repeat(200)}));
        assert!(long.contains("100 %") && long.chars().count() <= 80, "{long}");
    }
}
