//! The places agents read their configuration from: one file per target.
//!
//! A target says which directories it manages and what each module becomes there; where these are is known to
//! `core::agents`. It sees modules and settings only; what is on disk is not its business.

mod combined;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::config::{ModuleKind, TargetConfig};
use super::errors::coded;
use super::locations::Locations;
use super::module::Materialized;
use super::target_file::TargetFile;
use super::tree::HashedContent;
use crate::core::Result;
use crate::core::agents::Agent;

pub use combined::sections;
pub use cursor::body as rule_body;

/// Each is a file here and an agent of `core::agents`.
macro_rules! targets {
    ($($name:ident),*) => {
        $(mod $name;)*
        const ALL: &[&DeployTarget] = &[$(&$name::TARGET),*];
    };
}

targets!(codex, claude_code, cursor, vscode, jetbrains, zed, windsurf, gemini);

pub struct DeployTarget {
    pub agent: &'static Agent,
    /// Knows a place outside projects.
    pub user_scope: bool,
    pub kinds: &'static [ModuleKind],
    pub roots: fn(&TargetSetup) -> Vec<TargetRoot>,
    pub render: fn(&TargetSetup, &[&Materialized], &mut Sink) -> Result<()>,
}

impl DeployTarget {
    pub fn name(&self) -> &'static str {
        self.agent.target
    }
}

pub fn find(name: &str) -> Option<&'static DeployTarget> {
    ALL.iter().copied().find(|target| target.name() == name)
}

/// A target's settings in one place.
pub struct TargetSetup<'a> {
    pub target: &'static str,
    pub config: &'a TargetConfig,
    pub place: &'a Locations,
}

impl TargetSetup<'_> {
    /// A switch that also needs the scope it writes to.
    pub fn user(&self, switch: &str, default: bool) -> bool {
        self.config.scope.user() && self.config.switch(switch, default)
    }

    pub fn project(&self, switch: &str, default: bool) -> bool {
        self.config.scope.project() && self.config.switch(switch, default)
    }

    fn project_root(&self, rel: &str, scan: bool) -> TargetRoot {
        let path = if rel.is_empty() { self.place.project.clone() } else { self.place.project.join(rel) };
        TargetRoot { target: self.target, path, base: self.place.project.clone(), scan, project: true }
    }
}

/// A directory a target manages; one manifest file lives in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRoot {
    pub target: &'static str,
    pub path: PathBuf,
    /// The user's own directory above it: below this nothing is written through a link.
    pub base: PathBuf,
    /// Files nobody manages here are worth telling.
    pub scan: bool,
    /// Belongs to the project, not to the user.
    pub project: bool,
}

impl TargetRoot {
    pub fn manifest(&self) -> PathBuf {
        self.path.join(format!(".agentpack.manifest.{}.json", self.target))
    }
}

/// How an output was made from its modules, and so how an edit of it goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputShape {
    Verbatim,
    /// Several instruction modules between markers.
    Combined,
    /// One module below front matter that its target asks for.
    Rule,
}

/// The module and the file in it that an output (or a section of it) comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPart {
    pub module_id: Arc<str>,
    pub rel: Arc<str>,
}

#[derive(Debug, Clone)]
pub struct TargetOutput {
    pub content: HashedContent,
    pub exec: bool,
    pub shape: OutputShape,
    pub parts: Vec<OutputPart>,
}

impl TargetOutput {
    pub fn module_ids(&self) -> Vec<String> {
        let set: BTreeSet<&str> = self.parts.iter().map(|p| &*p.module_id).collect();
        set.into_iter().map(str::to_string).collect()
    }
}

/// Everything that should be on disk, by target and absolute path.
pub type Desired = BTreeMap<TargetFile, TargetOutput>;

pub struct Sink<'a> {
    pub target: &'static str,
    pub desired: &'a mut Desired,
}

impl Sink<'_> {
    /// Two modules may want the same file only if they want the same bytes.
    pub fn put(&mut self, path: PathBuf, output: TargetOutput) -> Result<()> {
        let at = TargetFile::new(self.target, path);
        let Some(existing) = self.desired.get_mut(&at) else {
            self.desired.insert(at, output);
            return Ok(());
        };
        if existing.content.sha == output.content.sha {
            existing.exec |= output.exec;
            // User and project scope may be the same directory: the same part twice is one part.
            let new: Vec<_> = output.parts.into_iter().filter(|p| !existing.parts.contains(p)).collect();
            existing.parts.extend(new);
            return Ok(());
        }
        let side = |o: &TargetOutput| json!({"sha256": o.content.sha, "module_ids": o.module_ids()});
        Err(coded(
            "E_DESIRED_STATE_CONFLICT",
            format!("Two modules want different content in {} ({}).", at.path.display(), self.target),
        )
        .details(
            json!({"target": self.target, "path": &*at.path, "existing": side(existing), "new": side(&output)}),
        ))
    }

    /// One file of a module, unchanged.
    pub fn copy(&mut self, path: PathBuf, module: &Materialized, rel: &str) -> Result<()> {
        let Some((rel, file)) = module.tree.get_key_value(rel) else { return Ok(()) };
        let parts = vec![OutputPart { module_id: module.id.clone(), rel: rel.clone() }];
        let output = TargetOutput {
            content: file.content.clone(),
            exec: file.exec,
            shape: OutputShape::Verbatim,
            parts,
        };
        self.put(path, output)
    }

    /// All files of every skill, below a directory per skill.
    pub fn skills(&mut self, dir: &Path, modules: &[&Materialized]) -> Result<()> {
        for module in of_kind(modules, ModuleKind::Skill) {
            let root = dir.join(super::ids::module_name(&module.id));
            for rel in module.tree.keys() {
                self.copy(root.join(&**rel), module, rel)?;
            }
        }
        Ok(())
    }

    /// The one file of every module of a kind, under a name made from its own.
    pub fn singles(
        &mut self,
        dir: &Path,
        modules: &[&Materialized],
        kind: ModuleKind,
        rename: fn(&str) -> String,
    ) -> Result<()> {
        for module in of_kind(modules, kind) {
            if let Some((rel, _)) = module.single() {
                let name = rename(rel.rsplit('/').next().unwrap_or(rel));
                self.copy(dir.join(name), module, rel)?;
            }
        }
        Ok(())
    }

    /// All instructions in one file.
    pub fn instructions(&mut self, path: PathBuf, modules: &[&Materialized]) -> Result<()> {
        match combined::combine(&of_kind(modules, ModuleKind::Instructions)) {
            Some(output) => self.put(path, output),
            None => Ok(()),
        }
    }
}

fn of_kind<'a>(modules: &[&'a Materialized], kind: ModuleKind) -> Vec<&'a Materialized> {
    modules.iter().copied().filter(|m| m.module.kind == kind).collect()
}

fn same_name(name: &str) -> String {
    name.to_string()
}
