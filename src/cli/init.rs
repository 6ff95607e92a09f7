//! `deploy init`, `eco init`, `pkg init`: first files that work and explain themselves.
//!
//! The daemon writes them, as one operation that `packd undo` takes back, and never over a file that is there.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::view::render::{Ink, Render};
use super::{Client, Failure, Scope};
use crate::ipc::home::user_home;

pub const AGENTPACK: &str = include_str!("starters/agentpack.yaml");
pub const ECOSYSTEM: &str = include_str!("starters/ecosystem.yaml");
pub const PACKAGE: &str = include_str!("starters/aam.yaml");

/// Where packages go if nothing in the project says otherwise.
const PLATFORMS: [(&str, &str); 5] = [
    (".claude", "claude"),
    (".cursor", "cursor"),
    (".codex", "codex"),
    (".github/copilot", "copilot"),
    (".vscode", "vscode"),
];

/// A config repository where `packd deploy` looks for one.
pub fn config_repository(repo: Option<&str>, render: Render, scope: &Scope) -> Result<(), Failure> {
    let dir = match repo {
        Some(dir) => absolute(Path::new(dir))?,
        None => match std::env::var_os("AGENTPACK_HOME").map(PathBuf::from).filter(|p| p.is_absolute()) {
            Some(home) => home.join("repo"),
            None => user_home()?.join(".agentpack/repo"),
        },
    };
    let files = [
        (dir.join("agentpack.yaml"), AGENTPACK.to_string()),
        (dir.join("modules/base/AGENTS.md"), include_str!("starters/AGENTS.md").to_string()),
        (dir.join("modules/review.md"), include_str!("starters/review.md").to_string()),
    ];
    write(&files, "Wrote a config repository", render, scope)?;
    next(render, "`packd deploy` shows what it would write into this project.");
    Ok(())
}

pub fn ecosystem(name: &str, render: Render, scope: &Scope) -> Result<(), Failure> {
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

pub fn package(name: Option<&str>, render: Render, scope: &Scope) -> Result<(), Failure> {
    let dir = project(scope)?;
    let own = dir
        .file_name()
        .map(|n| n.to_string_lossy().to_lowercase().replace([' ', '_', '.'], "-"))
        .unwrap_or_default();
    let name = plain_name(name.unwrap_or(&own), "packd pkg init --name my-pack")?;
    let found: Vec<&str> =
        PLATFORMS.iter().filter(|(mark, _)| dir.join(mark).exists()).map(|(_, p)| *p).collect();
    let platforms = if found.is_empty() { vec!["claude"] } else { found };
    let settings = format!(
        "# Settings of packages in this project; `packd pkg config get` shows all of them.\n\
         # Where installed packages are deployed to: what was found here when this was written.\n\
         default_platform: {}\nactive_platforms: [{}]\n",
        platforms[0],
        platforms.join(", ")
    );
    let mut files = vec![(dir.join("aam.yaml"), PACKAGE.replace("{{name}}", name))];
    let skill = dir.join("skills/hello/SKILL.md");
    if !skill.exists() {
        files.push((skill, include_str!("starters/SKILL.md").to_string()));
    }
    let config = dir.join(".aam/config.yaml");
    if !config.exists() {
        files.push((config, settings));
    }
    write(&files, &format!("Wrote the manifest of package {name}"), render, scope)?;
    next(render, "`packd pkg validate` checks it; `packd pkg install NAME` installs others.");
    Ok(())
}

fn next(render: Render, text: &str) {
    if !render.json {
        render.hint(text);
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|e| Failure::usage(format!("{} is not a usable path: {e}.", path.display())))
}

/// The project a person stands in: the git top level, else the directory.
fn project(scope: &Scope) -> Result<PathBuf, Failure> {
    if let Some(dir) = &scope.workspace {
        return absolute(Path::new(dir));
    }
    let here = std::env::current_dir().map_err(|e| Failure::refused(format!("Where is this? {e}.")))?;
    let top = here.ancestors().find(|dir| dir.join(".git").exists()).map(Path::to_path_buf);
    Ok(top.unwrap_or(here))
}

fn plain_name<'a>(name: &'a str, example: &str) -> Result<&'a str, Failure> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match !name.is_empty() && name.chars().all(fits) && !name.starts_with('-') {
        true => Ok(name),
        false => {
            Err(Failure::usage(format!("'{name}' cannot be a name: small letters, digits and '-' only."))
                .hint(format!("Example: {example}")))
        }
    }
}

fn write(files: &[(PathBuf, String)], summary: &str, render: Render, scope: &Scope) -> Result<(), Failure> {
    let list: Vec<Value> = files.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    let mut client = Client::open(scope)?;
    let done = client.own("packd/init", json!({"arguments": {"files": list, "summary": summary}}))?;
    render.show(&done, |r| {
        for (path, _) in files {
            r.line(format!("{}  {}", r.ink(Ink::Green, "wrote"), r.path(&path.to_string_lossy())));
        }
        r.hint("`packd undo` takes it back.");
    });
    Ok(())
}
