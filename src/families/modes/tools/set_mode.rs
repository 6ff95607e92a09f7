//! `amof_set_mode`: what the session may do from now on. Not an operation: it is audited, never undone.

use serde::{Deserialize, Serialize};

use super::{ECOSYSTEMS, SCOPE};
use crate::core::call::{SESSIONS, SessionState};
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Error, Key, Kind, Look, Mode, Outcome, Record, Result, Tool};

pub struct SetMode;

#[derive(Debug, Deserialize)]
pub struct SetModeArgs {
    mode: String,
}

#[derive(Serialize)]
struct Shown<'a> {
    mode: &'static str,
    previous: Option<&'static str>,
    session_id: &'a str,
}

#[derive(Serialize)]
struct ModeRecord {
    event: &'static str,
    from: Option<&'static str>,
    to: &'static str,
}

impl Tool for SetMode {
    type Args = SetModeArgs;
    type Seen = ();
    const NAME: &'static str = "amof_set_mode";

    fn look(_look: &Look, _args: &SetModeArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &SetModeArgs, _seen: &()) -> Result<Outcome> {
        let wanted = Mode::parse(args.mode.trim()).ok_or_else(|| {
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
        let before = state.mode.or(ctx.session.mode).map(Mode::as_str);
        state.mode = Some(wanted);
        let mut draft = ctx.draft();
        draft.put(SESSIONS, &key, &state)?;
        let mut outcome = draft.into_outcome();
        outcome.quiet = true;
        outcome.audit = true;
        outcome.record = Record {
            summary: format!("Mode changed from {} to {}.", before.unwrap_or("not said"), wanted.as_str()),
            targets: vec!["mode".into()],
            ..Record::default()
        }
        .noting(&ModeRecord { event: "mode", from: before, to: wanted.as_str() })?;
        let meaning = match wanted {
            Mode::Ask => "changes are refused and explained",
            Mode::Plan => "changes are previewed, never made",
            Mode::Execute => "changes are made; dangerous ones ask for confirmation",
        };
        outcome.reply = Answer::new(format!("Mode is now {}: {meaning}.", wanted.as_str()))
            .fields(Shown { mode: wanted.as_str(), previous: before, session_id: &ctx.session.id })
            .next(Next::call(SCOPE))
            .next(Next::call(ECOSYSTEMS))
            .reply_for(wanted);
        Ok(outcome)
    }

    fn concerns(_ctx: &Ctx, _args: &SetModeArgs) -> Vec<String> {
        vec!["mode".to_string()]
    }
}
