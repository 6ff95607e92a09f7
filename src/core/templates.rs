//! First versions of the files people and agents write for packd: each explains itself, and is also a resource.

use super::resource::{Resource, ResourceContents};

/// One file of `proto/templates`. `{{name}}` in it stands for a name.
#[derive(Debug, Clone, Copy)]
pub struct Starter {
    pub name: &'static str,
    pub about: &'static str,
    pub text: &'static str,
}

pub const AGENTPACK: Starter = Starter {
    name: "agentpack.yaml",
    about: "The configuration of a config repo, commented",
    text: include_str!("../../proto/templates/agentpack.yaml"),
};

pub const ECOSYSTEM: Starter = Starter {
    name: "ecosystem.yaml",
    about: "The manifest of an ecosystem, commented",
    text: include_str!("../../proto/templates/ecosystem.yaml"),
};

pub const PACKAGE: Starter = Starter {
    name: "aam.yaml",
    about: "The manifest of a package, commented",
    text: include_str!("../../proto/templates/aam.yaml"),
};

pub const SKILL: Starter =
    Starter { name: "SKILL.md", about: "A skill", text: include_str!("../../proto/templates/SKILL.md") };

/// The settings of a project that say which platforms packages are installed for.
pub fn package_settings(platforms: &[&str]) -> String {
    format!(
        "# Settings of packages in this project; `packd pkg config get` shows all of them.\n\
         # The platforms that packages are installed for.\n\
         default_platform: {}\nactive_platforms: [{}]\n",
        platforms.first().copied().unwrap_or(super::agents::USUAL_PLATFORM),
        platforms.join(", ")
    )
}

impl Starter {
    pub fn uri(&self) -> String {
        format!("packd://templates/{}", self.name)
    }

    pub fn named(&self, name: &str) -> String {
        self.text.replace("{{name}}", name)
    }

    pub fn listed(&self) -> Resource {
        Resource {
            uri: self.uri(),
            name: self.name.to_string(),
            title: None,
            description: Some(self.about.to_string()),
            mime: "text/plain",
        }
    }

    /// Its text, if it is the one that is asked for.
    pub fn read(&self, uri: &str) -> Option<ResourceContents> {
        (uri == self.uri()).then(|| ResourceContents {
            uri: uri.to_string(),
            mime: "text/plain".to_string(),
            text: self.named("demo"),
        })
    }
}
