//! `input` action `write`: a whole pack in one call, or several edits as one operation.
//!
//! Ids and times are the server's. Whatever is wrong is reported at once, by path, and nothing is stored then.

use serde_json::{Map, Value, json};

use crate::core::{Call, Ctx, Kind, Outcome, Result, World};

use super::anchors::anchor::forget;
use super::args::{self, need_identifier, need_number};
use super::edit::Edit;
use super::errors::{invalid, revision_conflict, state};
use super::faults::{Faults, elements};
use super::gate::Repair;
use super::input::{free_id, reply, save};
use super::model::{Pack, Status};
use super::picking::{self, Library, Looked};
use super::shelf::{Found, find, name_is_free, pack_key, space_of};
use super::wanted::Wanted;

/// What an agent leaves out of `write` lives for a day.
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Looks at the files behind every ref the call brings, in their order.
pub fn look(ctx: &Ctx, world: &dyn World) -> Vec<Looked> {
    let mut library = Library::of(ctx, world);
    if let Some(ops) = ctx.call.args.get("ops") {
        let calls = elements(ops, "ops", &mut Faults::default());
        let refs = calls.iter().filter(|(op, _)| op["action"] == "upsert_ref");
        return refs.map(|(op, _)| picking::look(&mut library, &sub_call(ctx.call, op))).collect();
    }
    let refs = Wanted::of(ctx.call).map(|wanted| wanted.refs).unwrap_or_default();
    refs.iter().map(|r| library.look(&r.path, &r.how)).collect()
}

pub fn written(ctx: &Ctx, looked: &[Looked]) -> Result<Outcome> {
    if ctx.call.has("ops") { edited(ctx, looked) } else { whole(ctx, looked) }
}

/// The pack that the call names, if there is one; a name that nobody has is for a new pack.
fn existing(ctx: &Ctx) -> Result<Option<Found>> {
    let found = match (ctx.call.text("id"), ctx.call.text("name")) {
        (Some(id), _) => find(ctx, id)?,
        (None, Some(name)) => match find(ctx, name) {
            Ok(found) => found,
            Err(e) if e.kind == Kind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        },
        (None, None) => return Ok(None),
    };
    let said = args::strict_number(ctx.call, "expected_revision")?;
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

fn whole(ctx: &Ctx, looked: &[Looked]) -> Result<Outcome> {
    let wanted = Wanted::of(ctx.call)?;
    let space = space_of(ctx.session);
    let found = existing(ctx)?;
    let mut pack = match &found {
        Some(found) => found.pack.clone(),
        None => new_pack(ctx, &space, &wanted)?,
    };
    if pack.status == Status::Finalized && wanted.status.is_none() {
        return Err(state(format!("pack '{}' is finalized; send 'status' to say what it becomes", pack.id)));
    }
    let brings_sections = ctx.call.has("sections");
    let Wanted { title, brief, tags, status, ttl_seconds, sections, refs, .. } = wanted;
    pack.title = title.or(pack.title);
    pack.brief = brief.or(pack.brief);
    pack.tags = if ctx.call.has("tags") { tags } else { pack.tags };
    pack.status = status.unwrap_or(Status::Draft);
    pack.expires_at = match ttl_seconds {
        Some(seconds) => ctx.now.plus_seconds(seconds),
        None => pack.expires_at.max(ctx.now.plus_seconds(DAY_SECONDS)),
    };
    pack.updated_at = ctx.now;
    let mut repairs = Vec::new();
    let mut faults = Faults::default();
    let mut warnings = Vec::new();
    if brings_sections {
        pack.sections = sections;
        let places = pack.sections.iter_mut().flat_map(|s| {
            let section = s.key.clone();
            s.refs.iter_mut().map(move |r| (section.clone(), r))
        });
        for ((section, r), (wanted, looked)) in places.zip(refs.iter().zip(looked)) {
            let chosen = looked.lines.clone().and_then(|l| super::rules::lines(l.start, l.end));
            let Some(lines) = faults.take(&wanted.at, chosen) else { continue };
            r.lines = lines;
            repairs.extend(looked.new.clone().map(|new| Repair::of_edit(&section, &r.key, new)));
            warnings.extend(looked.warning.as_ref().map(|why| (wanted.at.clone(), why.clone())));
        }
    }
    faults.none()?;
    finalizable(&pack, &warnings, brings_sections)?;
    let mut draft = ctx.draft();
    if brings_sections {
        forget(&mut draft, &pack_key(&space, &pack.id))?;
    }
    let rev = save(&mut draft, &space, &pack, 0, &repairs)?;
    let mut out = draft.into_outcome();
    out.reply = brief_reply(&pack, rev, (repairs.len(), warnings));
    out.record = super::input::record("write", &pack);
    Ok(out)
}

fn new_pack(ctx: &Ctx, space: &str, wanted: &Wanted) -> Result<Pack> {
    if let Some(name) = &wanted.name {
        // One that looks like an id names a pack that is gone, not a new one.
        super::rules::name(name)?;
        name_is_free(ctx.view, space, name, "", ctx.now)?;
    }
    Ok(Pack {
        id: free_id(ctx, space)?,
        workspace: ctx.session.workspace.clone(),
        name: wanted.name.clone(),
        title: None,
        brief: None,
        status: Status::Draft,
        tags: Vec::new(),
        sections: Vec::new(),
        created_at: ctx.now,
        updated_at: ctx.now,
        expires_at: ctx.now,
    })
}

/// The gate of `set_status`, for refs that were all looked at just now.
pub fn finalizable(pack: &Pack, stale: &[(String, String)], all_looked_at: bool) -> Result<()> {
    if pack.status != Status::Finalized {
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

/// What became of a pack, without the pack.
fn brief_reply(pack: &Pack, rev: u64, (ok, stale): (usize, Vec<(String, String)>)) -> crate::core::Reply {
    let mut payload = json!({"id": pack.id});
    if let Some(name) = &pack.name {
        payload["name"] = json!(name);
    }
    payload["revision"] = json!(rev);
    payload["status"] = json!(pack.status.as_str());
    payload["expires_at"] = json!(pack.expires_at.zulu());
    let mut counts = Map::new();
    for (verdict, n) in [("ok", ok), ("lost", stale.len())].into_iter().filter(|(_, n)| *n > 0) {
        counts.insert(verdict.to_string(), json!(n));
    }
    payload["counts"] = Value::Object(counts);
    if !stale.is_empty() {
        payload["warnings"] = stale.into_iter().map(|(at, why)| json!(format!("{at}: {why}"))).collect();
    }
    reply("write", payload)
}

/// One element of `ops` as the call it stands for.
fn sub_call(call: &Call, op: &Value) -> Call {
    Call { args: op.as_object().cloned().unwrap_or_default(), ..call.clone() }
}

fn edited(ctx: &Ctx, looked: &[Looked]) -> Result<Outcome> {
    if ctx.call.has("sections") {
        return Err(invalid("send either 'sections' or 'ops', not both"));
    }
    let identifier = need_identifier(ctx.call)?;
    let revision = need_number(ctx.call, "expected_revision")?;
    let mut faults = Faults::default();
    let ops = ctx.call.args.get("ops").unwrap_or(&Value::Null);
    let mut looked = looked.iter();
    let (mut edits, mut repairs, mut stale) = (Vec::new(), Vec::new(), Vec::new());
    for (op, at) in elements(ops, "ops", &mut faults) {
        let call = sub_call(ctx.call, op);
        let parsed = parse(&call).and_then(|mut edit| {
            if let Edit::UpsertRef { section, item } = &mut edit {
                let here = looked.next();
                let picked = picking::settle(&call, here, item)?;
                repairs.extend(picked.new.map(|new| Repair::of_edit(section, &item.key, new)));
                stale.extend(here.and_then(|l| l.warning.clone()).map(|why| (at.clone(), why)));
            }
            edit.check()?;
            Ok(edit)
        });
        edits.extend(faults.take(&at, parsed).map(|edit| (edit, at)));
    }
    faults.none()?;
    let mut found = find(ctx, &identifier)?;
    if found.rev != revision {
        return Err(revision_conflict(revision, found.rev));
    }
    for (edit, at) in edits {
        faults.take(&at, edit.apply(&mut found.pack, ctx.now));
        faults.none()?;
    }
    let mut draft = ctx.draft();
    let rev = save(&mut draft, &space_of(ctx.session), &found.pack, 0, &repairs)?;
    let mut out = draft.into_outcome();
    out.reply = brief_reply(&found.pack, rev, (repairs.len(), stale));
    out.record = super::input::record("write", &found.pack);
    Ok(out)
}

fn parse(call: &Call) -> Result<Edit> {
    let action = args::action(call, "");
    Edit::check_aliases(action, call)?;
    match Edit::parse(action, call)? {
        Some(Edit::SetStatus(Status::Finalized)) => {
            Err(invalid("finalizing checks every ref").hint("Call set_status when the other edits are done."))
        }
        Some(edit) => Ok(edit),
        None => Err(invalid(format!("'{action}' is not an edit"))
            .hint("Use upsert_section, delete_section, upsert_ref, delete_ref, upsert_diagram, delete_diagram, set_meta, set_status or touch_ttl.")),
    }
}
