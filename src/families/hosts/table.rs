//! The MCP hosts packd can be entered into: where each keeps its servers and in what form.
//!
//! What is true of the agent itself is in `core::agents`; a fact about its entries is in this table and nowhere else.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::core::agents::{self, Agent, AgentHome};
use crate::core::{ReservedFile, SessionInfo};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, in most hosts with comments and trailing commas.
    Json,
    Toml,
}

/// The user's directories as the caller sees them; hosts let variables move some of them.
#[derive(Debug, Clone, Default)]
pub struct UserDirs {
    pub home: PathBuf,
    pub workspace: PathBuf,
    pub macos: bool,
    pub env: BTreeMap<String, String>,
}

impl UserDirs {
    /// Variables of the caller's environment that decide where a host's file is.
    pub const VARIABLES: [&str; 4] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"];

    /// The directory a variable names, else one below the home directory.
    pub(super) fn moved(&self, variable: &str, below: &str) -> PathBuf {
        let set = self.env.get(variable).map(PathBuf::from).filter(|p| p.is_absolute());
        set.unwrap_or_else(|| self.home.join(below))
    }

    /// Where an agent of this user keeps its things.
    pub(super) fn of(&self, home: AgentHome) -> PathBuf {
        self.moved(home.variable, home.below)
    }

    fn config(&self) -> PathBuf {
        if self.macos { self.home.join(".config") } else { self.moved("XDG_CONFIG_HOME", ".config") }
    }
}

/// The set of tools for hosts that send every tool with every turn.
pub const SMALL_SET: &str = "core";

pub struct McpHost {
    agent: &'static Agent,
    pub format: Format,
    /// The object or table that holds the servers.
    pub section: &'static str,
    user: fn(&UserDirs) -> PathBuf,
    /// Any of these shows that the host was used here.
    marks: fn(&UserDirs) -> Vec<PathBuf>,
    /// What the host wants in an entry beside command, arguments and environment.
    extra: fn() -> Vec<(&'static str, Value)>,
    /// Arguments for an entry in a project's file.
    project_args: &'static [&'static str],
    /// What to do in the host afterwards.
    pub then: &'static str,
}

impl Deref for McpHost {
    type Target = Agent;
    fn deref(&self) -> &Agent {
        self.agent
    }
}

impl McpHost {
    pub fn find(id: &str) -> Option<&'static McpHost> {
        HOSTS.iter().find(|h| h.id == id)
    }

    /// The file of the user or of the project.
    pub fn file(&self, places: &UserDirs, project: bool) -> PathBuf {
        if project { places.workspace.join(self.servers) } else { (self.user)(places) }
    }

    /// Is this the host's file, of the user or of a project, by the end of its name?
    pub fn reads(&self, path: &Path) -> bool {
        let nowhere = UserDirs { home: PathBuf::from("/"), ..UserDirs::default() };
        let ends = |file: PathBuf| file.strip_prefix("/").is_ok_and(|tail| path.ends_with(tail));
        let mac = UserDirs { macos: true, ..nowhere.clone() };
        path.ends_with(self.servers) || ends((self.user)(&nowhere)) || ends((self.user)(&mac))
    }

    pub fn marks(&self, places: &UserDirs) -> Vec<PathBuf> {
        (self.marks)(places)
    }

    pub fn extra(&self) -> Vec<(&'static str, Value)> {
        (self.extra)()
    }

    pub fn args(&self, project: bool) -> &'static [&'static str] {
        if project { self.project_args } else { &[] }
    }

    /// The server's arguments, with the small set where the host sends every tool each time and nobody chose.
    pub fn with_tools(&self, mut args: Vec<String>) -> Vec<String> {
        let chosen = args.iter().any(|arg| arg.starts_with("--toolsets") || arg.starts_with("--tools"));
        if self.sends_every_tool && !chosen {
            args.extend(["--toolsets".to_string(), SMALL_SET.to_string()]);
        }
        args
    }
}

/// Every file a host may read its servers from, as this session's user has them: on either system, where a
/// variable moves it and where it is without one, and in the project.
pub fn files(session: &SessionInfo) -> Vec<ReservedFile> {
    let workspace = PathBuf::from(&session.workspace);
    let mut out = Vec::new();
    for macos in [false, true] {
        for env in [BTreeMap::new(), session.env.clone()] {
            let (home, workspace) = (session.home.clone(), workspace.clone());
            let places = UserDirs { home, workspace, macos, env };
            for host in HOSTS {
                let what = format!("{}'s own configuration", host.title);
                let kept = |path| ReservedFile { path, what: what.clone() };
                out.extend([host.file(&places, false), host.file(&places, true)].map(kept));
                out.push(kept(PathBuf::from(host.servers)));
            }
        }
    }
    out.dedup();
    out
}

fn nothing() -> Vec<(&'static str, Value)> {
    Vec::new()
}

fn stdio() -> Vec<(&'static str, Value)> {
    vec![("type", json!("stdio"))]
}

fn claude_dir(p: &UserDirs) -> PathBuf {
    p.moved("CLAUDE_CONFIG_DIR", "")
}

fn vscode(p: &UserDirs) -> PathBuf {
    if p.macos { p.home.join("Library/Application Support/Code") } else { p.config().join("Code") }
}

pub const HOSTS: &[McpHost] = &[
    McpHost {
        agent: &agents::CLAUDE,
        format: Format::Json,
        section: "mcpServers",
        user: |p| claude_dir(p).join(".claude.json"),
        marks: |p| vec![claude_dir(p).join(".claude.json"), p.home.join(agents::CLAUDE.home.below)],
        extra: stdio,
        project_args: &[],
        then: "Start a new session; /mcp shows the server.",
    },
    McpHost {
        agent: &agents::CODEX,
        format: Format::Toml,
        section: "mcp_servers",
        user: |p| p.of(agents::CODEX.home).join("config.toml"),
        marks: |p| vec![p.of(agents::CODEX.home)],
        extra: nothing,
        project_args: &[],
        then: "Start a new session (projects: a trusted one); /mcp shows the server.",
    },
    McpHost {
        agent: &agents::CURSOR,
        format: Format::Json,
        section: "mcpServers",
        user: |p| p.of(agents::CURSOR.home).join("mcp.json"),
        marks: |p| vec![p.of(agents::CURSOR.home)],
        extra: nothing,
        // Cursor does not promise the directory it starts servers in, but fills this in.
        project_args: &["--workspace", "${workspaceFolder}"],
        then: "Switch the server on in Cursor's settings under MCP.",
    },
    McpHost {
        agent: &agents::VSCODE,
        format: Format::Json,
        section: "servers",
        user: |p| vscode(p).join("User/mcp.json"),
        marks: |p| vec![vscode(p)],
        extra: stdio,
        project_args: &[],
        then: "VS Code asks once whether it may start the server.",
    },
    McpHost {
        agent: &agents::GEMINI,
        format: Format::Json,
        section: "mcpServers",
        user: |p| p.of(agents::GEMINI.home).join("settings.json"),
        marks: |p| vec![p.of(agents::GEMINI.home)],
        extra: nothing,
        project_args: &[],
        then: "Start a new session; /mcp shows the server.",
    },
    McpHost {
        agent: &agents::COPILOT,
        format: Format::Json,
        section: "mcpServers",
        user: |p| p.of(agents::COPILOT.home).join("mcp-config.json"),
        marks: |p| vec![p.of(agents::COPILOT.home)],
        extra: || vec![("type", json!("local")), ("tools", json!(["*"]))],
        project_args: &[],
        then: "Start a new session; /mcp show lists the server.",
    },
    McpHost {
        agent: &agents::ZED,
        format: Format::Json,
        section: "context_servers",
        user: |p| p.config().join("zed/settings.json"),
        marks: |p| vec![p.config().join("zed")],
        extra: nothing,
        project_args: &[],
        then: "Zed takes it up at once; the Agent Panel's settings show the server.",
    },
];
