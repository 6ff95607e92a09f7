//! `deploy init`, `eco init`, `pkg init`: first files that work and explain themselves.
//!
//! The daemon writes them, as one operation that `packd undo` takes back, and never over a file that is there.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::ipc::home::user_home;

pub const AGENTPACK: &str = include_str!("../../proto/templates/agentpack.yaml");
pub const ECOSYSTEM: &str = include_str!("../../proto/templates/ecosystem.yaml");

/// A config repository where `packd deploy` looks for one.
pub fn config_repository(
    repo: Option<&str>,
    render: Render,
    scope: &CommandScope,
) -> Result<(), CommandFailure> {
    let dir = match repo {
        Some(dir) => absolute(Path::new(dir))?,
        None => match std::env::var_os("AGENTPACK_HOME").map(PathBuf::from).filter(|p| p.is_absolute()) {
            Some(home) => home.join("repo"),
            None => user_home()?.join(".agentpack/repo"),
        },
    };
    let files = [
        (dir.join("agentpack.yaml"), AGENTPACK.to_string()),
        (dir.join("modules/base/AGENTS.md"), include_str!("../../proto/templates/AGENTS.md").to_string()),
        (dir.join("modules/review.md"), include_str!("../../proto/templates/review.md").to_string()),
    ];
    write(&files, "Wrote a config repository", render, scope)?;
    next(render, "`packd deploy` shows what it would write into this project.");
    Ok(())
}

pub fn ecosystem(name: &str, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let name = plain_name(name, "packd eco init demo")?;
    let file = project(scope)?.join("ecosystems").join(name).join("ecosystem.yaml");
    write(
        &[(file, ECOSYSTEM.replace("{{name}}", name))],
        &format!("Wrote the manifest of ecosystem {name}"),
        render,
        scope,
    )?;
    next(render, &format!("Name your repositories in it, then `packd eco install {name}`."));
    Ok(())
}

pub fn package(name: Option<&str>, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let named = name.map(|name| plain_name(name, "packd pkg init --name my-pack")).transpose()?;
    let answer = Client::open(scope)?.call("aam_init", ToolArgs::new().given("name", named))?;
    if answer.is_error {
        return Err(CommandFailure::of_tool(&answer));
    }
    let done = answer.value();
    let written: Vec<String> = done["written"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|p| p.as_str().map(str::to_string))
        .collect();
    told(&done, &written, render);
    next(render, "`packd pkg validate` checks it; `packd pkg install NAME` installs others.");
    Ok(())
}

fn next(render: Render, text: &str) {
    if !render.json {
        render.hint(text);
    }
}

fn absolute(path: &Path) -> Result<PathBuf, CommandFailure> {
    std::path::absolute(path)
        .map_err(|e| CommandFailure::usage(format!("{} is not a usable path: {e}.", path.display())))
}

/// The project a person stands in: the git top level, else the directory.
pub(super) fn project(scope: &CommandScope) -> Result<PathBuf, CommandFailure> {
    if let Some(dir) = &scope.workspace {
        return absolute(Path::new(dir));
    }
    let here =
        std::env::current_dir().map_err(|e| CommandFailure::refused(format!("Where is this? {e}.")))?;
    let top = here.ancestors().find(|dir| dir.join(".git").exists()).map(Path::to_path_buf);
    Ok(top.unwrap_or(here))
}

fn plain_name<'a>(name: &'a str, example: &str) -> Result<&'a str, CommandFailure> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match !name.is_empty() && name.chars().all(fits) && !name.starts_with('-') {
        true => Ok(name),
        false => Err(CommandFailure::usage(format!(
            "'{name}' cannot be a name: small letters, digits and '-' only."
        ))
        .hint(format!("Example: {example}"))),
    }
}

fn write(
    files: &[(PathBuf, String)],
    summary: &str,
    render: Render,
    scope: &CommandScope,
) -> Result<(), CommandFailure> {
    let list: Vec<Value> = files.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    let mut client = Client::open(scope)?;
    let done =
        client.own_tool("packd_init", ToolArgs::new().with("files", list).with("summary", summary), false)?;
    let paths: Vec<String> = files.iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
    told(&done, &paths, render);
    Ok(())
}

fn told(done: &Value, paths: &[String], render: Render) {
    render.show(done, |r| {
        for path in paths {
            r.line(format!("{}  {}", r.ink(Ink::Green, "wrote"), r.path(path)));
        }
        r.hint("`packd undo` takes it back.");
    });
}
