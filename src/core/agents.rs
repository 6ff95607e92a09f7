//! Every coding agent packd knows, exactly once: its names, its home, what it reads there and in a project, its limits.
//!
//! Families that serve agents (host set-up, deploys, packages) refer to these entries and add only what is theirs: the
//! form of an entry, what a module becomes. The lists of names in `proto/tools` are made from this table by a test.

/// A place of an agent in the user's home directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentHome {
    /// The variable that moves it; empty = none does.
    pub variable: &'static str,
    /// Relative to the user's home directory.
    pub below: &'static str,
}

/// What an agent reads, by what it is for: paths relative to its home or to a project. Empty = nothing that packd
/// writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reads {
    /// One file of standing instructions.
    pub instructions: &'static str,
    /// A directory with a file for each rule.
    pub rules: &'static str,
    /// A directory with a directory for each skill.
    pub skills: &'static str,
    pub prompts: &'static str,
    pub commands: &'static str,
    /// A directory with a file for each agent made of a prompt.
    pub agents: &'static str,
}

const NOTHING: Reads =
    Reads { instructions: "", rules: "", skills: "", prompts: "", commands: "", agents: "" };

#[derive(Debug, PartialEq, Eq)]
pub struct Agent {
    /// What people type.
    pub id: &'static str,
    pub title: &'static str,
    /// Its name as a target of a deploy; empty = it is none.
    pub target: &'static str,
    /// Its name as a platform of packages; empty = it is none.
    pub platform: &'static str,
    pub home: AgentHome,
    pub in_home: Reads,
    pub in_project: Reads,
    /// The project's own file that names its MCP servers; empty = it has none.
    pub servers: &'static str,
    /// Programs whose presence on the PATH shows that it is installed.
    pub programs: &'static [&'static str],
    /// More tools than this, of all servers together, it does not hand to its model.
    pub most_tools: Option<usize>,
    /// It hands the list of tools to its model with every turn, so every byte of it costs each time.
    pub sends_every_tool: bool,
    /// It may show its model a whole result, so that text and structured content are read twice.
    pub reads_both_forms: bool,
    /// A file of rules longer than this, in characters, it cuts off: (in its home, in a project).
    pub longest_rules: Option<(usize, usize)>,
}

/// Names of all targets of a deploy, in the order in which they are listed.
pub fn targets() -> Vec<&'static str> {
    ALL.into_iter().map(|agent| agent.target).filter(|name| !name.is_empty()).collect()
}

/// Directories below a user's home in which agents keep their own things.
pub fn homes() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().map(|agent| agent.home.below).filter(|dir| !dir.is_empty())
}

/// The agent that a client is, by the name it gives itself.
pub fn of_client(name: &str) -> Option<&'static Agent> {
    let name = name.to_ascii_lowercase();
    ALL.into_iter().find(|agent| name.starts_with(agent.id))
}

/// Names of all platforms of packages.
pub fn platforms() -> Vec<&'static str> {
    ALL.into_iter().map(|agent| agent.platform).filter(|name| !name.is_empty()).collect()
}

/// The platform of packages where nothing in a project says otherwise.
pub const USUAL_PLATFORM: &str = CLAUDE.platform;

/// What a project has for each platform of packages.
const SIGNS: [(&str, &str); 6] = [
    (".claude", CLAUDE.platform),
    ("CLAUDE.md", CLAUDE.platform),
    (".codex", CODEX.platform),
    (".cursor", CURSOR.platform),
    (".github/copilot-instructions.md", COPILOT.platform),
    (".github/copilot", COPILOT.platform),
];

/// The platforms that a project shows signs of; at least one.
pub fn platforms_shown(mut exists: impl FnMut(&str) -> bool) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    for (sign, platform) in SIGNS {
        if !found.contains(&platform) && exists(sign) {
            found.push(platform);
        }
    }
    if found.is_empty() { vec![USUAL_PLATFORM] } else { found }
}

const NEW: Agent = Agent {
    id: "",
    title: "",
    target: "",
    platform: "",
    home: AgentHome { variable: "", below: "" },
    in_home: NOTHING,
    in_project: NOTHING,
    servers: "",
    programs: &[],
    most_tools: None,
    sends_every_tool: false,
    reads_both_forms: false,
    longest_rules: None,
};

pub const ALL: [&Agent; 9] =
    [&CODEX, &CLAUDE, &CURSOR, &VSCODE, &JETBRAINS, &ZED, &WINDSURF, &GEMINI, &COPILOT];

pub static CODEX: Agent = Agent {
    id: "codex",
    sends_every_tool: true,
    reads_both_forms: true,
    title: "Codex",
    target: "codex",
    platform: "codex",
    home: AgentHome { variable: "CODEX_HOME", below: ".codex" },
    in_home: Reads { instructions: "AGENTS.md", skills: "skills", prompts: "prompts", ..NOTHING },
    in_project: Reads { instructions: "AGENTS.md", skills: ".codex/skills", ..NOTHING },
    servers: ".codex/config.toml",
    programs: &["codex"],
    ..NEW
};

pub static CLAUDE: Agent = Agent {
    id: "claude",
    title: "Claude Code",
    target: "claude_code",
    platform: "claude",
    home: AgentHome { variable: "CLAUDE_CONFIG_DIR", below: ".claude" },
    in_home: Reads { skills: "skills", commands: "commands", ..NOTHING },
    in_project: Reads {
        instructions: "CLAUDE.md",
        skills: ".claude/skills",
        prompts: ".claude/prompts",
        commands: ".claude/commands",
        agents: ".claude/agents",
        ..NOTHING
    },
    servers: ".mcp.json",
    programs: &["claude"],
    ..NEW
};

pub static CURSOR: Agent = Agent {
    id: "cursor",
    sends_every_tool: true,
    title: "Cursor",
    target: "cursor",
    platform: "cursor",
    home: AgentHome { variable: "", below: ".cursor" },
    in_project: Reads {
        rules: ".cursor/rules",
        skills: ".cursor/skills",
        prompts: ".cursor/prompts",
        commands: ".cursor/commands",
        ..NOTHING
    },
    servers: ".cursor/mcp.json",
    programs: &["cursor", "cursor-agent"],
    most_tools: Some(40),
    ..NEW
};

/// What Copilot reads in a project, in VS Code and on the command line.
const GITHUB: Reads = Reads {
    instructions: ".github/copilot-instructions.md",
    rules: ".github/instructions",
    skills: ".github/skills",
    prompts: ".github/prompts",
    agents: ".github/agents",
    ..NOTHING
};

pub static VSCODE: Agent = Agent {
    id: "vscode",
    sends_every_tool: true,
    title: "VS Code",
    target: "vscode",
    in_project: GITHUB,
    servers: ".vscode/mcp.json",
    programs: &["code"],
    most_tools: Some(128),
    ..NEW
};

pub static JETBRAINS: Agent = Agent {
    id: "jetbrains",
    title: "JetBrains Junie",
    target: "jetbrains",
    in_project: Reads { instructions: ".junie/guidelines.md", ..NOTHING },
    ..NEW
};

pub static ZED: Agent = Agent {
    id: "zed",
    sends_every_tool: true,
    title: "Zed",
    target: "zed",
    in_project: Reads { instructions: ".rules", ..NOTHING },
    servers: ".zed/settings.json",
    programs: &["zed", "zeditor"],
    ..NEW
};

pub static WINDSURF: Agent = Agent {
    id: "windsurf",
    title: "Windsurf",
    target: "windsurf",
    home: AgentHome { variable: "", below: ".codeium/windsurf" },
    in_home: Reads {
        instructions: "memories/global_rules.md",
        skills: "skills",
        commands: "global_workflows",
        ..NOTHING
    },
    in_project: Reads {
        rules: ".windsurf/rules",
        skills: ".windsurf/skills",
        commands: ".windsurf/workflows",
        ..NOTHING
    },
    longest_rules: Some((6_000, 12_000)),
    ..NEW
};

pub static GEMINI: Agent = Agent {
    id: "gemini",
    sends_every_tool: true,
    title: "Gemini CLI",
    target: "gemini",
    home: AgentHome { variable: "", below: ".gemini" },
    in_home: Reads { instructions: "GEMINI.md", skills: "skills", ..NOTHING },
    in_project: Reads { instructions: "GEMINI.md", skills: ".gemini/skills", ..NOTHING },
    servers: ".gemini/settings.json",
    programs: &["gemini"],
    ..NEW
};

pub static COPILOT: Agent = Agent {
    id: "copilot",
    sends_every_tool: true,
    title: "Copilot CLI",
    platform: "copilot",
    home: AgentHome { variable: "COPILOT_HOME", below: ".copilot" },
    in_project: GITHUB,
    // Also read: .mcp.json, which is Claude Code's and has another form.
    servers: ".github/mcp.json",
    programs: &["copilot"],
    ..NEW
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_agents_share_a_name() {
        for names in [ALL.map(|a| a.id).to_vec(), targets(), platforms()] {
            let mut once = names.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), names.len(), "{names:?}");
        }
        assert!(ALL.iter().all(|a| !a.id.is_empty() && !a.title.is_empty()));
    }
}
