//! Where a session stands: global or inside an ecosystem. Kept per session, part of the shared history.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reply::{Answer, next};
use super::state::SCOPES;
use super::survey::Survey;
use crate::core::{Ctx, Error, Key, Kind, Outcome, Record, Result, View};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// `None` = global.
    pub ecosystem: Option<String>,
    /// Where "back" leads, the nearest last.
    #[serde(default)]
    pub history: Vec<Option<String>>,
}

/// Deeper than anybody goes back; keeps the row small.
const DEPTH: usize = 50;

pub fn current(view: &dyn View, session: &str) -> Result<Scope> {
    Ok(view.get(SCOPES, &Key::of(session))?.map(|(scope, _)| scope).unwrap_or_default())
}

/// The ecosystem a call is about: its argument, else the session's scope.
pub fn chosen(ctx: &Ctx) -> Result<Option<String>> {
    match ctx.call.text("ecosystem") {
        Some(name) => Ok(Some(name.to_string())),
        None => Ok(current(ctx.view, &ctx.session.id)?.ecosystem),
    }
}

pub fn none_chosen() -> Error {
    Error::new(Kind::State, "no_ecosystem", "No ecosystem is selected.")
        .hint("Pass 'ecosystem', or call amof_use_ecosystem first; amof_list_ecosystems shows what there is.")
}

fn fields(scope: &Scope, ctx: &Ctx) -> Value {
    json!({
        "scope": if scope.ecosystem.is_some() { "ecosystem" } else { "global" },
        "ecosystem": scope.ecosystem,
        "mode": ctx.call.mode.as_str(),
        "mode_said": ctx.call.mode_said,
        "can_go_back": !scope.history.is_empty(),
    })
}

pub fn info(ctx: &Ctx) -> Result<Outcome> {
    let scope = current(ctx.view, &ctx.session.id)?;
    let place = scope.ecosystem.as_deref().map_or("global".to_string(), |e| format!("ecosystem {e}"));
    let summary = format!("You are in {place}, mode {}.", ctx.call.mode.as_str());
    answer(ctx, &scope, summary).outcome(ctx)
}

fn answer(ctx: &Ctx, scope: &Scope, summary: String) -> Answer {
    let mut answer = Answer::new(summary).ecosystem(scope.ecosystem.clone()).fields(fields(scope, ctx));
    answer = match &scope.ecosystem {
        Some(_) => answer
            .next(next("amof_get_ecosystem_status", json!({})))
            .next(next("amof_describe_ecosystem", json!({}))),
        None => {
            answer.next(next("amof_list_ecosystems", json!({}))).next(next("amof_get_active_runs", json!({})))
        }
    };
    if scope.history.is_empty() { answer } else { answer.next(next("amof_scope_back", json!({}))) }
}

pub fn use_ecosystem(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let name = ctx.call.text("name").or_else(|| ctx.call.text("ecosystem")).ok_or_else(none_chosen)?;
    survey.find(name)?;
    let mut scope = current(ctx.view, &ctx.session.id)?;
    if scope.ecosystem.as_deref() == Some(name) {
        return answer(ctx, &scope, format!("Ecosystem {name} was already selected.")).outcome(ctx);
    }
    let before = scope.ecosystem.replace(name.to_string());
    scope.history.push(before);
    if scope.history.len() > DEPTH {
        scope.history.remove(0);
    }
    moved(ctx, &scope, format!("Ecosystem {name} is selected."))
}

pub fn back(ctx: &Ctx) -> Result<Outcome> {
    let mut scope = current(ctx.view, &ctx.session.id)?;
    let Some(before) = scope.history.pop() else {
        return Err(Error::new(Kind::State, "no_way_back", "There is no earlier scope to go back to.")
            .hint("amof_scope_info shows where you are."));
    };
    scope.ecosystem = before;
    let place = scope.ecosystem.clone().map_or("global".to_string(), |e| format!("ecosystem {e}"));
    moved(ctx, &scope, format!("Back in {place}."))
}

pub fn global(ctx: &Ctx) -> Result<Outcome> {
    let scope = current(ctx.view, &ctx.session.id)?;
    if scope == Scope::default() {
        return answer(ctx, &scope, "You were already in the global scope.".into()).outcome(ctx);
    }
    moved(ctx, &Scope::default(), "Back in the global scope.".into())
}

fn moved(ctx: &Ctx, scope: &Scope, summary: String) -> Result<Outcome> {
    let mut draft = ctx.draft();
    draft.put(SCOPES, &Key::of(&ctx.session.id), scope)?;
    let mut outcome = draft.into_outcome();
    outcome.record = Record { summary: summary.clone(), targets: vec!["scope".into()], ..Record::default() };
    outcome.reply = answer(ctx, scope, summary).reply(ctx);
    Ok(outcome)
}
