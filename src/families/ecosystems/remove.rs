//! Archive and discard: the checkouts of an ecosystem going, with a record or without one.

use std::path::Path;

use serde_json::{Value, json};

use super::git::{self, Checkout, short};
use super::install::{LOCAL, must_be_installed};
use super::push;
use super::state::{self, ACTIVE, ARCHIVES, ECOSYSTEMS, Place, TICKETS, shown};
use super::survey::{Survey, Target};
use super::work::{Finished, Plan};
use crate::core::run::{RunDone, Step, Work};
use crate::core::{Ctx, Draft, Error, Kind, Outcome, Result, SessionInfo};

fn removed(target: &Target, path: &Path) -> Work {
    Work::RemoveTree { root: target.place.root.clone(), path: path.to_path_buf() }
}

/// Only what packd installed, or what is a worktree on the ecosystem's own branch, is ever deleted.
fn must_be_ours(ctx: &Ctx, target: &Target) -> Result<()> {
    must_be_installed(target)?;
    let own_branch = target.workspace.branch.as_deref() == Some(target.branch().as_str());
    if own_branch || state::installed(ctx.view, &target.place)?.is_some() {
        return Ok(());
    }
    let at = shown(&target.dir, &target.place.root);
    Err(Error::new(Kind::State, "not_ours", format!("{at} exists, but packd did not install it."))
        .hint("Remove it yourself if it is not needed."))
}

/// Steps that take every checkout away, tickets first (they are worktrees of the clones).
fn removal(session: &SessionInfo, target: &Target, delete_branch: bool) -> (Vec<Step>, Vec<String>) {
    let (mut steps, mut details) = (Vec::new(), Vec::new());
    let root = &target.place.root;
    for (ticket, list) in &target.tickets {
        for (repo, checkout) in list.iter().filter(|(_, c)| c.exists) {
            details.push(format!("delete directory {} (ticket {})", shown(&checkout.dir, root), ticket.id));
            steps.push(Step::new(
                format!("remove the worktree of {repo} for {}", ticket.id),
                removed(target, &checkout.dir),
                LOCAL,
            ));
        }
    }
    for (repo, checkout) in target.repos.iter().filter(|(r, c)| c.exists && r.url != "local") {
        details.push(format!("delete directory {}", shown(&checkout.dir, root)));
        let work = Work::RemoveTree { root: target.dir.clone(), path: checkout.dir.clone() };
        steps.push(Step::new(format!("remove the clone of {}", repo.name), work, LOCAL));
    }
    details.push(format!("delete directory {}", shown(&target.dir, root)));
    if target.workspace.exists && target.platform_head.is_some() {
        let dir = target.dir.to_string_lossy();
        let args = ["worktree", "remove", "--force", "--", &dir];
        steps.push(Step::new("remove the worktree", git::work(session, root, &args), LOCAL));
        if delete_branch && target.branch_tip.is_some() {
            let branch = target.branch();
            details.push(format!(
                "delete branch {branch} ({})",
                short(target.branch_tip.as_deref().unwrap_or_default())
            ));
            steps.push(Step::new(
                format!("delete the branch {branch}"),
                git::work(session, root, &["branch", "-D", "--", &branch]),
                LOCAL,
            ));
        }
    } else {
        steps.push(Step::new("remove the directory", removed(target, &target.dir), LOCAL));
    }
    (steps, details)
}

pub fn archive(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    must_be_ours(ctx, target)?;
    target.manifest()?;
    let (place, session) = (&target.place, ctx.session);
    let loose: Vec<String> = target
        .checkouts()
        .filter(|(_, c)| !c.dirty.is_empty() || c.stashes > 0)
        .map(|(name, c)| format!("{name}: {} changed files, {} stashes", c.dirty.len(), c.stashes))
        .collect();
    if !loose.is_empty() {
        return Err(Error::new(
            Kind::State,
            "uncommitted_work",
            format!("Archiving keeps what is committed, and there is more: {}.", loose.join("; ")),
        )
        .hint("Commit or drop these changes first.")
        .details(json!({"uncommitted": loose})));
    }
    let blocked = push::blocked(&target.outgoing);
    if !blocked.is_empty() {
        return Err(Error::new(
            Kind::State,
            "push_blocked",
            format!("Archiving pushes everything first, and that cannot work: {}.", blocked.join("; ")),
        )
        .hint("Call amof_sync_ecosystem, or make the remote reachable, then try again."));
    }
    let (mut steps, mut details) = push::steps(session, &target.outgoing, false);
    let stamp = ctx.now.zulu().replace([':', '-'], "");
    let file = format!("ecosystems/{0}/archives/{0}-{stamp}.json", place.name);
    let repos: Vec<Value> = target
        .repos
        .iter()
        .map(|(r, c)| json!({"name": r.name, "branch": c.branch, "commit": c.head, "readonly": r.readonly}))
        .collect();
    let record = json!({
        "ecosystem": place.name,
        "archived_at": ctx.now.zulu(),
        "workspace_branch": target.workspace.branch,
        "message": ctx.call.text("message").unwrap_or_default(),
        "tickets": target.tickets.iter().map(|(t, _)| t.id.as_str()).collect::<Vec<_>>(),
        "repos": repos,
    });
    let content = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
    let home = if target.workspace.exists { &target.dir } else { &place.root };
    let write = Work::WriteFile { path: home.join(&file), content: Some(content.clone()), before: None };
    let unwrite = Work::WriteFile { path: home.join(&file), content: None, before: Some(content) };
    details.push(format!("write {file}"));
    steps.push(Step::new(format!("write {file}"), write, LOCAL).revert([unwrite]));
    if let Some(head) = target.workspace.head.as_deref().filter(|_| target.workspace.exists) {
        let dir = &target.dir;
        let message = format!("Archive ecosystem {}", place.name);
        let unstage = git::work(session, dir, &["reset", "-q", "--", &file]);
        steps.push(
            Step::new("stage the record", git::work(session, dir, &["add", "-f", "--", &file]), LOCAL)
                .revert([unstage]),
        );
        let commit = git::work(session, dir, &["commit", "-q", "-m", &message, "--", &file]);
        let back = git::work(session, dir, &["reset", "-q", "--keep", head]);
        steps.push(Step::new("commit the record", commit, LOCAL).revert([back]));
        if target.workspace.origin.is_some() {
            let refspec = format!("HEAD:refs/heads/{}", target.branch());
            let push = git::work(session, dir, &["push", "--porcelain", "--", "origin", &refspec]);
            steps.push(Step::new("push the record", push, git::remote_timeout(session)));
        }
    }
    let (remove, removes) = removal(session, target, false);
    steps.extend(remove);
    details.extend(removes);
    details.push(format!("keep branch {}", target.branch()));
    Ok(Plan {
        action: "archive",
        would: format!("archive {}: push everything, write a record, remove its checkouts", place.name),
        details,
        steps,
        data: record,
        irreversible: Some(
            "Pushed branches stay pushed; the checkouts come back with amof_install_ecosystem.".into(),
        ),
        ..Plan::default()
    })
}

/// Work that would be lost, one line each.
fn at_stake(target: &Target) -> Vec<String> {
    let mut lines: Vec<String> = target.strays.iter().map(|name| format!("workspace: {name}")).collect();
    for (name, checkout) in target.checkouts().filter(|(_, c)| c.has_work()) {
        lines.extend(work_of(&name, checkout));
    }
    lines
}

fn work_of(name: &str, checkout: &Checkout) -> Vec<String> {
    let mut lines: Vec<String> = checkout
        .unpushed
        .iter()
        .map(|c| format!("{name}: unpushed commit {} {}", short(&c.sha), c.subject))
        .collect();
    let more = checkout.unpushed_count.saturating_sub(checkout.unpushed.len() as u64);
    if more > 0 {
        lines.push(format!("{name}: {more} more unpushed commits"));
    }
    lines.extend(checkout.dirty.iter().map(|d| format!("{name}: uncommitted {d}")));
    if checkout.stashes > 0 {
        lines.push(format!("{name}: {} stashed changes", checkout.stashes));
    }
    lines
}

pub fn discard(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    must_be_ours(ctx, target)?;
    let place = &target.place;
    let lost = at_stake(target);
    if !lost.is_empty() && !ctx.call.flag("force") {
        return Err(Error::new(
            Kind::State,
            "unpushed_work",
            format!("Discarding {} would lose work that exists nowhere else: {}.", place.name, lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem or keep it with amof_archive_ecosystem; 'force': true discards it.")
        .details(json!({"unpushed": lost})));
    }
    let (steps, removes) = removal(ctx.session, target, true);
    let mut details: Vec<String> = lost.iter().map(|l| format!("LOSES {l}")).collect();
    details.extend(removes);
    let mut plan = Plan {
        action: "discard",
        would: format!("delete every checkout of {}", place.name),
        details,
        steps,
        irreversible: Some(
            "Deleted directories and branches do not come back; remotes are not touched.".into(),
        ),
        alternatives: vec![
            "archive first with amof_archive_ecosystem: it pushes everything and keeps a record".into(),
        ],
        ..Plan::default()
    };
    plan.fields.insert("unpushed".into(), json!(lost));
    Ok(plan)
}

/// Forgets an ecosystem's checkouts, after an archive or a discard.
pub fn gone(ctx: &Ctx, place: &Place, done: &RunDone, archived: bool) -> Result<Outcome> {
    let mut draft = ctx.draft();
    forget(ctx, &mut draft, place)?;
    if archived {
        draft.put(ARCHIVES, &place.key().number(ctx.now.sortable()), &done.data)?;
    }
    let mut outcome = draft.into_outcome();
    let verb = if archived { "Archived" } else { "Discarded" };
    Finished {
        done,
        summary: format!("{verb} ecosystem {}.", place.name),
        irreversible: Some(if archived {
            "Its checkouts were removed; amof_install_ecosystem brings them back.".into()
        } else {
            "Deleted directories and branches do not come back.".into()
        }),
        reversal: None,
        targets: vec![place.target()],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}

fn forget(ctx: &Ctx, draft: &mut Draft, place: &Place) -> Result<()> {
    if state::installed(ctx.view, place)?.is_some() {
        draft.delete(ECOSYSTEMS, &place.key())?;
    }
    for ticket in state::tickets(ctx.view, place)? {
        draft.delete(TICKETS, &place.key().text(&ticket.id))?;
    }
    if state::active_ticket(ctx.view, place)?.is_some() {
        draft.delete(ACTIVE, &place.key())?;
    }
    Ok(())
}
