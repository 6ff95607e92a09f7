//! A pager for what is longer than the screen: on a terminal, unless `--no-pager` or `PAGER` says otherwise.
//!
//! What is printed is held back until the command ends; a command that ends badly shows what it had.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::text::visible;

/// Quits at once if it fits, keeps colour, leaves the text on the screen.
const DEFAULT: &str = "less -FRX";

static HELD: Mutex<Option<String>> = Mutex::new(None);

/// From here on printing is held back, if there is a screen and a pager.
pub fn begin() {
    let none = std::env::var("PAGER").is_ok_and(|p| p.is_empty() || p == "cat");
    let dumb = std::env::var_os("TERM").is_none_or(|t| t == "dumb");
    if std::io::stdout().is_terminal() && !none && !dumb {
        *held() = Some(String::new());
    }
}

/// Takes the text, if printing is held back.
pub fn hold(text: &str) -> bool {
    match held().as_mut() {
        Some(page) => {
            page.push_str(text);
            true
        }
        None => false,
    }
}

/// Shows what was held back: directly if it fits, else in the pager.
pub fn end(width: usize) {
    let Some(text) = held().take() else { return };
    if !fits(&text, width) && page(&text) {
        return;
    }
    // A terminal that went away cannot be told so.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn held() -> std::sync::MutexGuard<'static, Option<String>> {
    HELD.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn fits(text: &str, width: usize) -> bool {
    let rows = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(0, |size| usize::from(size.ws_row));
    let needed: usize = text.lines().map(|line| visible(line).div_ceil(width.max(1)).max(1)).sum();
    rows == 0 || needed < rows
}

/// The words of `PAGER` go to a shell, as every tool does that reads it. False where it cannot be started.
fn page(text: &str) -> bool {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_string());
    let started = Command::new("sh").arg("-c").arg(&pager).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = started else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever closes the pager has seen enough.
        let _ = stdin.write_all(text.as_bytes());
    }
    // 127: the shell did not find it.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}
