//! Choosing the lines of a ref by what stands there: the name of a definition, or a text that occurs once.

use super::super::errors::invalid;
use super::super::model::LineRange;
use super::super::source::SourceFile;
use super::definitions::{self, Definition, Definitions};
use crate::core::{Error, Result};

/// How many candidates an error lists.
const LISTED: usize = 8;

/// The definition called so: `open`, `fn open`, `Store::open`, `impl Store / fn open`.
pub fn symbol(source: &SourceFile, path: &str, wanted: &str) -> Result<LineRange> {
    let all = definitions::all(source, path);
    let parts: Vec<&str> = wanted
        .split(['/', '.'])
        .flat_map(|p| p.split("::"))
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect();
    let fits = |d: &&Definition| {
        let mut names = all.outward(d);
        let mut parts = parts.iter().rev();
        let own = parts.next().zip(names.next()).is_some_and(|(part, name)| is_called(name, part));
        own && parts.all(|part| names.any(|name| is_called(name, part)))
    };
    let found: Vec<&Definition> = all.iter().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok(one.lines),
        [] => Err(no_symbol(&all, path, wanted)),
        several => {
            let list =
                several.iter().map(|d| format!("{} (line {})", all.trail(d).join(" / "), d.lines.start));
            let list: Vec<String> = list.take(LISTED).collect();
            Err(invalid(format!(
                "'symbol' '{wanted}' is in '{path}' {} times: {}",
                several.len(),
                list.join(", ")
            ))
            .hint("Name what is around it, too, as in the list."))
        }
    }
}

fn is_called(name: &str, part: &str) -> bool {
    let bare = name.rsplit(' ').next().unwrap_or(name);
    name == part || bare == part || bare.rsplit("::").next() == Some(part)
}

fn no_symbol(all: &Definitions, path: &str, wanted: &str) -> Error {
    let error = invalid(format!("'symbol' '{wanted}' is not defined in '{path}'"));
    if all.len() == 0 {
        return error.hint("No definition is known there; send line_start and line_end, or 'match'.");
    }
    let names: Vec<String> = all.iter().take(LISTED).map(|d| all.trail(d).join(" / ")).collect();
    let more = all.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    error.hint(format!("Defined there: {}{rest}.", names.join(", ")))
}

/// The lines a text stands in; it must occur exactly once.
pub fn matching(source: &SourceFile, path: &str, wanted: &str) -> Result<LineRange> {
    let wanted = wanted.trim_matches('\n');
    if wanted.trim().is_empty() {
        return Err(invalid("'match' must not be blank"));
    }
    let mut found = source.text().match_indices(wanted).map(|(at, _)| at);
    let Some(at) = found.next() else {
        return Err(invalid(format!("'match' is not in '{path}'"))
            .hint("Send the text exactly as it stands in the file, or line_start and line_end."));
    };
    let line_of = |at: usize| source.text()[..at].matches('\n').count() as u64 + 1;
    if let Some(again) = found.next() {
        let (first, second) = (line_of(at), line_of(again));
        return Err(invalid(format!("'match' is in '{path}' more than once (lines {first} and {second})"))
            .hint("Send more of the text around it."));
    }
    Ok(LineRange { start: line_of(at), end: line_of(at + wanted.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "impl Store {\n    fn open() {\n        a();\n    }\n}\n\nimpl Log {\n    fn open() {\n        b();\n    }\n}\n";

    #[test]
    fn a_definition_is_found_by_its_name_and_its_surroundings() {
        let source = SourceFile::new(TEXT.to_string());
        let at = |name: &str| symbol(&source, "a.rs", name).map(|l| (l.start, l.end)).map_err(|e| e.message);
        assert_eq!(at("Store::open"), Ok((2, 4)));
        assert_eq!(at("impl Log / fn open"), Ok((8, 10)));
        assert_eq!(at("impl Store"), Ok((1, 5)));
        assert!(
            at("open").unwrap_err().contains("2 times: impl Store / fn open (line 2), impl Log / fn open")
        );
        assert!(at("close").unwrap_err().contains("is not defined in 'a.rs'"));
    }

    #[test]
    fn a_text_is_found_if_it_occurs_once() {
        let source = SourceFile::new(TEXT.to_string());
        let at =
            |text: &str| matching(&source, "a.rs", text).map(|l| (l.start, l.end)).map_err(|e| e.message);
        assert_eq!(at("a();"), Ok((3, 3)));
        assert_eq!(at("a();\n    }\n}"), Ok((3, 5)));
        assert!(at("fn open").unwrap_err().contains("lines 2 and 8"));
        assert!(at("nowhere").unwrap_err().contains("is not in"));
    }
}
