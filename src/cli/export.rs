//! `packd export`: packs, tasks and both logs as files that need no packd to be read.
//!
//! For reading and passing on, so without secrets; what must come back byte for byte is `packd backup`.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::ExportArgs;
use super::progress::SignOfLife;
use super::view::render::Render;
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::core::redact;

/// The workspace of sessions that have no project.
const USER_WIDE: &str = "~";

pub fn run(args: &ExportArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    let progress = SignOfLife::start(render, "exporting");
    let mut out = Written { dir: args.dir.clone(), counts: BTreeMap::new(), skipped: Vec::new() };
    let mut workspaces = Vec::new();
    for stream in ["ops", "audit"] {
        log(&mut client, stream, args.all, &mut out, &mut workspaces)?;
    }
    if args.all {
        workspaces.sort();
        workspaces.dedup();
        for workspace in &workspaces {
            // What belongs to no project, or to one that is gone, is only reachable from where it was made.
            if workspace == USER_WIDE || !Path::new(workspace).is_dir() {
                out.skipped.push(workspace.clone());
                continue;
            }
            let mut client = Client::open(&CommandScope::of(workspace))?;
            project(&mut client, &name_of(workspace, &workspaces), &mut out)?;
        }
    } else {
        project(&mut client, "", &mut out)?;
    }
    drop(progress);
    let answer = json!({"dir": out.dir, "written": out.counts, "skipped": out.skipped});
    render.show(&answer, |r| {
        for (what, count) in &out.counts {
            r.line(format!("{count:>7}  {what}"));
        }
        r.line(format!("in {}", out.dir.display()));
        for workspace in &out.skipped {
            r.line(format!("skipped {workspace}: not a directory; its log records are in the logs"));
        }
    });
    Ok(())
}

struct Written {
    dir: PathBuf,
    counts: BTreeMap<String, u64>,
    skipped: Vec<String>,
}

impl Written {
    fn write(&mut self, what: &str, below: &Path, text: &str) -> Result<(), CommandFailure> {
        let path = self.dir.join(below);
        let parent = path.parent().unwrap_or(Path::new("."));
        let write = || create(&path)?.write_all(redact::text(text).0.as_bytes());
        make_dir(parent).and_then(|()| write()).map_err(cannot(&path))?;
        *self.counts.entry(what.to_string()).or_default() += 1;
        Ok(())
    }
}

/// Only its owner can read what is exported, whatever the umask says and whoever made the file before.
fn create(path: &Path) -> std::io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

/// Directories that are there already stay as they are.
fn make_dir(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn cannot(path: &Path) -> impl Fn(std::io::Error) -> CommandFailure {
    move |e| CommandFailure::refused(format!("Cannot write {}: {e}.", path.display()))
}

/// A directory name for a project: its last part, with a number where two projects share it.
fn name_of(workspace: &str, all: &[String]) -> String {
    let last = |w: &str| w.rsplit('/').next().unwrap_or_default().to_string();
    let same: Vec<_> = all.iter().filter(|w| last(w) == last(workspace)).collect();
    match same.iter().position(|w| *w == workspace) {
        Some(n) if n > 0 => format!("{}-{}", last(workspace), n + 1),
        _ => last(workspace),
    }
}

/// One record a line, oldest first; a streaming reader can begin before the end.
fn log(
    client: &mut Client,
    stream: &str,
    all: bool,
    out: &mut Written,
    workspaces: &mut Vec<String>,
) -> Result<(), CommandFailure> {
    let path = out.dir.join(format!("{stream}.jsonl"));
    make_dir(&out.dir).map_err(cannot(&out.dir))?;
    let mut file = BufWriter::new(create(&path).map_err(cannot(&path))?);
    let mut since: Option<String> = None;
    let mut count = 0;
    loop {
        let request = ToolArgs::new().with("stream", stream).with("limit", 500).with("all_workspaces", all);
        let request = request.given("since", since.as_ref());
        let page = client.must("history_delta", request)?;
        for record in page["operations"].as_array().into_iter().flatten() {
            writeln!(file, "{}", redact::value(record)).map_err(cannot(&path))?;
            count += 1;
            workspaces.extend(record["workspace"].as_str().map(str::to_string));
        }
        since = page["latest_id"].as_str().map(str::to_string).or(since);
        if page["has_more"] != true {
            break;
        }
    }
    file.flush().map_err(cannot(&path))?;
    out.counts.insert(format!("records in {stream}.jsonl"), count);
    Ok(())
}

fn project(client: &mut Client, name: &str, out: &mut Written) -> Result<(), CommandFailure> {
    let packs =
        client.must("input", ToolArgs::new().with("action", "list").with("limit", super::pack::ALL))?;
    for pack in packs["payload"]["packs"].as_array().into_iter().flatten() {
        let made = client.must("input", ToolArgs::new().with("action", "export").with("id", &pack["id"]))?;
        let (id, document) = (made["payload"]["id"].as_str(), made["payload"]["document"].as_str());
        let file = Path::new(name).join("packs").join(format!("{}.md", id.unwrap_or("pack")));
        out.write("packs (Markdown)", &file, document.unwrap_or_default())?;
    }
    let mut cursor = Value::Null;
    loop {
        let request = ToolArgs::new().with("action", "export").given("cursor", cursor.as_str());
        let page = client.must("tasks_storage", request)?["result"].take();
        for file in page["files"].as_array().into_iter().flatten() {
            let (Some(path), Some(text)) = (file["path"].as_str(), file["text"].as_str()) else { continue };
            // The daemon makes these names; one that leaves the directory would be a defect, not a request.
            let inside = Path::new(path).components().all(|c| matches!(c, std::path::Component::Normal(_)));
            if inside {
                out.write("plans and tasks", &Path::new(name).join("tasks").join(path), text)?;
            }
        }
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            return Ok(());
        }
    }
}
