//! The deploy family: one config repo rendered to every agent's own files, reviewed, applied and taken back.
//!
//! A tool looks at the config repo, the targets and the store once (`state`); what it decides only compares and words
//! that (`plan`, `drift`). Files are written by the engine alone.

mod args;
pub mod config;
mod desired;
mod diffs;
mod drift;
mod errors;
mod evolve;
mod file_memory;
mod file_reader;
mod ids;
mod locations;
mod lock;
mod manifest;
mod module;
mod offers;
mod overlay;
pub mod patch;
mod plan;
mod reply;
mod reviewed;
mod rows;
mod snapshot;
mod standing;
mod state;
mod target_file;
mod targets;
mod tools;
mod tree;
mod upstream;
mod writes;

use crate::core::ctx::{ErrorCtx, Explanation, Sweep};
use crate::core::resource::Offers;
use crate::core::skills::{self, Skill};
use crate::core::standing::Standing;
use crate::core::{AnyTool, Ctx, Error, Family, Look, Reply, Result, Table};
use state::DeployState;

pub struct DeployFamily;

impl Family for DeployFamily {
    fn name(&self) -> &'static str {
        "deploy"
    }

    fn of_tree(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn tables(&self) -> &'static [Table] {
        &[rows::SNAPSHOTS, rows::DEPLOYS, rows::TOKENS]
    }

    fn standing(&self, look: &Look) -> Result<Standing> {
        standing::of(look)
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn skills(&self) -> &'static [&'static Skill] {
        &[&skills::DEPLOY_AGENT_CONFIGURATION]
    }

    fn variables(&self) -> &'static [&'static str] {
        &["AGENTPACK_*", "CODEX_HOME", "HOSTNAME", "COMPUTERNAME"]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::DeployOffers)
    }

    fn sweep(&self, ctx: &Ctx, _in_project: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
        let piece = |outcome| Sweep { workspace: String::new(), tool: "deploy_sweep", outcome };
        Ok(reviewed::sweep(ctx)?.map(piece).into_iter().collect())
    }
}

/// What a writing tool of this family would do, as far as it could look.
fn explained(tool: &str, state: Option<&DeployState>) -> Explanation {
    let mut out =
        Explanation { would: format!("{tool} would write agent configuration files."), ..Default::default() };
    if let Some(state) = state {
        let plan = plan::plan(state);
        out.would = format!("{tool} works on a plan of {} changes: {}.", plan.changes.len(), plan.counts());
        out.state = plan.warnings;
    }
    out.alternatives = vec!["plan".into(), "preview {\"diff\":true}".into(), "status".into()];
    out
}
