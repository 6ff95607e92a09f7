//! The definitions of a file: where each begins and ends, and in which others it stands.
//!
//! Found in one pass over the lines and kept with the file, however many refs lead to it: what a file holds is
//! written by others, and none of it may cost more than reading it.

use std::rc::Rc;

use super::super::model::LineRange;
use super::super::source::SourceFile;
use super::languages::{self, Language};

/// Deeper nesting is told from the inside out as far as this.
const DEEPEST: usize = 32;
/// What begins after so many others in one file is not known.
const MOST: usize = 200_000;

/// One definition. Its own name, and which one it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    outer: Option<usize>,
    /// From the line it begins in to its last one.
    pub lines: LineRange,
}

/// All of a file, in the order in which they begin.
#[derive(Debug, Default)]
pub struct Definitions(Vec<Definition>);

/// The definitions of a file as the ending of a path tells its language.
pub fn all(source: &SourceFile, path: &str) -> Rc<Definitions> {
    languages::of(path).map_or_else(Rc::default, |language| source.definitions(language, read))
}

/// One that is not closed yet: its place among the found, and how deep it stands.
struct Open {
    which: usize,
    depth: usize,
}

fn read(source: &SourceFile, language: &'static Language) -> Definitions {
    let mut found: Vec<Definition> = Vec::new();
    // From the outermost to the innermost; each deeper than the one before.
    let mut open: Vec<Open> = Vec::new();
    let mut last = 0;
    for (number, line) in source.numbered_lines() {
        let words = line.trim();
        if words.is_empty() {
            continue;
        }
        let (name, depth) = (language.definition(line), depth(language, line));
        while let Some(inner) = open.last() {
            let Some(end) = ends(language, inner.depth, number, last, (words, depth, name.is_some())) else {
                break;
            };
            found[inner.which].lines.end = end as u64;
            open.pop();
        }
        if let Some(name) = name.filter(|_| found.len() < MOST) {
            let (which, outer) = (found.len(), open.last().map(|o| o.which));
            let begins = number as u64;
            found.push(Definition { name, outer, lines: LineRange { start: begins, end: begins } });
            open.push(Open { which, depth });
        }
        last = number;
    }
    for rest in open {
        found[rest.which].lines.end = last as u64;
    }
    Definitions(found)
}

/// The last line of what stands at a depth, if this line says that it has ended; `last` is the one before that is
/// not blank. What begins goes on until the indentation comes back, a closing line included.
fn ends(
    language: &Language,
    at: usize,
    number: usize,
    last: usize,
    (words, depth, is_definition): (&str, usize, bool),
) -> Option<usize> {
    if language.headings {
        return (is_definition && depth <= at).then_some(last);
    }
    if depth != at {
        // Less deep: this line closes something around it.
        return (depth < at).then_some(last);
    }
    let closes = words.starts_with(['}', ')', ']']) || words == "end" || words.starts_with("end ");
    let goes_on = words.ends_with(['{', '(', '[', ',', ':']);
    match (closes || words == "{", goes_on) {
        (true, true) => None,
        (true, false) => Some(number),
        (false, _) => Some(last),
    }
}

impl Definitions {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Definition> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The names of a definition and of those around it, its own first.
    pub fn outward<'a>(&'a self, one: &'a Definition) -> impl Iterator<Item = &'a str> {
        let around = |d: &&'a Definition| d.outer.map(|which| &self.0[which]);
        std::iter::successors(Some(one), around).map(|d| d.name.as_str()).take(DEEPEST)
    }

    /// The same, outermost first.
    pub fn trail(&self, one: &Definition) -> Vec<String> {
        let mut names: Vec<String> = self.outward(one).map(str::to_string).collect();
        names.reverse();
        names
    }

    /// The definition that a range belongs to: the outermost one that begins in it, else the innermost around it.
    pub fn of_range(&self, range: LineRange) -> Option<&Definition> {
        let inside = |d: &&Definition| d.lines.start >= range.start && d.lines.start <= range.end;
        let around = |d: &&Definition| d.lines.start < range.start && d.lines.end >= range.start;
        let innermost = self.iter().rfind(around);
        let begins = self.iter().find(inside);
        match (begins, innermost) {
            // A definition further down in a range that starts in the middle of another is not what the range is about.
            (Some(own), Some(outer))
                if own.lines.end <= outer.lines.end && own.lines.start > range.start + 8 =>
            {
                Some(outer)
            }
            (Some(own), _) => Some(own),
            (None, outer) => outer,
        }
    }

    /// Has this one these names, outermost first?
    pub fn is_called(&self, one: &Definition, trail: &[String]) -> bool {
        self.outward(one).eq(trail.iter().rev().map(String::as_str))
    }
}

fn depth(language: &Language, line: &str) -> usize {
    if language.headings {
        return line.bytes().take_while(|b| *b == b'#').count();
    }
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let source = SourceFile::new(text.to_string());
        let all = all(&source, path);
        let show = |d: &Definition| format!("{} {}-{}", all.trail(d).join(" / "), d.lines.start, d.lines.end);
        all.iter().map(show).collect()
    }

    #[test]
    fn definitions_know_their_ends_and_what_is_around_them() {
        let rust = "use x;\n\nimpl Store {\n    fn open(\n        path: &Path,\n    ) -> Self {\n        go()\n    }\n\n    fn close(&self) {}\n}\n\nfn main() {\n    run();\n}\n";
        assert_eq!(
            found("a.rs", rust),
            ["impl Store 3-11", "impl Store / fn open 4-8", "impl Store / fn close 10-10", "fn main 13-15"]
        );
        let python = "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n\nx = 1\n";
        assert_eq!(found("a.py", python), ["class A 1-6", "class A / def f 2-3", "class A / def g 5-6"]);
        let c = "static int\nwalk(int n)\n{\n\treturn n;\n}\n";
        assert_eq!(found("a.c", c), Vec::<String>::new(), "a name alone in its line is no definition to us");
        let heads = "# One\ntext\n## Two\nmore\n# Three\n";
        assert_eq!(found("a.md", heads), ["# One 1-4", "# One / ## Two 3-4", "# Three 5-5"]);
    }

    #[test]
    fn a_range_belongs_to_what_begins_in_it_or_is_around_it() {
        let source =
            SourceFile::new("/// Opens.\nfn open() {\n    a();\n    b();\n}\nfn close() {\n}\n".to_string());
        let defs = all(&source, "a.rs");
        let name = |start, end| defs.of_range(LineRange { start, end }).map(|d| defs.trail(d).join("/"));
        assert_eq!(name(1, 5).as_deref(), Some("fn open"));
        assert_eq!(name(3, 4).as_deref(), Some("fn open"));
        assert_eq!(name(6, 7).as_deref(), Some("fn close"));
        assert_eq!(name(1, 1), None);
    }

    /// Every definition once held the names of all around it and looked for its end by itself: a file of 16 MB could
    /// be made to cost hours and all memory.
    #[test]
    fn a_file_of_nested_definitions_costs_no_more_than_its_lines() {
        let deep: String = (0..3_000).map(|n| format!("{}fn f{n}() {{\n", " ".repeat(n))).collect();
        let source = SourceFile::new(deep);
        let found = all(&source, "a.rs");
        assert_eq!(found.len(), 3_000);
        assert!(found.iter().all(|d| d.lines.end == 3_000));
        let inner = found.iter().next_back().unwrap();
        assert_eq!(
            found.trail(inner).first().map(String::as_str),
            Some("fn f2968"),
            "told from the inside out"
        );
        assert!(Rc::ptr_eq(&found, &all(&source, "b.rs")), "read once, however many ask");
        assert_eq!(all(&source, "a.md").len(), 0, "another name may mean another language");
    }

    #[test]
    fn the_names_around_decide_between_two_of_one_name() {
        let text = "impl A {\n    fn x() {\n    }\n}\nimpl B {\n    fn x() {\n    }\n}\n";
        let source = SourceFile::new(text.to_string());
        let found = all(&source, "a.rs");
        let at = |trail: &[&str]| {
            let trail: Vec<String> = trail.iter().map(|n| n.to_string()).collect();
            let called = found.iter().filter(|d| found.is_called(d, &trail));
            called.map(|d| d.lines.start).collect::<Vec<_>>()
        };
        assert_eq!(at(&["impl B", "fn x"]), [6]);
        assert_eq!(at(&["impl C", "fn x"]), Vec::<u64>::new(), "gone from where it was");
        assert_eq!(at(&["fn y"]), Vec::<u64>::new());
    }
}
