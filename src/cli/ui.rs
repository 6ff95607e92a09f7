//! `packd ui`: the local page. Asks the daemon for it, prints its address, and starts a browser on a file that leads
//! there, because the address holds a code that no other user may read in a list of programs.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use super::args::UiArgs;
use super::view::render::Render;
use super::{Client, Failure, Scope, ToolArgs};

#[derive(Deserialize)]
struct Opened {
    url: String,
    #[serde(default)]
    file: Option<String>,
}

pub fn run(args: &UiArgs, render: Render, scope: &Scope) -> Result<(), Failure> {
    // Whoever reads JSON goes there by itself.
    let browser = if args.no_open || render.json { None } else { browser() };
    let params = ToolArgs::new().with("browser", browser.is_some()).given("idle_seconds", args.idle);
    let mut client = Client::open(scope)?;
    let answer = client.own("packd/ui", params)?;
    let opened: Opened = super::view::read(&answer)?;
    if render.json {
        render.json(&json!({"url": opened.url}));
        return Ok(());
    }
    // The address alone: scripts take the first line.
    render.line(&opened.url);
    match (browser, &opened.file) {
        (Some(program), Some(file)) => match start(&program, Path::new(file)) {
            Ok(()) => render.hint("It opens in your browser. The address works once, within a minute."),
            Err(e) => render.hint(format!(
                "{} cannot be started ({e}): open the address yourself, within a minute.",
                program.to_string_lossy()
            )),
        },
        _ if args.no_open => {}
        _ => render.hint("No browser was found: open the address yourself, within a minute. It works once."),
    }
    Ok(())
}

/// The program that opens files in the person's browser, where there is a screen to show it on.
fn browser() -> Option<OsString> {
    let said = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(named) = said("BROWSER") {
        // A list, of which the first is tried.
        let first = named.to_string_lossy().split(':').next().unwrap_or_default().trim().to_string();
        return Some(first.into()).filter(|program: &OsString| !program.is_empty());
    }
    if cfg!(target_os = "macos") {
        return Some("open".into());
    }
    (said("DISPLAY").is_some() || said("WAYLAND_DISPLAY").is_some()).then(|| "xdg-open".into())
}

/// Starts it and lets it be: some openers stay as long as the browser does.
fn start(program: &OsString, file: &Path) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    Command::new(program)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map(|_| ())
}
