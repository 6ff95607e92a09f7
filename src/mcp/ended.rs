//! Tells a session that a run it asked for has ended: one log message, if its era and its level allow one.

use serde_json::json;

use super::level::MessageLevel;
use super::result::notification;
use crate::core::run::RunStatus;
use crate::engine::RunEnded;

const MESSAGE: &str = "notifications/message";

pub fn level(ended: &RunEnded) -> MessageLevel {
    match ended.status {
        RunStatus::Success => MessageLevel::INFO,
        RunStatus::Cancelled | RunStatus::Interrupted => MessageLevel::WARNING,
        _ => MessageLevel::ERROR,
    }
}

pub fn message(ended: &RunEnded) -> String {
    let status = ended.status.as_str();
    let short = ended.run.get(..8).unwrap_or(&ended.run);
    let mut data = json!({
        "run_id": ended.run, "status": status, "ecosystem": ended.ecosystem, "tool": ended.tool,
        "message": format!("Run {short} of {} ended: {status}.", ended.ecosystem),
    });
    if !ended.note.is_empty() {
        data["note"] = json!(ended.note);
    }
    notification(MESSAGE, &format!(r#""level":"{}","logger":"packd","data":{data}"#, level(ended).name()))
}
