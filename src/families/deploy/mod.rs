//! The deploy family: one config repo rendered to every agent's own files, reviewed, applied and taken back.
//!
//! `prepare` looks at the config repo, the targets and the store once and hands a `Seen` to the pure part;
//! everything below `call` only compares, words and decides.

mod apply;
mod args;
mod cache;
pub(crate) mod config;
mod diff;
mod doctor;
mod envelope;
mod errors;
mod evolve;
mod explain;
mod ids;
mod lock;
mod manifest;
mod module;
mod overlay;
pub(crate) mod patch;
mod place;
mod plan;
mod resource;
mod review;
mod rollback;
mod rows;
mod scout;
mod seen;
mod source;
mod spot;
mod status;
mod targets;
mod tree;
mod wanted;
mod writes;

use serde_json::{Value, json};

use crate::core::ctx::{ErrorCtx, Explanation, Gathered, Sweep};
use crate::core::resource::{Contents, Template};
use crate::core::{Call, Ctx, Error, Family, Outcome, Reply, Result, SessionInfo, Table, World};
use args::Args;
use cache::FileCache;
use scout::Scout;
use seen::Seen;

#[derive(Default)]
pub struct Deploy {
    cache: FileCache,
}

/// What `prepare` found for one call.
enum Prepared {
    Seen(Box<Seen>),
    Doctor(doctor::Findings),
    Rollback(rollback::RollbackSeen),
    Proposal(Box<evolve::propose::Proposal>),
    /// The token is bound to other arguments; there is nothing more to look at.
    OtherArguments,
    /// The call will be refused whatever the world looks like.
    Nothing,
}

impl Prepared {
    fn seen(&self) -> Result<&Seen> {
        match self {
            Prepared::Seen(seen) => Ok(seen),
            _ => Err(Error::internal("The call was prepared for another purpose.")),
        }
    }
}

impl Deploy {
    fn look(&self, ctx: &Ctx, scout: &Scout, args: &Args) -> Result<Prepared> {
        let scan = ctx.call.tool == "status" || ctx.call.text("kind") == Some("status");
        Ok(match ctx.call.tool.as_str() {
            "doctor" => Prepared::Doctor(doctor::examine(scout, ctx, args)?),
            "rollback" => Prepared::Rollback(rollback::look(scout, ctx)?),
            "deploy_apply" if !args.dry_run => {
                let review::Standing::Good(token) = review::token(ctx)? else { return Ok(Prepared::Nothing) };
                let place = place::find(scout, args, ctx.session)?;
                if args.binding(ctx.session, &place.detected_machine) != token.binding {
                    return Ok(Prepared::OtherArguments);
                }
                Prepared::Seen(Box::new(seen::look(scout, ctx, args, false)?))
            }
            "evolve_propose" => {
                let seen = seen::look(scout, ctx, args, false)?;
                Prepared::Proposal(Box::new(evolve::propose::look(scout, ctx, args, seen)?))
            }
            _ => Prepared::Seen(Box::new(seen::look(scout, ctx, args, scan)?)),
        })
    }
}

impl Family for Deploy {
    fn name(&self) -> &'static str {
        "deploy"
    }

    fn tables(&self) -> &'static [Table] {
        &[rows::SNAPSHOTS, rows::DEPLOYS, rows::TOKENS]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn wants_world(&self, call: &Call, _session: &SessionInfo) -> bool {
        call.tool != "deploy_snapshots"
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let args = Args::of(ctx.call)?;
        let scout = Scout { world, session: ctx.session, cache: &self.cache, now: ctx.now };
        Ok(Box::new(self.look(ctx, &scout, &args)?))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        let args = Args::of(ctx.call)?;
        match ctx.call.tool.as_str() {
            "deploy_snapshots" => rollback::list(ctx),
            "deploy_apply" => apply::deploy_apply(ctx, &args),
            tool => match (tool, ctx.prepared::<Prepared>()?) {
                ("doctor", Prepared::Doctor(found)) => {
                    Ok(Outcome::reply(envelope::ok(tool, None, found.data.clone(), &found.warnings)))
                }
                ("rollback", Prepared::Rollback(seen)) => rollback::rollback(ctx, seen),
                ("evolve_propose", Prepared::Proposal(proposal)) => {
                    evolve::propose::propose(ctx, &args, proposal)
                }
                ("evolve_restore", Prepared::Seen(seen)) => evolve::restore::restore(ctx, &args, seen),
                ("deploy", Prepared::Seen(seen)) => review::deploy(ctx, seen),
                (_, Prepared::Seen(seen)) => read(ctx, seen).map(Outcome::reply),
                _ => Err(Error::internal(format!("The deploy family has no tool {tool}."))),
            },
        }
    }

    fn writes_files(&self, call: &Call) -> bool {
        matches!(call.tool.as_str(), "deploy_apply" | "rollback" | "evolve_propose" | "evolve_restore")
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn explain(&self, ctx: &Ctx) -> Explanation {
        let tool = &ctx.call.tool;
        let mut out = Explanation {
            would: format!("{tool} would write agent configuration files."),
            ..Default::default()
        };
        if let Ok(Prepared::Seen(seen)) = ctx.prepared::<Prepared>() {
            let plan = plan::plan(seen);
            out.would =
                format!("{tool} works on a plan of {} changes: {}.", plan.changes.len(), plan.summary());
            out.state = plan.warnings;
        }
        out.alternatives = vec!["plan".into(), "preview {\"diff\":true}".into(), "status".into()];
        out
    }

    fn templates(&self) -> Vec<Template> {
        resource::templates()
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<Contents>> {
        resource::read(ctx, &Scout { world, session: ctx.session, cache: &self.cache, now: ctx.now }, uri)
    }

    fn sweep(&self, ctx: &Ctx) -> Result<Vec<Sweep>> {
        let piece = |outcome| Sweep { workspace: String::new(), tool: "deploy_sweep", outcome };
        Ok(review::sweep(ctx)?.map(piece).into_iter().collect())
    }
}

/// The tools that only look.
fn read(ctx: &Ctx, seen: &Seen) -> Result<Reply> {
    let plan = || plan::plan(seen);
    let reply = match (ctx.call.tool.as_str(), ctx.call.text("kind")) {
        ("plan", _) => {
            let plan = plan();
            answer(ctx, seen, plan.data(seen), &plan.warnings)
        }
        ("diff", _) => {
            let plan = plan();
            let (mut data, mut warnings) = (plan.data(seen), plan.warnings.clone());
            data["files"] = diff::files(seen, &plan, &mut warnings);
            answer(ctx, seen, data, &warnings)
        }
        ("preview", _) => preview(ctx, seen),
        ("status", _) => {
            let status = status::status(seen);
            answer(ctx, seen, status.data(seen, ctx.call), &status.warnings)
        }
        ("explain", Some("status")) => {
            let status = status::status(seen);
            answer(ctx, seen, explain::status(seen, &status), &status.warnings)
        }
        ("explain", _) => {
            let plan = plan();
            answer(ctx, seen, explain::plan(seen, &plan), &plan.warnings)
        }
        (tool, _) => return Err(Error::internal(format!("The deploy family has no tool {tool}."))),
    };
    Ok(reply)
}

fn preview(ctx: &Ctx, seen: &Seen) -> Reply {
    let plan = plan::plan(seen);
    let mut warnings = plan.warnings.clone();
    let mut inner = json!({"changes": plan.list(), "summary": plan.summary()});
    let mut links = Vec::new();
    envelope::cut(&mut inner, "changes", &resource::plan_uri(&seen.args), &mut links);
    let mut data = json!({"profile": seen.args.profile, "targets": seen.targets, "plan": inner.clone()});
    if ctx.call.flag("diff") {
        inner["files"] = diff::files(seen, &plan, &mut warnings);
        data["diff"] = inner;
    }
    let mut reply = answer(ctx, seen, data, &warnings);
    reply.links.extend(links);
    reply
}

/// The envelope of a successful call, lists cut to size.
fn answer(ctx: &Ctx, seen: &Seen, data: Value, warnings: &[String]) -> Reply {
    answer_linked(ctx, seen, data, warnings, &resource::plan_uri(&seen.args))
}

fn answer_linked(ctx: &Ctx, seen: &Seen, mut data: Value, warnings: &[String], uri: &str) -> Reply {
    let mut links = Vec::new();
    for field in ["changes", "drift", "not_deployed"] {
        envelope::cut(&mut data, field, uri, &mut links);
    }
    let mut all = seen.warnings.clone();
    all.extend(warnings.iter().cloned());
    let mut reply = envelope::ok(&ctx.call.tool, ctx.call.text("kind"), data, &all);
    reply.links = links;
    reply
}
