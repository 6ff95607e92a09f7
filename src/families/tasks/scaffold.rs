//! templates_list and scaffold: plans and tasks from a template; a preview unless asked to write.

use serde_json::{Value, json};

use crate::core::Result;

use super::args::{self, flag, text};
use super::contract::version_if_changed;
use super::create::{blank, existing_parent};
use super::fail::{Envelope, fail};
use super::focus;
use super::model::{Gates, Item, ItemKind, Object, Step};
use super::run::{Answer, Run};
use super::state::minute;
use super::templates::{TEMPLATES, TEST_COMMAND, Template};
use super::{shape, suggest};

pub fn templates_list(_run: &mut Run, _request: &Object) -> Result<Answer> {
    let list: Vec<_> = TEMPLATES
        .iter()
        .map(|t| {
            json!({"id": t.id, "name": t.name, "description": t.description, "supports": ["plan", "task"]})
        })
        .collect();
    Ok(Answer::new(json!({"templates": list})))
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn contract_data(template: &Template) -> Object {
    let empty = || json!([]);
    let data = json!({"goal": template.goal, "constraints": empty(), "assumptions": empty(),
        "non_goals": empty(), "done": empty(), "risks": empty(), "checks": [TEST_COMMAND]});
    data.as_object().cloned().unwrap_or_default()
}

fn fill(item: &mut Item, template: &Template, run: &Run) {
    item.tests = vec![TEST_COMMAND.to_string()];
    item.gates = Gates::fresh(&item.tests);
    item.contract_data = contract_data(template);
    if item.is_plan() {
        item.plan_doc = template.doc.to_string();
        item.plan_steps = owned(template.phases);
    } else {
        item.success_criteria = owned(template.criteria);
        let steps = template.steps.iter().enumerate();
        item.steps = steps
            .map(|(i, outline)| {
                let tests = vec![TEST_COMMAND.to_string()];
                Step {
                    id: if run.preview { format!("STEP-PREVIEW-{}", i + 1) } else { String::new() },
                    title: outline.title.to_string(),
                    success_criteria: owned(outline.criteria),
                    gates: Gates::fresh(&tests),
                    tests,
                    blockers: owned(outline.blockers),
                    created_at: Some(minute(run.ctx.now)),
                    ..Step::default()
                }
            })
            .collect();
    }
    version_if_changed(item, None, "scaffold", run.ctx.now);
}

/// The plan a scaffolded task goes under, and how it was found.
fn parent(run: &Run, request: &Object) -> Result<(String, &'static str)> {
    if let Some(id) = args::id(request, "parent", "INVALID_PARENT")? {
        return Ok((existing_parent(run, id)?, "explicit"));
    }
    match focus::of(run)? {
        Some(focused) if focused.kind == ItemKind::Plan => Ok((focused.id, "focus_plan")),
        Some(focused) if focused.parent.is_some() => {
            let id = focused.parent.unwrap_or_default();
            Ok((existing_parent(run, &id)?, "focus_task_parent"))
        }
        _ => Err(fail("MISSING_PARENT", "A task needs 'parent', and the focus does not name a plan.")
            .hint("Pass the id of a plan, or focus one with focus_set.")
            .suggest(suggest::pick_a_target(run.view(), run.workspace())?)),
    }
}

fn template(request: &Object) -> Result<&'static Template> {
    let list = || suggest::list([suggest::high("templates_list", "Lists the templates.", json!({}))]);
    let Some(id) = text(request, "template") else {
        return Err(fail("MISSING_TEMPLATE", "'template' is required.")
            .hint("templates_list shows what there is.")
            .suggest(list()));
    };
    TEMPLATES.iter().find(|t| t.id == id.to_lowercase()).ok_or_else(|| {
        let names: Vec<_> = TEMPLATES.iter().map(|t| t.id).collect();
        fail("UNKNOWN_TEMPLATE", format!("There is no template '{id}'."))
            .hint(format!("Use one of: {}.", names.join(", ")))
            .result(json!({"template": id}))
            .suggest(list())
    })
}

pub fn scaffold(run: &mut Run, request: &Object) -> Result<Answer> {
    let template = template(request)?;
    let kind = text(request, "kind")
        .and_then(|k| ItemKind::parse(&k.to_lowercase()))
        .ok_or_else(|| fail("INVALID_KIND", "'kind' must be plan or task.").hint("Send plan or task."))?;
    let title = args::title(request)?;
    let priority = args::priority(request)?;
    let parent = if kind == ItemKind::Task { Some(parent(run, request)?) } else { None };
    let mut item = blank(kind, run.next_item_id(kind)?, title, run.ctx.now);
    item.parent = parent.as_ref().map(|(id, _)| id.clone());
    item.priority = priority.unwrap_or(item.priority);
    fill(&mut item, template, run);
    let saved = run.save(item)?;
    let (item, name) = (&saved.item, kind.as_str());
    let mut result = json!({"dry_run": run.preview});
    if run.preview {
        result["would_execute"] = json!(true);
    }
    result["kind"] = json!(name);
    result["template"] = json!(template.id);
    if let Some((id, source)) = &parent {
        result["parent"] = json!(id);
        result["parent_source"] = json!(source);
    }
    result[format!("{name}_id")] = json!(item.id);
    result[name] = shape::item(item, saved.rev, flag(request, "compact", false));
    let mut answer = Answer::about(&item.id, result).suggest(suggestions(run, request, item));
    let used = parent.as_ref().is_some_and(|(_, source)| *source != "explicit");
    answer.context.insert("used_focus_parent".into(), json!(used));
    Ok(answer)
}

fn suggestions(run: &Run, request: &Object, item: &Item) -> Vec<Value> {
    if run.preview {
        let mut params = json!({});
        for key in ["template", "kind", "title", "parent", "priority"] {
            if let Some(value) = request.get(key).filter(|v| !v.is_null()) {
                params[key] = value.clone();
            }
        }
        params["dry_run"] = json!(false);
        return suggest::list([suggest::high("scaffold", "Creates what the preview shows.", params)]);
    }
    let key = item.kind.as_str();
    let last = if item.is_plan() {
        let title = format!("<task of {}>", item.title.chars().take(60).collect::<String>());
        let params = json!({"template": request["template"], "kind": "task", "title": title,
            "parent": item.id, "dry_run": true});
        suggest::normal("scaffold", "Adds a task to the plan.", params)
    } else {
        suggest::normal("lint", "Checks the new task.", json!({"task": item.id}))
    };
    suggest::list([
        suggest::high("focus_set", "Makes it the target of calls without one.", json!({"task": item.id})),
        suggest::normal("radar", "Shows what to do first.", json!({key: item.id})),
        last,
    ])
}
