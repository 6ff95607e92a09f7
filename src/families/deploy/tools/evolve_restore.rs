//! `evolve_restore`: desired files that went missing come back; nothing that exists is touched.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::arguments::trimmed;
use crate::core::ctx::Explanation;
use crate::core::outcome::OP_ID;
use crate::core::{Ctx, Look, Needs, Outcome, Record, Result, Tool, Writes};
use crate::families::deploy::args::{CommonArgs, confirm_required};
use crate::families::deploy::explained;
use crate::families::deploy::reply::{self, put_path};
use crate::families::deploy::state::{self, DeployState};
use crate::families::deploy::writes::DeployWrites;

pub struct EvolveRestore;

#[derive(Debug, Deserialize)]
pub struct EvolveRestoreArgs {
    #[serde(flatten)]
    common: CommonArgs,
    #[serde(default, deserialize_with = "trimmed")]
    module_id: Option<String>,
    #[serde(default)]
    yes: bool,
}

impl Tool for EvolveRestore {
    type Args = EvolveRestoreArgs;
    type Seen = DeployState;
    const NAME: &'static str = "evolve_restore";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &EvolveRestoreArgs) -> Result<DeployState> {
        state::look(look, &args.common.of(look.call), false)
    }

    fn decide(ctx: &Ctx, args: &EvolveRestoreArgs, seen: &DeployState) -> Result<Outcome> {
        let only = args.module_id.as_deref();
        let wanted = |ids: &[String]| only.is_none_or(|id| ids.iter().any(|x| x == id));
        let all = seen.wanted().filter(|(_, _, output)| wanted(&output.module_ids()));
        let (missing, existing): (Vec<_>, Vec<_>) = all.partition(|(_, known, _)| known.now.is_none());
        let list: Vec<Value> = missing
            .iter()
            .map(|(at, _, output)| {
                let mut item = json!({"target": at.target});
                put_path(&mut item, "path", &at.path);
                item["module_ids"] = json!(output.module_ids());
                item
            })
            .collect();
        let answer = |reason: &str, restored: usize| {
            let summary = json!({
                "missing": missing.len(), "restored": restored, "skipped_existing": existing.len(), "skipped_read_error": 0,
            });
            json!({"restored": list, "summary": summary, "reason": reason})
        };
        let answered = |data: Value| reply::ok(&ctx.call.tool, None, data, &seen.warnings);
        if missing.is_empty() {
            return Ok(Outcome::reply(answered(answer("no_missing", 0))));
        }
        if seen.args.dry_run {
            return Ok(Outcome::reply(answered(answer("dry_run", 0))));
        }
        if !args.yes {
            return Err(confirm_required("evolve restore"));
        }
        seen.refuse_links()?;
        let mut writes = DeployWrites::new(ctx);
        for (at, known, output) in &missing {
            if let Some(index) = known.root {
                writes.write(&seen.roots[index].root, &at.path, None, &output.content, output.exec)?;
            }
        }
        let DeployWrites { draft, effects } = writes;
        let mut out = draft.into_outcome();
        let mut data = answer("restored", effects.len());
        data["operation_id"] = json!(OP_ID);
        out.record = Record {
            summary: format!("Restored {} missing files", effects.len()),
            targets: seen.targets.iter().map(|t| t.to_string()).collect(),
            paths: effects.iter().take(500).map(|e| e.full_path().to_string_lossy().into_owned()).collect(),
            data: json!({"files": effects.len()}),
            ..Record::default()
        };
        out.effects = effects;
        out.reply = answered(data);
        Ok(out)
    }

    fn explain(_ctx: &Ctx, _args: &EvolveRestoreArgs, state: Option<&DeployState>) -> Explanation {
        explained(Self::NAME, state)
    }
}
