//! `packd ui`: the local page. Asks the daemon for it, prints its address, and starts a browser on a file that leads
//! there, because the address holds a code that no other user may read in a list of programs.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use super::args::UiArgs;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

#[derive(Deserialize)]
struct Opened {
    url: String,
    #[serde(default)]
    file: Option<String>,
}

pub fn run(args: &UiArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
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
        (Some(browser), Some(file)) => match browser.start(file) {
            Ok(()) => render.hint("It opens in your browser. The address works once, within a minute."),
            Err(e) => render.hint(format!(
                "{} cannot be started ({e}): open the address yourself, within a minute.",
                browser.program
            )),
        },
        _ if args.no_open => {}
        _ => render.hint("No browser was found: open the address yourself, within a minute. It works once."),
    }
    Ok(())
}

/// The program that opens files in the person's browser, with what it is given before the file or around it.
struct Browser {
    program: String,
    args: Vec<String>,
}

/// Where there is a screen to show it on.
fn browser() -> Option<Browser> {
    let said = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(named) = said("BROWSER") {
        return Browser::named(&named);
    }
    if cfg!(target_os = "macos") {
        return Browser::named("open");
    }
    said("DISPLAY").or_else(|| said("WAYLAND_DISPLAY")).and_then(|_| Browser::named("xdg-open"))
}

impl Browser {
    /// From a list as `$BROWSER` may be one: the first is taken, with its arguments.
    fn named(list: &str) -> Option<Browser> {
        let first = list.split(':').next()?.trim();
        // A path with spaces in it is no program with arguments.
        if Path::new(first).is_file() {
            return Some(Browser { program: first.to_string(), args: Vec::new() });
        }
        let mut words = first.split_whitespace().map(str::to_string);
        Some(Browser { program: words.next()?, args: words.collect() })
    }

    /// Starts it and lets it be: some openers stay as long as the browser does.
    fn start(&self, file: &str) -> std::io::Result<()> {
        use std::os::unix::process::CommandExt;
        let mut args: Vec<String> = self.args.iter().map(|arg| arg.replace("%s", file)).collect();
        if args == self.args {
            args.push(file.to_string());
        }
        Command::new(&self.program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_with_its_arguments() {
        let named = |list: &str| Browser::named(list).map(|b| (b.program, b.args));
        assert_eq!(named("firefox:chromium"), Some(("firefox".into(), vec![])));
        assert_eq!(
            named("firefox -P work %s"),
            Some(("firefox".into(), vec!["-P".into(), "work".into(), "%s".into()]))
        );
        assert_eq!(named(" "), None);
    }
}
