//! `tasks_complete`: sets the status of a plan or task; DONE only if nothing is open, or by force and with a reason.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, forced};
use super::super::checkpoints::overridden;
use super::super::errors::{EnvelopeParts, fail};
use super::super::finishing::{may_close, with_status};
use super::super::intent::{FocusUse, Intent};
use super::super::model::TaskStatus;
use super::super::reply::KeyedItem;
use super::super::request::IntentRequest;
use super::super::runway;
use super::super::scene::{self, TaskScene};
use super::super::suggest::{OfTask, Suggestion};
use super::super::target::IntentTarget;

pub struct Complete;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CompleteArgs {
    #[serde(flatten)]
    common: Common,
    status: Given<String>,
    force: Given<bool>,
    override_reason: Given<String>,
    /// Accepted for the contract's sake: an id is found in every domain.
    #[serde(rename = "domain")]
    _domain: Given<String>,
}

#[derive(Serialize)]
struct OpenTask<'a> {
    task: &'a str,
    open_task: &'a str,
}

impl Intent for Complete {
    type Args = CompleteArgs;
    const TOOL: &'static str = "tasks_complete";
    const FOCUS: FocusUse = FocusUse::Any;
    const WRITES: bool = true;

    fn common(args: &CompleteArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &CompleteArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let loaded = request.item(target)?;
        let status = args::status(&args.status)?.unwrap_or(TaskStatus::Done);
        let forced = forced(&args.force, &args.override_reason, &loaded.item.id)?;
        let closes = status == TaskStatus::Done;
        if closes
            && loaded.item.is_plan()
            && let Some(open) = scene::open(request.view(), request.workspace(), &loaded.item.id)?
        {
            let id = &loaded.item.id;
            let message = format!("{} of {id} is still open: {}.", open.id, open.title);
            let next = Suggestion::high("radar", "The plan's first open task.", &OfTask { task: &open.id });
            return Err(fail("VALIDATION", message)
                .hint("Close its tasks first; a plan with an open task is never DONE, not even by force.")
                .result(OpenTask { task: id, open_task: &open.id })
                .suggest(next.into_iter().collect()));
        }
        let allowed = if closes { may_close(request, &loaded) } else { Ok(()) };
        if forced.is_none() {
            allowed.clone()?;
        }
        let mut item = loaded.item;
        with_status(&mut item, status, forced.is_some());
        if let Some(reason) = forced.filter(|_| allowed.is_err()) {
            overridden(&mut item, request.ctx.now, "", "complete", &reason);
        }
        let saved = request.save(item)?;
        let compact = args.common.compact();
        let shown = KeyedItem::new(&saved.item, saved.rev, compact);
        let mut answer = IntentAnswer::about(&saved.item.id, &shown).short(compact);
        if compact && !request.preview && request.depth == 0 {
            let scene = TaskScene::of(request.view(), request.workspace(), saved.clone())?;
            answer.suggestions.extend(runway::next(request, &scene)?);
        }
        Ok(answer)
    }
}
