//! Who may say yes, and whether the mode still allows what was asked.

use crate::core::confirm::Pending;
use crate::core::{Declared, Error, Kind, Mode, Result, Safety, SessionInfo};
use crate::engine::checks::lowest;
use crate::engine::{Engine, Shared};
use crate::policy::{self, Decision, Effective};

impl Engine {
    /// Who may say yes: an agent only where the configuration lets it and to its own, a person after the passphrase.
    pub(super) fn may_confirm(
        &self,
        info: &SessionInfo,
        pending: Option<&Pending>,
        by_dialog: bool,
    ) -> Result<()> {
        let people = self.shared.human_confirms || pending.is_some_and(|p| p.human);
        let terminal = "Ask the user to run `packd confirm` in a terminal.";
        if info.is_person() {
            return self.unlocked(info);
        }
        if by_dialog && self.shared.passphrase.is_set() {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_passphrase",
                "A passphrase is set, which a dialog cannot take.",
            )
            .hint(terminal));
        }
        if by_dialog {
            return Ok(());
        }
        if info.is_cli() && (people || pending.is_some_and(|p| p.info.id != info.id)) {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_terminal",
                "Only a person at a terminal may confirm this, and this command runs without a controlling one.",
            )
            .hint("Run `packd confirm` in a terminal of your own, in the foreground and without a pipe."));
        }
        if people {
            return Err(Error::new(
                Kind::Denied,
                "confirm_needs_human",
                "A person must confirm this; the configuration does not let an agent do it.",
            )
            .hint(terminal));
        }
        Ok(())
    }
}

impl Shared {
    /// The mode that governs a staged call now (what it said then, unless the session was lowered since), and
    /// whether it forbids the call.
    pub(super) fn permitted(
        &self,
        tool: &Declared,
        pending: &Pending,
        owner: &SessionInfo,
    ) -> Result<(Effective, Option<Mode>)> {
        let session = self.session_mode(owner)?;
        let lowered = session != pending.session_mode && session.is_some_and(|m| m < Mode::Execute);
        let said = if lowered { session } else { pending.call_mode.or(session) };
        let ceiling = lowest(owner.max_mode, self.max_mode);
        let effective = policy::effective(said, ceiling);
        let decision = policy::decide(policy::PolicyRequest {
            said,
            ceiling,
            safety: Safety::Dangerous,
            gate: tool.rules.gate,
            confirm: tool.rules.confirm,
            only_reads: false,
            ungated: false,
            wants_person: false,
        });
        let denied = matches!(decision, Decision::Refuse { .. } | Decision::DryRun);
        Ok((effective, denied.then_some(effective.mode)))
    }

    /// Whoever asked, as they are now if their session is still open.
    pub(super) fn owner_of(&self, pending: &Pending, info: &SessionInfo) -> SessionInfo {
        if pending.info.id == info.id {
            return info.clone();
        }
        let open = self.sessions.all();
        let live = open.iter().map(|s| s.info()).find(|live| live.id == pending.info.id);
        live.unwrap_or_else(|| pending.info.clone())
    }
}
