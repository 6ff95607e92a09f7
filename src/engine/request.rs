//! What a caller hands to the engine: the tool and its arguments, and how it hears of progress or gives up.
//!
//! Nothing here knows what becomes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

/// Set when the caller no longer wants the answer.
#[derive(Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub struct ProgressNote {
    pub progress: f64,
    pub total: Option<f64>,
    pub message: String,
}

pub type ProgressSink = Arc<dyn Fn(ProgressNote) + Send + Sync>;

pub struct CallRequest {
    pub tool: String,
    pub args: Map<String, Value>,
    pub request_id: Value,
    pub request_key: Option<String>,
    /// The host's own names for this request; `null` = none.
    pub trace: Value,
    pub cancel: CancelFlag,
    pub progress: Option<ProgressSink>,
    /// Whoever calls will ask the person itself, so nobody waits here.
    pub dialog: bool,
}

impl CallRequest {
    /// A call without an id, cancellation or progress.
    pub fn new(tool: &str, args: Value) -> Self {
        let args = if let Value::Object(map) = args { map } else { Map::new() };
        CallRequest {
            tool: tool.to_string(),
            args,
            request_id: Value::Null,
            request_key: None,
            trace: Value::Null,
            cancel: CancelFlag::default(),
            progress: None,
            dialog: false,
        }
    }
}
