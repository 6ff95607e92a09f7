//! `packd pack`: context packs for people.

use serde_json::{Value, json};

use super::args::PackCommand;
use super::render::{Ink, Render, shorten};
use super::{Client, Failure, Scope};

pub fn run(command: PackCommand, render: Render, scope: &Scope) -> Result<(), Failure> {
    let mut client = Client::open(scope)?;
    match command {
        PackCommand::List { query, status, limit } => {
            let mut request = json!({"action": "list", "limit": limit});
            if let Some(query) = query {
                request["query"] = json!(query);
            }
            if let Some(status) = status {
                request["status"] = json!(status);
            }
            list(&input(&mut client, request)?, render);
        }
        PackCommand::Show { name } => {
            let answer = client.call("output", json!({"id": name}))?;
            if answer.is_error {
                return Err(Failure::of_tool(&answer));
            }
            render.show(&json!({"markdown": answer.text}), |r| r.raw(&answer.text));
        }
        PackCommand::Export { names, to } => export(&mut client, names, to.as_deref(), render)?,
        PackCommand::Check { names, fix } => super::pack_check::run(&mut client, names, fix, render)?,
        PackCommand::Import { files } => import(&mut client, &files, render)?,
    }
    Ok(())
}

/// Calls `input` and takes the payload out of its reply.
pub(super) fn input(client: &mut Client, request: Value) -> Result<Value, Failure> {
    Ok(client.must("input", request)?["payload"].clone())
}

/// The packs that were named, else every one.
pub(super) fn these_or_all(client: &mut Client, names: Vec<String>) -> Result<Vec<String>, Failure> {
    if !names.is_empty() {
        return Ok(names);
    }
    let all = input(client, json!({"action": "list"}))?;
    let packs = all["packs"].as_array().cloned().unwrap_or_default();
    Ok(packs.iter().filter_map(|p| p["id"].as_str().map(str::to_string)).collect())
}

fn list(payload: &Value, render: Render) {
    render.show(payload, |r| {
        let packs = payload["packs"].as_array().cloned().unwrap_or_default();
        if packs.is_empty() {
            return r.line("There are no packs here. An agent makes one with the `input` tool.");
        }
        let mut rows = vec![["ID", "TITLE", "STATUS", "REV", "LEFT"].map(|h| r.ink(Ink::Bold, h)).to_vec()];
        for pack in &packs {
            let of = |field: &str| pack[field].as_str().unwrap_or_default().to_string();
            let title =
                [of("title"), of("name")].into_iter().find(|t| !t.is_empty()).unwrap_or("Untitled".into());
            rows.push(vec![
                of("id"),
                shorten(&title, 36),
                of("status"),
                pack["revision"].to_string(),
                of("ttl_remaining_human"),
            ]);
        }
        r.table(&rows);
        r.line(r.ink(Ink::Dim, format!("{} of {}", packs.len(), payload["total"])));
    });
}

fn export(
    client: &mut Client,
    names: Vec<String>,
    to: Option<&std::path::Path>,
    render: Render,
) -> Result<(), Failure> {
    let names = these_or_all(client, names)?;
    if to.is_none() && names.len() != 1 {
        return Err(Failure::refused(format!("{} packs cannot be printed at once.", names.len()))
            .hint("Name one pack, or a directory with --to."));
    }
    let mut written = Vec::new();
    for name in names {
        let payload = input(client, json!({"action": "export", "id": name}))?;
        let document = payload["document"].as_str().unwrap_or_default();
        let Some(dir) = to else {
            render.raw(document);
            return Ok(());
        };
        let path = dir.join(format!("{}.md", payload["id"].as_str().unwrap_or(&name)));
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&path, document))
            .map_err(|e| Failure::refused(format!("Cannot write {}: {e}.", path.display())))?;
        written.push(path.display().to_string());
    }
    render.show(&json!({"written": written}), |r| written.iter().for_each(|path| r.line(path)));
    Ok(())
}

fn import(client: &mut Client, files: &[std::path::PathBuf], render: Render) -> Result<(), Failure> {
    if files.is_empty() {
        return Err(
            Failure::refused("There is nothing to import.").hint("Example: packd pack import packs/*.md")
        );
    }
    let mut done = Vec::new();
    for file in files {
        let document = std::fs::read_to_string(file)
            .map_err(|e| Failure::refused(format!("Cannot read {}: {e}.", file.display())))?;
        let payload = input(client, json!({"action": "import", "document": document}))
            .map_err(|f| Failure { message: format!("{}: {}", file.display(), f.message), ..f })?;
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
