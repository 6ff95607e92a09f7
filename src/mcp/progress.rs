//! Progress of a long call, as notifications: only with a token, always growing, not too often, never late.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::result::{notification, quoted};
use super::service::Out;
use crate::engine::ProgressNote;

/// People do not read faster, and a client should not be flooded.
const PAUSE: Duration = Duration::from_millis(100);

/// Ends the stream when dropped: after the reply no progress may follow.
pub struct ProgressStream(Arc<Mutex<State>>);

struct State {
    open: bool,
    last: f64,
    sent: Option<Instant>,
}

pub type ProgressReport = std::sync::Arc<dyn Fn(ProgressNote) + Send + Sync>;

/// A token is a string or a number; anything else asks for no progress.
pub fn token(params: &serde_json::Map<String, Value>) -> Option<Value> {
    let token = params.get("_meta")?.get("progressToken")?;
    (token.is_string() || token.is_number()).then(|| token.clone())
}

pub fn stream(token: &Value, out: Out) -> (ProgressStream, ProgressReport) {
    let state = Arc::new(Mutex::new(State { open: true, last: f64::NEG_INFINITY, sent: None }));
    let shared = Arc::clone(&state);
    let token = token.to_string();
    let report = move |step: ProgressNote| {
        // The lock guards plain numbers, so a poisoned one is still whole. It is held while sending: a report
        // that comes while the reply is made waits here and then finds the stream ended.
        let mut state = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let due = state.sent.is_none_or(|at| at.elapsed() >= PAUSE);
        let last = step.total.is_some_and(|total| step.progress >= total);
        let grows = step.progress.is_finite() && step.progress > state.last;
        if !state.open || !grows || !(due || last) || out.full() {
            return;
        }
        state.last = step.progress;
        state.sent = Some(Instant::now());
        let total = step
            .total
            .filter(|t| t.is_finite())
            .map_or_else(String::new, |total| format!(r#","total":{total}"#));
        let message = quoted(&step.message);
        out.send(notification(
            "notifications/progress",
            &format!(r#""progressToken":{token},"progress":{}{total},"message":{message}"#, step.progress),
        ));
    };
    (ProgressStream(state), std::sync::Arc::new(report))
}

impl Drop for ProgressStream {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).open = false;
    }
}
