//! The calls of one connection that are under way: each is polled at once, and goes on beside the others if it must wait.
//!
//! A panic in one call is one error reply. What a call is about is not known here.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use tokio::task::JoinSet;

use crate::ipc::{json, scan};
use crate::mcp::out::Out;
use crate::mcp::service::{Local, ServiceSession};

pub(super) struct Calls {
    session: Rc<dyn ServiceSession>,
    out: Out,
    open: JoinSet<()>,
}

impl Calls {
    pub fn new(session: Rc<dyn ServiceSession>, out: Out) -> Calls {
        Calls { session, out, open: JoinSet::new() }
    }

    pub fn len(&self) -> usize {
        self.open.len()
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Resolves when a call has come to its end; never, where none is under way.
    pub async fn one_ends(&mut self) {
        if self.open.join_next().await.is_none() {
            std::future::pending().await
        }
    }

    /// Every call comes to its end.
    pub async fn all_end(&mut self) {
        while self.open.join_next().await.is_some() {}
    }

    /// Polls the call once at once: most are answered by that, and order of arrival is order of execution.
    pub fn start(&mut self, line: String) {
        let id = scan::first_id(&line).to_string();
        let session = Rc::clone(&self.session);
        let made = catch_unwind(AssertUnwindSafe(|| session.accept(line)));
        let Ok(call) = made else {
            self.out.send(panicked(&id));
            return;
        };
        let mut call = Box::pin(guarded(call, id));
        match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(reply)) => {
                self.out.send(reply);
            }
            Poll::Ready(None) => {}
            Poll::Pending => {
                let out = self.out.clone();
                self.open.spawn_local(async move {
                    if let Some(reply) = call.await {
                        out.send(reply);
                    }
                });
            }
        }
    }
}

async fn guarded(mut call: Local<Option<String>>, id: String) -> Option<String> {
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
        Ok(poll) => poll,
        Err(_) => Poll::Ready(Some(panicked(&id))),
    })
    .await
}

fn panicked(id: &str) -> String {
    tracing::error!(id, "A call panicked.");
    let message =
        "The call failed because of a defect in packd; nothing more of it will happen. See the log.";
    json::error(id, json::INTERNAL, message, None)
}
