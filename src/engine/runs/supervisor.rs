//! Starts programs of runs under the tiny supervisor beside the daemon, so that they outlive it.
//!
//! Each step of a run has a directory of its own below the home (`runs/RUN/STEP`, 0700); what is in it is described
//! in [`crate::supervise`]. A program waits at its gate until its pid is recorded.

use std::fs::DirBuilder;
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::engine::programs;
use crate::supervise::{self, GO, READY, process};

/// How long a supervisor may take to say that it is ready.
const READY_WITHIN: Duration = Duration::from_secs(10);

/// Where the supervisor is and where runs keep what their programs print.
#[derive(Debug, Clone)]
pub struct Supervisor {
    /// `packd-mcp`.
    pub program: PathBuf,
    pub dir: PathBuf,
}

/// A program to be.
pub(super) struct ProgramSpec<'a> {
    pub program: &'a str,
    pub args: &'a [String],
    pub cwd: &'a Path,
    pub env: &'a [(String, String)],
    pub seconds: u64,
}

/// A program at its gate; it begins with [`go`](Waiting::go) and ends with [`give_up`](Waiting::give_up).
pub(super) struct GatedProgram {
    child: Child,
    pub pid: u32,
    pub start: u64,
    pub boot: String,
}

impl Supervisor {
    pub(super) fn place(&self, run: &str, step: u64) -> PathBuf {
        self.dir.join(run).join(step.to_string())
    }

    pub(super) fn start(&self, place: &Path, program: &ProgramSpec) -> io::Result<GatedProgram> {
        let _ = std::fs::remove_dir_all(place);
        DirBuilder::new().mode(0o700).recursive(true).create(place)?;
        let mut args = vec![
            supervise::WORD.to_string(),
            place.to_string_lossy().into_owned(),
            program.seconds.to_string(),
            program.program.to_string(),
        ];
        args.extend_from_slice(program.args);
        let own = self.program.to_string_lossy();
        let mut child = programs::start(&own, &args, program.cwd, program.env, Stdio::piped())?;
        match ready(&mut child) {
            Ok((pid, start)) => Ok(GatedProgram { child, pid, start, boot: process::boot() }),
            Err(e) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(e)
            }
        }
    }

    /// Nothing of a finished run stays on the disk.
    pub(super) fn forget(&self, run: &str) {
        let _ = std::fs::remove_dir_all(self.dir.join(run));
    }

    /// Directories of runs that are over, and of none that is known; one with a living supervisor is left alone.
    pub(super) fn sweep(&self, known: &[String]) {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let steps = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
            if !known.contains(&name) && !steps.map(|s| s.path()).any(|place| supervise::lives(&place)) {
                self.forget(&name);
            }
        }
    }
}

/// Reads the one line a supervisor says, with the process that will become the program.
fn ready(child: &mut Child) -> io::Result<(u32, u64)> {
    let Some(mut stdout) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    drop(child.stderr.take());
    let until = Instant::now() + READY_WITHIN;
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now()));
        match poll(&mut [PollFd::new(&stdout, PollFlags::IN)], left.ok().as_ref()) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::TimedOut, "it did not become ready")),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(e) => return Err(e.into()),
        }
        let mut byte = [0; 64];
        match stdout.read(&mut byte)? {
            0 => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended before it was ready")),
            n => line.extend_from_slice(&byte[..n]),
        }
    }
    let text = String::from_utf8_lossy(&line);
    let pid = text.trim().strip_prefix(READY.trim_end()).and_then(|pid| pid.trim().parse::<u32>().ok());
    let pid = pid.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it said something else"))?;
    let start = process::began(pid).ok_or_else(|| io::Error::other("its program is gone already"))?;
    Ok((pid, start))
}

impl GatedProgram {
    /// Lets the program begin. Should the supervisor be gone, whoever follows it finds out.
    pub fn go(mut self) -> Child {
        if let Some(mut stdin) = self.child.stdin.take() {
            let _ = stdin.write_all(&[GO]);
        }
        self.child
    }

    /// The program never begins.
    pub fn give_up(mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
