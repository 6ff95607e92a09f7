//! Paths of fields inside a row: `sections[entry].refs[handler].why`.
//!
//! Field names stand as they are; in brackets stands the element's own identity. What would end a name is escaped
//! with `\`, and an empty name is `\0`.

/// One step down: a field, and the element of it that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub field: String,
    pub element: Option<String>,
}

/// `None` for a text that is no path. The empty path is the whole row.
pub fn parse(path: &str) -> Option<Vec<Segment>> {
    let mut out = Vec::new();
    let mut chars = path.chars().peekable();
    while chars.peek().is_some() {
        let mut field = String::new();
        let mut named = false;
        while let Some(c) = chars.next_if(|c| *c != '.' && *c != '[') {
            named = true;
            match c {
                '\\' => match chars.next()? {
                    '0' => {}
                    c => field.push(c),
                },
                c => field.push(c),
            }
        }
        let mut element = None;
        if chars.next_if_eq(&'[').is_some() {
            let mut id = String::new();
            loop {
                match chars.next()? {
                    ']' => break,
                    '\\' => id.push(chars.next()?),
                    c => id.push(c),
                }
            }
            element = Some(id);
        }
        if !named || (chars.peek().is_some() && chars.next() != Some('.')) {
            return None;
        }
        out.push(Segment { field, element });
    }
    Some(out)
}

/// A field below a prefix, which is empty or ends with a dot.
pub fn field(prefix: &str, name: &str) -> String {
    let mut out = prefix.to_string();
    if name.is_empty() {
        out.push_str("\\0");
    }
    for c in name.chars() {
        if matches!(c, '.' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// An element of the list at a path.
pub fn element(list: &str, id: &str) -> String {
    let mut out = format!("{list}[");
    for c in id.chars() {
        if c == ']' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(']');
    out
}

/// Is this path the wanted one, or below it? A wanted path ends where a name ends.
pub fn within(path: &str, wanted: &str) -> bool {
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_whatever_an_element_is_called() {
        for id in ["a", "STEP-1A2B", "a]b", "back\\slash", "dots.and[brackets]", "", "ü"] {
            let path = format!("{}.why", element("sections", id));
            let parsed = parse(&path).unwrap();
            assert_eq!(parsed.len(), 2, "{path}");
            assert_eq!(parsed[0], Segment { field: "sections".into(), element: Some(id.into()) });
            assert_eq!(parsed[1].field, "why");
            let path = format!("{}.why", field("", id));
            assert_eq!(parse(&path).unwrap()[0].field, id, "{path}");
        }
        assert_eq!(parse(""), Some(Vec::new()));
        for wrong in ["a[b", ".a", "a..b", "[a]", "a[b]c"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn within_ends_at_names() {
        assert!(within("steps[A].notes", "steps") && within("steps[A].notes", "steps[A]"));
        assert!(within("title", "title") && !within("title_x", "title") && !within("steps", "steps[A]"));
    }
}
