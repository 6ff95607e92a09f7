//! `amof_ticket_switch`: another ticket becomes the active one; `main` means none.

use serde::{Deserialize, Serialize};

use crate::core::ctx::Explanation;
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Needs, Outcome, Record, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::rows::{self, ACTIVE};
use crate::families::ecosystems::run_plan::{explained_outcome, unseen};
use crate::families::ecosystems::scope;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tickets::{known, plain};
use crate::families::ecosystems::tools::{EcosystemStatus, TicketList};

pub struct TicketSwitch;

#[derive(Debug, Deserialize)]
pub struct TicketSwitchArgs {
    ticket_id: String,
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
}

#[derive(Serialize)]
struct Shown<'a> {
    active_ticket: Option<&'a str>,
    dry_run: bool,
}

impl Tool for TicketSwitch {
    type Args = TicketSwitchArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_ticket_switch";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &TicketSwitchArgs) -> Result<Survey> {
        survey(
            look,
            CallSubject { ecosystem: args.ecosystem.as_deref(), ..CallSubject::default() },
            Depth::Manifest,
        )
    }

    fn decide(ctx: &Ctx, args: &TicketSwitchArgs, survey: &Survey) -> Result<Outcome> {
        let of = survey.id()?;
        let name = of.name.as_str();
        let id = plain(args.ticket_id.trim())?;
        let before = rows::active_ticket(ctx.view, of)?;
        let mut draft = ctx.draft();
        let summary = if id == "main" {
            if before.is_some() {
                draft.delete(ACTIVE, &of.key())?;
            }
            format!("No ticket is active in {name}.")
        } else {
            known(ctx, of, id)?;
            if before.as_deref() != Some(id) {
                draft.put(ACTIVE, &of.key(), &id)?;
            }
            format!("Ticket {id} is active in {name}.")
        };
        let mut outcome = draft.into_outcome();
        let would = if ctx.call.preview { format!("Dry run: {summary}") } else { summary.clone() };
        outcome.record =
            Record { summary, targets: vec![of.target(), format!("ticket:{id}")], ..Record::default() };
        outcome.reply = Answer::new(would)
            .ecosystem(Some(name))
            .fields(Shown { active_ticket: (id != "main").then_some(id), dry_run: ctx.call.preview })
            .next(Next::call(TicketList::NAME).with("ecosystem", name))
            .next(Next::call(EcosystemStatus::NAME).with("ecosystem", name))
            .reply(ctx);
        Ok(outcome)
    }

    fn explain(ctx: &Ctx, args: &TicketSwitchArgs, survey: Option<&Survey>) -> Explanation {
        survey.map_or(unseen(Self::NAME), |survey| explained_outcome(Self::decide(ctx, args, survey)))
    }

    fn concerns(ctx: &Ctx, args: &TicketSwitchArgs) -> Vec<String> {
        scope::concerns(ctx, args.ecosystem.as_deref())
    }
}
