//! Which operation, run, session, pack or confirmation a few characters mean.
//!
//! Any head or tail that fits one thing only is enough; `@` is the newest operation, `@-` the one before it.

use serde_json::{Value, json};

use super::view::op::{self, OpView};
use super::{Client, CommandFailure, ToolArgs};

/// A page of the log when it is searched.
const PAGE: u64 = 500;
/// Candidates that are listed before a person types more.
const LISTED: usize = 6;
/// Shorter than this, almost anything fits.
const LEAST: usize = 4;

/// The operation a person means, as its full id. Its own project first, then every other.
pub fn operation(client: &mut Client, said: &str) -> Result<String, CommandFailure> {
    if let Some(back) = back(said) {
        return nth(client, back);
    }
    if is_whole(said) {
        return Ok(said.to_string());
    }
    if said.chars().count() < LEAST {
        return Err(CommandFailure::usage(format!("'{said}' is too short to tell operations apart."))
            .hint("Type four characters or more; `packd history` shows the ids."));
    }
    for everywhere in [false, true] {
        let mut found = Vec::new();
        each(client, ToolArgs::new().with("all_workspaces", everywhere), |op| {
            if fits(&op.operation_id, said) {
                found.push(op);
            }
            true
        })?;
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one.operation_id.clone()),
            several => {
                let lines = several.iter().map(|op| (op.operation_id.clone(), op.summary.clone()));
                return Err(ambiguous(said, "operations", lines.collect()));
            }
        }
    }
    Err(CommandFailure::refused(format!("No operation has an id that begins or ends with '{said}'."))
        .hint("`packd history` shows the ids, `packd history --all` those of every project."))
}

/// `@` is 0, `@-` 1, `@--` 2.
fn back(said: &str) -> Option<u64> {
    let rest = said.strip_prefix('@')?;
    rest.chars().all(|c| c == '-').then_some(rest.len() as u64)
}

fn nth(client: &mut Client, back: u64) -> Result<String, CommandFailure> {
    let reply = client.must("history_list", ToolArgs::new().with("limit", (back + 1).min(PAGE)))?;
    let id = usize::try_from(back).ok().and_then(|n| reply["operations"][n]["operation_id"].as_str());
    id.map(str::to_string).ok_or_else(|| {
        let n = reply["operations"].as_array().map_or(0, Vec::len);
        match n {
            0 => CommandFailure::refused("Nothing was done in this project yet.")
                .hint("`packd history --all` shows every project."),
            n => CommandFailure::refused(format!("Only {n} operations were made in this project.")),
        }
    })
}

fn is_whole(said: &str) -> bool {
    said.len() >= 36 && said.bytes().filter(|b| *b == b'-').count() >= 4
}

fn fits(id: &str, said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    id.starts_with(&said)
        || id.ends_with(&said)
        || id.strip_suffix("-back").is_some_and(|id| id.ends_with(&said))
}

/// Every operation, newest first, until the visitor has seen enough.
pub fn each(
    client: &mut Client,
    request: ToolArgs,
    mut visit: impl FnMut(OpView) -> bool,
) -> Result<(), CommandFailure> {
    let mut before: Option<String> = None;
    loop {
        let request = request.clone().with("limit", PAGE).given("before", before);
        let reply = client.must("history_list", request)?;
        let page: op::HistoryView = super::view::read(&reply)?;
        for op in page.operations {
            if !visit(op) {
                return Ok(());
            }
        }
        match page.next_before {
            Some(next) => before = Some(next),
            None => return Ok(()),
        }
    }
}

/// One of several things with an id and a name: by the whole id, else by a head or tail of the id, or by the name or
/// its beginning.
pub fn one_of(said: &str, what: &str, all: Vec<(String, String)>) -> Result<String, CommandFailure> {
    if let Some((id, _)) = all.iter().find(|(id, name)| id == said || name == said) {
        return Ok(id.clone());
    }
    let low = said.to_lowercase();
    let fits = |(id, name): &&(String, String)| {
        id.to_lowercase().starts_with(&low)
            || id.to_lowercase().ends_with(&low)
            || name.to_lowercase().starts_with(&low)
    };
    let found: Vec<(String, String)> = all.iter().filter(fits).cloned().collect();
    match found.as_slice() {
        [] => Err(CommandFailure::refused(format!("There is no {what} '{said}'."))),
        [(id, _)] => Ok(id.clone()),
        _ => Err(ambiguous(said, &format!("{what}s"), found)),
    }
}

fn ambiguous(said: &str, what: &str, found: Vec<(String, String)>) -> CommandFailure {
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    // Operations differ in their ends, which are what `packd history` shows.
    let shown = match what {
        "operations" => op::shorts(&ids),
        _ => ids.iter().map(|id| id.to_string()).collect(),
    };
    let listed: Vec<String> = shown
        .into_iter()
        .zip(&found)
        .take(LISTED)
        .map(|(id, (_, name))| match name.is_empty() {
            true => id,
            false => format!("{id} ({})", super::view::text::shorten(name, 40)),
        })
        .collect();
    let more = found.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let mut failure = CommandFailure::refused(format!("'{said}' fits {} {what}.", found.len()))
        .hint(format!("Type more of one of: {}{more}.", listed.join(", ")));
    *failure.details = json!({"candidates": ids});
    failure
}

/// The pack a person means: by id, by name, or by the beginning of either.
pub fn pack(client: &mut Client, said: &str) -> Result<String, CommandFailure> {
    let reply =
        client.must("input", ToolArgs::new().with("action", "list").with("limit", super::pack::ALL))?;
    let text = |pack: &Value, field: &str| pack[field].as_str().unwrap_or_default().to_string();
    let packs = reply["payload"]["packs"].as_array().cloned().unwrap_or_default();
    let all = packs.iter().map(|pack| (text(pack, "id"), text(pack, "name"))).collect();
    one_of(said, "pack", all).map_err(|failure| match failure.hint.is_some() {
        true => failure,
        false => failure.hint("`packd pack list` shows what there is."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_has_a_name_of_its_own() {
        assert_eq!([back("@"), back("@-"), back("@--")], [Some(0), Some(1), Some(2)]);
        assert_eq!([back("@x"), back("9cf3157c")], [None, None]);
    }

    #[test]
    fn heads_and_tails_are_enough() {
        let id = "019b7ca9-8c88-75c8-ad5c-60c09cf3157c";
        assert!(fits(id, "9cf3157c") && fits(id, "019b7c") && fits(id, "9CF3157C"));
        assert!(!fits(id, "8c88"));
        assert!(fits(&format!("{id}-back"), "9cf3157c"));
    }

    #[test]
    fn a_name_or_its_beginning_is_enough_unless_two_fit() {
        let all =
            || vec![("pk_aa".to_string(), "login-flow".to_string()), ("pk_ab".into(), "login-page".into())];
        assert_eq!(one_of("login-f", "pack", all()).unwrap(), "pk_aa");
        assert_eq!(one_of("pk_ab", "pack", all()).unwrap(), "pk_ab");
        let failure = one_of("login", "pack", all()).unwrap_err();
        assert!(failure.hint.unwrap().contains("pk_aa (login-flow), pk_ab (login-page)"));
        assert_eq!(one_of("zz", "pack", all()).unwrap_err().code, 1);
    }
}
