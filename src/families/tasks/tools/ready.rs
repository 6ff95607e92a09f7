//! `tasks_ready`: what can be started now, and why the rest cannot. Costs its page.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};

use super::super::answer::IntentAnswer;
use super::super::auto::NOTHING;
use super::super::claims::{Readiness, open_tasks, readiness};
use super::super::pipeline;
use super::super::request::IntentRequest;
use super::super::rows::{self, ItemSummary};
use super::super::suggest::Suggestion;

pub struct TasksReady;

#[derive(Debug, Deserialize)]
pub struct TasksReadyArgs {
    #[serde(default)]
    plan: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Serialize)]
struct ReadyReply {
    ready: Vec<ReadyTask>,
    waiting: Vec<WaitingTask>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    yours: Vec<HeldTask>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct ReadyTask {
    task_id: String,
    title: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<String>,
    steps: String,
}

#[derive(Serialize)]
struct WaitingTask {
    task_id: String,
    because: String,
}

#[derive(Serialize)]
struct HeldTask {
    task_id: String,
    title: String,
    lease_until: String,
}

const LIMIT: usize = 20;
const MOST: usize = 100;
const TITLE: usize = 120;

impl Tool for TasksReady {
    type Args = TasksReadyArgs;
    type Seen = ();
    const NAME: &'static str = "tasks_ready";
    const NEEDS: Needs = Needs::Scan;

    fn look(_look: &Look, _args: &TasksReadyArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &TasksReadyArgs, _seen: &()) -> Result<Outcome> {
        let limit = args.limit.unwrap_or(LIMIT).clamp(1, MOST);
        let mut page: Vec<ItemSummary> = Vec::new();
        open_tasks(ctx, args.plan.as_deref(), args.cursor.as_deref(), |task| {
            page.push(task);
            Ok(page.len() <= limit)
        })?;
        let more = page.len() > limit;
        page.truncate(limit);
        let mut reply =
            ReadyReply { ready: Vec::new(), waiting: Vec::new(), yours: Vec::new(), next_cursor: None };
        reply.next_cursor = page.last().filter(|_| more).map(|task| task.id.clone());
        for task in page {
            let title = rows::clip(&task.title, TITLE);
            match readiness(ctx, ctx.view, &task)? {
                Readiness::Ready => reply.ready.push(ReadyTask {
                    task_id: task.id,
                    title,
                    status: task.status.as_str(),
                    plan_id: task.parent,
                    steps: format!("{}/{}", task.steps_done, task.steps_total),
                }),
                Readiness::Mine(until) => {
                    reply.yours.push(HeldTask { task_id: task.id, title, lease_until: until.zulu() });
                }
                Readiness::Waits(because) => reply.waiting.push(WaitingTask { task_id: task.id, because }),
            }
        }
        let next = reply.ready.first().map(|task| json!({"task": task.task_id}));
        let mut answer = IntentAnswer::new(&reply);
        answer.suggestions = next
            .and_then(|params| Suggestion::high("claim", "Takes the first of them.", &params))
            .into_iter()
            .collect();
        pipeline::plain(IntentRequest::new(ctx, &NOTHING), "ready", answer)
    }
}
