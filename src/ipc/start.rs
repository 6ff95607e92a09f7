//! Connect to the daemon, starting it where none runs.
//!
//! Any number of clients may do this at once: each may start a daemon, the database lock lets one live, the
//! others say so and end, and everybody connects to the one. Nothing here waits for a fixed time.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::connect::{DaemonLink, Reached, connect, connect_saying};
use super::hello::{Hello, KIND_DRAIN, carried};
use super::{Home, SocketTrouble};

/// From the first attempt to giving up.
const IN_ALL: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Tells a daemon that a client started it: it then leaves the client's session and its terminal.
pub const DETACHED: &str = "PACKD_DETACHED";

/// What a starting daemon prints on stdout, once: it serves, another one does, or it cannot.
pub const READY: &str = "ready";
pub const ALREADY: &str = "already running";
pub const FAILED: &str = "error: ";

/// A connection, and the daemon if this process is its parent and must reap it one day.
pub struct Started {
    pub link: DaemonLink,
    pub child: Option<Child>,
}

/// Connects, starting a daemon if nobody listens.
pub fn connect_or_start(home: &Home, hello: &Hello) -> Result<Started, SocketTrouble> {
    connect_or_start_saying(home, hello, b"")
}

/// The same, with a line that can be said twice right behind the Hello.
pub fn connect_or_start_saying(home: &Home, hello: &Hello, line: &[u8]) -> Result<Started, SocketTrouble> {
    let mut until = Instant::now() + IN_ALL;
    let mut pause = FIRST_PAUSE;
    let mut child = None;
    let mut extended = false;
    loop {
        match connect_saying(home, hello, line)? {
            Reached::Daemon(link) => return Ok(Started { link, child }),
            Reached::TooOld(_) => drain(home)?,
            // A daemon that finishes its calls may take its own ten seconds; ours begin after that.
            Reached::Ending if !extended => {
                extended = true;
                until = Instant::now() + IN_ALL;
            }
            Reached::Ending => {}
            Reached::Nobody => {
                if let Some(started) = start(home, until)? {
                    child = Some(started);
                    continue;
                }
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(SocketTrouble::new(
                format!("No packd daemon could be reached within {} seconds.", IN_ALL.as_secs()),
                format!("Look at {}, then run `packd daemon` in a terminal.", home.log().display()),
            ));
        }
        // Waiting for another process's progress, which no event announces.
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Asks the running daemon to end, and waits until it has closed its database. False if none runs.
pub fn stop(home: &Home) -> Result<bool, SocketTrouble> {
    let hello = Hello::of_this_process(KIND_DRAIN, String::new());
    match connect(home, &hello)? {
        Reached::Daemon(mut link) => {
            // The end of the connection is the end of the process; the bytes and how it ends do not matter.
            let _ = link.stream.read_to_end(&mut Vec::new());
            Ok(true)
        }
        Reached::Ending => Ok(true),
        Reached::Nobody => Ok(false),
        Reached::TooOld(welcome) => Err(SocketTrouble::new(
            format!("The running daemon (version {}) is too old to be asked to end.", welcome.version),
            format!("End process {} yourself.", welcome.pid),
        )),
    }
}

fn drain(home: &Home) -> Result<(), SocketTrouble> {
    stop(home).map(|_| ())
}

/// Starts `packd daemon` and waits for its one line. `None`: another daemon won the race.
fn start(home: &Home, until: Instant) -> Result<Option<Child>, SocketTrouble> {
    let (fresh, silent) = (!home.dir().exists(), !home.log().exists());
    let started = start_in(home, until);
    if started.is_err() && silent {
        // A first start that failed leaves nothing behind, not even what it had nothing to say in.
        let unused = std::fs::metadata(home.log()).is_ok_and(|m| m.len() == 0);
        if unused && std::fs::remove_file(home.log()).is_ok() && fresh {
            let _ = std::fs::remove_dir(home.dir());
        }
    }
    started
}

fn start_in(home: &Home, until: Instant) -> Result<Option<Child>, SocketTrouble> {
    home.prepare()?;
    home.socket()?;
    let program = program();
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(home.log()).map_err(|e| {
        SocketTrouble::new(
            format!("The log {} cannot be opened: {e}.", home.log().display()),
            "Make it writable, or free space on that disk.",
        )
    })?;
    let mut command = Command::new(&program);
    command.arg("daemon").current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
    // What one session's environment says must not become the environment of all of them, and the messages
    // of a supervisor of this client are not for the daemon.
    for (name, _) in std::env::vars_os() {
        if let Some(name) = name.to_str()
            && ((carried(name) && name != "HOME")
                || ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"].contains(&name)
                || name.starts_with("WATCHDOG_"))
        {
            command.env_remove(name);
        }
    }
    command.env("PACKD_HOME", home.dir()).env(DETACHED, "1");
    let mut child = command.spawn().map_err(|e| {
        SocketTrouble::new(
            format!("The daemon {} cannot be started: {e}.", program.display()),
            "Install `packd` beside `packd-mcp`, or put it on the PATH.",
        )
    })?;
    let line = match child.stdout.take() {
        Some(stdout) => ready_line(stdout, until),
        None => String::new(),
    };
    if line == READY {
        return Ok(Some(child));
    }
    if line == ALREADY {
        // It printed its last line: it ends now, so this wait is short.
        let _ = child.wait();
        return Ok(None);
    }
    if let Some(said) = line.strip_prefix(FAILED) {
        let _ = child.wait();
        let (message, hint) = said.split_once('\t').unwrap_or((said, ""));
        return Err(SocketTrouble::new(message, hint));
    }
    Err(SocketTrouble::new(
        "The daemon was started but did not become ready.",
        format!("Look at {}, then run `packd daemon` in a terminal.", home.log().display()),
    ))
}

/// The program beside this one, else whatever `PATH` finds.
fn program() -> PathBuf {
    let beside = std::env::current_exe().ok().and_then(|me| Some(me.parent()?.join("packd")));
    beside.filter(|p| p.is_file()).unwrap_or_else(|| "packd".into())
}

/// Reads one line, giving up at `until` or at the end of the pipe.
fn ready_line(mut stdout: ChildStdout, until: Instant) -> String {
    let mut text = Vec::new();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let Ok(timeout) = Timespec::try_from(left) else { break };
        match poll(&mut [PollFd::new(&stdout, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => break,
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => break,
        }
        let mut chunk = [0; 512];
        match stdout.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(n) => text.extend_from_slice(&chunk[..n]),
        }
        if text.contains(&b'\n') {
            break;
        }
    }
    let text = String::from_utf8_lossy(&text);
    text.lines().next().unwrap_or_default().to_string()
}
