//! Which platforms packages are installed for, where nobody has said so yet: what the project shows, and the person's word.
//!
//! The answer is written into the project's settings as an operation of its own, so the question comes once.

use std::path::Path;

use serde_json::json;

use super::terminal::Terminal;
use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, ToolArgs};
use crate::core::agents::{platforms, platforms_shown};
use crate::core::templates::package_settings;

/// The platforms this project shows signs of; at least one.
fn detected(dir: &Path) -> Vec<&'static str> {
    platforms_shown(|sign| dir.join(sign).exists())
}

/// Makes a project ready for packages, unless it is or somebody has said which platforms are meant.
pub fn prepare(
    client: &mut Client,
    dir: &Path,
    named: Option<&str>,
    render: Render,
) -> Result<(), CommandFailure> {
    let config = dir.join(".aam/config.yaml");
    let said = client.must("aam_config_get", ToolArgs::new().with("key", "active_platforms"))?;
    let said = said["source"] != "default" && said["result"]["source"] != "default";
    if config.exists() || (said && dir.join(".aam").is_dir()) {
        return Ok(());
    }
    // Without a registry nothing can be installed, so nothing is prepared either.
    let registries = client.must("aam_registry_list", ToolArgs::new())?;
    if registries["result"].as_array().is_some_and(Vec::is_empty) {
        return Err(CommandFailure::refused("There is no registry to install from.")
            .hint("`packd pkg registry add NAME URL --default` names one."));
    }
    let found = detected(dir);
    let chosen = match named {
        Some(_) => found,
        None if said => Vec::new(),
        None => ask(&found, render)?,
    };
    // Where the user's own settings say it, the project only gets its directory.
    let text = match chosen.as_slice() {
        [] => "# Settings of packages in this project.\n".to_string(),
        some => package_settings(some),
    };
    let files = json!([{"path": config, "text": text}]);
    let summary = "Made this project ready for packages";
    client.own_tool("packd_init", ToolArgs::new().with("files", files).with("summary", summary), false)?;
    if !render.json {
        let wrote = render.ink(Ink::Green, "wrote");
        render.line(format!("{wrote}  {}", render.path(&config.to_string_lossy())));
        if named.is_none() && !chosen.is_empty() {
            render.hint(format!("Packages are installed for {}.", chosen.join(", ")));
        }
    }
    Ok(())
}

/// A person at a terminal is asked; elsewhere what was found is taken.
fn ask(found: &[&'static str], render: Render) -> Result<Vec<&'static str>, CommandFailure> {
    let Some(terminal) = Terminal::controlling().filter(|_| !render.json) else { return Ok(found.to_vec()) };
    terminal.say(&format!("For which platforms? {} (separated by commas)", platforms().join(", ")));
    loop {
        let answer = terminal.ask(&format!("[{}] ", found.join(", ")))?;
        let Some(answer) = answer else { return Err(CommandFailure::refused("Not done.")) };
        match chosen(&answer, found) {
            Ok(chosen) => return Ok(chosen),
            Err(unknown) => terminal.say(&format!("'{unknown}' is none of {}.", platforms().join(", "))),
        }
    }
}

/// The platforms somebody typed; nothing typed = those that were found.
fn chosen(answer: &str, found: &[&'static str]) -> Result<Vec<&'static str>, String> {
    let words = answer.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
    let mut out = Vec::new();
    for word in words {
        let known = platforms().into_iter().find(|known| known.eq_ignore_ascii_case(word));
        let known = known.ok_or_else(|| word.to_string())?;
        if !out.contains(&known) {
            out.push(known);
        }
    }
    Ok(if out.is_empty() { found.to_vec() } else { out })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_counts_and_nothing_means_what_was_found() {
        assert_eq!(chosen("", &["codex"]), Ok(vec!["codex"]));
        assert_eq!(chosen("Claude, cursor claude", &["codex"]), Ok(vec!["claude", "cursor"]));
        assert_eq!(chosen("emacs", &["codex"]), Err("emacs".to_string()));
    }

    #[test]
    fn a_project_shows_its_platforms_and_never_cursor_without_a_sign_of_it() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(detected(dir.path()), ["claude"]);
        std::fs::create_dir(dir.path().join(".codex")).unwrap();
        std::fs::write(dir.path().join("CLAUDE.md"), "").unwrap();
        assert_eq!(detected(dir.path()), ["claude", "codex"]);
    }
}
