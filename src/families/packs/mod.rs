//! Context packs: bundles of anchors into source files, texts and diagrams, built with `input` and read with
//! `output`. The contract's names, codes and order of checks are kept to the byte.
//!
//! Packs belong to a space (a workspace or a declared root, see `shelf`); the store keeps their revision.

mod anchors;
mod args;
mod check;
mod edit;
mod errors;
mod excerpt;
mod faults;
pub mod file;
mod gate;
mod input;
mod life;
mod list;
pub mod mirror;
pub mod model;
mod offers;
mod output;
mod pages;
mod picking;
pub mod purge;
mod render;
mod row_shape;
mod rules;
pub mod shelf;
mod source;
mod wanted;
mod write;

use serde_json::{Map, Value};

use crate::core::ctx::{ErrorCtx, Explanation, Gathered, Sweep};
use crate::core::resource::{Contents, Prompt, Resource, Template};
use crate::core::{
    Call, Ctx, Draft, Error, Family, Indexer, Op, OpKind, Outcome, Reply, Result, SessionInfo, Table,
    TableShape, Timestamp, World,
};

#[derive(Default)]
pub struct Packs {
    memory: anchors::memory::Memory,
    pages: pages::Pages,
    late: anchors::late::Mark,
}

/// What a preparation hands to the call.
enum Prepared {
    Rendered(Result<output::Read>),
    Inspected(gate::Inspection),
    /// What is where new refs will point, in their order.
    Looked(Vec<picking::Looked>),
    /// The call will fail before it needs anything.
    Nothing,
}

impl Family for Packs {
    fn name(&self) -> &'static str {
        "packs"
    }

    fn tables(&self) -> &'static [Table] {
        &[shelf::PACKS, mirror::SYNCED, anchors::anchor::ANCHORS, anchors::anchor::LATE_ANCHORS]
    }

    fn shapes(&self) -> &'static [TableShape] {
        &row_shape::SHAPES
    }

    fn indexers(&self) -> Vec<Indexer> {
        vec![shelf::entries]
    }

    fn wants_world(&self, call: &Call, _session: &SessionInfo) -> bool {
        match call.tool.as_str() {
            "output" => output::renders(call),
            "input" => input::reads_sources(call),
            _ => false,
        }
    }

    /// A query looks at every pack of the index, and a long page at many.
    fn scans(&self, call: &Call) -> bool {
        call.text("query").is_some() || call.number("limit").is_some_and(|n| n > 100)
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let prepared = match ctx.call.tool.as_str() {
            "output" if output::renders(ctx.call) => {
                Prepared::Rendered(output::rendered(ctx, world, &self.memory, &self.pages))
            }
            "input" => input::prepare(ctx, world, &self.memory)?,
            _ => Prepared::Nothing,
        };
        Ok(Box::new(prepared))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        match ctx.call.tool.as_str() {
            "input" => input::call(ctx),
            "output" if output::renders(ctx.call) => match ctx.prepared::<Prepared>()? {
                Prepared::Rendered(read) => {
                    let read = read.as_ref().map_err(Clone::clone)?;
                    let learnt = anchors::late::learnt(ctx, &read.gained)?;
                    Ok(Outcome { reply: read.take(), ..learnt })
                }
                _ => Err(Error::internal("output was called without its rendering.")),
            },
            "output" => output::call(ctx).map(Outcome::reply),
            mirror::TOOL => mirror::take_in(ctx),
            mirror::SYNCED_TOOL => mirror::note_synced(ctx),
            other => Err(errors::not_found(format!("tool '{other}'"))),
        }
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        errors::render(error, ctx)
    }

    fn explain(&self, ctx: &Ctx) -> Explanation {
        input::explain(ctx)
    }

    fn resources(
        &self,
        ctx: &Ctx,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        offers::resources(ctx, cursor, limit)
    }

    fn templates(&self) -> Vec<Template> {
        offers::templates()
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<Contents>> {
        offers::read(ctx, world, &self.memory, uri)
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
        pieces.extend(anchors::late::sweep(ctx, &self.late)?);
        Ok(pieces)
    }

    fn check_restore(&self, _kind: &OpKind, draft: &Draft, now: Timestamp) -> Result<()> {
        purge::check_restore(draft, now)
    }

    fn revive(&self, table: &str, value: Vec<u8>, now: Timestamp) -> Result<Vec<u8>> {
        if table == shelf::PACKS.0 { purge::revive(value, now) } else { Ok(value) }
    }
}
