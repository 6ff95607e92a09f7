//! `packd plugin build`: writes the plugin tree into a directory.

use std::path::Path;

use serde_json::json;

use super::args::PluginCommand;
use super::view::place;
use super::view::render::Render;
use super::{CommandFailure, setup};
use crate::daemon::assemble::hosts::hooks::HookProgram;
use crate::daemon::assemble::hosts::plugin::Build;
use crate::daemon::assemble::hosts::table::McpHost;

pub fn run(command: PluginCommand, render: Render) -> Result<(), CommandFailure> {
    let PluginCommand::Build { dir, host, command } = command;
    let host = host.as_deref().and_then(McpHost::find).map(|host| host.id);
    let program = HookProgram { command: command.unwrap_or_else(|| "packd-mcp".to_string()), home: None };
    let build = Build { host, program, args: Vec::new() };
    let files = write(&build, &dir)?;
    render.show(&json!({"dir": dir, "files": files}), |r| {
        r.line(format!("The plugin is in {}: {} files.", place::shown(&dir.to_string_lossy()), files.len()));
        r.hint("`packd setup HOST --plugin` installs it for one host.");
    });
    Ok(())
}

/// The tree for one host as it is installed on this machine: with full paths, and nothing of an older one left.
pub fn write_for(host: &'static str, dir: &Path, args: Vec<String>) -> Result<(), CommandFailure> {
    let program = HookProgram {
        command: setup::shim()?.to_string_lossy().into_owned(),
        home: std::env::var("PACKD_HOME").ok().filter(|home| !home.is_empty()),
    };
    if dir.exists() {
        std::fs::remove_dir_all(dir).map_err(|e| cannot(dir, &e))?;
    }
    write(&Build { host: Some(host), program, args }, dir).map(|_| ())
}

fn write(build: &Build, dir: &Path) -> Result<Vec<String>, CommandFailure> {
    let tree = build.tree();
    for (name, text) in &tree {
        let file = dir.join(name);
        let parent = file.parent().unwrap_or(dir);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|e| cannot(&file, &e))?;
    }
    Ok(tree.into_keys().collect())
}

pub fn cannot(path: &Path, e: &std::io::Error) -> CommandFailure {
    CommandFailure::refused(format!("{} cannot be written: {e}.", path.display()))
        .hint("Choose a directory of your own, or free space on that disk.")
}
