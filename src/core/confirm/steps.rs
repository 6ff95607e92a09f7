//! The life of a confirmation as the audit stream keeps it: one id for all its steps, and what was asked.

use serde::Serialize;

use super::{Pending, id_of};
use crate::core::{Key, Record, Result};

/// Lines of details in the recorded text of a question that was only asked.
const TEXT_LINES: usize = 100;
/// What was agreed to is recorded whole, as it was shown.
const AGREED: &str = "confirmed";

#[derive(Serialize)]
struct Noted<'a> {
    event: String,
    confirmation: String,
    id: String,
    tool: &'a str,
    by: &'a str,
    r#type: &'a str,
    asked_by: AskedBy<'a>,
    digest: &'a str,
    text: String,
}

#[derive(Serialize)]
struct AskedBy<'a> {
    client: &'a str,
    session: &'a str,
}

fn life(key: &Key, pending: &Pending) -> String {
    if pending.life.is_empty() { id_of(key) } else { pending.life.clone() }
}

/// Under which the steps of a confirmation are found.
pub fn targets(key: &Key, pending: &Pending) -> Vec<String> {
    let mut targets = vec!["confirmation".to_string(), format!("confirmation:{}", life(key, pending))];
    targets.extend(pending.targets.iter().cloned());
    targets
}

/// One step, taken by somebody. It belongs where the confirmation was asked for.
pub fn step(event: &str, key: &Key, pending: &Pending, who: &str) -> Result<Record> {
    Record {
        summary: format!("Confirmation of {}: {event}. {}", pending.tool, pending.summary),
        targets: targets(key, pending),
        workspace: Some(pending.info.workspace.clone()),
        ..Record::default()
    }
    .noting(&Noted {
        event: format!("confirmation_{}", event.replace(' ', "_")),
        confirmation: life(key, pending),
        id: id_of(key),
        tool: &pending.tool,
        by: who,
        r#type: &pending.kind,
        asked_by: AskedBy { client: &pending.info.client, session: &pending.info.id },
        digest: &pending.state,
        text: pending.question.text(if event == AGREED { usize::MAX } else { TEXT_LINES }),
    })
}
