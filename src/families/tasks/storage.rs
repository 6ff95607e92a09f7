//! storage: where tasks live; and, as further actions, taking task files in and giving them out.

use serde_json::{Value, json};

use crate::core::{IndexQuery, Result};

use super::args::{self, flag, text};
use super::auto::Gathered;
use super::fail::{Envelope, fail};
use super::file;
use super::model::{ItemKind, Object};
use super::notes;
use super::run::{Answer, Run, counter};
use super::store::{self, BY_KIND};
use super::suggest;

const PAGE: i64 = 200;

pub fn storage(run: &mut Run, request: &Object) -> Result<Answer> {
    match text(request, "action").unwrap_or("info") {
        "info" => info(run),
        "export" => export(run, request),
        "import" => import(run, request),
        other => Err(fail("INVALID_FILTER", format!("'{other}' is not an action of storage."))
            .hint("Use info, export or import.")),
    }
}

fn info(run: &Run) -> Result<Answer> {
    let workspace = run.workspace();
    let mut total = 0;
    for kind in [ItemKind::Plan, ItemKind::Task] {
        total += store::count(run.view(), workspace, kind)?;
    }
    let name = workspace.rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or(workspace);
    let local = format!("{workspace}/.tasks");
    let exists = run.ctx.prepared::<Gathered>().is_ok_and(|g| g.local_tasks);
    let mut answer = Answer::new(json!({"global_storage": "packd", "global_exists": true,
        "local_storage": local, "local_exists": exists, "current_storage": "packd",
        "current_namespace": name,
        "namespaces": [{"namespace": name, "path": workspace, "task_count": total}]}));
    if exists {
        let params = json!({"action": "import", "dir": ".tasks", "dry_run": true});
        let reason = "There are task files in this workspace; this shows what an import would do.";
        answer.suggestions.extend(suggest::normal("storage", reason, params));
    }
    Ok(answer)
}

fn export(run: &Run, request: &Object) -> Result<Answer> {
    let limit = args::number(request, "limit", 1, PAGE, "INVALID_LIMIT")?.unwrap_or(PAGE) as usize;
    let cursor = args::number(request, "cursor", 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0) as usize;
    let mut ids = Vec::new();
    match args::id(request, "task", "INVALID_TASK")? {
        Some(id) => ids.push(id.to_string()),
        None => {
            for kind in [ItemKind::Plan, ItemKind::Task] {
                let group = store::group(run.workspace(), &[kind.as_str()]);
                let want = (cursor + limit + 1).saturating_sub(ids.len());
                let query = IndexQuery::new(BY_KIND, group).limit(want);
                ids.extend(store::ids(run.view(), &query)?.into_iter().map(|(_, id)| id));
            }
        }
    }
    let more = ids.len() > cursor + limit;
    let mut files = Vec::new();
    for id in ids.iter().skip(cursor).take(limit) {
        let Some(loaded) = run.load(id)? else { return Err(run.not_found(id)) };
        let folder = &loaded.item.domain;
        let slash = if folder.is_empty() { "" } else { "/" };
        files.push(json!({"path": format!("{folder}{slash}{id}.task"),
            "text": file::encode(&loaded.item, loaded.rev)?}));
    }
    let next = more.then(|| (cursor + limit).to_string());
    Ok(Answer::new(json!({"action": "export", "count": files.len(), "files": files, "next_cursor": next})))
}

/// The files of an import: sent along, or read from a directory by the preparation.
fn files(run: &Run, request: &Object) -> Result<Vec<(String, String)>> {
    if let Some(list) = request.get("files").and_then(Value::as_array) {
        let one = |(i, v): (usize, &Value)| match (v["path"].as_str(), v["text"].as_str()) {
            (Some(path), Some(text)) => Ok((path.to_string(), text.to_string())),
            _ => Err(fail("INVALID_FIELDS", format!("files[{i}] must be {{path, text}}."))),
        };
        return list.iter().enumerate().map(one).collect();
    }
    if let (Some(dir), Ok(gathered)) = (text(request, "dir"), run.ctx.prepared::<Gathered>()) {
        return gathered.files.clone().ok_or_else(|| {
            fail("NOT_FOUND", format!("There is no directory {dir}.")).result(json!({"dir": dir}))
        });
    }
    Err(fail("NO_FIELDS", "There is nothing to import.").hint("Send 'dir', or 'files' as [{path, text}]."))
}

/// Takes every readable file in as one operation; what cannot be read is reported, not fatal.
fn import(run: &mut Run, request: &Object) -> Result<Answer> {
    let overwrite = flag(request, "overwrite", false);
    let (mut imported, mut skipped, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (path, content) in files(run, request)? {
        let (item, revision) = match file::decode(&path, &content) {
            Ok((mut item, revision)) => {
                notes::clean(&mut item);
                (item, revision)
            }
            Err(error) => {
                failed.push(json!({"path": path, "error": error.message}));
                continue;
            }
        };
        let id = item.id.clone();
        if let Some(present) = run.load(&id)? {
            let same = file::encode(&present.item, 0)? == file::encode(&item, 0)?;
            if same || !overwrite {
                let reason = if same { "is already here" } else { "is here with other content" };
                skipped.push(json!({"path": path, "id": id, "reason": reason}));
                continue;
            }
        }
        if let Some(number) = id.rsplit_once('-').and_then(|(_, n)| n.parse::<u64>().ok()) {
            let counter = counter(run.workspace(), item.kind);
            run.draft.raise(&counter, number)?;
        }
        let saved = run.save_imported(item, revision)?;
        imported.push(json!({"path": path, "id": saved.item.id, "kind": saved.item.kind.as_str(),
            "title": saved.item.title, "steps": saved.item.walk().len()}));
    }
    let nothing = imported.is_empty();
    let mut answer = Answer::new(json!({"action": "import",
        "counts": {"imported": imported.len(), "skipped": skipped.len(), "failed": failed.len()},
        "imported": imported, "skipped": skipped, "failed": failed}));
    if !failed.is_empty() {
        answer.warnings.push(format!("{} files could not be read and were left out.", failed.len()));
    }
    answer.wrote = true;
    answer.no_op = nothing;
    Ok(answer)
}
