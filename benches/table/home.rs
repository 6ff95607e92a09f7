//! Real daemons and shims in a temporary home of their own; whatever still runs at the end is killed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use packd::ipc;
use packd::ipc::connect::{Reached, connect};
use packd::ipc::hello::{Hello, KIND_STATUS};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

pub struct Home {
    dir: TempDir,
    home: ipc::Home,
}

/// A daemon that this process started itself.
pub struct Daemon(Child);

impl Home {
    /// Below the build directory, so that it is on the disk the repository is on and not in memory.
    pub fn new() -> Home {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary directory");
        let home = ipc::Home::at(dir.path().join("h"));
        home.prepare().expect("a packd home");
        home.socket().expect("a build directory with a shorter path");
        std::fs::create_dir(dir.path().join("project")).expect("a project directory");
        Home { dir, home }
    }

    pub fn ipc(&self) -> &ipc::Home {
        &self.home
    }

    /// The directory of the sessions.
    pub fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// A place for files that are no part of packd.
    pub fn scratch(&self) -> &Path {
        self.dir.path()
    }

    pub fn database(&self) -> PathBuf {
        self.home.database()
    }

    /// Starts a daemon and waits until it is ready.
    pub fn start(&self) -> Daemon {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packd"));
        self.surround(command.arg("daemon")).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("packd starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its stdout is a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("packd says something");
        assert_eq!(line.trim(), ipc::start::READY, "the daemon did not start");
        Daemon(child)
    }

    /// Runs the command line to its end, which must be a good one.
    pub fn packd(&self, args: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packd"));
        let ran = self.surround(command.args(args)).stdin(Stdio::null()).output().expect("packd runs");
        assert!(ran.status.success(), "packd {args:?} failed: {}", String::from_utf8_lossy(&ran.stderr));
    }

    /// The shim as an editor would start it.
    pub fn shim(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packd-mcp"));
        self.surround(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    fn surround<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("PACKD_HOME", self.home.dir()).current_dir(self.project())
    }

    /// The process that serves this home, whoever started it.
    pub fn pid(&self) -> Option<u32> {
        match connect(&self.home, &Hello::of_this_process(KIND_STATUS, String::new())) {
            Ok(Reached::Daemon(link)) => Some(link.welcome.pid),
            _ => None,
        }
    }

    /// Asks the daemon to end and waits until its database is closed.
    pub fn stop(&self) {
        let _ = ipc::start::stop(&self.home);
    }

    /// Ends the daemon without giving it a chance, and waits until its lock is gone.
    pub fn kill(&self) {
        let Some(pid) = self.pid().and_then(|pid| Pid::from_raw(pid as i32)) else { return };
        let file = std::fs::File::open(self.database()).expect("a database");
        let _ = kill_process(pid, Signal::KILL);
        // The lock is free when the process is gone; taking it is the one event to wait for.
        file.lock().expect("the database can be locked");
        file.unlock().expect("the lock can be given back");
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Daemon {
    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Resident memory in KiB.
pub fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(f64::NAN)
}
