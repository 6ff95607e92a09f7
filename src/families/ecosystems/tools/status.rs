//! `amof_get_ecosystem_status`: every checkout of an ecosystem, its ticket and its deployment.

use serde::Serialize;

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Timestamp, Tool};
use crate::families::ecosystems::args::{EcosystemArgs, NamesSubject};
use crate::families::ecosystems::ecosystem::Ecosystem;
use crate::families::ecosystems::git::{self, Checkout};
use crate::families::ecosystems::manifest::ManifestRepo;
use crate::families::ecosystems::rows::{self, Pushed, SYNCS, shown};
use crate::families::ecosystems::run_plan::PlansRun;
use crate::families::ecosystems::standing::{ShownStanding, SpinStanding};
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{DescribeEcosystem, InstallEcosystem, Push, Sync, TicketList};

pub struct EcosystemStatus;

#[derive(Serialize)]
struct ShownIgnored<'a> {
    path: &'a str,
    bytes: u64,
    more: bool,
}

#[derive(Serialize)]
struct ShownPush {
    branch: String,
    commit: String,
    pushed_at: String,
}

impl ShownPush {
    fn of(pushed: &Pushed) -> ShownPush {
        let Pushed { branch, commit, at } = pushed.clone();
        ShownPush { branch, commit, pushed_at: at.zulu() }
    }
}

#[derive(Serialize)]
struct ShownRepo<'a> {
    name: &'a str,
    branch: Option<&'a str>,
    commit: Option<&'a str>,
    mode: &'static str,
    status: String,
    dirty: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    filters_not_run: &'a [String],
    unpushed: u64,
    #[serde(skip_serializing_if = "none")]
    stashes: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    in_progress: &'a [&'a str],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<ShownIgnored<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_push: Option<ShownPush>,
}

#[derive(Serialize)]
struct ShownWorkspace<'a> {
    ecosystem: &'a str,
    workspace_branch: Option<&'a str>,
    dirty: usize,
    active_ticket: Option<&'a str>,
    ticket_count: usize,
}

#[derive(Serialize)]
struct Shown<'a> {
    installed: bool,
    workspace: ShownWorkspace<'a>,
    repos: Vec<ShownRepo<'a>>,
    deployment: Option<ShownStanding>,
    synced_at: Option<String>,
}

fn none(count: &u64) -> bool {
    *count == 0
}

/// OK, or what is not, joined with `+`.
fn word(repo: &ManifestRepo, checkout: &Checkout) -> String {
    let mut words = Vec::new();
    if !checkout.exists {
        return "MISSING".into();
    }
    if checkout.branch.as_deref() != Some(repo.branch.as_str()) {
        words.push("WRONG_BRANCH");
    }
    if !checkout.dirty.is_empty() {
        words.push("DIRTY");
    }
    if checkout.unpushed_count > 0 || checkout.stashes > 0 {
        words.push("UNPUSHED");
    }
    if words.is_empty() { "OK".into() } else { words.join("+") }
}

/// What a checkout holds that its row does not say.
fn beside(checkout: &Checkout, pushed: Option<&Pushed>) -> Vec<String> {
    let mut out: Vec<String> =
        checkout.in_progress.iter().map(|what| format!("{what} in progress")).collect();
    if checkout.stashes > 0 {
        out.push(format!("{} stashed", checkout.stashes));
    }
    let ignored = checkout.ignored.iter();
    out.extend(ignored.map(|i| format!("ignored {} ({} bytes)", i.path, i.measured.bytes)));
    out.extend(
        pushed.map(|p| format!("last push {} {} at {}", p.branch, git::short(&p.commit), p.at.zulu())),
    );
    out
}

fn onward(answer: Answer, target: &Ecosystem) -> Answer {
    let about = |tool: &str| Next::call(tool).with("ecosystem", target.id.name.as_str());
    let unpushed = target.repos.iter().any(|(r, c)| !r.readonly && c.unpushed_count > 0);
    let first = match (target.dir_exists, unpushed) {
        (true, true) => about(Push::NAME),
        (true, false) => about(Sync::NAME),
        (false, _) => about(InstallEcosystem::NAME),
    };
    answer
        .next(first.with("mode", Mode::Plan.as_str()))
        .next(about(DescribeEcosystem::NAME))
        .next(about(TicketList::NAME))
}

impl Tool for EcosystemStatus {
    type Args = EcosystemArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_get_ecosystem_status";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &EcosystemArgs) -> Result<Survey> {
        survey(look, args.named(), Depth::Repos)
    }

    fn decide(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<Outcome> {
        let target = survey.ecosystem()?;
        target.manifest()?;
        let id = &target.id;
        let pushes = rows::pushes(ctx.view, id)?;
        let (mut rows, mut repos) = (Vec::new(), Vec::new());
        for (repo, checkout) in target.repos.iter().filter(|(r, _)| r.url != "local") {
            let status = word(repo, checkout);
            let head = checkout.head.as_deref().map_or("", git::short).to_string();
            let branch = checkout.branch.clone().unwrap_or_default();
            let mode = if repo.readonly { "RO" } else { "RW" };
            rows.push(vec![
                repo.name.clone(),
                branch,
                head,
                mode.into(),
                status.clone(),
                checkout.dirty.len().to_string(),
                checkout.unpushed_count.to_string(),
            ]);
            let ignored = checkout.ignored.iter().map(|i| ShownIgnored {
                path: &i.path,
                bytes: i.measured.bytes,
                more: i.measured.more,
            });
            repos.push(ShownRepo {
                name: &repo.name,
                branch: checkout.branch.as_deref(),
                commit: checkout.head.as_deref(),
                mode,
                status,
                dirty: checkout.dirty.len(),
                filters_not_run: &checkout.filtered,
                unpushed: checkout.unpushed_count,
                stashes: checkout.stashes,
                in_progress: &checkout.in_progress,
                ignored: ignored.collect(),
                last_push: pushes.get(&repo.name).map(ShownPush::of),
            });
        }
        let synced: Option<Timestamp> = ctx.view.get(SYNCS, &id.key())?.map(|(t, _)| t);
        let active = rows::active_ticket(ctx.view, id)?;
        let standing = SpinStanding::of(ctx.view, id)?;
        let text = match target.dir_exists {
            true => format!("{} is installed in {}.", id.name, shown(&target.dir, &id.root)),
            false => format!("{} is not installed.", id.name),
        };
        let mut answer = Answer::new(text)
            .ecosystem(Some(&id.name))
            .told(active.as_ref().map(|ticket| format!("active ticket: {ticket}")))
            .told(standing.line())
            .told(target.workspace.branch.as_ref().map(|b| format!("workspace branch: {b}")))
            .told(synced.map(|at| format!("synced at: {}", at.zulu())));
        for (repo, checkout) in &target.repos {
            let more = beside(checkout, pushes.get(&repo.name));
            if !more.is_empty() {
                answer = answer.told([format!("{}: {}", repo.name, more.join("; "))]);
            }
        }
        for (repo, checkout) in target.repos.iter().filter(|(_, c)| !c.filtered.is_empty()) {
            answer = answer.told([format!("{}: {}", repo.name, git::unfiltered(&checkout.filtered))]);
        }
        let workspace = ShownWorkspace {
            ecosystem: &id.name,
            workspace_branch: target.workspace.branch.as_deref(),
            dirty: target.workspace.dirty.len(),
            active_ticket: active.as_deref(),
            ticket_count: target.tickets.len(),
        };
        answer = answer
            .table(&["Repo", "Branch", "Commit", "Mode", "Status", "Dirty", "Unpushed"], &rows)
            .fields(Shown {
                installed: target.dir_exists,
                workspace,
                repos,
                deployment: standing.shown(),
                synced_at: synced.map(Timestamp::zulu),
            });
        onward(answer, target).outcome(ctx)
    }
}
