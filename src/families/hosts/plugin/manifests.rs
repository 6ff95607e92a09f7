//! The manifests of the plugin, one for each format: the same facts in the words of each host.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::table::McpHost;
use super::{Build, NAME};

/// The event that Claude Code and Gemini CLI call by the same name.
pub const SHARED_EVENT: &str = "SessionStart";

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");
const DESCRIPTION: &str = "A memory that coding agents can change safely: tasks, context packs and deploys in one local store, \
     and undo for everything, the work tree included.";
const KEYWORDS: [&str; 5] = ["memory", "tasks", "context", "undo", "mcp"];
const AGENT_PLUGINS: &str = "https://agent-plugins.org/schemas/1.0.0";

#[derive(Serialize)]
pub struct Author {
    name: &'static str,
}

const AUTHOR: Author = Author { name: "The packd authors" };

/// Agent Plugins 1.0, `plugin.json`. Its schema is closed.
#[derive(Serialize)]
pub struct AgentPlugin {
    #[serde(rename = "$schema")]
    schema: String,
    name: &'static str,
    version: &'static str,
    description: &'static str,
    author: Author,
    license: &'static str,
    keywords: [&'static str; 5],
}

pub fn agent_plugin() -> AgentPlugin {
    AgentPlugin {
        schema: format!("{AGENT_PLUGINS}/plugin.schema.json"),
        name: NAME,
        version: VERSION,
        description: DESCRIPTION,
        author: AUTHOR,
        license: LICENSE,
        keywords: KEYWORDS,
    }
}

#[derive(Serialize)]
pub struct Servers {
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    #[serde(rename = "mcpServers")]
    servers: BTreeMap<&'static str, Server>,
}

#[derive(Serialize)]
struct Server {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    command: String,
    args: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<&'static str, String>,
}

/// For one host, or with every tool where several read the same file.
fn entries(build: &Build, host: Option<&str>, kind: Option<&'static str>) -> BTreeMap<&'static str, Server> {
    let env = build.program.home.iter().map(|home| ("PACKD_HOME", home.clone())).collect();
    let args = build.args.clone();
    let args = match host.and_then(McpHost::find) {
        Some(host) => host.with_tools(args),
        None => args,
    };
    let server = Server { kind, command: build.program.command.clone(), args, env };
    BTreeMap::from([(NAME, server)])
}

/// Agent Plugins 1.0, `mcp.json`.
pub fn agent_servers(build: &Build) -> Servers {
    Servers {
        schema: Some(format!("{AGENT_PLUGINS}/mcp.schema.json")),
        servers: entries(build, build.host, Some("stdio")),
    }
}

/// `.mcp.json`, as Claude Code, Codex, Copilot and Cursor read it.
pub fn servers(build: &Build) -> Servers {
    Servers { schema: None, servers: entries(build, build.host, None) }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginManifest {
    name: &'static str,
    version: &'static str,
    description: &'static str,
    author: Author,
    license: &'static str,
    keywords: [&'static str; 5],
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_servers: Option<&'static str>,
    hooks: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    interface: Option<Interface>,
}

/// How Codex shows a plugin to people.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Interface {
    display_name: &'static str,
    short_description: &'static str,
    category: &'static str,
}

fn named(hooks: &'static str) -> PluginManifest {
    PluginManifest {
        name: NAME,
        version: VERSION,
        description: DESCRIPTION,
        author: AUTHOR,
        license: LICENSE,
        keywords: KEYWORDS,
        skills: Some("./skills/"),
        mcp_servers: Some("./.mcp.json"),
        hooks,
        interface: None,
    }
}

/// Skills, commands, `.mcp.json` and `hooks/hooks.json` are found where they lie; the manifest adds the other hooks.
pub fn claude() -> PluginManifest {
    PluginManifest { skills: None, mcp_servers: None, ..named("./hooks/claude.json") }
}

pub fn codex() -> PluginManifest {
    let interface = Interface {
        display_name: NAME,
        short_description: "Memory, tasks and undo for coding agents",
        category: "Productivity",
    };
    PluginManifest { interface: Some(interface), ..named("./hooks/codex.json") }
}

pub fn copilot() -> PluginManifest {
    named("./hooks/copilot.json")
}

pub fn cursor() -> PluginManifest {
    named("./hooks/cursor.json")
}

#[derive(Serialize)]
pub struct Marketplace {
    name: &'static str,
    description: &'static str,
    owner: Author,
    plugins: [Offered; 1],
}

#[derive(Serialize)]
struct Offered {
    name: &'static str,
    source: &'static str,
    description: &'static str,
}

/// The directory offers itself, so that hosts which install from marketplaces need no other.
pub fn marketplace() -> Marketplace {
    let offered = Offered { name: NAME, source: "./", description: DESCRIPTION };
    Marketplace { name: NAME, description: DESCRIPTION, owner: AUTHOR, plugins: [offered] }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gemini {
    name: &'static str,
    version: &'static str,
    description: &'static str,
    context_file_name: &'static str,
    mcp_servers: BTreeMap<&'static str, Server>,
}

pub fn gemini(build: &Build) -> Gemini {
    Gemini {
        name: NAME,
        version: VERSION,
        description: DESCRIPTION,
        context_file_name: "GEMINI.md",
        mcp_servers: entries(build, Some("gemini"), None),
    }
}
