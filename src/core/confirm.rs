//! Confirmations: made with a preview, taken once, bound to who asked for what in which state.
//!
//! Only the SHA-256 of a token is ever stored, and where a person must decide nobody has one. These functions write
//! into a draft, so that taking a confirmation and doing the work are one commit. Rows stay for a day, to tell a used
//! token from one that never existed and to let people see what lapsed; `pending` has them.

mod pending;
pub mod steps;

use serde_json::{Map, Value, json};

use super::{
    Ctx, Draft, Error, IndexQuery, Key, Kind, Mode, Question, Result, RowQuery, SessionInfo, Sha, Timestamp,
    View, json as canonical, row,
};

pub use pending::{CONFIRMATIONS, ConfirmEnded, ConfirmStatus, Pending, WAITING, index};

/// What stands before a yes, as the engine knows it.
pub trait Gatekeeper: Send + Sync {
    /// The configuration leaves dangerous things to people.
    fn people_decide(&self) -> bool;

    /// Why nobody may agree to this now, if so.
    fn forbidden(&self, pending: &Pending, session: &SessionInfo) -> Result<Option<String>>;
}

/// What the tools around confirmations are called: every preview and refusal names them.
#[derive(Debug, Clone, Copy)]
pub struct ConfirmNames {
    pub family: &'static str,
    pub set_mode: &'static str,
    pub confirm: &'static str,
    pub cancel: &'static str,
    pub list: &'static str,
}

pub const TTL_SECONDS: i64 = 300;
const TRIES: u8 = 3;
const KEEP_SECONDS: i64 = 24 * 3600;
const ID_LEN: usize = 12;

/// What a token is issued for.
pub struct NewToken<'a> {
    pub info: &'a SessionInfo,
    pub tool: &'a str,
    pub args: Map<String, Value>,
    pub state: String,
    pub kind: &'a str,
    pub typed: Option<String>,
    pub call_mode: Option<Mode>,
    pub session_mode: Option<Mode>,
    pub summary: String,
    pub ttl_seconds: i64,
    pub human: bool,
    pub question: Question,
    /// Of the confirmation it follows.
    pub life: Option<String>,
    pub targets: Vec<String>,
}

pub fn key_of(token: &str) -> Key {
    Key::of(Sha::of(token.as_bytes()).as_str())
}

pub fn id_of(key: &Key) -> String {
    key.parts().text().unwrap_or_default().chars().take(ID_LEN).collect()
}

/// Keeps a new confirmation under the key of its token, or of one that nobody has.
pub fn issue(draft: &mut Draft, key: &Key, new: NewToken, now: Timestamp) -> Result<Pending> {
    forget_old(draft, now)?;
    let expires = now.plus_seconds(new.ttl_seconds);
    let pending = Pending {
        info: new.info.clone(),
        tool: new.tool.to_string(),
        args_digest: canonical::digest(&new.args),
        args: new.args,
        state: new.state,
        kind: new.kind.to_string(),
        typed: new.typed,
        call_mode: new.call_mode,
        session_mode: new.session_mode,
        summary: new.summary,
        issued: now,
        expires,
        status: ConfirmStatus::Waiting,
        tries_left: TRIES,
        human: new.human,
        question: new.question,
        life: new.life.unwrap_or_else(|| id_of(key)),
        previewed: None,
        targets: new.targets,
        lapse_noted: false,
        ended: None,
    };
    draft.put(CONFIRMATIONS, key, &pending)?;
    Ok(pending)
}

/// What whoever confirms brings along.
pub struct ConfirmAttempt<'a> {
    pub key: &'a Key,
    pub typed: Option<&'a str>,
    /// The session that confirms; `None` = a person, who may confirm for any session.
    pub session: Option<&'a str>,
    pub now: Timestamp,
    /// Digest of the state as it is now.
    pub state: &'a str,
    /// The mode that would govern the call now, if it forbids the call.
    pub denied: Option<Mode>,
}

/// Decides about a token and writes what follows into the draft: it is spent, a try is used up, or nothing.
pub fn take(draft: &mut Draft, ask: &ConfirmAttempt) -> Result<std::result::Result<Pending, Error>> {
    let mut pending = match waiting(draft, ask.key, ask.session, ask.now)? {
        Ok(pending) => pending,
        Err(e) => return Ok(Err(e)),
    };
    if let Some(mode) = ask.denied {
        return Ok(Err(mode_denied(&pending.tool, mode)));
    }
    if pending.typed.as_deref().is_some_and(|wanted| ask.typed != Some(wanted)) {
        pending.tries_left = pending.tries_left.saturating_sub(1);
        if pending.tries_left == 0 {
            pending.status = ConfirmStatus::Locked;
        }
        draft.put(CONFIRMATIONS, ask.key, &pending)?;
        return Ok(Err(wrong_typed(pending.tries_left, ask.typed.is_none())));
    }
    let drifted = pending.state != ask.state;
    if drifted && pending.human {
        return Ok(Err(drift()));
    }
    pending.status = if drifted { ConfirmStatus::Drifted } else { ConfirmStatus::Used };
    draft.put(CONFIRMATIONS, ask.key, &pending)?;
    if drifted { Ok(Err(drift())) } else { Ok(Ok(pending)) }
}

fn drift() -> Error {
    Error::new(
        Kind::Conflict,
        DRIFT,
        "What was previewed has changed since, so nothing was done and this confirmation is spent.",
    )
    .hint("Look at the fresh preview and confirm that one.")
}

/// Code of a refusal that comes with a fresh preview.
pub const DRIFT: &str = "confirm_state_drift";
/// The same where too much time has passed.
pub const LAPSED: &str = "confirm_lapsed";

pub fn mode_denied(tool: &str, mode: Mode) -> Error {
    Error::new(
        Kind::Denied,
        "confirm_mode_denied",
        format!("{tool} was not confirmed because the mode is now {}.", mode.as_str()),
    )
    .hint("Set the mode to execute again before the token expires.")
}

fn wrong_typed(left: u8, nothing: bool) -> Error {
    let what = if nothing {
        "The name must be typed to confirm this"
    } else {
        "The typed name is not the right one"
    };
    let hint = match left {
        0 => "The token is spent. Ask for a new preview.".to_string(),
        n => format!("Send the exact name as 'typed_value'; {n} attempt(s) left."),
    };
    Error::new(Kind::Denied, "confirm_wrong_typed_value", format!("{what}."))
        .hint(hint)
        .details(json!({"attempts_left": left}))
}

/// The confirmation behind a token if it can still be taken, else the precise reason why not.
pub fn waiting(
    view: &dyn View,
    key: &Key,
    session: Option<&str>,
    now: Timestamp,
) -> Result<std::result::Result<Pending, Error>> {
    let no = |code: &str, message: String| {
        Ok(Err(Error::new(Kind::Denied, code, message).hint("Ask for a new preview.")))
    };
    let Some((pending, _)) = view.get::<Pending>(CONFIRMATIONS, key)? else {
        return no("confirm_unknown", "There is no such confirmation token.".into());
    };
    if session.is_some_and(|s| s != pending.info.id) {
        return no("confirm_wrong_session", "This token belongs to another session.".into());
    }
    match pending.status {
        ConfirmStatus::Waiting if pending.expires <= now => {
            no("confirm_expired", format!("This token expired at {}.", pending.expires.zulu()))
        }
        ConfirmStatus::Waiting => Ok(Ok(pending)),
        ConfirmStatus::Used => no("confirm_used", "This token has already been used.".into()),
        ConfirmStatus::Cancelled => no("confirm_used", "This token was cancelled.".into()),
        ConfirmStatus::Drifted => {
            no("confirm_used", "This token was spent when the previewed state changed.".into())
        }
        ConfirmStatus::Locked => Ok(Err(wrong_typed(0, false))),
    }
}

/// Gives a confirmation up. What a person was asked can be declined also after it lapsed.
pub fn cancel(draft: &mut Draft, key: &Key, session: Option<&str>, now: Timestamp) -> Result<Pending> {
    let found = (&*draft as &dyn View).get::<Pending>(CONFIRMATIONS, key)?;
    let mut pending = match found {
        Some((p, _)) if p.human && p.lapsed(now) && session.is_none_or(|s| s == p.info.id) => p,
        _ => waiting(draft, key, session, now)??,
    };
    pending.status = ConfirmStatus::Cancelled;
    if pending.human {
        let text = "Nothing was done.".to_string();
        pending.ended =
            Some(ConfirmEnded { how: "declined".into(), at: now, text, operation_id: None, run_id: None });
    }
    draft.put(CONFIRMATIONS, key, &pending)?;
    Ok(pending)
}

/// Everything that people were or are asked since a time (its expiry counts): of one session, or of everybody.
pub fn asked(view: &dyn View, session: Option<&str>, since: Timestamp) -> Result<Vec<(Key, Pending)>> {
    let group = session.map_or(Key::of("people"), |s| Key::of("people of").text(s));
    let entries = view.index(&IndexQuery::new(WAITING, group).from(Key::empty().number(since.sortable())))?;
    let mut out = Vec::new();
    for entry in entries {
        let key = Key::from_bytes(&entry.value);
        if let Some((pending, _)) = view.get::<Pending>(CONFIRMATIONS, &key)? {
            out.push((key, pending));
        }
    }
    Ok(out)
}

/// What expired without a decision since a time, with tokens and without.
pub fn unanswered(view: &dyn View, since: Timestamp, now: Timestamp) -> Result<Vec<(Key, Pending)>> {
    let from = Key::empty().number(since.sortable());
    let entries = view.index(&IndexQuery::new(WAITING, Key::of("all")).from(from))?;
    let mut out = Vec::new();
    for entry in entries {
        let key = Key::from_bytes(&entry.value);
        match view.get::<Pending>(CONFIRMATIONS, &key)? {
            Some((pending, _)) if pending.lapsed(now) => out.push((key, pending)),
            // In order of their expiry: nothing further on has lapsed.
            Some(_) => break,
            None => {}
        }
    }
    Ok(out)
}

/// How far back [`asked`] usefully looks.
pub fn kept_since(now: Timestamp) -> Timestamp {
    now.plus_seconds(-KEEP_SECONDS)
}

/// What waits, oldest first, with its id: of one session, or of everybody.
pub fn list(view: &dyn View, session: Option<&str>, now: Timestamp) -> Result<Vec<(String, Pending)>> {
    let group = session.map_or(Key::of("all"), |s| Key::of("session").text(s));
    let entries =
        view.index(&IndexQuery::new(WAITING, group).from(Key::empty().number(now.sortable() + 1)))?;
    let mut out = Vec::new();
    for entry in entries {
        let key = Key::from_bytes(&entry.value);
        if let Some((pending, _)) = view.get::<Pending>(CONFIRMATIONS, &key)? {
            out.push((id_of(&key), pending));
        }
    }
    Ok(out)
}

/// The key behind an id as [`list`] shows it; for people, who never see tokens.
pub fn key_by_id(view: &dyn View, id: &str) -> Result<Option<Key>> {
    let hex = id.len() == ID_LEN && id.bytes().all(|b| b.is_ascii_hexdigit());
    if !hex {
        return Ok(None);
    }
    let rows = view.rows(&RowQuery::new(CONFIRMATIONS, Key::from_bytes(id.as_bytes())).limit(2))?;
    Ok(if let [(key, _)] = rows.as_slice() { Some(key.clone()) } else { None })
}

/// What somebody means by a token or an id: a person may name a confirmation by its id, and so may whoever asked one of
/// a person; a token names the rest.
pub fn named(view: &dyn View, session: &SessionInfo, token: &str) -> Result<Key> {
    if let Some(key) = key_by_id(view, token)? {
        let found = view.get::<Pending>(CONFIRMATIONS, &key)?;
        if session.is_cli() || found.is_some_and(|(p, _)| p.human) {
            return Ok(key);
        }
    }
    Ok(key_of(token))
}

/// Under which a refused word about a confirmation is found.
pub fn concerned(ctx: &Ctx, token: &str) -> Vec<String> {
    let found = named(ctx.view, ctx.session, token)
        .and_then(|key| Ok(ctx.view.get::<Pending>(CONFIRMATIONS, &key)?.map(|(p, _)| (key, p))));
    found.ok().flatten().map(|(key, pending)| steps::targets(&key, &pending)).unwrap_or_default()
}

fn forget_old(draft: &mut Draft, now: Timestamp) -> Result<()> {
    let old = now.plus_seconds(-KEEP_SECONDS);
    let rows = draft.rows(&RowQuery::new(CONFIRMATIONS, Key::empty()).limit(200))?;
    for (key, row) in rows {
        if row::decode::<Pending>(&row.value).is_ok_and(|p| p.expires < old) {
            draft.delete(CONFIRMATIONS, &key)?;
        }
    }
    Ok(())
}
