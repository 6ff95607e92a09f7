//! `output`: packs as Markdown, with the real code behind every anchor.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::core::arguments::Arguments;
use crate::core::{Ctx, Key, Look, Needs, Outcome, Reply, Result, SessionInfo, Tool};

use super::super::actions::fields::{Fields, odd_sizes, size};
use super::super::anchors::anchor::{NewAnchor, key_of};
use super::super::anchors::late;
use super::super::anchors::memory::AnchorMemory;
use super::super::anchors::verdict::RefVerdict;
use super::super::anchors::{Sight, committed};
use super::super::errors::{invalid, state};
use super::super::life;
use super::super::list::{MAX_REPLY, PackFilter, UNASKED, list};
use super::super::model::PackStatus;
use super::super::pages::{CachedPage, CachedPages, PageName};
use super::super::render::{RefWindow, Rendered, render};
use super::super::reply::{ShownRef, warn};
use super::super::rows::{PACKS, PackSummary, find, pack_key, resolve, space_of};

pub struct PacksOutput;

/// What a call of `output` asks for.
#[derive(Debug)]
enum Asked {
    List(PackFilter),
    Pack { identifier: String, status: Option<PackStatus>, page: RefWindow },
}

#[derive(Debug)]
pub struct PacksOutputArgs {
    lists: bool,
    identifier: Option<String>,
    asked: Result<Asked>,
    odd: Vec<String>,
}

impl Arguments for PacksOutputArgs {
    fn of(sent: &Map<String, Value>) -> Result<PacksOutputArgs> {
        let fields = Fields::of(sent)?;
        let word = action(&fields);
        Ok(PacksOutputArgs {
            lists: word == "list",
            identifier: fields.identifier(),
            asked: Asked::of(word, &fields),
            odd: odd_sizes(&fields),
        })
    }
}

impl PacksOutputArgs {
    pub fn lists(&self) -> bool {
        self.lists
    }

    pub fn about(&self) -> Option<&str> {
        self.identifier.as_deref()
    }
}

/// An `id` (or, without that key, a `name`) that is a string means `get`.
fn action(fields: &Fields) -> &str {
    let named = if fields.id.is_sent() { fields.id.get() } else { fields.name.get() };
    let default = if named.is_some() { "get" } else { "list" };
    fields.action.get().map_or(default, String::as_str)
}

/// Whoever says how many refs a page has gets them, up to what a reply can hold.
fn page(fields: &Fields) -> RefWindow {
    let (offset, limit) = (size(&fields.offset).unwrap_or(0), size(&fields.limit));
    RefWindow { offset, limit, room: if limit.is_some() { MAX_REPLY } else { UNASKED } }
}

impl Asked {
    fn of(word: &str, fields: &Fields) -> Result<Asked> {
        if fields.format.is_sent() {
            return Err(invalid("'format' is not supported; output is always markdown"));
        }
        match word {
            "list" => PackFilter::of(fields).map(Asked::List),
            "get" => Ok(Asked::Pack {
                identifier: fields.need_identifier()?,
                status: fields.status()?,
                page: page(fields),
            }),
            other => Err(invalid(format!("unknown output action '{other}'")).hint("Use list or get.")),
        }
    }
}

/// A page of a pack, and the anchors that refs without one gained by being read.
pub struct PacksOutputSeen {
    reply: Reply,
    gained: Vec<(Key, NewAnchor)>,
}

static NOTHING: PacksOutputSeen = PacksOutputSeen { reply: Reply::EMPTY, gained: Vec::new() };

#[derive(Serialize)]
struct OutputReply<'a> {
    refs: Vec<ShownRef<'a>>,
    markdown: &'a str,
}

impl Tool for PacksOutput {
    type Args = PacksOutputArgs;
    type Seen = PacksOutputSeen;
    const NAME: &'static str = "output";

    fn needs(_session: &SessionInfo, args: &PacksOutputArgs) -> Needs {
        match &args.asked {
            Ok(Asked::List(filter)) => filter.needs(),
            Ok(Asked::Pack { .. }) => Needs::World,
            Err(_) => Needs::Rows,
        }
    }

    fn unseen() -> Option<&'static PacksOutputSeen> {
        Some(&NOTHING)
    }

    fn look(look: &Look, args: &PacksOutputArgs) -> Result<PacksOutputSeen> {
        match args.asked.as_ref().map_err(Clone::clone)? {
            Asked::List(_) => Ok(PacksOutputSeen { reply: Reply::EMPTY, gained: Vec::new() }),
            Asked::Pack { identifier, status, page } => rendered(look, identifier, *status, *page),
        }
    }

    fn decide(ctx: &Ctx, args: &PacksOutputArgs, seen: &PacksOutputSeen) -> Result<Outcome> {
        let mut outcome = match args.asked.as_ref().map_err(Clone::clone)? {
            Asked::List(filter) => Outcome::reply(listed(ctx, filter)?),
            Asked::Pack { .. } => Outcome { reply: seen.reply.clone(), ..late::learnt(ctx, &seen.gained)? },
        };
        warn(&mut outcome.reply, &[ctx.call.warnings.clone(), args.odd.clone()].concat());
        Ok(outcome)
    }
}

fn listed(ctx: &Ctx, filter: &PackFilter) -> Result<Reply> {
    let mut listing = list(ctx.view, &space_of(ctx.session), ctx.now, filter)?;
    if listing.packs.is_empty() {
        return Ok(Reply::text("No context packs found."));
    }
    let line = |p: &PackSummary| {
        let title = p.title.as_deref().or(p.name.as_deref()).unwrap_or("Untitled");
        let ttl = life::human(p.expires_at, ctx.now);
        // The title may be the same for many; the name is what a pack is asked for by.
        let name = p.name.as_ref().filter(|_| p.title.is_some()).map(|name| format!(" name `{name}`"));
        let name = name.unwrap_or_default();
        format!("- `{}` — {title} (revision `{}`, ttl `{ttl}`){name}\n", p.id, p.revision)
    };
    let cut = listing.fit(|p| line(p).len());
    let mut text = "# Context packs\n\n".to_string();
    text.extend(listing.packs.iter().map(line));
    if let (true, Some(next)) = (cut, listing.next()) {
        let left = listing.total - next;
        let call = format!("output {{\"offset\":{next}}}");
        text.push_str(&format!("\n> page: {left} left, continue with offset {next}: {call}\n"));
    }
    Ok(Reply::text(text))
}

/// Renders the pack a call names, in the state it asks for; a page that still stands is not made again.
fn rendered(
    look: &Look,
    identifier: &str,
    wanted: Option<PackStatus>,
    page: RefWindow,
) -> Result<PacksOutputSeen> {
    let (pages, memory) = (look.memory::<CachedPages>(), look.memory::<AnchorMemory>());
    let space = space_of(look.session);
    let pack = pack_key(&space, &resolve(look.view, &space, identifier, look.now)?);
    let root = Sight::root(look, look.world);
    let name = |revision: u64| PageName { pack: pack.clone(), revision, root: root.clone(), page };
    if let Some(row) = look.view.row(PACKS, &pack)?
        && let Some(kept) = pages.find(&name(row.rev))
        && wanted.is_none_or(|wanted| wanted == kept.status)
        && kept.stands(look.world, look.now)
    {
        return Ok(PacksOutputSeen { reply: Reply::text(kept.text(look.now)), gained: Vec::new() });
    }
    let found = find(look, identifier)?;
    if let Some(wanted) = wanted.filter(|w| *w != found.pack.status) {
        let (is, wanted) = (found.pack.status.as_str(), wanted.as_str());
        return Err(state(format!("pack '{}' has status '{is}', not '{wanted}'", found.pack.id)));
    }
    let sight = Sight::of(look, look.world, &found)?;
    let judge = sight.judge(look, look.world, &memory, true);
    let page_of = |page: RefWindow| render(&found.pack, found.rev, look.now, page, &judge).tried();
    let mut shown = page_of(page)?;
    if page.limit.is_none() && !all_ok(&shown) && twice(&shown) > UNASKED {
        // What has to be said of the refs is said in both parts of the reply.
        shown = page_of(RefWindow { room: UNASKED / 3, ..page })?;
    }
    let page = shown;
    if let Some(kept) = CachedPage::of(name(found.rev), &found.pack, &page, look.now) {
        pages.keep(kept);
    }
    let mut reply = Reply::default();
    if !all_ok(&page) {
        let refs = page.refs.iter().map(|(section, r, judged)| ShownRef::of(section, r, judged)).collect();
        reply.structured = Reply::of(&OutputReply { refs, markdown: &page.text }).structured;
    }
    let key = |section: &str, r: &str| key_of(&space, &found.pack.id, section, r);
    let gained = page.refs.iter().filter_map(|(section, r, judged)| {
        judged.new.as_ref().filter(|new| new.anchor.late).map(|new| (key(&section.key, &r.key), new.clone()))
    });
    let mut gained: Vec<_> = gained.collect();
    committed::note(look.world, look.session, &root, gained.iter_mut().map(|(_, new)| new));
    reply.text = page.text;
    Ok(PacksOutputSeen { gained, reply })
}

fn all_ok(page: &Rendered) -> bool {
    page.refs.iter().all(|(_, _, judged)| judged.verdict == RefVerdict::Ok)
}

/// About the bytes of a reply that has the page in both of its parts.
fn twice(page: &Rendered) -> usize {
    const ONE_REF: usize = 200;
    let diffs: usize =
        page.refs.iter().filter_map(|(_, _, judged)| judged.diff.as_ref()).map(String::len).sum();
    page.text.len() * 2 + diffs + page.refs.len() * ONE_REF
}
