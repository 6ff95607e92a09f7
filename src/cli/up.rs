//! `packd up`: starts the daemon and shows the product working through the real shim.
//!
//! What is shown happens in a home of its own, with a daemon of its own, and goes away with it: nothing of it is in
//! anybody's history, export or list of projects.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde::Serialize;
use serde_json::{Value, json};

use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::ipc::{Home, start};

/// One editor as packd sees it: a shim with a pipe on either side.
struct Editor {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Editor {
    fn start(shim: &Path, workspace: &Path, home: &Home) -> Result<Editor, CommandFailure> {
        let mut child = Command::new(shim)
            .env("PACKD_HOME", home.dir())
            .arg("--workspace")
            .arg(workspace)
            .current_dir(workspace)
            .env_remove("CONTEXT_PACK_ROOT")
            .env_remove("CONTEXT_PACK_SOURCE_ROOT")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| CommandFailure::refused(format!("Cannot start {}: {e}.", shim.display())))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(CommandFailure::refused("The shim has no pipes."));
        };
        Ok(Editor { child, stdin, stdout: BufReader::new(stdout), next_id: 0 })
    }

    fn request(&mut self, method: &str, params: impl Serialize) -> Result<Value, CommandFailure> {
        self.next_id += 1;
        let id = json!(self.next_id);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let gone = |e: std::io::Error| CommandFailure::unreachable(format!("The shim went away: {e}."));
        writeln!(self.stdin, "{message}").map_err(gone)?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).map_err(gone)? == 0 {
                return Err(CommandFailure::unreachable("The shim ended without an answer."));
            }
            let reply: Value = serde_json::from_str(&line).unwrap_or_default();
            if reply["id"] == id {
                return match reply.get("error") {
                    Some(e) => {
                        Err(CommandFailure::refused(e["message"].as_str().unwrap_or("The call failed.")))
                    }
                    None => Ok(reply["result"].clone()),
                };
            }
        }
    }

    fn call(&mut self, tool: &str, args: ToolArgs) -> Result<Value, CommandFailure> {
        let result =
            self.request("tools/call", ToolArgs::new().with("name", tool).with("arguments", args))?;
        if result["isError"] == true {
            let text = result["content"][0]["text"].as_str().unwrap_or("The call failed.");
            return Err(CommandFailure::refused(text));
        }
        Ok(result)
    }
}

const SAMPLE: &str = "fn greet(name: &str) -> String {\n    format!(\"Hello, {name}!\")\n}\n";

pub fn run(render: Render) -> Result<(), CommandFailure> {
    let shim = super::setup::shim()?;
    let mut tour = Tour { render, steps: Vec::new() };
    let welcome = tour.step("daemon", || {
        let client = Client::open(&CommandScope::default())?;
        let told = format!("running as pid {}, version {}", client.welcome.pid, client.welcome.version);
        Ok((client.welcome.clone(), told))
    })?;
    let scratch = Scratch::make()?;
    let project = scratch.dir.path().join("project");
    let file = project.join("greet.rs");
    std::fs::create_dir(&project)
        .and_then(|()| std::fs::write(&file, SAMPLE))
        .map_err(|e| CommandFailure::refused(format!("Cannot write {}: {e}.", file.display())))?;
    let mut editor = tour.step("shim", || {
        let mut editor = Editor::start(&shim, &project, &scratch.home)?;
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "packd-up", "version": "1"}});
        let info = editor.request("initialize", hello)?;
        let tools = editor.request("tools/list", ToolArgs::new())?;
        let count = tools["tools"].as_array().map_or(0, Vec::len);
        let name = info["serverInfo"]["name"].as_str().unwrap_or("packd").to_string();
        Ok((editor, format!("initialize: {name} offers {count} tools")))
    })?;
    let id = tour.step("create", || {
        let made = editor.call(
            "input",
            ToolArgs::new().with("action", "create").with("title", "Greeting").with("ttl_minutes", 60),
        )?;
        let id = made["structuredContent"]["payload"]["id"].as_str().unwrap_or_default().to_string();
        Ok((id.clone(), format!("context pack {id}")))
    })?;
    tour.step("anchor", || {
        let section = ToolArgs::new()
            .with("action", "upsert_section")
            .with("id", &id)
            .with("expected_revision", 1)
            .with("section_key", "code")
            .with("section_title", "Code");
        editor.call("input", section)?;
        let anchor = ToolArgs::new()
            .with("action", "upsert_ref")
            .with("id", &id)
            .with("expected_revision", 2)
            .with("section_key", "code")
            .with("ref_key", "greet")
            .with("path", "greet.rs")
            .with("line_start", 1)
            .with("line_end", 3);
        editor.call("input", anchor)?;
        Ok(((), "greet.rs, lines 1-3".into()))
    })?;
    let shown = tour.step("render", || {
        let page = editor.call("output", ToolArgs::new().with("id", &id))?;
        let text = page["content"][0]["text"].as_str().unwrap_or_default().to_string();
        let lines = text.lines().count();
        Ok((text, format!("{lines} lines of Markdown with the code in it")))
    })?;
    tour.step("undo", || Ok(((), said(&editor.call("history_undo", ToolArgs::new())?, "undid"))))?;
    tour.step("redo", || Ok(((), said(&editor.call("history_redo", ToolArgs::new())?, "redid"))))?;
    drop(editor);
    drop(scratch);
    let home = Home::locate()?;
    let packd = own_name();
    let answer = json!({"ok": true, "steps": tour.steps, "home": home.dir(), "pid": welcome.pid, "shim": shim, "command": packd});
    render.show(&answer, |r| {
        r.line("");
        for line in shown
            .lines()
            .filter(|l| l.contains("| ") || l.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        {
            r.line(format!("    {}", r.ink(Ink::Dim, line)));
        }
        r.line("");
        r.line(format!("State lives in {}.", super::view::place::project(&home.dir().to_string_lossy())));
        if packd == "packd" {
            r.prose(0, "Connect your editors with `packd setup`.");
        } else {
            r.prose(0, "packd is not on your PATH yet: `cargo install --path .` or `packaging/install.sh` in its source puts it there.");
            r.prose(0, format!("Then `packd setup` connects your editors. Until then, type {packd} for packd."));
        }
        r.prose(0, "See what agents did with `packd history`; take it back with `packd undo`.");
    });
    Ok(())
}

/// A home for the time of the showing.
struct Scratch {
    dir: tempfile::TempDir,
    home: Home,
}

impl Scratch {
    fn make() -> Result<Scratch, CommandFailure> {
        let dir = tempfile::tempdir()
            .map_err(|e| CommandFailure::refused(format!("No scratch directory: {e}.")))?;
        let home = Home::at(dir.path().join("home"));
        Ok(Scratch { dir, home })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A daemon that does not answer ends by itself when its home is gone.
        let _ = start::stop(&self.home);
    }
}

/// How this program is called from here: by its name where the shell would find it, else by its path.
fn own_name() -> String {
    let Ok(own) = std::env::current_exe().and_then(|exe| exe.canonicalize()) else { return "packd".into() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).find_map(|dir| dir.join("packd").canonicalize().ok());
    if found.as_deref() == Some(&own) {
        return "packd".into();
    }
    let here = std::env::current_dir().and_then(|dir| dir.canonicalize()).unwrap_or_default();
    own.strip_prefix(here).unwrap_or(&own).display().to_string()
}

fn said(result: &Value, field: &str) -> String {
    result["structuredContent"][field]["summary"].as_str().unwrap_or_default().to_string()
}

/// Prints one line per step with the time it took.
struct Tour {
    render: Render,
    steps: Vec<Value>,
}

impl Tour {
    fn step<T>(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<(T, String), CommandFailure>,
    ) -> Result<T, CommandFailure> {
        let started = Instant::now();
        let (value, told) = run()?;
        let millis = started.elapsed().as_secs_f64() * 1000.0;
        self.steps.push(json!({"step": name, "result": told, "milliseconds": millis}));
        if !self.render.json {
            let mark = self.render.ink(Ink::Green, "ok");
            let time = self.render.ink(Ink::Dim, format!("{millis:.1} ms"));
            self.render.line(format!("{mark}  {name:<7} {told}  {time}"));
        }
        Ok(value)
    }
}
