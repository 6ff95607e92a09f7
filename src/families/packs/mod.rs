//! Context packs: bundles of anchors into source files, texts and diagrams, built with `input` and read with
//! `output`. The contract's names, codes and order of checks are kept to the byte.
//!
//! Packs belong to a space (a workspace or a declared root, see `rows`); the store keeps their revision.

mod actions;
mod anchors;
mod errors;
mod excerpt;
pub mod file;
mod findable;
mod gate;
mod life;
mod list;
pub mod mirror;
mod mirrored;
pub mod model;
mod offers;
mod pages;
mod picking;
mod purge;
mod render;
mod reply;
pub mod rows;
mod rules;
mod shape;
mod source;
mod standing;
mod store;
mod tools;

use serde_json::{Map, Value};

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::mirrored::Mirrored;
use crate::core::resource::{Prompt, Resource, ResourceContents, ResourceTemplate};
use crate::core::skills::{self, Skill};
use crate::core::standing::Standing;
use crate::core::{
    AnyTool, Ctx, Draft, Error, Family, Indexer, Look, Op, OpKind, Reply, Result, Table, TableShape,
    Timestamp, World,
};

#[derive(Default)]
pub struct Packs {
    late_anchors: anchors::late::SweptTo,
}

impl Family for Packs {
    fn name(&self) -> &'static str {
        "packs"
    }

    fn finder(&self) -> Option<crate::core::findable::Finder> {
        Some(findable::label)
    }

    fn findable(&self, ctx: &Ctx) -> Option<crate::core::findable::Findable> {
        Some(findable::of(ctx))
    }

    fn standing(&self, look: &Look) -> Result<Standing> {
        standing::of(look)
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn tables(&self) -> &'static [Table] {
        &[rows::PACKS, mirror::SYNCED, anchors::anchor::ANCHORS, anchors::anchor::LATE_ANCHORS]
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn mirrored(&self) -> Option<&dyn Mirrored> {
        Some(&mirrored::PackFiles)
    }

    fn shapes(&self) -> &'static [TableShape] {
        &shape::SHAPES
    }

    fn indexers(&self) -> Vec<Indexer> {
        vec![rows::entries]
    }

    fn skills(&self) -> &'static [&'static Skill] {
        &[&skills::WRITE_A_CONTEXT_PACK]
    }

    fn variables(&self) -> &'static [&'static str] {
        &["CONTEXT_PACK_*"]
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn resources(
        &self,
        ctx: &Ctx,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        offers::resources(ctx, cursor, limit)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        offers::templates()
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<ResourceContents>> {
        offers::read(ctx, world, uri)
    }

    fn changed_resources(&self, op: &Op) -> Vec<String> {
        offers::changed(op)
    }

    fn prompts(&self) -> Vec<Prompt> {
        offers::prompts()
    }

    fn prompt(&self, _ctx: &Ctx, name: &str, args: &Map<String, Value>) -> Result<Option<String>> {
        offers::prompt(name, args)
    }

    fn complete(&self, ctx: &Ctx, reference: &str, argument: &str, typed: &str) -> Result<Vec<String>> {
        offers::complete(ctx, reference, argument, typed)
    }

    fn sweep(&self, ctx: &Ctx) -> Result<Vec<Sweep>> {
        let mut pieces = purge::sweep(ctx)?;
        pieces.extend(anchors::late::sweep(ctx, &self.late_anchors)?);
        Ok(pieces)
    }

    fn check_restore(&self, _kind: &OpKind, draft: &Draft, now: Timestamp) -> Result<()> {
        purge::check_restore(draft, now)
    }

    fn revive(&self, table: &str, value: Vec<u8>, now: Timestamp) -> Result<Vec<u8>> {
        if table == rows::PACKS.0 { purge::revive(value, now) } else { Ok(value) }
    }
}
