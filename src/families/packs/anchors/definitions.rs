//! The definitions of a file: where each begins and ends, and in which others it stands.

use super::super::model::Lines;
use super::super::source::Source;
use super::languages::{self, Language};

/// One definition: its name inside the names around it, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub trail: Vec<String>,
    /// From the line it begins in to its last one.
    pub lines: Lines,
}

/// The definitions of a file, in the order in which they begin.
pub fn all<'a>(source: &'a Source, path: &str) -> &'a [Definition] {
    source.defined.get_or_init(|| found(source, path))
}

fn found(source: &Source, path: &str) -> Vec<Definition> {
    let Some(language) = languages::of(path) else { return Vec::new() };
    let mut around: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for (number, line) in source.numbered_lines() {
        let Some(name) = language.definition(line) else { continue };
        let end = end_of(source, language, number, depth(language, line));
        around.retain(|(outer_end, _)| *outer_end >= number);
        around.push((end, name));
        let trail = around.iter().map(|(_, name)| name.clone()).collect();
        found.push(Definition { trail, lines: Lines { start: number as u64, end: end as u64 } });
    }
    found
}

/// The definition that a range belongs to: the outermost one that begins in it, else the innermost around it.
pub fn of_range(all: &[Definition], range: Lines) -> Option<&Definition> {
    let inside = |d: &&Definition| d.lines.start >= range.start && d.lines.start <= range.end;
    let around = |d: &&Definition| d.lines.start < range.start && d.lines.end >= range.start;
    let innermost = all.iter().rfind(around);
    let begins = all.iter().find(inside);
    match (begins, innermost) {
        // A definition further down in a range that starts in the middle of another is not what the range is about.
        (Some(own), Some(outer)) if own.lines.end <= outer.lines.end && own.lines.start > range.start + 8 => {
            Some(outer)
        }
        (Some(own), _) => Some(own),
        (None, outer) => outer,
    }
}

fn depth(language: &Language, line: &str) -> usize {
    if language.headings {
        return line.bytes().take_while(|b| *b == b'#').count();
    }
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The last line of what begins at `first`: up to where the indentation comes back, a closing line included.
fn end_of(source: &Source, language: &Language, first: usize, at: usize) -> usize {
    let mut last = first;
    let mut number = first;
    while let Some(line) = source.line(number + 1) {
        number += 1;
        let words = line.trim();
        if words.is_empty() {
            continue;
        }
        if language.headings {
            let level = depth(language, line);
            if level > 0 && level <= at && language.definition(line).is_some() {
                return last;
            }
        } else if depth(language, line) < at {
            // This line closes something around it.
            return last;
        } else if depth(language, line) == at {
            let closes = words.starts_with(['}', ')', ']']) || words == "end" || words.starts_with("end ");
            let goes_on = words.ends_with(['{', '(', '[', ',', ':']) || words == "{";
            match (closes || words == "{", goes_on) {
                (true, true) => {}
                (true, false) => return number,
                (false, _) => return last,
            }
        }
        last = number;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(text.to_string());
        let show = |d: &Definition| format!("{} {}-{}", d.trail.join(" / "), d.lines.start, d.lines.end);
        all(&source, path).iter().map(show).collect()
    }

    #[test]
    fn definitions_know_their_ends_and_what_is_around_them() {
        let rust = "use x;\n\nimpl Store {\n    fn open(\n        path: &Path,\n    ) -> Self {\n        go()\n    }\n\n    fn close(&self) {}\n}\n\nfn main() {\n    run();\n}\n";
        assert_eq!(
            shown("a.rs", rust),
            ["impl Store 3-11", "impl Store / fn open 4-8", "impl Store / fn close 10-10", "fn main 13-15"]
        );
        let python = "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n\nx = 1\n";
        assert_eq!(shown("a.py", python), ["class A 1-6", "class A / def f 2-3", "class A / def g 5-6"]);
        let c = "static int\nwalk(int n)\n{\n\treturn n;\n}\n";
        assert_eq!(shown("a.c", c), Vec::<String>::new(), "a name alone in its line is no definition to us");
        let heads = "# One\ntext\n## Two\nmore\n# Three\n";
        assert_eq!(shown("a.md", heads), ["# One 1-4", "# One / ## Two 3-4", "# Three 5-5"]);
    }

    #[test]
    fn a_range_belongs_to_what_begins_in_it_or_is_around_it() {
        let source =
            Source::new("/// Opens.\nfn open() {\n    a();\n    b();\n}\nfn close() {\n}\n".to_string());
        let defs = all(&source, "a.rs");
        let name = |start, end| of_range(&defs, Lines { start, end }).map(|d| d.trail.join("/"));
        assert_eq!(name(1, 5).as_deref(), Some("fn open"));
        assert_eq!(name(3, 4).as_deref(), Some("fn open"));
        assert_eq!(name(6, 7).as_deref(), Some("fn close"));
        assert_eq!(name(1, 1), None);
    }
}
