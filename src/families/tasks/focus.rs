//! Focus: the one implicit target. A session has its own; the workspace's last one is the default.
//!
//! A focus on an item that is gone counts as none. That is how deleting an item clears it, and how undoing
//! the deletion brings it back without anything having to be restored.

use serde::{Deserialize, Serialize};

use crate::core::{Key, Result, View};

use super::answer::{FocusFacts, IntentAnswer};
use super::model::ItemKind;
use super::request::IntentRequest;
use super::rows::{self, FOCUS, ItemSummary};

#[derive(Serialize, Deserialize)]
struct Focus {
    id: String,
}

/// The focused item of a session, or the workspace's.
pub fn current(view: &dyn View, workspace: &str, session: &str) -> Result<Option<ItemSummary>> {
    for owner in [session, ""] {
        if let Some((focus, _)) = view.get::<Focus>(FOCUS, &Key::of(workspace).text(owner))?
            && let Some(summary) = rows::summary(view, workspace, &focus.id)?
        {
            return Ok(Some(summary));
        }
    }
    Ok(None)
}

pub fn of(request: &IntentRequest) -> Result<Option<ItemSummary>> {
    current(request.view(), request.workspace(), &request.ctx.session.id)
}

/// The focus as its three intents show it.
#[derive(Serialize)]
pub struct FocusShown<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cleared: Option<bool>,
    focus: Option<Pointer<'a>>,
}

#[derive(Serialize)]
struct Pointer<'a> {
    id: &'a str,
    domain: &'a str,
}

/// The answer of an intent about the focus.
pub fn answer(focus: Option<&ItemSummary>, cleared: Option<bool>) -> IntentAnswer {
    let pointer = focus.map(|s| Pointer { id: &s.id, domain: &s.domain });
    let mut answer = IntentAnswer::new(&FocusShown { cleared, focus: pointer });
    let domain = Some(focus.map(|s| s.domain.clone()).unwrap_or_default());
    answer.context.focus = Some(FocusFacts { focus_id: focus.map(|s| s.id.clone()), domain });
    answer
}

/// Points the session and the workspace at an item, or at nothing.
pub fn point(request: &mut IntentRequest, id: Option<&str>) -> Result<()> {
    for owner in [request.ctx.session.id.as_str(), ""] {
        let key = Key::of(request.workspace()).text(owner);
        match id {
            Some(id) => drop(request.draft.put(FOCUS, &key, &Focus { id: id.to_string() })?),
            None => request.draft.delete(FOCUS, &key)?,
        }
    }
    Ok(())
}

/// `task-7`, `TASK-7` and `7` all mean TASK-007 here, and only here.
pub fn normalized(id: &str) -> String {
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
