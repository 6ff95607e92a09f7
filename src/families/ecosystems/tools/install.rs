//! `amof_install_ecosystem`: the checkouts of an ecosystem come, as a run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::core::op::operation_id;
use crate::core::run::{Reversal, RunDone, RunStep, StepWork};
use crate::core::trash::{Branch, Discard, KeptCheckout};
use crate::core::{Ctx, Error, Kind, Outcome, Result, redact};
use crate::families::ecosystems::args::EcosystemArgs;
use crate::families::ecosystems::begin::FinishedRun;
use crate::families::ecosystems::checkouts::{LOCAL, clone, note_tags, still_clean};
use crate::families::ecosystems::git::{self, short};
use crate::families::ecosystems::manifest::ManifestRepo;
use crate::families::ecosystems::removal::way_back;
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::rows::{self, ECOSYSTEMS, EcosystemId, Installed, shown};
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan, remembered};
use crate::families::ecosystems::survey::Survey;
use crate::families::ecosystems::tickets::keep_out;

pub struct InstallEcosystem;

#[derive(Serialize)]
struct Clone {
    name: String,
    branch: String,
    url: String,
    path: String,
}

#[derive(Serialize)]
struct Shown {
    directory: String,
    /// What the directory will be.
    workspace: String,
    clones: Vec<Clone>,
    /// Repositories that are part of the workspace itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    local: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Installing {
    dir: PathBuf,
    /// The platform's branch that the directory will be a worktree of.
    branch: Option<String>,
    /// Set where that branch is new.
    created_branch_at: Option<String>,
    repos: Vec<ManifestRepo>,
}

fn without_secrets(mut repo: ManifestRepo) -> ManifestRepo {
    repo.url = redact::line(&repo.url);
    repo
}

impl PlansRun for InstallEcosystem {
    type Args = EcosystemArgs;
    const NAME: &'static str = "amof_install_ecosystem";

    fn plan(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        let manifest = target.manifest()?;
        let (id, session) = (&target.id, ctx.session);
        let at = shown(&target.dir, &id.root);
        if target.dir_exists {
            let known = rows::installed(ctx.view, id)?.is_some();
            let (code, message) = match known {
                true => ("already_installed", format!("Ecosystem {} is already installed in {at}.", id.name)),
                false => ("in_the_way", format!("{at} exists, but packd did not install it.")),
            };
            let hint = if known {
                "Use amof_sync_ecosystem to bring it up to date.".to_string()
            } else {
                format!("Move {at} away, or set workspace_dir in the manifest.")
            };
            return Err(Error::new(Kind::State, code, message).hint(hint));
        }
        let timeout = git::remote_timeout(session);
        let dir = target.dir.to_string_lossy();
        let branch = target.branch();
        let mut told = Vec::new();
        let mut steps = Vec::new();
        match &target.platform_head {
            Some(head) => {
                steps.push(RunStep::new(
                    "forget vanished worktrees",
                    git::work(session, &id.root, &["worktree", "prune"]),
                    LOCAL,
                ));
                let remove = git::work(session, &id.root, &["worktree", "remove", "--force", "--", &dir]);
                let step = if target.branch_tip.is_some() {
                    told.push(format!("worktree {at} on the existing branch {branch}"));
                    let add = git::work(session, &id.root, &["worktree", "add", "--", &dir, &branch]);
                    RunStep::new(format!("check out {branch}"), add, LOCAL).revert([remove])
                } else {
                    told.push(format!("worktree {at} on the new branch {branch} from {}", short(head)));
                    let args = ["worktree", "add", "-b", &branch, "--", &dir, head];
                    let name = format!("refs/heads/{branch}");
                    let forget = git::work(session, &id.root, &["update-ref", "-d", &name, head]);
                    RunStep::new(format!("create {branch}"), git::work(session, &id.root, &args), LOCAL)
                        .revert([remove, forget])
                };
                steps.push(step);
            }
            None => {
                told.push(format!("directory {at} (the workspace root is no git repository)"));
                let make = StepWork::MakeDir { path: target.dir.clone() };
                steps.push(
                    RunStep::new("create the directory", make, LOCAL)
                        .revert([StepWork::RemoveTree { root: id.root.clone(), path: target.dir.clone() }]),
                );
            }
        }
        let workspace = told.join("; ");
        let (mut clones, mut local) = (Vec::new(), Vec::new());
        for repo in manifest.enabled() {
            if repo.url == "local" {
                local.push(repo.name.clone());
                told.push(format!("{}: part of the workspace itself, nothing to clone", repo.name));
                continue;
            }
            let to = shown(&target.dir.join(&repo.path), &id.root);
            told.push(format!(
                "clone {} (branch {}) from {} into {to}",
                repo.name,
                repo.branch,
                redact::line(&repo.url)
            ));
            clones.push(Clone {
                name: repo.name.clone(),
                branch: repo.branch.clone(),
                url: redact::line(&repo.url),
                path: to,
            });
            steps.push(clone(session, target, repo, timeout.max(600)));
            steps.push(note_tags(session, target, repo));
        }
        let mut paths = vec![target.dir.clone()];
        paths.extend(manifest.enabled().filter(|r| r.url != "local").map(|r| target.dir.join(&r.path)));
        steps.push(
            RunStep::new("keep the checkouts out of git status", StepWork::Exclude { paths }, LOCAL)
                .capture("excluded"),
        );
        let would = format!("install {}: {} clone{} in {at}", id.name, clones.len(), plural(clones.len()));
        let plan = RunPlan { action: "install", would, told, steps, ..RunPlan::default() };
        plan.shows(&Shown { directory: at, workspace, clones, local }).remembers(&Installing {
            dir: target.dir.clone(),
            branch: target.platform_head.as_ref().map(|_| branch),
            created_branch_at: target.platform_head.clone().filter(|_| target.branch_tip.is_none()),
            repos: manifest.enabled().cloned().map(without_secrets).collect(),
        })
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let session = ctx.session;
        let Installing { dir, branch, created_branch_at, repos } = remembered(done)?;
        let dir = dir.as_path();
        let row = Installed {
            at: ctx.now,
            run: done.id.clone(),
            dir: dir.to_path_buf(),
            branch: branch.clone(),
            repos,
        };
        let clones: Vec<&ManifestRepo> = row.repos.iter().filter(|r| r.url != "local").collect();
        // A ticket's worktree belongs to a clone that would be gone.
        let tickets = StepWork::CheckAbsent { path: id.tickets_dir() };
        let no_tickets = RunStep::new("no ticket has worktrees", tickets, LOCAL).prints("");
        let mut guards = vec![no_tickets];
        let paths: Vec<PathBuf> = clones.iter().map(|repo| dir.join(&repo.path)).collect();
        let mut kept = Vec::new();
        for (repo, path) in clones.iter().zip(&paths) {
            guards.push(still_clean(session, &repo.name, path, &[], None));
            kept.push(KeptCheckout { name: repo.name.clone(), dir: path.clone() });
        }
        let mut branches = Vec::new();
        if let Some(branch) = &branch {
            guards.push(still_clean(session, "the workspace", dir, &paths, Some(branch)));
            kept.push(KeptCheckout { name: "workspace".into(), dir: dir.to_path_buf() });
            if created_branch_at.is_some() {
                branches.push(Branch { repo: id.root.clone(), name: branch.clone() });
            }
        }
        let discard = Discard {
            entry: operation_id(ctx.now, ctx.ids),
            subject: id.name.clone(),
            root: id.root.clone(),
            paths: vec![dir.to_path_buf()],
            checkouts: kept,
            branches,
            home: session.home.clone(),
        };
        let there = way_back(&discard, "install the ecosystem again");
        let mut reversal = Reversal { guards, undo: there.redo.unwrap_or_default(), redo: Some(there.undo) };
        keep_out(done, &mut reversal);
        let mut draft = ctx.draft();
        draft.put(ECOSYSTEMS, &id.key(), &row)?;
        let mut outcome = draft.into_outcome();
        FinishedRun {
            done,
            summary: format!("Installed ecosystem {} in {}.", id.name, shown(dir, &id.root)),
            irreversible: None,
            reversal: Some(reversal),
            targets: vec![id.target()],
        }
        .record(&mut outcome)?;
        outcome.record.id = Some(discard.entry);
        Ok(outcome)
    }
}
