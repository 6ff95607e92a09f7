//! Looks at the workspace before a call: its root, its manifests, and as much of git as the tool asks for.

use std::path::{Path, PathBuf};

use super::git::{self, Checkout, Git, Whose};
use super::manifest::{self, Checked, Manifest, Repo};
use super::push::Outgoing;
use super::release::Facts;
use super::state::{self, Place, Ticket};
use super::{names, scope};
use crate::core::world::FileKind;
use crate::core::{Ctx, Error, Kind, Result, SessionInfo, Sha, World};

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

/// Manifests and scripts larger than this are not what they claim to be.
const LIMIT: u64 = 1 << 20;

#[derive(Debug, Clone)]
pub struct Found {
    pub name: String,
    pub checked: Checked,
    pub sha: Sha,
}

#[derive(Debug, Clone)]
pub struct Script {
    pub path: PathBuf,
    pub sha: Sha,
    pub executable: bool,
}

/// The chosen ecosystem as it is on disk.
#[derive(Debug, Clone)]
pub struct Target {
    pub place: Place,
    pub found: Found,
    /// Where its checkouts live.
    pub dir: PathBuf,
    pub dir_exists: bool,
    /// The platform repository's own commit, where the root is one.
    pub platform_head: Option<String>,
    /// The commit of the workspace branch, where it exists.
    pub branch_tip: Option<String>,
    /// Names in `dir` that belong to no repository, where `dir` is no worktree that git watches over.
    pub strays: Vec<String>,
    /// The worktree of the platform in `dir`.
    pub workspace: Checkout,
    pub repos: Vec<(Repo, Checkout)>,
    pub tickets: Vec<(Ticket, Vec<(String, Checkout)>)>,
    pub script: Option<Script>,
    pub outgoing: Vec<Outgoing>,
}

impl Target {
    pub fn branch(&self) -> String {
        format!("workspace/{}", self.place.name)
    }

    pub fn manifest(&self) -> Result<&Manifest> {
        self.found.checked.manifest.as_ref().ok_or_else(|| invalid(&self.found))
    }

    /// Every checkout that may hold work, with the name people know it by.
    pub fn checkouts(&self) -> impl Iterator<Item = (String, &Checkout)> {
        let own = self.repos.iter().map(|(r, c)| (r.name.clone(), c));
        let tickets = self
            .tickets
            .iter()
            .flat_map(|(t, list)| list.iter().map(move |(repo, c)| (format!("{repo} (ticket {})", t.id), c)));
        let workspace = std::iter::once(("workspace".to_string(), &self.workspace));
        workspace.chain(own).chain(tickets).filter(|(_, c)| c.exists)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub root: Option<PathBuf>,
    pub found: Vec<Found>,
    pub target: Option<Target>,
    pub release: Option<Facts>,
}

impl Survey {
    pub fn root(&self) -> Result<&PathBuf> {
        self.root.as_ref().ok_or_else(no_root)
    }

    pub fn find(&self, name: &str) -> Result<&Found> {
        let list: Vec<&str> = self.found.iter().map(|f| f.name.as_str()).collect();
        self.found.iter().find(|f| f.name == name).ok_or_else(|| unknown(name, &list))
    }

    pub fn target(&self) -> Result<&Target> {
        self.target.as_ref().ok_or_else(scope::none_chosen)
    }

    pub fn place(&self) -> Result<&Place> {
        Ok(&self.target()?.place)
    }
}

pub fn no_root() -> Error {
    Error::new(Kind::State, "no_workspace", "No workspace with an 'ecosystems' directory was found.")
        .hint("Create ecosystems/<name>/ecosystem.yaml in the project, or set AMOF_WORKSPACE_ROOT.")
}

fn unknown(name: &str, known: &[&str]) -> Error {
    let hint = match crate::core::schema::closest(name, known) {
        Some(near) => format!("Did you mean '{near}'?"),
        None if known.is_empty() => "There are no ecosystems in this workspace.".to_string(),
        None => format!("Known ecosystems: {}.", known.join(", ")),
    };
    Error::new(Kind::NotFound, "unknown_ecosystem", format!("There is no ecosystem '{name}'.")).hint(hint)
}

fn invalid(found: &Found) -> Error {
    let lines: Vec<String> = found.checked.errors().map(manifest::Problem::line).collect();
    Error::new(
        Kind::State,
        "invalid_manifest",
        format!("ecosystems/{}/ecosystem.yaml is not valid: {}", found.name, lines.join(" ")),
    )
    .hint("amof_validate_manifest lists everything that is wrong with it.")
    .details(serde_json::json!({"problems": found.checked.problems.iter().map(manifest::Problem::json).collect::<Vec<_>>()}))
}

/// The directory that holds `ecosystems/`: named by the environment, else the nearest one upwards.
pub fn find_root(session: &SessionInfo, world: &dyn World) -> Result<Option<PathBuf>> {
    let is_root = |dir: &Path| Ok::<bool, Error>(world.list(&dir.join("ecosystems"))?.is_some());
    for name in ["AMOF_WORKSPACE_ROOT", "AMOF_CWD"] {
        let Some(dir) = session.env.get(name).filter(|v| !v.is_empty()) else { continue };
        let dir = world.canonical(Path::new(dir))?.unwrap_or_else(|| PathBuf::from(dir));
        if is_root(&dir)? {
            return Ok(Some(dir));
        }
    }
    for dir in Path::new(&session.workspace).ancestors() {
        if dir.parent().is_some() && is_root(dir)? {
            return world.canonical(dir);
        }
    }
    Ok(None)
}

pub fn survey(ctx: &Ctx, world: &dyn World, depth: Depth) -> Result<Survey> {
    let mut out = Survey { root: find_root(ctx.session, world)?, ..Survey::default() };
    let Some(root) = out.root.clone() else { return Ok(out) };
    if depth == Depth::Root {
        return Ok(out);
    }
    let chosen = scope::chosen(ctx)?;
    if depth == Depth::All {
        for (name, kind) in world.list(&root.join("ecosystems"))?.unwrap_or_default() {
            if matches!(kind, FileKind::Dir | FileKind::Symlink) && names::plain(&name).is_ok() {
                out.found.extend(read_manifest(world, &root, &name)?);
            }
        }
        return Ok(out);
    }
    if let Some(name) = chosen {
        let place = Place { root: root.clone(), name: name.clone() };
        let found = match names::plain(&name) {
            Ok(()) => read_manifest(world, &root, &name)?,
            Err(_) => None,
        };
        let Some(found) = found else {
            let all = world.list(&root.join("ecosystems"))?.unwrap_or_default();
            let all: Vec<&str> = all.iter().map(|(n, _)| n.as_str()).collect();
            return Err(unknown(&name, &all));
        };
        out.target = Some(look(ctx, world, place, found, depth)?);
    }
    if depth == Depth::Release {
        out.release = Some(super::release::gather(ctx, world, &root, out.target.as_ref())?);
    }
    Ok(out)
}

fn read_manifest(world: &dyn World, root: &Path, name: &str) -> Result<Option<Found>> {
    let path = root.join("ecosystems").join(name).join("ecosystem.yaml");
    if world.stat(&path)?.is_none() {
        return Ok(None);
    }
    let (checked, sha) = match world.read(&path, LIMIT) {
        Ok(bytes) => {
            let checked = match std::str::from_utf8(&bytes) {
                Ok(text) => manifest::check(text, name),
                Err(_) => Checked::failed("The manifest is not UTF-8 text.".into()),
            };
            (checked, Sha::of(&bytes))
        }
        Err(e) => (Checked::failed(format!("The manifest cannot be read: {e}.")), Sha::of(b"")),
    };
    Ok(Some(Found { name: name.to_string(), checked, sha }))
}

fn look(ctx: &Ctx, world: &dyn World, place: Place, found: Found, depth: Depth) -> Result<Target> {
    let session = ctx.session;
    let manifest = found.checked.manifest.clone();
    let dir = match manifest.as_ref().and_then(|m| m.workspace_dir.as_deref()) {
        Some(dir) => place.root.join(dir),
        None => place.root.join("worktrees").join(&place.name),
    };
    let mut target = Target {
        dir_exists: world.stat(&dir)?.is_some(),
        dir,
        found,
        platform_head: None,
        branch_tip: None,
        strays: Vec::new(),
        workspace: Checkout::default(),
        repos: Vec::new(),
        tickets: Vec::new(),
        script: None,
        outgoing: Vec::new(),
        place,
    };
    let Some(manifest) = manifest else { return Ok(target) };
    if depth < Depth::Repos {
        return Ok(target);
    }
    if world.stat(&target.place.root.join(".git"))?.is_some() {
        let git = Git { world, session, dir: &target.place.root };
        target.platform_head = git.maybe(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
        let tip = format!("refs/heads/{}", target.branch());
        target.branch_tip = git.maybe(&["rev-parse", "--verify", "--quiet", &tip])?;
    }
    let skip: Vec<String> = manifest.repos.iter().map(|r| r.path.clone()).collect();
    target.workspace = git::look(world, session, &target.dir, &skip, Whose::Own)?;
    if target.dir_exists && !target.workspace.exists {
        let ours = |name: &String| skip.iter().any(|path| path.split('/').next() == Some(name));
        let names = world.list(&target.dir)?.unwrap_or_default().into_iter().map(|(name, _)| name);
        target.strays = names.filter(|name| !ours(name)).collect();
    }
    for repo in manifest.enabled() {
        let checkout = git::look(world, session, &target.dir.join(&repo.path), &[], Whose::All)?;
        target.repos.push((repo.clone(), checkout));
    }
    for ticket in state::tickets(ctx.view, &target.place)? {
        let mut list = Vec::new();
        for (repo, at) in &ticket.repos {
            list.push((repo.clone(), git::look(world, session, &at.worktree, &[], Whose::Own)?));
        }
        target.tickets.push((ticket, list));
    }
    if let Some(provisioner) = &manifest.provisioner {
        target.script =
            script(world, &target.place.root.join("provisioners").join(provisioner).join("spin.sh"))?;
    }
    if depth == Depth::Remotes {
        target.outgoing = super::push::outgoing(ctx, world, &target)?;
    }
    Ok(target)
}

fn script(world: &dyn World, path: &Path) -> Result<Option<Script>> {
    let Some(stat) = world.stat(path)? else { return Ok(None) };
    match world.read(path, LIMIT) {
        Ok(bytes) => Ok(Some(Script {
            path: path.to_path_buf(),
            sha: Sha::of(&bytes),
            executable: stat.mode & 0o111 != 0,
        })),
        Err(e) => Err(Error::io(format!("The provisioner's script {} cannot be read: {e}.", path.display()))),
    }
}
