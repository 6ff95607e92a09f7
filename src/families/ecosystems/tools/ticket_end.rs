//! `amof_ticket_end`: a ticket is forgotten; with `cleanup` its worktrees and local branches go, as a run.

use serde::{Deserialize, Serialize};

use crate::core::ctx::Explanation;
use crate::core::layout::{Answer, Next};
use crate::core::op::operation_id;
use crate::core::run::{RunDone, RunStatus};
use crate::core::tool::Bound;
use crate::core::trash::{self, Branch, Discard, KeptCheckout};
use crate::core::{Ctx, Error, Kind, Look, Needs, Outcome, Record, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::begin::{FinishedRun, begin};
use crate::families::ecosystems::bound;
use crate::families::ecosystems::errors::listed;
use crate::families::ecosystems::removal::{moving, way_back};
use crate::families::ecosystems::rows::shown;
use crate::families::ecosystems::run_plan::{
    RunPlan, explained, explained_outcome, id_of, remembered, unseen,
};
use crate::families::ecosystems::scope;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tickets::{ended_rows, known, plain};
use crate::families::ecosystems::tools::{EcosystemStatus, TicketList};

pub struct TicketEnd;

#[derive(Debug, Deserialize)]
pub struct TicketEndArgs {
    ticket_id: String,
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default)]
    cleanup: bool,
    #[serde(default)]
    force: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    ticket_id: &'a str,
    dry_run: bool,
}

#[derive(Serialize, Deserialize)]
struct Ending {
    id: String,
    discard: Discard,
}

impl Tool for TicketEnd {
    type Args = TicketEndArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_ticket_end";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &TicketEndArgs) -> Result<Survey> {
        survey(
            look,
            CallSubject { ecosystem: args.ecosystem.as_deref(), ..CallSubject::default() },
            Depth::Repos,
        )
    }

    fn decide(ctx: &Ctx, args: &TicketEndArgs, survey: &Survey) -> Result<Outcome> {
        if args.cleanup {
            return begin(ctx, &survey.lane()?, clean_up(ctx, args, survey)?, true);
        }
        let of = survey.id()?;
        let id = plain(args.ticket_id.trim())?;
        known(ctx, of, id)?;
        let mut outcome = ended_rows(ctx, of, id)?;
        let summary = format!("Ended ticket {id}; its branches and worktrees stay.");
        outcome.record = Record {
            summary: summary.clone(),
            targets: vec![of.target(), format!("ticket:{id}")],
            ..Record::default()
        };
        let would = if ctx.call.preview { format!("Dry run: {summary}") } else { summary };
        outcome.reply = Answer::new(would)
            .ecosystem(Some(&of.name))
            .fields(Shown { ticket_id: id, dry_run: ctx.call.preview })
            .next(Next::call(TicketList::NAME).with("ecosystem", of.name.as_str()))
            .next(Next::call(EcosystemStatus::NAME).with("ecosystem", of.name.as_str()))
            .reply(ctx);
        Ok(outcome)
    }

    fn finish(ctx: &Ctx, _args: &TicketEndArgs, done: &RunDone) -> Result<Outcome> {
        if done.status != RunStatus::Success {
            return Ok(Outcome::default());
        }
        let of = id_of(done);
        let Ending { id, discard } = remembered(done)?;
        known(ctx, &of, &id)?;
        let mut outcome = ended_rows(ctx, &of, &id)?;
        FinishedRun {
            done,
            summary: format!(
                "Ended ticket {id}; its worktrees are in the trash, its local branches deleted."
            ),
            irreversible: None,
            reversal: Some(way_back(&discard, "start the ticket again")),
            targets: vec![of.target(), format!("ticket:{id}")],
        }
        .record(&mut outcome)?;
        outcome.record.id = Some(discard.entry);
        Ok(outcome)
    }

    fn explain(ctx: &Ctx, args: &TicketEndArgs, survey: Option<&Survey>) -> Explanation {
        match survey {
            Some(survey) if args.cleanup => explained(clean_up(ctx, args, survey)),
            Some(survey) => explained_outcome(Self::decide(ctx, args, survey)),
            None => unseen(Self::NAME),
        }
    }

    fn concerns(ctx: &Ctx, args: &TicketEndArgs) -> Vec<String> {
        scope::concerns(ctx, args.ecosystem.as_deref())
    }

    fn bind(ctx: &Ctx, _args: &TicketEndArgs, survey: &Survey) -> Result<Bound> {
        Ok(bound::bind(ctx, survey, true, Vec::new()))
    }
}

/// Ends a ticket and takes its worktrees and local branches away.
fn clean_up(ctx: &Ctx, args: &TicketEndArgs, survey: &Survey) -> Result<RunPlan> {
    let target = survey.ecosystem()?;
    let of = &target.id;
    let id = plain(args.ticket_id.trim())?;
    let ticket = known(ctx, of, id)?;
    let mut lost = Vec::new();
    let (mut details, mut kept, mut branches) = (Vec::new(), Vec::new(), Vec::new());
    let checkouts =
        target.tickets.iter().find(|(t, _)| t.id == id).map(|(_, list)| list.as_slice()).unwrap_or_default();
    for (name, checkout) in checkouts {
        let Some(repo) = ticket.repos.get(name) else { continue };
        lost.extend(checkout.lines(name));
        if !checkout.exists {
            continue;
        }
        let at = shown(&repo.worktree, &of.root);
        details.push(match repo.taken_up {
            true => {
                format!(
                    "{name}: delete {at}, to the trash; branch {} was there before and stays",
                    repo.branch
                )
            }
            false => format!("{name}: delete {at}, to the trash, and branch {}", repo.branch),
        });
        kept.push(KeptCheckout { name: name.clone(), dir: repo.worktree.clone() });
        if !repo.taken_up {
            branches.push(Branch { repo: repo.clone.clone(), name: repo.branch.clone() });
        }
    }
    if !lost.is_empty() && !args.force {
        let error = Error::new(
            Kind::State,
            "unpushed_work",
            format!("Cleaning up ticket {id} would lose work that exists nowhere else: {}.", lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem; 'force': true moves it to the trash.");
        return Err(listed(error, "unpushed", &lost));
    }
    let discard = Discard {
        entry: operation_id(ctx.now, ctx.ids),
        subject: of.name.clone(),
        root: of.root.clone(),
        paths: vec![of.tickets_dir().join(id)],
        checkouts: kept,
        branches,
        home: ctx.session.home.clone(),
    };
    RunPlan {
        action: "ticket_end",
        would: format!("end ticket {id} and delete its worktrees and local branches"),
        details,
        steps: vec![moving(&discard)],
        irreversible: (!lost.is_empty()).then(|| trash::FINAL.to_string()),
        alternatives: vec!["end it without 'cleanup': branches and worktrees stay".into()],
        ..RunPlan::default()
    }
    .remembers(&Ending { id: id.to_string(), discard })
}
