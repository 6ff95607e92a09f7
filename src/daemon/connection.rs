//! One connection after its Hello: lines in, calls, lines out, in one task.
//!
//! It reads no further while the client is behind with reading or has too much in flight, so a client that
//! never reads, or never waits, costs a bounded amount of memory and nobody else notices.

use std::cell::RefCell;
use std::rc::Rc;

use tokio::io::{AsyncWriteExt, Interest};
use tokio::net::UnixStream;

use super::calls::Calls;
use super::ending::Ender;
use super::lines::{ClientLine, LineSplitter};
use crate::ipc::json;
use crate::mcp::out::{GIVE_UP_AT, Out, PAUSE_AT};
use crate::mcp::service::ServiceSession;

/// Calls of one client that may be under way at a time.
const IN_FLIGHT: usize = 256;
/// How much is handed to the socket at once.
const CHUNK: usize = 64 * 1024;
/// Lines handled before other connections get their turn.
const TURN: usize = 64;

thread_local! {
    /// What is read into: one for all connections, since reading never waits while it is in use.
    static READ: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Serves one session until its client goes or the daemon ends.
pub async fn serve(stream: UnixStream, session: Rc<dyn ServiceSession>, out: Out, ender: &Ender) {
    let mut connection = Connection {
        stream,
        calls: Calls::new(Rc::clone(&session), out.clone()),
        session,
        out,
        lines: LineSplitter::default(),
        sending: Vec::new(),
        sent: 0,
        eof: false,
        draining: false,
    };
    let gone = connection.run(ender).await.is_err();
    let Connection { session, out, mut calls, .. } = connection;
    out.close();
    session.closed();
    if gone {
        // The client vanished; what it had asked for still comes to its end.
        calls.all_end().await;
    }
}

struct Connection {
    stream: UnixStream,
    calls: Calls,
    session: Rc<dyn ServiceSession>,
    out: Out,
    lines: LineSplitter,
    sending: Vec<u8>,
    sent: usize,
    eof: bool,
    draining: bool,
}

impl Connection {
    async fn run(&mut self, ender: &Ender) -> std::io::Result<()> {
        let asked = ender.wait();
        tokio::pin!(asked);
        loop {
            self.handle_lines().await;
            self.refill();
            if (self.eof || self.draining) && self.idle() {
                // Whoever is still reading sees the end of the stream only after the last reply.
                return self.stream.shutdown().await;
            }
            if self.out.bytes() > GIVE_UP_AT {
                tracing::warn!("A client reads nothing: its connection is ended.");
                return Err(std::io::ErrorKind::ConnectionAborted.into());
            }
            let reading = !self.eof && !self.draining && !self.behind();
            let writing = self.sent < self.sending.len();
            let mut interest = if reading { Some(Interest::READABLE) } else { None };
            if writing {
                interest = Some(interest.map_or(Interest::WRITABLE, |i| i | Interest::WRITABLE));
            }
            tokio::select! {
                biased;
                ready = self.stream.ready(interest.unwrap_or(Interest::ERROR)), if interest.is_some() => {
                    let ready = ready?;
                    if writing && ready.is_writable() {
                        self.write()?;
                    }
                    if reading && ready.is_readable() {
                        self.read()?;
                    }
                    // Readiness costs no turn of its own, so a busy client has to give way here.
                    tokio::task::coop::consume_budget().await;
                }
                () = self.out.changed() => {}
                () = self.calls.one_ends(), if !self.calls.is_empty() => {}
                _ = &mut asked, if !self.draining => {
                    // What the client sent before it could know is still answered.
                    while !self.eof && !self.behind() && self.read()? {
                        self.handle_lines().await;
                    }
                    self.draining = true;
                    self.session.draining();
                }
            }
        }
    }

    fn idle(&self) -> bool {
        self.calls.is_empty()
            && !self.lines.ready()
            && self.sent == self.sending.len()
            && self.out.bytes() == 0
    }

    fn behind(&self) -> bool {
        self.out.bytes() + self.sending.len() > PAUSE_AT || self.calls.len() >= IN_FLIGHT
    }

    /// Moves queued lines to what is being sent, once that is gone.
    fn refill(&mut self) {
        if self.sent < self.sending.len() {
            return;
        }
        self.sending.clear();
        self.sent = 0;
        if self.sending.capacity() > 1024 * 1024 {
            self.sending = Vec::new();
        }
        self.out.take(&mut self.sending, CHUNK);
    }

    fn write(&mut self) -> std::io::Result<()> {
        while self.sent < self.sending.len() {
            match self.stream.try_write(&self.sending[self.sent..]) {
                Ok(n) => self.sent += n,
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => break,
                Err(e) => return Err(e),
            }
            self.refill();
        }
        Ok(())
    }

    /// Reads once; false when nothing more is there now.
    fn read(&mut self) -> std::io::Result<bool> {
        READ.with_borrow_mut(|chunk| {
            chunk.resize(CHUNK, 0);
            match self.stream.try_read(chunk) {
                Ok(0) => {
                    self.eof = true;
                    self.lines.end();
                    Ok(false)
                }
                Ok(n) => {
                    self.lines.push(&chunk[..n]);
                    Ok(true)
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => Ok(false),
                Err(e) => Err(e),
            }
        })
    }

    /// Starts the calls of the lines that are complete, until the client is behind.
    async fn handle_lines(&mut self) {
        let mut turn = 0;
        while !self.behind() {
            match self.lines.take() {
                None => break,
                Some(ClientLine::Text(text)) => self.calls.start(text),
                Some(ClientLine::Bad { id, code, message }) => {
                    self.out.send(json::error(&id, code, &message, None));
                }
            }
            turn += 1;
            if turn % TURN == 0 {
                self.refill();
                if self.write().is_err() {
                    // The next write of the main loop reports it.
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
    }
}
