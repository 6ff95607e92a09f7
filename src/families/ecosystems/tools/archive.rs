//! `amof_archive_ecosystem`: everything is pushed, a record is written, then the checkouts go to the trash.

use serde::{Deserialize, Serialize};

use super::push;
use crate::core::run::{RunDone, RunStep, StepWork};
use crate::core::trash::{self, Discard};
use crate::core::{Ctx, Error, Kind, Outcome, Result};
use crate::families::ecosystems::args::{CallSubject, NamesSubject, said};
use crate::families::ecosystems::checkouts::LOCAL;
use crate::families::ecosystems::errors::listed;
use crate::families::ecosystems::git::{self, Checkout};
use crate::families::ecosystems::manifest::ManifestRepo;
use crate::families::ecosystems::outgoing;
use crate::families::ecosystems::removal::{Gone, gone, moving, must_be_ours, record_file, removal};
use crate::families::ecosystems::rows::{ARCHIVES, EcosystemId};
use crate::families::ecosystems::run_plan::{PlansRun, RunPlan, remembered};
use crate::families::ecosystems::survey::{Depth, Survey};

pub struct Archive;

#[derive(Debug, Deserialize)]
pub struct ArchiveArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    message: Option<String>,
}

impl NamesSubject for ArchiveArgs {
    fn named(&self) -> CallSubject<'_> {
        CallSubject { ecosystem: self.ecosystem.as_deref(), ..CallSubject::default() }
    }
}

#[derive(Serialize, Deserialize)]
struct ArchivedRepo {
    name: String,
    branch: Option<String>,
    commit: Option<String>,
    readonly: bool,
}

/// What is kept of an ecosystem, in a file and in the store.
#[derive(Serialize, Deserialize)]
struct ArchiveRecord {
    ecosystem: String,
    archived_at: String,
    workspace_branch: Option<String>,
    message: String,
    tickets: Vec<String>,
    repos: Vec<ArchivedRepo>,
}

#[derive(Serialize, Deserialize)]
struct Archiving {
    record: ArchiveRecord,
    discard: Discard,
}

impl PlansRun for Archive {
    type Args = ArchiveArgs;
    const NAME: &'static str = "amof_archive_ecosystem";
    const DEPTH: Depth = Depth::Remotes;
    const TAKES_AWAY: bool = true;

    fn plan(ctx: &Ctx, args: &ArchiveArgs, survey: &Survey) -> Result<RunPlan> {
        let target = survey.ecosystem()?;
        must_be_ours(ctx, target)?;
        target.manifest()?;
        let (id, session) = (&target.id, ctx.session);
        let loose: Vec<String> = target.checkouts().flat_map(|(name, c)| c.loose(&name)).collect();
        if !loose.is_empty() {
            let error = Error::new(
                Kind::State,
                "uncommitted_work",
                format!("Archiving keeps what is committed, and there is more: {}.", loose.join("; ")),
            )
            .hint("Commit or drop these changes first, finish what is in progress, remove other worktrees.");
            return Err(listed(error, "uncommitted", &loose));
        }
        let blocked = outgoing::blocked(&target.outgoing);
        if !blocked.is_empty() {
            return Err(Error::new(
                Kind::State,
                "push_blocked",
                format!("Archiving pushes everything first, and that cannot work: {}.", blocked.join("; ")),
            )
            .hint("Call amof_sync_ecosystem, or make the remote reachable, then try again."));
        }
        if !target.left.is_empty() {
            let error = Error::new(
                Kind::State,
                "unpushed_work",
                format!(
                    "Archiving pushes the current branches, and this would stay behind: {}.",
                    target.left.join("; ")
                ),
            )
            .hint("Put these commits on branches and push them, or drop them; then try again.");
            return Err(listed(error, "unpushed", &target.left));
        }
        let (mut steps, mut details) = push::steps(session, &target.outgoing, false);
        let file = record_file(ctx, target);
        let kept = |(r, c): &(ManifestRepo, Checkout)| ArchivedRepo {
            name: r.name.clone(),
            branch: c.branch.clone(),
            commit: c.head.clone(),
            readonly: r.readonly,
        };
        let record = ArchiveRecord {
            ecosystem: id.name.clone(),
            archived_at: ctx.now.zulu(),
            workspace_branch: target.workspace.branch.clone(),
            message: args.message.clone().unwrap_or_default(),
            tickets: target.tickets.iter().map(|(t, _)| t.id.clone()).collect(),
            repos: target.repos.iter().map(kept).collect(),
        };
        let content = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
        let home = target.record_home();
        let write =
            StepWork::WriteFile { path: home.join(&file), content: Some(content.clone()), before: None };
        let unwrite = StepWork::WriteFile { path: home.join(&file), content: None, before: Some(content) };
        details.push(format!("write {file}"));
        steps.push(RunStep::new(format!("write {file}"), write, LOCAL).revert([unwrite]));
        if let Some(head) = target.workspace.head.as_deref().filter(|_| target.workspace.exists) {
            let dir = &target.dir;
            let message = format!("Archive ecosystem {}", id.name);
            let unstage = git::work(session, dir, &["reset", "-q", "--", &file]);
            steps.push(
                RunStep::new("stage the record", git::work(session, dir, &["add", "-f", "--", &file]), LOCAL)
                    .revert([unstage]),
            );
            let commit = git::work(session, dir, &["commit", "-q", "-m", &message, "--", &file]);
            let back = git::work(session, dir, &["reset", "-q", "--keep", head]);
            steps.push(RunStep::new("commit the record", commit, LOCAL).revert([back]));
            if target.workspace.origin.is_some() {
                let refspec = format!("HEAD:refs/heads/{}", target.branch());
                let push = git::work(session, dir, &["push", "--porcelain", "--", "origin", &refspec]);
                steps.push(RunStep::new("push the record", push, git::remote_timeout(session)));
            }
        }
        let ignored: Vec<String> = target.checkouts().flat_map(|(name, c)| c.ignored_lines(&name)).collect();
        details.extend(ignored.iter().map(|line| format!("to the trash: {line}")));
        let (discard, removes) = removal(ctx, target, false);
        steps.push(moving(&discard));
        details.extend(removes);
        details.push(format!("keep branch {}", target.branch()));
        RunPlan {
            action: "archive",
            would: format!("archive {}: push everything, write a record, remove its checkouts", id.name),
            details,
            steps,
            irreversible: Some(format!("Pushed branches stay pushed. {}", trash::FINAL)),
            ..RunPlan::default()
        }
        .remembers(&Archiving { record, discard })
    }

    fn bound(ctx: &Ctx, survey: &Survey) -> Result<Vec<String>> {
        Ok(vec![record_file(ctx, survey.ecosystem()?)])
    }

    fn finished(ctx: &Ctx, id: &EcosystemId, done: &RunDone) -> Result<Outcome> {
        let Archiving { record, discard } = remembered(done)?;
        let mut draft = ctx.draft();
        draft.put(ARCHIVES, &id.key().number(ctx.now.sortable()), &record)?;
        gone(draft, ctx, id, done, Gone { verb: "Archived", discard })
    }
}
