//! `input` actions that only read the store: `list` and `get`.

use serde::Serialize;

use crate::core::{Ctx, Outcome, Result};

use super::super::list::{AROUND, ListedPack, PackFilter, UNASKED, list};
use super::super::model::PackRef;
use super::super::reply::{Extra, pack_reply, reply, wants_all};
use super::super::rows::{find, space_of};
use super::Action;

#[derive(Serialize)]
struct Listed {
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    packs: Vec<ListedPack>,
    total: usize,
}

pub fn listed(ctx: &Ctx, filter: &PackFilter) -> Result<Outcome> {
    let mut listing = list(ctx.view, &space_of(ctx.session), ctx.now, filter)?;
    let mut packs: Vec<ListedPack> = listing.packs.iter().map(|p| ListedPack::of(p, ctx.now)).collect();
    let mut sizes = packs.iter().map(|p| serde_json::to_string(p).map_or(0, |text| text.len() + 1));
    listing.fit(|_| sizes.next().unwrap_or(0));
    packs.truncate(listing.packs.len());
    let next_offset = listing.next();
    let payload = Listed { count: packs.len(), next_offset, packs, total: listing.total };
    Ok(Outcome::reply(reply(Action::List, payload)))
}

pub fn got(ctx: &Ctx, pack: &str) -> Result<Outcome> {
    let mut found = find(ctx, pack)?;
    let whole = pack_reply(Action::Get, &found.pack, found.rev, &Extra::default())?;
    if whole.text.len() <= UNASKED || wants_all(ctx) {
        return Ok(Outcome::reply(whole));
    }
    // Its refs go, from the last section on, until it fits; who wants them all says so.
    let mut left = 0;
    let mut room = whole.text.len();
    for section in found.pack.sections.iter_mut().rev() {
        if room <= UNASKED - AROUND {
            break;
        }
        let sized = |r: &PackRef| serde_json::to_string(r).map_or(0, |text| text.len());
        room = room.saturating_sub(section.refs.iter().map(sized).sum());
        left += section.refs.len();
        section.refs.clear();
    }
    let call = format!("input {{\"action\":\"get\",\"id\":\"{}\",\"full\":true}}", found.pack.id);
    let told = format!("{left} refs were left off; {call} shows the whole pack, output its code.");
    let extra = Extra { warnings: vec![told], ..Extra::default() };
    Ok(Outcome::reply(pack_reply(Action::Get, &found.pack, found.rev, &extra)?))
}
