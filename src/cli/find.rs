//! `packd find`: where is it? Words of titles, notes, paths and symbols, over everything kept for this project.

use serde_json::json;

use super::args::FindArgs;
use super::view::found;
use super::view::render::Render;
use super::{Client, Failure, Scope};

pub fn run(args: &FindArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut request = json!({"query": args.words.join(" "), "limit": args.limit});
    if !args.kind.is_empty() {
        request["kinds"] = json!(args.kind);
    }
    let told = Client::open(scope)?.must("find", request)?;
    render.long().view(&told, found::hits)
}
