//! What is seen: the first screen with everything on it, one screen for each operation, task, pack and run, and the
//! frame around them. Screens are made of the command line's views; whatever is put into them is escaped.

mod deploy;
mod frame;
mod needs;
mod now;
mod operation;
mod packs;
mod plots;
mod runs;
pub mod step;
mod task;
mod tasks;
mod timeline;
mod words;

use std::rc::Rc;

use maud::{Markup, html};

use super::desk::{Asker, Desk, USER_WIDE};
use super::query::Query;
use super::state::PageState;
use crate::core::call::PAGE_CLIENT;
use crate::engine::Activity;

pub use frame::{refused, shell, sign_in};
use timeline::TargetNames;
pub use words::ceiling;

/// The session in which reading calls of all pages are made: they leave no record and count for nothing.
const READER: &str = PAGE_CLIENT;
/// Projects whose tasks, packs and runs are shown where none was chosen.
const PROJECTS: usize = 8;
/// Operations in which projects are looked for before the first screen is shown.
const GLANCE: usize = 400;

/// The projects there are, the most recent first, and the one that was chosen.
#[derive(Debug, Clone, Default)]
pub struct Projects {
    pub all: Vec<String>,
    pub chosen: Option<String>,
    /// Operations anywhere that may not be finished.
    unfinished: Vec<String>,
}

impl Projects {
    /// Those whose things are shown.
    pub fn shown(&self) -> Vec<String> {
        match &self.chosen {
            Some(one) => vec![one.clone()],
            None => self.all.iter().filter(|path| Desk::exists(path)).take(PROJECTS).cloned().collect(),
        }
    }

    /// How many are there besides, whose things are shown once they are chosen.
    fn left(&self) -> usize {
        match &self.chosen {
            Some(_) => 0,
            None => self.all.iter().filter(|path| Desk::exists(path)).count().saturating_sub(PROJECTS),
        }
    }
}

/// Looks which projects there are. What was asked for counts only if it is one of them.
pub async fn projects(state: &PageState, query: &Query) -> Projects {
    let engine = state.desk.engine();
    let known = state.kept.activity.borrow().clone();
    let most = known.projects.is_empty().then_some(GLANCE);
    // Without the log there are still those that are open now.
    let found = engine.activity(known, most).await.unwrap_or_default();
    let (mut all, unfinished) = (found.recent(), found.unfinished.clone());
    for live in engine.live().unwrap_or_default() {
        if !all.contains(&live.workspace) {
            all.push(live.workspace);
        }
    }
    if most.is_none() {
        *state.kept.activity.borrow_mut() = found;
    }
    let chosen = query.project.clone().filter(|path| all.contains(path));
    Projects { all, chosen, unfinished }
}

/// Who did how much, up to now.
pub async fn activity(state: &PageState) -> Activity {
    let known = state.kept.activity.borrow().clone();
    let found = state.desk.engine().activity(known, None).await.unwrap_or_default();
    *state.kept.activity.borrow_mut() = found.clone();
    found
}

/// The first screen.
pub async fn first(desk: Desk, query: Query, projects: Projects) -> String {
    let log = timeline::look(&desk, &query, &projects).await;
    let needs = needs::look(&desk, &projects, &log).await;
    let (mut tasks, mut packs, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for project in projects.shown() {
        let asker = desk.asker(READER, &project);
        tasks.push(tasks::look(&asker, &project).await);
        packs.push(packs::look(&asker, &project).await);
        runs.push(runs::look(&asker, &project).await);
    }
    let mut names = TargetNames::default();
    tasks.iter().for_each(|work| work.names(&mut names));
    packs.iter().for_each(|shelf| shelf.names(&mut names));
    let now = now::look(&desk, &projects, &log).await;
    let left = projects.left();
    let all = html! {
        (timeline::chooser(&query, &projects, left))
        (needs::show(&needs, &projects))
        (now::show(&now, &tasks))
        (timeline::show(&desk, &query, &log, &names))
        (tasks::show(&tasks))
        (packs::show(&packs))
        (later("deploy", "Deploy drift", &projects))
        (runs::show(&runs))
        (later("plots", "In numbers", &projects))
    };
    all.into_string()
}

/// A part that takes longer than a first look may: it comes by itself where there are scripts.
fn later(part: &str, title: &str, projects: &Projects) -> Markup {
    let query = Query { project: projects.chosen.clone(), ..Query::default() };
    let address = format!("/part/{part}{}", query.text());
    html! {
        section id=(part) data-part=(address) aria-labelledby=(format!("{part}-title")) {
            h2 id=(format!("{part}-title")) { (title) }
            div class="part" { p class="quiet" { a href=(address) { "Look" } } }
        }
    }
}

/// What a part holds once it was looked for.
pub async fn part(desk: Desk, part: &str, projects: Projects) -> String {
    let shown = projects.shown();
    match part {
        "stale" => alone("Stale packs", &needs::stale(&desk, &shown).await),
        _ => alone("Deploy drift", &deploy::show(&desk, &shown).await),
    }
}

pub fn plots(desk: Desk, activity: &Activity) -> String {
    alone("In numbers", &plots::show(&desk, activity))
}

/// A part as a screen of its own, for whoever has no scripts; a script takes the inner part out of it.
fn alone(title: &str, part: &Markup) -> String {
    html! { article class="one" { h2 { (title) } div class="part" { (part) } } }.into_string()
}

/// One thing by its id; `None` = there is no such thing.
pub async fn one(desk: Desk, kind: &str, id: &str, query: Query) -> Option<String> {
    let workspace = query.project.as_deref().unwrap_or(USER_WIDE);
    if kind != "operation" && !Desk::exists(workspace) {
        return None;
    }
    let asker = desk.asker(READER, if kind == "operation" { USER_WIDE } else { workspace });
    let shown = match kind {
        "operation" => operation::show(&desk, &asker, id).await,
        "task" => task::one(&asker, workspace, id).await,
        "pack" => packs::one(&asker, workspace, id).await,
        _ => runs::one(&asker, workspace, id).await,
    };
    shown.map(Markup::into_string)
}

/// For screens that ask in several places.
fn everywhere(desk: &Desk) -> Asker {
    desk.asker(READER, USER_WIDE)
}

/// The log as it was read for one screen.
type Log = Rc<timeline::TimelineLog>;
