//! No hint on a terminal names a tool: every text the families, the engine and the store can say is said to a person.

use std::path::Path;

use packd::cli::view::people::plain;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The string literals of a source file, up to its own tests, with the line each begins on.
fn literals(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut out = Vec::new();
    let mut chars = code.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                chars.by_ref().take_while(|c| *c != '\n').for_each(drop);
            }
            // A character, not the beginning of a text.
            '\'' if chars.peek() == Some(&'"') => {
                chars.next();
            }
            '"' if before == '#' => {
                let mut literal = String::new();
                while let Some(c) = chars.next() {
                    if c == '"' && chars.peek() == Some(&'#') {
                        break;
                    }
                    literal.push(c);
                }
                out.push(literal);
            }
            '"' => {
                let mut literal = String::new();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => match chars.next() {
                            Some('n') => literal.push('\n'),
                            // A text that goes on in the next line.
                            Some('\n') => {
                                while chars.peek().is_some_and(|c| c.is_whitespace()) {
                                    chars.next();
                                }
                            }
                            Some(c) => literal.push(c),
                            None => break,
                        },
                        c => literal.push(c),
                    }
                }
                out.push(literal);
            }
            _ => {}
        }
        before = c;
    }
    out
}

fn sources(dir: &Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Names that only a program can use.
fn names() -> Vec<String> {
    let tools = packd::daemon::assemble::declared().unwrap();
    let mut names: Vec<String> = tools.into_iter().map(|t| t.name).filter(|n| n.contains('_')).collect();
    names.extend(["focus_set", "close_step", "templates_list", "include_all", "[AAM_"].map(str::to_string));
    names
}

#[test]
fn every_sentence_a_family_can_say_names_no_tool_to_a_person() {
    let mut files = Vec::new();
    for part in ["src/families", "src/engine", "src/core", "src/store"] {
        sources(&Path::new(ROOT).join(part), &mut files);
    }
    let names = names();
    let mut sentences = 0;
    let mut wrong = Vec::new();
    for literal in files.iter().flat_map(|text| literals(text)) {
        // Words, not a key or the name of a tool in a table.
        let is_sentence = literal.contains(' ');
        let speaks = names.iter().any(|name| literal.contains(name.as_str()));
        // What a program gets to call next is never shown to a person.
        if !is_sentence || !speaks || literal.contains("[amof_confirm token=") {
            continue;
        }
        sentences += 1;
        let told = plain(&literal);
        if names.iter().any(|name| told.contains(name.as_str())) {
            wrong.push(format!("{literal:?} is told as {told:?}"));
        }
    }
    assert!(sentences > 40, "only {sentences} sentences that name a tool were found: the walk is broken");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_that_is_named_instead_of_a_tool_exists() {
    use clap::Parser;
    let mut named = 0;
    for tool in names() {
        let Some(command) = packd::cli::view::people::command(&tool) else { continue };
        named += 1;
        // It can be typed as it stands; words in capitals are the person's own.
        if let Err(e) = packd::cli::Cli::try_parse_from(command.split(' ')) {
            panic!("{tool}: `{command}` cannot be typed:\n{e}");
        }
    }
    assert!(named > 60, "{named}");
}
