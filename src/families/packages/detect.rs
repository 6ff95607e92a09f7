//! Finds the artifacts in a project: every place the four platforms use, in an order that never varies.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::manifest::{ArtifactKind, PackageArtifact};
use super::names::normalise;
use super::plan::{PackageScene, file_bytes, file_text};
use super::source::is_left_out;
use super::targets::without_front_matter;
use super::yaml;
use crate::core::world::FileKind;
use crate::core::{Result, Sha};

/// Build products and caches hold copies, not sources.
const SKIPPED: [&str; 2] = ["dist", "build"];
const MAX_FILES: usize = 200_000;

/// One artifact with the digest of its main file, which tells copies of one thing apart from namesakes.
pub struct Detected {
    pub artifact: PackageArtifact,
    /// The file that made it an artifact.
    pub main: String,
}

/// Directory, ending, what the rest of the file name means.
const FILES: [(&str, &str, ArtifactKind); 14] = [
    (".cursor/rules/agent-", ".mdc", ArtifactKind::Agent),
    (".claude/agents/", ".md", ArtifactKind::Agent),
    (".github/agents/", ".agent.md", ArtifactKind::Agent),
    ("prompts/", ".md", ArtifactKind::Prompt),
    (".cursor/prompts/", ".md", ArtifactKind::Prompt),
    (".cursor/commands/", ".md", ArtifactKind::Prompt),
    (".claude/commands/", ".md", ArtifactKind::Prompt),
    (".claude/prompts/", ".md", ArtifactKind::Prompt),
    (".github/prompts/", ".prompt.md", ArtifactKind::Prompt),
    (".github/prompts/", ".md", ArtifactKind::Prompt),
    ("instructions/", ".md", ArtifactKind::Instruction),
    (".cursor/rules/", ".mdc", ArtifactKind::Instruction),
    (".github/instructions/", ".instructions.md", ArtifactKind::Instruction),
    (".github/instructions/", ".md", ArtifactKind::Instruction),
];

const NAMED: [(&str, &str); 3] = [
    ("CLAUDE.md", "claude-instructions"),
    ("AGENTS.md", "codex-instructions"),
    (".github/copilot-instructions.md", "copilot-instructions"),
];

/// All artifacts below a directory, sorted by kind and path.
pub fn detect(scene: &PackageScene, root: &Path) -> Result<Vec<Detected>> {
    let mut out = Vec::new();
    let project = root.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let paths = tree(scene, root)?;
    for path in &paths {
        let Some((kind, name, at)) = classify(path, &project) else { continue };
        // A file inside a skill or an agent belongs to it, whatever it is called.
        let part_of = |other: &Detected| {
            let dir = other.artifact.clean_path();
            !other.main.eq(dir) && !dir.is_empty() && path.starts_with(&format!("{dir}/"))
        };
        if out.iter().any(part_of) {
            continue;
        }
        let description = describe(scene, root, path, kind, &name)?;
        out.push(Detected {
            artifact: PackageArtifact { kind, name: normalise(&name), path: at, description },
            main: path.clone(),
        });
    }
    out.sort_by(|a, b| (a.artifact.kind, &a.artifact.path).cmp(&(b.artifact.kind, &b.artifact.path)));
    distinct(scene, root, out)
}

/// Paths of all files, the marks of skills and agents before what may lie below them.
fn tree(scene: &PackageScene, root: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    let mut open = vec![String::new()];
    while let Some(at) = open.pop() {
        for (name, kind) in scene.world.list(&root.join(&at))?.unwrap_or_default() {
            let path = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
            match kind {
                FileKind::Dir if !is_left_out(&name) && !SKIPPED.contains(&name.as_str()) => open.push(path),
                FileKind::File => out.push(path),
                _ => {}
            }
        }
        if out.len() > MAX_FILES {
            break;
        }
    }
    let mark = |p: &String| !(p.ends_with("SKILL.md") || p.ends_with("agent.yaml"));
    out.sort_by(|a, b| (mark(a), a).cmp(&(mark(b), b)));
    Ok(out)
}

/// Kind, name and path of the artifact that a file makes.
fn classify(path: &str, project: &str) -> Option<(ArtifactKind, String, String)> {
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    let own = |kind| {
        let name = if dir.is_empty() { project } else { dir.rsplit('/').next().unwrap_or(dir) };
        Some((kind, name.to_string(), if dir.is_empty() { ".".to_string() } else { dir.to_string() }))
    };
    match file {
        "SKILL.md" => return own(ArtifactKind::Skill),
        "agent.yaml" => return own(ArtifactKind::Agent),
        _ => {}
    }
    if let Some((_, name)) = NAMED.iter().find(|(p, _)| *p == path) {
        return Some((ArtifactKind::Instruction, name.to_string(), path.to_string()));
    }
    FILES.iter().find_map(|(start, end, kind)| {
        let stem = path.strip_prefix(start)?.strip_suffix(end)?;
        let plain = !stem.is_empty() && !stem.contains('/');
        plain.then(|| (*kind, stem.to_string(), path.to_string()))
    })
}

/// What the artifact says about itself, else what it is.
fn describe(scene: &PackageScene, root: &Path, path: &str, kind: ArtifactKind, name: &str) -> Result<String> {
    let text = file_text(scene.world, &root.join(path)).ok().flatten().unwrap_or_default();
    let document = if path.ends_with(".yaml") { Some(text.as_str()) } else { without_front_matter(&text).0 };
    let value = document.and_then(|d| yaml::parse(d).ok()).unwrap_or(Value::Null);
    let said = value.get("description").and_then(Value::as_str).map(str::trim).filter(|d| !d.is_empty());
    let text = said.map_or_else(|| format!("The {} {name}", kind.word()), str::to_string);
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(one_line.chars().take(256).collect())
}

/// Copies of one artifact (the same skill for two platforms) count once; namesakes get a number.
fn distinct(scene: &PackageScene, root: &Path, all: Vec<Detected>) -> Result<Vec<Detected>> {
    let mut seen: BTreeMap<(ArtifactKind, String), Vec<Sha>> = BTreeMap::new();
    let mut out: Vec<Detected> = Vec::new();
    for mut found in all {
        let digest = Sha::of(&file_bytes(scene.world, &root.join(&found.main))?.unwrap_or_default());
        let same = seen.entry((found.artifact.kind, found.artifact.name.clone())).or_default();
        if same.contains(&digest) {
            continue;
        }
        same.push(digest);
        if same.len() > 1 {
            found.artifact.name = format!("{}-{}", found.artifact.name, same.len());
        }
        out.push(found);
    }
    Ok(out)
}
