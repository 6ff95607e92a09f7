//! The stdio shim: carries messages between an MCP host and the daemon, outlives the daemon, never the host.
//!
//! One thread around poll. It knows of a message its id and its method, no more; everything else is the
//! daemon's. It uses std and `ipc` only: an editor starts one of these per window, and waits for it.

pub mod flags;
pub mod hook;
mod host;
mod memory;
mod message;
mod parent;
mod plugin;
mod signals;
mod wire;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::ipc::frame::Frame;
use crate::ipc::hello::{Flags, Hello, KIND_MCP};
use crate::ipc::home::user_home;
use crate::ipc::{Home, SocketTrouble, json};
use crate::supervise;
use flags::ShimCommand;
use host::HostStreams;
use memory::{ReplyKind, ShimMemory};
use message::HostMessage;
use parent::Parent;
use wire::{Came, Wire, complain};

/// With more than this waiting for the host, the daemon is not read; and the other way round, in bytes and requests.
const HOST_BEHIND: usize = 4 * 1024 * 1024;
const DAEMON_BEHIND: usize = 256 * 1024;
const OPEN_AT_MOST: usize = 1024;
/// How long open requests may still be answered after the host closed stdin, or said `exit`.
const AFTER_EOF: Duration = Duration::from_secs(5);
const AFTER_EXIT: Duration = Duration::from_millis(100);
/// How long a silent host is waited for, unless `CONTEXT_PACK_INITIALIZE_TIMEOUT_MS` says otherwise.
const FIRST_REQUEST: Duration = Duration::from_secs(20);
/// Looking for a daemon that somebody else may start, while there is nothing to ask it.
const LOOK_AFTER: Duration = Duration::from_millis(100);
const LOOK_AT_MOST: Duration = Duration::from_secs(5);

/// Runs `packd-mcp`; `build` is what `--version` says.
pub fn run(build: &str) -> ExitCode {
    let mut args = std::env::args_os().skip(1).peekable();
    if args.peek().is_some_and(|word| word == supervise::WORD) {
        return supervise::run(args.skip(1));
    }
    if args.peek().is_some_and(|word| word == hook::WORD) {
        return hook::run(args.skip(1));
    }
    match flags::parse(std::env::args_os().skip(1), |name| std::env::var(name).ok()) {
        Ok(ShimCommand::Serve(flags)) => serve(*flags),
        Ok(ShimCommand::Help) => print(flags::HELP),
        Ok(ShimCommand::Version) => print(&format!("packd-mcp {build}\n")),
        Err(why) => {
            complain(&why);
            ExitCode::from(2)
        }
    }
}

fn print(text: &str) -> ExitCode {
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn serve(flags: Flags) -> ExitCode {
    signals::end_this_process();
    if io::stdin().is_terminal() {
        complain("This speaks MCP on stdin and stdout and is meant to be started by a host. Try `packd up`.");
    }
    let parent = Parent::new();
    let found = Home::locate().and_then(|home| Ok((home, user_home()?)));
    let (wire, unusable) = match found {
        Ok((home, user)) => {
            let mut hello = Hello::of_this_process(KIND_MCP, user.to_string_lossy().into_owned());
            let said = |name: &str| std::env::var(name).ok();
            if let Some(dir) = plugin::work_dir(&hello.cwd, said, || parent.directory()) {
                hello.cwd = dir;
            }
            hello.flags = flags;
            (Wire::new(home, hello), None)
        }
        // Still answers the host, which shows it to the user; a silent exit would only show as "failed".
        Err(trouble) => (Wire::new(Home::at(""), Hello::default()), Some(trouble)),
    };
    let shim = Shim {
        host: HostStreams::new(),
        wire,
        memory: ShimMemory::default(),
        parent,
        unusable,
        shut_down: false,
        leave_by: None,
        first_request_by: Some(Instant::now() + first_request_within()),
        look_at: None,
        pause: LOOK_AFTER,
    };
    match shim.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            complain(&format!("Reading or writing failed: {e}."));
            ExitCode::FAILURE
        }
    }
}

fn first_request_within() -> Duration {
    let said = std::env::var("CONTEXT_PACK_INITIALIZE_TIMEOUT_MS").ok();
    match said.and_then(|text| text.trim().parse::<u64>().ok()) {
        None | Some(0) => FIRST_REQUEST,
        Some(ms) => Duration::from_millis(ms),
    }
}

struct Shim {
    host: HostStreams,
    wire: Wire,
    memory: ShimMemory,
    parent: Parent,
    /// There is no place to look for a daemon at all.
    unusable: Option<SocketTrouble>,
    shut_down: bool,
    /// Set once the end was asked for: leave when nothing is open, at the latest then.
    leave_by: Option<Instant>,
    first_request_by: Option<Instant>,
    /// When to look for a daemon again.
    look_at: Option<Instant>,
    pause: Duration,
}

impl Shim {
    fn run(mut self) -> io::Result<()> {
        loop {
            if self.wire.waiting() > 0 && self.wire.fd().is_none() {
                self.connect(true);
            }
            self.wire.flush(&mut self.memory);
            // A closed stdout is the host's way of going.
            if self.host.flush().is_err() {
                return Ok(());
            }
            let now = Instant::now();
            if self.is_over(now) {
                return Ok(());
            }
            if self.look_at.is_some_and(|at| now >= at) {
                self.look();
            }
            let Ready { stdin, stdout_gone, wire } = self.wait(now)?;
            if stdout_gone {
                return Ok(());
            }
            if stdin {
                for found in self.host.read()? {
                    self.take(found);
                }
                if self.host.eof {
                    self.leave_by.get_or_insert(Instant::now() + AFTER_EOF);
                }
            }
            if wire {
                let Shim { host, wire, memory, .. } = &mut self;
                let alive = wire.read(|line| {
                    if memory.received(line) == ReplyKind::ForHost {
                        host.say(line);
                    }
                });
                if !alive {
                    self.lost();
                }
            }
        }
    }

    /// The end was asked for and nothing is open, the host never said a word, or it is gone.
    fn is_over(&self, now: Instant) -> bool {
        let left = |by| now >= by || (self.memory.answerable() == 0 && self.quiet());
        self.leave_by.is_some_and(left)
            || self.first_request_by.is_some_and(|by| now >= by)
            || self.parent.gone()
    }

    fn quiet(&self) -> bool {
        self.host.waiting() == 0 && self.wire.waiting() == 0
    }

    /// Waits until something can be done.
    fn wait(&self, now: Instant) -> io::Result<Ready> {
        let behind = self.wire.waiting() > DAEMON_BEHIND || self.memory.open() > OPEN_AT_MOST;
        let stdin = (!self.host.eof && self.leave_by.is_none() && !behind).then(|| self.host.stdin());
        let mut wire = PollFlags::empty();
        wire.set(PollFlags::IN, self.host.waiting() < HOST_BEHIND);
        wire.set(PollFlags::OUT, self.wire.wants_to_write());
        let mut out = PollFlags::empty();
        out.set(PollFlags::OUT, self.host.waiting() > 0);

        let stdout_fd = self.host.stdout();
        let mut fds = vec![PollFd::from_borrowed_fd(stdout_fd, out)];
        let wire_at = self.wire.fd().map(|fd| {
            fds.push(PollFd::from_borrowed_fd(fd, wire));
            fds.len() - 1
        });
        let stdin_at = stdin.map(|fd| {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            fds.len() - 1
        });
        if let Some(fd) = self.parent.fd() {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
        }
        let deadlines = [self.leave_by, self.first_request_by, self.look_at];
        let looks = self.parent.look_every().map(|every| now + every);
        let until = deadlines.into_iter().flatten().chain(looks).min();
        let timeout = until.and_then(|at| Timespec::try_from(at.saturating_duration_since(now)).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
        let at = |index: Option<usize>| index.map_or(PollFlags::empty(), |i| fds[i].revents());
        Ok(Ready {
            stdin: !at(stdin_at).is_empty(),
            stdout_gone: fds[0].revents().intersects(PollFlags::ERR | PollFlags::NVAL),
            wire: !at(wire_at).is_empty(),
        })
    }

    /// One thing the host said.
    fn take(&mut self, found: Frame) {
        if self.leave_by.is_some() {
            return;
        }
        let text = match found {
            Frame::Message(text) => text,
            Frame::Bad { id, code, message } => {
                self.host.say(&json::error(&id, code, &message, None));
                return;
            }
        };
        let message = HostMessage::new(text);
        let ids = message.ids();
        if message.asks() {
            self.first_request_by = None;
        }
        match message.method() {
            method if !message.well_formed() && method != "exit" => self.wire.push(message),
            "exit" => {
                self.answer(&ids);
                self.leave_by = Some(Instant::now() + AFTER_EXIT);
            }
            "shutdown" => {
                self.answer(&ids);
                self.shut_down |= !ids.is_empty();
            }
            _ if self.shut_down => {
                for id in ids {
                    let why = "The session was shut down; only `exit` is accepted now.";
                    self.host.say(&json::error(&id, json::SHUT_DOWN, why, None));
                }
            }
            _ => self.wire.push(message),
        }
    }

    fn answer(&mut self, ids: &[String]) {
        for id in ids {
            self.host.say(&json::null_result(id));
        }
    }

    /// The daemon went away: everything that follows from that.
    fn lost(&mut self) {
        let session = self.wire.session().to_string();
        self.wire.drop_connection();
        let (lost, again) = self.memory.lost();
        for lost in lost {
            let replies: Vec<String> = lost.ids.iter().map(|id| unknown(&session, id)).collect();
            match lost.batch {
                true => self.host.say(&format!("[{}]", replies.join(","))),
                false => replies.iter().for_each(|reply| self.host.say(reply)),
            }
        }
        self.wire.push_front(again);
        if self.memory.awaits_news() {
            self.pause = LOOK_AFTER;
            self.look_at = Some(Instant::now() + self.pause);
        }
    }

    /// A daemon may have come back by itself (an upgrade): then notices flow again without the host asking.
    fn look(&mut self) {
        self.look_at = None;
        self.wire.reap();
        if self.wire.fd().is_none() {
            self.connect(false);
        }
        if self.wire.fd().is_none() {
            self.pause = (self.pause * 2).min(LOOK_AT_MOST);
            self.look_at = Some(Instant::now() + self.pause);
        }
    }

    fn connect(&mut self, start: bool) {
        let came = match &self.unusable {
            Some(trouble) => Err(trouble.clone()),
            None => self.wire.connect(start, &mut self.memory),
        };
        match came {
            Ok(None) => {}
            Ok(Some(came)) => {
                self.look_at = None;
                // What went along with the first Hello is nothing to repeat.
                if came != Came::First {
                    let replay = self.memory.replay();
                    self.wire.push_front(replay);
                }
                if came == Came::BackToAnother && self.memory.greeted() {
                    self.host.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
                }
            }
            // Nobody asked anything: nobody needs an answer.
            Err(_) if !start => {}
            Err(trouble) => {
                complain(&trouble.to_string());
                let data = format!("{{\"hint\":{}}}", json::quote(&trouble.hint));
                for message in self.wire.abandon() {
                    for id in message.ids() {
                        let text = trouble.to_string();
                        self.host.say(&json::error(&id, json::UNREACHABLE, &text, Some(&data)));
                    }
                }
            }
        }
    }
}

struct Ready {
    stdin: bool,
    stdout_gone: bool,
    wire: bool,
}

/// The answer to a call whose daemon went away: it may have happened, and here is how to find out.
fn unknown(session: &str, id: &str) -> String {
    let key = json::quote(&format!("{session}:{id}"));
    let message = "The packd daemon went away during this call, so its outcome is unknown: it may have \
                   happened or not. Call history_show with data.request_key before repeating it.";
    let data = format!(
        "{{\"outcome\":\"unknown\",\"request_key\":{key},\"lookup\":{{\"tool\":\"history_show\",\
         \"arguments\":{{\"request_key\":{key}}}}}}}"
    );
    json::error(id, json::OUTCOME_UNKNOWN, message, Some(&data))
}
