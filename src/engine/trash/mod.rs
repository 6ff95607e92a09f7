//! The trash in packd's home: what discard, archive and undo of an install take away, kept 30 days.
//!
//! An entry is whole in its old place or in the trash at every moment; what a crash interrupts is finished or taken
//! back at the next start. Nothing is taken where it would not fit.

mod entry;
mod keepsake;
mod moving;
mod recover;
mod worktree;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use entry::{MovedDir, TrashEntry, TrashState, make_dir};
use keepsake::GitDirs;
pub(super) use recover::{finish_moves, resume};

use super::Shared;
use super::housekeeping::nobody;
use crate::core::git::Git;
use crate::core::trash::{DAYS, Discard, Saved};
use crate::core::unpushed::{self, CheckoutScope};
use crate::core::{Op, SessionInfo, Timestamp, run::StepWork};

/// Why not, as the part of a sentence.
type Told<T> = Result<T, String>;

/// Beyond what is known to be needed: pages, indexes, what git keeps about worktrees.
const SPARE: u64 = 1 << 20;

fn home(shared: &Shared) -> Told<&Path> {
    shared.trash.as_deref().ok_or_else(|| "this daemon has no trash".to_string())
}

/// Operation ids name entries; anything else would be a path.
fn place(shared: &Shared, id: &str) -> Told<PathBuf> {
    match !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        true => Ok(home(shared)?.join(id)),
        false => Err(format!("{id} is not the id of an operation")),
    }
}

/// Git on behalf of nobody in particular, with the settings of the user whose home this is.
fn caller(home: &Path) -> SessionInfo {
    let mut info = nobody("");
    info.home = home.to_path_buf();
    info
}

/// Fails if a checkout holds work that exists nowhere else.
pub(super) fn check_saved(shared: &Shared, saved: &Saved) -> Told<String> {
    let whose = saved.own.as_deref().map_or(CheckoutScope::All, CheckoutScope::Own);
    let session = caller(&saved.home);
    let found =
        unpushed::look(&*shared.world, &session, &saved.dir, &saved.skip, whose).map_err(|e| e.message)?;
    let lines = found.lines(&saved.name);
    match lines.len() {
        0 => Ok(String::new()),
        n if n > 20 => Err(format!("not so any more: {} and {} more", lines[..20].join("; "), n - 20)),
        _ => Err(format!("not so any more: {}", lines.join("; "))),
    }
}

/// Remembers which tags a fresh clone has, for telling them from the user's later.
pub(super) fn note_tags(shared: &Shared, dir: &Path, home: &Path) -> Told<String> {
    let session = caller(home);
    let git = Git::new(&*shared.world, &session, dir);
    let tags = git.text(&["for-each-ref", "--format=%(objectname)", "refs/tags"]).map_err(|e| e.message)?;
    let file = GitDirs::of(&git)?.common.join(unpushed::REMOTE_TAGS);
    std::fs::write(&file, tags + "\n").map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    Ok(String::new())
}

/// Moves directories to the trash, all of them or none.
pub(super) fn put(shared: &Shared, discard: &Discard) -> Told<String> {
    let dir = place(shared, &discard.entry)?;
    let here: Vec<&PathBuf> = discard.paths.iter().filter(|p| std::fs::symlink_metadata(p).is_ok()).collect();
    let mut entry = match TrashEntry::load(&dir)? {
        Some(entry) if entry.state == TrashState::Moving => entry,
        Some(_) if here.is_empty() => return Ok(String::new()),
        Some(_) => return Err(format!("the trash already holds {}", dir.display())),
        None if here.is_empty() => return Ok(String::new()),
        None => match gather(shared, discard, &here, &dir) {
            Ok(entry) => entry,
            Err(why) => {
                let _ = moving::remove(&dir);
                return Err(why);
            }
        },
    };
    if let Err(why) = take(shared, &mut entry, &dir) {
        return Err(match give_back(shared, &mut entry, &dir) {
            Ok(()) => why,
            Err(also) => format!("{why}; not everything could be put back: {also}"),
        });
    }
    Ok(String::new())
}

/// Makes an entry with everything that is kept apart, and room for the rest. Nothing has moved yet.
fn gather(shared: &Shared, discard: &Discard, here: &[&PathBuf], dir: &Path) -> Told<TrashEntry> {
    for path in here {
        below(&discard.root, path)?;
    }
    let session = caller(&discard.home);
    make_dir(home(shared)?)?;
    moving::remove(dir)?;
    make_dir(&dir.join("files"))?;
    let mut checkouts = Vec::new();
    for kept in discard.checkouts.iter().filter(|k| k.dir.join(".git").symlink_metadata().is_ok()) {
        let git = Git::new(&*shared.world, &session, &kept.dir);
        checkouts.push((kept, GitDirs::of(&git)?));
    }
    room(here, &checkouts.iter().map(|(_, dirs)| dirs).collect::<Vec<_>>(), dir)?;
    let now = shared.clock.now();
    let mut entry = TrashEntry {
        operation: discard.entry.clone(),
        subject: discard.subject.clone(),
        state: TrashState::Moving,
        at: now,
        until: now.plus_seconds(DAYS * 24 * 3600),
        bytes: 0,
        home: discard.home.clone(),
        moved: Vec::new(),
        linked: Vec::new(),
        branches: worktree::branches(&*shared.world, &session, discard)?,
        keepsakes: Vec::new(),
    };
    for (number, (kept, dirs)) in checkouts.iter().enumerate() {
        entry.keepsakes.push(keepsake::make(&*shared.world, &session, kept, dirs, dir)?);
        if dirs.linked() {
            entry.linked.push(worktree::keep(&kept.dir, dirs, dir, number)?);
        }
    }
    for (number, path) in here.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let to = dir.join("files").join(format!("{number}-{name}"));
        entry.moved.push(MovedDir { from: path.to_path_buf(), to });
    }
    entry.bytes = moving::size(dir) + here.iter().map(|p| moving::size(p)).sum::<u64>();
    entry.save(dir)?;
    Ok(entry)
}

/// Never leaves the root, not even through a symlink on the way.
fn below(root: &Path, path: &Path) -> Told<()> {
    let real = |p: &Path| p.canonicalize().map_err(|e| format!("cannot resolve {}: {e}", p.display()));
    let parent = real(path.parent().unwrap_or(path))?;
    match path.starts_with(root) && path != root && parent.starts_with(real(root)?) {
        true => Ok(()),
        false => Err(format!("{} is not below {}", path.display(), root.display())),
    }
}

/// Refuses before anything moves: a rename needs no room, a copy and the bundles do.
fn room(here: &[&PathBuf], repos: &[&GitDirs], dir: &Path) -> Told<()> {
    use std::os::unix::fs::MetadataExt;
    let device = |p: &Path| std::fs::symlink_metadata(p).map(|m| m.dev()).ok();
    let objects: u64 = repos.iter().map(|dirs| moving::size(&dirs.common.join("objects"))).sum();
    let copies: u64 = here.iter().filter(|p| device(p) != device(dir)).map(|p| moving::size(p)).sum();
    let needed = objects + copies + SPARE;
    let free = rustix::fs::statvfs(dir)
        .map(|v| v.f_bavail.saturating_mul(v.f_frsize))
        .map_err(|e| format!("cannot ask how much room {} has: {e}", dir.display()))?;
    if needed <= free {
        return Ok(());
    }
    Err(format!(
        "the trash needs {needed} bytes of room in {}, and there are {free}; `packd trash empty` frees some",
        dir.parent().unwrap_or(dir).display()
    ))
}

/// Can be called again after a crash.
fn take(shared: &Shared, entry: &mut TrashEntry, dir: &Path) -> Told<()> {
    let session = caller(&entry.home);
    for moved in &entry.moved {
        moving::relocate(&moved.from, &moved.to, &entry.operation)?;
    }
    for linked in &entry.linked {
        worktree::forget(linked)?;
    }
    for branch in &entry.branches {
        worktree::delete(&*shared.world, &session, branch)?;
    }
    entry.mark(dir, TrashState::Moved)
}

/// Puts an entry back where it was; it then leaves the trash. `otherwise` says what to do where it left it before.
pub(super) fn bring_back(shared: &Shared, id: &str, otherwise: &str) -> Told<String> {
    let dir = place(shared, id)?;
    let Some(mut entry) = TrashEntry::load(&dir)? else {
        return Err(format!("the trash no longer holds operation {id}; {otherwise} instead"));
    };
    let session = caller(&entry.home);
    if entry.state != TrashState::Returning {
        let taken = entry.moved.iter().find(|m| std::fs::symlink_metadata(&m.from).is_ok());
        if let Some(moved) = taken {
            let at = moved.from.display();
            return Err(format!("there is something at {at}; move it away, then undo again"));
        }
        for branch in &entry.branches {
            worktree::can_return(&*shared.world, &session, branch)?;
        }
    }
    give_back(shared, &mut entry, &dir).map(|()| String::new())
}

/// The reverse of [`take`], as far as that had come. Can be called again after a crash.
fn give_back(shared: &Shared, entry: &mut TrashEntry, dir: &Path) -> Told<()> {
    let session = caller(&entry.home);
    entry.mark(dir, TrashState::Returning)?;
    for moved in &entry.moved {
        moving::put_back_aside(&moved.from, &moved.to, &entry.operation)?;
        if std::fs::symlink_metadata(&moved.to).is_ok() {
            moving::relocate(&moved.to, &moved.from, &entry.operation)?;
        }
    }
    for linked in &entry.linked {
        worktree::remember(&*shared.world, &session, linked, entry)?;
    }
    for branch in &entry.branches {
        worktree::revive(&*shared.world, &session, branch, entry)?;
    }
    moving::remove(dir)
}

/// An operation is recorded: what it moved is kept from now on.
pub(super) fn settle(shared: &Shared, op: &Op) {
    let moved = op.steps.iter().filter_map(|step| match &step.work {
        StepWork::Trash(discard) => Some(discard.entry.as_str()),
        _ => None,
    });
    for id in moved.chain([op.id.as_str()]) {
        let Ok(dir) = place(shared, id) else { return };
        if let Ok(Some(mut entry)) = TrashEntry::load(&dir)
            && entry.state == TrashState::Moved
            && let Err(e) = entry.mark(&dir, TrashState::Kept)
        {
            tracing::warn!("the trash entry {id} could not be marked: {e}");
        }
    }
}

/// Every entry, newest first; one that cannot be read is said to be so.
fn entries(shared: &Shared) -> Vec<(PathBuf, Told<TrashEntry>)> {
    let Some(home) = shared.trash.as_deref() else { return Vec::new() };
    let mut out: Vec<(PathBuf, Told<TrashEntry>)> = std::fs::read_dir(home)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| Some((e.path(), TrashEntry::load(&e.path()).transpose()?)))
        .collect();
    out.sort_by_key(|(path, entry)| (std::cmp::Reverse(entry.as_ref().ok().map(|e| e.at)), path.clone()));
    out
}

/// One entry, as `packd trash` lists it.
#[derive(Serialize)]
struct KeptEntry<'a> {
    operation: &'a str,
    #[serde(rename = "ecosystem")]
    subject: &'a str,
    path: Option<&'a PathBuf>,
    paths: Vec<&'a PathBuf>,
    bytes: u64,
    moved_at: String,
    kept_until: String,
    kept_in: &'a Path,
    bundles: Vec<&'a PathBuf>,
}

/// For `packd trash`.
pub(super) fn list(shared: &Shared) -> Value {
    let shown = |(dir, entry): (PathBuf, Told<TrashEntry>)| match entry {
        Ok(e) => json!(KeptEntry {
            operation: &e.operation,
            subject: &e.subject,
            path: e.moved.first().map(|moved| &moved.from),
            paths: e.moved.iter().map(|moved| &moved.from).collect(),
            bytes: e.bytes,
            moved_at: e.at.zulu(),
            kept_until: e.until.zulu(),
            kept_in: &dir,
            bundles: e.keepsakes.iter().filter_map(|kept| kept.bundle.as_ref()).collect(),
        }),
        Err(why) => json!({"kept_in": dir, "problem": why}),
    };
    let entries: Vec<Value> = entries(shared).into_iter().map(shown).collect();
    json!({"trash": shared.trash, "entries": entries})
}

/// Drops entries that are over their time, or all of them. What is on its way stays.
pub(super) fn drop_entries(shared: &Shared, before: Option<Timestamp>) -> (u64, u64, Vec<String>) {
    let (mut dropped, mut bytes, mut problems) = (0, 0, Vec::new());
    for (dir, entry) in entries(shared) {
        let goes = match (&entry, before) {
            (Ok(entry), Some(now)) => entry.state == TrashState::Kept && entry.until <= now,
            (Ok(entry), None) => entry.state == TrashState::Kept,
            // Whoever empties the trash wants what cannot be brought back gone, too.
            (Err(_), _) => before.is_none(),
        };
        if !goes {
            continue;
        }
        let size = moving::size(&dir);
        match moving::remove(&dir) {
            Ok(()) => (dropped, bytes) = (dropped + 1, bytes + size),
            Err(why) => problems.push(why),
        }
    }
    (dropped, bytes, problems)
}
