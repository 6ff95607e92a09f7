//! `explain`: which module, which layer and which file stand behind every change and every drift.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::{Call, Ctx, Given, Look, Needs, Outcome, Result, Sha, Tool};
use crate::families::deploy::args::CommonArgs;
use crate::families::deploy::drift::{self, DriftReport};
use crate::families::deploy::plan::{self, DeployPlan};
use crate::families::deploy::reply::{answer, put_path, shown};
use crate::families::deploy::state::{self, DeployState};
use crate::families::deploy::target_file::TargetFile;

pub struct Explain;

#[derive(Debug, Deserialize)]
pub struct ExplainArgs {
    #[serde(flatten)]
    common: CommonArgs,
    kind: String,
}

impl Explain {
    /// What a call of this tool asks to have explained; part of the name of its command.
    pub fn kind(call: &Call) -> Option<String> {
        #[derive(Deserialize)]
        struct Sent {
            #[serde(default)]
            kind: Given<String>,
        }
        let sent = call.with(call.args.clone()).read::<Sent>().ok()?;
        sent.kind.get().filter(|_| call.tool == Self::NAME).map(|kind| kind.trim().to_string())
    }
}

impl Tool for Explain {
    type Args = ExplainArgs;
    type Seen = DeployState;
    const NAME: &'static str = "explain";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &ExplainArgs) -> Result<DeployState> {
        state::look(look, &args.common.of(look.call), args.kind == "status")
    }

    fn decide(ctx: &Ctx, args: &ExplainArgs, state: &DeployState) -> Result<Outcome> {
        let (data, warnings) = if args.kind == "status" {
            let report = drift::report(state);
            (of_drift(state, &report), report.warnings)
        } else {
            let plan = plan::plan(state);
            (of_plan(state, &plan), plan.warnings)
        };
        Ok(Outcome::reply(answer(ctx, state, data, &warnings)))
    }
}

fn of_plan(seen: &DeployState, plan: &DeployPlan) -> Value {
    let changes = plan.changes.iter().map(|change| {
        let mut out = json!({"op": change.op.as_str(), "target": change.at.target});
        put_path(&mut out, "path", &change.at.path);
        out["reason"] = json!(change.reason());
        out["modules"] = sources(seen, &change.at);
        out
    });
    json!({"profile": seen.args.profile, "targets": seen.targets, "changes": changes.collect::<Vec<_>>()})
}

fn of_drift(seen: &DeployState, report: &DriftReport) -> Value {
    let drift = report.drift.iter().filter(|d| d.managed || d.expected.is_some()).map(|d| {
        let hash = |sha: &Option<Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        let mut out = json!({"kind": d.kind.as_str(), "target": d.at.target});
        put_path(&mut out, "path", &d.at.path);
        out["expected"] = json!(hash(&d.expected));
        out["actual"] = json!(hash(&d.actual));
        let sources = sources(seen, &d.at);
        out["modules"] = sources.as_array().into_iter().flatten().map(|s| s["module_id"].clone()).collect();
        out["sources"] = sources;
        out
    });
    json!({"profile": seen.args.profile, "targets": seen.targets, "drift": drift.collect::<Vec<_>>()})
}

/// The modules behind a file; for one that is no longer wanted, those its manifest remembers.
fn sources(seen: &DeployState, at: &TargetFile) -> Value {
    let mut out = Vec::new();
    let Some(known) = seen.files.get(at) else { return Value::Array(out) };
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
