//! `input` action `write`: a whole pack in one call, new or instead of the one there is.
//!
//! Ids and times are the server's. Whatever is wrong is reported at once, by path, and nothing is stored then.

use std::collections::BTreeSet;

use crate::core::{Ctx, Given, Kind, Outcome, Result};

use super::super::anchors::anchor::forget;
use super::super::errors::{invalid, revision_conflict, state};
use super::super::gate::Repair;
use super::super::model::{ContextPack, PackStatus};
use super::super::picking::{Library, NamedLines, PickedLines};
use super::super::reply::{ChosenLines, brief_reply};
use super::super::rows::{Found, find, name_is_free, pack_key, space_of};
use super::super::rules;
use super::super::store::{free_id, record, save};
use super::Action;
use super::faults::Faults;
use super::fields::{Fields, strict_number, text};
use super::wanted::WantedPack;

/// What an agent leaves out of `write` lives for a day.
const DAY_SECONDS: i64 = 24 * 60 * 60;

#[derive(Debug)]
pub struct Write {
    id: Option<String>,
    expected_revision: Given<u64>,
    wanted: WantedPack,
}

impl Write {
    pub fn of(fields: &Fields) -> Result<Write> {
        let wanted = WantedPack::of(fields)?;
        Ok(Write { id: text(&fields.id), expected_revision: fields.expected_revision.clone(), wanted })
    }

    /// Looks at the files behind every ref the call brings, in their order.
    pub fn look(&self, library: &mut Library) -> Vec<PickedLines> {
        self.wanted.refs.iter().map(|r| library.look(&r.path, &r.how)).collect()
    }

    /// The pack that the call names, if there is one; a name that nobody has is for a new pack.
    fn existing(&self, ctx: &Ctx) -> Result<Option<Found>> {
        let found = match (&self.id, &self.wanted.name) {
            (Some(id), _) => find(ctx, id)?,
            (None, Some(name)) => match find(ctx, name) {
                Ok(found) => found,
                Err(e) if e.kind == Kind::NotFound => return Ok(None),
                Err(e) => return Err(e),
            },
            (None, None) => return Ok(None),
        };
        let said = strict_number("expected_revision", &self.expected_revision)?;
        let said = said.ok_or_else(|| {
            invalid(format!(
                "'expected_revision' is required: pack '{}' exists in revision {}",
                found.pack.id, found.rev
            ))
        })?;
        if said != found.rev {
            return Err(revision_conflict(said, found.rev));
        }
        Ok(Some(found))
    }

    pub fn decide(&self, ctx: &Ctx, looked: &[PickedLines]) -> Result<Outcome> {
        let wanted = &self.wanted;
        let space = space_of(ctx.session);
        let mut pack = match self.existing(ctx)? {
            Some(found) => found.pack,
            None => new_pack(ctx, &space, wanted)?,
        };
        if pack.status == PackStatus::Finalized && wanted.status.is_none() {
            return Err(state(format!(
                "pack '{}' is finalized; send 'status' to say what it becomes",
                pack.id
            )));
        }
        pack.title = wanted.title.clone().or(pack.title);
        pack.brief = wanted.brief.clone().or(pack.brief);
        pack.tags = wanted.tags.clone().unwrap_or(pack.tags);
        pack.status = wanted.status.unwrap_or(PackStatus::Draft);
        pack.expires_at = match wanted.ttl_seconds {
            Some(seconds) => ctx.now.plus_seconds(seconds),
            None => pack.expires_at.max(ctx.now.plus_seconds(DAY_SECONDS)),
        };
        pack.updated_at = ctx.now;
        let mut placed = Placed::default();
        if let Some(sections) = &wanted.sections {
            pack.sections = sections.clone();
            placed = place(&mut pack, wanted, looked)?;
        }
        finalizable(&pack, &placed.stale, wanted.sections.is_some())?;
        let mut draft = ctx.draft();
        if wanted.sections.is_some() {
            forget(&mut draft, &pack_key(&space, &pack.id))?;
        }
        let rev = save(&mut draft, &space, &pack, 0, &placed.repairs)?;
        let mut out = draft.into_outcome();
        out.reply = brief_reply(ctx, (&pack, rev), placed.repairs.len(), &placed.stale, &placed.lines)?;
        out.record = record(Action::Write, &pack);
        Ok(out)
    }
}

/// Where the refs of a call came to point.
#[derive(Default)]
struct Placed {
    repairs: Vec<Repair>,
    /// Those that point to nothing: where they stand in the call, and why.
    stale: Vec<(String, String)>,
    /// Of the sections in which lines were chosen.
    lines: ChosenLines,
}

/// Gives every ref the lines that were found for it.
fn place(pack: &mut ContextPack, wanted: &WantedPack, looked: &[PickedLines]) -> Result<Placed> {
    let mut placed = Placed::default();
    let mut faults = Faults::default();
    let mut chosen = BTreeSet::new();
    let refs = pack.sections.iter_mut().flat_map(|s| {
        let section = s.key.clone();
        s.refs.iter_mut().map(move |r| (section.clone(), r))
    });
    for ((section, r), (wanted, looked)) in refs.zip(wanted.refs.iter().zip(looked)) {
        let found = looked.lines.clone().and_then(|l| rules::lines(l.start, l.end));
        let Some(lines) = faults.take(&wanted.at, found) else { continue };
        r.lines = lines;
        if !matches!(wanted.how, NamedLines::Lines(_)) {
            chosen.insert(section.clone());
        }
        placed.repairs.extend(looked.new.clone().map(|new| Repair::of_edit(&section, &r.key, new)));
        placed.stale.extend(looked.warning.as_ref().map(|why| (wanted.at.clone(), why.clone())));
    }
    for section in pack.sections.iter().filter(|s| chosen.contains(&s.key)) {
        let lines = section.refs.iter().map(|r| format!("{}-{}", r.lines.start, r.lines.end));
        placed.lines.insert(section.key.clone(), lines.collect());
    }
    faults.none().map(|()| placed)
}

fn new_pack(ctx: &Ctx, space: &str, wanted: &WantedPack) -> Result<ContextPack> {
    if let Some(name) = &wanted.name {
        // One that looks like an id names a pack that is gone, not a new one.
        rules::name(name)?;
        name_is_free(ctx.view, space, name, "", ctx.now)?;
    }
    Ok(ContextPack {
        id: free_id(ctx, space)?,
        workspace: ctx.session.workspace.clone(),
        name: wanted.name.clone(),
        title: None,
        brief: None,
        status: PackStatus::Draft,
        tags: Vec::new(),
        sections: Vec::new(),
        created_at: ctx.now,
        updated_at: ctx.now,
        expires_at: ctx.now,
    })
}

/// The gate of `set_status`, for refs that were all looked at just now.
pub fn finalizable(pack: &ContextPack, stale: &[(String, String)], all_looked_at: bool) -> Result<()> {
    if pack.status != PackStatus::Finalized {
        return Ok(());
    }
    if !all_looked_at {
        return Err(invalid("'status' finalized needs 'sections' here")
            .hint("Or use set_status, which checks the refs."));
    }
    if !stale.is_empty() {
        let list: Vec<String> = stale.iter().take(10).map(|(at, why)| format!("{at}: {why}")).collect();
        return Err(state(format!("the pack has {} stale ref(s): {}", stale.len(), list.join("; "))));
    }
    if pack.sections.iter().all(|s| s.refs.is_empty() && s.diagrams.is_empty()) {
        return Err(state("a pack needs at least one ref or diagram to be finalized"));
    }
    Ok(())
}
