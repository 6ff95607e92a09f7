//! Skills: texts that teach an agent to use packd, as `proto/skills` has them. Served by the family whose tools they are
//! about, and packed into the plugin.

use std::collections::BTreeMap;

use super::{Sha, yaml};

#[derive(Debug, PartialEq, Eq)]
pub struct Skill {
    pub name: &'static str,
    pub title: &'static str,
    /// The whole of its `SKILL.md`.
    pub text: &'static str,
}

pub const WORK_ON_A_TASK: Skill = Skill {
    name: "work-on-a-task",
    title: "Work on a task with packd",
    text: include_str!("../../proto/skills/work-on-a-task/SKILL.md"),
};

pub const WRITE_A_CONTEXT_PACK: Skill = Skill {
    name: "write-a-context-pack",
    title: "Write a context pack",
    text: include_str!("../../proto/skills/write-a-context-pack/SKILL.md"),
};

pub const TAKE_THINGS_BACK: Skill = Skill {
    name: "take-things-back",
    title: "Take things back",
    text: include_str!("../../proto/skills/take-things-back/SKILL.md"),
};

pub const DEPLOY_AGENT_CONFIGURATION: Skill = Skill {
    name: "deploy-agent-configuration",
    title: "Deploy agent configuration",
    text: include_str!("../../proto/skills/deploy-agent-configuration/SKILL.md"),
};

pub const ALL: [&Skill; 4] =
    [&WORK_ON_A_TASK, &WRITE_A_CONTEXT_PACK, &TAKE_THINGS_BACK, &DEPLOY_AGENT_CONFIGURATION];

impl Skill {
    pub fn uri(&self) -> String {
        format!("skill://packd/{}/SKILL.md", self.name)
    }

    /// Every field its author wrote above the text.
    pub fn frontmatter(&self) -> BTreeMap<String, String> {
        let head = self.text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        // The texts are part of the binary, and a test reads every one.
        head.and_then(|(head, _)| yaml::read(head).ok()).unwrap_or_default()
    }

    pub fn description(&self) -> String {
        self.frontmatter().remove("description").unwrap_or_default()
    }

    pub fn digest(&self) -> String {
        format!("sha256:{}", Sha::of(self.text.as_bytes()).as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skill_is_what_the_specification_of_skills_asks_for() {
        for skill in ALL {
            let head = skill.frontmatter();
            assert_eq!(head.get("name").map(String::as_str), Some(skill.name));
            let description = skill.description();
            assert!((80..=1024).contains(&description.len()), "{}: {}", skill.name, description.len());
            assert!(skill.name.len() <= 64 && skill.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            assert!(skill.text.len() < 5 * 1024, "{} has {} bytes", skill.name, skill.text.len());
            assert_eq!(skill.digest().len(), "sha256:".len() + 64);
        }
    }
}
