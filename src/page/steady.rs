//! A connection that knows since when its other end has taken nothing.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Shared with whoever watches the connection.
#[derive(Clone, Default)]
pub struct Pulse(Rc<Cell<Option<Instant>>>);

impl Pulse {
    /// Since when something waits to be taken; `None` = nothing does.
    pub fn stuck_since(&self) -> Option<Instant> {
        self.0.get()
    }

    fn note<T>(&self, poll: Poll<T>) -> Poll<T> {
        self.0.set(match poll {
            Poll::Ready(_) => None,
            Poll::Pending => Some(self.0.get().unwrap_or_else(Instant::now)),
        });
        poll
    }
}

pub struct Steady {
    stream: TokioIo<TcpStream>,
    pulse: Pulse,
}

impl Steady {
    pub fn new(stream: TokioIo<TcpStream>) -> (Steady, Pulse) {
        let pulse = Pulse::default();
        (Steady { stream, pulse: pulse.clone() }, pulse)
    }
}

impl Read for Steady {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for Steady {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.pulse.note(poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.pulse.note(poll)
    }
}
