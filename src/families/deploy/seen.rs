//! Everything a call needs to know about the world, looked at once: desired files, manifests, the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::args::Args;
use super::errors::coded;
use super::manifest::{self, Entries, Managed};
use super::module::Materialized;
use super::place::Place;
use super::rows;
use super::scout::{Scout, unreadable};
use super::targets::{self, Desired, Root};
use super::tree::Content;
use super::wanted;
use crate::core::world::{FileKind, ReadError};
use crate::core::{Ctx, Result, Sha};

/// A file as it is on disk.
#[derive(Debug, Clone)]
pub struct OnDisk {
    pub content: Content,
    pub mode: u32,
}

/// A managed root with its manifest: the usable entries, and the file as it is.
pub struct RootState {
    pub root: Root,
    pub entries: Option<Entries>,
    pub file: Option<OnDisk>,
    /// No longer wanted by the configuration; what it still has is to go.
    pub orphan: bool,
}

/// Key of a file everywhere in the family.
pub type Spot = (&'static str, PathBuf);

pub struct Seen {
    pub args: Args,
    pub place: Place,
    pub targets: Vec<&'static str>,
    pub roots: Vec<RootState>,
    pub desired: Desired,
    pub modules: BTreeMap<String, Materialized>,
    pub managed: BTreeMap<Spot, Managed>,
    pub disk: BTreeMap<PathBuf, OnDisk>,
    /// Files in scanned roots that nobody manages, with their hash.
    pub extras: Vec<(usize, PathBuf, Sha)>,
    /// Directories on the way to a target that are links.
    pub links: BTreeSet<PathBuf>,
    pub lock_sha: Option<Sha>,
    pub warnings: Vec<String>,
}

impl Seen {
    /// The deepest root of the target that holds the path.
    pub fn root_of(&self, target: &str, path: &Path) -> Option<usize> {
        let holds = |r: &Root| r.target == target && path.starts_with(&r.path);
        let roots = self.roots.iter().enumerate().filter(|(_, state)| holds(&state.root));
        roots.max_by_key(|(_, state)| state.root.path.as_os_str().len()).map(|(index, _)| index)
    }

    pub fn disk_sha(&self, path: &Path) -> Option<&Sha> {
        self.disk.get(path).map(|d| &d.content.sha)
    }

    /// Refuses to write where a directory on the way is a link.
    pub fn refuse_links(&self) -> Result<()> {
        let Some(link) = self.links.first() else { return Ok(()) };
        Err(coded(
            "E_PATH_SYMLINK",
            format!("{} is a symlink; packd does not write through it.", link.display()),
        )
        .details(json!({"path": link, "links": self.links})))
    }
}

/// Looks at everything. `scan` also lists what nobody manages.
pub fn look(scout: &Scout, ctx: &Ctx, args: &Args, scan: bool) -> Result<Seen> {
    let loaded = wanted::load(scout, ctx, args)?;
    let mut warnings = Vec::new();
    let (lock, lock_sha) = wanted::read_lock(scout, &loaded, &mut warnings)?;
    let modules = wanted::materialize(scout, ctx, args, &loaded, lock.as_ref(), &mut warnings)?;
    let desired = wanted::render(&loaded, &modules)?;
    let roots = wanted::roots(scout, &loaded)?;
    let mut seen = Seen {
        args: args.clone(),
        targets: loaded.targets.clone(),
        place: loaded.place,
        roots: Vec::new(),
        desired,
        modules,
        managed: BTreeMap::new(),
        disk: BTreeMap::new(),
        extras: Vec::new(),
        links: BTreeSet::new(),
        lock_sha,
        warnings,
    };
    for root in roots {
        seen.add_root(scout, root, false)?;
    }
    seen.find_managed(ctx)?;
    seen.add_orphans(scout, ctx)?;
    seen.read_disk(scout)?;
    if scan {
        seen.scan_extras(scout)?;
    }
    Ok(seen)
}

impl Seen {
    fn add_root(&mut self, scout: &Scout, root: Root, orphan: bool) -> Result<()> {
        let path = root.manifest();
        let mut entries = None;
        let file = match scout.file(&path)? {
            Ok((stat, content)) => {
                entries = manifest::parse(&content.bytes, root.target, &path, &mut self.warnings);
                Some(OnDisk { content, mode: stat.mode })
            }
            Err(ReadError::Missing) => None,
            Err(why) => return Err(unreadable(&path, &why)),
        };
        if entries.is_none() {
            let legacy = root.path.join(".agentpack.manifest.json");
            if let Ok((_, content)) = scout.file(&legacy)? {
                entries = manifest::parse(&content.bytes, root.target, &legacy, &mut Vec::new());
                if entries.is_some() {
                    self.warnings.push(format!("manifest {} has its old name", legacy.display()));
                }
            }
        }
        self.roots.push(RootState { root, entries, file, orphan });
        Ok(())
    }

    /// The manifests of the current roots; if there is none at all, what the last deploy left there.
    fn find_managed(&mut self, ctx: &Ctx) -> Result<()> {
        for state in &self.roots {
            for (path, managed) in
                state.entries.iter().flat_map(|entries| manifest::absolute(&state.root, entries))
            {
                self.managed.insert((state.root.target, path), managed);
            }
        }
        if !self.managed.is_empty() {
            return Ok(());
        }
        for state in &self.roots {
            let entries = rows::deployed(ctx, &state.root)?;
            for (path, managed) in manifest::absolute(&state.root, &entries) {
                self.managed.insert((state.root.target, path), managed);
            }
        }
        Ok(())
    }

    fn has_root(&self, root: &Root) -> bool {
        self.roots.iter().any(|s| s.root.target == root.target && s.root.path == root.path)
    }

    /// Roots this config repo deployed to earlier and no longer wants: a target or a scope was taken out.
    fn add_orphans(&mut self, scout: &Scout, ctx: &Ctx) -> Result<()> {
        for head in rows::heads(ctx.view)? {
            let here = head.project.as_ref().is_none_or(|p| *p == self.place.project);
            let meant = self.args.target == "all" || self.args.target == head.target;
            let Some(target) =
                targets::find(&head.target).filter(|_| here && meant && head.repo == self.place.repo)
            else {
                continue;
            };
            let root = Root {
                target: target.name,
                path: head.root,
                base: head.base,
                scan: false,
                project: head.project.is_some(),
            };
            if self.has_root(&root) {
                continue;
            }
            self.add_root(scout, root, true)?;
            let Some(state) = self.roots.last() else { continue };
            let found: Vec<_> =
                state.entries.iter().flat_map(|e| manifest::absolute(&state.root, e)).collect();
            if found.is_empty() {
                self.roots.pop();
                continue;
            }
            if !self.targets.contains(&target.name) {
                self.targets.push(target.name);
                self.targets.sort_unstable();
            }
            self.managed.extend(found.into_iter().map(|(path, m)| ((target.name, path), m)));
        }
        Ok(())
    }

    fn read_disk(&mut self, scout: &Scout) -> Result<()> {
        let mut plain = BTreeSet::new();
        let spots: BTreeSet<Spot> = self.desired.keys().chain(self.managed.keys()).cloned().collect();
        for spot in spots {
            let wanted = self.desired.contains_key(&spot);
            let (target, path) = spot;
            let base = self.root_of(target, &path).map(|i| self.roots[i].root.base.clone());
            if let Some(base) = base {
                self.check_links(scout, &base, &path, &mut plain)?;
            }
            match scout.file(&path)? {
                Ok((stat, content)) => {
                    self.disk.insert(path, OnDisk { content, mode: stat.mode });
                }
                Err(ReadError::Missing) => {}
                Err(why) if wanted => return Err(unreadable(&path, &why)),
                // Somebody put something else where a file of ours was: it is theirs now.
                Err(why) => {
                    self.warnings.push(format!("{} is left alone: {why}", path.display()));
                    self.managed.remove(&(target, path));
                }
            }
        }
        Ok(())
    }

    fn check_links(
        &mut self,
        scout: &Scout,
        base: &Path,
        path: &Path,
        plain: &mut BTreeSet<PathBuf>,
    ) -> Result<()> {
        for dir in path.ancestors().skip(1).take_while(|d| *d != base && d.starts_with(base)) {
            if plain.contains(dir) {
                return Ok(());
            }
            if scout.world.stat(dir)?.is_some_and(|s| s.kind == FileKind::Symlink)
                && self.links.insert(dir.to_path_buf())
            {
                self.warnings
                    .push(format!("{} is a symlink; deploy will not write through it", dir.display()));
            }
            plain.insert(dir.to_path_buf());
        }
        Ok(())
    }

    fn scan_extras(&mut self, scout: &Scout) -> Result<()> {
        for index in 0..self.roots.len() {
            let RootState { root, orphan, .. } = &self.roots[index];
            if !root.scan || *orphan {
                continue;
            }
            let (target, top) = (root.target, root.path.clone());
            let mut queue = vec![top];
            while let Some(dir) = queue.pop() {
                for (name, kind) in scout.world.list(&dir)?.unwrap_or_default() {
                    let path = dir.join(&name);
                    match kind {
                        FileKind::Dir if name != ".git" && name != ".agentpack" => queue.push(path),
                        FileKind::File if !name.starts_with(".agentpack.manifest") => {
                            let spot = (target, path);
                            let known = self.managed.contains_key(&spot) || self.desired.contains_key(&spot);
                            if known || self.root_of(target, &spot.1) != Some(index) {
                                continue;
                            }
                            if let Ok((_, content)) = scout.file(&spot.1)? {
                                self.extras.push((index, spot.1, content.sha));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        self.extras.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok(())
    }
}
