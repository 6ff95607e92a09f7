//! `packd forget`: a text, or what one operation did, is blanked wherever packd keeps it. Looked up first, asked twice.
//!
//! Files of the user and backups in other places are not packd's to change; they are spoken of, not touched.

use std::path::{Path, PathBuf};

use regex::bytes::Regex;

use super::args::ForgetArgs;
use super::progress::SignOfLife;
use super::terminal::Terminal;
use super::view::forget::{self as view, CopyFound, WhereFound};
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs, alone, ids, passphrase};
use crate::core::chain::FORGET;
use crate::ipc::Home;
use crate::store::{self, ForgetTarget, leftovers};

/// A shorter text stands in too many words.
const LEAST: usize = 4;
/// What the second question wants typed.
const WORD: &str = "forget";

pub fn run(args: &ForgetArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    let mut client = Client::open(scope)?;
    let (wanted, said) = wanted(args, &mut client)?;
    let progress = SignOfLife::start(render, "looking for it");
    let found = look(&home, &mut client, &wanted)?;
    drop(progress);
    let nothing = found.is_empty();
    if nothing && render.json {
        render.json(&view::document(&said, &found, false));
    } else if !args.yes && !nothing {
        let whole = view::document(&said, &found, false);
        render.show(&whole, |r| view::print(r, &said, &found, "Would forget"));
    }
    if nothing {
        return Err(CommandFailure::refused("Nothing that packd keeps has it.")
            .hint("Your own files are yours: packd does not look into them.")
            .shown());
    }
    if !agreed(args, render, &mut client)? {
        return Ok(());
    }
    drop(client);
    let progress = SignOfLife::start(render, "writing the database anew");
    let done = carry_out(&home, &wanted)?;
    drop(progress);
    render.show(&view::document(&said, &done, true), |r| {
        view::print(r, &said, &done, "Forgot");
        r.hint("`packd history --audit --all` has a line about it; nothing of what it was.");
        if done.is_left() {
            r.hint("What is named as left is yours to delete.");
        }
    });
    Ok(())
}

/// An operation where the words fit one, else a text.
fn wanted(args: &ForgetArgs, client: &mut Client) -> Result<(ForgetTarget, String), CommandFailure> {
    let mut what = args.what.clone();
    if what == "-" {
        what = std::io::read_to_string(std::io::stdin())
            .map_err(|e| CommandFailure::refused(format!("Standard input cannot be read: {e}.")))?
            .trim_end_matches(['\n', '\r'])
            .to_string();
    } else if !args.text && !args.regex {
        let like_id = what.starts_with('@') || what.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
        match like_id.then(|| ids::operation(client, &what)) {
            Some(Ok(id)) => {
                let said = format!("what operation {} did", super::view::op::short(&id));
                return Ok((ForgetTarget::Operation(id), said));
            }
            // Several operations fit, or it can only have been one.
            Some(Err(failure)) if what.starts_with('@') || failure.details["candidates"].is_array() => {
                return Err(failure);
            }
            _ => {}
        }
    }
    if what.chars().count() < LEAST {
        return Err(CommandFailure::usage(format!(
            "A text of fewer than {LEAST} characters stands in too many words."
        ))
        .hint("Say more of it, or name an operation: `packd history` shows the ids."));
    }
    let pattern = if args.regex { what.clone() } else { regex::escape(&what) };
    let pattern = Regex::new(&pattern).map_err(|e| {
        CommandFailure::usage(format!("'{what}' is no regular expression: {e}."))
            .hint("Leave --regex out to mean the text itself.")
    })?;
    if pattern.is_match(b"") {
        return Err(
            CommandFailure::usage("That expression fits everywhere.").hint("Say what must stand there.")
        );
    }
    let chars = what.chars().count();
    let said = match args.regex {
        true => "every text that fits the expression".to_string(),
        false => format!("every text '{}…' of {chars} characters", what.chars().take(2).collect::<String>()),
    };
    Ok((ForgetTarget::Text(pattern), said))
}

/// Looks at a copy, so that nobody is disturbed by a question.
fn look(home: &Home, client: &mut Client, wanted: &ForgetTarget) -> Result<WhereFound, CommandFailure> {
    let dir = tempfile::Builder::new()
        .prefix(".packd-look-")
        .tempdir_in(home.dir())
        .map_err(|e| CommandFailure::refused(format!("Cannot write to {}: {e}.", home.dir().display())))?;
    let copy = dir.path().join("copy.redb");
    client.own("packd/backup", ToolArgs::new().with("file", &copy))?;
    let catalog = alone::tables().map_err(alone::failed)?;
    let mut found = WhereFound {
        database: store::look(&copy, &catalog, wanted).map_err(alone::failed)?,
        ..WhereFound::default()
    };
    let beside = leftovers::Leftovers::of(&home.database());
    for path in beside.copies {
        found.copies.push(match store::look(&path, &catalog, wanted) {
            Ok(one) if one.is_empty() => continue,
            Ok(_) => CopyFound { path, left: None },
            Err(e) => CopyFound { path, left: Some(e.message) },
        });
    }
    if let ForgetTarget::Text(pattern) = wanted {
        found.files = beside
            .files
            .into_iter()
            .filter(|file| is_kept(file) && leftovers::count(file, pattern) > 0)
            .collect();
    }
    Ok(found)
}

/// The journal that is in use ends with the daemon; it is not to be looked into.
fn is_kept(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    !["journal.0", "journal.1", "journal.2"].contains(&&*name)
}

/// Twice on a terminal; elsewhere only where that was said.
fn agreed(args: &ForgetArgs, render: Render, client: &mut Client) -> Result<bool, CommandFailure> {
    let gates = client.request("packd/gates", ToolArgs::new())?;
    let people = gates["human"] == true;
    if people {
        // Where people decide, no program answers for them.
        Terminal::need()?;
        if gates["passphrase"] == true {
            passphrase::unlock(client)?;
        }
    }
    if args.yes && !people {
        return Ok(true);
    }
    let Some(terminal) = Terminal::controlling().filter(|_| !render.json) else {
        if !render.json {
            render.line("Run it again with --yes to do it; it cannot be taken back.");
        }
        return Ok(false);
    };
    let yes = terminal.agrees("It cannot be taken back. Forget it?")?
        && terminal.ask(&format!("Type {WORD} to go on: "))?.is_some_and(|word| word.trim() == WORD);
    if yes { Ok(true) } else { Err(CommandFailure::refused("Not done.")) }
}

/// Older copies first: if this is interrupted, the database still has it and says so when asked again.
fn carry_out(home: &Home, wanted: &ForgetTarget) -> Result<WhereFound, CommandFailure> {
    let catalog = alone::tables().map_err(alone::failed)?;
    let beside = leftovers::Leftovers::of(&home.database());
    let mut done = WhereFound::default();
    for path in beside.copies {
        match store::forget_in_copy(&path, &catalog, wanted) {
            Ok(one) if one.is_empty() => {}
            Ok(_) => done.copies.push(CopyFound { path, left: None }),
            Err(e) => done.copies.push(CopyFound { path, left: Some(e.message) }),
        }
    }
    let new = alone::operation(super::client::USER_WIDE, "history", FORGET);
    done.database =
        alone::with(home, || store::forget(&home.database(), alone::tables, wanted, new.clone()))?;
    // The daemon has ended: nothing writes to its log, and its journal is gone.
    let files: Vec<PathBuf> = leftovers::Leftovers::of(&home.database()).files;
    if let ForgetTarget::Text(pattern) = wanted {
        for file in files {
            if leftovers::blank(&file, pattern).map_err(alone::failed)? > 0 {
                done.files.push(file);
            }
        }
    }
    Ok(done)
}
