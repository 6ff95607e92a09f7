//! A connection that knows since when its other end has taken nothing, and that lets no refusal out without the headers
//! of every answer: what cannot be read at all is refused before there is a request to answer.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::guard;

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
    /// What is sent in the place of a bare refusal, as far as it is not sent yet.
    instead: Vec<u8>,
}

impl Steady {
    pub fn new(stream: TokioIo<TcpStream>) -> (Steady, Pulse) {
        let pulse = Pulse::default();
        (Steady { stream, pulse: pulse.clone(), instead: Vec::new() }, pulse)
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

// Written in one piece, never from several: a refusal is known by its beginning and its end.
impl Write for Steady {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Steady { stream, pulse, instead } = &mut *self;
        if instead.is_empty() {
            match guard::close_off_early(bytes) {
                Some(closed) => *instead = closed,
                None => return pulse.note(Pin::new(stream).poll_write(context, bytes)),
            }
        }
        while !instead.is_empty() {
            let Poll::Ready(sent) = pulse.note(Pin::new(&mut *stream).poll_write(context, instead)) else {
                return Poll::Pending;
            };
            match sent? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => drop(instead.drain(..sent)),
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
