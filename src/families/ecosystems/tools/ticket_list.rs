//! `amof_ticket_list`: the tickets of an ecosystem with their branches and plan items.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{EcosystemArgs, NamesSubject};
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::rows::{self, Ticket};
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{DescribeEcosystem, EcosystemStatus, TicketSwitch};

pub struct TicketList;

#[derive(Serialize)]
struct ShownTicket<'a> {
    id: &'a str,
    active: bool,
    phase: &'a str,
    repos: BTreeMap<&'a str, &'a str>,
    created_at: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    plan_items: &'a [Value],
}

#[derive(Serialize)]
struct Shown<'a> {
    active_ticket: Option<&'a str>,
    tickets: Vec<ShownTicket<'a>>,
}

impl Tool for TicketList {
    type Args = EcosystemArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_ticket_list";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &EcosystemArgs) -> Result<Survey> {
        survey(look, args.named(), Depth::Manifest)
    }

    fn decide(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<Outcome> {
        let of = survey.id()?;
        let name = of.name.as_str();
        let active = rows::active_ticket(ctx.view, of)?;
        let tickets = rows::tickets(ctx.view, of)?;
        let is_active = |t: &Ticket| Some(&t.id) == active.as_ref();
        let rows: Vec<Vec<String>> = tickets
            .iter()
            .map(|t| {
                let repos: Vec<&str> = t.repos.keys().map(String::as_str).collect();
                let mark = if is_active(t) { "yes" } else { "" };
                vec![t.id.clone(), mark.into(), t.phase.clone(), repos.join(", "), t.created.zulu()]
            })
            .collect();
        let list = tickets.iter().map(|t| ShownTicket {
            id: &t.id,
            active: is_active(t),
            phase: &t.phase,
            repos: t.repos.iter().map(|(name, r)| (name.as_str(), r.branch.as_str())).collect(),
            created_at: t.created.zulu(),
            plan_items: &t.plan_items,
        });
        let mut answer = Answer::new(format!("{} ticket{} in {name}.", tickets.len(), plural(tickets.len())))
            .ecosystem(Some(name))
            .table(&["Ticket", "Active", "Phase", "Repos", "Created"], &rows)
            .told(tickets.iter().flat_map(items))
            .fields(Shown { active_ticket: active.as_deref(), tickets: list.collect() })
            .next(Next::call(EcosystemStatus::NAME).with("ecosystem", name))
            .next(Next::call(DescribeEcosystem::NAME).with("ecosystem", name));
        if let Some(other) = tickets.iter().find(|t| !is_active(t)) {
            let switch = Next::call(TicketSwitch::NAME).with("ecosystem", name);
            let switch = switch.with("ticket_id", other.id.as_str());
            answer = answer.next(switch.with("mode", Mode::Plan.as_str()));
        }
        answer.outcome(ctx)
    }
}

/// The plan of a ticket, one line for each item of it.
fn items(ticket: &Ticket) -> Vec<String> {
    ticket.plan_items.iter().map(|item| format!("{}: {item}", ticket.id)).collect()
}
