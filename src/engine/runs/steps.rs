//! Carries out one step of a run: a program in its own process group, or one of the few built-in works.
//!
//! Everything a program prints is handed on line by line as it comes, already without secrets.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::core::run::{LineSource, RunStep, StepWork};
use crate::core::world::Command;
use crate::core::{Sha, git, redact};
use crate::engine::files::exclude;
pub use crate::engine::runs::control::Control;
use crate::engine::{Shared, programs, trash};

/// How often a waiting thread looks whether it was cancelled or is out of time.
const LOOK: Duration = Duration::from_millis(25);
/// Between asking a process group to end and ending it.
const GRACE: Duration = Duration::from_secs(3);
/// How long output of a finished program's children is still waited for.
const LEFTOVERS: Duration = Duration::from_secs(1);
const MAX_LINE: usize = 8 * 1024;
/// Lines that wait to be taken; a program that prints faster waits, too.
const WAITING_LINES: usize = 1024;
const MAX_CAPTURE: usize = 256 * 1024;
#[derive(Debug)]
pub struct StepFailure {
    pub message: String,
    pub code: Option<i32>,
}

impl StepFailure {
    pub(in crate::engine) fn new(message: impl Into<String>) -> StepFailure {
        StepFailure { message: message.into(), code: None }
    }
}

type Lines<'a> = &'a mut dyn FnMut(LineSource, &str);

/// Does one step and checks what it expects; returns its output.
pub(in crate::engine) fn perform(
    shared: &Shared,
    step: &RunStep,
    control: &Control,
    lines: Lines,
) -> Result<String, StepFailure> {
    let out = work(shared, &step.work, Duration::from_secs(step.timeout_seconds), control, lines)?;
    as_expected(step, out)
}

/// Checks what a step printed against what it must print.
pub fn as_expected(step: &RunStep, out: String) -> Result<String, StepFailure> {
    match &step.expect {
        Some(wanted) if wanted.trim() != out.trim() => {
            let found = out.trim().lines().next().unwrap_or("nothing").to_string();
            Err(StepFailure::new(format!("not so any more: found {found}")))
        }
        _ => Ok(out),
    }
}

pub(in crate::engine) fn work(
    shared: &Shared,
    asked: &StepWork,
    timeout: Duration,
    control: &Control,
    lines: Lines,
) -> Result<String, StepFailure> {
    if control.cancelled() {
        return Err(StepFailure::new("cancelled"));
    }
    match asked {
        StepWork::Program { program, args, cwd, env } => {
            let child = programs::start(program, args, cwd, &control.around(env), Stdio::null())
                .map_err(|e| StepFailure::new(format!("cannot start {program}: {e}")))?;
            hear_out(child, program, timeout, control, lines)
        }
        StepWork::Git { .. } => work(shared, &settled(asked, control)?, timeout, control, lines),
        StepWork::WriteFile { path, content, before } => {
            write_file(path, content.as_deref(), before.as_deref())
        }
        StepWork::RemoveTree { root, path } => remove_tree(root, path),
        StepWork::MakeDir { path } => {
            std::fs::create_dir_all(path).map_err(|e| failed("create", path, &e))?;
            Ok(String::new())
        }
        StepWork::Exclude { paths } => match exclude::add(paths) {
            Ok(added) => {
                Ok(added.iter().map(|p| p.to_string_lossy().into_owned()).collect::<Vec<_>>().join("\n"))
            }
            Err(e) => {
                // Nothing is wrong with the checkout itself.
                lines(LineSource::Packd, &format!("warning: .git/info/exclude was left as it is: {e}"));
                Ok(String::new())
            }
        },
        StepWork::Include { paths } => {
            if let Err(e) = exclude::remove(paths) {
                lines(LineSource::Packd, &format!("warning: .git/info/exclude was left as it is: {e}"));
            }
            Ok(String::new())
        }
        StepWork::CheckAbsent { path } => {
            let empty = std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            match empty || std::fs::symlink_metadata(path).is_err() {
                true => Ok(String::new()),
                false => Err(StepFailure::new(format!("{} is still there", path.display()))),
            }
        }
        StepWork::CheckFile { path, sha } => {
            let bytes = std::fs::read(path).map_err(|e| failed("read", path, &e))?;
            match Sha::of(&bytes).as_str() == sha {
                true => Ok(String::new()),
                false => {
                    Err(StepFailure::new(format!("{} has changed since it was previewed", path.display())))
                }
            }
        }
        StepWork::CheckSaved(saved) => trash::check_saved(shared, saved).map_err(StepFailure::new),
        StepWork::NoteTags { dir, home } => trash::note_tags(shared, dir, home).map_err(StepFailure::new),
        StepWork::Trash(discard) => trash::put(shared, discard).map_err(StepFailure::new),
        StepWork::Untrash { entry, otherwise, .. } => {
            trash::bring_back(shared, entry, otherwise).map_err(StepFailure::new)
        }
    }
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> StepFailure {
    StepFailure::new(format!("cannot {verb} {}: {e}", path.display()))
}

/// The program that a work is at this moment; any other work as it is.
pub(in crate::engine) fn settled(work: &StepWork, control: &Control) -> Result<StepWork, StepFailure> {
    let StepWork::Git { args, cwd, env } = work else { return Ok(work.clone()) };
    let ask = |asked: &Command| {
        let env = control.around(&asked.env);
        programs::run(&Command { env, ..asked.clone() }, &|| !control.cancelled())
    };
    let git = git::settle(args, cwd, env, &ask).map_err(|e| StepFailure::new(e.message))?;
    Ok(StepWork::Program { program: git.program, args: git.args, cwd: git.cwd, env: git.env })
}

/// Follows a started program to its end and returns what it printed.
fn hear_out(
    mut child: Child,
    name: &str,
    timeout: Duration,
    control: &Control,
    lines: Lines,
) -> Result<String, StepFailure> {
    let (tell, told) = sync_channel(WAITING_LINES);
    if let Some(pipe) = child.stdout.take() {
        listen(pipe, LineSource::Stdout, tell.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        listen(pipe, LineSource::Stderr, tell);
    }
    let mut heard = ProgramOutput::default();
    let mut hear = |source: LineSource, text: &str| {
        let shown = heard.hear(source, text);
        lines(source, &shown);
    };
    let ended = wait(&mut child, &told, timeout, control, &mut hear)?;
    heard.verdict(name, ended, timeout)
}

/// What a program has said so far, as far as anybody will ask for it.
#[derive(Default)]
pub struct ProgramOutput {
    out: String,
    last_error: String,
    /// What was printed so far, as far as a secret over many lines needs it.
    printed: redact::RedactStream,
    complained: redact::RedactStream,
}

impl ProgramOutput {
    /// Takes a line and gives it back as it may be shown.
    pub fn hear(&mut self, source: LineSource, text: &str) -> String {
        if source == LineSource::Stdout && self.out.len() < MAX_CAPTURE {
            self.out.push_str(text);
            self.out.push('\n');
        }
        let stream = if source == LineSource::Stderr { &mut self.complained } else { &mut self.printed };
        let shown = stream.line(text);
        if source == LineSource::Stderr && !shown.trim().is_empty() {
            self.last_error.clone_from(&shown);
        }
        shown
    }

    /// The output of a program that succeeded, or why it did not.
    pub fn verdict(self, name: &str, ended: ProgramEnd, timeout: Duration) -> Result<String, StepFailure> {
        match ended {
            ProgramEnd::Code(Some(0)) => Ok(self.out.trim_end().to_string()),
            ProgramEnd::Code(code) => {
                let how = code
                    .map_or("was ended by a signal".to_string(), |c| format!("failed with exit code {c}"));
                let said =
                    if self.last_error.is_empty() { String::new() } else { format!(": {}", self.last_error) };
                Err(StepFailure { message: format!("{name} {how}{said}"), code })
            }
            ProgramEnd::Cancelled => Err(StepFailure::new("cancelled")),
            ProgramEnd::TimedOut => {
                Err(StepFailure::new(format!("{name} gave no answer within {} seconds", timeout.as_secs())))
            }
        }
    }
}

pub enum ProgramEnd {
    Code(Option<i32>),
    Cancelled,
    TimedOut,
}

/// Listens until the program and its pipes are done, or ends its whole group.
fn wait(
    child: &mut Child,
    told: &Receiver<(LineSource, String)>,
    timeout: Duration,
    control: &Control,
    hear: Lines,
) -> Result<ProgramEnd, StepFailure> {
    let group = Pid::from_child(child);
    let deadline = Instant::now() + timeout;
    let mut killed: Option<(Instant, bool)> = None;
    let mut exited: Option<(Instant, Option<i32>)> = None;
    loop {
        let open = match told.recv_timeout(LOOK) {
            Ok((source, text)) => {
                hear(source, &text);
                while let Ok((source, text)) = told.try_recv() {
                    hear(source, &text);
                }
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        };
        if exited.is_none() {
            let status =
                child.try_wait().map_err(|e| StepFailure::new(format!("cannot wait for a program: {e}")))?;
            exited = status.map(|s| (Instant::now(), s.code()));
        }
        if let Some((at, code)) = exited {
            if !open || at.elapsed() > LEFTOVERS {
                return Ok(match killed {
                    Some((_, true)) => ProgramEnd::Cancelled,
                    Some((_, false)) => ProgramEnd::TimedOut,
                    None => ProgramEnd::Code(code),
                });
            }
        } else if !open {
            // The pipes are closed and the program goes on: nothing will wake us, so do not spin.
            std::thread::sleep(LOOK);
        }
        match killed {
            None if control.cancelled() || Instant::now() > deadline => {
                killed = Some((Instant::now(), control.cancelled()));
                let _ = rustix::process::kill_process_group(group, Signal::TERM);
            }
            Some((at, _)) if at.elapsed() > GRACE && exited.is_none() => {
                let _ = rustix::process::kill_process_group(group, Signal::KILL);
            }
            _ => {}
        }
        if killed.is_some() && exited.is_some() {
            // The leader is gone; whatever of its group ignored the polite signal goes now.
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// Reads a pipe on its own thread, in lines; a carriage return ends a line, too (progress bars).
fn listen(mut pipe: impl Read + Send + 'static, source: LineSource, tell: SyncSender<(LineSource, String)>) {
    std::thread::spawn(move || {
        let mut buffer = [0u8; 8192];
        let mut line: Vec<u8> = Vec::new();
        let send = |line: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(line).into_owned();
            line.clear();
            tell.send((source, text)).is_ok()
        };
        while let Ok(n) = pipe.read(&mut buffer) {
            if n == 0 {
                break;
            }
            for &byte in &buffer[..n] {
                match byte {
                    b'\r' if line.is_empty() => {}
                    b'\n' | b'\r' => {
                        if !send(&mut line) {
                            return;
                        }
                    }
                    _ => line.push(byte),
                }
                if line.len() >= MAX_LINE && !send(&mut line) {
                    return;
                }
            }
        }
        if !line.is_empty() {
            send(&mut line);
        }
    });
}

fn write_file(path: &Path, content: Option<&str>, before: Option<&str>) -> Result<String, StepFailure> {
    let present = match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => {
            Some(std::fs::read_to_string(path).map_err(|e| failed("read", path, &e))?)
        }
        Ok(_) => return Err(StepFailure::new(format!("{} is not a regular file", path.display()))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(failed("look at", path, &e)),
    };
    if present.as_deref() != before {
        return Err(StepFailure::new(format!("{} has changed since it was previewed", path.display())));
    }
    let Some(content) = content else {
        if present.is_some() {
            std::fs::remove_file(path).map_err(|e| failed("remove", path, &e))?;
        }
        return Ok(String::new());
    };
    let dir = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(dir).map_err(|e| failed("create", dir, &e))?;
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(|e| failed("write beside", path, &e))?;
    let mode = std::fs::metadata(path)
        .map_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o644), |m| m.permissions());
    file.write_all(content.as_bytes()).map_err(|e| failed("write", path, &e))?;
    file.as_file().set_permissions(mode).map_err(|e| failed("set the mode of", path, &e))?;
    file.as_file().sync_all().map_err(|e| failed("flush", path, &e))?;
    file.persist(path).map_err(|e| failed("put in place", path, &e.error))?;
    Ok(String::new())
}

/// Never leaves the root, not even through a symlink on the way.
fn remove_tree(root: &Path, path: &Path) -> Result<String, StepFailure> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(e) => return Err(failed("look at", path, &e)),
    };
    let resolve =
        |p: &Path| -> Result<PathBuf, StepFailure> { p.canonicalize().map_err(|e| failed("resolve", p, &e)) };
    let parent = resolve(path.parent().unwrap_or(path))?;
    if !path.starts_with(root) || path == root || !parent.starts_with(resolve(root)?) {
        return Err(StepFailure::new(format!("{} is not below {}", path.display(), root.display())));
    }
    if meta.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
        .map_err(|e| failed("remove", path, &e))?;
    Ok(String::new())
}
