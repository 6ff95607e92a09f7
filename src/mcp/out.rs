//! The output queue of one connection: lines in, bytes out, with a count that tells the reader to pause.
//!
//! Anyone may hold an [`Out`], on any thread; only the connection takes from it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

/// With more than this waiting, no further request of that client is read.
pub const PAUSE_AT: usize = 4 * 1024 * 1024;
/// A client that lets this much pile up does not read at all: its connection is ended.
pub const GIVE_UP_AT: usize = 64 * 1024 * 1024;

/// A cloneable handle into the queue of one connection.
#[derive(Clone)]
pub struct Out(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<String>,
    bytes: usize,
    closed: bool,
}

impl Default for Out {
    fn default() -> Self {
        Out(Arc::new(Shared { queue: Mutex::default(), changed: Notify::new() }))
    }
}

impl Out {
    pub fn new() -> Out {
        Out::default()
    }

    /// Queues one line (without its line break). False once the connection is gone.
    pub fn send(&self, line: String) -> bool {
        let mut queue = self.queue();
        if queue.closed {
            return false;
        }
        queue.bytes += line.len() + 1;
        queue.lines.push_back(line);
        drop(queue);
        self.0.changed.notify_one();
        true
    }

    /// True while the client is so far behind that a notification had better be merged or left out.
    pub fn full(&self) -> bool {
        self.queue().bytes > PAUSE_AT
    }

    pub fn bytes(&self) -> usize {
        self.queue().bytes
    }

    /// Moves waiting lines into an empty `buffer`, each with its line break, until it holds at least `enough` bytes.
    /// A line that is enough by itself becomes the buffer.
    pub(crate) fn take(&self, buffer: &mut Vec<u8>, enough: usize) {
        let mut queue = self.queue();
        while buffer.len() < enough {
            let Some(line) = queue.lines.pop_front() else { break };
            queue.bytes -= line.len() + 1;
            if buffer.is_empty() && line.len() >= enough {
                *buffer = line.into_bytes();
            } else {
                buffer.extend_from_slice(line.as_bytes());
            }
            buffer.push(b'\n');
        }
    }

    /// Takes what is waiting as lines; what a test or an in-process client reads.
    #[allow(dead_code, reason = "tests read what a client would")]
    pub fn take_lines(&self) -> Vec<String> {
        let mut queue = self.queue();
        queue.bytes = 0;
        queue.lines.drain(..).collect()
    }

    /// Resolves after something was queued since the last time.
    pub async fn changed(&self) {
        self.0.changed.notified().await;
    }

    pub(crate) fn close(&self) {
        let mut queue = self.queue();
        queue.closed = true;
        queue.lines.clear();
        queue.bytes = 0;
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The lock is never held over code that can panic, so a poisoned queue is still a whole one.
        self.0.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
