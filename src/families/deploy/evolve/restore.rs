//! `evolve_restore`: desired files that went missing come back; nothing that exists is touched.

use serde_json::{Value, json};

use crate::core::outcome::OP_ID;
use crate::core::{Ctx, Outcome, Record, Result};
use crate::families::deploy::args::{Args, confirm_required};
use crate::families::deploy::envelope::{self, put_path};
use crate::families::deploy::seen::Seen;
use crate::families::deploy::writes::Writes;

pub fn restore(ctx: &Ctx, args: &Args, seen: &Seen) -> Result<Outcome> {
    let only = ctx.call.text("module_id");
    let wanted = |ids: &[String]| only.is_none_or(|id| ids.iter().any(|x| x == id));
    let all = seen.wanted().filter(|(_, _, output)| wanted(&output.module_ids()));
    let (missing, existing): (Vec<_>, Vec<_>) = all.partition(|(_, known, _)| known.now.is_none());
    let list: Vec<Value> = missing
        .iter()
        .map(|(spot, _, output)| {
            let mut item = json!({"target": spot.target});
            put_path(&mut item, "path", &spot.path);
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
    let reply = |data: Value| envelope::ok(&ctx.call.tool, None, data, &seen.warnings);
    if missing.is_empty() {
        return Ok(Outcome::reply(reply(answer("no_missing", 0))));
    }
    if args.dry_run {
        return Ok(Outcome::reply(reply(answer("dry_run", 0))));
    }
    if !args.yes {
        return Err(confirm_required("evolve restore"));
    }
    seen.refuse_links()?;
    let mut writes = Writes::new(ctx);
    for (spot, known, output) in &missing {
        if let Some(index) = known.root {
            writes.write(&seen.roots[index].root, &spot.path, None, &output.content, output.exec)?;
        }
    }
    let Writes { draft, effects } = writes;
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
    out.reply = reply(data);
    Ok(out)
}
