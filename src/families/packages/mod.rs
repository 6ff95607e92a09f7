//! The packages family, `aam_*`: a package manager for skills, agents, prompts and instructions.
//!
//! Its truth lies in files that other programs share (`.aam/`, registries, settings); only the record of which
//! file was deployed by whom is kept in the store. Every change is one operation with all its files.

pub mod archive;
mod cache;
mod config;
mod constraint;
mod detect;
mod drift;
mod errors;
mod findable;
mod git;
mod hidden;
mod index;
mod info;
mod lock;
pub mod manifest;
mod markers;
mod names;
mod offers;

mod placing;
mod plan;
mod registries;
mod registry;
mod reply;
mod resolve;
mod rows;
mod settle;
mod source;
mod stage;
mod staging;
mod targets;
mod tools;
mod version;
mod yaml;

use crate::core::agents::CODEX;
use crate::core::ctx::ErrorCtx;
use crate::core::findable::Searchable;
use crate::core::resource::Offers;
use crate::core::{AnyTool, Error, Family, Reply, Table};

pub struct Packages;

impl Family for Packages {
    fn name(&self) -> &'static str {
        "packages"
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
        &[rows::OWNED]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn variables(&self) -> &'static [&'static str] {
        const { &[CODEX.home.variable] }
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::PackageOffers)
    }
}
