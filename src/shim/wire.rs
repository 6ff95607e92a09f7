//! The daemon's side: a socket that may vanish, what waits to go out on it, and how it comes back.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::Child;

use super::memory::ShimMemory;
use super::message::HostMessage;
use crate::ipc::connect::{DaemonLink, Reached, connect};
use crate::ipc::hello::{Hello, ResumeProof};
use crate::ipc::start::connect_or_start_saying;
use crate::ipc::{Home, SocketTrouble};

const CHUNK: usize = 16 * 1024;
/// A first message up to this goes right behind the Hello: both fit into what a socket takes at once.
const ALONG: usize = 32 * 1024;

/// The connection to the daemon, present or not.
pub struct Wire {
    home: Home,
    hello: Hello,
    stream: Option<UnixStream>,
    /// Writing failed; what the daemon still said is read before the loss is acted on.
    deaf: bool,
    queue: VecDeque<HostMessage>,
    queued: usize,
    /// How much of the first message is out.
    written: usize,
    chunk: Vec<u8>,
    partial: Vec<u8>,
    session: String,
    version: String,
    /// A daemon that this process started is its child until it is reaped.
    child: Option<Child>,
}

/// What a new connection means for the host.
#[derive(Debug, PartialEq, Eq)]
pub enum Came {
    First,
    Back,
    /// Back, to another version: the tools may be others.
    BackToAnother,
}

impl Wire {
    pub fn new(home: Home, hello: Hello) -> Wire {
        Wire {
            home,
            hello,
            stream: None,
            deaf: false,
            queue: VecDeque::new(),
            queued: 0,
            written: 0,
            chunk: Vec::new(),
            partial: Vec::new(),
            session: String::new(),
            version: String::new(),
            child: None,
        }
    }

    pub fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.stream.as_ref().map(|s| s.as_fd())
    }

    pub fn session(&self) -> &str {
        &self.session
    }

    /// Bytes that wait for the daemon.
    pub fn waiting(&self) -> usize {
        self.queued
    }

    pub fn wants_to_write(&self) -> bool {
        self.stream.is_some() && !self.deaf && !self.queue.is_empty()
    }

    pub fn push(&mut self, message: HostMessage) {
        self.queued += message.text.len() + 1;
        self.queue.push_back(message);
    }

    /// Puts messages before everything that waits.
    pub fn push_front(&mut self, messages: Vec<HostMessage>) {
        for message in messages.into_iter().rev() {
            self.queued += message.text.len() + 1;
            self.queue.push_front(message);
        }
    }

    /// Gives up on everything that waits.
    pub fn abandon(&mut self) -> Vec<HostMessage> {
        self.queued = 0;
        self.written = 0;
        self.queue.drain(..).collect()
    }

    /// The first message of all, if saying it twice does no harm; a daemon that answers its Hello gets it with that.
    fn along(&self) -> Vec<u8> {
        let first = self.queue.front().filter(|message| {
            self.version.is_empty()
                && message.text.len() < ALONG
                && !message.acts()
                && !message.text.contains('\n')
        });
        first.map(|message| [message.text.as_bytes(), b"\n"].concat()).unwrap_or_default()
    }

    /// Connects if there is no connection; `start` allows starting a daemon. `Ok(None)`: none is there.
    pub fn connect(&mut self, start: bool, memory: &mut ShimMemory) -> Result<Option<Came>, SocketTrouble> {
        let mut along = Vec::new();
        let link = if start {
            along = self.along();
            let started = connect_or_start_saying(&self.home, &self.hello, &along)?;
            self.child = started.child.or(self.child.take());
            started.link
        } else {
            match connect(&self.home, &self.hello)? {
                Reached::Daemon(link) => link,
                Reached::Nobody | Reached::Ending | Reached::TooOld(_) => return Ok(None),
            }
        };
        let DaemonLink { stream, welcome } = link;
        stream.set_nonblocking(true).map_err(|e| {
            SocketTrouble::new(
                format!("The connection to the daemon cannot be used: {e}."),
                "Run `packd doctor`.",
            )
        })?;
        let came = match self.version.as_str() {
            "" => Came::First,
            known if known == welcome.version => Came::Back,
            _ => Came::BackToAnother,
        };
        self.hello.resume =
            Some(ResumeProof { session: welcome.session.clone(), key: welcome.resume_key.clone() });
        self.session = welcome.session;
        self.version = welcome.version;
        self.stream = Some(stream);
        self.deaf = false;
        self.written = 0;
        self.partial.clear();
        if !along.is_empty()
            && let Some(message) = self.queue.pop_front()
        {
            self.queued -= message.text.len() + 1;
            memory.sent(message);
        }
        Ok(Some(came))
    }

    /// Sends what it can; messages that are wholly out go to `memory`.
    pub fn flush(&mut self, memory: &mut ShimMemory) {
        while !self.deaf
            && let Some(mut stream) = self.stream.as_ref()
            && let Some(message) = self.queue.front()
        {
            // The line break travels with the end of the text, so that a line is one write.
            let text = message.text.as_bytes();
            let left = text.len() + 1 - self.written;
            let result = match self.written {
                0 if text.len() < CHUNK => {
                    self.chunk.clear();
                    self.chunk.extend_from_slice(text);
                    self.chunk.push(b'\n');
                    stream.write(&self.chunk)
                }
                at if at < text.len() => stream.write(&text[at..]),
                _ => stream.write(b"\n"),
            };
            match result {
                Ok(n) if n == left => {
                    self.written = 0;
                    self.queued -= text.len() + 1;
                    if let Some(message) = self.queue.pop_front() {
                        memory.sent(message);
                    }
                }
                Ok(n) => self.written += n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.deaf = true,
            }
        }
    }

    /// Reads what is there and hands out whole lines. False: the daemon is gone.
    pub fn read(&mut self, mut line: impl FnMut(&str)) -> bool {
        let Some(mut stream) = self.stream.as_ref() else { return true };
        self.chunk.resize(CHUNK, 0);
        let n = match stream.read(&mut self.chunk) {
            Ok(0) => return false,
            Ok(n) => n,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return true,
            Err(_) => return false,
        };
        let mut rest = &self.chunk[..n];
        // Reading from a slice cannot fail.
        while let Ok(1..) = rest.read_until(b'\n', &mut self.partial) {
            if self.partial.last() == Some(&b'\n') {
                self.partial.pop();
                line(&String::from_utf8_lossy(&self.partial));
                self.partial.clear();
                if self.partial.capacity() > 1024 * 1024 {
                    self.partial = Vec::new();
                }
            }
        }
        true
    }

    /// Lets go of a connection whose other end is gone.
    pub fn drop_connection(&mut self) {
        self.stream = None;
        self.deaf = false;
        self.written = 0;
        self.partial.clear();
        self.reap();
    }

    /// Collects a daemon that ended, so that it does not stay behind as a zombie.
    pub fn reap(&mut self) {
        if let Some(child) = &mut self.child
            && !matches!(child.try_wait(), Ok(None))
        {
            self.child = None;
        }
    }
}

/// Writes one line to stderr; a host that closed it does not want to know.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "packd-mcp: {text}");
}
