//! Where the daemon's log goes: the supervisor's stderr if there is one, else `log` in the home directory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

use tracing::level_filters::LevelFilter;

use super::config::Level;
use crate::core::redact;
use crate::ipc::{Home, Trouble};

/// A log that has grown to this is renamed to `log.1` when the daemon starts.
const ROTATE_AT: u64 = 5 * 1024 * 1024;

/// Opens the log file, rotating it first. Also used to leave the reason of a failed start behind.
pub fn open(home: &Home) -> Result<File, Trouble> {
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
        Trouble::new(
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

/// Every line of the log on its way out, without secrets. An event comes as one piece. On a full disk it is lost:
/// complaining about that on a stderr that nobody has open would end the thread that logged it.
struct Clean<W>(W);

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(redact::text(&String::from_utf8_lossy(bytes)).0.as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Sends tracing to its place. A second call in one process (tests) changes nothing.
pub fn begin(file: Option<File>, level: Level) {
    let builder = tracing_subscriber::fmt().with_ansi(false).with_target(false).with_max_level(match level {
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
        Level::Trace => LevelFilter::TRACE,
    });
    // An error says that a subscriber is already set, which is the documented second call.
    let _ = match file {
        Some(file) => builder.with_writer(std::sync::Mutex::new(Clean(file))).try_init(),
        None => builder.with_writer(|| Clean(io::stderr())).try_init(),
    };
}
