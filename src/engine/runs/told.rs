//! How a run stands, beside the reply of the call that started it.

use std::time::Duration;

use serde_json::Value;

use super::watch;
use crate::core::run::{RUNS, RunRow, RunStatus};
use crate::core::{Key, Reply, Result, SessionInfo, View};
use crate::engine::Engine;
use crate::engine::request::{CancelFlag, ProgressSink};

impl Engine {
    /// Waits for the run that a reply tells of, and says how it ended, or that it goes on.
    pub(in crate::engine) async fn after_run(
        &self,
        info: &SessionInfo,
        mut reply: Reply,
        wait: Option<u64>,
        progress: Option<&ProgressSink>,
        cancel: &CancelFlag,
    ) -> Result<Reply> {
        let (Some(seconds), Some(run)) = (wait, reply.run.clone()) else { return Ok(reply) };
        watch(&self.shared, info, Some(&run), Duration::from_secs(seconds), progress, cancel).await?;
        let snapshot = self.shared.store.read()?;
        let view = snapshot.view();
        let Some((row, _)) = (&view as &dyn View).get::<RunRow>(RUNS, &Key::of(&run))? else {
            return Ok(reply);
        };
        let ended = RunTold { run_id: &run, status: row.status, steps_done: row.steps_done, note: &row.note };
        let colon = if row.note.is_empty() { "" } else { ": " };
        let verb = if row.status.active() { "is" } else { "ended as" };
        if !row.status.active() {
            over(&mut reply, row.status.as_str());
        }
        reply.say("run", &ended, &format!("Run {run} {verb} {}{colon}{}", row.status.as_str(), row.note));
        Ok(reply)
    }
}

/// The outcome stands where the start stood, and nobody is sent to wait for it or to stop it.
fn over(reply: &mut Reply, status: &str) {
    let ended = |text: &str| text.replacen(" is queued:", &format!(" ended as {status}:"), 1);
    let kept: Vec<&str> = reply.text.split("\n\n").filter(|part| !part.starts_with("Next: ")).collect();
    reply.text = ended(&kept.join("\n\n"));
    if let Some(Value::Object(map)) = &mut reply.structured {
        map.shift_remove("next");
        map.insert("status".into(), status.into());
        if let Some(Value::String(summary)) = map.get_mut("summary") {
            *summary = ended(summary);
        }
    }
}

/// How a run stands, beside the reply of the call that started it.
#[derive(serde::Serialize)]
struct RunTold<'a> {
    run_id: &'a str,
    status: RunStatus,
    steps_done: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
}
