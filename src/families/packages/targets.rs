//! Where the artifacts of a package go on each platform, and what the files there contain. Pure.

use serde_json::Value;

use super::archive::{PackageFiles, PackedFile};
use super::errors::{MANIFEST_INVALID, fail};
use super::manifest::{ArtifactKind, PackageArtifact, PackageManifest, bad_path};
use super::markers::{self, Marker};
use super::yaml;
use crate::core::{Error, Result, agents};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Platform {
    Cursor,
    Claude,
    Codex,
    Copilot,
}

impl Platform {
    pub const ALL: [Platform; 4] = [Platform::Cursor, Platform::Claude, Platform::Codex, Platform::Copilot];

    /// All of them, as messages name them.
    pub fn words() -> String {
        agents::platforms().join(", ")
    }

    pub fn word(self) -> &'static str {
        match self {
            Platform::Cursor => agents::CURSOR.platform,
            Platform::Claude => agents::CLAUDE.platform,
            Platform::Codex => agents::CODEX.platform,
            Platform::Copilot => agents::COPILOT.platform,
        }
    }

    pub fn parse(word: &str) -> Option<Platform> {
        Platform::ALL.into_iter().find(|p| p.word() == word)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeploymentBase {
    Project,
    /// Codex reads skills and prompts from its home directory only.
    CodexHome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeploymentBody {
    File(PackedFile),
    Section(Marker, String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactDeployment {
    pub base: DeploymentBase,
    /// Relative, with `/`.
    pub path: String,
    pub body: DeploymentBody,
    /// What AAM writes in this place, where that differs.
    pub elsewhere: Option<Vec<u8>>,
}

/// Everything one platform gets from a package, in the order agents, skills, prompts, instructions.
pub fn deployments(
    platform: Platform,
    manifest: &PackageManifest,
    files: &PackageFiles,
) -> Result<Vec<ArtifactDeployment>> {
    let mut out = Vec::new();
    for artifact in &manifest.artifacts {
        match artifact.kind {
            ArtifactKind::Skill => skill(platform, artifact, files, &mut out)?,
            ArtifactKind::Agent => out.push(agent(platform, artifact, files)?),
            ArtifactKind::Prompt => out.push(prompt(platform, artifact, files)?),
            ArtifactKind::Instruction => out.push(instruction(platform, artifact, files)?),
        }
    }
    for deployment in &out {
        if let DeploymentBody::Section(marker, text) = &deployment.body
            && !markers::is_safe(text)
        {
            return Err(fail(
                MANIFEST_INVALID,
                format!("The text of '{}' contains a section marker.", marker.0),
            )
            .hint("The package would corrupt the file it is merged into; it was not installed."));
        }
    }
    Ok(out)
}

fn missing(artifact: &PackageArtifact) -> Error {
    let kind = artifact.kind.word();
    fail(
        MANIFEST_INVALID,
        format!(
            "The package declares the {kind} '{}' but does not contain {}.",
            artifact.name, artifact.path
        ),
    )
    .hint("Ask the publisher of the package to fix it.")
}

fn below<'a>(files: &'a PackageFiles, dir: &str) -> impl Iterator<Item = (&'a str, &'a PackedFile)> {
    let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    files.iter().filter_map(move |(path, file)| path.strip_prefix(&prefix).map(|rest| (rest, file)))
}

fn skill(
    platform: Platform,
    artifact: &PackageArtifact,
    files: &PackageFiles,
    out: &mut Vec<ArtifactDeployment>,
) -> Result<()> {
    let (base, home) = match platform {
        Platform::Cursor => (DeploymentBase::Project, ".cursor/skills"),
        Platform::Claude => (DeploymentBase::Project, ".claude/skills"),
        Platform::Codex => (DeploymentBase::CodexHome, "skills"),
        Platform::Copilot => (DeploymentBase::Project, ".github/skills"),
    };
    let source = artifact.clean_path();
    let mut found: Vec<(String, PackedFile)> = match files.get(source) {
        Some(file) => vec![(source.rsplit('/').next().unwrap_or(source).to_string(), file.clone())],
        None => below(files, source).map(|(p, f)| (p.to_string(), f.clone())).collect(),
    };
    if source.is_empty() {
        found.retain(|(p, _)| p != super::manifest::FILE);
    }
    if found.is_empty() {
        return Err(missing(artifact));
    }
    out.extend(found.into_iter().map(|(path, file)| ArtifactDeployment {
        base,
        path: format!("{home}/{}/{path}", artifact.name),
        body: DeploymentBody::File(file),
        elsewhere: None,
    }));
    Ok(())
}

fn text(path: &str, bytes: &[u8]) -> Result<String> {
    String::from_utf8(bytes.to_vec())
        .map_err(|_| fail(MANIFEST_INVALID, format!("{path} in the package is not UTF-8 text.")))
}

fn whole(path: String, content: String, elsewhere: Option<String>) -> ArtifactDeployment {
    let body = DeploymentBody::File(PackedFile { bytes: content.into_bytes(), executable: false });
    ArtifactDeployment {
        base: DeploymentBase::Project,
        path,
        body,
        elsewhere: elsewhere.map(String::into_bytes),
    }
}

fn section(path: &str, artifact: &PackageArtifact, content: String) -> ArtifactDeployment {
    let marker = Marker::new(&artifact.name, artifact.kind.word());
    ArtifactDeployment {
        base: DeploymentBase::Project,
        path: path.to_string(),
        body: DeploymentBody::Section(marker, content),
        elsewhere: None,
    }
}

fn prompt(
    platform: Platform,
    artifact: &PackageArtifact,
    files: &PackageFiles,
) -> Result<ArtifactDeployment> {
    let file = files.get(artifact.clean_path()).ok_or_else(|| missing(artifact))?;
    let name = &artifact.name;
    let (base, path) = match platform {
        Platform::Cursor => (DeploymentBase::Project, format!(".cursor/prompts/{name}.md")),
        Platform::Claude => (DeploymentBase::Project, format!(".claude/prompts/{name}.md")),
        Platform::Codex => (DeploymentBase::CodexHome, format!("prompts/{name}.md")),
        Platform::Copilot => (DeploymentBase::Project, format!(".github/prompts/{name}.md")),
    };
    Ok(ArtifactDeployment { base, path, body: DeploymentBody::File(file.clone()), elsewhere: None })
}

fn instruction(
    platform: Platform,
    artifact: &PackageArtifact,
    files: &PackageFiles,
) -> Result<ArtifactDeployment> {
    let file = files.get(artifact.clean_path()).ok_or_else(|| missing(artifact))?;
    let name = &artifact.name;
    Ok(match platform {
        Platform::Cursor => {
            let body = text(&artifact.path, &file.bytes)?;
            let head = front_matter(&[
                ("description", quoted(&artifact.description)),
                ("alwaysApply", "true".into()),
            ]);
            let body = without_front_matter(&body).1.trim_end();
            whole(format!(".cursor/rules/{name}.mdc"), format!("{head}\n{body}\n"), None)
        }
        Platform::Claude => section("CLAUDE.md", artifact, text(&artifact.path, &file.bytes)?),
        Platform::Codex => section("AGENTS.md", artifact, text(&artifact.path, &file.bytes)?),
        Platform::Copilot => ArtifactDeployment {
            base: DeploymentBase::Project,
            path: format!(".github/instructions/{name}.instructions.md"),
            body: DeploymentBody::File(file.clone()),
            elsewhere: None,
        },
    })
}

struct Agent {
    description: String,
    prompt: String,
    skills: Vec<String>,
    prompts: Vec<String>,
}

fn agent(platform: Platform, artifact: &PackageArtifact, files: &PackageFiles) -> Result<ArtifactDeployment> {
    let agent = read_agent(artifact, files)?;
    let name = &artifact.name;
    let prompt = agent.prompt.trim_end();
    Ok(match platform {
        Platform::Cursor => {
            let head =
                front_matter(&[("description", quoted(&agent.description)), ("alwaysApply", "true".into())]);
            let mut out = format!("{head}\n# Agent: {name}\n\n{prompt}\n");
            for (title, list) in [("Available Skills", &agent.skills), ("Available Prompts", &agent.prompts)]
            {
                if !list.is_empty() {
                    out.push_str(&format!("\n## {title}\n\n"));
                    list.iter().for_each(|item| out.push_str(&format!("- {item}\n")));
                }
            }
            whole(format!(".cursor/rules/agent-{name}.mdc"), out, None)
        }
        Platform::Codex => section("AGENTS.md", artifact, agent.prompt),
        Platform::Claude | Platform::Copilot => {
            let path = match platform {
                Platform::Claude => format!(".claude/agents/{name}.md"),
                _ => format!(".github/agents/{name}.agent.md"),
            };
            // Both tools find an agent by its front matter; one that brings its own keeps it.
            let content = match without_front_matter(&agent.prompt).0 {
                Some(_) => agent.prompt.clone(),
                None => {
                    let head =
                        front_matter(&[("name", quoted(name)), ("description", quoted(&agent.description))]);
                    format!("{head}\n{prompt}\n")
                }
            };
            whole(path, content, Some(agent.prompt))
        }
    })
}

fn read_agent(artifact: &PackageArtifact, files: &PackageFiles) -> Result<Agent> {
    let path = artifact.clean_path();
    if let Some(file) = files.get(path) {
        let content = text(path, &file.bytes)?;
        let prompt = without_front_matter(&content).1.to_string();
        return Ok(Agent {
            description: artifact.description.clone(),
            prompt,
            skills: vec![],
            prompts: vec![],
        });
    }
    let inside = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}/{name}") };
    if below(files, path).next().is_none() {
        return Err(missing(artifact));
    }
    let described = match files.get(&inside("agent.yaml")) {
        None => Value::Null,
        Some(file) => yaml::parse_bytes(&file.bytes).map_err(|why| {
            fail(MANIFEST_INVALID, format!("{} cannot be read: {why}.", inside("agent.yaml")))
        })?,
    };
    let word = |field: &str| described.get(field).and_then(Value::as_str).filter(|s| !s.trim().is_empty());
    let list = |field: &str| {
        let items = described.get(field).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_string).collect::<Vec<_>>()
    };
    let description = word("description").unwrap_or(&artifact.description).to_string();
    let prompt = match (files.get(&inside("system-prompt.md")), word("system_prompt")) {
        (Some(file), _) => text(&inside("system-prompt.md"), &file.bytes)?,
        (None, Some(named)) => {
            if let Some(why) = bad_path(named) {
                return Err(fail(
                    MANIFEST_INVALID,
                    format!("{}: system_prompt {why}.", inside("agent.yaml")),
                )
                .hint("A system prompt must be a file of the package; it was not installed."));
            }
            let named = inside(named.strip_prefix("./").unwrap_or(named));
            let file = files.get(&named).ok_or_else(|| {
                fail(
                    MANIFEST_INVALID,
                    format!("{} names {named}, which is not in the package.", inside("agent.yaml")),
                )
            })?;
            text(&named, &file.bytes)?
        }
        (None, None) => format!("# {}\n\n{description}\n", artifact.name),
    };
    Ok(Agent { description, prompt, skills: list("skills"), prompts: list("prompts") })
}

/// A JSON string is a YAML string in double quotes: nothing inside it can start another key.
fn quoted(text: &str) -> String {
    Value::String(text.to_string()).to_string()
}

fn front_matter(fields: &[(&str, String)]) -> String {
    let lines: String = fields.iter().map(|(k, v)| format!("{k}: {v}\n")).collect();
    format!("---\n{lines}---\n")
}

/// Front matter and the rest; `None` = there is none.
pub fn without_front_matter(text: &str) -> (Option<&str>, &str) {
    let start = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = start.strip_prefix("---\n").or_else(|| start.strip_prefix("---\r\n")) else {
        return (None, text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (Some(&rest[..at]), rest[at + line.len()..].trim_start_matches(['\n', '\r']));
        }
        at += line.len();
    }
    (None, text)
}
