//! The `output` tool: packs as Markdown, with the real code behind every anchor.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::core::{Call, Ctx, Key, Reply, Result, World};

use super::anchors::Sight;
use super::anchors::anchor::{New, key_of};
use super::anchors::memory::Memory;
use super::anchors::verdict::Verdict;
use super::args::{self, need_identifier, size};
use super::check::ref_json;
use super::errors::{invalid, state};
use super::life;
use super::list::{Filter, list};
use super::pages::{Kept, Name, Pages};
use super::render::{Page, render};
use super::shelf::{PACKS, Summary, find, pack_key, resolve, space_of};

/// An `id` (or, without that key, a `name`) that is a string means `get`.
fn default_action(call: &Call) -> &'static str {
    let named = call.args.get("id").or_else(|| call.args.get("name")).is_some_and(Value::is_string);
    if named { "get" } else { "list" }
}

/// Does this call render, and so read source files?
pub fn renders(call: &Call) -> bool {
    !call.has("format") && args::action(call, default_action(call)) == "get"
}

/// Does this call list packs?
pub fn lists(call: &Call) -> bool {
    args::action(call, default_action(call)) == "list"
}

/// Everything but rendering.
pub fn call(ctx: &Ctx) -> Result<Reply> {
    if ctx.call.has("format") {
        return Err(invalid("'format' is not supported; output is always markdown"));
    }
    match args::action(ctx.call, default_action(ctx.call)) {
        "list" => listed(ctx),
        other => Err(invalid(format!("unknown output action '{other}'")).hint("Use list or get.")),
    }
}

fn listed(ctx: &Ctx) -> Result<Reply> {
    let mut listing = list(ctx.view, &space_of(ctx.session), ctx.now, &Filter::of(ctx.call)?)?;
    if listing.packs.is_empty() {
        return Ok(Reply::text("No context packs found."));
    }
    let line = |p: &Summary| {
        let title = p.title.as_deref().or(p.name.as_deref()).unwrap_or("Untitled");
        let ttl = life::human(p.expires_at, ctx.now);
        format!("- `{}` — {title} (revision `{}`, ttl `{ttl}`)\n", p.id, p.revision)
    };
    let cut = listing.fit(|p| line(p).len());
    let mut text = "# Context packs\n\n".to_string();
    text.extend(listing.packs.iter().map(line));
    if let (true, Some(next)) = (cut, listing.next()) {
        text.push_str(&format!("\n> page: {} left, continue with offset {next}\n", listing.total - next));
    }
    Ok(Reply::text(text))
}

/// A page of a pack, and the anchors that refs without one gained by being read.
pub struct Read {
    /// Large, so it is taken out and not copied.
    reply: Mutex<Reply>,
    pub gained: Vec<(Key, New)>,
}

impl Read {
    pub fn take(&self) -> Reply {
        std::mem::take(&mut *self.reply.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Renders the pack a call names, in the state it asks for; a page that still stands is not made again.
pub fn rendered(ctx: &Ctx, world: &dyn World, memory: &Memory, pages: &Pages) -> Result<Read> {
    let identifier = need_identifier(ctx.call)?;
    let wanted = args::status(ctx.call)?;
    let space = space_of(ctx.session);
    let pack = pack_key(&space, &resolve(ctx.view, &space, &identifier, ctx.now)?);
    let page = Page { offset: size(ctx.call, "offset").unwrap_or(0), limit: size(ctx.call, "limit") };
    let root = Sight::root(ctx, world);
    let name = |revision: u64| Name { pack: pack.clone(), revision, root: root.clone(), page };
    if let Some(row) = ctx.view.row(PACKS, &pack)?
        && let Some(kept) = pages.find(&name(row.rev))
        && wanted.is_none_or(|wanted| wanted == kept.status)
        && kept.stands(world, ctx.now)
    {
        return Ok(Read { reply: Mutex::new(Reply::text(kept.text(ctx.now))), gained: Vec::new() });
    }
    let found = find(ctx, &identifier)?;
    if let Some(wanted) = wanted.filter(|w| *w != found.pack.status) {
        let (is, wanted) = (found.pack.status.as_str(), wanted.as_str());
        return Err(state(format!("pack '{}' has status '{is}', not '{wanted}'", found.pack.id)));
    }
    let sight = Sight::of(ctx, world, &found)?;
    let page =
        render(&found.pack, found.rev, ctx.now, page, &sight.judge(ctx, world, memory, true)).tried()?;
    if let Some(kept) = Kept::of(name(found.rev), &found.pack, &page, ctx.now) {
        pages.keep(kept);
    }
    let mut reply = Reply::text(page.text);
    if page.refs.iter().any(|(_, _, judged)| judged.verdict != Verdict::Ok) {
        let refs: Vec<Value> =
            page.refs.iter().map(|(section, r, judged)| ref_json(section, r, judged)).collect();
        reply.structured = Some(json!({"refs": refs, "markdown": reply.text}));
    }
    let key = |section: &str, r: &str| key_of(&space, &found.pack.id, section, r);
    let gained = page.refs.iter().filter_map(|(section, r, judged)| {
        judged.new.as_ref().filter(|new| new.anchor.late).map(|new| (key(&section.key, &r.key), new.clone()))
    });
    Ok(Read { gained: gained.collect(), reply: Mutex::new(reply) })
}
