//! The calls of one session that are under way, so that a client can cancel them.
//!
//! Ids are the client's and may repeat: an id names every call that carries it, and a finished call takes
//! only itself off the list.

use std::cell::{Cell, RefCell};

use serde_json::Value;

use crate::engine::CancelFlag;

#[derive(Default)]
pub struct Flights {
    open: RefCell<Vec<Entry>>,
    next: Cell<u64>,
}

struct Entry {
    number: u64,
    id: Value,
    cancel: CancelFlag,
}

/// One call under way; leaves the list when dropped.
pub struct Flight<'a> {
    flights: &'a Flights,
    number: u64,
    pub cancel: CancelFlag,
}

impl Flights {
    pub fn enter(&self, id: Value) -> Flight<'_> {
        let number = self.next.get();
        self.next.set(number + 1);
        let cancel = CancelFlag::default();
        self.open.borrow_mut().push(Entry { number, id, cancel: cancel.clone() });
        Flight { flights: self, number, cancel }
    }

    /// An unknown id is no error: the call may just have ended.
    pub fn cancel(&self, id: &Value) {
        self.open.borrow().iter().filter(|entry| entry.id == *id).for_each(|entry| entry.cancel.set());
    }

    /// Nobody is left to hear an answer.
    pub fn cancel_all(&self) {
        self.open.borrow().iter().for_each(|entry| entry.cancel.set());
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let mut open = self.flights.open.borrow_mut();
        if let Some(at) = open.iter().position(|entry| entry.number == self.number) {
            open.swap_remove(at);
        }
    }
}
