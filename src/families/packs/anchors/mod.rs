//! Anchors that follow the code: what a ref saw, found again after edits, moves and renames.
//!
//! A ref never shows as what it was made of when it is something else: it is found again (moved), has become
//! something else (changed), or is gone (lost), and says so.

pub mod anchor;
pub mod committed;
pub mod definitions;
mod elsewhere;
mod fingerprint;
mod known;
pub mod languages;
pub mod late;
pub mod memory;
pub mod pick;
mod renamed;
mod search;
pub mod verdict;

use std::path::Path;

use super::rows::{Found, space_of};
use crate::core::{Ctx, Result, World};

/// What a look at the refs of a pack starts from.
pub struct Sight {
    pub anchors: known::PackAnchors,
    pub root: std::path::PathBuf,
}

impl Sight {
    /// Two ways to the same directory are one root; one that is not there has no files to look at.
    pub fn root(ctx: &Ctx, world: &dyn World) -> std::path::PathBuf {
        let root = super::source::source_root(ctx.session);
        world.canonical(&root).ok().flatten().unwrap_or(root)
    }

    pub fn of(ctx: &Ctx, world: &dyn World, found: &Found) -> Result<Sight> {
        let root = Sight::root(ctx, world);
        let anchors = known::PackAnchors::of_pack(ctx.view, &space_of(ctx.session), &found.pack.id, &root)?;
        Ok(Sight { anchors, root })
    }

    pub fn judge<'a>(
        &'a self,
        ctx: &'a Ctx,
        world: &'a dyn World,
        memory: &'a memory::AnchorMemory,
        code: bool,
    ) -> verdict::Judge<'a> {
        let root: &Path = &self.root;
        let (view, session, anchors) = (ctx.view, ctx.session, &self.anchors);
        verdict::Judge { world, session, view, root, anchors, memory, now: ctx.now, code }
    }
}
