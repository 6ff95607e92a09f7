//! The one way every intent goes, in the contract's order: revision syntax, focus, guards, preview,
//! revision, handler, operation id. Batches send their operations the same way.

use serde_json::{Value, json};

use crate::core::outcome::OP_ID;
use crate::core::{Error, Result};

use super::args::{self, flag, has, text};
use super::fail::{Envelope, fail};
use super::intents::{self, FocusUse, Intent};
use super::model::{ItemKind, Object, Status};
use super::run::{Answer, Run};
use super::store::{self, ITEMS};
use super::{focus, suggest};

pub fn execute(run: &mut Run, name: &str, request: &Object) -> Result<Answer> {
    let Some(intent) = intents::find(name) else {
        return Err(fail("UNKNOWN_INTENT", format!("There is no intent '{name}'."))
            .hint("The intents are the tools named tasks_<intent>."));
    };
    let expected = expected_revision(request)?;
    let mut request = request.clone();
    let mut context = Object::new();
    match targeted(run, intent, &mut request, expected, &mut context) {
        Ok(mut answer) => {
            for (key, value) in context {
                answer.context.entry(key).or_insert(value);
            }
            Ok(answer)
        }
        Err(error) => Err(error.context(&context)),
    }
}

fn targeted(
    run: &mut Run,
    intent: &Intent,
    request: &mut Object,
    expected: Option<u64>,
    context: &mut Object,
) -> Result<Answer> {
    let mut target = None;
    if intent.focus != FocusUse::No {
        target = Some(fill_from_focus(run, intent, request, context)?);
        guard(run, intent, request, context)?;
    }
    let preview = run.preview || is_preview(intent, request);
    if let (Some(id), Some(expected), false) = (&target, expected, preview) {
        check_revision(run, id, expected)?;
    }
    if run.depth == 0 {
        run.filled = target.map(|id| (intent.target_key(), id));
    }
    let mut answer = work(run, intent, request, preview)?;
    answer.preview = preview;
    let writes = intent.writes || answer.wrote;
    if writes && preview {
        answer.result.entry("dry_run").or_insert(json!(true));
        answer.result.entry("would_execute").or_insert(json!(!answer.no_op));
    } else if writes && !answer.no_op {
        let id = if run.depth == 0 {
            OP_ID.to_string()
        } else {
            let id = run.ctx.ids.uuid();
            run.nested_ids.push(id.clone());
            id
        };
        answer.meta.insert("operation_id".into(), json!(id));
    }
    if answer.no_op {
        answer.meta.insert("no_op".into(), json!(true));
    }
    Ok(answer)
}

/// Runs the handler; a preview that is not already inside one leaves the draft as it found it.
fn work(run: &mut Run, intent: &Intent, request: &Object, preview: bool) -> Result<Answer> {
    if !preview || run.preview {
        return (intent.handler)(run, request);
    }
    let (saved, touched) = (run.draft.snapshot(), run.targets.clone());
    run.preview = true;
    let answer = (intent.handler)(run, request);
    run.preview = false;
    run.draft.restore(saved);
    run.targets = touched;
    answer
}

fn is_preview(intent: &Intent, request: &Object) -> bool {
    match intent.name {
        "close_task" => !flag(request, "apply", false) || flag(request, "dry_run", false),
        "scaffold" => flag(request, "dry_run", true),
        name => {
            let composite = ["batch", "storage"].contains(&name);
            (intent.writes || composite) && flag(request, "dry_run", false)
        }
    }
}

/// `expected_revision` or its alias: a whole number from 0, or its text.
pub fn expected_revision(request: &Object) -> Result<Option<u64>> {
    for key in ["expected_revision", "expected_version"] {
        if let Some(value) = request.get(key).filter(|v| !v.is_null()) {
            let parsed = args::integer(value).and_then(|n| u64::try_from(n).ok());
            let message = || format!("'{key}' is {value}; it must be a whole number from 0.");
            return parsed.map(Some).ok_or_else(|| {
                fail("INVALID_EXPECTED_REVISION", message())
                    .hint("Send the 'revision' that resume or radar shows.")
            });
        }
    }
    Ok(None)
}

pub fn check_revision(run: &Run, id: &str, expected: u64) -> Result<()> {
    let Some(row) = run.view().row(ITEMS, &store::item_key(run.workspace(), id))? else { return Ok(()) };
    if row.rev == expected {
        return Ok(());
    }
    Err(fail("REVISION_MISMATCH", format!("{id} is at revision {}, not {expected}.", row.rev))
        .hint("Read it again with resume or radar, then retry with the current revision.")
        .result(json!({"task": id, "expected_revision": expected, "current_revision": row.rev}))
        .suggest(suggest::reread(id)))
}

fn resolution(context: &mut Object, value: Value) {
    context.insert("target_resolution".into(), value);
}

/// Names the target if the request does not; returns its id.
fn fill_from_focus(run: &Run, intent: &Intent, request: &mut Object, context: &mut Object) -> Result<String> {
    let key = intent.target_key();
    let keys = if key == "plan" { ["plan", "task"] } else { ["task", "plan"] };
    if keys.iter().any(|k| has(request, k) && request[*k] != json!("")) {
        resolution(context, json!({"source": "explicit"}));
        return Ok(keys.iter().find_map(|k| text(request, k)).unwrap_or_default().to_string());
    }
    let candidates = || suggest::pick_a_target(run.view(), run.workspace());
    let Some(focused) = focus::of(run)? else {
        resolution(context, json!({"source": "missing"}));
        let message = format!("{} needs a target: none was named and nothing is focused.", intent.name);
        return Err(fail("MISSING_TARGET", message)
            .hint(format!("Pass '{key}', or choose a focus with focus_set."))
            .suggest(candidates()?));
    };
    let plan_parent = focused.parent.as_ref().filter(|p| ItemKind::of_id(p) == ItemKind::Plan);
    let (source, id) = match (intent.focus, focused.kind) {
        (FocusUse::Plan, ItemKind::Task) if plan_parent.is_some() => {
            ("focus_task_parent", plan_parent.cloned().unwrap_or_default())
        }
        (FocusUse::Plan, ItemKind::Task) | (FocusUse::Task, ItemKind::Plan) => {
            resolution(
                context,
                json!({"source": "focus_incompatible", "focus": focused.id, "domain": focused.domain}),
            );
            let wanted = if intent.focus == FocusUse::Plan { "plan" } else { "task" };
            let message = format!("The focus is {}, but {} works on a {wanted}.", focused.id, intent.name);
            return Err(fail("FOCUS_INCOMPATIBLE", message)
                .hint(format!("Pass '{key}', or focus a {wanted} with focus_set."))
                .suggest(candidates()?));
        }
        _ => ("focus", focused.id.clone()),
    };
    let mut how = json!({"source": source, "focus": focused.id});
    how[key] = json!(id);
    how["domain"] = json!(focused.domain);
    resolution(context, how);
    request.insert(key.to_string(), json!(id));
    Ok(id)
}

/// Refuses a write that may hit something else than its author thinks.
fn guard(run: &Run, intent: &Intent, request: &mut Object, context: &mut Object) -> Result<()> {
    let how = context.get("target_resolution").cloned().unwrap_or_default();
    let explicit = how["source"] == "explicit";
    let mut strict = flag(request, "strict_targeting", false) || flag(request, "strict_writes", false);
    if !explicit && !has(request, "strict_targeting") && !has(request, "strict_writes") {
        let mut active = 0;
        for kind in [ItemKind::Plan, ItemKind::Task] {
            active += store::count_status(run.view(), run.workspace(), kind, Status::Active)?;
        }
        if active > 1 {
            strict = true;
            context.insert("strict_writes_auto".into(), json!(true));
            context.insert("strict_writes_reason".into(), json!("multiple_active_targets"));
            context.insert("strict_writes_active_count".into(), json!(active));
        }
    }
    let keys = if intent.target_key() == "plan" { ["plan", "task"] } else { ["task", "plan"] };
    let resolved = keys.iter().find_map(|k| text(request, k)).unwrap_or_default().to_string();
    let kind = match store::summary(run.view(), run.workspace(), &resolved)? {
        Some(summary) => summary.kind,
        None => ItemKind::of_id(&resolved),
    };
    let refuse = |code: &str, message: String, hint: &str| -> Error {
        let value = |key: &str| request.get(key).cloned().unwrap_or(Value::Null);
        fail(code, message)
            .hint(hint)
            .result(json!({"expected_target_id": value("expected_target_id"),
                "expected_kind": value("expected_kind"), "resolved_target_id": resolved,
                "resolved_kind": kind.as_str(), "target_resolution": how}))
            .suggest(suggest::look_at(&resolved))
    };
    let named = args::id(request, "expected_target_id", "INVALID_EXPECTED_TARGET_ID")?;
    let alias = args::id(request, "expected_target", "INVALID_EXPECTED_TARGET_ID")?;
    if let (Some(a), Some(b)) = (named, alias)
        && a != b
    {
        let message = format!("'expected_target_id' is {a}, but its alias 'expected_target' is {b}.");
        return Err(refuse("EXPECTED_TARGET_MISMATCH", message, "Send one of the two."));
    }
    let expected = named.or(alias);
    let expected_kind = match request.get("expected_kind").filter(|v| !v.is_null() && **v != json!("")) {
        None => None,
        Some(value) => Some(value.as_str().and_then(|s| ItemKind::parse(s.trim())).ok_or_else(|| {
            let message = format!("'expected_kind' is {value}; it must be task or plan.");
            refuse("INVALID_EXPECTED_KIND", message, "Send task or plan.")
        })?),
    };
    if strict && !explicit && expected.is_none() {
        let message = format!("{} would go to the focus ({resolved}) without saying so.", intent.name);
        return Err(refuse(
            "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
            message,
            "Pass 'expected_target_id' with the id you mean, or name the target itself.",
        ));
    }
    if expected.is_some_and(|id| id != resolved) || expected_kind.is_some_and(|k| k != kind) {
        let message =
            format!("The target is {resolved} ({}), which is not what was expected.", kind.as_str());
        return Err(refuse(
            "EXPECTED_TARGET_MISMATCH",
            message,
            "Check the focus, or name the target in the request.",
        ));
    }
    Ok(())
}
