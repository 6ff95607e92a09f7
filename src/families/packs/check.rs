//! `input` actions `check` and `reanchor`: what became of every ref, and pointing them to where the code is now.

use serde_json::{Value, json};

use crate::core::{Ctx, Outcome, Result};

use super::anchors::verdict::{Judged, Verdict};
use super::args::{need_identifier, need_number, size};
use super::errors::revision_conflict;
use super::gate::{self, Inspection};
use super::input::{Written, reply, store};
use super::model::{Lines, Ref, Section};
use super::shelf::{Found, find, space_of};

/// Refs listed unless the call says how many; those that are not ok come first.
const LISTED: usize = 50;

fn lines_json(lines: Lines) -> Value {
    json!({"start": lines.start, "end": lines.end})
}

/// One ref as replies show it.
pub fn ref_json(section: &Section, r: &Ref, judged: &Judged) -> Value {
    let mut out = json!({
        "section": section.key, "key": r.key, "verdict": judged.verdict.as_str(),
        "path": judged.path, "lines": lines_json(judged.lines),
    });
    if matches!(judged.verdict, Verdict::Moved | Verdict::Changed) {
        out["was"] = json!({"path": r.path, "lines": lines_json(r.lines)});
    }
    if let Some(trouble) = &judged.trouble {
        out["reason"] = json!(trouble.reason());
    }
    if let Some(diff) = &judged.diff {
        out["diff"] = json!(diff);
    }
    if let Some(since) = judged.unverified_before {
        out["unverified_before"] = json!(since.zulu());
    }
    out
}

/// How many refs have which verdict; only those that occur.
pub fn counts<'a>(judged: impl Iterator<Item = &'a Judged> + Clone) -> Value {
    let count = |v: Verdict| judged.clone().filter(|j| j.verdict == v).count();
    Verdict::ALL
        .into_iter()
        .filter(|v| count(*v) > 0)
        .map(|v| (v.as_str().to_string(), json!(count(v))))
        .collect()
}

pub fn checked(ctx: &Ctx, inspection: Option<&Inspection>) -> Result<Outcome> {
    let found = find(ctx, &need_identifier(ctx.call)?)?;
    let inspection = Inspection::of(&found, inspection)?;
    let mut refs: Vec<_> = found.pack.refs().zip(&inspection.refs).collect();
    refs.sort_by_key(|(_, judged)| judged.verdict == Verdict::Ok);
    let (offset, limit) = (size(ctx.call, "offset").unwrap_or(0), size(ctx.call, "limit").unwrap_or(LISTED));
    let page = refs.iter().skip(offset).take(limit);
    let page: Vec<Value> = page.map(|((section, r), judged)| ref_json(section, r, judged)).collect();
    let mut payload = json!({
        "id": found.pack.id, "revision": found.rev, "counts": counts(inspection.refs.iter()),
    });
    let shown = offset.saturating_add(page.len());
    if shown < refs.len() && !page.is_empty() {
        payload["left"] = json!(refs.len() - shown);
        payload["next_offset"] = json!(shown);
    }
    payload["refs"] = Value::Array(page);
    if let Some(next) = next(&found, inspection) {
        payload["next"] = next;
    }
    Ok(Outcome::reply(reply("check", payload)))
}

/// The call that repairs what can be repaired.
fn next(found: &Found, inspection: &Inspection) -> Option<Value> {
    let any = |v: Verdict| inspection.refs.iter().any(|j| j.verdict == v);
    let mut arguments = json!({"action": "reanchor", "id": found.pack.id, "expected_revision": found.rev});
    match (any(Verdict::Moved), any(Verdict::Changed)) {
        (true, _) => {}
        // Only after somebody has looked.
        (false, true) => return Some(json!({"tool": "output", "arguments": {"id": found.pack.id}})),
        (false, false) => return None,
    }
    arguments["reviewed"] = json!(false);
    Some(json!({"tool": "input", "arguments": arguments}))
}

pub fn reanchored(ctx: &Ctx, inspection: Option<&Inspection>) -> Result<Outcome> {
    let identifier = need_identifier(ctx.call)?;
    let revision = need_number(ctx.call, "expected_revision")?;
    let mut found = find(ctx, &identifier)?;
    if found.rev != revision {
        return Err(revision_conflict(revision, found.rev));
    }
    let inspection = Inspection::of(&found, inspection)?;
    let reviewed = ctx.call.flag("reviewed");
    let repairs = gate::repair(&mut found.pack, inspection, reviewed);
    let left = inspection.refs.iter().filter(|j| match j.verdict {
        Verdict::Ok | Verdict::Moved => false,
        Verdict::Changed => !reviewed,
        Verdict::Lost | Verdict::Uncheckable => true,
    });
    let mut more = vec![("repaired", json!(repairs.len()))];
    if left.clone().next().is_some() {
        more.push(("left", counts(left)));
    }
    if repairs.is_empty() {
        return Ok(Outcome::reply(super::input::pack_reply("reanchor", &found.pack, found.rev, more)?));
    }
    found.pack.updated_at = ctx.now;
    let written = Written { pack: &found.pack, min_rev: 0, repairs, more };
    store(ctx, "reanchor", &space_of(ctx.session), written)
}
