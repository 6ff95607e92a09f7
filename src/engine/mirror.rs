//! The live two-way mirror of a pack root, declared or the project's own: `{root}/packs/{id}.md` follows the store,
//! and what somebody changes there by hand follows into the store.
//!
//! Before a call the directory is compared by name and stat only; just the files that differ are read. After
//! a commit the files of the packs it touched are written. What the difference means is decided in
//! `families::packs::mirror`; here are the files, and a memory of how each looked when both sides agreed.
//! Nothing but pack files ever appears in the directory, and nothing at all before the first write.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::mirror_files::{self, Look, Mark};
use crate::core::{Call, Change, Error, Result, SessionInfo, Sha, Timestamp, View};
use crate::families::packs::mirror::{self, Asks, Step};
use crate::families::packs::shelf::Root;
use crate::families::packs::{file, shelf};
use crate::store::Store;

/// Arguments of an internal call.
pub type Args = Map<String, Value>;

/// What a look at the directory found.
#[derive(Debug, Default)]
pub struct Checked {
    /// Calls of `packs_mirror`, one operation each, to be made before the call itself.
    pub intake: Vec<Args>,
    /// Quiet calls of `packs_mirrored`; nobody has to wait for them.
    pub notes: Vec<Args>,
    /// The root is there.
    pub standing: bool,
    /// The call asks for something that a damaged file stands for.
    pub refusal: Option<Error>,
}

/// What the files of a commit led to.
#[derive(Debug, Default)]
pub struct Written {
    pub notes: Vec<Args>,
    /// Files that could not be written; the next call on this root tries again.
    pub failed: Vec<Error>,
}

pub struct Mirror {
    /// A directory of the daemon's own for temporary files, so that not even those are seen in a root.
    scratch: Option<PathBuf>,
    roots: Mutex<HashMap<String, Arc<Mutex<State>>>>,
    /// Packs that a commit touches or touched and whose files nobody has looked at since.
    owed: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

/// What is known of one root; forgotten while the root is not there.
#[derive(Default)]
struct State {
    /// Compared as a whole at least once since the daemon started.
    compared: bool,
    /// How each file looked when it last agreed with its pack.
    known: BTreeMap<String, Known>,
    /// Files that are no packs, by name.
    bad: BTreeMap<String, (Mark, Error)>,
    /// The state of the pack each file last agreed with; the store's own notes lag behind.
    synced: BTreeMap<String, u64>,
    /// Packs whose file could not be written.
    behind: BTreeSet<String>,
}

struct Known {
    mark: Mark,
    sha: Sha,
}

/// One root during one visit.
struct Visit<'a> {
    view: &'a dyn View,
    space: &'a str,
    dir: PathBuf,
    root: &'a Root,
    /// A session that may only read leaves the files as they are.
    read_only: bool,
    scratch: Option<&'a Path>,
    /// What newly agrees, with the state it agrees on.
    agreed: BTreeMap<String, u64>,
}

impl Mirror {
    pub fn new(scratch: Option<PathBuf>) -> Mirror {
        if let Some(dir) = &scratch {
            mirror_files::sweep(dir);
        }
        Mirror { scratch, roots: Mutex::default(), owed: Mutex::default() }
    }

    /// Compares the session's root with the store. Costs a directory listing and a stat per file.
    /// Is there no directory that a space could be mirrored to? One look at one name, cheap enough for every call: a
    /// hand-over to another thread costs more than the whole answer. A declared root is never absent.
    pub fn is_absent(&self, space: &str) -> bool {
        let Some(root) = shelf::root_of_space(space) else { return true };
        let absent = root.within.is_some() && std::fs::symlink_metadata(&root.dir).is_err();
        if absent {
            self.forget(space);
        }
        absent
    }

    pub fn before_call(
        &self,
        store: &Store,
        session: &SessionInfo,
        call: &Call,
        now: Timestamp,
    ) -> Result<Checked> {
        let space = shelf::space_of(session);
        let Some(root) = shelf::root_of_space(&space) else { return Ok(Checked::default()) };
        if !mirror_files::usable(&root) {
            self.forget(&space);
            return Ok(Checked::default());
        }
        let state = self.root(&space);
        let mut state = lock(&state);
        // Taken under the lock, so that the picture is never older than the files.
        let snapshot = store.read()?;
        let view = snapshot.view();
        let mut visit = Visit { read_only: session.read_only, ..self.visit(&view, &space, &root) };
        state.behind.extend(self.collect(&space));
        let intake = state.compare(&mut visit, &session.workspace)?;
        let refusal = match mirror::asks(&view, &space, call, now) {
            Asks::All => state.bad.values().next(),
            Asks::Pack(id) => state.bad.get(&mirror_files::name_of(&id)),
            Asks::Nothing => None,
        };
        let refusal = refusal.map(|(_, error)| error.clone());
        Ok(Checked { intake, refusal, notes: visit.notes(), standing: true })
    }

    /// Notes what a commit is about to touch: should its caller vanish before the files follow, the next call
    /// makes up for it.
    pub fn expect(&self, changes: &[Change]) {
        for (space, ids) in mirror::touched(changes) {
            let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
            owed.entry(space).or_default().extend(ids);
        }
    }

    fn collect(&self, space: &str) -> BTreeSet<String> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner).remove(space).unwrap_or_default()
    }

    /// Writes the files of the packs that a commit touched.
    pub fn after_commit(&self, store: &Store, changes: &[Change]) -> Result<Written> {
        let mut out = Written::default();
        for (space, mut ids) in mirror::touched(changes) {
            let Some(root) = shelf::root_of_space(&space) else { continue };
            if !mirror_files::usable(&root) {
                self.forget(&space);
                continue;
            }
            let state = self.root(&space);
            let mut state = lock(&state);
            let snapshot = store.read()?;
            let view = snapshot.view();
            let mut visit = self.visit(&view, &space, &root);
            ids.extend(self.collect(&space));
            for id in ids {
                // A file that somebody changed meanwhile is left alone; the next call takes it in.
                if let Err(error) = state.settle(&mut visit, &id, "") {
                    state.behind.insert(id);
                    out.failed.push(error);
                }
            }
            out.notes.extend(visit.notes());
        }
        Ok(out)
    }

    fn root(&self, space: &str) -> Arc<Mutex<State>> {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        roots.entry(space.to_string()).or_default().clone()
    }

    /// What was known of a root that is not there (any more); should it come back, it is compared anew.
    fn forget(&self, space: &str) {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).remove(space);
        self.collect(space);
    }

    fn visit<'a>(&'a self, view: &'a dyn View, space: &'a str, root: &'a Root) -> Visit<'a> {
        let dir = root.dir.join("packs");
        let scratch = self.scratch.as_deref();
        Visit { view, space, dir, root, read_only: false, scratch, agreed: BTreeMap::new() }
    }
}

fn lock(root: &Mutex<State>) -> MutexGuard<'_, State> {
    // What a panicking visit left is a memory of older agreement: at worst files are read once more.
    root.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Visit<'_> {
    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(mirror_files::name_of(id))
    }

    fn notes(&self) -> Vec<Args> {
        if self.agreed.is_empty() { Vec::new() } else { vec![mirror::note(self.space, &self.agreed)] }
    }
}

impl State {
    /// Finds every file that differs from what is known, repairs what packd owes, returns what to take in.
    fn compare(&mut self, visit: &mut Visit, workspace: &str) -> Result<Vec<Args>> {
        if !self.compared {
            mirror_files::sweep(&visit.root.dir);
        }
        let names = mirror_files::list(visit.root)?;
        let mut doubtful: BTreeSet<String> = std::mem::take(&mut self.behind);
        let gone = self.bad.keys().filter(|name| !names.contains(*name));
        doubtful.extend(gone.filter_map(|name| mirror_files::id_of(name)).map(str::to_string));
        self.bad.retain(|name, _| names.contains(name));
        for name in &names {
            let Some(id) = mirror_files::id_of(name) else {
                let path = visit.dir.join(name);
                let error = Error::io(format!(
                    "{} is not a pack file: packs are called pk_xxxxxxxx.md",
                    path.display()
                ));
                self.bad.insert(name.clone(), (Mark::default(), error));
                continue;
            };
            let mark = mirror_files::look(&visit.dir.join(name))?.mark();
            let seen = self.bad.get(name).map(|(mark, _)| *mark).or(self.known.get(id).map(|k| k.mark));
            if !mark.is_some_and(|mark| mark.settled && seen == Some(mark)) {
                doubtful.insert(id.to_string());
            }
        }
        let mut expected: BTreeSet<String> = self.known.keys().cloned().collect();
        if !self.compared {
            expected.extend(mirror::ids(visit.view, visit.space)?);
        }
        doubtful.extend(expected.into_iter().filter(|id| !names.contains(&mirror_files::name_of(id))));
        let mut intake = Vec::new();
        for id in doubtful {
            match self.settle(visit, &id, workspace) {
                Ok(found) => intake.extend(found),
                // The store is right and can be read; the file is tried again with the next call.
                Err(error) => {
                    tracing::warn!("the mirror of {} is behind: {error}", visit.dir.display());
                    self.behind.insert(id);
                }
            }
        }
        self.compared = true;
        Ok(intake)
    }

    /// Brings one file and its pack together, or says what has to be taken in for that.
    fn settle(&mut self, visit: &mut Visit, id: &str, workspace: &str) -> Result<Option<Args>> {
        let path = visit.path(id);
        let name = mirror_files::name_of(id);
        let stored = mirror::stored(visit.view, visit.space, id)?;
        let synced = match self.synced.get(id) {
            Some(stamp) => *stamp,
            None => mirror::synced(visit.view, visit.space, id)?,
        };
        let look = mirror_files::look(&path)?;
        let mut document = None;
        let step = match &look {
            Look::Nothing => mirror::compare(visit.view, visit.space, id, &stored, None, synced)?,
            Look::Other => {
                let error = Error::io(format!("pack file {} is not a regular file", path.display()));
                self.bad.insert(name, (Mark::default(), error));
                return Ok(None);
            }
            Look::File(mark) => {
                let unchanged = self.known.get(id).is_some_and(|k| k.mark == *mark && mark.settled);
                if unchanged && stored.stamp <= synced {
                    return Ok(None);
                }
                let bytes = if unchanged { None } else { Some(mirror_files::read(&path)?) };
                let sha = bytes.as_ref().map(|bytes| Sha::of(bytes));
                let same = self.known.get(id).is_some_and(|k| sha.as_ref().is_none_or(|sha| k.sha == *sha));
                if same {
                    // As both sides agreed on it: whatever the store did since is still to be written.
                    if stored.stamp <= synced { Step::Agree } else { Step::Write }
                } else {
                    let text = bytes.map(String::from_utf8).transpose();
                    let text = text.ok().flatten().ok_or_else(|| {
                        Error::io(format!("pack file {} is malformed: it is not UTF-8 text", path.display()))
                    });
                    let shown = path.display().to_string();
                    match text
                        .and_then(|t| mirror::decode(&t, &shown, id, workspace).map(|(pack, _)| (t, pack)))
                    {
                        Ok((text, pack)) => {
                            document = Some(text);
                            mirror::compare(visit.view, visit.space, id, &stored, Some(&pack), synced)?
                        }
                        Err(error) => {
                            self.bad.insert(name, (*mark, error));
                            return Ok(None);
                        }
                    }
                }
            }
        };
        self.bad.remove(&name);
        match step {
            Step::TakeIn => return Ok(Some(mirror::intake(visit.space, id, document.as_deref()))),
            Step::Write if visit.read_only => {
                self.behind.insert(id.to_string());
                return Ok(None);
            }
            Step::Write => match &stored.pack {
                Some(pack) => {
                    let text = file::export(pack, stored.rev)?;
                    mirror_files::write(visit.scratch, visit.root, &name, &text)?;
                    document = Some(text);
                }
                None => mirror_files::remove(&visit.dir, &name)?,
            },
            Step::Agree => {}
        }
        self.agree(visit, id, document.as_deref(), stored.stamp, synced)?;
        Ok(None)
    }

    /// Remembers how the file looks now that it agrees with the store.
    fn agree(
        &mut self,
        visit: &mut Visit,
        id: &str,
        text: Option<&str>,
        stamp: u64,
        synced: u64,
    ) -> Result<()> {
        match (mirror_files::look(&visit.path(id))?.mark(), text) {
            (Some(mark), Some(text)) => {
                self.known.insert(id.to_string(), Known { mark, sha: Sha::of(text.as_bytes()) });
            }
            // Unchanged content under a new stat.
            (Some(mark), None) => {
                if let Some(known) = self.known.get_mut(id) {
                    known.mark = mark;
                }
            }
            (None, _) => {
                self.known.remove(id);
            }
        }
        if stamp > synced {
            visit.agreed.insert(id.to_string(), stamp);
        }
        self.synced.insert(id.to_string(), stamp.max(synced));
        Ok(())
    }
}
