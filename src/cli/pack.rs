//! `packd pack`: context packs for people.

use serde_json::{Value, json};

use super::args::PackCommand;
use super::view::render::Render;
use super::view::{pack as view, pack_show as shown};
use super::{Client, CommandFailure, CommandScope, ToolArgs, ids};

pub fn run(command: PackCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    match command {
        PackCommand::List { query, status, limit } => {
            let narrowed = query.is_some() || status.is_some();
            let request = ToolArgs::new().with("action", "list").with("limit", limit);
            let request = request.given("query", query).given("status", status);
            let payload = input(&mut client, request)?;
            render.long().view(&payload, |r, l: view::PacksView| view::list(r, &l, narrowed))?;
        }
        PackCommand::Show { name } => {
            let id = ids::pack(&mut client, &name)?;
            show(&mut client, &id, render)?;
        }
        PackCommand::New { title, name, brief, days } => {
            if title.trim().is_empty() {
                return Err(CommandFailure::usage("A pack needs a title.")
                    .hint("Example: packd pack new 'How login works'"));
            }
            let request = ToolArgs::new()
                .with("action", "create")
                .with("title", title)
                .with("ttl_minutes", days * 24 * 60);
            let made = input(&mut client, request.given("name", name).given("brief", brief))?;
            render.view(&made, |r, pack: view::ChangedPackView| {
                view::changed(r, "made", &pack);
                r.hint(format!("`packd pack add {} FILE:START-END` adds code to it.", pack.id));
            })?;
        }
        PackCommand::Add { pack, code, symbol, section, why } => {
            super::pack_add::run(
                &mut client,
                &pack,
                &code,
                symbol.as_deref(),
                &section,
                why.as_deref(),
                render,
            )?;
        }
        PackCommand::Edit { pack } => super::pack_add::edit(&mut client, &pack, render)?,
        PackCommand::Export { names, to } => export(&mut client, names, to.as_deref(), render)?,
        PackCommand::Check { names, fix } => super::pack_check::run(&mut client, names, fix, render)?,
        PackCommand::Import { files } => import(&mut client, &files, render)?,
    }
    Ok(())
}

/// A person scrolls: as many as one answer holds.
pub(super) const ALL: u64 = 100_000;

/// Calls `input` and takes the payload out of its reply.
pub(super) fn input(client: &mut Client, request: ToolArgs) -> Result<Value, CommandFailure> {
    Ok(client.must("input", request)?["payload"].clone())
}

/// A person sees the pack and the code it points to; with `--json` also the Markdown that an agent gets.
fn show(client: &mut Client, id: &str, render: Render) -> Result<(), CommandFailure> {
    let pack = input(client, ToolArgs::new().with("action", "get").with("id", id))?;
    if render.json {
        let answer = client.call("output", ToolArgs::new().with("id", id).with("limit", ALL))?;
        if answer.is_error {
            return Err(CommandFailure::of_tool(&answer));
        }
        render.json(&json!({"markdown": answer.text, "pack": pack}));
        return Ok(());
    }
    // Where the code cannot be looked at, the pack is shown all the same.
    let looked = input(
        client,
        ToolArgs::new().with("action", "check").with("id", id).with("limit", super::pack_check::ALL),
    );
    let looked: shown::PackRefsView =
        looked.ok().and_then(|l| super::view::read(&l).ok()).unwrap_or_default();
    let pack: shown::WholePackView = super::view::read(&pack)?;
    shown::print(render.long(), &pack, &looked, super::view::place::root());
    Ok(())
}

/// The packs that were named, else every one.
pub(super) fn these_or_all(client: &mut Client, names: Vec<String>) -> Result<Vec<String>, CommandFailure> {
    if !names.is_empty() {
        return names.iter().map(|name| ids::pack(client, name)).collect();
    }
    let all = input(client, ToolArgs::new().with("action", "list").with("limit", ALL))?;
    let packs = all["packs"].as_array().cloned().unwrap_or_default();
    Ok(packs.iter().filter_map(|p| p["id"].as_str().map(str::to_string)).collect())
}

fn export(
    client: &mut Client,
    names: Vec<String>,
    to: Option<&std::path::Path>,
    render: Render,
) -> Result<(), CommandFailure> {
    let names = these_or_all(client, names)?;
    if to.is_none() && names.len() != 1 {
        return Err(CommandFailure::usage(format!("{} packs cannot be printed at once.", names.len()))
            .hint("Name one pack, or a directory with --to."));
    }
    let mut written = Vec::new();
    for name in names {
        let payload = input(client, ToolArgs::new().with("action", "export").with("id", &name))?;
        let document = payload["document"].as_str().unwrap_or_default();
        let Some(dir) = to else {
            render.raw(document);
            return Ok(());
        };
        let path = dir.join(format!("{}.md", payload["id"].as_str().unwrap_or(&name)));
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&path, document))
            .map_err(|e| CommandFailure::refused(format!("Cannot write {}: {e}.", path.display())))?;
        written.push(path.display().to_string());
    }
    render.show(&json!({"written": written}), |r| written.iter().for_each(|path| r.line(path)));
    Ok(())
}

fn import(client: &mut Client, files: &[std::path::PathBuf], render: Render) -> Result<(), CommandFailure> {
    if files.is_empty() {
        return Err(CommandFailure::usage("There is nothing to import.")
            .hint("Example: packd pack import packs/*.md"));
    }
    let mut done = Vec::new();
    for file in files {
        let document = std::fs::read_to_string(file)
            .map_err(|e| CommandFailure::refused(format!("Cannot read {}: {e}.", file.display())))?;
        let payload = input(client, ToolArgs::new().with("action", "import").with("document", document))
            .map_err(|f| CommandFailure { message: format!("{}: {}", file.display(), f.message), ..f })?;
        done.push(json!({"file": file, "id": payload["id"], "revision": payload["revision"]}));
    }
    render.show(&json!({"imported": done}), |r| {
        for one in &done {
            r.line(format!(
                "{}  {}",
                one["id"].as_str().unwrap_or_default(),
                one["file"].as_str().unwrap_or_default()
            ));
        }
    });
    Ok(())
}
