//! The boundary between the daemon and what it serves: a service opens sessions, a session takes lines.
//!
//! The daemon knows sockets, life and back pressure; a service knows JSON-RPC. Neither knows the other's
//! half: a line is one JSON text without a line break, in both directions.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::watch;

pub use super::out::Out;
pub use crate::ipc::hello::{Flags, Hello, Resume, Status, Welcome};

/// A future on the daemon's one thread.
pub type Local<T> = Pin<Box<dyn Future<Output = T>>>;

/// Everything the daemon serves, over one store. Dropping it closes the store, which releases the lock.
pub trait Service: 'static {
    /// Opens or resumes a session. `out` takes lines that nobody asked for (notifications) and late replies.
    /// The Welcome comes back filled in by `Welcome::of_this_process` plus `session`, `resume_key`, `resumed`.
    fn open(&self, hello: &Hello, out: Out) -> Result<(Welcome, Rc<dyn Session>), HelloError>;

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
pub trait Session {
    /// Takes one message and yields the reply line, or `None` where nothing is to be answered.
    ///
    /// Called in arrival order, polled at once, and then concurrently with later messages: a reply may overtake
    /// another. At most [`IN_FLIGHT`](super::connection::IN_FLIGHT) of these run at a time, then reading pauses; so
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

/// Why a service could not be opened.
#[derive(Debug, Clone)]
pub enum StartError {
    /// Another daemon holds the database lock. Not a failure: whoever asked connects to that one.
    AlreadyRunning,
    /// One full sentence, and what to do about it.
    Failed { message: String, hint: String },
}

/// How the daemon was asked to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// In an orderly way: signal, request, idleness.
    Drain(String),
    /// The service can promise nothing more (a commit of unknown outcome): end at once, exit code 1.
    Fail(String),
}

/// Lets any thread ask the daemon to end. The first request wins.
#[derive(Debug, Clone)]
pub struct Ender(Arc<watch::Sender<Option<Ending>>>);

impl Default for Ender {
    fn default() -> Self {
        Ender(Arc::new(watch::Sender::new(None)))
    }
}

impl Ender {
    pub fn drain(&self, why: impl Into<String>) {
        self.end(Ending::Drain(why.into()));
    }

    pub fn fail(&self, why: impl Into<String>) {
        self.end(Ending::Fail(why.into()));
    }

    /// A failure overrides a drain that is under way; nothing overrides a failure.
    fn end(&self, ending: Ending) {
        self.0.send_if_modified(|now| {
            let wins = match now {
                None => true,
                Some(Ending::Drain(_)) => matches!(ending, Ending::Fail(_)),
                Some(Ending::Fail(_)) => false,
            };
            if wins {
                *now = Some(ending);
            }
            wins
        });
    }

    pub fn asked(&self) -> Option<Ending> {
        self.0.borrow().clone()
    }

    /// Resolves when the request changes, that is, when a drain becomes a failure.
    pub async fn changed(&self) {
        let mut seen = self.0.subscribe();
        // The sender lives in self, so this cannot fail while it waits.
        let _ = seen.changed().await;
    }

    /// Resolves when somebody asked, at once if that was before.
    pub async fn wait(&self) -> Ending {
        let mut seen = self.0.subscribe();
        match seen.wait_for(Option::is_some).await.map(|e| e.clone()) {
            Ok(Some(ending)) => ending,
            // The sender lives in self, so the channel cannot close while this waits.
            _ => std::future::pending().await,
        }
    }
}
