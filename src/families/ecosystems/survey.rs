//! Looks at the workspace before a call: its root, its manifests, and as much of the chosen ecosystem as a tool needs.

use std::path::{Path, PathBuf};

use super::args::CallSubject;
use super::ecosystem::{self, Ecosystem};
use super::errors::{no_root, none_chosen, unknown_ecosystem};
use super::manifest::{self, CheckedManifest};
use super::release_facts::{self, ReleaseFacts};
use super::rows::EcosystemId;
use super::{names, outgoing, runs, scope};
use crate::core::inside::{self, Located};
use crate::core::world::FileKind;
use crate::core::{Error, Look, Result, SessionInfo, Sha, World, owner};

/// How much a tool needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Only where the root is.
    Root,
    /// Every ecosystem's manifest.
    All,
    /// The chosen ecosystem's manifest.
    Manifest,
    /// And every checkout of it.
    Repos,
    /// And what the remotes have.
    Remotes,
    /// The repository a release is about.
    Release,
}

/// Manifests larger than this are not what they claim to be.
const LIMIT: u64 = 1 << 20;

#[derive(Debug, Clone)]
pub struct ManifestFile {
    pub name: String,
    pub checked: CheckedManifest,
    pub sha: Sha,
}

#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub root: Option<PathBuf>,
    /// Every manifest, where all were asked for.
    pub found: Vec<ManifestFile>,
    /// The one the call is about, where it is about one.
    pub chosen: Option<Ecosystem>,
    pub release: Option<ReleaseFacts>,
}

impl Survey {
    pub fn root(&self) -> Result<&PathBuf> {
        self.root.as_ref().ok_or_else(no_root)
    }

    /// Without a workspace root there are no runs; nothing has an empty root.
    pub fn root_text(&self) -> String {
        self.root.as_ref().map_or(String::new(), |root| root.to_string_lossy().into_owned())
    }

    pub fn find(&self, name: &str) -> Result<&ManifestFile> {
        let list: Vec<&str> = self.found.iter().map(|f| f.name.as_str()).collect();
        self.found.iter().find(|f| f.name == name).ok_or_else(|| unknown_ecosystem(name, &list))
    }

    pub fn ecosystem(&self) -> Result<&Ecosystem> {
        self.root()?;
        self.chosen.as_ref().ok_or_else(none_chosen)
    }

    pub fn id(&self) -> Result<&EcosystemId> {
        Ok(&self.ecosystem()?.id)
    }

    pub fn name(&self) -> Option<&str> {
        self.chosen.as_ref().map(|ecosystem| ecosystem.id.name.as_str())
    }

    /// Whose run one of this call is: the chosen ecosystem's, else the platform's own.
    pub fn lane(&self) -> Result<EcosystemId> {
        match &self.chosen {
            Some(ecosystem) => Ok(ecosystem.id.clone()),
            None => Ok(EcosystemId { root: self.root()?.clone(), name: runs::PLATFORM.into() }),
        }
    }
}

/// The directories that a session names as its root, the most telling first.
pub fn named_roots(session: &SessionInfo) -> impl Iterator<Item = &str> {
    let names = ["AMOF_WORKSPACE_ROOT", "AMOF_CWD"];
    let named = |name| session.env.get(name).map(String::as_str).filter(|dir| !dir.is_empty());
    names.into_iter().filter_map(named)
}

/// The directory that holds `ecosystems/`: named by the environment, else the nearest one upwards.
pub fn find_root(session: &SessionInfo, world: &dyn World) -> Result<Option<PathBuf>> {
    let is_root = |dir: &Path| Ok::<bool, Error>(world.list(&dir.join("ecosystems"))?.is_some());
    for dir in named_roots(session) {
        let dir = world.canonical(Path::new(dir))?.unwrap_or_else(|| PathBuf::from(dir));
        if is_root(&dir)? {
            return mine(world, dir);
        }
    }
    for dir in Path::new(&session.workspace).ancestors() {
        if dir.parent().is_some() && is_root(dir)? {
            return match world.canonical(dir)? {
                Some(dir) => mine(world, dir),
                None => Ok(None),
            };
        }
    }
    Ok(None)
}

/// A root whose ecosystems somebody else may change is not one to act on, nor one to pass over in silence.
fn mine(world: &dyn World, root: PathBuf) -> Result<Option<PathBuf>> {
    owner::check(world, &root.join("ecosystems"))?;
    Ok(Some(root))
}

/// Looks as deep as it is told.
pub fn survey(look: &Look, named: CallSubject, depth: Depth) -> Result<Survey> {
    let world = look.world;
    let mut out = Survey { root: find_root(look.session, world)?, ..Survey::default() };
    let Some(root) = out.root.clone() else { return Ok(out) };
    if depth == Depth::Root {
        return Ok(out);
    }
    if depth == Depth::All {
        for (name, kind) in entries(world, &root)? {
            if matches!(kind, FileKind::Dir | FileKind::Symlink) && names::plain(&name).is_ok() {
                out.found.extend(match read_manifest(world, &root, &name) {
                    // One that is somebody else's must not hide the others.
                    Err(e) if e.code == owner::FOREIGN => Some(refused(&name, &e)),
                    found => found?,
                });
            }
        }
        return Ok(out);
    }
    if let Some(name) = scope::chosen(look, named.ecosystem)? {
        let id = EcosystemId { root: root.clone(), name: name.clone() };
        let found = match names::plain(&name) {
            Ok(()) => read_manifest(world, &root, &name)?,
            Err(_) => None,
        };
        let Some(found) = found else {
            let all = entries(world, &root)?;
            let all: Vec<&str> = all.iter().map(|(n, _)| n.as_str()).collect();
            return Err(unknown_ecosystem(&name, &all));
        };
        let mut chosen = ecosystem::look(look, id, found, depth, named.new_ticket)?;
        if depth == Depth::Remotes {
            chosen.outgoing = outgoing::outgoing(look, &chosen)?;
            chosen.left = outgoing::left_behind(look, &chosen)?;
        }
        out.chosen = Some(chosen);
    }
    if depth == Depth::Release {
        out.release = Some(release_facts::gather(look, &root, out.chosen.as_ref(), named.repo)?);
    }
    Ok(out)
}

/// What lies in `ecosystems/`; a link to somewhere else shows nothing.
fn entries(world: &dyn World, root: &Path) -> Result<Vec<(String, FileKind)>> {
    match inside::locate(world, root, "ecosystems")? {
        Located::Here(dir) => Ok(world.list(&dir)?.unwrap_or_default()),
        Located::Missing | Located::Outside => Ok(Vec::new()),
    }
}

fn read_manifest(world: &dyn World, root: &Path, name: &str) -> Result<Option<ManifestFile>> {
    let dir = Path::new("ecosystems").join(name);
    let path = dir.join("ecosystem.yaml");
    let real = match inside::locate(world, root, &path)? {
        Located::Here(real) => real,
        Located::Missing => return Ok(None),
        Located::Outside => {
            let why = format!("{} {}", inside::outside(&path.to_string_lossy()), inside::REMEDY);
            let found = ManifestFile {
                name: name.to_string(),
                checked: CheckedManifest::failed(why),
                sha: Sha::of(b""),
            };
            return Ok(Some(found));
        }
    };
    owner::check(world, &root.join(dir))?;
    owner::check(world, &root.join(path))?;
    let (checked, sha) = match world.read(&real, LIMIT) {
        Ok(bytes) => {
            let checked = match std::str::from_utf8(&bytes) {
                Ok(text) => manifest::check(text, name),
                Err(_) => CheckedManifest::failed("The manifest is not UTF-8 text.".into()),
            };
            (checked, Sha::of(&bytes))
        }
        Err(e) => (CheckedManifest::failed(format!("The manifest cannot be read: {e}.")), Sha::of(b"")),
    };
    Ok(Some(ManifestFile { name: name.to_string(), checked, sha }))
}

fn refused(name: &str, why: &Error) -> ManifestFile {
    ManifestFile {
        name: name.to_string(),
        checked: CheckedManifest::failed(why.to_string()),
        sha: Sha::of(b""),
    }
}
