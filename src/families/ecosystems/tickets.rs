//! Tickets: one branch and one worktree per writable repository, beside the clones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::git::{self, short};
use super::install::{LOCAL, still_clean};
use super::names;
use super::reply::{Answer, next};
use super::state::{self, ACTIVE, Place, TICKETS, Ticket, TicketRepo, shown};
use super::survey::Survey;
use super::work::{Finished, Plan};
use crate::core::run::{Reversal, RunDone, Step, Work};
use crate::core::{Ctx, Error, Kind, Outcome, Record, Result, SessionInfo};

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
        let (dir, base) = (&checkout.dir, format!("refs/remotes/origin/{}", repo.branch));
        details.push(format!(
            "{}: branch {branch} from origin/{} in {}",
            repo.name,
            repo.branch,
            shown(&worktree, &place.root)
        ));
        let verify = format!("{base}^{{commit}}");
        let check = git::work(session, dir, &["rev-parse", "--verify", "--quiet", &verify]);
        steps.push(
            Step::new(format!("find origin/{} of {}", repo.branch, repo.name), check, LOCAL)
                .capture(format!("base:{}", repo.name)),
        );
        let path = worktree.to_string_lossy();
        let add =
            git::work(session, dir, &["worktree", "add", "--no-track", "-b", &branch, "--", &path, &base]);
        let remove = git::work(session, dir, &["worktree", "remove", "--force", "--", &path]);
        let forget = git::work(session, dir, &["branch", "-D", "--", &branch]);
        steps.push(
            Step::new(format!("create the worktree of {}", repo.name), add, LOCAL).revert([remove, forget]),
        );
        data.push(json!({"repo": repo.name, "branch": branch, "worktree": worktree, "clone": dir}));
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
        };
        reversal.guards.extend(still_clean(
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

fn taken_away(session: &SessionInfo, name: &str, repo: &TicketRepo) -> Vec<Step> {
    let path = repo.worktree.to_string_lossy();
    let remove = git::work(session, &repo.clone, &["worktree", "remove", "--force", "--", &path]);
    let forget = git::work(session, &repo.clone, &["branch", "-D", "--", &repo.branch]);
    vec![
        Step::new(format!("remove the worktree of {name}"), remove, LOCAL),
        Step::new(format!("delete the branch {} of {name}", repo.branch), forget, LOCAL),
    ]
}

fn brought_back(session: &SessionInfo, name: &str, repo: &TicketRepo, commit: &str) -> Step {
    let path = repo.worktree.to_string_lossy();
    let add = git::work(
        session,
        &repo.clone,
        &["worktree", "add", "--no-track", "-b", &repo.branch, "--", &path, commit],
    );
    Step::new(format!("create the worktree of {name} again"), add, LOCAL)
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
    let (mut steps, mut details, mut tips) = (Vec::new(), Vec::new(), serde_json::Map::new());
    let checkouts =
        target.tickets.iter().find(|(t, _)| t.id == id).map(|(_, list)| list.as_slice()).unwrap_or_default();
    for (name, checkout) in checkouts {
        let Some(repo) = ticket.repos.get(name) else { continue };
        lost.extend(
            checkout
                .unpushed
                .iter()
                .map(|c| format!("{name}: unpushed commit {} {}", short(&c.sha), c.subject)),
        );
        lost.extend(checkout.dirty.iter().map(|d| format!("{name}: uncommitted {d}")));
        if !checkout.exists {
            continue;
        }
        details.push(format!(
            "{name}: delete {} and branch {}",
            shown(&repo.worktree, &place.root),
            repo.branch
        ));
        if let Some(head) = &checkout.head {
            tips.insert(name.clone(), json!(head));
        }
        steps.extend(taken_away(ctx.session, name, repo));
    }
    if !lost.is_empty() && !ctx.call.flag("force") {
        return Err(Error::new(
            Kind::State,
            "unpushed_work",
            format!("Cleaning up ticket {id} would lose work that exists nowhere else: {}.", lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem; 'force': true deletes it.")
        .details(json!({"unpushed": lost})));
    }
    let base = place.tickets_dir();
    let rest = Work::RemoveTree { root: base.clone(), path: base.join(&id) };
    steps.push(Step::new("remove the ticket's directory", rest, LOCAL));
    Ok(Plan {
        action: "ticket_end",
        would: format!("end ticket {id} and delete its worktrees and local branches"),
        details,
        steps,
        irreversible: (!lost.is_empty()).then(|| "Uncommitted changes are lost.".to_string()),
        alternatives: vec!["end it without 'cleanup': branches and worktrees stay".into()],
        data: json!({"id": id, "tips": tips, "lost": lost}),
        ..Plan::default()
    })
}

pub fn cleaned_up(ctx: &Ctx, place: &Place, done: &RunDone) -> Result<Outcome> {
    let id = done.data["id"].as_str().unwrap_or_default();
    let ticket = known(ctx, place, id)?;
    let mut outcome = ended_rows(ctx, place, id)?;
    let lossless = done.data["lost"].as_array().is_none_or(Vec::is_empty);
    let mut reversal = Reversal { guards: Vec::new(), undo: Vec::new(), redo: Some(Vec::new()) };
    for (name, repo) in &ticket.repos {
        let Some(tip) = done.data["tips"][name].as_str() else { continue };
        reversal.undo.push(brought_back(ctx.session, name, repo, tip));
        reversal.redo.get_or_insert_default().extend(taken_away(ctx.session, name, repo));
    }
    Finished {
        done,
        summary: format!("Ended ticket {id} and deleted its worktrees and local branches."),
        irreversible: (!lossless).then(|| "Uncommitted changes were deleted with the worktrees.".to_string()),
        reversal: lossless.then_some(reversal),
        targets: vec![place.target(), format!("ticket:{id}")],
    }
    .record(&mut outcome)?;
    Ok(outcome)
}
