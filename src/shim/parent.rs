//! Notices that the process that started us is gone, even when something else keeps our pipes open.
//!
//! Not by a parent-death signal: that one fires when the *thread* that started us ends, which in hosts with
//! worker threads happens while the host is well. A process descriptor knows only processes.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, getppid};

/// The parent we were born to.
pub struct Parent {
    pid: Option<Pid>,
    watched: Option<OwnedFd>,
}

impl Parent {
    pub fn new() -> Parent {
        let pid = getppid();
        Parent { pid, watched: pid.and_then(watch) }
    }

    /// Becomes readable when the parent ends, where the system can say so.
    pub fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.watched.as_ref().map(|fd| fd.as_fd())
    }

    /// How often to look where it cannot.
    pub fn look_every(&self) -> Option<Duration> {
        (self.pid.is_some() && self.watched.is_none()).then_some(Duration::from_secs(2))
    }

    /// Where it works, where the system can say so.
    pub fn directory(&self) -> Option<PathBuf> {
        let pid = self.pid?.as_raw_nonzero();
        cfg!(target_os = "linux").then(|| std::fs::read_link(format!("/proc/{pid}/cwd")).ok()).flatten()
    }

    pub fn gone(&self) -> bool {
        self.pid.is_some() && getppid() != self.pid
    }
}

#[cfg(target_os = "linux")]
fn watch(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn watch(_: Pid) -> Option<OwnedFd> {
    None
}
