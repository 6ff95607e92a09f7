//! Operations as people see them: one line each, newest first, with the shortest id that is enough.

use serde::Deserialize;

use super::place;
use super::render::{Ink, Render};
use super::text::{shorten, visible};

/// The client name of this program.
pub use crate::core::call::CLI_CLIENT as OWN_CLIENT;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct OpView {
    pub operation_id: String,
    pub time: String,
    pub family: String,
    pub tool: String,
    pub summary: String,
    pub who: WhoView,
    pub workspace: String,
    pub kind: String,
    pub status: String,
    pub undoable: bool,
    pub not_undoable_because: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct WhoView {
    pub client: String,
    pub session: String,
    /// The work tree they were in, where several share the project.
    pub tree: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HistoryView {
    pub operations: Vec<OpView>,
    pub next_before: Option<String>,
}

/// Calls by what they do, where a summary begins with the call.
const VERBS: &[(&str, &str)] = &[
    ("create", "Made"),
    ("close_step", "Closed step of"),
    ("close_task", "Closed"),
    ("complete", "Set the status of"),
    ("done", "Finished step of"),
    ("progress", "Set progress of"),
    ("note", "Noted on"),
    ("verify", "Confirmed"),
    ("decompose", "Added steps to"),
    ("define", "Defined a step of"),
    ("task_add", "Added a node to"),
    ("task_define", "Defined a node of"),
    ("task_delete", "Removed a node of"),
    ("edit", "Edited"),
    ("patch", "Edited"),
    ("contract", "Set the contract of"),
    ("plan", "Set the plan of"),
    ("block", "Blocked a step of"),
    ("evidence_capture", "Kept evidence for"),
    ("delete", "Deleted"),
    ("scaffold", "Made from a template"),
    ("batch", "Changed together"),
    ("storage", "Took in"),
    ("focus_set", "Focused"),
    ("focus_clear", "Cleared the focus"),
    ("upsert_section", "Wrote a section of"),
    ("delete_section", "Removed a section of"),
    ("upsert_ref", "Wrote a ref of"),
    ("delete_ref", "Removed a ref of"),
    ("upsert_diagram", "Wrote a diagram of"),
    ("delete_diagram", "Removed a diagram of"),
    ("set_meta", "Renamed or described"),
    ("set_status", "Set the status of"),
    ("touch_ttl", "Kept for longer"),
    ("import", "Took in"),
    ("reanchor", "Repaired the refs of"),
    ("write", "Wrote"),
];

/// Columns below which words about an operation say nothing.
const LEAST: usize = 24;

/// The last eight characters are random; what put back a failed operation says so behind them.
const SHORT: usize = 8;
const BACK: &str = "-back";

/// An id as it is shown where nothing else has the same end.
pub fn short(id: &str) -> &str {
    tail(id, SHORT)
}

fn tail(id: &str, n: usize) -> &str {
    let end = id.strip_suffix(BACK).map_or(id.len(), str::len);
    let from = id[..end].char_indices().rev().nth(n.saturating_sub(1)).map_or(0, |(at, _)| at);
    &id[from..]
}

/// A sentence of a reply whose operations are called as `packd history` calls them.
pub fn named(text: &str) -> String {
    let one = |word: &str| {
        let begin = word.len() - word.trim_start_matches(['(', '\'', '`']).len();
        let end = word.trim_end_matches(['.', ',', ';', ':', ')', '\'', '`']).len();
        match word.get(begin..end).filter(|id| is_id(id)) {
            Some(id) => format!("{}{}{}", &word[..begin], short(id), &word[end..]),
            None => word.to_string(),
        }
    };
    text.split(' ').map(one).collect::<Vec<_>>().join(" ")
}

fn is_id(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The shortest ends that tell these apart, eight characters at least.
pub fn shorts(ids: &[&str]) -> Vec<String> {
    let mut n = SHORT;
    loop {
        let cut: Vec<&str> = ids.iter().map(|id| tail(id, n)).collect();
        let mut sorted = cut.clone();
        sorted.sort_unstable();
        let unique = sorted.windows(2).all(|two| two[0] != two[1]);
        if unique || n >= 36 {
            return cut.into_iter().map(str::to_string).collect();
        }
        n += 1;
    }
}

impl OpView {
    pub fn short(&self) -> &str {
        short(&self.operation_id)
    }

    /// Who did it; the person at a terminal is "you".
    pub fn by(&self) -> &str {
        called(&self.who.client)
    }

    /// What was done, in words of people: the families of packs and tasks name the call they got.
    pub fn said(&self) -> String {
        let (lead, rest) = ["Undid: ", "Redid: ", "Reverted: "]
            .iter()
            .find_map(|lead| Some((*lead, self.summary.strip_prefix(lead)?)))
            .unwrap_or(("", &self.summary));
        let known = |verb: &str| VERBS.iter().find(|(name, _)| *name == verb).map(|(_, words)| *words);
        let said = match (self.family.as_str(), rest.split_once(" of pack "), rest.split_once(' ')) {
            ("packs", Some((verb, pack)), _) => {
                known(&verb.replace(' ', "_")).map(|w| format!("{w} pack {pack}"))
            }
            ("tasks", _, Some((verb, after))) => known(verb).map(|words| format!("{words} {after}")),
            ("tasks", _, None) => known(rest).map(str::to_string),
            _ => None,
        };
        let said = said.unwrap_or_else(|| rest.to_string());
        super::people::plain(format!("{lead}{said}").trim_end())
    }

    /// What one cannot see from its line: whether it still counts.
    pub fn state(&self) -> Option<(&'static str, Ink)> {
        match (self.status.as_str(), self.undoable) {
            ("undone", _) => Some(("undone", Ink::Dim)),
            ("pending", _) => Some(("under way", Ink::Yellow)),
            ("needs_attention", _) => Some(("needs attention", Ink::Red)),
            (_, false) if self.kind == "do" && !self.operation_id.is_empty() => Some(("final", Ink::Yellow)),
            _ => None,
        }
    }
}

/// What people call a client.
pub fn called(client: &str) -> &str {
    match client {
        OWN_CLIENT => "you",
        "" => "unnamed",
        other => other,
    }
}

/// One line an operation. With `projects`, each says where it was done.
pub fn lines(r: Render, ops: &[OpView], projects: bool) -> Vec<String> {
    let ids: Vec<&str> = ops.iter().map(|op| op.operation_id.as_str()).collect();
    let ids = shorts(&ids);
    let cells: Vec<[String; 4]> = ops
        .iter()
        .zip(ids)
        .map(|(op, id)| {
            let project = if projects { shorten(&last(&op.workspace), 20) } else { String::new() };
            [r.when(&op.time), id, shorten(op.by(), 16), project]
        })
        .collect();
    let wide = |c: usize| cells.iter().map(|row| visible(&row[c])).max().unwrap_or(0);
    let widths = [wide(0), wide(1), wide(2), wide(3)];
    let inks = [Ink::Cyan, Ink::Dim, Ink::Dim, Ink::Bold];
    let mut out = Vec::new();
    for (op, row) in ops.iter().zip(&cells) {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate().filter(|(c, _)| widths[*c] > 0) {
            line.push_str(&r.ink(inks[c], cell));
            line.push_str(&" ".repeat(widths[c] - visible(cell) + 2));
        }
        let state = op.state();
        let taken = state.map_or(0, |(word, _)| word.len() + 3);
        let mut room = r.width.saturating_sub(visible(&line) + taken);
        if room < LEAST {
            // On a narrow screen what was done gets a line of its own.
            out.push(line.trim_end().to_string());
            line = "  ".to_string();
            room = r.width.saturating_sub(2 + taken);
        }
        line.push_str(&shorten(&op.said(), room));
        if let Some((word, ink)) = state {
            line.push_str(&format!(" ({})", r.ink(ink, word)));
        }
        out.push(line);
    }
    out
}

fn last(workspace: &str) -> String {
    let name = place::project(workspace);
    name.rsplit('/').next().unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_as_short_as_they_can_be() {
        let (a, b) = ("019b7ca9-8c88-75c8-ad5c-60c09cf3157c", "019b7ca9-8c88-75c8-ad5c-61d09cf3157c");
        assert_eq!(short(a), "9cf3157c");
        assert_eq!(shorts(&[a]), ["9cf3157c"]);
        assert_eq!(shorts(&[a, b]), ["0c09cf3157c", "1d09cf3157c"].map(|s| s[1..].to_string()));
        assert_eq!(short("019b7ca9-8c88-75c8-ad5c-60c09cf3157c-back"), "9cf3157c-back");
        assert_eq!(short("é"), "é");
    }
}
