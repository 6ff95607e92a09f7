//! Hard output budgets: a reply is cut in small, named steps until what is sent fits.
//!
//! Size is the UTF-8 bytes of the whole reply as it goes over the wire: the envelope, the result with its `budget` entry,
//! and the suggestion that repeats `next`. `runway` and one `next` survive every cut; `budget.omitted` names what was
//! left out or shortened. Works on plain JSON: it knows the keys of a radar and nothing of where they come from.

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{self, IntentAnswer};
use super::model::{ItemKind, Object};
use super::request::IntentRequest;
use super::rows::clip;
use super::suggest::{OfItem, Suggestion};

/// How much a reply may hold, and what of it the envelope takes.
pub struct ReplyRoom {
    max: usize,
    envelope: usize,
}

impl ReplyRoom {
    pub fn of(request: &IntentRequest, intent: &str, id: &str, max: usize) -> ReplyRoom {
        let bare = answer::envelope(intent, &IntentAnswer::about(id, &Object::new()), request.ctx.now);
        // An empty result is `{}`, which the real one replaces.
        ReplyRoom { max, envelope: Value::Object(bare).to_string().len() - 2 }
    }

    /// Everything that is sent for this result.
    fn size(&self, value: &Value) -> usize {
        let repeated = value["next"].to_string().len().saturating_sub(2);
        self.envelope + value.to_string().len() + repeated
    }
}

type Cut = (&'static str, fn(&mut Value));

/// From what is missed least to what is missed most.
const CUTS: &[Cut] = &[
    ("links", |v| drop_key(v, &["links"])),
    ("how_to_verify", |v| drop_key(v, &["how_to_verify"])),
    ("verify.evidence_task", |v| drop_key(v, &["verify", "evidence_task"])),
    ("verify.commands", |v| {
        shorten(v, &["verify", "commands"], 5, 180);
        if let Some(preview) = v["why"]["contract_preview"].as_str() {
            v["why"]["contract_preview"] = json!(clip(preview, 140));
        }
    }),
    ("why.contract", |v| drop_key(v, &["why", "contract"])),
    ("verify.tests", |v| drop_key(v, &["verify", "tests"])),
    ("verify.evidence", |v| drop_key(v, &["verify", "evidence"])),
    ("verify.missing", |v| drop_key(v, &["verify", "missing"])),
    ("now.notes", |v| shorten(v, &["now", "notes"], 2, 80)),
    ("runway.top_errors", |v| {
        shorten(v, &["runway", "blocking", "lint", "top_errors"], 1, 200);
    }),
    ("titles", |v| {
        for part in ["focus", "now"] {
            if let Some(title) = v[part]["title"].as_str() {
                v[part]["title"] = json!(clip(title, 80));
            }
        }
    }),
    ("lists", |v| {
        for part in ["done", "remaining"] {
            shorten(v, &[part, "items"], 3, 80);
        }
        shorten(v, &["risks"], 3, 80);
        for part in ["blockers", "depends_on", "unresolved_depends_on"] {
            shorten(v, &["blockers", part], 3, 80);
        }
        shorten(v, &["verify", "commands"], 2, 80);
    }),
    ("runway.recipe", |v| {
        // It is what `next` says anyway.
        if v["runway"]["recipe"].is_object() {
            v["runway"]["recipe"] = Value::Null;
        }
    }),
    ("runway.blocking", |v| {
        let code = v["runway"]["blocking"]["validation"]["code"].clone();
        let count = v["runway"]["blocking"]["lint"]["errors_count"].clone();
        v["runway"]["blocking"] = json!({"lint": {"errors_count": count}, "validation": {"code": code}});
    }),
];

/// What is at a path of keys, without creating anything on the way.
fn at<'a>(value: &'a mut Value, path: &[&str]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |v, key| v.get_mut(*key))
}

fn drop_key(value: &mut Value, path: &[&str]) {
    let Some((last, parents)) = path.split_last() else { return };
    if let Some(map) = at(value, parents).and_then(Value::as_object_mut) {
        map.shift_remove(*last);
    }
}

/// At most `n` entries of a list; texts in them at most `chars` long.
fn shorten(value: &mut Value, path: &[&str], n: usize, chars: usize) {
    if let Some(items) = at(value, path).and_then(Value::as_array_mut) {
        items.truncate(n);
        for item in items {
            if let Some(text) = item.as_str() {
                *item = json!(clip(text, chars));
            } else if let Some(message) = item.get("message").and_then(Value::as_str) {
                let message = clip(message, chars);
                item["message"] = json!(message);
            }
        }
    }
}

#[derive(Serialize)]
struct BudgetShown<'a> {
    max_chars: usize,
    used_chars: usize,
    truncated: bool,
    omitted: &'a [&'static str],
}

/// Puts the `budget` entry in and returns the size of the whole.
fn seal(value: &mut Value, room: &ReplyRoom, omitted: &[&'static str]) -> usize {
    let mut used_chars = 0;
    // The number of digits settles at once; three rounds are more than enough.
    for _ in 0..3 {
        let truncated = !omitted.is_empty();
        value["budget"] = json!(BudgetShown { max_chars: room.max, used_chars, truncated, omitted });
        used_chars = room.size(value);
    }
    used_chars
}

/// Cuts until it fits (then true) or nothing is left to cut.
fn cut_until(
    mut value: Value,
    room: &ReplyRoom,
    cuts: &[Cut],
    mut omitted: Vec<&'static str>,
) -> (Value, Vec<&'static str>, bool) {
    if seal(&mut value, room, &omitted) <= room.max {
        return (value, omitted, true);
    }
    for (name, cut) in cuts {
        let before = value.to_string().len();
        cut(&mut value);
        if value.to_string().len() < before && omitted.last() != Some(name) {
            omitted.push(*name);
        }
        if seal(&mut value, room, &omitted) <= room.max {
            return (value, omitted, true);
        }
    }
    (value, omitted, false)
}

/// The stable keys with as little in them as possible.
fn skeleton(value: &Value, text: usize) -> Value {
    let cut = |v: &Value| v.as_str().map_or(Value::Null, |s| json!(clip(s, text)));
    let focus = &value["focus"];
    let mut out = json!({
        "focus": {"id": focus["id"], "kind": focus["kind"], "revision": focus["revision"],
            "domain": cut(&focus["domain"]), "title": cut(&focus["title"]),
            "lifecycle_status": focus["lifecycle_status"]},
        "now": {},
        "why": {},
        "verify": {},
        "next": value["next"],
        "blockers": {},
        "open_checkpoints": [],
        "runway": {"open": value["runway"]["open"]},
    });
    for part in ["done", "remaining"] {
        if value.get(part).is_some() {
            let (count, total) = (value[part]["count"].clone(), value[part]["total"].clone());
            out[part] = json!({"count": count, "total": total, "items": []});
        }
    }
    if value.get("risks").is_some() {
        out["risks"] = json!([]);
    }
    out
}

#[derive(Serialize)]
struct Larger<'a> {
    #[serde(flatten)]
    of: OfItem<'a>,
    max_chars: u64,
}

/// A smaller action for where the real one does not fit: reading on with a larger budget.
fn small_next(value: &Value) -> Option<Suggestion> {
    let kind = value["focus"]["kind"].as_str().and_then(ItemKind::parse).unwrap_or_default();
    let id = value["focus"]["id"].as_str().unwrap_or_default();
    let params = Larger { of: OfItem::new(kind, id), max_chars: 12_000 };
    Suggestion::high("radar", "The next action does not fit.", &params)
}

/// As little as possible; the action is replaced where it is too long.
fn last_resort(
    value: &Value,
    room: &ReplyRoom,
    omitted: Vec<&'static str>,
    next: Vec<Suggestion>,
) -> (Value, Vec<Suggestion>) {
    let mut omitted: Vec<_> = omitted.into_iter().filter(|name| name.starts_with("delta")).collect();
    omitted.push("details");
    let mut small = skeleton(value, 40);
    if let Some(delta) = value.get("delta") {
        small["delta"] = delta.clone();
    }
    if seal(&mut small, room, &omitted) <= room.max {
        return (small, next);
    }
    omitted.push("next");
    let next: Vec<Suggestion> = small_next(value).into_iter().collect();
    small["next"] = json!(next);
    for key in ["title", "domain"] {
        small["focus"][key] = json!(clip(small["focus"][key].as_str().unwrap_or_default(), 12));
    }
    seal(&mut small, room, &omitted);
    (small, next)
}

fn unwrapped(value: Value) -> Object {
    match value {
        Value::Object(map) => map,
        _ => Object::new(),
    }
}

/// The result of radar or handoff within its room, and the action that `next` shows.
pub fn fit(value: Object, next: Vec<Suggestion>, room: &ReplyRoom) -> (Object, Vec<Suggestion>) {
    let (fitted, omitted, ok) = cut_until(Value::Object(value), room, CUTS, Vec::new());
    if ok {
        return (unwrapped(fitted), next);
    }
    let (small, next) = last_resort(&fitted, room, omitted, next);
    (unwrapped(small), next)
}

/// Keeps the first `n` operations and says that there are more.
fn keep_ops(value: &mut Value, n: usize) {
    let Some(ops) = value["delta"]["operations"].as_array_mut() else { return };
    if ops.len() > n {
        ops.truncate(n);
        value["delta"]["has_more"] = json!(true);
        value["delta"]["truncated"] = json!(true);
    }
}

/// Only these keys of every operation.
fn bare_ops(value: &mut Value, keep: &[&str]) {
    for op in value["delta"]["operations"].as_array_mut().into_iter().flatten() {
        if let Some(map) = op.as_object_mut() {
            map.retain(|key, _| keep.contains(&key.as_str()));
        }
    }
}

const OP_KEYS: &[&str] = &["id", "timestamp", "intent", "task_id", "undone", "has_result"];

const PACK_CUTS: &[Cut] = &[
    ("delta.snapshots", |v| {
        for op in v["delta"]["operations"].as_array_mut().into_iter().flatten() {
            drop_key(op, &["snapshot"]);
        }
    }),
    ("delta.operations", |v| keep_ops(v, 10)),
    ("delta.operations", |v| keep_ops(v, 3)),
    ("delta.details", |v| bare_ops(v, OP_KEYS)),
];

/// The whole of context_pack within its room: first the delta gives way, then the radar.
pub fn fit_pack(
    mut radar: Object,
    delta: Object,
    next: Vec<Suggestion>,
    room: &ReplyRoom,
) -> (Object, Vec<Suggestion>) {
    radar.insert("delta".into(), Value::Object(delta));
    let (fitted, omitted, ok) = cut_until(Value::Object(radar), room, PACK_CUTS, Vec::new());
    if ok {
        return (unwrapped(fitted), next);
    }
    let (mut fitted, omitted, ok) = cut_until(fitted, room, CUTS, omitted);
    if ok {
        return (unwrapped(fitted), next);
    }
    keep_ops(&mut fitted, 0);
    let (more, latest) = (fitted["delta"]["has_more"].clone(), fitted["delta"]["latest_id"].clone());
    fitted["delta"] = json!({"operations": [], "truncated": true, "has_more": more, "latest_id": latest});
    let (small, next) = last_resort(&fitted, room, omitted, next);
    (unwrapped(small), next)
}
