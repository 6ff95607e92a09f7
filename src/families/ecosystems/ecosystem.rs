//! The chosen ecosystem as it is on disk: its checkouts, tickets and script.
//!
//! Looks and never touches; what follows from it is decided elsewhere, and its remotes are asked by `outgoing`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::branches::{self, ExistingBranch};
use super::errors::invalid_manifest;
use super::git::{self, Checkout, CheckoutScope, Git};
use super::manifest::{EcosystemManifest, ManifestRepo};
use super::names;
use super::outgoing::Outgoing;
use super::rows::{self, EcosystemId, Ticket};
use super::survey::{Depth, ManifestFile};
use crate::core::content::ContentsDigest;
use crate::core::inside::{self, Located};
use crate::core::trash::KeptCheckout;
use crate::core::{Error, Kind, Look, Result, Sha, World, owner};

/// Scripts larger than this are not what they claim to be.
const LIMIT: u64 = 1 << 20;

#[derive(Debug, Clone)]
pub struct SpinScript {
    pub path: PathBuf,
    pub sha: Sha,
    pub executable: bool,
}

/// The chosen ecosystem as it is on disk.
#[derive(Debug, Clone)]
pub struct Ecosystem {
    pub id: EcosystemId,
    pub file: ManifestFile,
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
    pub repos: Vec<(ManifestRepo, Checkout)>,
    pub tickets: Vec<(Ticket, Vec<(String, Checkout)>)>,
    pub script: Option<SpinScript>,
    /// What there is already of the branch of the ticket that is to start, by repository.
    pub branches: BTreeMap<String, ExistingBranch>,
    pub outgoing: Vec<Outgoing>,
    /// Names of the records of earlier archives, where the next one will be.
    pub archives: Vec<String>,
    /// Commits that would stay behind even if all of that went out, one line each.
    pub left: Vec<String>,
}

impl Ecosystem {
    pub fn branch(&self) -> String {
        format!("workspace/{}", self.id.name)
    }

    /// The checkout that keeps the records of archives.
    pub fn record_home(&self) -> &PathBuf {
        if self.workspace.exists { &self.dir } else { &self.id.root }
    }

    pub fn manifest(&self) -> Result<&EcosystemManifest> {
        let checked = &self.file.checked;
        checked.manifest.as_ref().ok_or_else(|| invalid_manifest(&self.file.name, &checked.problems))
    }

    /// Where git must find its way again when a checkout comes back from the trash.
    pub fn kept(&self) -> Vec<KeptCheckout> {
        let one = |name: String, c: &Checkout| KeptCheckout { name, dir: c.dir.clone() };
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

/// Looks at one ecosystem, as deep as it is told; `new_ticket` is one that is to start.
pub fn look(
    look: &Look,
    id: EcosystemId,
    file: ManifestFile,
    depth: Depth,
    new_ticket: Option<&str>,
) -> Result<Ecosystem> {
    let (session, world) = (look.session, look.world);
    let manifest = file.checked.manifest.clone();
    let dir = match manifest.as_ref().and_then(|m| m.workspace_dir.as_deref()) {
        Some(dir) => id.root.join(dir),
        None => id.root.join("worktrees").join(&id.name),
    };
    let mut ecosystem = Ecosystem {
        dir_exists: world.stat(&dir)?.is_some(),
        tickets_dir_exists: world.stat(&id.tickets_dir())?.is_some(),
        dir,
        file,
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
        id,
    };
    let Some(manifest) = manifest else { return Ok(ecosystem) };
    if depth < Depth::Repos {
        return Ok(ecosystem);
    }
    if world.stat(&ecosystem.id.root.join(".git"))?.is_some() {
        let git = Git::new(world, session, &ecosystem.id.root);
        ecosystem.platform_head = git.maybe(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
        let tip = format!("refs/heads/{}", ecosystem.branch());
        ecosystem.branch_tip = git.maybe(&["rev-parse", "--verify", "--quiet", &tip])?;
    }
    let clones: Vec<PathBuf> = manifest.repos.iter().map(|r| ecosystem.dir.join(&r.path)).collect();
    let branch = ecosystem.branch();
    ecosystem.workspace = git::look(world, session, &ecosystem.dir, &clones, CheckoutScope::Own(&branch))?;
    if ecosystem.dir_exists && !ecosystem.workspace.exists {
        let ours = |name: &String| clones.iter().any(|path| path.starts_with(ecosystem.dir.join(name)));
        let names = world.list(&ecosystem.dir)?.unwrap_or_default().into_iter().map(|(name, _)| name);
        ecosystem.strays = names.filter(|name| !ours(name)).collect();
        let mut contents = ContentsDigest::new(world);
        ecosystem.strays.iter().for_each(|name| contents.take(&ecosystem.dir, name));
        ecosystem.strays_digest = contents.digest();
    }
    let tickets = rows::tickets(look.view, &ecosystem.id)?;
    let trees: Vec<PathBuf> =
        tickets.iter().flat_map(|t| t.repos.values()).map(|r| r.worktree.clone()).collect();
    for repo in manifest.enabled() {
        let checkout =
            git::look(world, session, &ecosystem.dir.join(&repo.path), &trees, CheckoutScope::All)?;
        ecosystem.repos.push((repo.clone(), checkout));
    }
    if let Some(ticket) = new_ticket.filter(|ticket| names::plain(ticket).is_ok()) {
        let branch = format!("{}/{ticket}", manifest.repo_branch_prefix);
        for (repo, checkout) in ecosystem.repos.iter().filter(|(_, checkout)| checkout.exists) {
            let git = Git::new(world, session, &checkout.dir);
            ecosystem.branches.insert(repo.name.clone(), branches::look(&git, &branch)?);
        }
    }
    for ticket in tickets {
        let mut list = Vec::new();
        for (repo, at) in &ticket.repos {
            let found = git::look(world, session, &at.worktree, &[], CheckoutScope::Own(&at.branch))?;
            list.push((repo.clone(), found));
        }
        ecosystem.tickets.push((ticket, list));
    }
    if let Some(provisioner) = &manifest.provisioner {
        ecosystem.script = script(world, &ecosystem.id.root, provisioner)?;
    }
    if depth == Depth::Remotes {
        let records = ecosystem.record_home().join("ecosystems").join(&ecosystem.id.name).join("archives");
        let names = world.list(&records)?.unwrap_or_default();
        ecosystem.archives = names.into_iter().map(|(name, _)| name).collect();
    }
    Ok(ecosystem)
}

/// The script of one provisioner; it runs in the user's name, so all that leads to it must be theirs.
fn script(world: &dyn World, root: &Path, provisioner: &str) -> Result<Option<SpinScript>> {
    let all = Path::new("provisioners");
    let dir = all.join(provisioner);
    let path = dir.join("spin.sh");
    let real = match inside::locate(world, root, &path)? {
        Located::Here(real) => real,
        Located::Missing => return Ok(None),
        Located::Outside => {
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
        Ok(bytes) => Ok(Some(SpinScript { path, sha: Sha::of(&bytes), executable: stat.mode & 0o111 != 0 })),
        Err(e) => Err(Error::io(format!("The provisioner's script {} cannot be read: {e}.", path.display()))),
    }
}
