//! The plugin: one directory that every host accepts, made from the skills, the hooks and a few manifests.
//!
//! Pure: names of files and their texts. Two hosts read the same file in different ways (`hooks/hooks.json`), and two
//! take no hooks from a directory that also is an Agent Plugin; for those the tree can be made for one host alone.

pub mod install;
mod manifests;

use std::collections::BTreeMap;

use serde::Serialize;

use super::hooks::{HookProgram, Hooked};
use crate::core::skills;

/// The name of the plugin, and of the marketplace that its directory is.
pub const NAME: &str = "packd";

const TEXTS: &[(&str, &str)] = &[
    ("README.md", include_str!("texts/README.md")),
    ("GEMINI.md", include_str!("texts/GEMINI.md")),
    ("commands/now.md", include_str!("texts/now.md")),
    ("commands/undo.md", include_str!("texts/undo.md")),
];

/// What the tree is made for.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// One host alone, by its name in the table; `None` = all of them.
    pub host: Option<&'static str>,
    pub program: HookProgram,
    /// More arguments for the server.
    pub args: Vec<String>,
}

impl Build {
    /// Every file, by its path in the tree.
    pub fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        for (path, text) in TEXTS {
            tree.insert((*path).to_string(), (*text).to_string());
        }
        for skill in skills::ALL {
            tree.insert(format!("skills/{}/SKILL.md", skill.name), skill.text.to_string());
        }
        self.put_manifests(&mut tree);
        self.put_hooks(&mut tree);
        tree
    }

    fn put_manifests(&self, tree: &mut BTreeMap<String, String>) {
        let mut put = |path: &str, text: String| tree.insert(path.to_string(), text);
        // Codex, Copilot and Cursor take skills and servers from a directory with this manifest, and nothing else.
        if !matches!(self.host, Some("codex" | "copilot" | "cursor")) {
            put("plugin.json", pretty(&manifests::agent_plugin()));
            put("mcp.json", pretty(&manifests::agent_servers(self)));
        }
        put(".mcp.json", pretty(&manifests::servers(self)));
        put(".claude-plugin/plugin.json", pretty(&manifests::claude()));
        put(".claude-plugin/marketplace.json", pretty(&manifests::marketplace()));
        put(".codex-plugin/plugin.json", pretty(&manifests::codex()));
        put(".cursor-plugin/plugin.json", pretty(&manifests::cursor()));
        put(".github/plugin/plugin.json", pretty(&manifests::copilot()));
        put("gemini-extension.json", pretty(&manifests::gemini(self)));
    }

    /// Claude Code reads `hooks/hooks.json` and the file its manifest names, and refuses events it does not know; Gemini
    /// CLI reads only `hooks/hooks.json`, and complains about those. So that file holds what both know, the start of a
    /// session, and everything in Gemini's words where the tree is made for Gemini. The others' manifests name a file of
    /// their own, which they read in its place. No host finds an event twice.
    fn put_hooks(&self, tree: &mut BTreeMap<String, String>) {
        let mut put = |file: &str, host: &str, named: bool, wanted: &dyn Fn(&str) -> bool| {
            if let Some(hooked) = Hooked::find(host) {
                let text = pretty(&hooked.whole_file(&self.program, named, wanted));
                tree.insert(format!("hooks/{file}.json"), text);
            }
        };
        if self.host == Some("gemini") {
            put("hooks", "gemini", true, &|_| true);
        } else {
            put("hooks", "claude", false, &|event| event == manifests::SHARED_EVENT);
        }
        put("claude", "claude", false, &|event| event != manifests::SHARED_EVENT);
        for host in ["codex", "copilot", "cursor"] {
            put(host, host, true, &|_| true);
        }
    }
}

fn pretty(value: &impl Serialize) -> String {
    // The manifests are plain structs with text for keys: they always can be written.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
