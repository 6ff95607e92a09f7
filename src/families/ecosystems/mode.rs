//! `amof_set_mode`: what the session may do from now on. Not an operation: it is audited, never undone.

use serde_json::json;

use super::reply::{Answer, next};
use crate::core::call::{SESSIONS, SessionState};
use crate::core::{Ctx, Error, Key, Kind, Mode, Outcome, Record, Result};

pub fn set(ctx: &Ctx) -> Result<Outcome> {
    let wanted = ctx.call.text("mode").and_then(Mode::parse).ok_or_else(|| {
        Error::invalid("invalid_mode", "'mode' must be ask, plan or execute.")
            .hint("Use one of: ask, plan, execute.")
    })?;
    if let Some(ceiling) = ctx.session.max_mode.filter(|c| wanted > *c) {
        return Err(Error::new(
            Kind::Denied,
            "mode_denied",
            format!(
                "The mode cannot be {}: the ceiling set for this session is {}.",
                wanted.as_str(),
                ceiling.as_str()
            ),
        )
        .hint("A person can raise the ceiling (--max-mode or config.toml); no call can."));
    }
    let key = Key::of(&ctx.session.id);
    let mut state: SessionState = ctx.view.get(SESSIONS, &key)?.map(|(s, _)| s).unwrap_or_default();
    let before = state.mode.or(ctx.session.mode);
    state.mode = Some(wanted);
    let mut draft = ctx.draft();
    draft.put(SESSIONS, &key, &state)?;
    let mut outcome = draft.into_outcome();
    outcome.quiet = true;
    outcome.audit = true;
    let was = before.map_or("not said", Mode::as_str);
    outcome.record = Record {
        summary: format!("Mode changed from {was} to {}.", wanted.as_str()),
        targets: vec!["mode".into()],
        data: json!({"event": "mode", "from": before.map(Mode::as_str), "to": wanted.as_str()}),
        ..Record::default()
    };
    let meaning = match wanted {
        Mode::Ask => "changes are refused and explained",
        Mode::Plan => "changes are previewed, never made",
        Mode::Execute => "changes are made; dangerous ones ask for confirmation",
    };
    outcome.reply = Answer::new(format!("Mode is now {}: {meaning}.", wanted.as_str()))
        .fields(json!({"mode": wanted.as_str(), "previous": before.map(Mode::as_str)}))
        .next(next("amof_scope_info", json!({})))
        .next(next("amof_list_ecosystems", json!({})))
        .reply_for(ctx.session, wanted, ctx.now);
    Ok(outcome)
}
