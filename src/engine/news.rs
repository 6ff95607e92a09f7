//! That something was recorded: operations, audit records, lines of runs. Not what; whoever hears of it looks.

use serde_json::{Value, json};
use tokio::sync::watch;

use super::looking::RecordedCount;

#[derive(Clone)]
pub struct News {
    told: watch::Sender<State>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct State {
    count: u64,
    ending: bool,
}

impl Default for News {
    fn default() -> News {
        News { told: watch::Sender::new(State::default()) }
    }
}

impl News {
    pub fn tell(&self) {
        self.told.send_modify(|state| state.count += 1);
    }

    /// Nobody waits any longer: the daemon is about to end.
    pub fn end(&self) {
        self.told.send_modify(|state| state.ending = true);
    }

    /// How much was recorded so far, at once if it is not what the caller knows of, else once it has changed.
    pub async fn wait(&self, seen: Option<u64>) -> Value {
        let heard = self.hear(seen).await;
        json!({"seen": heard.count, "ending": heard.ending})
    }

    pub async fn hear(&self, seen: Option<u64>) -> RecordedCount {
        let mut heard = self.told.subscribe();
        let state = match heard.wait_for(|state| state.ending || Some(state.count) != seen).await {
            Ok(state) => *state,
            // The sender lives as long as this.
            Err(_) => State::default(),
        };
        RecordedCount { count: state.count, ending: state.ending }
    }

    pub fn heard(&self) -> u64 {
        self.told.borrow().count
    }
}
