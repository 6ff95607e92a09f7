//! Focus: the one implicit target. A session has its own; the workspace's last one is the default.
//!
//! A focus on an item that is gone counts as none. That is how deleting an item clears it, and how undoing
//! the deletion brings it back without anything having to be restored.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::core::{Key, Result, View};

use super::args;
use super::fail::{Envelope, fail};
use super::model::{ItemKind, Object};
use super::run::{Answer, Run};
use super::store::{self, FOCUS, Summary};
use super::suggest;

#[derive(Serialize, Deserialize)]
struct Focus {
    id: String,
}

/// The focused item of a session, or the workspace's.
pub fn current(view: &dyn View, workspace: &str, session: &str) -> Result<Option<Summary>> {
    for owner in [session, ""] {
        if let Some((focus, _)) = view.get::<Focus>(FOCUS, &Key::of(workspace).text(owner))?
            && let Some(summary) = store::summary(view, workspace, &focus.id)?
        {
            return Ok(Some(summary));
        }
    }
    Ok(None)
}

pub fn of(run: &Run) -> Result<Option<Summary>> {
    current(run.view(), run.workspace(), &run.ctx.session.id)
}

fn shown(focus: Option<&Summary>) -> Value {
    focus.map_or(Value::Null, |s| json!({"id": s.id, "domain": s.domain}))
}

fn answer(result: Value, focus: Option<&Summary>) -> Answer {
    let mut answer = Answer::new(result);
    answer.context.insert("focus_id".into(), json!(focus.map(|s| &s.id)));
    answer.context.insert("domain".into(), json!(focus.map_or("", |s| &s.domain)));
    answer
}

pub fn get(run: &mut Run, _request: &Object) -> Result<Answer> {
    let focus = of(run)?;
    Ok(answer(json!({"focus": shown(focus.as_ref())}), focus.as_ref()))
}

/// `task-7`, `TASK-7` and `7` all mean TASK-007 here, and only here.
fn normalized(id: &str) -> String {
    let upper = id.to_uppercase();
    let (prefix, digits) = match upper.rsplit_once('-') {
        Some((prefix, digits)) => (prefix.to_string(), digits),
        None => (ItemKind::Task.prefix().to_string(), upper.as_str()),
    };
    match digits.parse::<u64>() {
        Ok(n) => format!("{prefix}-{n:03}"),
        Err(_) => upper,
    }
}

pub fn set(run: &mut Run, request: &Object) -> Result<Answer> {
    let given = match args::id(request, "task", "INVALID_TASK")? {
        Some(id) => Some(id),
        None => args::id(request, "plan", "INVALID_TASK")?,
    };
    let Some(given) = given else {
        let candidates = suggest::pick_a_target(run.view(), run.workspace())?;
        return Err(fail("MISSING_TASK", "'task' is required: the id to focus.")
            .hint("Name a TASK or PLAN id in 'task'.")
            .suggest(candidates));
    };
    let id = normalized(given);
    let found = match store::summary(run.view(), run.workspace(), given)? {
        Some(summary) => Some(summary),
        None => store::summary(run.view(), run.workspace(), &id)?,
    };
    let Some(summary) = found else { return Err(run.not_found(&id)) };
    for owner in [run.ctx.session.id.as_str(), ""] {
        let key = Key::of(run.workspace()).text(owner);
        run.draft.put(FOCUS, &key, &Focus { id: summary.id.clone() })?;
    }
    Ok(answer(json!({"focus": shown(Some(&summary))}), Some(&summary)))
}

pub fn clear(run: &mut Run, _request: &Object) -> Result<Answer> {
    let cleared = of(run)?.is_some();
    for owner in [run.ctx.session.id.as_str(), ""] {
        run.draft.delete(FOCUS, &Key::of(run.workspace()).text(owner))?;
    }
    Ok(answer(json!({"cleared": cleared, "focus": null}), None))
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn ids_are_completed() {
        for (given, id) in [("7", "TASK-007"), ("plan-12", "PLAN-012"), ("TASK-1234", "TASK-1234")] {
            assert_eq!(normalized(given), id);
        }
    }
}
