//! The ecosystems family, `amof_*`: named sets of git repositories that are worked on together.
//!
//! `survey` looks, a tool plans, `begin` turns its plan into a preview or a run, and when the run has ended the same
//! tool records what it did. Nothing here touches git itself except to look.

mod args;
mod begin;
mod bound;
mod branches;
mod checkouts;
mod ecosystem;
mod errors;
mod findable;
mod git;
pub(crate) mod manifest;
mod names;
mod outgoing;
mod release_facts;
mod releasing;
mod removal;
mod reply;
mod rows;
mod run_plan;
mod runs;
mod scope;
mod spin;
mod standing;
mod survey;
mod tickets;
mod tools;
mod version;

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::resource::{Resource, ResourceContents};
use crate::core::run;
use crate::core::templates::ECOSYSTEM;
use crate::core::{AnyTool, Ctx, Error, Family, Indexer, Reply, Result, Table, World};

#[allow(unused_imports, reason = "what a manifest may hold is told apart by tests")]
pub use manifest::check as check_manifest;

pub const NAME: &str = "ecosystems";

pub struct Ecosystems;

const TABLES: &[Table] = &[
    rows::ECOSYSTEMS,
    rows::TICKETS,
    rows::ACTIVE,
    rows::DEPLOYMENTS,
    standing::FAILURES,
    rows::PUSHES,
    rows::SYNCS,
    rows::ARCHIVES,
    rows::RELEASES,
    rows::SCOPES,
    run::RUNS,
    run::RUN_LOGS,
    run::RUN_SPECS,
];

impl Family for Ecosystems {
    fn name(&self) -> &'static str {
        NAME
    }

    fn finder(&self) -> Option<crate::core::findable::Finder> {
        Some(findable::label)
    }

    fn findable(&self, ctx: &Ctx) -> Option<crate::core::findable::Findable> {
        Some(findable::of(ctx))
    }

    fn of_tree(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
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

    fn resources(&self, _: &Ctx, cursor: Option<&str>, _: usize) -> Result<(Vec<Resource>, Option<String>)> {
        Ok((if cursor.is_none() { vec![ECOSYSTEM.listed()] } else { Vec::new() }, None))
    }

    fn read_resource(&self, _: &Ctx, _: &dyn World, uri: &str) -> Result<Option<ResourceContents>> {
        Ok(ECOSYSTEM.read(uri))
    }

    fn sweep(&self, ctx: &Ctx) -> Result<Vec<Sweep>> {
        runs::sweep(ctx)
    }

    fn variables(&self) -> &'static [&'static str] {
        &["AMOF_*"]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        reply::error(error, ctx)
    }
}
