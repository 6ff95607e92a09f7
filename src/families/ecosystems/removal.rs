//! The checkouts of an ecosystem going to the trash, with a record of it or without one, and coming back.

use super::begin::FinishedRun;
use super::checkouts::must_be_installed;
use super::ecosystem::Ecosystem;
use super::git::short;
use super::rows::{self, ACTIVE, ECOSYSTEMS, EcosystemId, TICKETS, shown};
use crate::core::op::operation_id;
use crate::core::run::{Reversal, RunDone, RunStep, StepWork};
use crate::core::trash::{Branch, Discard};
use crate::core::{Ctx, Draft, Error, Kind, Outcome, Result};

/// A large checkout is copied where the trash lies on another file system.
const MOVING: u64 = 3600;

/// Only what packd installed, or what is a worktree on the ecosystem's own branch, is ever deleted.
pub fn must_be_ours(ctx: &Ctx, target: &Ecosystem) -> Result<()> {
    must_be_installed(target)?;
    let own_branch = target.workspace.branch.as_deref() == Some(target.branch().as_str());
    if own_branch || rows::installed(ctx.view, &target.id)?.is_some() {
        return Ok(());
    }
    let at = shown(&target.dir, &target.id.root);
    Err(Error::new(Kind::State, "not_ours", format!("{at} exists, but packd did not install it."))
        .hint("Remove it yourself if it is not needed."))
}

/// The step that takes every checkout away, tickets included, and what it does in words.
pub fn removal(ctx: &Ctx, target: &Ecosystem, delete_branch: bool) -> (Discard, Vec<String>) {
    let root = &target.id.root;
    let mut details = Vec::new();
    let mut paths = vec![target.dir.clone()];
    // Whatever else is there are worktrees of the clones, which do not work without them.
    if target.tickets_dir_exists {
        paths.push(target.id.tickets_dir());
        details.push(format!("delete directory {}, to the trash", shown(&target.id.tickets_dir(), root)));
    }
    for (ticket, list) in &target.tickets {
        for (_, checkout) in list.iter().filter(|(_, c)| c.exists) {
            details.push(format!(
                "delete directory {} (ticket {}), to the trash",
                shown(&checkout.dir, root),
                ticket.id
            ));
        }
    }
    details.extend(
        target
            .repos
            .iter()
            .filter(|(r, c)| c.exists && r.url != "local")
            .map(|(_, c)| format!("delete directory {}, to the trash", shown(&c.dir, root))),
    );
    details.push(format!("delete directory {}, to the trash", shown(&target.dir, root)));
    let mut branches = Vec::new();
    if delete_branch && target.workspace.exists && target.platform_head.is_some() {
        let branch = target.branch();
        if let Some(tip) = &target.branch_tip {
            details.push(format!("delete branch {branch} ({})", short(tip)));
        }
        branches.push(Branch { repo: root.clone(), name: branch });
    }
    let discard = Discard {
        entry: operation_id(ctx.now, ctx.ids),
        subject: target.id.name.clone(),
        root: root.clone(),
        paths,
        checkouts: target.kept(),
        branches,
        home: ctx.session.home.clone(),
    };
    (discard, details)
}

pub fn moving(discard: &Discard) -> RunStep {
    RunStep::new("move the checkouts to the trash", StepWork::Trash(Box::new(discard.clone())), MOVING)
}

/// The way back from a trash entry, and there again; `otherwise` is what to do once the trash no longer holds it.
pub fn way_back(discard: &Discard, otherwise: &str) -> Reversal {
    let path = discard.paths.first().cloned().unwrap_or_default();
    let back = StepWork::Untrash { entry: discard.entry.clone(), path, otherwise: otherwise.into() };
    let back = RunStep::new("bring the checkouts back from the trash", back, MOVING);
    Reversal { guards: Vec::new(), undo: vec![back], redo: Some(vec![moving(discard)]) }
}

/// The record's name: the day, and a number where one of that day exists. It is the same in the preview and in the
/// confirmed run, or the confirmation has drifted.
pub fn record_file(ctx: &Ctx, target: &Ecosystem) -> String {
    let name = &target.id.name;
    let day: String = ctx.now.compact().chars().take_while(|c| *c != '-').collect();
    let first = std::iter::once(format!("{name}-{day}.json"));
    let names = first.chain((2..).map(|n| format!("{name}-{day}-{n}.json")));
    let free = names.filter(|file| !target.archives.contains(file)).take(1).collect::<String>();
    format!("ecosystems/{name}/archives/{free}")
}

/// What a run took away, and how people say that.
pub struct Gone {
    pub verb: &'static str,
    pub discard: Discard,
}

/// Forgets an ecosystem's checkouts, after an archive or a discard.
pub fn gone(mut draft: Draft, ctx: &Ctx, id: &EcosystemId, done: &RunDone, gone: Gone) -> Result<Outcome> {
    forget(ctx, &mut draft, id)?;
    let mut outcome = draft.into_outcome();
    let Gone { verb, discard } = gone;
    FinishedRun {
        done,
        summary: format!("{verb} ecosystem {}; its checkouts are in the trash.", id.name),
        irreversible: None,
        reversal: Some(way_back(&discard, "install the ecosystem again")),
        targets: vec![id.target()],
    }
    .record(&mut outcome)?;
    outcome.record.id = Some(discard.entry);
    Ok(outcome)
}

fn forget(ctx: &Ctx, draft: &mut Draft, id: &EcosystemId) -> Result<()> {
    if rows::installed(ctx.view, id)?.is_some() {
        draft.delete(ECOSYSTEMS, &id.key())?;
    }
    for ticket in rows::tickets(ctx.view, id)? {
        draft.delete(TICKETS, &id.key().text(&ticket.id))?;
    }
    if rows::active_ticket(ctx.view, id)?.is_some() {
        draft.delete(ACTIVE, &id.key())?;
    }
    Ok(())
}
