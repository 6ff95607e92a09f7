//! A screen of its own on a terminal: the one before comes back when it ends, with `q` or Ctrl-C.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::sync::Arc;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use super::terminal::Terminal;

/// The alternate screen, and back.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[H";
const LEAVE: &str = "\x1b[?1049l";

pub struct Screen {
    rows: u64,
    /// Kept so that it comes back however the command ends.
    _restore: Arc<Restore>,
}

struct Restore {
    tty: File,
    before: Termios,
}

impl Restore {
    fn now(&self) {
        // A terminal that went away needs no repair.
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &self.before);
        let _ = std::io::stdout().write_all(LEAVE.as_bytes());
        let _ = std::io::stdout().flush();
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        self.now();
    }
}

impl Screen {
    /// `None` without a terminal to draw on and a person to end it.
    pub fn open() -> Option<Screen> {
        let dumb = std::env::var_os("TERM").is_none_or(|t| t == "dumb");
        if dumb || !std::io::stdout().is_terminal() {
            return None;
        }
        Terminal::controlling()?;
        let tty = File::options().read(true).write(true).open("/dev/tty").ok()?;
        let before = tcgetattr(&tty).ok()?;
        let rows = tcgetwinsize(&tty).map_or(24, |size| u64::from(size.ws_row)).max(4);
        let mut keys = before.clone();
        // Ctrl-C comes as a key, so that the screen is put back before the program ends.
        keys.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        tcsetattr(&tty, OptionalActions::Now, &keys).ok()?;
        let restore = Arc::new(Restore { tty, before });
        let mut typed = restore.tty.try_clone().ok()?;
        let ending = Arc::clone(&restore);
        std::thread::spawn(move || {
            let mut key = [0u8; 1];
            while typed.read(&mut key).is_ok_and(|n| n > 0) {
                // q, Ctrl-C, Ctrl-D
                if matches!(key[0], b'q' | b'Q' | 3 | 4) {
                    ending.now();
                    std::process::exit(0);
                }
            }
        });
        let screen = Screen { rows: rows - 2, _restore: restore };
        let _ = std::io::stdout().write_all(ENTER.as_bytes());
        screen.line("packd watch: operations and audit records as they happen; q ends.");
        Some(screen)
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// One more line at the end; what is above moves up.
    pub fn line(&self, text: &str) {
        let _ = std::io::stdout()
            .write_all(format!("{text}\r\n").as_bytes())
            .and_then(|()| std::io::stdout().flush());
    }
}
