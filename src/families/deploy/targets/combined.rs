//! Several instruction modules in one file: markers around each, so that an edit finds its way back.

use std::sync::Arc;

use super::{Materialized, OutputPart, OutputShape, TargetOutput};
use crate::families::deploy::tree::HashedContent;

const OPEN: &str = "<!-- agentpack:module=";
const CLOSE: &str = "<!-- /agentpack -->";
const FILE: &str = "AGENTS.md";

/// One module is copied as it is; from two on every section is marked.
pub fn combine(modules: &[&Materialized]) -> Option<TargetOutput> {
    let texts: Vec<(&Arc<str>, &HashedContent)> =
        modules.iter().filter_map(|m| m.tree.get(FILE).map(|f| (&m.id, &f.content))).collect();
    let part = |id: &Arc<str>| OutputPart { module_id: id.clone(), rel: FILE.into() };
    let parts = texts.iter().map(|(id, _)| part(id)).collect();
    match texts.as_slice() {
        [] => None,
        [(_, content)] => Some(TargetOutput {
            content: (*content).clone(),
            exec: false,
            shape: OutputShape::Verbatim,
            parts,
        }),
        many => {
            let sections: Vec<String> = many
                .iter()
                .map(|(id, content)| {
                    // Modules were checked to be UTF-8 when they were materialised.
                    let text = content.text().unwrap_or_default();
                    let newline = if text.ends_with('\n') { "" } else { "\n" };
                    format!("{OPEN}{id} -->\n{text}{newline}{CLOSE}")
                })
                .collect();
            let content = HashedContent::new(sections.join("\n\n---\n\n").into_bytes());
            Some(TargetOutput { content, exec: false, shape: OutputShape::Combined, parts })
        }
    }
}

/// The marked sections of a combined file, or `None` if the markers cannot be trusted.
pub fn sections(text: &str) -> Option<Vec<(String, String)>> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if let Some(id) = bare.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(" -->")) {
            if open.is_some() || out.iter().any(|(known, _)| known == id) {
                return None;
            }
            open = Some((id.to_string(), String::new()));
        } else if bare == CLOSE {
            out.push(open.take()?);
        } else if let Some((_, body)) = &mut open {
            body.push_str(line);
        }
    }
    (open.is_none() && !out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back_and_broken_markers_are_not_trusted() {
        let text = format!("{OPEN}a -->\none\n{CLOSE}\n\n---\n\n{OPEN}b -->\ntwo\n{CLOSE}");
        let found = sections(&text).unwrap();
        assert_eq!(found, vec![("a".into(), "one\n".into()), ("b".into(), "two\n".into())]);
        assert_eq!(sections(&text.replace(CLOSE, "")), None, "unterminated");
        assert_eq!(sections(&text.replace("module=b", "module=a")), None, "twice");
        assert_eq!(sections("plain"), None);
    }
}
