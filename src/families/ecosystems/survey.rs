//! Looks at the workspace before a call: its root, its manifests, and as much of git as the tool asks for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::branches::{self, Existing};
use super::git::{self, Checkout, Git, Whose};
use super::manifest::{self, Checked, Manifest, Repo};
use super::push::Outgoing;
use super::release::Facts;
use super::state::{self, Place, Ticket};
use super::{names, scope};
use crate::core::content::Contents;
use crate::core::inside::{self, Spot};
use crate::core::trash::Kept;
use crate::core::world::FileKind;
use crate::core::{Ctx, Error, Kind, Result, SessionInfo, Sha, World, owner};

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
    /// There are worktrees of tickets, ended ones included.
    pub tickets_dir_exists: bool,
    /// The platform repository's own commit, where the root is one.
    pub platform_head: Option<String>,
    /// The commit of the workspace branch, where it exists.
    pub branch_tip: Option<String>,
    /// Names in `dir` that belong to no repository, where `dir` is no worktree that git watches over.
    pub strays: Vec<String>,
    /// Changes when the content of a stray does.
    pub strays_digest: String,
    /// The worktree of the platform in `dir`.
    pub workspace: Checkout,
    pub repos: Vec<(Repo, Checkout)>,
    pub tickets: Vec<(Ticket, Vec<(String, Checkout)>)>,
    pub script: Option<Script>,
    /// What there is already of the branch of the ticket that is to start, by repository.
    pub branches: BTreeMap<String, Existing>,
    pub outgoing: Vec<Outgoing>,
    /// Names of the records of earlier archives, where the next one will be.
    pub archives: Vec<String>,
    /// Commits that would stay behind even if all of that went out, one line each.
    pub left: Vec<String>,
}

impl Target {
    pub fn branch(&self) -> String {
        format!("workspace/{}", self.place.name)
    }

    /// The checkout that keeps the records of archives.
    pub fn record_home(&self) -> &PathBuf {
        if self.workspace.exists { &self.dir } else { &self.place.root }
    }

    pub fn manifest(&self) -> Result<&Manifest> {
        self.found.checked.manifest.as_ref().ok_or_else(|| invalid(&self.found))
    }

    /// Where git must find its way again when a checkout comes back from the trash.
    pub fn kept(&self) -> Vec<Kept> {
        let one = |name: String, c: &Checkout| Kept { name, dir: c.dir.clone() };
        let workspace = self.workspace.exists.then(|| one("workspace".into(), &self.workspace));
        let clones = self.repos.iter().filter(|(_, c)| c.exists).map(|(r, c)| one(r.name.clone(), c));
        let trees = self.tickets.iter().flat_map(|(t, list)| list.iter().map(move |(repo, c)| (t, repo, c)));
        let trees = trees.filter(|(.., c)| c.exists).map(|(t, repo, c)| one(format!("{}-{repo}", t.id), c));
        workspace.into_iter().chain(clones).chain(trees).collect()
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

pub fn survey(ctx: &Ctx, world: &dyn World, depth: Depth) -> Result<Survey> {
    let mut out = Survey { root: find_root(ctx.session, world)?, ..Survey::default() };
    let Some(root) = out.root.clone() else { return Ok(out) };
    if depth == Depth::Root {
        return Ok(out);
    }
    let chosen = scope::chosen(ctx)?;
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
    if let Some(name) = chosen {
        let place = Place { root: root.clone(), name: name.clone() };
        let found = match names::plain(&name) {
            Ok(()) => read_manifest(world, &root, &name)?,
            Err(_) => None,
        };
        let Some(found) = found else {
            let all = entries(world, &root)?;
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

/// What lies in `ecosystems/`; a link to somewhere else shows nothing.
fn entries(world: &dyn World, root: &Path) -> Result<Vec<(String, FileKind)>> {
    match inside::locate(world, root, "ecosystems")? {
        Spot::Here(dir) => Ok(world.list(&dir)?.unwrap_or_default()),
        Spot::Missing | Spot::Outside => Ok(Vec::new()),
    }
}

fn read_manifest(world: &dyn World, root: &Path, name: &str) -> Result<Option<Found>> {
    let dir = Path::new("ecosystems").join(name);
    let path = dir.join("ecosystem.yaml");
    let real = match inside::locate(world, root, &path)? {
        Spot::Here(real) => real,
        Spot::Missing => return Ok(None),
        Spot::Outside => {
            let why = format!("{} {}", inside::outside(&path.to_string_lossy()), inside::REMEDY);
            let found = Found { name: name.to_string(), checked: Checked::failed(why), sha: Sha::of(b"") };
            return Ok(Some(found));
        }
    };
    owner::check(world, &root.join(dir))?;
    owner::check(world, &root.join(path))?;
    let (checked, sha) = match world.read(&real, LIMIT) {
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

fn refused(name: &str, why: &Error) -> Found {
    Found { name: name.to_string(), checked: Checked::failed(why.to_string()), sha: Sha::of(b"") }
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
        tickets_dir_exists: world.stat(&place.tickets_dir())?.is_some(),
        dir,
        found,
        platform_head: None,
        branch_tip: None,
        strays: Vec::new(),
        strays_digest: String::new(),
        workspace: Checkout::default(),
        repos: Vec::new(),
        tickets: Vec::new(),
        script: None,
        branches: BTreeMap::new(),
        outgoing: Vec::new(),
        archives: Vec::new(),
        left: Vec::new(),
        place,
    };
    let Some(manifest) = manifest else { return Ok(target) };
    if depth < Depth::Repos {
        return Ok(target);
    }
    if world.stat(&target.place.root.join(".git"))?.is_some() {
        let git = Git::new(world, session, &target.place.root);
        target.platform_head = git.maybe(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
        let tip = format!("refs/heads/{}", target.branch());
        target.branch_tip = git.maybe(&["rev-parse", "--verify", "--quiet", &tip])?;
    }
    let clones: Vec<PathBuf> = manifest.repos.iter().map(|r| target.dir.join(&r.path)).collect();
    let branch = target.branch();
    target.workspace = git::look(world, session, &target.dir, &clones, Whose::Own(&branch))?;
    if target.dir_exists && !target.workspace.exists {
        let ours = |name: &String| clones.iter().any(|path| path.starts_with(target.dir.join(name)));
        let names = world.list(&target.dir)?.unwrap_or_default().into_iter().map(|(name, _)| name);
        target.strays = names.filter(|name| !ours(name)).collect();
        let mut contents = Contents::new(world);
        target.strays.iter().for_each(|name| contents.take(&target.dir, name));
        target.strays_digest = contents.digest();
    }
    let tickets = state::tickets(ctx.view, &target.place)?;
    let trees: Vec<PathBuf> =
        tickets.iter().flat_map(|t| t.repos.values()).map(|r| r.worktree.clone()).collect();
    for repo in manifest.enabled() {
        let checkout = git::look(world, session, &target.dir.join(&repo.path), &trees, Whose::All)?;
        target.repos.push((repo.clone(), checkout));
    }
    if let (Some(id), "amof_ticket_start") = (ctx.call.text("ticket_id"), ctx.call.tool.as_str())
        && names::plain(id).is_ok()
    {
        let branch = format!("{}/{id}", manifest.repo_branch_prefix);
        for (repo, checkout) in target.repos.iter().filter(|(_, checkout)| checkout.exists) {
            let git = Git::new(world, session, &checkout.dir);
            target.branches.insert(repo.name.clone(), branches::look(&git, &branch)?);
        }
    }
    for ticket in tickets {
        let mut list = Vec::new();
        for (repo, at) in &ticket.repos {
            let found = git::look(world, session, &at.worktree, &[], Whose::Own(&at.branch))?;
            list.push((repo.clone(), found));
        }
        target.tickets.push((ticket, list));
    }
    if let Some(provisioner) = &manifest.provisioner {
        target.script = script(world, &target.place.root, provisioner)?;
    }
    if depth == Depth::Remotes {
        target.outgoing = super::push::outgoing(ctx, world, &target)?;
        target.left = super::push::left_behind(ctx, world, &target)?;
        let records = target.record_home().join("ecosystems").join(&target.place.name).join("archives");
        let names = world.list(&records)?.unwrap_or_default();
        target.archives = names.into_iter().map(|(name, _)| name).collect();
    }
    Ok(target)
}

/// The script of one provisioner; it runs in the user's name, so all that leads to it must be theirs.
fn script(world: &dyn World, root: &Path, provisioner: &str) -> Result<Option<Script>> {
    let all = Path::new("provisioners");
    let dir = all.join(provisioner);
    let path = dir.join("spin.sh");
    let real = match inside::locate(world, root, &path)? {
        Spot::Here(real) => real,
        Spot::Missing => return Ok(None),
        Spot::Outside => {
            let why = inside::outside(&path.to_string_lossy());
            return Err(Error::new(Kind::Denied, "outside_workspace", why).hint(inside::REMEDY));
        }
    };
    let Some(stat) = world.stat(&real)? else { return Ok(None) };
    for part in [all, &dir, &path] {
        owner::check(world, &root.join(part))?;
    }
    let path = root.join(path);
    match world.read(&real, LIMIT) {
        Ok(bytes) => Ok(Some(Script { path, sha: Sha::of(&bytes), executable: stat.mode & 0o111 != 0 })),
        Err(e) => Err(Error::io(format!("The provisioner's script {} cannot be read: {e}.", path.display()))),
    }
}
