//! Tells a session that a run it asked for has ended: one log message, if its era and its level allow one.

use serde::Serialize;
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

#[derive(Serialize)]
struct EndTold<'a> {
    run_id: &'a str,
    status: &'static str,
    #[serde(rename = "ecosystem")]
    subject: &'a str,
    tool: &'a str,
    message: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}

pub fn message(ended: &RunEnded) -> String {
    let status = ended.status.as_str();
    let short = ended.run.get(..8).unwrap_or(&ended.run);
    let data = json!(EndTold {
        run_id: &ended.run,
        status,
        subject: &ended.subject,
        tool: &ended.tool,
        message: format!("Run {short} of {} ended: {status}.", ended.subject),
        note: &ended.note,
    });
    notification(MESSAGE, &format!(r#""level":"{}","logger":"packd","data":{data}"#, level(ended).name()))
}
