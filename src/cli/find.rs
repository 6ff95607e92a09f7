//! `packd find`: where is it? Words of titles, notes, paths and symbols, over everything kept for this project.

use super::args::FindArgs;
use super::view::found;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(args: &FindArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let kinds = Some(&args.kind).filter(|kinds| !kinds.is_empty());
    let request =
        ToolArgs::new().with("query", args.words.join(" ")).with("limit", args.limit).given("kinds", kinds);
    let told = Client::open(scope)?.must("find", request)?;
    render.long().view(&told, found::hits)
}
