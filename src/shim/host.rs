//! The host's side: stdin and stdout, which are never switched to non-blocking, since others may share them.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::FileType;
use rustix::io::Errno;
use rustix::net::SendFlags;

use crate::ipc::frame::{Frame, FrameReader, Framing};

const CHUNK: usize = 64 * 1024;

/// Both standard streams, with what waits to be written.
pub struct HostStreams {
    stdin: BorrowedFd<'static>,
    stdout: BorrowedFd<'static>,
    reader: FrameReader,
    chunk: Vec<u8>,
    out: Vec<u8>,
    written: usize,
    way: Way,
    pub eof: bool,
}

/// How to write to stdout without ever waiting there.
enum Way {
    /// A flag on each call does it.
    Socket,
    /// After poll says so, this many bytes fit.
    Pipe,
    /// Never waits for anybody.
    File,
}

impl HostStreams {
    pub fn new() -> HostStreams {
        let stdout = rustix::stdio::stdout();
        let kind = rustix::fs::fstat(stdout).map(|s| FileType::from_raw_mode(s.st_mode));
        HostStreams {
            stdin: rustix::stdio::stdin(),
            stdout,
            reader: FrameReader::new(),
            chunk: vec![0; CHUNK],
            out: Vec::new(),
            written: 0,
            way: match kind {
                Ok(FileType::Socket) => Way::Socket,
                Ok(FileType::RegularFile) => Way::File,
                _ => Way::Pipe,
            },
            eof: false,
        }
    }

    pub fn stdin(&self) -> BorrowedFd<'static> {
        self.stdin
    }

    pub fn stdout(&self) -> BorrowedFd<'static> {
        self.stdout
    }

    /// Bytes the host has not taken yet.
    pub fn waiting(&self) -> usize {
        self.out.len() - self.written
    }

    /// Reads what is there, after poll said that something is.
    pub fn read(&mut self) -> io::Result<Vec<Frame>> {
        let mut all = Vec::new();
        match rustix::io::read(self.stdin, &mut self.chunk[..]) {
            Ok(0) => {
                self.eof = true;
                self.reader.end(&mut |found| all.push(found));
            }
            Ok(n) => self.reader.push(&self.chunk[..n], &mut |found| all.push(found)),
            Err(Errno::INTR | Errno::AGAIN) => {}
            // What remains of a terminal whose other end is gone.
            Err(Errno::IO) => self.eof = true,
            Err(e) => return Err(e.into()),
        }
        Ok(all)
    }

    /// Queues one message in the framing the host chose.
    pub fn say(&mut self, line: &str) {
        match self.reader.mode() {
            Framing::Lines => {
                self.out.extend_from_slice(line.as_bytes());
                self.out.push(b'\n');
            }
            Framing::Headers => {
                self.out.extend_from_slice(format!("Content-Length: {}\r\n\r\n", line.len()).as_bytes());
                self.out.extend_from_slice(line.as_bytes());
            }
        }
    }

    /// Writes as much as the host takes now. An error means that it is gone.
    pub fn flush(&mut self) -> io::Result<()> {
        while self.written < self.out.len() {
            let rest = &self.out[self.written..];
            let taken = match self.way {
                Way::Socket => {
                    rustix::net::send(self.stdout, rest, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)
                }
                Way::File => rustix::io::write(self.stdout, rest),
                Way::Pipe => {
                    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
                    match poll(&mut [PollFd::new(&self.stdout, PollFlags::OUT)], Some(&now)) {
                        Ok(0) => return Ok(()),
                        Ok(_) => {}
                        Err(Errno::INTR) => continue,
                        Err(e) => return Err(e.into()),
                    }
                    rustix::io::write(self.stdout, &rest[..rest.len().min(rustix::pipe::PIPE_BUF)])
                }
            };
            match taken {
                Ok(n) => self.written += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(()),
                Err(e) => return Err(e.into()),
            }
        }
        self.written = 0;
        self.out.clear();
        if self.out.capacity() > 1024 * 1024 {
            self.out = Vec::new();
        }
        Ok(())
    }
}
