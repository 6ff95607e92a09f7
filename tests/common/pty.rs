//! A program at a terminal of its own, typed at and read from as a person would.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::real::{DEADLINE, kill};

/// Makes the terminal that is its standard input the controlling one; from util-linux.
const SETSID: &str = "setsid";

pub struct Pty {
    child: Child,
    master: File,
    output: Receiver<Vec<u8>>,
    seen: String,
}

/// A pair: what the person has, and what the program has.
pub fn pair() -> (OwnedFd, OwnedFd) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
    let slave = rustix::fs::open(name, flags, rustix::fs::Mode::empty()).unwrap();
    (master, slave)
}

/// Says so by name where the tool is missing.
pub fn available() -> bool {
    let found = Command::new(SETSID).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let ok = found.is_ok_and(|status| status.success());
    if !ok {
        println!("skipped: setsid (util-linux) is not installed");
    }
    ok
}

/// The command with this terminal for input and output.
pub fn attached(mut command: Command, slave: OwnedFd) -> Command {
    command.stdin(Stdio::from(slave.try_clone().unwrap()));
    command.stdout(Stdio::from(slave.try_clone().unwrap()));
    command.stderr(Stdio::from(slave));
    command
}

impl Pty {
    /// Runs a command, with its environment and directory, in the foreground of a new controlling terminal.
    pub fn spawn(command: &Command) -> Pty {
        let mut outer = Command::new(SETSID);
        outer.arg("--ctty").arg(command.get_program()).args(command.get_args()).env_clear();
        for (name, value) in command.get_envs() {
            outer.env(name, value.unwrap_or_default());
        }
        outer.current_dir(command.get_current_dir().unwrap());
        let (master, slave) = pair();
        let mut outer = attached(outer, slave);
        let child = outer.spawn().unwrap();
        // Its copies of the terminal would keep it open.
        drop(outer);
        let master = File::from(master);
        let mut reader = master.try_clone().unwrap();
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            // Reading fails once nobody has the other end any more.
            while let Ok(n) = reader.read(&mut chunk) {
                if n == 0 || send.send(chunk[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty { child, master, output, seen: String::new() }
    }

    /// Waits until the screen shows this; what came before it is forgotten, what is given back.
    pub fn until(&mut self, text: &str) -> String {
        let by = Instant::now() + DEADLINE;
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            match self.output.recv_timeout(by.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout) => panic!("never shown: {text:?}; shown: {}", self.seen),
                Err(RecvTimeoutError::Disconnected) => panic!("ended without {text:?}: {}", self.seen),
            }
        }
    }

    pub fn types(&mut self, line: &str) {
        self.master.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The exit code and everything shown until the end.
    pub fn end(mut self) -> (Option<i32>, String) {
        let by = Instant::now() + DEADLINE;
        loop {
            match self.output.recv_timeout(by.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it did not end; shown: {}", self.seen),
            }
        }
        let status = self.child.wait().unwrap();
        (status.code(), std::mem::take(&mut self.seen))
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            kill(self.child.id(), rustix::process::Signal::KILL);
            let _ = self.child.wait();
        }
    }
}
