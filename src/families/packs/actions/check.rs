//! `input` actions `check` and `reanchor`: what became of every ref, and pointing them to where the code is now.

use serde::Serialize;

use crate::core::{Ctx, Outcome, Result};

use super::super::anchors::verdict::RefVerdict;
use super::super::gate::{self, Inspection};
use super::super::list::UNASKED;
use super::super::reply::{Extra, NextPackCall, ShownRef, VerdictCounts, reply, written_reply};
use super::super::rows::{Found, find};
use super::super::store::PackToStore;
use super::fields::{Fields, size};
use super::{Action, PackTarget};

/// Refs listed unless the call says how many; those that are not ok come first.
const LISTED: usize = 50;

#[derive(Debug)]
pub struct CheckPack {
    pub pack: String,
    offset: usize,
    limit: Option<usize>,
}

#[derive(Serialize)]
struct Checked<'a> {
    id: &'a str,
    revision: u64,
    counts: VerdictCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    refs: Vec<ShownRef<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextPackCall<'a>>,
}

impl CheckPack {
    pub fn of(fields: &Fields) -> Result<CheckPack> {
        Ok(CheckPack {
            pack: fields.need_identifier()?,
            offset: size(&fields.offset).unwrap_or(0),
            limit: size(&fields.limit),
        })
    }

    pub fn decide(&self, ctx: &Ctx, inspection: Option<&Inspection>) -> Result<Outcome> {
        let found = find(ctx, &self.pack)?;
        let inspection = Inspection::of(&found, inspection)?;
        let mut all: Vec<_> = found.pack.refs().zip(&inspection.refs).collect();
        all.sort_by_key(|(_, judged)| judged.verdict == RefVerdict::Ok);
        let page = all.iter().skip(self.offset).take(self.limit.unwrap_or(LISTED));
        let mut refs: Vec<_> = page.map(|((section, r), judged)| ShownRef::of(section, r, judged)).collect();
        if self.limit.is_none() {
            fit(&mut refs);
        }
        let shown = self.offset.saturating_add(refs.len());
        let more = shown < all.len() && !refs.is_empty();
        let payload = Checked {
            id: &found.pack.id,
            revision: found.rev,
            counts: VerdictCounts::of(inspection.refs.iter()),
            left: more.then(|| all.len() - shown),
            next_offset: more.then_some(shown),
            refs,
            next: next(&found, inspection),
        };
        Ok(Outcome::reply(reply(Action::Check, payload)))
    }
}

/// Keeps as many as a reply has room for that nobody asked to be longer; at least one.
fn fit(refs: &mut Vec<ShownRef>) {
    let mut used = UNASKED / 8;
    let fits = |r: &ShownRef| {
        used += serde_json::to_string(r).map_or(0, |text| text.len() + 1);
        used <= UNASKED
    };
    let keep = refs.iter().map(fits).take_while(|fits| *fits).count();
    refs.truncate(keep.max(1));
}

/// The call that repairs what can be repaired.
fn next<'a>(found: &'a Found, inspection: &Inspection) -> Option<NextPackCall<'a>> {
    let any = |v: RefVerdict| inspection.refs.iter().any(|j| j.verdict == v);
    let (id, expected_revision) = (found.pack.id.as_str(), found.rev);
    match (any(RefVerdict::Moved), any(RefVerdict::Changed)) {
        (true, _) => Some(NextPackCall::Input {
            action: Action::Reanchor.as_str(),
            id,
            expected_revision,
            reviewed: false,
        }),
        // Only after somebody has looked.
        (false, true) => Some(NextPackCall::Output { id }),
        (false, false) => None,
    }
}

#[derive(Debug)]
pub struct Reanchor {
    pub target: PackTarget,
    reviewed: bool,
}

impl Reanchor {
    pub fn of(fields: &Fields) -> Result<Reanchor> {
        Ok(Reanchor { target: PackTarget::of(fields)?, reviewed: fields.is_reviewed() })
    }

    pub fn decide(&self, ctx: &Ctx, inspection: Option<&Inspection>) -> Result<Outcome> {
        let mut found = self.target.find(ctx)?;
        let inspection = Inspection::of(&found, inspection)?;
        let repairs = gate::repair(&mut found.pack, inspection, self.reviewed);
        let left = inspection.refs.iter().filter(|j| match j.verdict {
            RefVerdict::Ok | RefVerdict::Moved => false,
            RefVerdict::Changed => !self.reviewed,
            RefVerdict::Lost | RefVerdict::Uncheckable => true,
        });
        let some_left = left.clone().next().is_some();
        let extra = Extra {
            repaired: Some(repairs.len()),
            left: some_left.then(|| VerdictCounts::of(left)),
            ..Extra::default()
        };
        if repairs.is_empty() {
            let pack = (&found.pack, found.rev);
            return written_reply(ctx, Action::Reanchor, pack, &[], &extra).map(Outcome::reply);
        }
        found.pack.updated_at = ctx.now;
        PackToStore { action: Action::Reanchor, pack: &found.pack, min_rev: 0, repairs, extra }.outcome(ctx)
    }
}
