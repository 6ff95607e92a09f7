//! Waits for every future of a batch; the answers keep the order of the questions.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use super::service::Local;

pub async fn join<T: Unpin>(futures: Vec<Local<T>>) -> Vec<T> {
    let mut slots: Vec<Slot<T>> = futures.into_iter().map(Slot::Open).collect();
    poll_fn(|cx| {
        let mut open = 0;
        for slot in &mut slots {
            if let Slot::Open(future) = slot {
                match Pin::new(future).poll(cx) {
                    Poll::Ready(value) => *slot = Slot::Done(value),
                    Poll::Pending => open += 1,
                }
            }
        }
        if open == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    slots
        .into_iter()
        .filter_map(|slot| match slot {
            Slot::Done(value) => Some(value),
            Slot::Open(_) => None,
        })
        .collect()
}

enum Slot<T> {
    Open(Local<T>),
    Done(T),
}
