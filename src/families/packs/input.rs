//! The `input` tool: builds packs, one action per call.
//!
//! Order of checks, which clients rely on: aliases, identifier, revision given, required fields, lookup,
//! revision equal, form of the fields, state, existence of the target.

use serde_json::{Map, Value, json};

use crate::core::ctx::Explanation;
use crate::core::{Call, Ctx, Draft, Outcome, Record, Reply, Result};

use super::anchors::Sight;
use super::anchors::anchor::forget;
use super::anchors::memory::Memory;
use super::args::{self, need_identifier, need_number};
use super::edit::Edit;
use super::errors::{conflict, invalid, revision_conflict};
use super::gate::{self, Inspection, Repair};
use super::list::{Filter, list, summary_json};
use super::model::{Pack, Status};
use super::picking::{self, Library, Looked, Named, Picked};
use super::shelf::{self, Found, PACKS, find, name_is_free, pack_key, space_of};
use super::{Prepared, check, file, rules, write};

const ID_TRIES: usize = 8;

pub fn call(ctx: &Ctx) -> Result<Outcome> {
    let action = args::action(ctx.call, "list");
    match action {
        "list" => listed(ctx),
        "get" => {
            let found = find(ctx, &need_identifier(ctx.call)?)?;
            Ok(Outcome::reply(pack_reply(action, &found.pack, found.rev, Vec::new())?))
        }
        "write" => write::written(ctx, looked(ctx)?),
        "check" => check::checked(ctx, inspected(ctx)?),
        "reanchor" => check::reanchored(ctx, inspected(ctx)?),
        "export" => exported(ctx),
        "create" => create(ctx),
        "delete" => delete(ctx),
        "import" => import(ctx),
        _ => edited(ctx, action),
    }
}

/// Does this call need its source files read first?
pub fn reads_sources(call: &Call) -> bool {
    inspects(call) || matches!(args::action(call, "list"), "upsert_ref" | "write" | "import")
}

/// Does it need a look at every ref?
fn inspects(call: &Call) -> bool {
    matches!(args::action(call, "list"), "check" | "reanchor") || finalizes(call)
}

fn finalizes(call: &Call) -> bool {
    args::action(call, "list") == "set_status" && matches!(args::status(call), Ok(Some(Status::Finalized)))
}

/// What the preparation found out about the refs, if it got that far.
fn inspected<'a>(ctx: &Ctx<'a>) -> Result<Option<&'a Inspection>> {
    match ctx.prepared::<Prepared>()? {
        Prepared::Inspected(inspection) => Ok(Some(inspection)),
        _ => Ok(None),
    }
}

/// What the preparation found where new refs will point.
fn looked<'a>(ctx: &Ctx<'a>) -> Result<&'a [Looked]> {
    match ctx.prepared::<Prepared>()? {
        Prepared::Looked(looked) => Ok(looked),
        _ => Ok(&[]),
    }
}

/// `create` uses `name` for the new pack, not to find one.
pub fn creates(call: &Call) -> bool {
    args::action(call, "list") == "create"
}

pub fn reply(action: &str, payload: Value) -> Reply {
    // Not with `json!`, which would copy the payload.
    Reply::json(
        Map::from_iter([("action".to_string(), action.into()), ("payload".to_string(), payload)]).into(),
    )
}

/// The whole pack, and beside it what else there is to say.
pub fn pack_reply(action: &str, pack: &Pack, rev: u64, more: Vec<(&str, Value)>) -> Result<Reply> {
    let said = [("action", action.into()), ("payload", pack.to_json(rev)?)];
    let said = said.into_iter().chain(more).map(|(name, value)| (name.to_string(), value));
    Ok(Reply::json(said.collect::<Map<_, _>>().into()))
}

pub fn record(action: &str, pack: &Pack) -> Record {
    let called = pack.name.as_deref().or(pack.title.as_deref());
    let called = called.map(|n| format!(" ({n})")).unwrap_or_default();
    Record {
        summary: format!("{} of pack {}{called}", action.replace('_', " "), pack.id),
        targets: vec![pack.id.clone()],
        ..Record::default()
    }
}

fn listed(ctx: &Ctx) -> Result<Outcome> {
    let mut listing = list(ctx.view, &space_of(ctx.session), ctx.now, &Filter::of(ctx.call)?)?;
    let mut packs: Vec<Value> = listing.packs.iter().map(|p| summary_json(p, ctx.now)).collect();
    let mut sizes = packs.iter().map(|p| p.to_string().len() + 1);
    listing.fit(|_| sizes.next().unwrap_or(0));
    packs.truncate(listing.packs.len());
    let mut payload = json!({"count": packs.len()});
    if let Some(next) = listing.next() {
        payload["next_offset"] = json!(next);
    }
    payload["packs"] = Value::Array(packs);
    payload["total"] = json!(listing.total);
    Ok(Outcome::reply(reply("list", payload)))
}

/// A pack to be stored, and what goes with it.
pub struct Written<'a> {
    pub pack: &'a Pack,
    /// A document brings its own revision.
    pub min_rev: u64,
    pub repairs: Vec<Repair>,
    /// What the reply says beside the pack.
    pub more: Vec<(&'static str, Value)>,
}

impl<'a> Written<'a> {
    fn plain(pack: &'a Pack, min_rev: u64) -> Self {
        Written { pack, min_rev, repairs: Vec::new(), more: Vec::new() }
    }
}

/// Writes a pack row with its new anchors and answers with the whole pack.
pub fn store(ctx: &Ctx, action: &str, space: &str, written: Written) -> Result<Outcome> {
    let pack = written.pack;
    let mut draft = ctx.draft();
    let rev = save(&mut draft, space, pack, written.min_rev, &written.repairs)?;
    let mut out = draft.into_outcome();
    out.reply = pack_reply(action, pack, rev, written.more)?;
    out.record = record(action, pack);
    Ok(out)
}

/// Puts a pack and its new anchors into a draft; the new revision.
pub fn save(draft: &mut Draft, space: &str, pack: &Pack, min_rev: u64, repairs: &[Repair]) -> Result<u64> {
    let rev = draft.put_at_least(PACKS, &pack_key(space, &pack.id), pack, min_rev)?;
    for repair in repairs {
        repair.put(draft, space, &pack.id)?;
    }
    Ok(rev)
}

fn create(ctx: &Ctx) -> Result<Outcome> {
    let tags = args::tags(ctx.call)?.unwrap_or_default();
    let minutes = need_number(ctx.call, "ttl_minutes")?;
    let name = args::text(ctx.call, "name");
    if let Some(name) = &name {
        rules::name(name)?;
    }
    let ttl = rules::ttl("ttl_minutes", minutes)?;
    let space = space_of(ctx.session);
    if let Some(name) = &name {
        name_is_free(ctx.view, &space, name, "", ctx.now)?;
    }
    let pack = Pack {
        id: free_id(ctx, &space)?,
        workspace: ctx.session.workspace.clone(),
        name,
        title: args::text(ctx.call, "title"),
        brief: args::text(ctx.call, "brief"),
        status: Status::Draft,
        tags,
        sections: Vec::new(),
        created_at: ctx.now,
        updated_at: ctx.now,
        expires_at: ctx.now.plus_seconds(ttl),
    };
    store(ctx, "create", &space, Written::plain(&pack, 0))
}

/// An id that no pack of the space has or ever had: a deleted pack may be brought back by undo.
pub fn free_id(ctx: &Ctx, space: &str) -> Result<String> {
    for _ in 0..ID_TRIES {
        let id = format!("pk_{}", ctx.ids.letters(rules::ID_ALPHABET, rules::ID_LETTERS));
        let key = pack_key(space, &id);
        if ctx.view.row(PACKS, &key)?.is_none() && ctx.view.grave(PACKS, &key)?.is_none() {
            return Ok(id);
        }
    }
    Err(conflict("no free pack id was found; call again"))
}

/// The pack a change is for, in the revision its caller knows.
fn expected(ctx: &Ctx, identifier: &str, revision: u64) -> Result<Found> {
    let found = find(ctx, identifier)?;
    if found.rev != revision {
        return Err(revision_conflict(revision, found.rev));
    }
    Ok(found)
}

fn edited(ctx: &Ctx, action: &str) -> Result<Outcome> {
    if !ACTIONS.contains(&action) {
        return Err(unknown(action));
    }
    Edit::check_aliases(action, ctx.call)?;
    let identifier = need_identifier(ctx.call)?;
    let revision = need_number(ctx.call, "expected_revision")?;
    let mut edit = Edit::parse(action, ctx.call)?.ok_or_else(|| unknown(action))?;
    let mut found = expected(ctx, &identifier, revision)?;
    let picked = match &mut edit {
        Edit::UpsertRef { item, .. } => Some(picking::settle(ctx.call, looked(ctx)?.first(), item)?),
        _ => None,
    };
    edit.check()?;
    let (mut repairs, mut more) = (Vec::new(), Vec::new());
    if finalizes(ctx.call) {
        let inspection = Inspection::of(&found, inspected(ctx)?)?;
        let reviewed = ctx.call.flag("reviewed");
        gate::check(&found, inspection, reviewed)?;
        repairs = gate::repair(&mut found.pack, inspection, reviewed);
        if !repairs.is_empty() {
            more.push(("repaired", json!(repairs.len())));
        }
    }
    if let (Edit::UpsertRef { section, item }, Some(Picked { new, says })) = (&edit, picked) {
        repairs.extend(new.map(|new| Repair::of_edit(section, &item.key, new)));
        more = says;
    }
    if !edit.apply(&mut found.pack, ctx.now)? && repairs.is_empty() {
        return Ok(Outcome::reply(pack_reply(action, &found.pack, found.rev, more)?));
    }
    found.pack.updated_at = ctx.now;
    let written = Written { pack: &found.pack, min_rev: 0, repairs, more };
    store(ctx, action, &space_of(ctx.session), written)
}

fn unknown(action: &str) -> crate::core::Error {
    invalid(format!("unknown input action '{action}'"))
        .hint(format!("Known actions: {}.", ACTIONS.join(", ")))
}

/// Every action, in the order the contract lists them.
pub const ACTIONS: [&str; 18] = [
    "create",
    "get",
    "list",
    "upsert_section",
    "delete_section",
    "upsert_ref",
    "delete_ref",
    "upsert_diagram",
    "delete_diagram",
    "set_meta",
    "set_status",
    "touch_ttl",
    "delete",
    "import",
    "export",
    "check",
    "reanchor",
    "write",
];

fn delete(ctx: &Ctx) -> Result<Outcome> {
    let identifier = need_identifier(ctx.call)?;
    let revision = need_number(ctx.call, "expected_revision")?;
    let found = expected(ctx, &identifier, revision)?;
    let mut draft = ctx.draft();
    draft.delete(PACKS, &found.key)?;
    forget(&mut draft, &found.key)?;
    let mut out = draft.into_outcome();
    out.reply = reply("delete", json!({"deleted": true, "id": found.pack.id, "revision": found.rev}));
    out.record = record("delete", &found.pack);
    Ok(out)
}

fn exported(ctx: &Ctx) -> Result<Outcome> {
    let found = find(ctx, &need_identifier(ctx.call)?)?;
    let document = file::export(&found.pack, found.rev)?;
    let payload = json!({"document": document, "id": found.pack.id, "revision": found.rev});
    Ok(Outcome::reply(reply("export", payload)))
}

/// Takes in a document in the file format under its own id, as new or instead of what is there.
fn import(ctx: &Ctx) -> Result<Outcome> {
    let text = ctx.call.args.get("document").and_then(Value::as_str).filter(|t| !t.trim().is_empty());
    let text = text.ok_or_else(|| super::errors::required("document"))?;
    let ttl = args::strict_number(ctx.call, "ttl_minutes")?;
    let (mut pack, revision) = file::import(text, "in 'document'", &ctx.session.workspace)?;
    let space = space_of(ctx.session);
    if let Some(there) = shelf::stored(ctx.view, &space, &pack.id)? {
        if !there.pack.expired(ctx.now) {
            let known = need_number(ctx.call, "expected_revision")?;
            if known != there.rev {
                return Err(revision_conflict(known, there.rev));
            }
        }
        pack.workspace = there.pack.workspace;
    }
    rules::whole(&pack)?;
    if let Some(minutes) = ttl {
        pack.expires_at = ctx.now.plus_seconds(rules::ttl("ttl_minutes", minutes)?);
    }
    if pack.expired(ctx.now) {
        let when = pack.expires_at.zulu();
        return Err(invalid(format!(
            "the document expired at {when}; send 'ttl_minutes' to give it new time"
        )));
    }
    if let Some(name) = &pack.name {
        name_is_free(ctx.view, &space, name, &pack.id, ctx.now)?;
    }
    let (mut repairs, mut stale) = (Vec::new(), Vec::new());
    for ((section, r), looked) in pack.refs().zip(looked(ctx)?) {
        repairs.extend(looked.new.clone().map(|new| Repair::of_edit(&section.key, &r.key, new)));
        let at = format!("{}::{}", section.key, r.key);
        stale.extend(looked.warning.as_ref().map(|why| (at, why.clone())));
    }
    write::finalizable(&pack, &stale, true)?;
    let mut more = Vec::new();
    if !stale.is_empty() {
        let told: Vec<Value> = stale.iter().map(|(at, why)| json!(format!("{at}: {why}"))).collect();
        more.push(("warnings", Value::Array(told)));
    }
    store(ctx, "import", &space, Written { pack: &pack, min_rev: revision, repairs, more })
}

/// The files behind the refs of a document that is to be taken in.
fn look_at_document(ctx: &Ctx, world: &dyn crate::core::World) -> Vec<Looked> {
    let text = ctx.call.args.get("document").and_then(Value::as_str).unwrap_or_default();
    let Ok((pack, _)) = file::import(text, "in 'document'", &ctx.session.workspace) else {
        return Vec::new();
    };
    let mut library = Library::of(ctx, world);
    pack.refs().map(|(_, r)| library.look(&r.path, &Named::Lines(r.lines))).collect()
}

/// Looks at the source files a call needs, if the call gets that far.
pub fn prepare(ctx: &Ctx, world: &dyn crate::core::World, memory: &Memory) -> Result<Prepared> {
    let looked = match args::action(ctx.call, "list") {
        "upsert_ref" => vec![picking::look(&mut Library::of(ctx, world), ctx.call)],
        "write" => write::look(ctx, world),
        "import" => look_at_document(ctx, world),
        _ => Vec::new(),
    };
    if !inspects(ctx.call) {
        return Ok(Prepared::Looked(looked));
    }
    let Some(Ok(found)) = args::identifier(ctx.call).map(|pack| find(ctx, pack)) else {
        return Ok(Prepared::Nothing);
    };
    let reads = args::action(ctx.call, "list") == "check";
    if !reads && ctx.call.number("expected_revision") != Some(found.rev) {
        return Ok(Prepared::Nothing);
    }
    let sight = Sight::of(ctx, world, &found)?;
    let judge = sight.judge(ctx, world, memory, false);
    Ok(Prepared::Inspected(Inspection::make(&judge, &found)))
}

/// The ask answer: what the call would do, and to which pack.
pub fn explain(ctx: &Ctx) -> Explanation {
    let action = args::action(ctx.call, "list");
    let found = args::identifier(ctx.call).and_then(|pack| find(ctx, pack).ok());
    match found {
        Some(Found { pack, rev, .. }) => Explanation {
            would: format!("input {action} would change the context pack {}.", pack.id),
            state: vec![format!("Pack {} is {} in revision {rev}.", pack.id, pack.status.as_str())],
            ..Explanation::default()
        },
        None => Explanation {
            would: format!("input {action} would store a context pack."),
            ..Explanation::default()
        },
    }
}
