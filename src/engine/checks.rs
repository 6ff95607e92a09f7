//! What stands before a call besides policy: its session's flags, and the words of a refusal.
//!
//! Pure checks of a call against its tool and its session; nothing here looks at the store.

use serde_json::{Value, json};

use crate::core::ctx::Explanation;
use crate::core::declared::Gate;
use crate::core::{Call, Declared, Error, Kind, Mode, Result, Safety, SessionInfo};
use crate::policy::Reason;

/// What stands before an undo or redo that changes files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilesBack {
    Free,
    Passphrase,
    Person,
}

/// Takes `wait_seconds` out of a call that may have to wait for a person; families never see it.
pub(super) fn take_wait(tool: &Declared, takes_back: bool, call: &mut Call) -> Option<u64> {
    let may_wait = tool.rules.safety == Safety::Dangerous || takes_back;
    if !may_wait || tool.schema.pointer("/properties/wait_seconds").is_some() {
        return None;
    }
    call.args.shift_remove("wait_seconds").and_then(|seconds| seconds.as_u64())
}

/// What the audit stream keeps: every no of a gate, and dangerous calls that were not even understood.
pub(super) fn is_refusal(tool: &Declared, call: &Call, error: &Error) -> bool {
    let dangerous = tool.rules.safety == Safety::Dangerous && !tool.only_reads(&call.args);
    !error.noted && (error.kind == Kind::Denied || (dangerous && error.kind == Kind::Invalid))
}

/// Takes the `mode` argument out of a writing call; families never see it.
pub(super) fn take_mode(tool: &Declared, call: &mut Call) -> Result<Option<Mode>> {
    if tool.rules.ungated || tool.rules.safety == Safety::ReadOnly {
        return Ok(None);
    }
    match call.args.shift_remove("mode") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().and_then(Mode::parse).map(Some).ok_or_else(|| {
            Error::invalid("invalid_mode", format!("'mode' is {value}, which is not a mode."))
                .hint("Use one of: ask, plan, execute.")
        }),
    }
}

pub(super) fn check_gates(tool: &Declared, info: &SessionInfo, only_reads: bool) -> Result<()> {
    if only_reads || tool.rules.ungated {
        return Ok(());
    }
    if info.read_only {
        return Err(Error::new(
            Kind::Denied,
            "read_only",
            format!("{} changes things, but this session is read-only.", tool.name),
        )
        .hint("Start packd-mcp without --read-only to allow it."));
    }
    if tool.rules.gate == Gate::AllowWrite && !info.allow_write {
        return Err(Error::new(
            Kind::Denied,
            "permission_denied",
            format!("{} needs write access.", tool.name),
        )
        .hint("Start packd-mcp with --allow-write (or PACKD_ALLOW_WRITE=1) to allow it."));
    }
    Ok(())
}

pub(super) fn lowest(a: Option<Mode>, b: Option<Mode>) -> Option<Mode> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// The contract's ask answer: what would happen, the state, what cannot be undone, how to switch.
pub(super) fn refusal(
    tool: &Declared,
    set_mode: &str,
    mode: Mode,
    reason: Reason,
    told: &Explanation,
) -> Error {
    let why = match reason {
        Reason::Said => format!("the mode is {}", mode.as_str()),
        Reason::Default => "no mode was said and the default is ask".to_string(),
        Reason::Ceiling => format!("the ceiling set for this session is {}", mode.as_str()),
    };
    let switch = json!({"tool": set_mode, "arguments": {"mode": "execute"}});
    let hint = match reason {
        Reason::Ceiling => {
            "A person can raise the ceiling (--max-mode or config.toml); no call can.".to_string()
        }
        _ => format!(
            "Preview with mode=plan. To do it, add \"mode\":\"execute\" to this call or call {set_mode} {}.",
            switch["arguments"]
        ),
    };
    Error::new(
        Kind::Denied,
        "mode_denied",
        format!("{} was not run because {why}. {}", tool.name, told.would),
    )
    .hint(hint)
    .details(json!({
        "tool": tool.name, "mode": mode.as_str(), "reason": reason, "would": told.would, "state": told.state,
        "irreversible": told.irreversible, "alternatives": told.alternatives, "switch": switch,
    }))
}
