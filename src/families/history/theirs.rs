//! `history_undo` of everything one session or client did.

use serde_json::{Value, json};

use super::{effect, summary};
use crate::core::outcome::OP_ID;
use crate::core::undo_all::{Steps, Whose, undo_all};
use crate::core::{Ctx, Error, Outcome, Reply, Result, Timestamp};

/// Operations that are shown; the rest is counted.
const SHOWN: usize = 20;

/// Did the caller name whose operations are meant?
pub fn meant(ctx: &Ctx) -> bool {
    ["session", "client", "since"].iter().any(|name| ctx.call.text(name).is_some())
}

pub fn take_back(ctx: &Ctx) -> Result<Outcome> {
    let Steps { ops, left, mut outcome } = undo_all(ctx, &whose(ctx)?)?;
    let yes = ctx.call.flag("yes");
    let files: Vec<_> = outcome.effects.iter().filter(|e| !e.kept).take(SHOWN).map(effect).collect();
    let stay = |(op, why): &(crate::core::Op, String)| json!({"operation_id": op.id, "summary": op.summary, "because": why});
    let mut body = json!({
        "undid": ops.iter().take(SHOWN).map(summary).collect::<Vec<_>>(),
        "count": ops.len(),
        "operation_id": if yes { json!(OP_ID) } else { Value::Null },
        "rows": outcome.changes.len(),
        "files": files,
        "files_count": outcome.effects.iter().filter(|e| !e.kept).count(),
        "preview": !yes || ctx.call.preview,
    });
    if !left.is_empty() {
        body["left"] = left.iter().take(SHOWN).map(stay).collect();
    }
    if !yes {
        body["next"] = json!("Look at these operations, then call again with yes=true.");
        outcome.shown_first = true;
    }
    outcome.reply = Reply::json(body);
    Ok(outcome)
}

fn whose(ctx: &Ctx) -> Result<Whose> {
    let text = |name: &str| ctx.call.text(name).map(str::to_string);
    let invalid = |message: &str| Error::invalid("invalid_arguments", message);
    let (session, client) = (text("session"), text("client"));
    if session.is_none() && client.is_none() {
        return Err(invalid("'since' needs 'session' or 'client': whose operations are meant?")
            .hint("history_list shows both of each operation, as who."));
    }
    if let Some(other) =
        ["family", "target", "expected_operation_id"].iter().find(|name| text(name).is_some())
    {
        return Err(invalid(&format!("'{other}' does not go with 'session' or 'client'."))
            .hint("Everything they did is taken back together; leave it out."));
    }
    let since = match text("since") {
        Some(since) => Some(Timestamp::parse(&since).map_err(|_| {
            invalid(&format!("'since' is not a time: {since}")).hint("Write it as 2026-01-02T03:04:05Z.")
        })?),
        None => None,
    };
    Ok(Whose { session, client, since })
}
