//! What there is: the list, one ecosystem, its checkouts, its manifest, the server itself.

use serde_json::{Value, json};

use super::install::plural;
use super::reply::{Answer, next};
use super::standing::Standing;
use super::state::{self, SYNCS, shown};
use super::survey::{Survey, Target};
use super::{git, manifest, scope};
use crate::core::{Ctx, Outcome, Result, Timestamp, redact};

pub fn list(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let Some(root) = &survey.root else {
        return Answer::new("There are no ecosystems here: no 'ecosystems' directory was found.")
            .line("Create ecosystems/<name>/ecosystem.yaml, or set AMOF_WORKSPACE_ROOT.")
            .fields(json!({"root": null, "ecosystems": []}))
            .next(next("amof_get_server_status", json!({})))
            .next(next("amof_scope_info", json!({})))
            .outcome(ctx);
    };
    let live: Vec<_> = survey
        .found
        .iter()
        .filter(|f| {
            ctx.call.flag("include_retired") || !f.checked.manifest.as_ref().is_some_and(|m| m.retired)
        })
        .collect();
    let mut rows = Vec::new();
    let mut list = Vec::new();
    let mut failed = Vec::new();
    for found in &live {
        let place = state::Place { root: root.clone(), name: found.name.clone() };
        let installed = state::installed(ctx.view, &place)?.is_some();
        let standing = Standing::of(ctx.view, &place)?;
        if standing.fell.is_some() {
            failed.extend(standing.line().map(|line| format!("{}: {line}", found.name)));
        }
        let (repos, provisioner, description) = match &found.checked.manifest {
            Some(m) => {
                (m.repos.len().to_string(), m.provisioner.clone().unwrap_or_default(), m.description.clone())
            }
            None => ("invalid manifest".into(), String::new(), String::new()),
        };
        let names: Vec<&str> =
            found.checked.manifest.iter().flat_map(|m| m.repos.iter().map(|r| r.name.as_str())).collect();
        list.push(json!({
            "name": found.name, "path": format!("ecosystems/{}", found.name), "description": description,
            "repos_count": names.len(), "repos": names, "provisioner": provisioner, "installed": installed,
            "valid": found.checked.manifest.is_some(), "active_ticket": state::active_ticket(ctx.view, &place)?,
            "deployment": standing.json(),
        }));
        rows.push(vec![found.name.clone(), repos, provisioner]);
    }
    let n = live.len();
    let mut answer = Answer::new(format!("{n} ecosystem{}.", plural(n)))
        .table(&["Ecosystem", "Repos", "Provisioner"], &rows)
        .lines(failed)
        .fields(json!({"root": root, "ecosystems": list}));
    for found in live.iter().take(3) {
        answer = answer.next(next("amof_use_ecosystem", json!({"name": found.name})));
    }
    answer.next(next("amof_get_active_runs", json!({}))).next(next("amof_scope_info", json!({}))).outcome(ctx)
}

pub fn server(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let root = survey.root.as_ref().map(|r| r.display().to_string());
    let place = root.clone().map_or("no workspace root found".to_string(), |r| format!("workspace root {r}"));
    let scope = scope::current(ctx.view, &ctx.session.id)?;
    Answer::new(format!("packd {} is running; {place}.", env!("CARGO_PKG_VERSION")))
        .line(format!("session: {} ({})", ctx.session.id, ctx.session.client))
        .line(format!("mode: {}", ctx.call.mode.as_str()))
        .ecosystem(scope.ecosystem.clone())
        .fields(json!({
            "running": true, "server": "packd", "version": env!("CARGO_PKG_VERSION"), "workspace_root": root,
            "workspace": ctx.session.workspace, "mode": ctx.call.mode.as_str(), "ecosystem": scope.ecosystem,
            "max_mode": ctx.session.max_mode.map(crate::core::Mode::as_str),
        }))
        .next(next("amof_list_ecosystems", json!({})))
        .next(next("amof_scope_info", json!({})))
        .outcome(ctx)
}

pub fn describe(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let target = survey.target()?;
    let manifest = target.manifest()?;
    let name = &target.place.name;
    let rows: Vec<Vec<String>> = manifest
        .repos
        .iter()
        .map(|r| vec![r.name.clone(), r.branch.clone(), if r.readonly { "yes" } else { "no" }.into()])
        .collect();
    let repos: Vec<Value> = manifest
        .repos
        .iter()
        .map(|r| {
            json!({"name": r.name, "url": redact::line(&r.url), "branch": r.branch, "path": r.path,
                   "readonly": r.readonly, "enabled": r.enabled})
        })
        .collect();
    let mut answer = Answer::new(format!(
        "{name}: {} repositor{}.",
        repos.len(),
        if repos.len() == 1 { "y" } else { "ies" }
    ))
    .ecosystem(Some(name.clone()));
    if !manifest.description.is_empty() {
        answer = answer.line(manifest.description.clone());
    }
    if !target.dir_exists {
        answer = answer.next(next("amof_install_ecosystem", json!({"ecosystem": name, "mode": "plan"})));
    }
    answer
        .line(format!("provisioner: {}", manifest.provisioner.as_deref().unwrap_or("none")))
        .lines(Standing::of(ctx.view, &target.place)?.line())
        .line(format!("workspace branch: {}", target.branch()))
        .line(format!("ticket branches: {}/<ticket>", manifest.repo_branch_prefix))
        .table(&["Repo", "Branch", "Readonly"], &rows)
        .fields(json!({
            "ecosystem": name, "description": manifest.description, "provisioner": manifest.provisioner,
            "branch_prefix": manifest.branch_prefix, "repo_branch_prefix": manifest.repo_branch_prefix,
            "workspace_dir": shown(&target.dir, &target.place.root), "repos": repos, "retired": manifest.retired,
        }))
        .next(next("amof_get_ecosystem_status", json!({"ecosystem": name})))
        .next(next("amof_validate_manifest", json!({"ecosystem": name})))
        .outcome(ctx)
}

/// OK, or what is not, joined with `+`.
fn word(repo: &manifest::Repo, checkout: &git::Checkout) -> String {
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

pub fn status(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let target = survey.target()?;
    target.manifest()?;
    let place = &target.place;
    let pushes = state::pushes(ctx.view, place)?;
    let mut rows = Vec::new();
    let mut repos = Vec::new();
    for (repo, checkout) in target.repos.iter().filter(|(r, _)| r.url != "local") {
        let status = word(repo, checkout);
        let head = checkout.head.as_deref().map_or("", git::short).to_string();
        let branch = checkout.branch.clone().unwrap_or_default();
        rows.push(vec![
            repo.name.clone(),
            branch,
            head,
            if repo.readonly { "RO" } else { "RW" }.into(),
            status.clone(),
        ]);
        repos.push(json!({
            "name": repo.name, "branch": checkout.branch, "commit": checkout.head, "mode": if repo.readonly { "RO" } else { "RW" },
            "status": status, "dirty": checkout.dirty.len(), "filters_not_run": checkout.filtered, "unpushed": checkout.unpushed_count,
            "stashes": checkout.stashes, "in_progress": checkout.in_progress,
            "ignored": checkout.ignored.iter().map(|i| json!({"path": i.path, "bytes": i.measured.bytes, "more": i.measured.more})).collect::<Vec<_>>(),
            "last_push": pushes.get(&repo.name).map(|p| json!({"branch": p.branch, "commit": p.commit, "pushed_at": p.at.zulu()})),
        }));
    }
    let synced: Option<Timestamp> = ctx.view.get(SYNCS, &place.key())?.map(|(t, _)| t);
    let active = state::active_ticket(ctx.view, place)?;
    let standing = Standing::of(ctx.view, place)?;
    let installed = target.dir_exists;
    let text = match installed {
        true => format!("{} is installed in {}.", place.name, shown(&target.dir, &place.root)),
        false => format!("{} is not installed.", place.name),
    };
    let mut answer = Answer::new(text).ecosystem(Some(place.name.clone()));
    if let Some(ticket) = &active {
        answer = answer.line(format!("active ticket: {ticket}"));
    }
    answer = answer.lines(standing.line());
    for (repo, checkout) in target.repos.iter().filter(|(_, c)| !c.filtered.is_empty()) {
        answer = answer.line(format!("{}: {}", repo.name, git::unfiltered(&checkout.filtered)));
    }
    answer = answer.table(&["Repo", "Branch", "Commit", "Mode", "Status"], &rows).fields(json!({
        "installed": installed,
        "workspace": {
            "ecosystem": place.name, "workspace_branch": target.workspace.branch, "dirty": target.workspace.dirty.len(),
            "active_ticket": active, "ticket_count": target.tickets.len(),
        },
        "repos": repos, "deployment": standing.json(), "synced_at": synced.map(Timestamp::zulu),
    }));
    onward(answer, target).outcome(ctx)
}

fn onward(answer: Answer, target: &Target) -> Answer {
    let name = &target.place.name;
    let plan = json!({"ecosystem": name, "mode": "plan"});
    let unpushed = target.repos.iter().any(|(r, c)| !r.readonly && c.unpushed_count > 0);
    let answer = match (target.dir_exists, unpushed) {
        (true, true) => answer.next(next("amof_push_ecosystem", plan)),
        (true, false) => answer.next(next("amof_sync_ecosystem", plan)),
        (false, _) => answer.next(next("amof_install_ecosystem", plan)),
    };
    answer
        .next(next("amof_describe_ecosystem", json!({"ecosystem": name})))
        .next(next("amof_ticket_list", json!({"ecosystem": name})))
}

pub fn validate(ctx: &Ctx, survey: &Survey) -> Result<Outcome> {
    let target = survey.target()?;
    let name = &target.place.name;
    let problems = &target.found.checked.problems;
    let errors = problems.iter().filter(|p| p.error).count();
    let warnings = problems.len() - errors;
    let valid = errors == 0 && !(ctx.call.flag("strict") && warnings > 0);
    let text = format!(
        "ecosystems/{name}/ecosystem.yaml is {}: {errors} error{}, {warnings} warning{}.",
        if valid { "valid" } else { "not valid" },
        plural(errors),
        plural(warnings)
    );
    Answer::new(text)
        .ecosystem(Some(name.clone()))
        .lines(problems.iter().map(manifest::Problem::line))
        .fields(json!({
            "valid": valid, "errors": errors, "warnings": warnings,
            "problems": problems.iter().map(manifest::Problem::json).collect::<Vec<_>>(),
        }))
        .next(next("amof_describe_ecosystem", json!({"ecosystem": name})))
        .next(next("amof_list_ecosystems", json!({})))
        .outcome(ctx)
}
