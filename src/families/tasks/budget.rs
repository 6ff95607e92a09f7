//! Hard output budgets: a result is cut in small, named steps until what is sent fits.
//!
//! Size is the UTF-8 bytes of the result as it goes over the wire, the `budget` entry included. `runway`
//! and one `next` survive every cut; `budget.omitted` names what was left out or shortened.

use serde_json::{Value, json};

use super::store::clip;
use super::suggest;

type Cut = (&'static str, fn(&mut Value));

/// From what is missed least to what is missed most.
const CUTS: &[Cut] = &[
    ("links", |v| drop_key(v, &["links"])),
    ("verify.evidence_contract", |v| drop_key(v, &["verify", "evidence_contract"])),
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
    ("verify.evidence", |v| {
        drop_key(v, &["verify", "evidence"]);
        drop_key(v, &["verify", "missing"]);
    }),
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

/// Puts the `budget` entry in and returns the size of the whole.
fn seal(value: &mut Value, max: usize, omitted: &[&str]) -> usize {
    let mut used = 0;
    // The number of digits settles at once; three rounds are more than enough.
    for _ in 0..3 {
        value["budget"] = json!({"max_chars": max, "used_chars": used, "truncated": !omitted.is_empty(),
            "omitted": omitted});
        used = value.to_string().len();
    }
    used
}

/// Cuts until it fits (then true) or nothing is left to cut.
fn cut_until(
    mut value: Value,
    max: usize,
    cuts: &[Cut],
    mut omitted: Vec<&'static str>,
) -> (Value, Vec<&'static str>, bool) {
    if seal(&mut value, max, &omitted) <= max {
        return (value, omitted, true);
    }
    for (name, cut) in cuts {
        let before = value.to_string().len();
        cut(&mut value);
        if value.to_string().len() < before && omitted.last() != Some(name) {
            omitted.push(*name);
        }
        if seal(&mut value, max, &omitted) <= max {
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
        "verify": {"commands": [], "open_checkpoints": [], "ready": null, "needs": null},
        "next": value["next"],
        "blockers": {"blocked": value["blockers"]["blocked"], "blockers": [], "depends_on": [],
            "unresolved_depends_on": []},
        "open_checkpoints": [],
        "runway": {"open": value["runway"]["open"], "blocking": {}, "recipe": null},
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

/// A smaller action for where the real one does not fit: reading on with a larger budget.
fn small_next(value: &Value) -> Value {
    let key = value["focus"]["kind"].as_str().unwrap_or("task");
    let params = json!({key: value["focus"]["id"], "max_chars": 12_000});
    let next = suggest::high("radar", "The next action does not fit this budget.", params);
    json!(next.into_iter().collect::<Vec<_>>())
}

fn last_resort(value: &Value, max: usize, omitted: Vec<&'static str>) -> Value {
    let mut omitted: Vec<_> = omitted.into_iter().filter(|name| name.starts_with("delta")).collect();
    omitted.push("details");
    let mut small = skeleton(value, 40);
    if let Some(delta) = value.get("delta") {
        small["delta"] = delta.clone();
    }
    if seal(&mut small, max, &omitted) > max {
        omitted.push("next");
        small["next"] = small_next(value);
        for key in ["title", "domain"] {
            small["focus"][key] = json!(clip(small["focus"][key].as_str().unwrap_or_default(), 12));
        }
        seal(&mut small, max, &omitted);
    }
    small
}

/// The result of radar or handoff within `max` bytes.
pub fn fit(value: Value, max: usize) -> Value {
    let (fitted, omitted, ok) = cut_until(value, max, CUTS, Vec::new());
    if ok { fitted } else { last_resort(&fitted, max, omitted) }
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

/// The whole of context_pack within `max` bytes: first the delta gives way, then the radar.
pub fn fit_pack(mut radar: Value, delta: Value, max: usize) -> Value {
    radar["delta"] = delta;
    let (fitted, omitted, ok) = cut_until(radar, max, PACK_CUTS, Vec::new());
    if ok {
        return fitted;
    }
    let (mut fitted, omitted, ok) = cut_until(fitted, max, CUTS, omitted);
    if ok {
        return fitted;
    }
    keep_ops(&mut fitted, 0);
    let (more, latest) = (fitted["delta"]["has_more"].clone(), fitted["delta"]["latest_id"].clone());
    fitted["delta"] = json!({"operations": [], "truncated": true, "has_more": more, "latest_id": latest});
    last_resort(&fitted, max, omitted)
}
