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
mod restored;
pub mod rows;
mod rules;
mod shape;
mod source;
mod standing;
mod store;
mod tools;

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::findable::Searchable;
use crate::core::mirrored::Mirrored;
use crate::core::resource::Offers;
use crate::core::restored::Restored;
use crate::core::skills::{self, Skill};
use crate::core::standing::Standing;
use crate::core::{AnyTool, Ctx, Error, Family, Indexer, Look, Reply, Result, Table, TableShape};

#[derive(Default)]
pub struct Packs {
    late_anchors: anchors::late::SweptTo,
}

impl Family for Packs {
    fn name(&self) -> &'static str {
        "packs"
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(findable::SEARCHABLE)
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

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::PackOffers)
    }

    fn restored(&self) -> Option<&dyn Restored> {
        Some(&restored::PacksBack)
    }

    fn sweep(&self, ctx: &Ctx, in_project: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
        let mut pieces = purge::sweep(ctx, in_project)?;
        pieces.extend(anchors::late::sweep(ctx, &self.late_anchors)?);
        Ok(pieces)
    }
}
