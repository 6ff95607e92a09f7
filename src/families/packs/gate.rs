//! The finalize gate: every ref must show now what it was anchored to, and there must be something to read.
//!
//! The files are read in the preparation; what was found is only used for the revision it was found for. Refs that
//! moved are repaired as part of the operation; those that changed need somebody who says that they were reviewed.

use crate::core::{Draft, Result};

use super::anchors::anchor::{NewAnchor, key_of};
use super::anchors::verdict::{Judge, Judged, RefInSection, RefVerdict};
use super::errors::{conflict, state};
use super::excerpt::RefTrouble;
use super::model::{ContextPack, PackRef};
use super::rows::Found;

const SHOWN: usize = 10;

/// What was found out about the refs of one revision of a pack, in their order.
#[derive(Debug)]
pub struct Inspection {
    id: String,
    rev: u64,
    pub refs: Vec<Judged>,
}

impl Inspection {
    pub fn make(judge: &Judge, found: &Found) -> Inspection {
        let items: Vec<RefInSection> = found.pack.refs().map(|(s, r)| (s.key.as_str(), r)).collect();
        let refs = judge.look(&items, usize::MAX).judged.into_iter().flatten().collect();
        Inspection { id: found.pack.id.clone(), rev: found.rev, refs }
    }

    /// Refuses what was found for another revision.
    pub fn of<'a>(found: &Found, inspection: Option<&'a Inspection>) -> Result<&'a Inspection> {
        let inspection = inspection
            .filter(|i| i.id == found.pack.id && i.rev == found.rev)
            .ok_or_else(|| conflict("the pack changed while its refs were checked; call again"))?;
        match inspection.refs.iter().find_map(|judged| judged.trouble.as_ref()?.untried()) {
            Some(e) => Err(e.clone()),
            None => Ok(inspection),
        }
    }
}

/// Refs first, even for a pack that is finalized already; then substance.
pub fn check(found: &Found, inspection: &Inspection, reviewed: bool) -> Result<()> {
    let hard = inspection.refs.iter().find_map(|j| match &j.trouble {
        Some(RefTrouble::Hard(error)) => Some(error.clone()),
        _ => None,
    });
    if let Some(error) = hard {
        return Err(error);
    }
    let lost = listed(&found.pack, inspection, RefVerdict::Lost);
    let changed = if reviewed { Vec::new() } else { listed(&found.pack, inspection, RefVerdict::Changed) };
    let some = |list: &[String], what: &str| {
        (!list.is_empty()).then(|| format!("{} {what} ref(s): {}", list.len(), short(list)))
    };
    let wrong: Vec<String> =
        [some(&lost, "stale"), some(&changed, "changed")].into_iter().flatten().collect();
    if !wrong.is_empty() {
        let mut hints = Vec::new();
        if !lost.is_empty() {
            hints.push(
                "Point what is stale to where it is now with upsert_ref, or take it out with delete_ref.",
            );
        }
        if !changed.is_empty() {
            hints.push("Read what changed with output; where title and why still hold, call again with reviewed: true.");
        }
        return Err(state(format!("the pack has {}", wrong.join("; and "))).hint(hints.join(" ")));
    }
    let empty = found.pack.sections.iter().all(|s| s.refs.is_empty() && s.diagrams.is_empty());
    if empty {
        return Err(state("a pack needs at least one ref or diagram to be finalized")
            .hint("Add one with upsert_ref or upsert_diagram."));
    }
    Ok(())
}

fn listed(pack: &ContextPack, inspection: &Inspection, verdict: RefVerdict) -> Vec<String> {
    let refs = pack.refs().zip(&inspection.refs).filter(|(_, judged)| judged.verdict == verdict);
    let line = |((section, r), judged): ((&super::model::Section, &PackRef), &Judged)| {
        let lines = format!("{}:{}-{}", r.path, r.lines.start, r.lines.end);
        let why = match &judged.trouble {
            Some(trouble) => trouble.reason().to_string(),
            None => format!("now lines {}-{} of '{}'", judged.lines.start, judged.lines.end, judged.path),
        };
        format!("{}::{} ({lines}): {why}", section.key, r.key)
    };
    refs.map(line).collect()
}

fn short(list: &[String]) -> String {
    list[..list.len().min(SHOWN)].join("; ")
}

/// A ref that points to its new place, with the anchor of it.
pub struct Repair {
    section: String,
    key: String,
    new: NewAnchor,
}

/// Points refs that moved, and with `reviewed` those that changed, to where they are now.
pub fn repair(pack: &mut ContextPack, inspection: &Inspection, reviewed: bool) -> Vec<Repair> {
    let refs = pack.sections.iter_mut().flat_map(|s| {
        let section = s.key.clone();
        s.refs.iter_mut().map(move |r| (section.clone(), r))
    });
    let mut repairs = Vec::new();
    for ((section, r), judged) in refs.zip(&inspection.refs) {
        let wanted =
            judged.verdict == RefVerdict::Moved || (reviewed && judged.verdict == RefVerdict::Changed);
        if let Some(new) = judged.new.as_ref().filter(|_| wanted) {
            (r.path, r.lines) = (judged.path.clone(), judged.lines);
            repairs.push(Repair { section, key: r.key.clone(), new: new.clone() });
        }
    }
    repairs
}

impl Repair {
    pub fn put(&self, draft: &mut Draft, space: &str, id: &str) -> Result<()> {
        self.new.put(draft, &key_of(space, id, &self.section, &self.key))
    }

    /// The anchor of a ref that an edit puts in place.
    pub fn of_edit(section: &str, key: &str, new: NewAnchor) -> Repair {
        Repair { section: section.to_string(), key: key.to_string(), new }
    }
}
