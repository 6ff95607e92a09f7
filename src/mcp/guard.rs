//! Catches a panic inside a future: one bad message costs one error reply and nothing else.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Resolves to `None` where the inner future panicked.
pub struct Guarded<'a, T>(Pin<Box<dyn Future<Output = T> + 'a>>);

pub fn guarded<'a, T>(future: impl Future<Output = T> + 'a) -> Guarded<'a, T> {
    Guarded(Box::pin(future))
}

impl<T> Future for Guarded<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        // Unwind safety: a future that panicked is never polled again, and sessions keep no half-made state.
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Some(value)),
            Err(_) => Poll::Ready(None),
        }
    }
}
