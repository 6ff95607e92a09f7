//! A package as its author has it: a directory with `aam.yaml`, and which of its files belong to it.

use std::path::{Path, PathBuf};

use super::archive::{PackageFiles, PackedFile};
use super::detect::detect;
use super::errors::{MANIFEST_INVALID, MANIFEST_NOT_FOUND, Then, fail};
use super::hidden;
use super::manifest::{ArtifactKind, FILE as MANIFEST, PackageArtifact, PackageManifest, check};
use super::plan::{PackageScene, file_bytes};
use super::stage::walk;
use super::targets::{Platform, deployments};
use super::yaml;
use crate::core::inside::{self, Located};
use crate::core::layout::Next;
use crate::core::templates::{PACKAGE, SKILL};
use crate::core::world::FileKind;
use crate::core::{Error, Result};

/// Never part of a package, wherever it lies.
const LEFT_OUT: [&str; 15] = [
    ".hg",
    ".svn",
    "node_modules",
    ".venv",
    "venv",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".tox",
    ".nox",
    ".eggs",
    ".aam",
    ".DS_Store",
    ".env",
];
/// Taken along from the top of a package although not declared.
const WELCOME: [&str; 4] = ["readme", "license", "changelog", "notice"];

/// Everything there is to say about a package directory.
#[derive(Default)]
pub struct SourceReport {
    pub manifest: PackageManifest,
    pub files: PackageFiles,
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// Every declared artifact is there and usable.
    pub artifacts_valid: bool,
}

/// A repository's own directory, on whatever file system it may be unpacked: case does not matter everywhere, nor
/// do invisible characters, and one system knows it by a short name.
fn is_git(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    let plain = plain.trim_end_matches(['.', ' ']).to_lowercase();
    plain == ".git" || plain == "git~1"
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

pub fn is_in_git(path: &str) -> bool {
    path.split('/').any(is_git)
}

pub fn is_left_out(name: &str) -> bool {
    is_git(name)
        || LEFT_OUT.contains(&name)
        || name.starts_with(".env.")
        || name.ends_with(".aam")
        || name.ends_with(".pyc")
}

/// Reads and checks a package directory. `None` = there is no manifest.
pub fn examine(scene: &PackageScene, dir: &Path) -> Result<Option<SourceReport>> {
    let Some(bytes) = scene.read(&dir.join(MANIFEST))? else { return Ok(None) };
    let mut report = SourceReport::default();
    let value = match yaml::parse_bytes(&bytes) {
        Ok(value) => value,
        Err(why) => {
            report.errors.push(format!("YAML parse error: {why}"));
            return Ok(Some(report));
        }
    };
    (report.manifest, report.errors) = check(&value);
    if report.manifest.author.is_none() {
        report.warnings.push("No author provided".to_string());
    }
    let schema_errors = report.errors.len();
    report.files.insert(MANIFEST.to_string(), PackedFile { bytes, executable: false });
    let Some(root) = scene.world.canonical(dir)? else { return Ok(None) };
    let mut reader = Reader { scene, root, report: &mut report };
    for artifact in reader.report.manifest.artifacts.clone() {
        reader.artifact(&artifact)?;
    }
    reader.extras()?;
    if report.errors.len() == schema_errors {
        deployable(&mut report);
    }
    report.artifacts_valid = report.errors.len() == schema_errors && !report.manifest.artifacts.is_empty();
    for (path, file) in &report.files {
        report.warnings.extend(hidden::warnings(path, &file.bytes));
    }
    Ok(Some(report))
}

/// What no platform could deploy is wrong before it is published, not after.
fn deployable(report: &mut SourceReport) {
    for platform in Platform::ALL {
        if let Err(e) = deployments(platform, &report.manifest, &report.files)
            && !report.errors.contains(&e.message)
        {
            report.errors.push(e.message);
        }
    }
}

/// The package in a directory, ready to be packed; an error if anything is wrong with it.
pub fn valid(scene: &PackageScene, dir: &Path, given: &str) -> Result<SourceReport> {
    let report = match examine(scene, dir)? {
        Some(report) => report,
        None => return Err(no_manifest(scene, dir, given)?),
    };
    if report.errors.is_empty() {
        return Ok(report);
    }
    Err(fail(MANIFEST_INVALID, format!("{MANIFEST} is not valid: {}.", report.errors.join("; ")))
        .hint(format!("aam_validate shows everything that is wrong; {} shows its form.", PACKAGE.uri()))
        .details(serde_json::json!({"errors": report.errors}))
        .then(Next::call("aam_validate").with("path", given)))
}

/// What is here decides how a manifest comes about.
pub fn no_manifest(scene: &PackageScene, dir: &Path, given: &str) -> Result<Error> {
    let tool = if detect(scene, dir)?.is_empty() { "aam_init" } else { "aam_create_package" };
    let place = if given == "." { "this project".to_string() } else { format!("'{given}'") };
    let mut next = Next::call(tool).with("path", given);
    if tool == "aam_create_package" {
        next = next.with("include_all", true);
    }
    Ok(fail(MANIFEST_NOT_FOUND, format!("There is no {MANIFEST} in {place}."))
        .hint(format!("Create it with {tool}; {} shows its form.", PACKAGE.uri()))
        .then(next))
}

struct Reader<'a> {
    scene: &'a PackageScene<'a>,
    root: PathBuf,
    report: &'a mut SourceReport,
}

impl Reader<'_> {
    /// A file or directory of the package with symlinks resolved; `None` and an error if it is not inside.
    fn inside(&mut self, path: &str) -> Result<Option<PathBuf>> {
        let said = |why: &str| format!("Artifact path '{path}' {why}");
        let wrong = match inside::locate(self.scene.world, &self.root, path)? {
            Located::Here(full) if is_in_git(path) || is_in_git(&below(&full, &self.root)) => {
                said("lies in .git, which is never part of a package")
            }
            Located::Here(full) => return Ok(Some(full)),
            Located::Missing => said("does not exist"),
            Located::Outside => said("leads out of the package"),
        };
        self.report.errors.push(wrong);
        Ok(None)
    }

    fn artifact(&mut self, artifact: &PackageArtifact) -> Result<()> {
        let Some(full) = self.inside(&artifact.path)? else { return Ok(()) };
        let is_dir = self.scene.world.stat(&full)?.is_some_and(|s| s.kind == FileKind::Dir);
        let path = artifact.clean_path().to_string();
        if !is_dir {
            return self.file(&path, &full);
        }
        if matches!(artifact.kind, ArtifactKind::Prompt | ArtifactKind::Instruction) {
            self.report.errors.push(format!("Artifact path '{}' is a directory, not a file", artifact.path));
            return Ok(());
        }
        self.directory(&path, &full)?;
        let has = |name: &str| self.report.files.contains_key(&join(&path, name));
        let lacks = match artifact.kind {
            ArtifactKind::Skill if !has("SKILL.md") => Some("SKILL.md"),
            ArtifactKind::Agent if !has("agent.yaml") => Some("agent.yaml"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            let kind = artifact.kind.word();
            let form =
                if lacks == SKILL.name { format!("; {} shows one.", SKILL.uri()) } else { String::new() };
            self.report.warnings.push(format!("The {kind} '{}' has no {lacks}{form}", artifact.name));
        }
        Ok(())
    }

    fn directory(&mut self, path: &str, full: &Path) -> Result<()> {
        let (files, odd) = walk(self.scene.world, full)?;
        let sensible = |p: &&String| !p.split('/').any(is_left_out);
        for file in files.iter().filter(sensible) {
            self.file(&join(path, file), &full.join(file))?;
        }
        for link in odd.iter().filter(sensible) {
            let at = join(path, link);
            let Some(target) = self.inside(&at)? else { continue };
            match self.scene.world.stat(&target)?.map(|s| s.kind) {
                Some(FileKind::File) => self.file(&at, &target)?,
                _ => self.report.errors.push(format!("'{at}' is neither a file nor a link to one")),
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &str, full: &Path) -> Result<()> {
        let Some(bytes) = file_bytes(self.scene.world, full)? else { return Ok(()) };
        let executable = self.scene.world.stat(full)?.is_some_and(|s| s.mode & 0o100 != 0);
        self.report.files.insert(path.to_string(), PackedFile { bytes, executable });
        Ok(())
    }

    fn extras(&mut self) -> Result<()> {
        let root = self.root.clone();
        for (name, kind) in self.scene.world.list(&root)?.unwrap_or_default() {
            let lower = name.to_lowercase();
            let stem = lower.split('.').next().unwrap_or_default();
            if kind == FileKind::File && WELCOME.contains(&stem) {
                self.file(&name, &root.join(&name))?;
            }
        }
        Ok(())
    }
}

/// A path as seen from the package, if it is in it.
fn below(full: &Path, root: &Path) -> String {
    full.strip_prefix(root).map(|p| p.to_string_lossy().into_owned()).unwrap_or_default()
}

fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_string() } else { format!("{dir}/{name}") }
}
