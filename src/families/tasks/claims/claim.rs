//! A claim as it is stored, and whether it still counts.
//!
//! It counts while its lease lasts and its session is there. The lease is renewed by every call of the session, which is
//! known from memory; the row only has to be right enough to survive a restart.

use serde::{Deserialize, Serialize};

use crate::core::{Ctx, Key, Presence, Result, RowQuery, SessionInfo, Table, Timestamp, View};

/// (workspace, task).
pub const CLAIMS: Table = Table("claims");

/// Minutes.
pub const DEFAULT_LEASE: u32 = 30;

/// How long a session may be away before what it holds is free.
const AWAY: i64 = 5 * 60;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    pub task: String,
    pub holder: ClaimHolder,
    pub since: Timestamp,
    /// The end of the lease as of the last time it was written.
    pub until: Timestamp,
    pub lease_minutes: u32,
}

/// Who works on it. A person acts through many short sessions, an agent through one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimHolder {
    pub client: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

impl ClaimHolder {
    pub fn of(session: &SessionInfo) -> ClaimHolder {
        let client = if session.client.is_empty() { "unknown client" } else { &session.client };
        let person = session.is_cli().then(|| {
            let name = session.home.file_name().map(|name| name.to_string_lossy().into_owned());
            name.unwrap_or_else(|| "the user".to_string())
        });
        let session = if person.is_some() { String::new() } else { session.id.clone() };
        ClaimHolder { client: client.to_string(), session, person }
    }

    pub fn is(&self, other: &ClaimHolder) -> bool {
        match (&self.person, &other.person) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.session == other.session,
            _ => false,
        }
    }

    /// `codex (session 1a2b3c4d)`, for sentences.
    pub fn named(&self) -> String {
        match &self.person {
            Some(person) => format!("{person} (at the command line)"),
            None => format!("{} (session {})", self.client, self.session.get(..8).unwrap_or(&self.session)),
        }
    }
}

impl Claim {
    /// When it ends, unless its session calls again.
    pub fn ends(&self, presence: &dyn Presence) -> Timestamp {
        if self.holder.person.is_some() {
            return self.until;
        }
        let seen = presence.of(&self.holder.session);
        let renewed = seen.last_call.map(|at| lease_end(at, self.lease_minutes));
        let until = renewed.unwrap_or(self.until).max(self.until);
        seen.gone_since.map_or(until, |left| until.min(left.plus_seconds(AWAY)))
    }
}

pub fn lease_end(from: Timestamp, minutes: u32) -> Timestamp {
    from.plus_seconds(i64::from(minutes) * 60)
}

pub fn claim_key(workspace: &str, task: &str) -> Key {
    Key::of(workspace).text(task)
}

/// The claim on a task, whether or not it still counts.
pub fn stored(view: &dyn View, workspace: &str, task: &str) -> Result<Option<Claim>> {
    Ok(view.get::<Claim>(CLAIMS, &claim_key(workspace, task))?.map(|(claim, _)| claim))
}

/// The claim on a task that counts now, with its end.
pub fn held(ctx: &Ctx, view: &dyn View, task: &str) -> Result<Option<(Claim, Timestamp)>> {
    let found = stored(view, &ctx.session.workspace, task)?;
    Ok(found
        .map(|claim| (claim.ends(ctx.presence), claim))
        .and_then(|(ends, claim)| (ends > ctx.now).then_some((claim, ends))))
}

/// Who works on a task, as replies tell it.
#[derive(Serialize)]
pub struct ClaimShown {
    held_by: ClaimHolder,
    lease_until: String,
}

impl ClaimShown {
    pub fn of(ctx: &Ctx, view: &dyn View, task: &str) -> Result<Option<ClaimShown>> {
        let found = held(ctx, view, task)?;
        Ok(found.map(|(claim, until)| ClaimShown { held_by: claim.holder, lease_until: until.zulu() }))
    }
}

/// Every claim of the workspace that counts now, with its end. There are about as many as there are sessions: ended
/// ones are swept.
pub fn claims(ctx: &Ctx, view: &dyn View) -> Result<Vec<(Claim, Timestamp)>> {
    let mut out = Vec::new();
    for (key, row) in view.rows(&RowQuery::new(CLAIMS, Key::of(&ctx.session.workspace)))? {
        let claim: Claim = row.decode(CLAIMS, &key)?;
        let ends = claim.ends(ctx.presence);
        if ends > ctx.now {
            out.push((claim, ends));
        }
    }
    Ok(out)
}

/// The task that the calling session holds; where it holds several, the one it took last.
pub fn in_hand(ctx: &Ctx) -> Result<Option<String>> {
    let me = ClaimHolder::of(ctx.session);
    let mine = claims(ctx, ctx.view)?.into_iter().map(|(claim, _)| claim).filter(|c| c.holder.is(&me));
    Ok(mine.max_by_key(|claim| claim.since).map(|claim| claim.task))
}
