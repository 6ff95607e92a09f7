//! A program that outlives the daemon: the private half of `packd-mcp`, and the directory it shares with the daemon.
//!
//! `packd-mcp supervise DIR SECONDS PROGRAM ARG…` runs one program in a session of its own, writes what it prints to
//! `output` and how it ended to `end`, and holds `lock` for as long as it lives. It knows no store, no run and no
//! client; std and rustix only. Nothing starts before the daemon has said so: until then nobody could find it again.

mod keep;
mod output;
pub mod process;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitCode;

use rustix::fs::FlockOperation;

/// The first argument of `packd-mcp` that means this.
pub const WORD: &str = "supervise";
/// What the supervisor prints once the program only waits for the word to go, followed by its process id.
pub const READY: &str = "ready ";
/// The one byte that the daemon answers with.
pub const GO: u8 = b'g';

/// What the program printed: per line one byte that says where (`1` stdout, `2` stderr, `0` the supervisor), the
/// text, a line feed. Only whole lines are ever written.
pub const OUTPUT: &str = "output";
/// How it ended; there once it did, and never half-written.
pub const END: &str = "end";
/// Locked while the supervisor lives.
pub const LOCK: &str = "lock";

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    Code(i32),
    Signal(i32),
    TimedOut,
    /// The daemon went away before it said go.
    NotStarted,
}

/// What `end` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub how: EndCause,
    /// Microseconds since 1970.
    pub at: i64,
}

impl End {
    fn text(&self) -> String {
        let (word, number) = match self.how {
            EndCause::Code(n) => ("code", n),
            EndCause::Signal(n) => ("signal", n),
            EndCause::TimedOut => ("timeout", 0),
            EndCause::NotStarted => ("unstarted", 0),
        };
        format!("{word} {number} {}\n", self.at)
    }

    fn parse(text: &str) -> Option<End> {
        let mut words = text.split_whitespace();
        let (word, number, at) = (words.next()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let how = match word {
            "code" => EndCause::Code(number),
            "signal" => EndCause::Signal(number),
            "timeout" => EndCause::TimedOut,
            "unstarted" => EndCause::NotStarted,
            _ => return None,
        };
        Some(End { how, at })
    }

    /// `None` while the program runs, and where nothing that can be understood was left.
    pub fn read(dir: &Path) -> Option<End> {
        let mut text = String::new();
        File::open(dir.join(END)).ok()?.take(256).read_to_string(&mut text).ok()?;
        End::parse(&text)
    }
}

/// Does the supervisor of this directory live? Asked of the lock, which no other process can be mistaken for.
pub fn lives(dir: &Path) -> bool {
    let Ok(file) = File::open(dir.join(LOCK)) else { return false };
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK)
}

/// Runs the private half of `packd-mcp`; the arguments are those after the word.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let done = match args.as_slice() {
        [word, program, rest @ ..] if word == keep::GATE => keep::gate(program, rest),
        [dir, seconds, program, rest @ ..] => match seconds.to_str().and_then(|s| s.parse().ok()) {
            Some(seconds) => keep::keep(Path::new(dir), seconds, program, rest),
            None => Err(io::ErrorKind::InvalidInput.into()),
        },
        _ => Err(io::ErrorKind::InvalidInput.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

/// A new file of the user's own.
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_read_as_it_was_written() {
        for how in [
            EndCause::Code(0),
            EndCause::Code(3),
            EndCause::Signal(9),
            EndCause::TimedOut,
            EndCause::NotStarted,
        ] {
            let end = End { how, at: 1_790_000_000_000_000 };
            assert_eq!(End::parse(&end.text()), Some(end));
        }
        assert_eq!(End::parse("code 0"), None);
        assert_eq!(End::parse(""), None);
    }
}
