//! `tasks_scaffold`: a plan or task from a template; a preview unless asked to write.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, text};
use super::super::contract::version_if_changed;
use super::super::errors::{EnvelopeParts, fail};
use super::super::intent::Intent;
use super::super::model::{CheckpointSet, ItemKind, TaskItem, TaskStep};
use super::super::request::IntentRequest;
use super::super::state::minute;
use super::super::suggest::{self, Nothing, OfItem, OfTask, Suggestion, fill};
use super::super::target::IntentTarget;
use super::super::templates::{TEMPLATES, TEST_COMMAND, TaskTemplate};
use super::super::tree::blank;
use super::super::{answer, focus, reply};
use super::create::{existing_parent, which_plan};

pub struct Scaffold;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ScaffoldArgs {
    #[serde(flatten)]
    common: Common,
    template: Given<String>,
    kind: Given<String>,
    title: Given<String>,
    parent: Given<String>,
    priority: Given<String>,
}

#[derive(Serialize)]
struct Scaffolded<'a> {
    dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_execute: Option<bool>,
    kind: &'static str,
    template: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_source: Option<&'static str>,
    #[serde(flatten)]
    item: reply::NamedItem<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<reply::StepId>,
}

impl Intent for Scaffold {
    type Args = ScaffoldArgs;
    const TOOL: &'static str = "tasks_scaffold";
    const WRITES: bool = true;

    fn common(args: &ScaffoldArgs) -> &Common {
        &args.common
    }

    fn previews(args: &ScaffoldArgs) -> bool {
        args.common.dry_run.or(true)
    }

    fn answer(
        request: &mut IntentRequest,
        args: &ScaffoldArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let template = template(&args.template)?;
        let kind = text(&args.kind)
            .and_then(|k| ItemKind::parse(&k.to_lowercase()))
            .ok_or_else(|| fail("INVALID_KIND", "'kind' must be plan or task.").hint("Send plan or task."))?;
        let title = args::title(&args.title)?;
        let priority = args::priority(&args.priority)?;
        let parent = if kind == ItemKind::Task { Some(parent(request, &args.parent)?) } else { None };
        let mut item = blank(kind, title, request.ctx.now);
        item.id = request.next_item_id(kind)?;
        item.parent = parent.as_ref().map(|(id, _)| id.clone());
        item.priority = priority.unwrap_or(item.priority);
        outline(&mut item, template, request);
        let saved = request.save(item)?;
        let (item, compact) = (&saved.item, args.common.compact());
        let result = Scaffolded {
            dry_run: request.preview,
            would_execute: request.preview.then_some(true),
            kind: kind.as_str(),
            template: template.id,
            parent: parent.as_ref().map(|(id, _)| id.as_str()),
            parent_source: parent.as_ref().map(|(_, source)| *source),
            item: reply::NamedItem::new(item, saved.rev, compact),
            steps: if compact { reply::step_ids(item, 20) } else { Vec::new() },
        };
        let mut answer =
            IntentAnswer::about(&item.id, &result).suggest(suggestions(request, args, template, item));
        let used = parent.as_ref().is_some_and(|(_, source)| *source != "explicit");
        answer.context.used_focus_parent = Some(used);
        Ok(answer)
    }
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// The contract of a template: every key is there, most of them still empty.
#[derive(Serialize)]
struct Skeleton {
    goal: &'static str,
    constraints: [&'static str; 0],
    assumptions: [&'static str; 0],
    non_goals: [&'static str; 0],
    done: [&'static str; 0],
    risks: [&'static str; 0],
    checks: [&'static str; 1],
}

fn outline(item: &mut TaskItem, template: &TaskTemplate, request: &IntentRequest) {
    item.tests = vec![TEST_COMMAND.to_string()];
    item.gates = CheckpointSet::fresh(&item.tests);
    item.contract_data = answer::object(&Skeleton {
        goal: template.goal,
        constraints: [],
        assumptions: [],
        non_goals: [],
        done: [],
        risks: [],
        checks: [TEST_COMMAND],
    });
    if item.is_plan() {
        item.plan_doc = template.doc.to_string();
        item.plan_steps = owned(template.phases);
    } else {
        item.success_criteria = owned(template.criteria);
        let step = |(i, outline): (usize, &super::super::templates::Outline)| {
            let tests = vec![TEST_COMMAND.to_string()];
            TaskStep {
                id: if request.preview { format!("STEP-PREVIEW-{}", i + 1) } else { String::new() },
                title: outline.title.to_string(),
                success_criteria: owned(outline.criteria),
                gates: CheckpointSet::fresh(&tests),
                tests,
                blockers: owned(outline.blockers),
                created_at: Some(minute(request.ctx.now)),
                ..TaskStep::default()
            }
        };
        item.steps = template.steps.iter().enumerate().map(step).collect();
    }
    version_if_changed(item, None, "scaffold", request.ctx.now);
}

/// The plan a scaffolded task goes under, and how it was found.
fn parent(request: &IntentRequest, given: &Given<String>) -> Result<(String, &'static str)> {
    if let Some(id) = args::id(given, "parent", "INVALID_PARENT").map_err(|e| which_plan(request, e))? {
        return Ok((existing_parent(request, id)?, "explicit"));
    }
    match focus::of(request)? {
        Some(focused) if focused.kind == ItemKind::Plan => Ok((focused.id, "focus_plan")),
        Some(focused) if focused.parent.is_some() => {
            let id = focused.parent.unwrap_or_default();
            Ok((existing_parent(request, &id)?, "focus_task_parent"))
        }
        _ => {
            let error = fail("MISSING_PARENT", "A task needs 'parent', and the focus does not name a plan.")
                .hint("Pass the id of a plan, or focus one with focus_set.")
                .suggest(suggest::pick_a_target(request.view(), request.workspace())?);
            Err(which_plan(request, error))
        }
    }
}

#[derive(Serialize)]
struct NoTemplate<'a> {
    template: &'a str,
}

fn template(given: &Given<String>) -> Result<&'static TaskTemplate> {
    let list = || suggest::list([Suggestion::high("templates_list", "Lists the templates.", &Nothing {})]);
    let names: Vec<_> = TEMPLATES.iter().map(|t| t.id).collect();
    let Some(id) = text(given) else {
        return Err(fail("MISSING_TEMPLATE", "'template' is required.")
            .hint(format!("Use one of: {}.", names.join(", ")))
            .suggest(list()));
    };
    TEMPLATES.iter().find(|t| t.id == id.to_lowercase()).ok_or_else(|| {
        fail("UNKNOWN_TEMPLATE", format!("There is no template '{id}'."))
            .hint(format!("Use one of: {}.", names.join(", ")))
            .result(NoTemplate { template: id })
            .suggest(list())
    })
}

#[derive(Serialize)]
struct Again<'a> {
    template: &'static str,
    kind: &'static str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'a str>,
    dry_run: bool,
}

fn suggestions(
    request: &IntentRequest,
    args: &ScaffoldArgs,
    template: &TaskTemplate,
    item: &TaskItem,
) -> Vec<Suggestion> {
    let (id, kind) = (template_id(template), item.kind.as_str());
    if request.preview {
        let (title, parent) = (item.title.as_str(), text(&args.parent));
        let again =
            Again { template: id, kind, title, parent, priority: text(&args.priority), dry_run: false };
        return suggest::list([Suggestion::high("scaffold", "Creates what the preview shows.", &again)]);
    }
    let last = if item.is_plan() {
        let title = fill("title of the task");
        let parent = Some(item.id.as_str());
        let task =
            Again { template: id, kind: "task", title: &title, parent, priority: None, dry_run: false };
        Suggestion::normal("scaffold", "Adds a task to the plan.", &task)
    } else {
        Suggestion::normal("lint", "Checks the new task.", &OfTask { task: &item.id })
    };
    suggest::list([
        Suggestion::high(
            "focus_set",
            "Makes it the target of calls without one.",
            &OfTask { task: &item.id },
        ),
        Suggestion::normal("radar", "Shows what to do first.", &OfItem::new(item.kind, &item.id)),
        last,
    ])
}

fn template_id(template: &TaskTemplate) -> &'static str {
    template.id
}
