//! The answers of `input`: an action, what came of it, and beside that what else there is to say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::core::{Change, Changed, Ctx, Reply, Result};

use super::actions::Action;
use super::anchors::verdict::{Judged, RefVerdict};
use super::model::{ContextPack, LineRange, PackRef, Section};
use super::rows::PACKS;
use super::tools::input::PacksInputArgs;

/// What stands beside the payload.
#[derive(Debug, Default, Serialize)]
pub struct Extra {
    /// Refs that were pointed to where their code is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<usize>,
    /// Those that were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<VerdictCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<ChosenRange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The lines that were taken for a symbol or a text.
#[derive(Debug, Serialize)]
pub struct ChosenRange {
    pub path: String,
    pub lines: LineRange,
}

#[derive(Serialize)]
struct InputReply<'a, P> {
    action: &'static str,
    payload: P,
    #[serde(flatten)]
    extra: &'a Extra,
}

pub fn reply(action: Action, payload: impl Serialize) -> Reply {
    Reply::of(&InputReply { action: action.as_str(), payload, extra: &Extra::default() })
}

/// A pack up to this size is answered whole.
const WHOLE: usize = 4 * 1024;
/// Room for what changed in a pack that is longer.
const CHANGED: usize = 500;

/// A pack that was changed: what became of it, and what changed.
#[derive(Serialize)]
struct ChangedPack<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    revision: u64,
    status: &'static str,
    changed: Vec<Changed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_left: Option<usize>,
    next: NextPackCall<'a>,
}

/// The call that goes on from here.
#[derive(Serialize)]
#[serde(tag = "tool", content = "arguments", rename_all = "lowercase")]
pub enum NextPackCall<'a> {
    Input { action: &'static str, id: &'a str, expected_revision: u64, reviewed: bool },
    Output { id: &'a str },
}

/// The answer of a change: the whole pack where it is short or was asked for.
pub fn written_reply(
    ctx: &Ctx,
    action: Action,
    (pack, revision): (&ContextPack, u64),
    changes: &[Change],
    extra: &Extra,
) -> Result<Reply> {
    let whole = pack_reply(action, pack, revision, extra)?;
    if whole.text.len() <= WHOLE || wants_all(ctx) {
        return Ok(whole);
    }
    let own: Vec<Change> = changes.iter().filter(|change| change.table == PACKS.0).cloned().collect();
    let (changed, left) = Changed::within(Changed::of(ctx.view, &own)?, CHANGED);
    let payload = ChangedPack {
        id: &pack.id,
        name: pack.name.as_deref(),
        revision,
        status: pack.status.as_str(),
        changed,
        changed_left: Some(left).filter(|left| *left > 0),
        next: NextPackCall::Output { id: &pack.id },
    };
    Ok(Reply::of(&InputReply { action: action.as_str(), payload, extra }))
}

/// Did the caller ask for the whole pack?
pub fn wants_all(ctx: &Ctx) -> bool {
    ctx.call.read::<PacksInputArgs>().is_ok_and(|args| args.full)
}

/// Says what was odd about the arguments, in both parts of a reply.
pub fn warn(reply: &mut Reply, warnings: &[String]) {
    if warnings.is_empty() {
        return;
    }
    if let Some(Value::Object(body)) = &mut reply.structured {
        match body.entry("warnings").or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => list.extend(warnings.iter().map(|w| Value::from(w.as_str()))),
            other => *other = warnings.into(),
        }
    }
    match (&reply.structured, reply.same) {
        (Some(body), true) => reply.text = body.to_string(),
        _ => warnings.iter().for_each(|w| reply.text.push_str(&format!("\n> warning: {w}\n"))),
    }
}

/// The whole pack, and beside it what else there is to say.
pub fn pack_reply(action: Action, pack: &ContextPack, rev: u64, extra: &Extra) -> Result<Reply> {
    Ok(Reply::of(&InputReply { action: action.as_str(), payload: pack.to_json(rev)?, extra }))
}

/// How many refs have which verdict; only those that occur.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct VerdictCounts(Map<String, Value>);

impl VerdictCounts {
    pub fn of<'a>(judged: impl Iterator<Item = &'a Judged> + Clone) -> VerdictCounts {
        let count = |v: RefVerdict| judged.clone().filter(|j| j.verdict == v).count();
        VerdictCounts::these(RefVerdict::ALL.into_iter().map(|v| (v, count(v))))
    }

    pub fn these(counts: impl Iterator<Item = (RefVerdict, usize)>) -> VerdictCounts {
        let some = counts.filter(|(_, n)| *n > 0);
        VerdictCounts(some.map(|(verdict, n)| (verdict.as_str().to_string(), n.into())).collect())
    }
}

/// One ref and what became of it.
#[derive(Serialize)]
pub struct ShownRef<'a> {
    section: &'a str,
    key: &'a str,
    verdict: &'static str,
    path: &'a str,
    lines: LineRange,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unverified_before: Option<String>,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    lines: LineRange,
}

impl<'a> ShownRef<'a> {
    pub fn of(section: &'a Section, r: &'a PackRef, judged: &'a Judged) -> ShownRef<'a> {
        let elsewhere = matches!(judged.verdict, RefVerdict::Moved | RefVerdict::Changed);
        ShownRef {
            section: &section.key,
            key: &r.key,
            verdict: judged.verdict.as_str(),
            path: &judged.path,
            lines: judged.lines,
            was: elsewhere.then_some(Place { path: &r.path, lines: r.lines }),
            reason: judged.trouble.as_ref().map(|trouble| trouble.reason()),
            diff: judged.diff.as_deref(),
            unverified_before: judged.unverified_before.map(|since| since.zulu()),
        }
    }
}

/// What became of a pack, without the pack.
#[derive(Serialize)]
struct Brief<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    revision: u64,
    status: &'static str,
    expires_at: String,
    counts: VerdictCounts,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lines: &'a ChosenLines,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    next: NextPackCall<'a>,
}

/// Where lines were chosen by a symbol or a text: those of each section's refs, in the order of the call.
pub type ChosenLines = BTreeMap<String, Vec<String>>;

/// The answer of a `write`: so many refs are in place, these are not.
pub fn brief_reply(
    ctx: &Ctx,
    (pack, rev): (&ContextPack, u64),
    in_place: usize,
    stale: &[(String, String)],
    lines: &ChosenLines,
) -> Result<Reply> {
    let warnings: Vec<String> = stale.iter().map(|(at, why)| format!("{at}: {why}")).collect();
    if wants_all(ctx) {
        return pack_reply(Action::Write, pack, rev, &Extra { warnings, ..Extra::default() });
    }
    let counts = [(RefVerdict::Ok, in_place), (RefVerdict::Lost, stale.len())];
    let payload = Brief {
        id: &pack.id,
        name: pack.name.as_deref(),
        revision: rev,
        status: pack.status.as_str(),
        expires_at: pack.expires_at.zulu(),
        counts: VerdictCounts::these(counts.into_iter()),
        lines,
        warnings,
        next: NextPackCall::Output { id: &pack.id },
    };
    Ok(reply(Action::Write, payload))
}
