//! `amof_ticket_start`: a ticket's worktrees are planned, and once they stand it is recorded with the way back.
//!
//! A branch that was there before is taken up, not made; then it also stays when the ticket is undone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::run::{Reversal, RunDone, RunStep, StepWork};
use crate::core::{Ctx, Error, Kind, Outcome, Result, SessionInfo};
use crate::families::ecosystems::args::{CallSubject, NamesSubject, said};
use crate::families::ecosystems::begin::FinishedRun;
use crate::families::ecosystems::branches::{BranchOrigin, ExistingBranch};
use crate::families::ecosystems::checkouts::{LOCAL, still_clean};
use crate::families::ecosystems::errors::listed;
use crate::families::ecosystems::git;
use crate::families::ecosystems::rows::{self, ACTIVE, EcosystemId, TICKETS, Ticket, TicketRepo, shown};
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan, remembered};
use crate::families::ecosystems::survey::Survey;
use crate::families::ecosystems::tickets::{keep_out, plain};

pub struct TicketStart;

#[derive(Debug, Deserialize)]
pub struct TicketStartArgs {
    ticket_id: String,
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    /// Kept as they were sent; their schema says what they hold.
    #[serde(default)]
    plan_items: Vec<Value>,
}

impl NamesSubject for TicketStartArgs {
    fn named(&self) -> CallSubject<'_> {
        let new_ticket = Some(self.ticket_id.trim());
        CallSubject { ecosystem: self.ecosystem.as_deref(), new_ticket, ..CallSubject::default() }
    }
}

#[derive(Serialize, Deserialize)]
struct StartedRepo {
    repo: String,
    branch: String,
    worktree: PathBuf,
    clone: PathBuf,
    taken_up: bool,
    from: String,
}

#[derive(Serialize, Deserialize)]
struct Starting {
    id: String,
    repos: Vec<StartedRepo>,
    plan_items: Vec<Value>,
}

impl PlansRun for TicketStart {
    type Args = TicketStartArgs;
    const NAME: &'static str = "amof_ticket_start";
    const PREVIEWED: bool = false;

    fn plan(ctx: &Ctx, args: &TicketStartArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        let manifest = target.manifest()?;
        let of = &target.id;
        let id = plain(args.ticket_id.trim())?;
        if rows::ticket(ctx.view, of, id)?.is_some() {
            return Err(Error::new(
                Kind::State,
                "ticket_exists",
                format!("Ticket {id} has already been started."),
            )
            .hint("Use amof_ticket_switch to make it the active one."));
        }
        let session = ctx.session;
        let mut blocks = Vec::new();
        let (mut steps, mut details, mut started) = (Vec::new(), Vec::new(), Vec::new());
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
            let worktree = of.tickets_dir().join(id).join(&repo.name);
            let dir = &checkout.dir;
            let none = ExistingBranch::default();
            let source =
                BranchOrigin::of(target.branches.get(&repo.name).unwrap_or(&none), &branch, &repo.branch);
            if let BranchOrigin::CheckedOut(at) = &source {
                blocks.push(format!("{}'s branch {branch} is checked out in {at}", repo.name));
                continue;
            }
            details.push(format!(
                "{}: {} in {}",
                repo.name,
                source.shown(&branch),
                shown(&worktree, &of.root)
            ));
            let verify = format!("{}^{{commit}}", source.reference());
            let check = git::work(session, dir, &["rev-parse", "--verify", "--quiet", &verify]);
            steps.push(
                RunStep::new(format!("find {} of {}", source.name(), repo.name), check, LOCAL)
                    .capture(format!("base:{}", repo.name)),
            );
            let path = worktree.to_string_lossy();
            let taken_up = matches!(source, BranchOrigin::Local { .. });
            let start = source.reference();
            let add: Vec<&str> = match source {
                BranchOrigin::Local { .. } => vec!["worktree", "add", "--", &path, &branch],
                BranchOrigin::Remote { .. } => {
                    vec!["worktree", "add", "--track", "-b", &branch, "--", &path, start]
                }
                _ => vec!["worktree", "add", "--no-track", "-b", &branch, "--", &path, start],
            };
            let mut back = vec![git::work(session, dir, &["worktree", "remove", "--force", "--", &path])];
            if !taken_up {
                back.push(git::work(session, dir, &["branch", "-D", "--", &branch]));
            }
            let add = git::work(session, dir, &add);
            steps
                .push(RunStep::new(format!("create the worktree of {}", repo.name), add, LOCAL).revert(back));
            started.push(StartedRepo {
                repo: repo.name.clone(),
                branch: branch.clone(),
                worktree,
                clone: dir.clone(),
                taken_up,
                from: source.name().to_string(),
            });
        }
        if started.is_empty() && blocks.is_empty() {
            blocks.push("it has no writable repository".into());
        }
        if !blocks.is_empty() {
            let error = Error::new(
                Kind::State,
                "preflight_failed",
                format!("Ticket {id} cannot start: {}.", blocks.join("; ")),
            )
            .hint("Install or clean up these repositories first.");
            return Err(listed(error, "blocks", &blocks));
        }
        let own = of.tickets_dir().join(id);
        steps.push(
            RunStep::new(
                "keep the worktrees out of git status",
                StepWork::Exclude { paths: vec![own] },
                LOCAL,
            )
            .capture("excluded"),
        );
        RunPlan {
            action: "ticket_start",
            would: format!("start ticket {id} in {} repositories on {branch}", started.len()),
            details,
            steps,
            ..RunPlan::default()
        }
        .remembers(&Starting {
            id: id.to_string(),
            repos: started,
            plan_items: args.plan_items.clone(),
        })
    }

    fn finished(ctx: &Ctx, of: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let Starting { id, repos: started, plan_items } = remembered(done)?;
        let mut repos = BTreeMap::new();
        let mut reversal = Reversal { guards: Vec::new(), undo: Vec::new(), redo: Some(Vec::new()) };
        for StartedRepo { repo: name, branch, worktree, clone, taken_up, .. } in started {
            let base = done.captured.get(&format!("base:{name}")).cloned().unwrap_or_default();
            let repo = TicketRepo { branch, base, worktree, clone, taken_up };
            reversal.guards.push(still_clean(ctx.session, &name, &repo.worktree, &[], Some(&repo.branch)));
            reversal.undo.extend(taken_away(ctx.session, &name, &repo));
            let back = brought_back(ctx.session, &name, &repo, &repo.base);
            reversal.redo.get_or_insert_default().push(back);
            repos.insert(name, repo);
        }
        let base = of.tickets_dir();
        let rest = StepWork::RemoveTree { root: base.clone(), path: base.join(&id) };
        reversal.undo.push(RunStep::new("remove the ticket's directory", rest, LOCAL));
        keep_out(done, &mut reversal);
        let ticket = Ticket { id: id.clone(), created: ctx.now, repos, plan_items, phase: "started".into() };
        let mut draft = ctx.draft();
        draft.put(TICKETS, &of.key().text(&id), &ticket)?;
        draft.put(ACTIVE, &of.key(), &id)?;
        let mut outcome = draft.into_outcome();
        FinishedRun {
            done,
            summary: format!("Started ticket {id} in {} repositories.", ticket.repos.len()),
            irreversible: None,
            reversal: Some(reversal),
            targets: vec![of.target(), format!("ticket:{id}")],
        }
        .record(&mut outcome)?;
        Ok(outcome)
    }
}

fn taken_away(session: &SessionInfo, name: &str, repo: &TicketRepo) -> Vec<RunStep> {
    let path = repo.worktree.to_string_lossy();
    let remove = git::work(session, &repo.clone, &["worktree", "remove", "--force", "--", &path]);
    let mut steps = vec![RunStep::new(format!("remove the worktree of {name}"), remove, LOCAL)];
    if !repo.taken_up {
        let forget = git::work(session, &repo.clone, &["branch", "-D", "--", &repo.branch]);
        steps.push(RunStep::new(format!("delete the branch {} of {name}", repo.branch), forget, LOCAL));
    }
    steps
}

fn brought_back(session: &SessionInfo, name: &str, repo: &TicketRepo, commit: &str) -> RunStep {
    let path = repo.worktree.to_string_lossy();
    let add: &[&str] = match repo.taken_up {
        true => &["worktree", "add", "--", &path, &repo.branch],
        false => &["worktree", "add", "--no-track", "-b", &repo.branch, "--", &path, commit],
    };
    let add = git::work(session, &repo.clone, add);
    RunStep::new(format!("create the worktree of {name} again"), add, LOCAL)
}
