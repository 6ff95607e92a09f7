//! The packages family, `aam_*`: a package manager for skills, agents, prompts and instructions.
//!
//! Its truth lies in files that other programs share (`.aam/`, registries, settings); only the record of which
//! file was deployed by whom is kept in the store. Every change is one operation with all its files.

pub(crate) mod archive;
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
pub(crate) mod manifest;
mod markers;
mod names;
mod owned;
mod placing;
mod plan;
mod registries;
mod registry;
mod reply;
mod resolve;
mod resources;
mod settle;
mod source;
mod stage;
mod staging;
mod targets;
mod tools;
mod version;
mod yaml;

use self::plan::PackageScene;
use crate::core::ctx::ErrorCtx;
use crate::core::resource::{Resource, ResourceContents, ResourceTemplate};
use crate::core::{AnyTool, Ctx, Error, Family, Op, Reply, Result, Table, World};

pub struct Packages;

impl Family for Packages {
    fn name(&self) -> &'static str {
        "packages"
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
        &[owned::TABLE]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn variables(&self) -> &'static [&'static str] {
        &["CODEX_HOME"]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn resources(&self, _: &Ctx, cursor: Option<&str>, _: usize) -> Result<(Vec<Resource>, Option<String>)> {
        Ok((if cursor.is_none() { resources::fixed() } else { Vec::new() }, None))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        resources::templates()
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<ResourceContents>> {
        if let Some(contents) = resources::starters().into_iter().find_map(|starter| starter.read(uri)) {
            return Ok(Some(contents));
        }
        if !uri.starts_with("aam://") {
            return Ok(None);
        }
        let text = resources::read(&PackageScene::of(ctx, world), uri)?;
        let contents =
            |text| ResourceContents { uri: uri.to_string(), mime: "application/json".to_string(), text };
        Ok(text.map(contents))
    }

    fn changed_resources(&self, op: &Op) -> Vec<String> {
        resources::changed_by(&op.tool).iter().map(|uri| uri.to_string()).collect()
    }
}
