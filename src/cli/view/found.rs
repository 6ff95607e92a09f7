//! What was found, and the command that opens each of it.

use serde::Deserialize;

use super::op;
use super::people::plain;
use super::render::Render;
use super::table::TextTable;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Hits {
    hits: Vec<Hit>,
    found: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Hit {
    kind: String,
    id: String,
    title: String,
}

impl Hit {
    fn command(&self) -> String {
        let id = &self.id;
        match self.kind.as_str() {
            "packs" => format!("packd pack show {id}"),
            "tasks" => format!("packd task show {id}"),
            "packages" => format!("packd pkg info {id}"),
            "ecosystems" => format!("packd eco status {id}"),
            _ => format!("packd show {}", op::short(id)),
        }
    }
}

pub fn hits(r: Render, found: Hits) {
    if found.hits.is_empty() {
        r.line("Nothing here has all of these words.");
        r.hint("Fewer words find more; `packd history` lists what was done.");
        return;
    }
    let mut table = TextTable::new(&["OPEN IT WITH", "WHAT"]).fluid(1);
    found.hits.iter().for_each(|hit| table.row([hit.command(), plain(&hit.title)]));
    table.print(r);
    if let Some(all) = found.found {
        r.hint(format!("{} of {all} are shown; `--limit 100` shows more.", found.hits.len()));
    }
}
