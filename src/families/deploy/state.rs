//! Everything a call needs to know about the world, looked at once: desired files, manifests, the disk.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::args::Args;
use super::desired;
use super::errors::coded;
use super::file_reader::{FileReader, unreadable};
use super::locations::Locations;
use super::manifest::{self, ManifestEntries, ManifestEntry};
use super::module::Materialized;
use super::rows;
use super::target_file::TargetFile;
use super::targets::{self, TargetOutput, TargetRoot};
use super::tree::HashedContent;
use crate::core::world::{FileKind, ReadError, Stat};
use crate::core::{Ctx, Look, Result, Sha};

/// A file as it is on disk.
#[derive(Debug, Clone)]
pub struct OnDisk {
    pub content: HashedContent,
    pub mode: u32,
}

/// A managed root with its manifest: the usable entries, and the file as it is.
pub struct RootState {
    pub root: TargetRoot,
    pub entries: Option<Arc<ManifestEntries>>,
    pub file: Option<OnDisk>,
    /// No longer wanted by the configuration; what it still has is to go.
    pub orphan: bool,
}

/// All that is known of one file: wanted, or listed by a manifest, or both.
#[derive(Default)]
pub struct FileState {
    /// The deepest root of its target that holds it.
    pub root: Option<usize>,
    pub wanted: Option<TargetOutput>,
    /// What a manifest says was deployed.
    pub managed: Option<Arc<ManifestEntry>>,
    /// What is there.
    pub now: Option<OnDisk>,
}

impl FileState {
    pub fn now_sha(&self) -> Option<&Sha> {
        self.now.as_ref().map(|file| &file.content.sha)
    }
}

pub struct DeployState {
    pub args: Args,
    pub place: Locations,
    pub targets: Vec<&'static str>,
    pub roots: Vec<RootState>,
    pub files: BTreeMap<TargetFile, FileState>,
    pub modules: BTreeMap<String, Materialized>,
    /// Files in scanned roots that nobody manages, with their root and hash.
    pub extras: Vec<(TargetFile, usize, Sha)>,
    /// Directories on the way to a target that are links.
    pub links: BTreeSet<PathBuf>,
    pub lock_sha: Option<Sha>,
    pub warnings: Vec<String>,
}

impl DeployState {
    /// The deepest root of the target that holds the path.
    fn root_of(&self, target: &str, path: &Path) -> Option<usize> {
        let holds = |r: &TargetRoot| r.target == target && path.starts_with(&r.path);
        let roots = self.roots.iter().enumerate().filter(|(_, state)| holds(&state.root));
        roots.max_by_key(|(_, state)| state.root.path.as_os_str().len()).map(|(index, _)| index)
    }

    /// Everything that should be there.
    pub fn wanted(&self) -> impl Iterator<Item = (&TargetFile, &FileState, &TargetOutput)> {
        self.files.iter().filter_map(|(at, known)| Some((at, known, known.wanted.as_ref()?)))
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
pub fn look(look: &Look, args: &Args, scan: bool) -> Result<DeployState> {
    look_with(&FileReader::of(look), look.ctx, args, scan)
}

/// The same for who has no call of a tool.
pub fn look_with(reader: &FileReader, ctx: &Ctx, args: &Args, scan: bool) -> Result<DeployState> {
    let loaded = desired::load(reader, args)?;
    let mut warnings = Vec::new();
    let (lock, lock_sha) = desired::read_lock(reader, &loaded, &mut warnings)?;
    let modules = desired::materialize(reader, args, &loaded, lock.as_ref(), &mut warnings)?;
    let desired = desired::render(&loaded, &modules)?;
    let roots = desired::roots(reader, &loaded)?;
    let known = |output| FileState { wanted: Some(output), ..FileState::default() };
    let mut seen = DeployState {
        args: args.clone(),
        targets: loaded.targets.clone(),
        place: loaded.place,
        roots: Vec::new(),
        files: desired.into_iter().map(|(at, output)| (at, known(output))).collect(),
        modules,
        extras: Vec::new(),
        links: BTreeSet::new(),
        lock_sha,
        warnings,
    };
    for root in roots {
        seen.add_root(reader, root, false)?;
    }
    seen.find_managed(ctx)?;
    seen.add_orphans(reader, ctx)?;
    seen.read_disk(reader)?;
    if scan {
        seen.scan_extras(reader)?;
    }
    Ok(seen)
}

impl DeployState {
    fn add_root(&mut self, reader: &FileReader, root: TargetRoot, orphan: bool) -> Result<()> {
        let path = root.manifest();
        may_write(reader, &root, &path)?;
        let mut entries = None;
        let file = match reader.file(&path)? {
            Ok((stat, content)) => {
                entries = manifest::parse(&content, root.target, &path, &mut self.warnings);
                Some(OnDisk { content, mode: stat.mode })
            }
            Err(ReadError::Missing) => None,
            Err(why) => return Err(unreadable(&path, &why)),
        };
        if entries.is_none() {
            let legacy = root.path.join(".agentpack.manifest.json");
            if let Ok((_, content)) = reader.file(&legacy)? {
                entries = manifest::parse(&content, root.target, &legacy, &mut Vec::new());
                if entries.is_some() {
                    self.warnings.push(format!("manifest {} has its old name", legacy.display()));
                }
            }
        }
        self.roots.push(RootState { root, entries, file, orphan });
        Ok(())
    }

    /// Remembers what is managed; true if anything is.
    fn manage(&mut self, entries: impl Iterator<Item = (TargetFile, Arc<ManifestEntry>)>) -> bool {
        let mut any = false;
        for (at, entry) in entries {
            self.files.entry(at).or_default().managed = Some(entry);
            any = true;
        }
        any
    }

    /// The manifests of the current roots; if there is none at all, what the last deploy left there.
    fn find_managed(&mut self, ctx: &Ctx) -> Result<()> {
        let listed: Vec<(TargetRoot, Arc<ManifestEntries>)> =
            self.roots.iter().filter_map(|s| Some((s.root.clone(), s.entries.clone()?))).collect();
        let mut any = false;
        for (root, entries) in &listed {
            any |= self.manage(manifest::spots(root, entries));
        }
        if any {
            return Ok(());
        }
        let roots: Vec<TargetRoot> = self.roots.iter().map(|s| s.root.clone()).collect();
        for root in &roots {
            self.manage(manifest::spots(root, &*rows::deployed(ctx, root)?));
        }
        Ok(())
    }

    fn has_root(&self, root: &TargetRoot) -> bool {
        self.roots.iter().any(|s| s.root.target == root.target && s.root.path == root.path)
    }

    /// Roots this config repo deployed to earlier and no longer wants: a target or a scope was taken out.
    fn add_orphans(&mut self, reader: &FileReader, ctx: &Ctx) -> Result<()> {
        for head in rows::heads(ctx.view)? {
            let here = head.project.as_ref().is_none_or(|p| *p == self.place.project);
            let meant = self.args.target == "all" || self.args.target == head.target;
            let Some(target) =
                targets::find(&head.target).filter(|_| here && meant && head.repo == self.place.repo)
            else {
                continue;
            };
            let root = TargetRoot {
                target: target.name(),
                path: head.root,
                base: head.base,
                scan: false,
                project: head.project.is_some(),
            };
            if self.has_root(&root) {
                continue;
            }
            self.add_root(reader, root.clone(), true)?;
            let entries = self.roots.last().and_then(|state| state.entries.clone());
            if !entries.is_some_and(|entries| self.manage(manifest::spots(&root, &entries))) {
                self.roots.pop();
                continue;
            }
            if !self.targets.contains(&target.name()) {
                self.targets.push(target.name());
                self.targets.sort_unstable();
            }
        }
        Ok(())
    }

    fn read_disk(&mut self, reader: &FileReader) -> Result<()> {
        let mut files = std::mem::take(&mut self.files);
        let mut plain = HashSet::new();
        let mut all: Vec<(&TargetFile, &mut FileState)> = files.iter_mut().collect();
        // Files of one directory follow each other; they share its root and are asked for together.
        for group in all.chunk_by_mut(|a, b| a.0.is_beside(b.0)) {
            let TargetFile { target, path } = group[0].0;
            let (root, dir) = (self.root_of(target, path), path.parent().unwrap_or(path));
            if let Some(index) = root {
                let base = self.roots[index].root.base.clone();
                self.check_links(reader, &base, dir, &mut plain)?;
            }
            let names: Vec<&OsStr> = group.iter().filter_map(|(at, _)| at.path.file_name()).collect();
            let stats = reader.stats(dir, &names)?;
            for (n, (at, known)) in group.iter_mut().enumerate() {
                known.root = root;
                if let Some(index) = root {
                    self.refuse_reserved(reader, index, at, known)?;
                }
                let found = match stats.as_ref().map(|stats| stats[n].clone()) {
                    Some(None) => Err(ReadError::Missing),
                    seen => reader.file_seen(&at.path, seen.flatten())?,
                };
                self.found(at, known, found)?;
            }
        }
        files.retain(|_, known| known.wanted.is_some() || known.managed.is_some());
        self.files = files;
        Ok(())
    }

    /// A file that is not ours to write cannot be wanted; a manifest that lists one is not believed.
    fn refuse_reserved(
        &mut self,
        reader: &FileReader,
        root: usize,
        at: &TargetFile,
        known: &mut FileState,
    ) -> Result<()> {
        match may_write(reader, &self.roots[root].root, &at.path) {
            Err(e) if known.wanted.is_some() => Err(e),
            Err(e) => {
                self.warnings.push(format!("{} is left alone: {}", at.path.display(), e.message));
                known.managed = None;
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn found(
        &mut self,
        at: &TargetFile,
        known: &mut FileState,
        found: std::result::Result<(Stat, HashedContent), ReadError>,
    ) -> Result<()> {
        match found {
            Ok((stat, content)) => known.now = Some(OnDisk { content, mode: stat.mode }),
            Err(ReadError::Missing) => {}
            Err(why) if known.wanted.is_some() => return Err(unreadable(&at.path, &why)),
            // Somebody put something else where a file of ours was: it is theirs now.
            Err(why) => {
                self.warnings.push(format!("{} is left alone: {why}", at.path.display()));
                known.managed = None;
            }
        }
        Ok(())
    }

    /// Looks for links between a base and a directory below it.
    fn check_links(
        &mut self,
        reader: &FileReader,
        base: &Path,
        below: &Path,
        plain: &mut HashSet<PathBuf>,
    ) -> Result<()> {
        for dir in below.ancestors().take_while(|d| *d != base && d.starts_with(base)) {
            if plain.contains(dir) {
                return Ok(());
            }
            if reader.world.stat(dir)?.is_some_and(|s| s.kind == FileKind::Symlink)
                && self.links.insert(dir.to_path_buf())
            {
                self.warnings
                    .push(format!("{} is a symlink; deploy will not write through it", dir.display()));
            }
            plain.insert(dir.to_path_buf());
        }
        Ok(())
    }

    fn scan_extras(&mut self, reader: &FileReader) -> Result<()> {
        for index in 0..self.roots.len() {
            let RootState { root, orphan, .. } = &self.roots[index];
            if !root.scan || *orphan {
                continue;
            }
            let (target, top) = (root.target, root.path.clone());
            let mut queue = vec![top];
            while let Some(dir) = queue.pop() {
                for (name, kind) in reader.world.list(&dir)?.unwrap_or_default() {
                    let path = dir.join(&name);
                    match kind {
                        FileKind::Dir if name != ".git" && name != ".agentpack" => queue.push(path),
                        FileKind::File if !name.starts_with(".agentpack.manifest") => {
                            let at = TargetFile::new(target, path);
                            let known = self.files.contains_key(&at);
                            if known || self.root_of(target, &at.path) != Some(index) {
                                continue;
                            }
                            if let Ok((_, content)) = reader.file(&at.path)? {
                                self.extras.push((at, index, content.sha.clone()));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
}

fn may_write(reader: &FileReader, root: &TargetRoot, path: &Path) -> Result<()> {
    reader.world.may_write(&root.base, path.strip_prefix(&root.base).unwrap_or(path))
}
