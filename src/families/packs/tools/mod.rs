//! One file per tool, and the one list of them. The last two are the daemon's own: no client sees or calls them.

pub mod input;
pub mod mirrored;
pub mod output;
pub mod packs_at;
pub mod take_in;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[
    &input::PacksInput,
    &output::PacksOutput,
    &packs_at::PacksAt,
    &take_in::TakeIn,
    &mirrored::PacksMirrored,
];
