//! `tasks_storage`: where tasks live; and, as further actions, taking task files in and giving them out.

use serde::{Deserialize, Serialize};

use crate::core::{Given, IndexQuery, Look, Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, Flag, WholeNumber, text};
use super::super::auto::{self, SeenOutside};
use super::super::errors::{EnvelopeParts, fail};
use super::super::file;
use super::super::intent::Intent;
use super::super::model::ItemKind;
use super::super::notes;
use super::super::request::{IntentRequest, counter};
use super::super::rows::{self, BY_KIND};
use super::super::suggest::Suggestion;
use super::super::target::IntentTarget;

pub struct Storage;

const PAGE: i64 = 200;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StorageArgs {
    #[serde(flatten)]
    common: Common,
    action: Given<String>,
    dir: Given<String>,
    files: Given<Vec<TaskFile>>,
    overwrite: Flag,
    limit: Given<WholeNumber>,
    cursor: Given<WholeNumber>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct TaskFile {
    path: String,
    text: String,
}

#[derive(Serialize)]
struct Info<'a> {
    global_storage: &'static str,
    global_exists: bool,
    local_storage: String,
    local_exists: bool,
    current_storage: &'static str,
    current_namespace: &'a str,
    namespaces: [Namespace<'a>; 1],
}

#[derive(Serialize)]
struct Namespace<'a> {
    namespace: &'a str,
    path: &'a str,
    task_count: u64,
}

#[derive(Serialize)]
struct ImportCall {
    action: &'static str,
    dir: &'static str,
    dry_run: bool,
}

#[derive(Serialize)]
struct Exported {
    action: &'static str,
    count: usize,
    files: Vec<TaskFile>,
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct Imported {
    action: &'static str,
    counts: Counts,
    imported: Vec<TakenIn>,
    skipped: Vec<Skipped>,
    failed: Vec<Unreadable>,
}

#[derive(Serialize)]
struct Counts {
    imported: usize,
    skipped: usize,
    failed: usize,
}

#[derive(Serialize)]
struct TakenIn {
    path: String,
    id: String,
    kind: &'static str,
    title: String,
    steps: usize,
}

#[derive(Serialize)]
struct Skipped {
    path: String,
    id: String,
    reason: &'static str,
}

#[derive(Serialize)]
struct Unreadable {
    path: String,
    error: String,
}

#[derive(Serialize)]
struct NoDir<'a> {
    dir: &'a str,
}

impl Intent for Storage {
    type Args = StorageArgs;
    const TOOL: &'static str = "tasks_storage";
    const LOOKS: Needs = Needs::World;

    fn common(args: &StorageArgs) -> &Common {
        &args.common
    }

    fn previews(args: &StorageArgs) -> bool {
        args.common.dry_run.on()
    }

    fn see(look: &Look, args: &StorageArgs) -> Result<SeenOutside> {
        let files = match (text(&args.action), text(&args.dir)) {
            (Some("import"), Some(dir)) => auto::task_files(look.session, look.world, dir)?,
            _ => None,
        };
        Ok(SeenOutside {
            local_tasks: auto::local_tasks(look.session, look.world),
            files,
            ..SeenOutside::default()
        })
    }

    fn answer(
        request: &mut IntentRequest,
        args: &StorageArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        match text(&args.action).unwrap_or("info") {
            "info" => info(request),
            "export" => export(request, args, target),
            "import" => import(request, args),
            other => Err(fail("INVALID_FILTER", format!("'{other}' is not an action of storage."))
                .hint("Use info, export or import.")),
        }
    }
}

fn info(request: &IntentRequest) -> Result<IntentAnswer> {
    let workspace = request.workspace();
    let mut task_count = 0;
    for kind in [ItemKind::Plan, ItemKind::Task] {
        task_count += rows::count(request.view(), workspace, kind)?;
    }
    let name = workspace.rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or(workspace);
    let exists = request.seen.local_tasks;
    let mut answer = IntentAnswer::new(&Info {
        global_storage: "packd",
        global_exists: true,
        local_storage: format!("{workspace}/.tasks"),
        local_exists: exists,
        current_storage: "packd",
        current_namespace: name,
        namespaces: [Namespace { namespace: name, path: workspace, task_count }],
    });
    if exists {
        let params = ImportCall { action: "import", dir: ".tasks", dry_run: true };
        let reason = "There are task files in this workspace; this shows what an import would do.";
        answer.suggestions.extend(Suggestion::normal("storage", reason, &params));
    }
    Ok(answer)
}

fn export(request: &IntentRequest, args: &StorageArgs, target: &IntentTarget) -> Result<IntentAnswer> {
    let limit = args::number(&args.limit, "limit", 1, PAGE, "INVALID_LIMIT")?.unwrap_or(PAGE) as usize;
    let cursor =
        args::number(&args.cursor, "cursor", 0, i64::MAX, "INVALID_PAGINATION")?.unwrap_or(0) as usize;
    let mut ids: Vec<String> = Vec::new();
    match args::id(&target.task, "task", "INVALID_TASK")? {
        Some(id) => ids.push(id.to_string()),
        None => {
            for kind in [ItemKind::Plan, ItemKind::Task] {
                let group = rows::group(request.workspace(), &[kind.as_str()]);
                let want = (cursor + limit + 1).saturating_sub(ids.len());
                let query = IndexQuery::new(BY_KIND, group).limit(want);
                ids.extend(rows::ids(request.view(), &query)?.into_iter().map(|(_, id)| id));
            }
        }
    }
    let more = ids.len() > cursor + limit;
    let mut files = Vec::new();
    for id in ids.iter().skip(cursor).take(limit) {
        let Some(loaded) = request.load(id)? else { return Err(request.not_found(id)) };
        let folder = &loaded.item.domain;
        let slash = if folder.is_empty() { "" } else { "/" };
        let path = format!("{folder}{slash}{id}.task");
        files.push(TaskFile { path, text: file::encode(&loaded.item, loaded.rev)? });
    }
    let next_cursor = more.then(|| (cursor + limit).to_string());
    Ok(IntentAnswer::new(&Exported { action: "export", count: files.len(), files, next_cursor }))
}

/// The files of an import: sent along, or read from a directory before this was decided.
fn files(request: &IntentRequest, args: &StorageArgs) -> Result<Vec<TaskFile>> {
    match (&args.files, text(&args.dir)) {
        (Given::Is(list), _) => Ok(list.clone()),
        (Given::Wrong(_), _) => Err(fail("INVALID_FIELDS", "Each of 'files' must be {path, text}.")),
        (Given::Absent, Some(dir)) => {
            let found = request.seen.files.as_ref().ok_or_else(|| {
                fail("NOT_FOUND", format!("There is no directory {dir}.")).result(NoDir { dir })
            })?;
            Ok(found.iter().map(|(path, text)| TaskFile { path: path.clone(), text: text.clone() }).collect())
        }
        (Given::Absent, None) => Err(fail("NO_FIELDS", "There is nothing to import.")
            .hint("Send 'dir', or 'files' as [{path, text}].")),
    }
}

/// Takes every readable file in as one operation; what cannot be read is reported, not fatal.
fn import(request: &mut IntentRequest, args: &StorageArgs) -> Result<IntentAnswer> {
    let overwrite = args.overwrite.on();
    let (mut imported, mut skipped, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for TaskFile { path, text } in files(request, args)? {
        let (mut item, revision) = match file::decode(&path, &text) {
            Ok(read) => read,
            Err(error) => {
                failed.push(Unreadable { path, error: error.message });
                continue;
            }
        };
        notes::clean(&mut item);
        let id = item.id.clone();
        if let Some(present) = request.load(&id)? {
            let same = file::encode(&present.item, 0)? == file::encode(&item, 0)?;
            if same || !overwrite {
                let reason = if same { "is already here" } else { "is here with other content" };
                skipped.push(Skipped { path, id, reason });
                continue;
            }
        }
        if let Some(number) = id.rsplit_once('-').and_then(|(_, n)| n.parse::<u64>().ok()) {
            let counter = counter(request.workspace(), item.kind);
            request.draft.raise(&counter, number)?;
        }
        let saved = request.save_imported(item, revision)?.item;
        let steps = saved.walk().len();
        imported.push(TakenIn { path, id: saved.id, kind: saved.kind.as_str(), title: saved.title, steps });
    }
    let nothing = imported.is_empty();
    let counts = Counts { imported: imported.len(), skipped: skipped.len(), failed: failed.len() };
    let unreadable = failed.len();
    let mut answer = IntentAnswer::new(&Imported { action: "import", counts, imported, skipped, failed });
    if unreadable > 0 {
        answer.warnings.push(format!("{unreadable} files could not be read and were left out."));
    }
    answer.wrote = true;
    answer.no_op = nothing;
    Ok(answer)
}
