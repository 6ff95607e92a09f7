//! Explain: which module, which layer and which file stand behind every change and every drift.

use serde_json::{Value, json};

use super::envelope::{put_path, shown};
use super::plan::Plan;
use super::seen::Seen;
use super::spot::Spot;
use super::status::Status;

pub fn plan(seen: &Seen, plan: &Plan) -> Value {
    let changes = plan.changes.iter().map(|change| {
        let mut out = json!({"op": change.op.as_str(), "target": change.spot.target});
        put_path(&mut out, "path", &change.spot.path);
        out["reason"] = json!(change.reason());
        out["modules"] = sources(seen, &change.spot);
        out
    });
    json!({"profile": seen.args.profile, "targets": seen.targets, "changes": changes.collect::<Vec<_>>()})
}

pub fn status(seen: &Seen, status: &Status) -> Value {
    let drift = status.drift.iter().filter(|d| d.managed || d.expected.is_some()).map(|d| {
        let hash = |sha: &Option<crate::core::Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        let mut out = json!({"kind": d.kind.as_str(), "target": d.spot.target});
        put_path(&mut out, "path", &d.spot.path);
        out["expected"] = json!(hash(&d.expected));
        out["actual"] = json!(hash(&d.actual));
        let sources = sources(seen, &d.spot);
        out["modules"] = sources.as_array().into_iter().flatten().map(|s| s["module_id"].clone()).collect();
        out["sources"] = sources;
        out
    });
    json!({"profile": seen.args.profile, "targets": seen.targets, "drift": drift.collect::<Vec<_>>()})
}

/// The modules behind a file; for one that is no longer wanted, those its manifest remembers.
fn sources(seen: &Seen, spot: &Spot) -> Value {
    let mut out = Vec::new();
    let Some(known) = seen.files.get(spot) else { return Value::Array(out) };
    match &known.wanted {
        Some(output) => {
            for part in &output.parts {
                let Some(module) = seen.modules.get(&*part.module_id) else { continue };
                let file = module.tree.get(&part.rel);
                out.push(json!({
                    "module_id": &*part.module_id,
                    "module_type": module.module.kind.title(),
                    "layer": file.map_or("missing", |f| f.layer.as_str()),
                    "module_path": &*part.rel,
                    "source_path": file.map(|f| shown(&f.origin)),
                }));
            }
        }
        None => {
            for id in known.managed.iter().flat_map(|entry| &entry.module_ids) {
                let kind = seen.modules.get(id).map(|m| m.module.kind.title());
                out.push(json!({
                    "module_id": id, "module_type": kind, "layer": null, "module_path": null, "source_path": null,
                }));
            }
        }
    }
    Value::Array(out)
}
