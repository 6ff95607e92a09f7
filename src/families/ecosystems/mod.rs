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
pub mod manifest;
mod names;
mod offers;
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

use std::path::PathBuf;

use crate::core::ctx::ErrorCtx;
use crate::core::findable::Searchable;
use crate::core::resource::Offers;
use crate::core::{AnyTool, Error, Family, Reply, SessionInfo, Table};

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
];

impl Family for Ecosystems {
    fn name(&self) -> &'static str {
        NAME
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(findable::SEARCHABLE)
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

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::EcosystemOffers)
    }

    fn work_places(&self, session: &SessionInfo) -> Vec<PathBuf> {
        survey::named_roots(session).map(PathBuf::from).collect()
    }

    fn variables(&self) -> &'static [&'static str] {
        &["AMOF_*"]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        reply::error(error, ctx)
    }
}
