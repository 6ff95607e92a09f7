//! The ecosystems family, `amof_*`: named sets of git repositories that are worked on together.
//!
//! `survey` looks, a module per subject plans, `work` turns a plan into a preview or a run, and when the run has
//! ended the same module records what it did. Nothing here touches git itself except to look.

mod branches;
mod digest;
mod git;
mod install;
pub(crate) mod manifest;
mod mode;
mod names;
mod push;
mod read;
mod release;
mod releasing;
mod remove;
mod reply;
mod runs;
mod scope;
mod semver;
mod spin;
mod standing;
mod state;
mod survey;
mod tickets;
mod work;

use serde_json::{Map, Value, json};

use crate::core::ctx::{ErrorCtx, Explanation, Gathered, Sweep};
use crate::core::run::{self, RunDone, RunStatus};
use crate::core::{Call, Ctx, Error, Family, Indexer, Outcome, Reply, Result, SessionInfo, Table, World};

pub use manifest::check as check_manifest;
pub use reply::{Answer, next};
use state::Place;
use survey::{Depth, Survey};
use work::Plan;

pub const NAME: &str = "ecosystems";

pub struct Ecosystems;

const TABLES: &[Table] = &[
    state::ECOSYSTEMS,
    state::TICKETS,
    state::ACTIVE,
    state::DEPLOYMENTS,
    standing::FAILURES,
    state::PUSHES,
    state::SYNCS,
    state::ARCHIVES,
    state::RELEASES,
    state::SCOPES,
    run::RUNS,
    run::RUN_LOGS,
    run::RUN_SPECS,
];

/// How much of the world a tool needs; `None` = nothing.
fn depth(call: &Call) -> Option<Depth> {
    Some(match call.tool.as_str() {
        "amof_set_mode" | "amof_scope_info" | "amof_scope_back" | "amof_scope_global" => return None,
        "amof_get_server_status"
        | "amof_list_runs"
        | "amof_get_active_runs"
        | "amof_get_run_status"
        | "amof_get_run_logs"
        | "amof_summarize_run"
        | "amof_cancel_run"
        | "amof_global_telemetry" => Depth::Root,
        "amof_list_ecosystems" | "amof_use_ecosystem" => Depth::All,
        "amof_describe_ecosystem" | "amof_validate_manifest" | "amof_ticket_list" | "amof_ticket_switch" => {
            Depth::Manifest
        }
        "amof_push_ecosystem" | "amof_archive_ecosystem" => Depth::Remotes,
        "amof_release_status"
        | "amof_release_validate"
        | "amof_release_bump"
        | "amof_release_promote"
        | "amof_release_log" => Depth::Release,
        _ => Depth::Repos,
    })
}

/// The plan of a tool whose work is a run; `None` = it is none of those.
fn plan(ctx: &Ctx, survey: &Survey) -> Option<Result<Plan>> {
    Some(match ctx.call.tool.as_str() {
        "amof_install_ecosystem" => install::install(ctx, survey),
        "amof_sync_ecosystem" => install::sync(ctx, survey),
        "amof_push_ecosystem" => push::push(ctx, survey),
        "amof_archive_ecosystem" => remove::archive(ctx, survey),
        "amof_discard_ecosystem" => remove::discard(ctx, survey),
        "amof_spin_deploy" => spin::spin(ctx, survey, true),
        "amof_spin_destroy" => spin::spin(ctx, survey, false),
        "amof_ticket_start" => tickets::start(ctx, survey),
        "amof_ticket_end" if ctx.call.flag("cleanup") => tickets::clean_up(ctx, survey),
        "amof_release_bump" => releasing::bump(ctx, survey),
        "amof_release_promote" => releasing::promote(ctx, survey),
        _ => return None,
    })
}

/// Records what a run has done.
fn finish(ctx: &Ctx, done: &RunDone) -> Result<Outcome> {
    let place = Place { root: done.root.clone().into(), name: done.ecosystem.clone() };
    let tool = ctx.call.tool.as_str();
    if tool == "amof_push_ecosystem" {
        return push::pushed(ctx, &place, done);
    }
    if done.status != RunStatus::Success {
        return match tool {
            "amof_spin_deploy" | "amof_spin_destroy" => spin::fell(ctx, &place, done),
            _ => Ok(Outcome::default()),
        };
    }
    match tool {
        "amof_install_ecosystem" => install::installed(ctx, &place, done),
        "amof_sync_ecosystem" => install::synced(ctx, &place, done),
        "amof_archive_ecosystem" => remove::gone(ctx, &place, done, true),
        "amof_discard_ecosystem" => remove::gone(ctx, &place, done, false),
        "amof_spin_deploy" => spin::spun(ctx, &place, done, true),
        "amof_spin_destroy" => spin::spun(ctx, &place, done, false),
        "amof_ticket_start" => tickets::started(ctx, &place, done),
        "amof_ticket_end" => tickets::cleaned_up(ctx, &place, done),
        "amof_release_bump" | "amof_release_promote" => releasing::released(ctx, &place, done),
        other => Err(Error::internal(format!("No run belongs to {other}."))),
    }
}

impl Family for Ecosystems {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tables(&self) -> &'static [Table] {
        TABLES
    }

    fn indexers(&self) -> Vec<Indexer> {
        vec![run::index]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn wants_world(&self, call: &Call, _session: &SessionInfo) -> bool {
        depth(call).is_some()
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let depth = depth(ctx.call).unwrap_or(Depth::Root);
        Ok(Box::new(survey::survey(ctx, world, depth)?))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        if let Ok(done) = ctx.prepared::<RunDone>() {
            return finish(ctx, done);
        }
        match ctx.call.tool.as_str() {
            "amof_set_mode" => return mode::set(ctx),
            "amof_scope_info" => return scope::info(ctx),
            "amof_scope_back" => return scope::back(ctx),
            "amof_scope_global" => return scope::global(ctx),
            _ => {}
        }
        let survey = ctx.prepared::<Survey>()?;
        if let Some(plan) = plan(ctx, survey) {
            let plan = plan?;
            let place = match survey.target.as_ref() {
                Some(target) => target.place.clone(),
                None => release::place(survey)?,
            };
            return work::begin(ctx, &place, plan);
        }
        match ctx.call.tool.as_str() {
            "amof_list_ecosystems" => read::list(ctx, survey),
            "amof_get_server_status" => read::server(ctx, survey),
            "amof_use_ecosystem" => scope::use_ecosystem(ctx, survey),
            "amof_describe_ecosystem" => read::describe(ctx, survey),
            "amof_get_ecosystem_status" => read::status(ctx, survey),
            "amof_validate_manifest" => read::validate(ctx, survey),
            "amof_ticket_list" => tickets::list(ctx, survey),
            "amof_ticket_switch" => tickets::switch(ctx, survey),
            "amof_ticket_end" => tickets::end(ctx, survey),
            "amof_list_runs" => runs::list(ctx, survey),
            "amof_get_active_runs" => runs::active(ctx, survey),
            "amof_get_run_status" => runs::status(ctx, survey),
            "amof_get_run_logs" => runs::logs(ctx, survey),
            "amof_summarize_run" => runs::summarize(ctx, survey),
            "amof_cancel_run" => runs::cancel(ctx, survey),
            "amof_global_telemetry" => runs::telemetry(ctx, survey),
            "amof_release_status" => release::status(ctx, survey),
            "amof_release_validate" => release::validate(ctx, survey),
            "amof_release_log" => release::log(ctx, survey),
            other => Err(Error::internal(format!("The ecosystems family has no tool {other}."))),
        }
    }

    fn sweep(&self, ctx: &Ctx) -> Result<Vec<Sweep>> {
        runs::sweep(ctx)
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        reply::error(error, ctx)
    }

    fn explain(&self, ctx: &Ctx) -> Explanation {
        let Ok(survey) = ctx.prepared::<Survey>() else {
            return Explanation {
                would: format!("{} would change an ecosystem.", ctx.call.tool),
                ..Explanation::default()
            };
        };
        match plan(ctx, survey) {
            Some(Ok(plan)) => plan.explanation(),
            Some(Err(e)) => Explanation {
                would: format!("It would fail: {}", e.message),
                state: e.hint.into_iter().collect(),
                ..Explanation::default()
            },
            None => match self.call(ctx) {
                Ok(outcome) if !outcome.record.summary.is_empty() => Explanation {
                    would: format!("Would do this: {}", outcome.record.summary),
                    ..Explanation::default()
                },
                Ok(_) => Explanation { would: "It would change nothing.".into(), ..Explanation::default() },
                Err(e) => {
                    Explanation { would: format!("It would fail: {}", e.message), ..Explanation::default() }
                }
            },
        }
    }

    fn concerns(&self, ctx: &Ctx) -> Vec<String> {
        let name = scope::chosen(ctx).ok().flatten();
        let mode = (ctx.call.tool == "amof_set_mode").then(|| "mode".to_string());
        name.map(|name| format!("ecosystem:{name}")).into_iter().chain(mode).collect()
    }

    /// Heads, branch tips, dirty files and their content, remotes, manifest, script, tags, what is deployed:
    /// everything a preview was made of.
    fn state_digest(&self, ctx: &Ctx) -> Result<String> {
        digest::of(ctx, ctx.prepared::<Survey>()?)
    }

    /// A confirmed call means the ecosystem that was previewed, wherever the session has gone since.
    fn bind(&self, ctx: &Ctx) -> Result<(Map<String, Value>, Option<String>)> {
        let mut args = ctx.call.args.clone();
        let survey = ctx.prepared::<Survey>()?;
        let name = survey.target.as_ref().map(|t| t.place.name.clone());
        if let Some(name) = &name {
            args.insert("ecosystem".into(), json!(name));
        }
        Ok((args, name))
    }
}
