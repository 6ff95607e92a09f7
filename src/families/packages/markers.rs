//! Sections of shared files (CLAUDE.md, AGENTS.md) between two marker lines. Pure text.
//!
//! Text outside a section is never changed, except for the blank line that separates sections.

/// What identifies a section: `<name> <kind>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker(pub String);

impl Marker {
    pub fn new(name: &str, kind: &str) -> Marker {
        Marker(format!("{name} {kind}"))
    }

    fn begin(&self) -> String {
        format!("<!-- BEGIN AAM: {} -->", self.0)
    }

    fn end(&self) -> String {
        format!("<!-- END AAM: {} -->", self.0)
    }
}

/// Content that contains a marker line would cut a section in two.
pub fn is_safe(content: &str) -> bool {
    !content.contains("<!-- BEGIN AAM:") && !content.contains("<!-- END AAM:")
}

/// Byte range of a section with its markers: the first BEGIN line and the first END line after it.
fn span(text: &str, marker: &Marker) -> Option<(usize, usize)> {
    let line_at = |needle: &str, from: usize| {
        text[from..].match_indices(needle).map(|(i, _)| from + i).find(|i| {
            (*i == 0 || text.as_bytes()[i - 1] == b'\n')
                && matches!(text.as_bytes().get(i + needle.len()), None | Some(b'\n' | b'\r'))
        })
    };
    let begin = line_at(&marker.begin(), 0)?;
    let end = line_at(&marker.end(), begin)?;
    Some((begin, end + marker.end().len()))
}

/// The text between the markers.
pub fn content<'a>(text: &'a str, marker: &Marker) -> Option<&'a str> {
    let (begin, end) = span(text, marker)?;
    let inner = &text[begin + marker.begin().len()..end - marker.end().len()];
    Some(inner.trim_matches(['\n', '\r']))
}

/// The text with the section put in or exchanged.
pub fn put(text: &str, marker: &Marker, content: &str) -> String {
    let block = format!("{}\n{}\n{}", marker.begin(), content.trim_matches(['\n', '\r']), marker.end());
    match span(text, marker) {
        Some((begin, end)) => format!("{}{block}{}", &text[..begin], &text[end..]),
        None if text.trim().is_empty() => format!("{block}\n"),
        None => format!("{}\n\n{block}\n", text.trim_end_matches(['\n', '\r'])),
    }
}

/// The text without the section; `None` = nothing else was in the file.
pub fn remove(text: &str, marker: &Marker) -> Option<String> {
    let Some((begin, end)) = span(text, marker) else { return Some(text.to_string()) };
    let (before, after) = (&text[..begin], text[end..].trim_start_matches(['\n', '\r']));
    let before = before.trim_end_matches(['\n', '\r']);
    match (before.trim().is_empty(), after.trim().is_empty()) {
        (true, true) => None,
        (true, false) => Some(after.to_string()),
        (false, true) => Some(format!("{before}\n")),
        (false, false) => Some(format!("{before}\n\n{after}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_change_and_go_and_the_rest_stays() {
        let (a, b) = (Marker::new("a", "instruction"), Marker::new("a", "agent"));
        let one = put("# Mine\n\n", &a, "rule\n");
        assert_eq!(
            one,
            "# Mine\n\n<!-- BEGIN AAM: a instruction -->\nrule\n<!-- END AAM: a instruction -->\n"
        );
        let two = put(&one, &b, "prompt");
        assert_eq!((content(&two, &a), content(&two, &b)), (Some("rule"), Some("prompt")));
        let changed = put(&two, &a, "new");
        assert_eq!(content(&changed, &b), Some("prompt"));
        assert_eq!(remove(&changed, &b).unwrap(), one.replace("rule", "new"));
        assert_eq!(remove(&one, &a).as_deref(), Some("# Mine\n"));
        assert_eq!(remove(&put("", &a, "x"), &a), None, "a file that held nothing else goes");
    }

    #[test]
    fn markers_in_the_wrong_order_or_inside_a_line_are_not_markers() {
        let a = Marker::new("a", "agent");
        let text = "<!-- END AAM: a agent -->\nmine\n<!-- BEGIN AAM: a agent -->\nmine too\n";
        assert_eq!(content(text, &a), None);
        assert_eq!(remove(text, &a).as_deref(), Some(text));
        let quoted = "see `<!-- BEGIN AAM: a agent -->` and `<!-- END AAM: a agent -->`\n";
        assert!(put(quoted, &a, "x").starts_with(quoted));
        assert!(!is_safe("x\n<!-- END AAM: a agent -->"));
    }
}
