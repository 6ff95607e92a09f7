//! A ticket begins: its worktrees are planned, and once they stand it is recorded together with the way back.
//!
//! A branch that was there before is taken up, not made; then it also stays when the ticket is undone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::json;

use super::super::branches::{Existing, Origin};
use super::super::git;
use super::super::install::{LOCAL, still_clean};
use super::super::state::{self, ACTIVE, Place, TICKETS, Ticket, TicketRepo, shown};
use super::super::survey::Survey;
use super::super::work::{Finished, Plan};
use super::wanted;
use crate::core::run::{Reversal, RunDone, Step, Work};
use crate::core::{Ctx, Error, Kind, Outcome, Result, SessionInfo};

pub fn start(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    let manifest = target.manifest()?;
    let place = &target.place;
    let id = wanted(ctx)?;
    if state::ticket(ctx.view, place, &id)?.is_some() {
        return Err(Error::new(
            Kind::State,
            "ticket_exists",
            format!("Ticket {id} has already been started."),
        )
        .hint("Use amof_ticket_switch to make it the active one."));
    }
    let session = ctx.session;
    let mut blocks = Vec::new();
    let (mut steps, mut details, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let branch = format!("{}/{id}", manifest.repo_branch_prefix);
    for (repo, checkout) in target.repos.iter().filter(|(r, _)| !r.readonly && r.url != "local") {
        if !checkout.exists {
            blocks.push(format!("{} is not cloned", repo.name));
            continue;
        }
        if checkout.origin.is_none() {
            blocks.push(format!("{} has no remote 'origin'", repo.name));
        }
        if !checkout.dirty.is_empty() {
            blocks.push(format!("{} has {} uncommitted changes", repo.name, checkout.dirty.len()));
        }
        let worktree = place.tickets_dir().join(&id).join(&repo.name);
        let dir = &checkout.dir;
        let none = Existing::default();
        let source = Origin::of(target.branches.get(&repo.name).unwrap_or(&none), &branch, &repo.branch);
        if let Origin::CheckedOut(at) = &source {
            blocks.push(format!("{}'s branch {branch} is checked out in {at}", repo.name));
            continue;
        }
        details.push(format!(
            "{}: {} in {}",
            repo.name,
            source.shown(&branch),
            shown(&worktree, &place.root)
        ));
        let verify = format!("{}^{{commit}}", source.reference());
        let check = git::work(session, dir, &["rev-parse", "--verify", "--quiet", &verify]);
        steps.push(
            Step::new(format!("find {} of {}", source.name(), repo.name), check, LOCAL)
                .capture(format!("base:{}", repo.name)),
        );
        let path = worktree.to_string_lossy();
        let taken_up = matches!(source, Origin::Local { .. });
        let start = source.reference();
        let add: Vec<&str> = match source {
            Origin::Local { .. } => vec!["worktree", "add", "--", &path, &branch],
            Origin::Remote { .. } => vec!["worktree", "add", "--track", "-b", &branch, "--", &path, start],
            _ => vec!["worktree", "add", "--no-track", "-b", &branch, "--", &path, start],
        };
        let mut back = vec![git::work(session, dir, &["worktree", "remove", "--force", "--", &path])];
        if !taken_up {
            back.push(git::work(session, dir, &["branch", "-D", "--", &branch]));
        }
        let add = git::work(session, dir, &add);
        steps.push(Step::new(format!("create the worktree of {}", repo.name), add, LOCAL).revert(back));
        data.push(json!({"repo": repo.name, "branch": branch, "worktree": worktree, "clone": dir,
                         "taken_up": taken_up, "from": source.name()}));
    }
    if data.is_empty() && blocks.is_empty() {
        blocks.push("it has no writable repository".into());
    }
    if !blocks.is_empty() {
        return Err(Error::new(
            Kind::State,
            "preflight_failed",
            format!("Ticket {id} cannot start: {}.", blocks.join("; ")),
        )
        .hint("Install or clean up these repositories first.")
        .details(json!({"blocks": blocks})));
    }
    let own = place.tickets_dir().join(&id);
    steps.push(
        Step::new("keep the worktrees out of git status", Work::Exclude { paths: vec![own] }, LOCAL)
            .capture("excluded"),
    );
    let items = ctx.call.args.get("plan_items").cloned().unwrap_or(json!([]));
    Ok(Plan {
        action: "ticket_start",
        would: format!("start ticket {id} in {} repositories on {branch}", data.len()),
        details,
        steps,
        data: json!({"id": id, "repos": data, "plan_items": items}),
        ..Plan::default()
    })
}

pub fn started(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let id = done.data["id"].as_str().unwrap_or_default().to_string();
    let mut repos = BTreeMap::new();
    let mut reversal = Reversal { guards: Vec::new(), undo: Vec::new(), redo: Some(Vec::new()) };
    for item in done.data["repos"].as_array().into_iter().flatten() {
        let text = |name: &str| item[name].as_str().unwrap_or_default().to_string();
        let repo = TicketRepo {
            branch: text("branch"),
            base: done.captured.get(&format!("base:{}", text("repo"))).cloned().unwrap_or_default(),
            worktree: text("worktree").into(),
            clone: text("clone").into(),
            taken_up: item["taken_up"].as_bool().unwrap_or(false),
        };
        reversal.guards.push(still_clean(
            ctx.session,
            &text("repo"),
            &repo.worktree,
            &[],
            Some(&repo.branch),
        ));
        reversal.undo.extend(taken_away(ctx.session, &text("repo"), &repo));
        reversal.redo.get_or_insert_default().push(brought_back(
            ctx.session,
            &text("repo"),
            &repo,
            &repo.base,
        ));
        repos.insert(text("repo"), repo);
    }
    let base = place.tickets_dir();
    let rest = Work::RemoveTree { root: base.clone(), path: base.join(&id) };
    reversal.undo.push(Step::new("remove the ticket's directory", rest, LOCAL));
    keep_out(done, &mut reversal);
    let plan_items = done.data["plan_items"].as_array().cloned().unwrap_or_default();
    let ticket = Ticket { id: id.clone(), created: ctx.now, repos, plan_items, phase: "started".into() };
    let mut draft = ctx.draft();
    draft.put(TICKETS, &place.key().text(&id), &ticket)?;
    draft.put(ACTIVE, &place.key(), &id)?;
    let mut outcome = draft.into_outcome();
    Finished {
        done,
        summary: format!("Started ticket {id} in {} repositories.", ticket.repos.len()),
        irreversible: None,
        reversal: Some(reversal),
        targets: vec![place.target(), format!("ticket:{id}")],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}

/// What the run put on a list of excluded files comes off it with an undo, and on again with a redo.
pub fn keep_out(done: &RunDone, reversal: &mut Reversal) {
    let paths: Vec<PathBuf> =
        done.captured.get("excluded").into_iter().flat_map(|text| text.lines()).map(PathBuf::from).collect();
    if paths.is_empty() {
        return;
    }
    let label = "mend the list of excluded files";
    // First of all: a checkout that is gone no longer says which repository was around it.
    reversal.undo.insert(0, Step::new(label, Work::Include { paths: paths.clone() }, LOCAL));
    if let Some(redo) = &mut reversal.redo {
        redo.push(Step::new(label, Work::Exclude { paths }, LOCAL));
    }
}

fn taken_away(session: &SessionInfo, name: &str, repo: &TicketRepo) -> Vec<Step> {
    let path = repo.worktree.to_string_lossy();
    let remove = git::work(session, &repo.clone, &["worktree", "remove", "--force", "--", &path]);
    let mut steps = vec![Step::new(format!("remove the worktree of {name}"), remove, LOCAL)];
    if !repo.taken_up {
        let forget = git::work(session, &repo.clone, &["branch", "-D", "--", &repo.branch]);
        steps.push(Step::new(format!("delete the branch {} of {name}", repo.branch), forget, LOCAL));
    }
    steps
}

fn brought_back(session: &SessionInfo, name: &str, repo: &TicketRepo, commit: &str) -> Step {
    let path = repo.worktree.to_string_lossy();
    let add: &[&str] = match repo.taken_up {
        true => &["worktree", "add", "--", &path, &repo.branch],
        false => &["worktree", "add", "--no-track", "-b", &repo.branch, "--", &path, commit],
    };
    let add = git::work(session, &repo.clone, add);
    Step::new(format!("create the worktree of {name} again"), add, LOCAL)
}
