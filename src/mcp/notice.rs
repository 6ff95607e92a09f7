//! Carries what the engine reports to the sessions that want to hear it: one receiver for all of them, and one timer
//! for what they are owed.

use std::sync::{Arc, Mutex, Weak};

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::listen::Listener;
use crate::engine::Event;

/// The listeners of all open sessions. Ends its task when dropped.
pub struct Notices {
    listeners: Arc<Mutex<Vec<Weak<Listener>>>>,
    task: JoinHandle<()>,
}

impl Notices {
    /// Must be called inside the runtime.
    pub fn start(events: Receiver<Event>) -> Notices {
        let listeners: Arc<Mutex<Vec<Weak<Listener>>>> = Arc::default();
        let task = tokio::spawn(carry(events, Arc::clone(&listeners)));
        Notices { listeners, task }
    }

    pub fn add(&self, listener: &Arc<Listener>) {
        let mut listeners = self.listeners.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        listeners.retain(|l| l.strong_count() > 0);
        listeners.push(Arc::downgrade(listener));
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn carry(mut events: Receiver<Event>, listeners: Arc<Mutex<Vec<Weak<Listener>>>>) {
    // When the first session that is owed something may be told; no timer runs while none is.
    let mut due: Option<Instant> = None;
    loop {
        let first = match due {
            Some(at) => tokio::time::timeout_at(at, events.recv()).await.ok(),
            None => Some(events.recv().await),
        };
        let news = match first {
            Some(Ok(event)) => gather(event, &mut events),
            Some(Err(RecvError::Lagged(_))) => None,
            Some(Err(RecvError::Closed)) => return,
            None => Some(Vec::new()),
        };
        let listeners = listeners.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let now = Instant::now();
        due = None;
        for listener in listeners.iter().filter_map(Weak::upgrade) {
            match &news {
                Some(news) => news.iter().for_each(|event| listener.tell(event)),
                None => listener.tell_anything(),
            }
            due = due.into_iter().chain(listener.settle(now)).min();
        }
    }
}

/// Calls that share a commit report together: what waits is told as one event per workspace and family, since
/// every session hears of every change. `None` where some were lost.
fn gather(first: Event, events: &mut Receiver<Event>) -> Option<Vec<Event>> {
    let mut news = vec![first];
    loop {
        let next = match events.try_recv() {
            Ok(next) => next,
            Err(TryRecvError::Lagged(_)) => return None,
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(news),
        };
        match news.iter_mut().find(|e| e.workspace == next.workspace && e.family == next.family) {
            Some(known) => {
                known.list_changed |= next.list_changed;
                known.ended.extend(next.ended);
                for uri in next.uris {
                    if !known.uris.contains(&uri) {
                        known.uris.push(uri);
                    }
                }
            }
            None => news.push(next),
        }
    }
}
