//! What was typed is not in the grammar: one sentence in our own form, and the command to type next.

use std::process::ExitCode;

use clap::error::ErrorKind;

use super::CommandFailure;
use super::view::render::{PrintWish, Render};

/// Says what is wrong and ends with 2; help and the version are asked for and are no mistake.
pub fn tell(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // A closed stdout is nobody's mistake.
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let render =
        Render::new(PrintWish { json: typed.iter().any(|word| word == "--json"), ..PrintWish::default() });
    let failure = failure(&error.to_string(), &typed);
    render.failure(&failure);
    ExitCode::from(failure.code)
}

fn failure(said: &str, typed: &[String]) -> CommandFailure {
    let (what, tip) = parts(said);
    let command = known(typed);
    let help = format!("`{command} --help` shows what it takes.");
    CommandFailure::usage(what).hint(match tip {
        Some(tip) => format!("{tip} {help}"),
        None => help,
    })
}

/// The words before the usage as one sentence, and the tip among them.
fn parts(said: &str) -> (String, Option<String>) {
    let body = said.split("\n\nUsage:").next().unwrap_or(said);
    let body = body.split("\n\nFor more information").next().unwrap_or(body);
    let (mut words, mut tip) = (Vec::new(), None);
    for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("tip: ") {
            Some(line) => tip = Some(sentence(line)),
            None => words.push(line.strip_prefix("error: ").unwrap_or(line)),
        }
    }
    let words: Vec<String> = words
        .into_iter()
        .map(|line| match line.strip_prefix("[possible values: ").and_then(|list| list.strip_suffix(']')) {
            Some(list) => format!("(known: {list})"),
            None => line.to_string(),
        })
        .collect();
    (sentence(&words.join(" ")), tip)
}

/// With a capital at its beginning and a stop at its end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// As much of what was typed as is a command.
fn known(typed: &[String]) -> String {
    use clap::CommandFactory;
    let mut at = super::Cli::command();
    let mut out = "packd".to_string();
    for word in typed.iter().filter(|word| !word.starts_with('-')) {
        let Some(next) = at.find_subcommand(word).cloned() else { break };
        out.push_str(&format!(" {word}"));
        at = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clap_says_becomes_one_sentence_and_a_command() {
        let said = "error: invalid value 'fast' for '[MODE]'\n  [possible values: ask, plan, execute]\n\nFor more information, try '--help'.\n";
        let failure = failure(said, &["mode".into(), "fast".into()]);
        assert_eq!(failure.message, "Invalid value 'fast' for '[MODE]' (known: ask, plan, execute).");
        assert_eq!(failure.hint.as_deref(), Some("`packd mode --help` shows what it takes."));
        assert_eq!(failure.code, 2);
    }

    #[test]
    fn a_tip_is_kept() {
        let said = "error: unrecognized subcommand 'histroy'\n\n  tip: a similar subcommand exists: 'history'\n\nUsage: packd [OPTIONS] [COMMAND]\n";
        let failure = failure(said, &["histroy".into()]);
        assert_eq!(failure.message, "Unrecognized subcommand 'histroy'.");
        let hint = failure.hint.unwrap();
        assert!(hint.starts_with("A similar subcommand exists: 'history'. `packd --help`"), "{hint}");
    }
}
