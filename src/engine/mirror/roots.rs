//! The live two-way mirror of a root, declared or the project's own: its files follow the store, and what somebody
//! changes there by hand follows into the store.
//!
//! Before a call the directory is compared by name and stat only; just the files that differ are read. After
//! a commit the files of the rows it touched are written. What a difference means is decided by the family, as
//! [`Mirrored`]; here are the files, and a memory of how each looked when both sides agreed. Nothing but the family's
//! files ever appears in the directory, and nothing at all before the first write.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use crate::core::mirrored::{Agreement, FilesAsked, MirrorFile, MirrorRoot, Mirrored};
use crate::core::{Call, Error, Result, SessionInfo, Sha, Timestamp, View};
use crate::engine::mirror::files::{self, MirrorMark, PathLook};
use crate::store::Store;

/// A call of the family's own: tool and arguments.
pub type OwnCall = (&'static str, Map<String, Value>);

/// What a look at the directory found.
#[derive(Debug, Default)]
pub struct RootCheck {
    /// What takes files in, one operation each, to be made before the call itself.
    pub intake: Vec<OwnCall>,
    /// Quiet calls; nobody has to wait for them.
    pub notes: Vec<OwnCall>,
    /// The root is there.
    pub standing: bool,
    /// The call asks for something that a damaged file stands for.
    pub refusal: Option<Error>,
}

/// What the files of a commit led to.
#[derive(Debug, Default)]
pub struct MirrorWritten {
    pub notes: Vec<OwnCall>,
    /// Files that could not be written; the next call on this root tries again.
    pub failed: Vec<Error>,
}

pub struct Mirror {
    /// Whose rows these are.
    pub family: &'static str,
    /// A directory of the daemon's own for temporary files, so that not even those are seen in a root.
    scratch: Option<PathBuf>,
    roots: Mutex<HashMap<String, Arc<Mutex<State>>>>,
    /// Rows that a commit touches or touched and whose files nobody has looked at since.
    owed: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

/// What is known of one root; forgotten while the root is not there.
#[derive(Default)]
struct State {
    /// Compared as a whole at least once since the daemon started.
    compared: bool,
    /// How each file looked when it last agreed with its row.
    known: BTreeMap<String, Known>,
    /// Files that are none of the family, by name.
    bad: BTreeMap<String, (MirrorMark, Error)>,
    /// The state of the row each file last agreed with; the store's own notes lag behind.
    synced: BTreeMap<String, u64>,
    /// Rows whose file could not be written.
    behind: BTreeSet<String>,
}

struct Known {
    mark: MirrorMark,
    sha: Sha,
}

/// One root during one visit.
struct Visit<'a> {
    how: &'a dyn Mirrored,
    view: &'a dyn View,
    space: &'a str,
    root: &'a MirrorRoot,
    /// A session that may only read leaves the files as they are.
    read_only: bool,
    scratch: Option<&'a Path>,
    /// What newly agrees, with the state it agrees on.
    agreed: BTreeMap<String, u64>,
}

impl Mirror {
    pub fn new(family: &'static str, scratch: Option<PathBuf>) -> Mirror {
        if let Some(dir) = &scratch {
            files::sweep(dir);
        }
        Mirror { family, scratch, roots: Mutex::default(), owed: Mutex::default() }
    }

    /// Is there no directory that a space could be mirrored to? One look at one name, cheap enough for every call: a
    /// hand-over to another thread costs more than the whole answer. A declared root is never absent.
    pub fn is_absent(&self, how: &dyn Mirrored, space: &str) -> bool {
        let Some(root) = how.root_of(space) else { return true };
        let absent = root.within.is_some() && std::fs::symlink_metadata(&root.dir).is_err();
        if absent {
            self.forget(space);
        }
        absent
    }

    /// Compares the session's root with the store. Costs a directory listing and a stat per file.
    pub fn before_call(
        &self,
        how: &dyn Mirrored,
        store: &Store,
        session: &SessionInfo,
        call: &Call,
        now: Timestamp,
    ) -> Result<RootCheck> {
        let space = how.space_of(session);
        let Some(root) = how.root_of(&space) else { return Ok(RootCheck::default()) };
        if !files::usable(&root) {
            self.forget(&space);
            return Ok(RootCheck::default());
        }
        let state = self.root(&space);
        let mut state = lock(&state);
        // Taken under the lock, so that the picture is never older than the files.
        let snapshot = store.read()?;
        let view = snapshot.view();
        let mut visit = Visit { read_only: session.read_only, ..self.visit(how, &view, &space, &root) };
        state.behind.extend(self.collect(&space));
        let intake = state.compare(&mut visit, &session.workspace)?;
        let refusal = match how.asks(&view, &space, call, now) {
            FilesAsked::All => state.bad.values().next(),
            FilesAsked::One(id) => state.bad.get(&how.file_name(&id)),
            FilesAsked::Nothing => None,
        };
        let refusal = refusal.map(|(_, error)| error.clone());
        Ok(RootCheck { intake, refusal, notes: visit.notes(), standing: true })
    }

    /// Notes what a commit is about to touch: should its caller vanish before the files follow, the next call
    /// makes up for it.
    pub fn owe(&self, touched: BTreeMap<String, BTreeSet<String>>) {
        for (space, ids) in touched {
            let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
            owed.entry(space).or_default().extend(ids);
        }
    }

    fn collect(&self, space: &str) -> BTreeSet<String> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner).remove(space).unwrap_or_default()
    }

    /// Writes the files of the rows that a commit touched.
    pub fn after_commit(
        &self,
        how: &dyn Mirrored,
        store: &Store,
        touched: BTreeMap<String, BTreeSet<String>>,
    ) -> Result<MirrorWritten> {
        let mut out = MirrorWritten::default();
        for (space, mut ids) in touched {
            let Some(root) = how.root_of(&space) else { continue };
            if !files::usable(&root) {
                self.forget(&space);
                continue;
            }
            let state = self.root(&space);
            let mut state = lock(&state);
            let snapshot = store.read()?;
            let view = snapshot.view();
            let mut visit = self.visit(how, &view, &space, &root);
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

    fn visit<'a>(
        &'a self,
        how: &'a dyn Mirrored,
        view: &'a dyn View,
        space: &'a str,
        root: &'a MirrorRoot,
    ) -> Visit<'a> {
        let scratch = self.scratch.as_deref();
        Visit { how, view, space, root, read_only: false, scratch, agreed: BTreeMap::new() }
    }
}

fn lock(root: &Mutex<State>) -> MutexGuard<'_, State> {
    // What a panicking visit left is a memory of older agreement: at worst files are read once more.
    root.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Visit<'_> {
    fn path(&self, id: &str) -> PathBuf {
        self.root.files.join(self.how.file_name(id))
    }

    fn notes(&self) -> Vec<OwnCall> {
        if self.agreed.is_empty() { Vec::new() } else { vec![self.how.note(self.space, &self.agreed)] }
    }
}

impl State {
    /// Finds every file that differs from what is known, repairs what packd owes, returns what to take in.
    fn compare(&mut self, visit: &mut Visit, workspace: &str) -> Result<Vec<OwnCall>> {
        if !self.compared {
            files::sweep(&visit.root.dir);
        }
        let names = files::list(visit.root)?;
        let mut doubtful: BTreeSet<String> = std::mem::take(&mut self.behind);
        let gone = self.bad.keys().filter(|name| !names.contains(*name));
        doubtful.extend(gone.filter_map(|name| visit.how.id_of(name)).map(str::to_string));
        self.bad.retain(|name, _| names.contains(name));
        for name in &names {
            let path = visit.root.files.join(name);
            let Some(id) = visit.how.id_of(name) else {
                self.bad.insert(name.clone(), (MirrorMark::default(), visit.how.misnamed(&path)));
                continue;
            };
            let mark = files::look(&path)?.mark();
            let seen = self.bad.get(name).map(|(mark, _)| *mark).or(self.known.get(id).map(|k| k.mark));
            if !mark.is_some_and(|mark| mark.settled && seen == Some(mark)) {
                doubtful.insert(id.to_string());
            }
        }
        let mut expected: BTreeSet<String> = self.known.keys().cloned().collect();
        if !self.compared {
            expected.extend(visit.how.ids(visit.view, visit.space)?);
        }
        doubtful.extend(expected.into_iter().filter(|id| !names.contains(&visit.how.file_name(id))));
        let mut intake = Vec::new();
        for id in doubtful {
            match self.settle(visit, &id, workspace) {
                Ok(found) => intake.extend(found),
                // The store is right and can be read; the file is tried again with the next call.
                Err(error) => {
                    tracing::warn!("the mirror of {} is behind: {error}", visit.root.files.display());
                    self.behind.insert(id);
                }
            }
        }
        self.compared = true;
        Ok(intake)
    }

    /// Brings one file and its row together, or says what has to be taken in for that.
    fn settle(&mut self, visit: &mut Visit, id: &str, workspace: &str) -> Result<Option<OwnCall>> {
        let path = visit.path(id);
        let how = visit.how;
        let name = how.file_name(id);
        let stamp = how.stamp(visit.view, visit.space, id)?;
        let synced = match self.synced.get(id) {
            Some(stamp) => *stamp,
            None => how.agreed(visit.view, visit.space, id)?,
        };
        let compare = |text: Option<&str>| {
            let found = MirrorFile { text, path: &path, workspace };
            how.compare(visit.view, visit.space, id, &found, synced)
        };
        let mut document = None;
        let step = match files::look(&path)? {
            PathLook::Nothing => compare(None)??,
            PathLook::Other => {
                let error = Error::io(format!("{} is not a regular file.", path.display()));
                self.bad.insert(name, (MirrorMark::default(), error));
                return Ok(None);
            }
            PathLook::File(mark) => {
                let unchanged = self.known.get(id).is_some_and(|k| k.mark == mark && mark.settled);
                if unchanged && stamp <= synced {
                    return Ok(None);
                }
                let bytes = if unchanged { None } else { Some(files::read(&path)?) };
                let sha = bytes.as_ref().map(|bytes| Sha::of(bytes));
                let same = self.known.get(id).is_some_and(|k| sha.as_ref().is_none_or(|sha| k.sha == *sha));
                if same {
                    // As both sides agreed on it: whatever the store did since is still to be written.
                    if stamp <= synced { Agreement::Agree } else { Agreement::Write }
                } else {
                    let text = bytes.map(String::from_utf8).transpose().ok().flatten();
                    let compared = match &text {
                        Some(text) => compare(Some(text))?,
                        None => {
                            Err(Error::io(format!("{} is malformed: it is not UTF-8 text.", path.display())))
                        }
                    };
                    match compared {
                        Ok(agreement) => {
                            document = text;
                            agreement
                        }
                        Err(error) => {
                            self.bad.insert(name, (mark, error));
                            return Ok(None);
                        }
                    }
                }
            }
        };
        self.bad.remove(&name);
        match step {
            Agreement::TakeIn => return Ok(Some(how.take_in(visit.space, id, document.as_deref()))),
            Agreement::Write if visit.read_only => {
                self.behind.insert(id.to_string());
                return Ok(None);
            }
            Agreement::Write => match how.document(visit.view, visit.space, id)? {
                Some(text) => {
                    files::write(visit.scratch, visit.root, &name, &text)?;
                    document = Some(text);
                }
                None => files::remove(&visit.root.files, &name)?,
            },
            Agreement::Agree => {}
        }
        self.agree(visit, id, document.as_deref(), stamp, synced)?;
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
        match (files::look(&visit.path(id))?.mark(), text) {
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
