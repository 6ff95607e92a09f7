//! The supervisor's own life: hold the lock, start the program once told to, listen, end it in time, say how it ended.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::FlockOperation;
use rustix::process::{Pid, Signal, kill_process_group};

use super::output::{LineStream, OutputFile};
use super::{END, End, EndCause, GO, LOCK, OUTPUT, READY, WORD, create};

/// Marks the process that becomes the program.
pub const GATE: &str = "--gate";
/// Between asking a process group to end and ending it.
const GRACE: Duration = Duration::from_secs(3);
/// How long output of a finished program's children is still waited for.
const LEFTOVERS: Duration = Duration::from_secs(1);
/// Room for what `end` will say, taken before the disk can be full.
const END_BYTES: usize = 64;

/// Becomes the program, once told to: its pid is known, and recorded, before its first instruction runs.
pub fn gate(program: &OsStr, args: &[OsString]) -> io::Result<()> {
    // No terminal can reach it, and nobody else is in its group.
    rustix::process::setsid()?;
    io::stdout().write_all(b".")?;
    io::stdout().flush()?;
    io::stdin().read_exact(&mut [0])?;
    let error = Command::new(program).args(args).stdin(Stdio::null()).exec();
    let _ = writeln!(io::stderr(), "cannot start {}: {error}", program.display());
    std::process::exit(127)
}

pub fn keep(dir: &Path, seconds: u64, program: &OsStr, args: &[OsString]) -> io::Result<()> {
    let lock = create(&dir.join(LOCK))?;
    rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    let output = OutputFile::new(create(&dir.join(OUTPUT))?);
    let ending = Ending::prepare(dir)?;
    let mut child = Command::new(own_program()?)
        .arg0("packd-mcp")
        .args([WORD, GATE])
        .arg(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let how = match begin(&mut child) {
        Ok(()) => listen(child, output, Instant::now() + Duration::from_secs(seconds))?,
        Err(_) => {
            let _ = child.kill();
            let _ = child.wait();
            EndCause::NotStarted
        }
    };
    ending.write(how)
}

/// This very file, even if another was installed over it meanwhile.
fn own_program() -> io::Result<std::path::PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}

/// Tells the daemon the process id and waits until it has written it down. A daemon that ends instead is an error.
fn begin(child: &mut Child) -> io::Result<()> {
    let (Some(stdout), Some(mut stdin)) = (child.stdout.as_mut(), child.stdin.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    stdout.read_exact(&mut [0])?;
    let mut daemon = io::stdout();
    writeln!(daemon, "{READY}{}", child.id())?;
    daemon.flush()?;
    let mut word = [0];
    io::stdin().read_exact(&mut word)?;
    if word[0] != GO {
        return Err(io::ErrorKind::InvalidData.into());
    }
    stdin.write_all(&word)
}

/// Follows the program to its end, or ends its whole group when its time is over.
fn listen(mut child: Child, mut output: OutputFile, deadline: Instant) -> io::Result<EndCause> {
    let group = Pid::from_child(&child);
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let (mut one, mut two) = (LineStream::new(b'1'), LineStream::new(b'2'));
    let (ended_fd, ended) = reap(child)?;
    let mut status: Option<(Instant, ExitStatus)> = None;
    let mut asked: Option<Instant> = None;
    let mut forced = false;
    loop {
        let now = Instant::now();
        let next = match (&status, asked) {
            (Some((at, _)), _) if (out.is_none() && err.is_none()) || now >= *at + LEFTOVERS => break,
            (Some((at, _)), _) => Some(*at + LEFTOVERS),
            (None, None) => Some(deadline),
            (None, Some(at)) if !forced => Some(at + GRACE),
            (None, Some(_)) => None,
        };
        let waiting = status.is_none();
        let timeout = next.and_then(|at| Timespec::try_from(at.saturating_duration_since(now)).ok());
        let (mut out_ready, mut err_ready, mut end_ready) = (false, false, false);
        {
            let mut fds = Vec::with_capacity(3);
            let mut flags: Vec<&mut bool> = Vec::with_capacity(3);
            if let Some(pipe) = &out {
                fds.push(PollFd::new(pipe, PollFlags::IN));
                flags.push(&mut out_ready);
            }
            if let Some(pipe) = &err {
                fds.push(PollFd::new(pipe, PollFlags::IN));
                flags.push(&mut err_ready);
            }
            if waiting {
                fds.push(PollFd::from_borrowed_fd(ended_fd.as_fd(), PollFlags::IN));
                flags.push(&mut end_ready);
            }
            match poll(&mut fds, timeout.as_ref()) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(e) => return Err(e.into()),
            }
            for (fd, flag) in fds.iter().zip(flags) {
                *flag = !fd.revents().is_empty();
            }
        }
        if out_ready && take(&mut out, &mut one, &mut output) {
            out = None;
        }
        if err_ready && take(&mut err, &mut two, &mut output) {
            err = None;
        }
        if end_ready {
            let reaped = ended.recv().map_err(|_| io::ErrorKind::BrokenPipe)??;
            status = Some((Instant::now(), reaped));
            if asked.is_some() {
                // The leader is gone; whatever of its group ignored the polite signal goes now.
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
        let now = Instant::now();
        match asked {
            None if status.is_none() && now >= deadline => {
                asked = Some(now);
                let _ = kill_process_group(group, Signal::TERM);
            }
            Some(at) if status.is_none() && !forced && now >= at + GRACE => {
                forced = true;
                let _ = kill_process_group(group, Signal::KILL);
            }
            _ => {}
        }
    }
    // Without room on the disk the output is shorter; how it ended is still known.
    let _ = output.end([&mut one, &mut two]);
    Ok(match (asked, status) {
        (Some(_), _) => EndCause::TimedOut,
        (None, Some((_, status))) => match (status.code(), status.signal()) {
            (Some(code), _) => EndCause::Code(code),
            (None, signal) => EndCause::Signal(signal.unwrap_or(0)),
        },
        // The loop is left only with a status.
        (None, None) => EndCause::NotStarted,
    })
}

/// Waits for the child on a thread; the descriptor becomes readable when it is gone.
fn reap(mut child: Child) -> io::Result<(io::PipeReader, Receiver<io::Result<ExitStatus>>)> {
    let (fd, gone) = io::pipe()?;
    let (tell, told) = channel();
    std::thread::Builder::new().spawn(move || {
        let _ = tell.send(child.wait());
        drop(gone);
    })?;
    Ok((fd, told))
}

/// Reads once; true at the end of the pipe.
fn take<R: Read>(pipe: &mut Option<R>, stream: &mut LineStream, output: &mut OutputFile) -> bool {
    let Some(pipe) = pipe else { return true };
    let mut piece = [0; 32 * 1024];
    match pipe.read(&mut piece) {
        Ok(0) => true,
        Ok(n) => {
            output.hear(stream, &piece[..n]);
            false
        }
        Err(e) => e.kind() != io::ErrorKind::Interrupted,
    }
}

/// The file that will say how it ended, with its room taken in advance.
struct Ending<'a> {
    dir: &'a Path,
    file: File,
}

impl Ending<'_> {
    fn prepare(dir: &Path) -> io::Result<Ending<'_>> {
        let file = create(&dir.join("end.new"))?;
        file.write_all_at(&[b' '; END_BYTES], 0)?;
        file.sync_all()?;
        Ok(Ending { dir, file })
    }

    fn write(self, how: EndCause) -> io::Result<()> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let text = End { how, at: i64::try_from(now.as_micros()).unwrap_or(i64::MAX) }.text();
        self.file.write_all_at(format!("{text:<END_BYTES$}").as_bytes(), 0)?;
        self.file.sync_all()?;
        std::fs::rename(self.dir.join("end.new"), self.dir.join(END))?;
        File::open(self.dir)?.sync_all()
    }
}
