//! The boundary between MCP and whoever carries its lines: a service opens sessions, a session takes lines.
//!
//! The daemon knows sockets, life and back pressure; a service knows JSON-RPC. Neither knows the other's
//! half: a line is one JSON text without a line break, in both directions.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

pub use super::out::Out;
pub use crate::ipc::hello::{Flags, Hello, Welcome};
pub use crate::ipc::hook::Said;

/// A future on the daemon's one thread.
pub type Local<T> = Pin<Box<dyn Future<Output = T>>>;

/// Everything the daemon serves, over one store. Dropping it closes the store, which releases the lock.
pub trait Service: 'static {
    /// Opens or resumes a session. `out` takes lines that nobody asked for (notifications) and late replies.
    /// The Welcome comes back filled in by `Welcome::of_this_process` plus `session`, `resume_key`, `resumed`.
    fn open(&self, hello: &Hello, out: Out) -> Result<(Welcome, Rc<dyn ServiceSession>), HelloError>;

    /// Something happened in a host. What it sets going comes to its end even if the hook has gone by then.
    fn hook(&self, _hello: Hello) -> Local<Said> {
        Box::pin(std::future::ready(Said::default()))
    }

    /// True while work goes on that belongs to no open session (a run): the daemon then does not end as idle.
    fn busy(&self) -> bool {
        false
    }

    /// Lines for `packd status`.
    fn notes(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Called once after the last session ended and before the service is dropped; the daemon waits for it,
    /// within its ten seconds.
    fn drain(&self) -> Local<()> {
        Box::pin(std::future::ready(()))
    }
}

/// One client, from its Hello until its connection ends.
pub trait ServiceSession {
    /// Takes one message and yields the reply line, or `None` where nothing is to be answered.
    ///
    /// Called in arrival order, polled at once, and then concurrently with later messages: a reply may overtake
    /// another. No more than a fixed number of these run at a time, then reading pauses; so
    /// a request that stays open (`subscriptions/listen`) returns `None` at once and answers through `Out`.
    /// The line is UTF-8, not empty, holds no line break and is at most 16 MiB; it need not be JSON.
    fn accept(self: Rc<Self>, line: String) -> Local<Option<String>>;

    /// The daemon is about to end: requests that stay open should be ended now, through `Out`.
    /// Messages that arrived before still run to their end.
    fn draining(&self) {}

    /// The connection is gone; nothing sent to `Out` will be seen any more. Called exactly once.
    fn closed(&self) {}
}

/// Why a Hello was turned down. Becomes `error` and `hint` of the Welcome.
#[derive(Debug, Clone)]
pub struct HelloError {
    pub message: String,
    pub hint: String,
}
