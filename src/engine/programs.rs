//! The one door through which the daemon starts programs: no shell, only the environment they are given, a process
//! group of their own, a time limit and a limit for what they print.
//!
//! Nothing else in the engine makes a process. What of a session's environment a program gets is decided in
//! [`environment`](super::environment); nothing of the daemon's own gets here.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::environment;
use crate::core::world::{Command, Output};
use crate::core::{Error, Kind, Result};

/// More output than this is no answer to any question packd asks.
const MAX_STDOUT: usize = 64 << 20;
/// What a program complains about is shown, not processed.
const MAX_STDERR: usize = 256 << 10;
/// How long output of a finished program's children is still waited for.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// Where a program without a directory is, by the path it will have itself. The standard library forks the whole daemon
/// for a name it is to look for in such a path, and only spawns what it is told the place of. `None` = as it likes.
fn found(program: &str, env: &[(String, String)]) -> Option<PathBuf> {
    if program.contains('/') {
        return None;
    }
    let said = env.iter().rfind(|(name, _)| name == "PATH").map(|(_, value)| value.as_str());
    // What is relative there means the program's own directory, which is not this one.
    let dirs =
        said.unwrap_or(environment::PATH).split(':').map(Path::new).take_while(|dir| dir.is_absolute());
    let runs =
        |place: &PathBuf| place.is_file() && rustix::fs::access(place, rustix::fs::Access::EXEC_OK).is_ok();
    dirs.map(|dir| dir.join(program)).find(runs)
}

/// Starts a program as the leader of its own process group, its output on pipes.
pub(super) fn start(
    program: &str,
    args: &[String],
    cwd: &Path,
    env: &[(String, String)],
    stdin: Stdio,
) -> std::io::Result<Child> {
    let place = found(program, env);
    std::process::Command::new(place.as_deref().unwrap_or(Path::new(program)))
        .arg0(program)
        .env_clear()
        .env("PATH", environment::PATH)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .args(args)
        .current_dir(cwd)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Runs a program to its end; a time-out, a cancellation or too much output ends everything it started.
pub(super) fn run(command: &Command, wanted: &dyn Fn() -> bool) -> Result<Output> {
    let name = &command.program;
    let input = if command.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mut child = start(name, &command.args, &command.cwd, &command.env, input)
        .map_err(|e| Error::io(format!("Cannot start {name}: {e}.")))?;
    let group = rustix::process::Pid::from_child(&child);
    let end = || {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    };
    if let Some(mut pipe) = child.stdin.take() {
        let input = command.stdin.clone();
        // A program that does not read its input closes the pipe; that is its right.
        std::thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let too_much = Arc::new(AtomicBool::new(false));
    let stdout = child.stdout.take().map(|pipe| Heard::listen(pipe, MAX_STDOUT, &too_much));
    let stderr = child.stderr.take().map(|pipe| Heard::listen(pipe, MAX_STDERR, &Arc::default()));
    let deadline = Instant::now() + command.timeout;
    let mut pause = Duration::from_micros(200);
    let mut talks = true;
    let (code, timed_out) = loop {
        match child.try_wait() {
            Ok(Some(status)) => break (status.code(), false),
            Ok(None) if Instant::now() >= deadline || !wanted() || too_much.load(Ordering::Relaxed) => {
                end();
                let _ = child.wait();
                break (None, true);
            }
            Ok(None) => {
                // Most programs end with their output: whoever hears its end need not look again and again.
                match stdout.as_ref().filter(|_| talks) {
                    Some(heard) => {
                        if heard.ended.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                            (talks, pause) = (false, Duration::from_micros(50));
                        }
                    }
                    None => std::thread::sleep(pause),
                }
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(e) => {
                end();
                return Err(Error::io(format!("Cannot wait for {name}: {e}.")));
            }
        }
    };
    let (stdout, stderr) = (Heard::all(stdout), Heard::all(stderr));
    // Whatever it left behind in its group ends with it.
    end();
    if too_much.load(Ordering::Relaxed) {
        let limit = MAX_STDOUT >> 20;
        return Err(Error::io(format!("{name} printed more than {limit} MiB and was ended.")));
    }
    if timed_out && !wanted() {
        return Err(Error::new(Kind::State, "cancelled", "The call was cancelled; nothing was changed."));
    }
    Ok(Output { code, stdout, stderr, timed_out })
}

/// What comes out of a pipe, read on a thread of its own.
struct Heard {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Heard {
    /// Keeps at most `limit` bytes; more is read and forgotten, so that the program does not wait, and told.
    fn listen(mut pipe: impl Read + Send + 'static, limit: usize, too_much: &Arc<AtomicBool>) -> Heard {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (tell, ended) = channel();
        let (kept, over) = (bytes.clone(), too_much.clone());
        std::thread::spawn(move || {
            let mut buffer = vec![0; 16 << 10];
            while let Ok(n) = pipe.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = limit - kept.len();
                kept.extend_from_slice(&buffer[..n.min(room)]);
                if n > room {
                    over.store(true, Ordering::Relaxed);
                }
            }
            // The listener may have stopped waiting.
            let _ = tell.send(());
        });
        Heard { bytes, ended }
    }

    /// Everything up to now; waits a little for the end of the pipe, which a child that lives on may hold open.
    fn all(heard: Option<Heard>) -> Vec<u8> {
        let Some(heard) = heard else { return Vec::new() };
        let _ = heard.ended.recv_timeout(LEFTOVERS);
        std::mem::take(&mut heard.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Output> {
        let command = Command {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: "/".into(),
            env: vec![("SAID".into(), "yes".into())],
            stdin: Vec::new(),
            timeout: Duration::from_secs(60),
        };
        run(&command, &|| true)
    }

    #[test]
    fn a_program_sees_what_it_is_given_and_a_path() {
        let seen = String::from_utf8(shell("env").unwrap().stdout).unwrap();
        let names = seen.lines().filter_map(|line| line.split('=').next());
        // Shells add some of their own.
        let mut names: Vec<&str> =
            names.filter(|n| !matches!(*n, "PWD" | "_" | "SHLVL" | "OLDPWD")).collect();
        names.sort_unstable();
        assert_eq!(names, ["PATH", "SAID"]);
    }

    #[test]
    fn what_is_printed_is_bounded() {
        let error = shell("exec cat /dev/zero").unwrap_err();
        assert!(error.message.contains("printed more than 64 MiB"), "{error}");
        let noisy = shell("head -c 1000000 /dev/zero >&2; echo done").unwrap();
        assert_eq!((noisy.stdout.as_slice(), noisy.stderr.len()), (b"done\n".as_slice(), MAX_STDERR));
    }
}
