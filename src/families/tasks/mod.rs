//! Tasks: plans, tasks and steps with checkpoints and evidence, as one intent API (`tasks_<intent>`).
//!
//! A tool is a file in `tools`. A call goes `intent` → `pipeline` → the tool's `answer` → the envelope of `answer`.
//! Answers write into one draft of a `request`; a batch is one draft and therefore one operation. What to do next is a
//! pure function of a `scene` (`runway`, `step_action`). Knows no other family and nothing of how a reply is sent.

mod address;
mod answer;
mod args;
mod artifact;
mod auto;
mod body;
mod budget;
mod checkpoints;
pub mod claims;
mod closing;
mod contract;
mod deps;
mod errors;
mod evidence;
mod fields;
pub mod file;
mod findable;
mod finishing;
mod focus;
mod gates;
mod head;
mod intent;
mod links;
mod lint;
mod log;
pub mod model;
mod named;
mod notes;
mod offers;
mod pages;
mod parents;
mod patch;
mod path;
mod pipeline;
mod radar;
mod record;
mod rehearsal;
mod reply;
mod request;
mod restored;
mod rows;
mod runway;
mod scene;
mod shape;
mod standing;
mod state;
mod step_action;
mod suggest;
mod target;
mod templates;
mod tools;
mod tree;
mod undoing;
mod verification;
mod worklist;

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::findable::Searchable;
use crate::core::resource::Offers;
use crate::core::restored::Restored;
use crate::core::skills::{self, Skill};
use crate::core::standing::Standing;
use crate::core::{AnyTool, Ctx, Error, Family, Indexer, Look, Reply, Result, Table, TableShape};

pub use tools::TOOLS;

pub const FAMILY: &str = "tasks";

pub struct Tasks;

impl Family for Tasks {
    fn name(&self) -> &'static str {
        FAMILY
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(findable::SEARCHABLE)
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        TOOLS
    }

    fn in_hand(&self, ctx: &Ctx) -> Result<Option<String>> {
        claims::in_hand(ctx)
    }

    fn at_stop(&self, ctx: &Ctx, changed: Option<u64>) -> Result<Option<String>> {
        claims::at_stop(ctx, changed)
    }

    fn skills(&self) -> &'static [&'static Skill] {
        &[&skills::WORK_ON_A_TASK]
    }

    fn tables(&self) -> &'static [Table] {
        &rows::TABLES
    }

    fn fleeting(&self) -> &'static [Table] {
        &[claims::CLAIMS]
    }

    fn indexers(&self) -> Vec<Indexer> {
        vec![rows::indexer]
    }

    fn shapes(&self) -> &'static [TableShape] {
        &shape::SHAPES
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn variables(&self) -> &'static [&'static str] {
        &auto::CI_RUN
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        Reply::of(&answer::of_error(intent::intent_of(ctx.tool), error, ctx.now)).error()
    }

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::TaskOffers)
    }

    fn restored(&self) -> Option<&dyn Restored> {
        Some(&restored::TasksBack)
    }

    fn standing(&self, look: &Look) -> Result<Standing> {
        standing::of(look)
    }

    fn sweep(&self, ctx: &Ctx, _in_project: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
        claims::sweep(ctx)
    }
}
