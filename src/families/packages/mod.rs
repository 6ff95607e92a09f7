//! The packages family, `aam_*`: a package manager for skills, agents, prompts and instructions.
//!
//! Its truth lies in files that other programs share (`.aam/`, registries, settings); only the record of which
//! file was deployed by whom is kept in the store. Every change is one operation with all its files.

pub(crate) mod archive;
mod cache;
mod config;
mod constraint;
mod create;
mod deployed;
mod detect;
mod doctor;
mod errors;
mod git;
mod hidden;
mod index;
mod info;
mod install;
mod lock;
pub(crate) mod manifest;
mod markers;
mod names;
mod owned;
mod plan;
mod publish;
mod registries;
mod registry;
mod resolve;
mod resources;
mod restore;
mod search;
mod source;
mod stage;
mod targets;
mod uninstall;
mod upgrade;
mod validate;
mod verify;
mod version;
mod workshop;
mod yaml;

use std::sync::Mutex;

use self::plan::{Plan, Scene};
use crate::core::ctx::{ErrorCtx, Explanation, Gathered};
use crate::core::resource::{Content, Contents, Resource, Template};
use crate::core::{Call, Ctx, Error, Family, Op, Outcome, Reply, Result, SessionInfo, Table, World};

#[derive(Default)]
pub struct Packages {
    caches: cache::Caches,
}

/// A plan is taken out once: its files may be large.
struct Prepared(Mutex<Option<Plan>>);

type Tool = fn(&Scene) -> Result<Plan>;

const READING: [(&str, Tool); 9] = [
    ("aam_search", search::search),
    ("aam_list", info::list),
    ("aam_info", info::info),
    ("aam_validate", validate::validate),
    ("aam_config_get", config::get),
    ("aam_registry_list", registries::list),
    ("aam_doctor", doctor::doctor),
    ("aam_outdated", upgrade::outdated),
    ("aam_verify", verify::verify),
];

const WRITING: [(&str, Tool); 8] = [
    ("aam_install", install::install),
    ("aam_uninstall", uninstall::uninstall),
    ("aam_publish", publish::publish),
    ("aam_create_package", create::create),
    ("aam_config_set", config::set),
    ("aam_registry_add", registries::add),
    ("aam_upgrade", upgrade::upgrade),
    ("aam_restore", restore::restore),
];

impl Family for Packages {
    fn name(&self) -> &'static str {
        "packages"
    }

    fn tables(&self) -> &'static [Table] {
        &[owned::TABLE]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn wants_world(&self, _call: &Call, _session: &SessionInfo) -> bool {
        true
    }

    fn writes_files(&self, call: &Call) -> bool {
        WRITING.iter().any(|(name, _)| *name == call.tool)
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let tool = READING.iter().chain(&WRITING).find(|(name, _)| *name == ctx.call.tool);
        let Some((_, run)) = tool else {
            return Err(Error::internal(format!("The packages family has no tool {}.", ctx.call.tool)));
        };
        let plan = run(&Scene { ctx, world, caches: &self.caches })?;
        Ok(Box::new(Prepared(Mutex::new(Some(plan)))))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        let prepared = ctx.prepared::<Prepared>()?;
        let plan = prepared.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let plan = plan.ok_or_else(|| Error::internal("A plan was used twice."))?;
        plan.into_outcome(ctx)
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn explain(&self, ctx: &Ctx) -> Explanation {
        let prepared = ctx.prepared::<Prepared>().ok();
        let plan = prepared.and_then(|p| p.0.lock().ok()?.take());
        let state = plan.as_ref().map(|plan| {
            let shown = plan.effects.iter().take(10).map(|e| e.path.display().to_string());
            let more = plan.effects.len().saturating_sub(10);
            let more = (more > 0).then(|| format!("and {more} more files"));
            shown.chain(more).collect()
        });
        let would = match plan.as_ref().map(|p| (&p.record.summary, p.effects.len())) {
            Some((summary, files)) if files > 0 => format!("It would write {files} files: {summary}."),
            Some(_) => "It would change nothing.".to_string(),
            None => format!("{} would change files of this project or the settings.", ctx.call.tool),
        };
        Explanation { would, state: state.unwrap_or_default(), ..Explanation::default() }
    }

    fn resources(&self, _: &Ctx, cursor: Option<&str>, _: usize) -> Result<(Vec<Resource>, Option<String>)> {
        Ok((if cursor.is_none() { resources::fixed() } else { Vec::new() }, None))
    }

    fn templates(&self) -> Vec<Template> {
        resources::templates()
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<Contents>> {
        if !uri.starts_with("aam://") {
            return Ok(None);
        }
        let text = resources::read(&Scene { ctx, world, caches: &self.caches }, uri)?;
        let contents = |text| Contents {
            uri: uri.to_string(),
            mime: "application/json".to_string(),
            content: Content::Text(text),
        };
        Ok(text.map(contents))
    }

    fn changed_resources(&self, op: &Op) -> Vec<String> {
        let uris: &[&str] = match op.tool.as_str() {
            "aam_config_set" => &["aam://config"],
            "aam_registry_add" => &["aam://registries", "aam://config"],
            "aam_create_package" => &["aam://manifest"],
            "aam_publish" => &[],
            _ => &["aam://packages/installed"],
        };
        uris.iter().map(|u| u.to_string()).collect()
    }
}
