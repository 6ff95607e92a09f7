//! Where a session stands: global or inside an ecosystem. Kept per session, part of the shared history.

use serde::{Deserialize, Serialize};

use super::rows::SCOPES;
use super::tools::{ActiveRuns, DescribeEcosystem, EcosystemStatus, ListEcosystems, ScopeBack};
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Key, Outcome, Record, Result, Tool, View};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionScope {
    /// `None` = global.
    pub ecosystem: Option<String>,
    /// Where "back" leads, the nearest last.
    #[serde(default)]
    pub history: Vec<Option<String>>,
}

/// Deeper than anybody goes back; keeps the row small.
const DEPTH: usize = 50;

impl SessionScope {
    pub fn of(ctx: &Ctx) -> Result<SessionScope> {
        let view: &dyn View = ctx.view;
        Ok(view.get(SCOPES, &Key::of(&ctx.session.id))?.map(|(scope, _)| scope).unwrap_or_default())
    }

    pub fn enter(&mut self, name: &str) {
        let before = self.ecosystem.replace(name.to_string());
        self.history.push(before);
        if self.history.len() > DEPTH {
            self.history.remove(0);
        }
    }

    pub fn place(&self) -> String {
        self.ecosystem.as_deref().map_or("global".to_string(), |name| format!("ecosystem {name}"))
    }
}

/// The ecosystem a call is about: the one it names, else the session's.
pub fn chosen(ctx: &Ctx, named: Option<&str>) -> Result<Option<String>> {
    match named {
        Some(name) => Ok(Some(name.to_string())),
        None => Ok(SessionScope::of(ctx)?.ecosystem),
    }
}

/// What a refused call was about.
pub fn concerns(ctx: &Ctx, named: Option<&str>) -> Vec<String> {
    let name = chosen(ctx, named).ok().flatten();
    name.map(|name| format!("ecosystem:{name}")).into_iter().collect()
}

#[derive(Serialize)]
struct ShownScope<'a> {
    scope: &'static str,
    ecosystem: Option<&'a str>,
    mode: &'static str,
    mode_said: bool,
    can_go_back: bool,
    session_id: &'a str,
}

pub fn answer(ctx: &Ctx, scope: &SessionScope, summary: String) -> Answer {
    let name = scope.ecosystem.as_deref();
    let answer = Answer::new(summary).ecosystem(name).fields(ShownScope {
        scope: if name.is_some() { "ecosystem" } else { "global" },
        ecosystem: name,
        mode: ctx.call.mode.as_str(),
        mode_said: ctx.call.mode_said,
        can_go_back: !scope.history.is_empty(),
        session_id: &ctx.session.id,
    });
    let answer = match name {
        Some(_) => answer.next(Next::call(EcosystemStatus::NAME)).next(Next::call(DescribeEcosystem::NAME)),
        None => answer.next(Next::call(ListEcosystems::NAME)).next(Next::call(ActiveRuns::NAME)),
    };
    if scope.history.is_empty() { answer } else { answer.next(Next::call(ScopeBack::NAME)) }
}

/// The session goes somewhere else.
pub fn moved(ctx: &Ctx, scope: &SessionScope, summary: String) -> Result<Outcome> {
    let mut draft = ctx.draft();
    draft.put(SCOPES, &Key::of(&ctx.session.id), scope)?;
    let mut outcome = draft.into_outcome();
    outcome.record = Record { summary: summary.clone(), targets: vec!["scope".into()], ..Record::default() };
    outcome.reply = answer(ctx, scope, summary).reply(ctx);
    Ok(outcome)
}
