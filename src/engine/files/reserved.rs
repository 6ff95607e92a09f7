//! Files that no call writes but the family that keeps them: what MCP hosts read, and packd's own home.
//!
//! Names are compared after links are resolved and without regard to case, so that neither a link nor a file
//! system that ignores case is a way around; what exists is also compared by its identity on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::json;

use crate::core::effect::{RESERVED, ReservedFile};
use crate::core::{Effect, Error, Kind, Result, SessionInfo};
use crate::engine::Shared;

/// What is reserved as one session sees it; found out when somebody asks.
pub struct Reserved {
    shared: Arc<Shared>,
    session: SessionInfo,
    known: OnceLock<Known>,
    roots: Mutex<BTreeMap<PathBuf, Arc<Place>>>,
}

/// A root as it really is.
struct Place {
    real: PathBuf,
    /// It lies in packd's own directory, or that lies in it.
    near_home: bool,
}

#[derive(Default)]
struct Known {
    /// packd's own directory, resolved; and its folded name.
    home: Option<(PathBuf, PathBuf)>,
    /// By their folded names: whose it is and what it is.
    files: BTreeMap<String, Holder>,
    /// The same, relative to whatever root is written to.
    below: BTreeMap<String, Holder>,
    /// The last parts of all these names: most files have another one, which is all there is to know.
    last: BTreeSet<String>,
}

struct Holder {
    family: &'static str,
    what: String,
    path: PathBuf,
}

impl Known {
    fn of(shared: &Shared, session: &SessionInfo) -> Known {
        let home = shared.home.as_deref().map(real).map(|home| (home.clone(), folded(&home).into()));
        let mut out = Known { home, ..Known::default() };
        for family in &shared.families {
            for ReservedFile { path, what } in family.keeps(session) {
                let holder = |path| Holder { family: family.name(), what: what.clone(), path };
                if path.is_relative() {
                    out.below.insert(folded(&path), holder(path));
                    continue;
                }
                // A host's file may be a link into somebody's dotfiles: both ends are meant.
                for name in [beside(&path), real(&path)] {
                    out.files.insert(folded(&name), holder(name));
                }
            }
        }
        let last = out.files.keys().chain(out.below.keys()).map(|name| last(Path::new(name)));
        out.last = last.collect();
        out
    }
}

impl Reserved {
    pub fn new(shared: &Arc<Shared>, session: &SessionInfo) -> Reserved {
        let (shared, session) = (shared.clone(), session.clone());
        Reserved { shared, session, known: OnceLock::new(), roots: Mutex::default() }
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(|| Known::of(&self.shared, &self.session))
    }

    /// Refuses a file below a root for everybody but whose it is.
    pub fn check(&self, family: &str, root: &Path, path: &Path) -> Result<()> {
        let place = self.root(root);
        let dots = path.components().any(|part| part == Component::ParentDir);
        if !place.near_home && !dots && !self.known().last.contains(&last(path)) {
            return Ok(());
        }
        let full = place.real.join(path);
        let name = folded(&full);
        if self.known().home.as_ref().is_some_and(|(_, home)| Path::new(&name).starts_with(home)) {
            return Err(in_home(&full));
        }
        let by_name = self.known().files.get(&name).or_else(|| self.known().below.get(&folded(path)));
        match by_name {
            Some(holder) if holder.family != family => Err(taken(&full, &holder.what)),
            _ => Ok(()),
        }
    }

    /// The last check before anything is written, with a look at the disk.
    pub fn check_all(&self, family: &str, effects: &[Effect]) -> Result<()> {
        let mut known = BTreeSet::new();
        for holder in self.known().files.values().filter(|holder| holder.family != family) {
            if let Ok(meta) = std::fs::metadata(&holder.path) {
                known.insert((meta.dev(), meta.ino(), holder.what.clone()));
            }
        }
        let identity = |path: &Path| std::fs::metadata(path).ok().map(|m| (m.dev(), m.ino()));
        let home = self.known().home.as_ref().and_then(|(home, _)| identity(home));
        let mut plain: BTreeSet<PathBuf> = BTreeSet::new();
        for effect in effects {
            self.check(family, &effect.root, &effect.path)?;
            let full = effect.full_path();
            if let Ok(meta) = std::fs::symlink_metadata(&full)
                && let Some((.., what)) = known.iter().find(|k| (k.0, k.1) == (meta.dev(), meta.ino()))
            {
                return Err(taken(&full, what));
            }
            for dir in full.ancestors().skip(1) {
                if !plain.insert(dir.to_path_buf()) {
                    break;
                }
                if home.is_some() && identity(dir) == home {
                    return Err(in_home(&full));
                }
            }
        }
        Ok(())
    }

    fn root(&self, root: &Path) -> Arc<Place> {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = roots.get(root) {
            return known.clone();
        }
        let real = real(root);
        let name = PathBuf::from(folded(&real));
        let near = |(_, home): &(PathBuf, PathBuf)| name.starts_with(home) || home.starts_with(&name);
        let place = Arc::new(Place { near_home: self.known().home.as_ref().is_some_and(near), real });
        roots.insert(root.to_path_buf(), place.clone());
        place
    }
}

/// Without links and dots, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    for dir in path.ancestors() {
        if let Ok(found) = std::fs::canonicalize(dir) {
            return tidy(&found.join(path.strip_prefix(dir).unwrap_or(Path::new(""))));
        }
    }
    tidy(path)
}

/// The name itself, in a directory without links.
fn beside(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(dir), Some(name)) => real(dir).join(name),
        _ => real(path),
    }
}

/// What does not exist has no links in it: `..` can be taken by the letters.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn last(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn folded(path: &Path) -> String {
    tidy(path).to_string_lossy().to_lowercase()
}

fn in_home(path: &Path) -> Error {
    refused(path, format!("{} lies in packd's own directory; nothing else is put there.", path.display()))
        .hint("Choose another directory. Nothing was changed.")
}

fn taken(path: &Path, what: &str) -> Error {
    refused(path, format!("{} is {what}; no other call writes it.", path.display()))
        .hint("Use another name or directory; `packd setup` enters packd into hosts. Nothing was changed.")
}

fn refused(path: &Path, message: String) -> Error {
    Error::new(Kind::Denied, RESERVED, message).details(json!({"path": path}))
}
