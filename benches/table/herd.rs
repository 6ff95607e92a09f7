//! Many connections driven by one thread, each with some requests in flight: a load without a crowd of threads.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use crate::client::{self, is_reply};
use crate::home::Home;
use crate::measure::Samples;

struct Member {
    stream: UnixStream,
    partial: Vec<u8>,
    /// Requests that were not taken by the socket yet.
    unsent: Vec<u8>,
    sent_at: VecDeque<Instant>,
    lines: Lines,
}

pub struct Herd(Vec<Member>);

/// Lines that came, and how many of them were replies.
#[derive(Default, Clone, Copy)]
pub struct Lines {
    pub all: u64,
    pub replies: u64,
}

/// What became of a run.
pub struct Run {
    pub latency: Samples,
    pub took: Duration,
}

impl Herd {
    pub fn new(home: &Home, size: usize) -> Herd {
        let join = |_| {
            let mut stream = client::connected(home);
            stream.write_all(format!("{}\n", client::INITIALIZE).as_bytes()).expect("a daemon");
            let mut chunk = [0; 16 * 1024];
            while stream.read(&mut chunk).is_ok_and(|n| n > 0 && chunk[n - 1] != b'\n') {}
            stream.set_nonblocking(true).expect("a socket");
            let initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
            let (partial, unsent, sent_at) = (Vec::new(), initialized.into(), VecDeque::new());
            Member { stream, partial, unsent, sent_at, lines: Lines::default() }
        };
        Herd((0..size).map(join).collect())
    }

    /// Sends `total` requests, `window` of each connection at a time, and waits for every reply.
    pub fn run(&mut self, total: u64, window: usize, make: impl Fn(u64) -> String) -> Run {
        let began = Instant::now();
        let mut run = Run { latency: Samples::default(), took: Duration::ZERO };
        let (mut asked, mut answered) = (0, 0);
        while answered < total {
            for member in &mut self.0 {
                while asked < total && member.sent_at.len() < window {
                    asked += 1;
                    member.ask(&make(asked));
                }
                member.flush();
            }
            self.wait();
            for member in &mut self.0 {
                answered += member.read(&mut run.latency);
            }
        }
        run.took = began.elapsed();
        run
    }

    /// Sends requests and waits for nothing.
    pub fn ask(&mut self, total: u64, make: impl Fn(u64) -> String) {
        let members = self.0.len() as u64;
        for n in 0..total {
            // The cast is exact: an index of a member.
            let member = &mut self.0[(n % members) as usize];
            member.ask(&make(n));
            member.flush();
        }
    }

    pub fn lines(&self) -> Lines {
        let add = |sum: Lines, m: &Member| Lines {
            all: sum.all + m.lines.all,
            replies: sum.replies + m.lines.replies,
        };
        self.0.iter().fold(Lines::default(), add)
    }

    fn wait(&self) {
        let interest = |member: &Member| {
            if member.unsent.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT }
        };
        let mut fds: Vec<PollFd> = self.0.iter().map(|m| PollFd::new(&m.stream, interest(m))).collect();
        let _ = poll(&mut fds, None);
    }
}

impl Member {
    fn ask(&mut self, request: &str) {
        self.unsent.extend_from_slice(request.as_bytes());
        self.unsent.push(b'\n');
        self.sent_at.push_back(Instant::now());
    }

    fn flush(&mut self) {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(n) => {
                    self.unsent.drain(..n);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) => panic!("a connection of the herd broke: {e}"),
            }
        }
    }

    /// Takes what is there; how many replies it held.
    fn read(&mut self, latency: &mut Samples) -> u64 {
        let mut replies = 0;
        let mut chunk = [0; 64 * 1024];
        loop {
            let n = match self.stream.read(&mut chunk) {
                Ok(0) => panic!("the daemon closed a connection of the herd"),
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return replies,
                Err(e) => panic!("a connection of the herd broke: {e}"),
            };
            for part in chunk[..n].split_inclusive(|b| *b == b'\n') {
                self.partial.extend_from_slice(part);
                if part.last() != Some(&b'\n') {
                    continue;
                }
                let line = std::mem::take(&mut self.partial);
                let line = String::from_utf8_lossy(&line);
                self.lines.all += 1;
                if is_reply(&line) {
                    assert!(!line.contains(r#""isError":true"#), "a call of the herd failed: {line}");
                    // Replies to writes of one connection come in the order of its requests.
                    latency.push(self.sent_at.pop_front().expect("a request").elapsed());
                    replies += 1;
                    self.lines.replies += 1;
                }
            }
        }
    }
}
