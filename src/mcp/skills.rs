//! Skills as resources (`skill://…`), as prompts, and by the Skills extension (SEP-2640, `io.modelcontextprotocol/skills`):
//! `skills/list` and `skills/get`. A session sees those of the families it lists.
//!
//! Every file of a skill is in `resources`; packd's have one. `resources/directory/read` is not offered.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::fault::{RpcFault, clipped};
use super::params;
use super::result::ResultBody;
use super::session::McpSession;
use crate::core::resource::{Prompt, Resource, ResourceContents};
use crate::core::skills::Skill;

/// Compiled in: nothing of it changes while the process lives.
const TTL_MS: u64 = 3_600_000;
const MARKDOWN: &str = "text/markdown";

#[derive(Serialize)]
struct Listed {
    skills: Vec<Entry>,
}

#[derive(Serialize)]
struct Got {
    skill: Entry,
}

#[derive(Serialize)]
struct Entry {
    uri: String,
    frontmatter: BTreeMap<String, String>,
    resources: [File; 1],
}

#[derive(Serialize)]
struct File {
    uri: String,
    digest: String,
    size: usize,
}

impl Entry {
    fn of(skill: &Skill) -> Entry {
        let file = File { uri: skill.uri(), digest: skill.digest(), size: skill.text.len() };
        Entry { uri: skill.uri(), frontmatter: skill.frontmatter(), resources: [file] }
    }
}

impl McpSession {
    pub(super) fn list_skills(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        params::no_cursor(params)?;
        Ok(ResultBody::of(&Listed { skills: self.skills().map(Entry::of).collect() })?.cached(TTL_MS))
    }

    pub(super) fn get_skill(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        let uri = params::text(params, "uri")?;
        let found = self.skills().find(|skill| skill.uri() == uri);
        let skill =
            found.ok_or_else(|| RpcFault::params(format!("There is no skill '{}'.", clipped(uri))))?;
        Ok(ResultBody::of(&Got { skill: Entry::of(skill) })?.cached(TTL_MS))
    }

    fn skills(&self) -> impl Iterator<Item = &'static Skill> {
        self.listed_families().flat_map(|family| family.skills()).copied()
    }

    pub(super) fn skill_resources(&self) -> Vec<Resource> {
        let entry = |skill: &Skill| Resource {
            uri: skill.uri(),
            name: skill.name.to_string(),
            title: Some(skill.title.to_string()),
            description: Some(skill.description()),
            mime: MARKDOWN,
        };
        self.skills().map(entry).collect()
    }

    pub(super) fn skill_contents(&self, uri: &str) -> Option<ResourceContents> {
        let skill = self.skills().find(|skill| skill.uri() == uri)?;
        Some(ResourceContents { uri: uri.into(), mime: MARKDOWN.into(), text: skill.text.into() })
    }

    pub(super) fn skill_prompts(&self) -> Vec<Prompt> {
        let entry = |skill: &'static Skill| Prompt {
            name: skill.name,
            title: skill.title,
            description: skill.title,
            arguments: Vec::new(),
        };
        self.skills().map(entry).collect()
    }

    /// The text without what only hosts read.
    pub(super) fn skill_prompt(&self, name: &str) -> Option<String> {
        let skill = self.skills().find(|skill| skill.name == name)?;
        let body = skill.text.split_once("\n---\n").map_or(skill.text, |(_, body)| body);
        Some(body.trim_start().to_string())
    }
}
