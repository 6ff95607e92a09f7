//! `amof_release_status`: the current release by semver, and the commits since.

use serde::Serialize;

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::NamesSubject;
use crate::families::ecosystems::git;
use crate::families::ecosystems::outgoing::ShownCommit;
use crate::families::ecosystems::release_facts::{RepoArgs, again, facts};
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{ReleaseLog, ReleaseValidate};
use crate::families::ecosystems::version::ReleaseVersion;

pub struct ReleaseStatus;

#[derive(Serialize)]
struct Shown<'a> {
    target: &'a str,
    current: Option<&'a str>,
    branch: Option<&'a str>,
    head: Option<&'a str>,
    clean: bool,
    commits_since: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    filters_not_run: &'a [String],
    commits: Vec<ShownCommit<'a>>,
}

impl Tool for ReleaseStatus {
    type Args = RepoArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_release_status";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &RepoArgs) -> Result<Survey> {
        survey(look, args.named(), Depth::Release)
    }

    fn decide(ctx: &Ctx, args: &RepoArgs, survey: &Survey) -> Result<Outcome> {
        let facts = facts(survey)?;
        let current = facts.current().map(ReleaseVersion::tag);
        let shown_tag = current.clone().unwrap_or_else(|| "no release yet".into());
        let recent = facts.commits.iter().take(10);
        let recent: Vec<String> = recent.map(|c| format!("{} {}", git::short(&c.sha), c.subject)).collect();
        let same = again(survey, args.repo.as_deref());
        let tree = if facts.dirty.is_empty() { "clean" } else { "has uncommitted changes" };
        Answer::new(format!("{}: {shown_tag}, {} commits since.", facts.target, facts.commit_count))
            .ecosystem(survey.name())
            .told([
                format!("branch: {}", facts.branch.as_deref().unwrap_or("detached")),
                format!("head: {}", facts.head.as_deref().map_or("none", git::short)),
                format!("working tree: {tree}"),
            ])
            .told((!facts.filtered.is_empty()).then(|| git::unfiltered(&facts.filtered)))
            .told(recent)
            .fields(Shown {
                target: &facts.target,
                current: current.as_deref(),
                branch: facts.branch.as_deref(),
                head: facts.head.as_deref(),
                clean: facts.dirty.is_empty(),
                commits_since: facts.commit_count,
                filters_not_run: &facts.filtered,
                commits: facts.commits.iter().take(10).map(ShownCommit::of).collect(),
            })
            .next(Next::call(ReleaseValidate::NAME).all(same.clone()))
            .next(Next::call(ReleaseLog::NAME).all(same))
            .outcome(ctx)
    }
}
