//! How each host takes a plugin in and lets it go: by commands of its own, or as a directory where it looks.
//!
//! Pure: says what to run and what to look at, and runs nothing.

use std::path::PathBuf;

use super::super::json::parse;
use super::super::table::UserDirs;
use super::NAME;
use crate::core::agents::{CLAUDE, CODEX, COPILOT};

pub struct PluginInstall {
    /// As in the table of hosts.
    pub host: &'static str,
    pub how: InstallWay,
    mark: Mark,
}

pub enum InstallWay {
    /// The host's own program, with these arguments, one after the other; `{dir}` is the tree.
    Commands {
        program: &'static str,
        add: &'static [&'static [&'static str]],
        remove: &'static [&'static [&'static str]],
    },
    /// The host looks at this directory itself, relative to the user's home.
    Directory(&'static str),
}

/// Where a host keeps that it has the plugin.
enum Mark {
    /// `enabledPlugins` in a settings file.
    Settings(fn(&UserDirs) -> PathBuf),
    /// A table of a TOML file.
    Toml(fn(&UserDirs) -> PathBuf),
    Directory(fn(&UserDirs) -> PathBuf),
}

/// The plugin in the marketplace that its directory is.
const OFFERED: &str = "packd@packd";

const INSTALLS: &[PluginInstall] = &[
    PluginInstall {
        host: "claude",
        how: InstallWay::Commands {
            program: "claude",
            add: &[&["plugin", "marketplace", "add", "{dir}"], &["plugin", "install", OFFERED]],
            remove: &[&["plugin", "uninstall", OFFERED], &["plugin", "marketplace", "remove", NAME]],
        },
        mark: Mark::Settings(|p| p.of(CLAUDE.home).join("settings.json")),
    },
    PluginInstall {
        host: "codex",
        how: InstallWay::Commands {
            program: "codex",
            add: &[&["plugin", "marketplace", "add", "{dir}"], &["plugin", "add", OFFERED]],
            remove: &[&["plugin", "remove", OFFERED], &["plugin", "marketplace", "remove", NAME]],
        },
        mark: Mark::Toml(|p| p.of(CODEX.home).join("config.toml")),
    },
    PluginInstall {
        host: "copilot",
        how: InstallWay::Commands {
            program: "copilot",
            add: &[&["plugin", "marketplace", "add", "{dir}"], &["plugin", "install", OFFERED]],
            remove: &[&["plugin", "uninstall", OFFERED], &["plugin", "marketplace", "remove", NAME]],
        },
        mark: Mark::Settings(|p| p.of(COPILOT.home).join("settings.json")),
    },
    PluginInstall {
        host: "gemini",
        how: InstallWay::Commands {
            program: "gemini",
            add: &[&["extensions", "link", "{dir}", "--consent"]],
            remove: &[&["extensions", "uninstall", NAME]],
        },
        mark: Mark::Directory(|p| p.home.join(".gemini/extensions").join(NAME)),
    },
    PluginInstall {
        host: "cursor",
        how: InstallWay::Directory(".cursor/plugins/local/packd"),
        mark: Mark::Directory(|p| p.home.join(".cursor/plugins/local").join(NAME)),
    },
];

impl PluginInstall {
    pub fn find(host: &str) -> Option<&'static PluginInstall> {
        INSTALLS.iter().find(|install| install.host == host)
    }

    /// What to look at to learn whether the host has it.
    pub fn mark(&self, places: &UserDirs) -> PathBuf {
        match self.mark {
            Mark::Settings(path) | Mark::Toml(path) | Mark::Directory(path) => path(places),
        }
    }

    /// Does this say so? `text` is what stands in the file; a directory says it by being there.
    pub fn says(&self, text: Option<&str>) -> bool {
        let Some(text) = text else { return matches!(self.mark, Mark::Directory(_)) };
        match self.mark {
            Mark::Directory(_) => true,
            Mark::Settings(_) => {
                let settings = parse(text).ok().and_then(|root| root.to_serde_value()).unwrap_or_default();
                settings["enabledPlugins"][OFFERED].as_bool() == Some(true)
            }
            Mark::Toml(_) => {
                let Ok(config) = text.parse::<toml_edit::DocumentMut>() else { return false };
                let plugin = config.get("plugins").and_then(|plugins| plugins.get(OFFERED));
                plugin.is_some_and(|plugin| plugin.get("enabled").and_then(|on| on.as_bool()) != Some(false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_says_whether_it_has_the_plugin() {
        let says = |host: &str, text: &str| PluginInstall::find(host).unwrap().says(Some(text));
        assert!(says("claude", "{ // mine\n \"enabledPlugins\": {\"packd@packd\": true}}"));
        assert!(!says("claude", "{\"enabledPlugins\": {\"packd@packd\": false}}"));
        assert!(!says("copilot", "{}") && !says("copilot", "no json"));
        assert!(says("codex", "[plugins.\"packd@packd\"]\nenabled = true\n"));
        assert!(!says("codex", "[plugins.\"packd@packd\"]\nenabled = false\n") && !says("codex", "= 1"));
        assert!(
            PluginInstall::find("gemini").unwrap().says(None)
                && !PluginInstall::find("claude").unwrap().says(None)
        );
    }
}
