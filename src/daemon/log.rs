//! Where the daemon's log goes: the supervisor's stderr if there is one, else `log` in the home directory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::sync::{Mutex, OnceLock, PoisonError};

use tracing::level_filters::LevelFilter;

use super::config::LogVerbosity;
use crate::core::redact;
use crate::ipc::{Home, SocketTrouble};

/// A log that has grown to this is renamed to `log.1` when the daemon starts.
const ROTATE_AT: u64 = 5 * 1024 * 1024;

/// Opens the log file, rotating it first. Also used to leave the reason of a failed start behind.
pub fn open(home: &Home) -> Result<File, SocketTrouble> {
    let path = home.log();
    if fs::metadata(&path).is_ok_and(|m| m.len() > ROTATE_AT) {
        // Where the rename fails the log only grows on.
        let _ = fs::rename(&path, path.with_extension("1"));
    }
    let open = || -> io::Result<File> {
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
        Ok(file)
    };
    open().map_err(|e| {
        SocketTrouble::new(
            format!("The log {} cannot be opened: {e}.", path.display()),
            "Make it writable, or free space on that disk.",
        )
    })
}

/// True when somebody else collects stderr: a supervisor, or a person who looks at it.
pub fn to_stderr() -> bool {
    let supervised = ["NOTIFY_SOCKET", "JOURNAL_STREAM", "INVOCATION_ID"];
    supervised.iter().any(|name| std::env::var_os(name).is_some()) || io::stderr().is_terminal()
}

/// Where the log goes. Every line is written without secrets; the first ones wait until the table of secrets is
/// compiled, which takes some milliseconds that a start does not have.
struct Sink {
    to: Box<dyn Write + Send>,
    /// Lines as they were said; `None` once they are written as they come.
    held: Option<Vec<String>>,
}

static SINK: OnceLock<Mutex<Sink>> = OnceLock::new();

/// More than any start says; beyond it whoever says more waits.
const HELD: usize = 256;

impl Sink {
    fn take(&mut self, line: String) -> io::Result<()> {
        match &mut self.held {
            Some(held) => {
                held.push(line);
                if held.len() > HELD { self.release() } else { Ok(()) }
            }
            None => self.to.write_all(redact::text(&line).0.as_bytes()),
        }
    }

    fn release(&mut self) -> io::Result<()> {
        let held = self.held.take().unwrap_or_default();
        held.iter().try_for_each(|line| self.to.write_all(redact::text(line).0.as_bytes()))
    }
}

fn sink<T>(run: impl FnOnce(&mut Sink) -> T) -> Option<T> {
    // A line is one call on the writer, so a panic leaves no half of one behind.
    SINK.get().map(|sink| run(&mut sink.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Compiles the table of secrets where nobody waits for it, writes what was said so far, and from then on every
/// line at once. The end of the process calls it, too, so that nothing said is lost.
pub fn release() {
    // Outside the lock: whoever says something meanwhile is not held up.
    let held = sink(|sink| sink.held.clone()).flatten().unwrap_or_default();
    held.iter().for_each(|line| drop(redact::text(line)));
    // An error says that nobody can be told.
    let _ = sink(Sink::release);
}

/// One event, which comes as one piece.
struct Line;

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes).into_owned();
        // On a full disk a line is lost: complaining about that on a stderr that nobody has open would end the
        // thread that logged it.
        let _ = sink(|sink| sink.take(line));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sends tracing to its place. A second call in one process (tests) changes nothing.
pub fn begin(file: Option<File>, level: LogVerbosity) {
    let builder = tracing_subscriber::fmt().with_ansi(false).with_target(false).with_max_level(match level {
        LogVerbosity::Error => LevelFilter::ERROR,
        LogVerbosity::Warn => LevelFilter::WARN,
        LogVerbosity::Info => LevelFilter::INFO,
        LogVerbosity::Debug => LevelFilter::DEBUG,
        LogVerbosity::Trace => LevelFilter::TRACE,
    });
    let to: Box<dyn Write + Send> = match file {
        Some(file) => Box::new(file),
        None => Box::new(io::stderr()),
    };
    if SINK.set(Mutex::new(Sink { to, held: Some(Vec::new()) })).is_ok() {
        // An error says that a subscriber is already set, which is the documented second call.
        let _ = builder.with_writer(|| Line).try_init();
    }
}
