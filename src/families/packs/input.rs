//! The `input` tool: builds packs, one action per call.
//!
//! Order of checks, which clients rely on: aliases, identifier, revision given, required fields, lookup,
//! revision equal, form of the fields, state, existence of the target.

use serde_json::{Map, Value, json};

use crate::core::ctx::Explanation;
use crate::core::{Call, Ctx, Outcome, Record, Reply, Result};

use super::args::{self, need_identifier, need_number};
use super::edit::Edit;
use super::errors::{conflict, invalid, revision_conflict};
use super::gate::{self, Verdict};
use super::list::{Filter, list, summary_json};
use super::model::{Pack, Status};
use super::shelf::{self, Found, PACKS, find, name_is_free, pack_key, space_of};
use super::{Prepared, file, rules};

const ID_TRIES: usize = 8;

pub fn call(ctx: &Ctx) -> Result<Outcome> {
    let action = args::action(ctx.call, "list");
    match action {
        "list" => listed(ctx),
        "get" => {
            let found = find(ctx, &need_identifier(ctx.call)?)?;
            Ok(Outcome::reply(pack_reply(action, &found.pack, found.rev)?))
        }
        "export" => exported(ctx),
        "create" => create(ctx),
        "delete" => delete(ctx),
        "import" => import(ctx),
        _ => edited(ctx, action),
    }
}

/// Does this call need its source files read first?
pub fn finalizes(call: &Call) -> bool {
    args::action(call, "list") == "set_status" && matches!(args::status(call), Ok(Some(Status::Finalized)))
}

/// `create` uses `name` for the new pack, not to find one.
pub fn creates(call: &Call) -> bool {
    args::action(call, "list") == "create"
}

fn reply(action: &str, payload: Value) -> Reply {
    // Not with `json!`, which would copy the payload.
    Reply::json(
        Map::from_iter([("action".to_string(), action.into()), ("payload".to_string(), payload)]).into(),
    )
}

fn pack_reply(action: &str, pack: &Pack, rev: u64) -> Result<Reply> {
    Ok(reply(action, pack.to_json(rev)?))
}

fn record(action: &str, pack: &Pack) -> Record {
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

/// Writes a pack row and answers with the whole pack.
fn store(ctx: &Ctx, action: &str, space: &str, pack: &Pack, min_rev: u64) -> Result<Outcome> {
    let mut draft = ctx.draft();
    let rev = draft.put_at_least(PACKS, &pack_key(space, &pack.id), pack, min_rev)?;
    let mut out = draft.into_outcome();
    out.reply = pack_reply(action, pack, rev)?;
    out.record = record(action, pack);
    Ok(out)
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
    store(ctx, "create", &space, &pack, 0)
}

/// An id that no pack of the space has or ever had: a deleted pack may be brought back by undo.
fn free_id(ctx: &Ctx, space: &str) -> Result<String> {
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
    edit.check()?;
    if finalizes(ctx.call) {
        let verdict = match ctx.prepared::<Prepared>()? {
            Prepared::Verdict(verdict) => Some(verdict),
            _ => None,
        };
        gate::check(&found, verdict)?;
    }
    if !edit.apply(&mut found.pack, ctx.now)? {
        return Ok(Outcome::reply(pack_reply(action, &found.pack, found.rev)?));
    }
    store(ctx, action, &space_of(ctx.session), &found.pack, 0)
}

fn unknown(action: &str) -> crate::core::Error {
    invalid(format!("unknown input action '{action}'"))
        .hint(format!("Known actions: {}.", ACTIONS.join(", ")))
}

/// Every action, in the order the contract lists them.
pub const ACTIONS: [&str; 15] = [
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
];

fn delete(ctx: &Ctx) -> Result<Outcome> {
    let identifier = need_identifier(ctx.call)?;
    let revision = need_number(ctx.call, "expected_revision")?;
    let found = expected(ctx, &identifier, revision)?;
    let mut draft = ctx.draft();
    draft.delete(PACKS, &found.key)?;
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
    store(ctx, "import", &space, &pack, revision)
}

/// What a preparation needs to know: the pack that is to be finalized, if the call gets that far.
pub fn verdict(ctx: &Ctx, world: &dyn crate::core::World) -> Option<Verdict> {
    let found = find(ctx, args::identifier(ctx.call)?).ok()?;
    (ctx.call.number("expected_revision") == Some(found.rev))
        .then(|| Verdict::reach(world, &super::excerpt::source_root(ctx.session), &found))
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
