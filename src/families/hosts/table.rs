//! The MCP hosts packd can be entered into: where each keeps its servers and in what form.
//!
//! A fact about a host is in this table and nowhere else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::core::{Kept, SessionInfo};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, in most hosts with comments and trailing commas.
    Json,
    Toml,
}

/// The user's directories as the caller sees them; hosts let variables move some of them.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub home: PathBuf,
    pub workspace: PathBuf,
    pub macos: bool,
    pub env: BTreeMap<String, String>,
}

impl Places {
    /// Variables of the caller's environment that decide where a host's file is.
    pub const VARIABLES: [&str; 4] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"];

    /// The directory a variable names, else one below the home directory.
    fn moved(&self, variable: &str, below: &str) -> PathBuf {
        let set = self.env.get(variable).map(PathBuf::from).filter(|p| p.is_absolute());
        set.unwrap_or_else(|| self.home.join(below))
    }

    fn config(&self) -> PathBuf {
        if self.macos { self.home.join(".config") } else { self.moved("XDG_CONFIG_HOME", ".config") }
    }
}

pub struct Host {
    /// What people type.
    pub id: &'static str,
    pub title: &'static str,
    pub format: Format,
    /// The object or table that holds the servers.
    pub section: &'static str,
    /// The project's own file, relative to the workspace.
    pub project: &'static str,
    /// Programs whose presence on the PATH shows that the host is installed.
    pub programs: &'static [&'static str],
    user: fn(&Places) -> PathBuf,
    /// Any of these shows that the host was used here.
    marks: fn(&Places) -> Vec<PathBuf>,
    /// What the host wants in an entry beside command, arguments and environment.
    extra: fn() -> Vec<(&'static str, Value)>,
    /// Arguments for an entry in a project's file.
    project_args: &'static [&'static str],
    /// More tools than this, of all servers together, the host does not hand to its model.
    pub most_tools: Option<usize>,
    /// What to do in the host afterwards.
    pub then: &'static str,
}

impl Host {
    pub fn find(id: &str) -> Option<&'static Host> {
        HOSTS.iter().find(|h| h.id == id)
    }

    /// The file of the user or of the project.
    pub fn file(&self, places: &Places, project: bool) -> PathBuf {
        if project { places.workspace.join(self.project) } else { (self.user)(places) }
    }

    /// Is this the host's file, of the user or of a project, by the end of its name?
    pub fn reads(&self, path: &Path) -> bool {
        let nowhere = Places { home: PathBuf::from("/"), ..Places::default() };
        let ends = |file: PathBuf| file.strip_prefix("/").is_ok_and(|tail| path.ends_with(tail));
        let mac = Places { macos: true, ..nowhere.clone() };
        path.ends_with(self.project) || ends((self.user)(&nowhere)) || ends((self.user)(&mac))
    }

    pub fn marks(&self, places: &Places) -> Vec<PathBuf> {
        (self.marks)(places)
    }

    pub fn extra(&self) -> Vec<(&'static str, Value)> {
        (self.extra)()
    }

    pub fn args(&self, project: bool) -> &'static [&'static str] {
        if project { self.project_args } else { &[] }
    }
}

/// Every file a host may read its servers from, as this session's user has them: on either system, where a
/// variable moves it and where it is without one, and in the project.
pub fn files(session: &SessionInfo) -> Vec<Kept> {
    let workspace = PathBuf::from(&session.workspace);
    let mut out = Vec::new();
    for macos in [false, true] {
        for env in [BTreeMap::new(), session.env.clone()] {
            let (home, workspace) = (session.home.clone(), workspace.clone());
            let places = Places { home, workspace, macos, env };
            for host in HOSTS {
                let what = format!("{}'s own configuration", host.title);
                let kept = |path| Kept { path, what: what.clone() };
                out.extend([host.file(&places, false), host.file(&places, true)].map(kept));
                out.push(kept(PathBuf::from(host.project)));
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

fn claude_dir(p: &Places) -> PathBuf {
    p.moved("CLAUDE_CONFIG_DIR", "")
}

fn vscode(p: &Places) -> PathBuf {
    if p.macos { p.home.join("Library/Application Support/Code") } else { p.config().join("Code") }
}

pub const HOSTS: &[Host] = &[
    Host {
        id: "claude",
        title: "Claude Code",
        format: Format::Json,
        section: "mcpServers",
        project: ".mcp.json",
        programs: &["claude"],
        user: |p| claude_dir(p).join(".claude.json"),
        marks: |p| vec![claude_dir(p).join(".claude.json"), p.home.join(".claude")],
        extra: stdio,
        project_args: &[],
        most_tools: None,
        then: "Start a new session; /mcp shows the server.",
    },
    Host {
        id: "codex",
        title: "Codex",
        format: Format::Toml,
        section: "mcp_servers",
        project: ".codex/config.toml",
        programs: &["codex"],
        user: |p| p.moved("CODEX_HOME", ".codex").join("config.toml"),
        marks: |p| vec![p.moved("CODEX_HOME", ".codex")],
        extra: nothing,
        project_args: &[],
        most_tools: None,
        then: "Start a new session (projects: a trusted one); /mcp shows the server.",
    },
    Host {
        id: "cursor",
        title: "Cursor",
        format: Format::Json,
        section: "mcpServers",
        project: ".cursor/mcp.json",
        programs: &["cursor", "cursor-agent"],
        user: |p| p.home.join(".cursor/mcp.json"),
        marks: |p| vec![p.home.join(".cursor")],
        extra: nothing,
        // Cursor does not promise the directory it starts servers in, but fills this in.
        project_args: &["--workspace", "${workspaceFolder}"],
        most_tools: Some(40),
        then: "Switch the server on in Cursor's settings under MCP.",
    },
    Host {
        id: "vscode",
        title: "VS Code",
        format: Format::Json,
        section: "servers",
        project: ".vscode/mcp.json",
        programs: &["code"],
        user: |p| vscode(p).join("User/mcp.json"),
        marks: |p| vec![vscode(p)],
        extra: stdio,
        project_args: &[],
        most_tools: Some(128),
        then: "VS Code asks once whether it may start the server.",
    },
    Host {
        id: "gemini",
        title: "Gemini CLI",
        format: Format::Json,
        section: "mcpServers",
        project: ".gemini/settings.json",
        programs: &["gemini"],
        user: |p| p.home.join(".gemini/settings.json"),
        marks: |p| vec![p.home.join(".gemini")],
        extra: nothing,
        project_args: &[],
        most_tools: None,
        then: "Start a new session; /mcp shows the server.",
    },
    Host {
        id: "copilot",
        title: "Copilot CLI",
        format: Format::Json,
        section: "mcpServers",
        // Also read: .mcp.json, which is Claude Code's and has another form.
        project: ".github/mcp.json",
        programs: &["copilot"],
        user: |p| p.moved("COPILOT_HOME", ".copilot").join("mcp-config.json"),
        marks: |p| vec![p.moved("COPILOT_HOME", ".copilot")],
        extra: || vec![("type", json!("local")), ("tools", json!(["*"]))],
        project_args: &[],
        most_tools: None,
        then: "Start a new session; /mcp show lists the server.",
    },
    Host {
        id: "zed",
        title: "Zed",
        format: Format::Json,
        section: "context_servers",
        project: ".zed/settings.json",
        programs: &["zed", "zeditor"],
        user: |p| p.config().join("zed/settings.json"),
        marks: |p| vec![p.config().join("zed")],
        extra: nothing,
        project_args: &[],
        most_tools: None,
        then: "Zed takes it up at once; the Agent Panel's settings show the server.",
    },
];
