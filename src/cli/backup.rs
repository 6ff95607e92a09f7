//! `packd backup` and `packd restore`: the whole database in one file.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::json;

use super::args::{BackupArgs, RestoreArgs};
use super::progress::SignOfLife;
use super::terminal::Terminal;
use super::view::place;
use super::view::render::{Ink, Render};
use super::view::size::bytes;
use super::view::text::count;
use super::{Client, CommandFailure, CommandScope, ToolArgs, alone};
use crate::engine::Clock;
use crate::engine::clock::SystemClock;
use crate::ipc::Home;
use crate::store::{self, Sizes, Store};

pub fn backup(args: &BackupArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let file = std::path::absolute(&args.file).map_err(|e| {
        CommandFailure::refused(format!("{} is not a usable path: {e}.", args.file.display()))
    })?;
    let mut client = Client::open(scope)?;
    let progress = SignOfLife::start(render, "copying the database");
    let done = client.own("packd/backup", ToolArgs::new().with("file", &file).with("force", args.force))?;
    drop(progress);
    render.show(&done, |r| {
        let size = bytes(done["bytes"].as_u64().unwrap_or(0));
        let path = place::shown(&file.to_string_lossy());
        r.line(format!("{}  {path} ({size})", r.ink(Ink::Green, "ok")));
        r.hint(format!("`packd restore {path}` brings it back."));
    });
    Ok(())
}

pub fn restore(args: &RestoreArgs, render: Render) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    home.prepare()?;
    let progress = SignOfLife::start(render, "checking the backup");
    // The check may repair what it opens, so it gets a copy: the backup itself is only ever read.
    let copy = tempfile::Builder::new()
        .prefix(".packd-restore-")
        .tempfile_in(home.dir())
        .map_err(|e| CommandFailure::refused(format!("Cannot write to {}: {e}.", home.dir().display())))?
        .into_temp_path();
    copy_file(&args.file, &copy).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => CommandFailure::refused(format!(
            "There is no {}.",
            args.file.display()
        ))
        .hint(
            "`packd backup FILE` makes a backup; what earlier restores replaced is kept beside the database.",
        ),
        _ => CommandFailure::refused(format!("Cannot copy {}: {e}.", args.file.display())),
    })?;
    let sizes = alone::tables().and_then(|tables| Store::examine(&copy, tables)).map_err(alone::failed)?;
    drop(progress);
    if !agreed(args, render, &sizes)? {
        return Ok(());
    }
    let _progress = SignOfLife::start(render, "stopping the daemon");
    let database = home.database();
    let kept = alone::with(&home, || store::replace(&database, &copy, alone::tables()?, SystemClock.now()))?;
    // It has become the database: nothing is left to remove.
    let _ = copy.keep();
    drop(_progress);
    show(render, args, &sizes, kept.as_deref());
    Ok(())
}

/// What is replaced is kept, but nobody should find out afterwards that it was: a person is asked, and without one and
/// without --yes it is only shown.
fn agreed(args: &RestoreArgs, render: Render, sizes: &Sizes) -> Result<bool, CommandFailure> {
    if args.yes {
        return Ok(true);
    }
    let what = format!(
        "{} holds {} and {}. It replaces everything packd knows now; that is kept beside it.",
        place::shown(&args.file.to_string_lossy()),
        count(sizes.rows, "row"),
        count(sizes.ops, "operation")
    );
    let Some(terminal) = Terminal::controlling().filter(|_| !render.json) else {
        let answer = json!({
            "preview": true, "restored": null, "operations": sizes.ops, "audit": sizes.audit, "rows": sizes.rows,
        });
        render.show(&answer, |r| {
            r.prose(0, &what);
            r.line("Run it again with --yes to do it.");
        });
        return Ok(false);
    };
    terminal.say(&what);
    match terminal.agrees("Restore it?")? {
        true => Ok(true),
        false => Err(CommandFailure::refused("Not done.")),
    }
}

fn show(render: Render, args: &RestoreArgs, sizes: &Sizes, kept: Option<&Path>) {
    let answer = json!({
        "restored": args.file, "operations": sizes.ops, "audit": sizes.audit, "rows": sizes.rows, "kept": kept,
    });
    render.show(&answer, |r| {
        let ok = r.ink(Ink::Green, "ok");
        let (rows, ops) = (count(sizes.rows, "row"), count(sizes.ops, "operation"));
        r.line(format!("{ok}  {rows} and {ops} are back."));
        if let Some(kept) = kept {
            r.prose(0, format!("The database before is kept as {}.", place::shown(&kept.to_string_lossy())));
        }
        r.line("The daemon starts with it at the next call.");
    });
}

fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut from = File::open(from)?;
    let mut to = OpenOptions::new().write(true).truncate(true).mode(0o600).open(to)?;
    std::io::copy(&mut from, &mut to)?;
    to.sync_all()
}
