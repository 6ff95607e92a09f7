//! Follows a supervised program to its end: reads what it prints as it comes, ends it when asked, lets go of it when
//! the daemon ends. Works the same for a program that this daemon started and for one that an earlier daemon did.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::super::log::level_of;
use super::RunThread;
use super::step::StepFate;
use crate::core::Timestamp;
use crate::core::run::{LineSource, RunStep, Watched};
use crate::engine::runs::control::Control;
use crate::engine::runs::steps::{self, ProgramEnd, ProgramOutput, StepFailure};
use crate::supervise::{self, End, EndCause, process};

/// How long nothing is looked at: short after something came, longer and longer while nothing does.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(100);
/// Between asking a process group to end and ending it.
const GRACE: Duration = Duration::from_secs(3);
/// Read at a time.
const PIECE: usize = 256 * 1024;

/// What became of it.
enum Followed {
    Ended(End),
    Cancelled,
    /// The supervisor was ended, so nobody knows how the program did.
    Lost,
    /// It goes on; the next daemon takes it up.
    Left,
}

impl RunThread<'_> {
    /// Follows the program of a step and tells the log what it prints.
    pub(super) fn follow(
        &self,
        place: &Path,
        watched: Watched,
        child: Option<Child>,
        name: &str,
        step: &RunStep,
    ) -> StepFate {
        let taken_up = child.is_none();
        let mut heard = ProgramOutput::default();
        let mut hear = |number: u64, source: LineSource, text: &str| {
            let shown = match source {
                LineSource::Packd => text.to_string(),
                _ => heard.hear(source, text),
            };
            if number > watched.heard {
                self.tell(level_of(&shown), source, &step.label, shown, Some(number));
            }
        };
        let ended = match until_end(place, &watched, child, &self.control, &mut hear) {
            Followed::Left => return StepFate::Left,
            Followed::Cancelled => ProgramEnd::Cancelled,
            Followed::Lost => {
                let why = format!("{name} was ended because its supervisor was; its exit code is not known");
                return StepFate::Badly(StepFailure::new(why));
            }
            Followed::Ended(end) => {
                self.ended_at.set(Some(Timestamp(end.at)).filter(|_| taken_up));
                match end.how {
                    EndCause::Code(code) => ProgramEnd::Code(Some(code)),
                    EndCause::Signal(_) => ProgramEnd::Code(None),
                    EndCause::TimedOut => ProgramEnd::TimedOut,
                    EndCause::NotStarted => {
                        return StepFate::Badly(StepFailure::new(format!(
                            "the daemon ended before {name} began"
                        )));
                    }
                }
            }
        };
        let out = heard.verdict(name, ended, Duration::from_secs(step.timeout_seconds));
        out.and_then(|out| steps::as_expected(step, out)).into()
    }
}

/// `hear` gets every line with its number, the first ones again after a change of daemon.
fn until_end(
    place: &Path,
    watched: &Watched,
    child: Option<Child>,
    control: &Control,
    hear: &mut dyn FnMut(u64, LineSource, &str),
) -> Followed {
    let group = Group { place, watched, met: Cell::new(false) };
    let mut tail = Tail::new(place);
    let mut pause = SHORTEST;
    // When its end was asked for, and whether because its supervisor is gone.
    let mut asked: Option<(Instant, bool)> = None;
    let followed = loop {
        // In this order: what is there to read once the end is known is everything.
        let end = End::read(place);
        let lost = end.is_none() && !supervise::lives(place);
        let end = if lost { End::read(place) } else { end };
        if tail.read(hear) {
            pause = SHORTEST;
            continue;
        }
        match (end, asked) {
            (Some(_), Some((_, false))) => {
                group.signal(Signal::KILL);
                break Followed::Cancelled;
            }
            (Some(end), _) => break Followed::Ended(end),
            (None, Some((_, false))) if lost && !group.lives() => break Followed::Cancelled,
            (None, _) if lost && !group.lives() => break Followed::Lost,
            _ => {}
        }
        match asked {
            None if control.cancelled() || lost => {
                asked = Some((Instant::now(), !control.cancelled()));
                group.signal(Signal::TERM);
                pause = SHORTEST;
            }
            None if control.released() => return Followed::Left,
            Some((at, _)) if at.elapsed() > GRACE => group.signal(Signal::KILL),
            _ => {}
        }
        control.wait(pause);
        pause = (pause * 2).min(LONGEST);
    };
    if let Some(mut child) = child {
        // It has said its last word, or is gone: this is short.
        let _ = child.wait();
    }
    followed
}

/// Ends a program that nobody wants to follow, and waits until it is gone.
pub(in crate::engine::runs) fn end(place: &Path, watched: &Watched) {
    let control = Control::default();
    control.cancel();
    until_end(place, watched, None, &control, &mut |_, _, _| {});
}

/// The process group of a program, told from any other that has its number by now.
struct Group<'a> {
    place: &'a Path,
    watched: &'a Watched,
    /// Its leader was seen alive and asked to end.
    met: Cell<bool>,
}

impl Group<'_> {
    fn lives(&self) -> bool {
        let w = self.watched;
        process::is(w.pid, w.start, &w.boot)
    }

    /// Is the number still ours? It is while its leader lives. After that only the rest of the group can have it, as
    /// long as no other process does: the system gives it to nobody while a group bears it.
    fn ours(&self) -> bool {
        let supervised = supervise::lives(self.place);
        match self.lives() {
            true => cfg!(target_os = "linux") || supervised,
            false => (supervised || self.met.get()) && process::began(self.watched.pid).is_none(),
        }
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.watched.pid).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid.filter(|_| self.ours()) {
            self.met.set(true);
            let _ = kill_process_group(pid, signal);
        }
    }
}

/// The output file as far as it was read; only whole lines are handed on.
struct Tail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
    lines: u64,
}

impl Tail {
    fn new(place: &Path) -> Tail {
        Tail { path: place.join(supervise::OUTPUT), file: None, rest: Vec::new(), lines: 0 }
    }

    /// True if anything came.
    fn read(&mut self, hear: &mut dyn FnMut(u64, LineSource, &str)) -> bool {
        match self.piece() {
            Ok(0) | Err(_) => return false,
            Ok(_) => {}
        }
        let whole = self.rest.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let rest = self.rest.split_off(whole);
        for line in self.rest.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            let source = match line[0] {
                b'1' => LineSource::Stdout,
                b'2' => LineSource::Stderr,
                _ => LineSource::Packd,
            };
            self.lines += 1;
            hear(self.lines, source, &String::from_utf8_lossy(&line[1..]));
        }
        self.rest = rest;
        true
    }

    fn piece(&mut self) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(File::open(&self.path)?);
        }
        match &mut self.file {
            Some(file) => file.take(PIECE as u64).read_to_end(&mut self.rest),
            None => Ok(0),
        }
    }
}
