//! `packd setup HOST --plugin`: makes the plugin for one host and lets the host install it in its own way.
//!
//! The plain entry and the plain hooks go, as operations that can be undone: with both, a host would have everything
//! twice. A host that takes no plugin gets the entry as always.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::args::SetupArgs;
use super::setup::{flags, request, text};
use super::view::place;
use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, plugin};
use crate::daemon::assemble::hosts::hooks::Hooked;
use crate::daemon::assemble::hosts::plugin::install::{InstallWay, PluginInstall};
use crate::daemon::assemble::hosts::table::McpHost;
use crate::ipc::Home;
use crate::ipc::home::user_home;

/// `None`: this host takes no plugin.
pub fn run(args: &SetupArgs, render: Render) -> Result<Option<()>, CommandFailure> {
    let Some(id) = &args.host else {
        return Err(CommandFailure::usage("For which host?").hint("Name one: packd setup claude --plugin."));
    };
    let Some(host) = McpHost::find(id) else { return Ok(None) };
    let Some(install) = PluginInstall::find(id) else { return Ok(None) };
    let dir = directory(install)?;
    let mut done = Vec::new();
    if args.dry_run {
        render.show(&json!({"host": host.id, "dir": dir, "commands": steps(install, &dir, args.remove), "dry_run": true}), |r| {
            r.line(format!("{}  {}: the plugin {}", r.ink(Ink::Yellow, "dry run"), host.title, place::shown(&dir.to_string_lossy())));
            steps(install, &dir, args.remove).iter().for_each(|line| r.line(format!("    {line}")));
        });
        return Ok(Some(()));
    }
    if !args.remove {
        // The tree may be the first thing in packd's home, which is nobody else's to read.
        Home::locate()?.prepare()?;
        plugin::write_for(host.id, &dir, flags(args)?)?;
        done.push(format!("made {}", place::shown(&dir.to_string_lossy())));
    }
    if let InstallWay::Commands { program, add, remove } = install.how {
        // What an older one left, so that the host takes the tree as it is now.
        for step in remove {
            run_step(program, step, &dir, args.remove).or_else(|failure| match args.remove {
                true if !is_installed(host)? => Ok(()),
                true => Err(failure),
                false => Ok(()),
            })?;
        }
        if !args.remove {
            for step in add {
                run_step(program, step, &dir, true)?;
            }
        }
    }
    let mut operations = Vec::new();
    if args.remove {
        if dir.exists() {
            std::fs::remove_dir_all(&dir).map_err(|e| plugin::cannot(&dir, &e))?;
        }
        done.push("taken out".to_string());
    } else {
        operations = without_plain(host)?;
    }
    let answer = json!({"host": host.id, "dir": dir, "removed": args.remove, "plain_entry_removed": !operations.is_empty(),
                        "operation_ids": operations});
    render.show(&answer, |r| {
        let what = if args.remove { "the plugin is gone" } else { "packd is a plugin now" };
        r.line(format!("{}  {}: {what}", r.ink(Ink::Green, "ok"), host.title));
        if !args.remove {
            let then = Hooked::find(host.id).map_or(host.then, |hooked| hooked.then);
            r.line(format!("    {then}"));
            r.hint(format!("`packd setup {} --plugin --remove` takes it out.", host.id));
        }
        if !operations.is_empty() {
            r.hint("The plain entry was taken out; `packd undo --family hosts` brings it back.");
        }
    });
    Ok(Some(()))
}

/// Where the tree lies: where the host looks, else in packd's own home.
fn directory(install: &PluginInstall) -> Result<PathBuf, CommandFailure> {
    Ok(match install.how {
        InstallWay::Directory(below) => user_home()?.join(below),
        InstallWay::Commands { .. } => Home::locate()?.dir().join("plugins").join(install.host),
    })
}

fn steps(install: &PluginInstall, dir: &Path, remove: bool) -> Vec<String> {
    let InstallWay::Commands { program, add, remove: undo } = install.how else { return Vec::new() };
    let chosen = if remove { undo } else { add };
    chosen
        .iter()
        .map(|step| format!("{program} {}", step.join(" ")).replace("{dir}", &dir.to_string_lossy()))
        .collect()
}

/// One command of the host, heard only when it fails.
fn run_step(program: &str, step: &[&str], dir: &Path, must: bool) -> Result<(), CommandFailure> {
    let args = step.iter().map(|word| word.replace("{dir}", &dir.to_string_lossy()));
    let ran = Command::new(program).args(args).stdin(Stdio::null()).output();
    let line = format!("{program} {}", step.join(" ")).replace("{dir}", &dir.to_string_lossy());
    match ran {
        Ok(out) if out.status.success() || !must => Ok(()),
        Ok(out) => {
            let said = [out.stdout.as_slice(), &out.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
            Err(CommandFailure::refused(format!("`{line}` failed: {}", last.trim()))
                .hint("Correct that and try again; `packd setup HOST` enters the server without a plugin."))
        }
        Err(e) if must => Err(CommandFailure::refused(format!("`{program}` cannot be run: {e}."))
            .hint("Put it on the PATH, or use `packd setup HOST` without --plugin.")),
        Err(_) => Ok(()),
    }
}

fn is_installed(host: &McpHost) -> Result<bool, CommandFailure> {
    let mut client = Client::open(&CommandScope { user_wide: true, ..CommandScope::default() })?;
    let rows = super::setup::survey(&mut client)?;
    Ok(rows.iter().any(|row| text(row, "host") == host.id && row["plugin"] == true))
}

/// Takes the plain entry and the plain hooks out. The operations that did it.
fn without_plain(host: &McpHost) -> Result<Vec<Value>, CommandFailure> {
    let mut client = Client::open(&CommandScope { user_wide: true, ..CommandScope::default() })?;
    let mut operations = Vec::new();
    for tool in ["packd_setup", "packd_hooks"] {
        if tool == "packd_hooks" && Hooked::find(host.id).is_none() {
            continue;
        }
        let request = request("remove", false)?.with("hosts", [host.id]);
        let answer = client.own_tool(tool, request, false)?;
        operations.extend(Some(answer["operation_id"].clone()).filter(|id| !id.is_null()));
    }
    Ok(operations)
}
