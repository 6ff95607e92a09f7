//! The real binaries in a home of their own: nothing here touches the user's, and nothing stays behind.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use packd::ipc::Home;
use packd::ipc::connect::{DaemonLink, Reached, connect};
use packd::ipc::hello::{Hello, KIND_MCP, KIND_STATUS};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Far beyond what anything takes; only a hang reaches it.
pub const DEADLINE: Duration = Duration::from_secs(30);

pub const PACKD: &str = env!("CARGO_BIN_EXE_packd");
pub const SHIM: &str = env!("CARGO_BIN_EXE_packd-mcp");

/// A user with a home directory, and perhaps a daemon.
pub struct Place {
    dir: TempDir,
}

impl Place {
    pub fn new() -> Place {
        // Not below TMPDIR, which may be too deep for a socket address.
        let dir = tempfile::Builder::new().prefix("packd-").tempdir_in("/tmp").unwrap();
        let place = Place { dir };
        fs::create_dir(place.work()).unwrap();
        place
    }

    /// Makes packd's directory in advance, with a configuration.
    pub fn with_config(text: &str) -> Place {
        let place = Place::new();
        place.home().prepare().unwrap();
        fs::write(place.home().config(), text).unwrap();
        place
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn home(&self) -> Home {
        Home::at(self.path().join("packd"))
    }

    pub fn socket(&self) -> PathBuf {
        self.home().socket().unwrap()
    }

    /// The project the sessions work in.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// A command with only the environment that a host gives its servers.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.path());
        command.env("PACKD_HOME", self.home().dir()).current_dir(self.work());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn shim(&self) -> Process {
        Process::spawn(self.command(SHIM))
    }

    /// `packd daemon` as our own child, not yet known to be ready.
    pub fn daemon(&self) -> Process {
        let mut command = self.command(PACKD);
        command.arg("daemon");
        Process::spawn(command)
    }

    /// Runs the command line to its end.
    pub fn packd(&self, args: &[&str]) -> Ran {
        let mut command = self.command(PACKD);
        command.args(args);
        Ran::of(command)
    }

    pub fn hello(&self, kind: &str) -> Hello {
        let mut hello = Hello::of_this_process(kind, self.path().to_string_lossy().into_owned());
        hello.env.clear();
        hello.environment = Default::default();
        hello.cwd = self.work().to_string_lossy().into_owned();
        hello
    }

    /// The pid of the daemon that answers, if one does.
    pub fn daemon_pid(&self) -> Option<u32> {
        match connect(&self.home(), &self.hello(KIND_STATUS)) {
            Ok(Reached::Daemon(link)) => Some(link.welcome.pid),
            _ => None,
        }
    }

    /// A session straight on the socket.
    pub fn session(&self) -> DaemonLink {
        match connect(&self.home(), &self.hello(KIND_MCP)).unwrap() {
            Reached::Daemon(link) => link,
            _ => panic!("no daemon answers"),
        }
    }

    /// The database of a daemon that was stopped, to meddle with it.
    pub fn stopped_database(&self) -> redb::Database {
        self.packd(&["stop"]).ok();
        let mut opened = redb::Database::open(self.home().database());
        until("the daemon let go of the database", || {
            if opened.is_err() {
                opened = redb::Database::open(self.home().database());
            }
            opened.is_ok()
        });
        opened.unwrap()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.home().log()).unwrap_or_default()
    }

    /// Kills the daemon the hard way and returns once its database lock is free.
    pub fn kill_daemon(&self) -> u32 {
        let pid = self.daemon_pid().expect("a daemon runs");
        kill(pid, Signal::KILL);
        gone(pid);
        pid
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(pid) = self.daemon_pid() {
            kill(pid, Signal::KILL);
        }
    }
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(mut command: Command) -> Ran {
        let out = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: out.status.code(), stdout: text(&out.stdout), stderr: text(&out.stderr) }
    }

    /// What it printed, if it succeeded.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// Everything it printed, if it failed with this code.
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stdout + &self.stderr
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("not JSON ({e}): {self:?}"))
    }
}

/// Waits until a process that is not our child has ended.
pub fn gone(pid: u32) {
    let pid = Pid::from_raw(pid as i32).unwrap();
    if let Ok(fd) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
        let mut fds = [rustix::event::PollFd::new(&fd, rustix::event::PollFlags::IN)];
        let timeout = rustix::event::Timespec::try_from(DEADLINE).unwrap();
        assert_eq!(rustix::event::poll(&mut fds, Some(&timeout)), Ok(1), "process {pid:?} did not end");
    }
}

pub fn kill(pid: u32, signal: Signal) {
    let _ = kill_process(Pid::from_raw(pid as i32).unwrap(), signal);
}

/// Asks again and again until something is so.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let by = Instant::now() + DEADLINE;
    while !so() {
        assert!(Instant::now() < by, "never happened: {what}");
        std::thread::yield_now();
    }
}

/// A running program whose stdout is read as lines; killed when dropped.
pub struct Process {
    pub pid: u32,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    exited: Receiver<ExitStatus>,
    ended: Option<ExitStatus>,
}

impl Process {
    pub fn spawn(mut command: Command) -> Process {
        let mut child: Child = command.spawn().unwrap();
        let pid = child.id();
        let stdin = child.stdin.take();
        let (send, lines) = channel();
        let stdout = child.stdout.take();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout.unwrap()).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        let (send, errors) = channel();
        let stderr = child.stderr.take();
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.unwrap().read_to_string(&mut text);
            let _ = send.send(text);
        });
        let (send, exited) = channel();
        std::thread::spawn(move || {
            let _ = send.send(child.wait().unwrap());
        });
        Process { pid, stdin, lines, errors, exited, ended: None }
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next line of stdout.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(DEADLINE) {
            Ok(line) => line,
            Err(e) => panic!("no line came ({e}); stderr: {:?}", self.errors.try_recv()),
        }
    }

    /// A line of stdout, if one is there already.
    pub fn try_line(&mut self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    pub fn reply(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("not JSON ({e}): {line}"))
    }

    /// Sends a request and gives back the very next line.
    pub fn ask(&mut self, id: Value, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.reply()
    }

    pub fn ping(&mut self, id: u64) {
        assert_eq!(self.ask(json!(id), "ping", json!({})), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }

    /// The handshake of the older protocols.
    pub fn initialize(&mut self) -> Value {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}});
        let reply = self.ask(json!(0), "initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        reply
    }

    /// True if stdout ended, or nothing came on it for now.
    pub fn silent(&self) -> bool {
        self.lines.try_recv().is_err()
    }

    /// True once stdout is closed by everyone who had it.
    pub fn stdout_closes(&self) {
        loop {
            match self.lines.recv_timeout(DEADLINE) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => panic!("stdout stayed open"),
            }
        }
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub fn running(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = self.exited.try_recv().ok();
        }
        self.ended.is_none()
    }

    /// Waits for the end, with stdin as it is now.
    pub fn wait(&mut self) -> ExitStatus {
        if self.ended.is_none() {
            self.ended = Some(self.exited.recv_timeout(DEADLINE).expect("the process did not end"));
        }
        self.ended.unwrap()
    }

    /// Everything on stderr, after the end.
    pub fn stderr(&mut self) -> String {
        self.wait();
        self.errors.recv_timeout(DEADLINE).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.running() {
            kill(self.pid, Signal::KILL);
            let _ = self.exited.recv_timeout(DEADLINE);
        }
    }
}
