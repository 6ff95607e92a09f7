//! The terminal a person sits at: the controlling one, in its foreground, and nothing that only looks like one.
//!
//! Questions and answers go through `/dev/tty`, so that neither can be redirected, and what must not be seen is read
//! without echo.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsFd;

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

use super::CommandFailure;
use super::view::render::DEFAULT_WIDTH;
use super::view::text::hanging;

pub struct Terminal {
    tty: File,
}

impl Terminal {
    /// `None` where standard input is a pipe, a file, or a terminal that is not the controlling one, and for a
    /// process in the background.
    pub fn controlling() -> Option<Terminal> {
        if !foreground(std::io::stdin().as_fd()) {
            return None;
        }
        let tty = File::options().read(true).write(true).open("/dev/tty").ok()?;
        foreground(tty.as_fd()).then_some(Terminal { tty })
    }

    pub fn need() -> Result<Terminal, CommandFailure> {
        Terminal::controlling().ok_or_else(|| {
            CommandFailure::refused(
                "A person must answer this at a terminal, and this command has no controlling one.",
            )
            .hint("Run it in a terminal of your own, in the foreground and without a pipe.")
        })
    }

    /// Lines are broken between words, and what belongs to one stays below it.
    pub fn say(&self, text: &str) {
        let size = rustix::termios::tcgetwinsize(&self.tty).map(|size| usize::from(size.ws_col));
        let width = size.ok().filter(|n| *n > 0).unwrap_or(DEFAULT_WIDTH);
        for line in text.split('\n') {
            let lead = line.len() - line.trim_start_matches(' ').len();
            let indent = if lead == 0 { 0 } else { lead + 2 };
            for (i, part) in hanging(line, width, width.saturating_sub(indent)).into_iter().enumerate() {
                let indent = if i == 0 { 0 } else { indent };
                // Who cannot be told cannot answer either, which is noticed then.
                let _ = writeln!(&self.tty, "{}{part}", " ".repeat(indent));
            }
        }
    }

    /// One line of the person; `None` at the end of input.
    pub fn ask(&self, prompt: &str) -> Result<Option<String>, CommandFailure> {
        let unreadable =
            |e: std::io::Error| CommandFailure::refused(format!("No answer could be read: {e}."));
        write!(&self.tty, "{prompt}").and_then(|()| (&self.tty).flush()).map_err(unreadable)?;
        let mut line = String::new();
        let read = BufReader::with_capacity(4096, &self.tty).read_line(&mut line).map_err(unreadable)?;
        Ok((read > 0).then(|| line.trim_end_matches(['\n', '\r']).to_string()))
    }

    pub fn agrees(&self, question: &str) -> Result<bool, CommandFailure> {
        let answer = self.ask(&format!("{question} [y/N] "))?.unwrap_or_default();
        Ok(matches!(answer.trim(), "y" | "Y" | "yes" | "Yes" | "YES"))
    }

    /// The same without showing what is typed.
    pub fn ask_hidden(&self, prompt: &str) -> Result<Option<String>, CommandFailure> {
        let shown = tcgetattr(&self.tty).map_err(|e| {
            CommandFailure::refused(format!("The terminal cannot be asked to hide what is typed: {e}."))
        })?;
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        hidden.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(&self.tty, OptionalActions::Flush, &hidden).map_err(|e| {
            CommandFailure::refused(format!("The terminal does not hide what is typed: {e}."))
        })?;
        let answer = self.ask(prompt);
        // A terminal that went away needs no repair.
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &shown);
        answer
    }
}

/// Fails for anything but the terminal that controls the caller, so no session has to be compared. The own group is
/// looked up last: in a container started from outside, group and session have no number, which only a process
/// without a terminal meets.
fn foreground(fd: impl AsFd) -> bool {
    tcgetpgrp(fd).is_ok_and(|group| group == rustix::process::getpgrp())
}
