//! Tickets: one branch and one worktree per writable repository, beside the clones.
//!
//! Here they are listed, made the active one, ended and cleaned up; how they come to be is in `start`.

mod start;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::names;
use super::remove::{moving, way_back};
use super::reply::{Answer, next};
use super::state::{self, ACTIVE, Place, TICKETS, Ticket, shown};
use super::survey::Survey;
use super::work::{Finished, Plan};
use crate::core::op::operation_id;
use crate::core::run::RunDone;
use crate::core::trash::{self, Branch, Discard, Kept};
use crate::core::{Ctx, Error, Kind, Outcome, Record, Result};

pub use start::{keep_out, start, started};

fn wanted(ctx: &Ctx) -> Result<String> {
    let id = ctx.call.text("ticket_id").unwrap_or_default();
    match names::plain(id) {
        Ok(()) => Ok(id.to_string()),
        Err(why) => Err(Error::invalid("invalid_ticket", why)),
    }
}

fn known(ctx: &Ctx, place: &Place, id: &str) -> Result<Ticket> {
    state::ticket(ctx.view, place, id)?.ok_or_else(|| {
        Error::new(
            Kind::NotFound,
            "unknown_ticket",
            format!("Ecosystem {} has no ticket '{id}'.", place.name),
        )
        .hint("amof_ticket_list shows the tickets there are.")
    })
}

pub fn list(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let place = survey.place()?;
    let active = state::active_ticket(ctx.view, place)?;
    let tickets = state::tickets(ctx.view, place)?;
    let is_active = |t: &Ticket| Some(&t.id) == active.as_ref();
    let rows: Vec<Vec<String>> = tickets
        .iter()
        .map(|t| {
            let repos: Vec<&str> = t.repos.keys().map(String::as_str).collect();
            let mark = if is_active(t) { "yes" } else { "" };
            vec![t.id.clone(), mark.into(), repos.join(", "), t.created.zulu()]
        })
        .collect();
    let json: Vec<Value> = tickets
        .iter()
        .map(|t| {
            let repos: BTreeMap<&String, &String> =
                t.repos.iter().map(|(name, r)| (name, &r.branch)).collect();
            json!({"id": t.id, "active": is_active(t), "phase": t.phase, "repos": repos,
                   "created_at": t.created.zulu(), "plan_items": t.plan_items})
        })
        .collect();
    let mut answer = Answer::new(format!(
        "{} ticket{} in {}.",
        tickets.len(),
        super::install::plural(tickets.len()),
        place.name
    ))
    .ecosystem(Some(place.name.clone()))
    .table(&["Ticket", "Active", "Repos", "Created"], &rows)
    .fields(json!({"active_ticket": active, "tickets": json}))
    .next(next("amof_get_ecosystem_status", json!({"ecosystem": place.name})))
    .next(next("amof_describe_ecosystem", json!({"ecosystem": place.name})));
    if let Some(other) = tickets.iter().find(|t| !is_active(t)) {
        answer = answer.next(next(
            "amof_ticket_switch",
            json!({"ecosystem": place.name, "ticket_id": other.id, "mode": "plan"}),
        ));
    }
    answer.outcome(ctx)
}

pub fn switch(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let place = survey.place()?;
    let id = wanted(ctx)?;
    let before = state::active_ticket(ctx.view, place)?;
    let mut draft = ctx.draft();
    let summary = if id == "main" {
        if before.is_some() {
            draft.delete(ACTIVE, &place.key())?;
        }
        format!("No ticket is active in {}.", place.name)
    } else {
        known(ctx, place, &id)?;
        if before.as_deref() != Some(id.as_str()) {
            draft.put(ACTIVE, &place.key(), &id)?;
        }
        format!("Ticket {id} is active in {}.", place.name)
    };
    let mut outcome = draft.into_outcome();
    let would = if ctx.call.preview { format!("Dry run: {summary}") } else { summary.clone() };
    outcome.record =
        Record { summary, targets: vec![place.target(), format!("ticket:{id}")], ..Record::default() };
    outcome.reply = Answer::new(would)
        .ecosystem(Some(place.name.clone()))
        .fields(json!({"active_ticket": (id != "main").then_some(&id), "dry_run": ctx.call.preview}))
        .next(next("amof_ticket_list", json!({"ecosystem": place.name})))
        .next(next("amof_get_ecosystem_status", json!({"ecosystem": place.name})))
        .reply(ctx);
    Ok(outcome)
}

/// Forgets a ticket; its branches and worktrees stay.
pub fn end(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let place = survey.place()?;
    let id = wanted(ctx)?;
    known(ctx, place, &id)?;
    let mut outcome = ended_rows(ctx, place, &id)?;
    let summary = format!("Ended ticket {id}; its branches and worktrees stay.");
    outcome.record = Record {
        summary: summary.clone(),
        targets: vec![place.target(), format!("ticket:{id}")],
        ..Record::default()
    };
    let would = if ctx.call.preview { format!("Dry run: {summary}") } else { summary };
    outcome.reply = Answer::new(would)
        .ecosystem(Some(place.name.clone()))
        .fields(json!({"ticket_id": id, "dry_run": ctx.call.preview}))
        .next(next("amof_ticket_list", json!({"ecosystem": place.name})))
        .next(next("amof_get_ecosystem_status", json!({"ecosystem": place.name})))
        .reply(ctx);
    Ok(outcome)
}

fn ended_rows(ctx: &Ctx, place: &Place, id: &str) -> Result<Outcome> {
    let mut draft = ctx.draft();
    draft.delete(TICKETS, &place.key().text(id))?;
    if state::active_ticket(ctx.view, place)?.as_deref() == Some(id) {
        let other = state::tickets(ctx.view, place)?.into_iter().find(|t| t.id != id);
        match other {
            Some(other) => {
                draft.put(ACTIVE, &place.key(), &other.id)?;
            }
            None => draft.delete(ACTIVE, &place.key())?,
        }
    }
    Ok(draft.into_outcome())
}

/// Ends a ticket and takes its worktrees and local branches away.
pub fn clean_up(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    let place = &target.place;
    let id = wanted(ctx)?;
    let ticket = known(ctx, place, &id)?;
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
        let at = shown(&repo.worktree, &place.root);
        details.push(match repo.taken_up {
            true => {
                format!(
                    "{name}: delete {at}, to the trash; branch {} was there before and stays",
                    repo.branch
                )
            }
            false => format!("{name}: delete {at}, to the trash, and branch {}", repo.branch),
        });
        kept.push(Kept { name: name.clone(), dir: repo.worktree.clone() });
        if !repo.taken_up {
            branches.push(Branch { repo: repo.clone.clone(), name: repo.branch.clone() });
        }
    }
    if !lost.is_empty() && !ctx.call.flag("force") {
        return Err(Error::new(
            Kind::State,
            "unpushed_work",
            format!("Cleaning up ticket {id} would lose work that exists nowhere else: {}.", lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem; 'force': true moves it to the trash.")
        .details(json!({"unpushed": lost})));
    }
    let discard = Discard {
        entry: operation_id(ctx.now, ctx.ids),
        ecosystem: place.name.clone(),
        root: place.root.clone(),
        paths: vec![place.tickets_dir().join(&id)],
        checkouts: kept,
        branches,
        home: ctx.session.home.clone(),
    };
    Ok(Plan {
        action: "ticket_end",
        would: format!("end ticket {id} and delete its worktrees and local branches"),
        details,
        steps: vec![moving(&discard)],
        irreversible: (!lost.is_empty()).then(|| trash::FINAL.to_string()),
        alternatives: vec!["end it without 'cleanup': branches and worktrees stay".into()],
        data: json!({"id": id, "discard": discard}),
        ..Plan::default()
    })
}

pub fn cleaned_up(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let id = done.data["id"].as_str().unwrap_or_default();
    known(ctx, place, id)?;
    let discard: Discard = serde_json::from_value(done.data["discard"].clone())
        .map_err(|e| Error::internal(format!("A run does not say what it moved: {e}.")))?;
    let mut outcome = ended_rows(ctx, place, id)?;
    Finished {
        done,
        summary: format!("Ended ticket {id}; its worktrees are in the trash, its local branches deleted."),
        irreversible: None,
        reversal: Some(way_back(&discard)),
        targets: vec![place.target(), format!("ticket:{id}")],
    }
    .record(&mut outcome)?;
    outcome.record.id = Some(discard.entry);
    Ok(outcome)
}
