//! packd's hooks as each host writes them down: which events, which tools, what command.
//!
//! A fact about where and how a host keeps its hooks is in this file and nowhere else; what a host says to a hook and
//! wants to hear is the hook's own business.

mod edit;

use serde_json::{Map, Value, json};

use super::table::UserDirs;
use crate::core::agents::{CLAUDE, CODEX, COPILOT};

pub use edit::{look, put, remove};

/// How a host writes one hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `{matcher, hooks: [{type, command, timeout}]}`
    Grouped,
    /// `{type, bash, timeoutSec}`
    Bash,
    /// `{command, matcher, timeout}`
    Plain,
}

pub struct Hooked {
    /// As in the table of hosts.
    pub host: &'static str,
    form: Form,
    /// packd's name of an event, the host's, and which tools it is about; nothing = the event is about none.
    events: &'static [(&'static str, &'static str, Option<&'static str>)],
    /// How long the host is told to wait, in its own unit: far longer than the hook takes.
    timeout: u64,
    user: fn(&UserDirs) -> std::path::PathBuf,
    /// Relative to the workspace.
    project: &'static str,
    /// What the file holds beside the hooks, where it is new.
    beside: &'static [(&'static str, u64)],
    /// What to do in the host afterwards.
    pub then: &'static str,
}

const CLAUDE_TOOLS: &str = "Bash|Edit|MultiEdit|Write|NotebookEdit|mcp__.*";

pub const HOOKED: &[Hooked] = &[
    Hooked {
        host: "claude",
        form: Form::Grouped,
        events: &[
            ("session-start", "SessionStart", None),
            ("pre-tool", "PreToolUse", Some(CLAUDE_TOOLS)),
            ("post-tool", "PostToolUse", Some(CLAUDE_TOOLS)),
            ("post-tool", "PostToolUseFailure", Some(CLAUDE_TOOLS)),
            ("stop", "Stop", None),
        ],
        timeout: 5,
        user: |p| p.of(CLAUDE.home).join("settings.json"),
        project: ".claude/settings.json",
        beside: &[],
        then: "Start a new session; /hooks lists them.",
    },
    Hooked {
        host: "codex",
        form: Form::Grouped,
        events: &[
            ("session-start", "SessionStart", None),
            ("pre-tool", "PreToolUse", Some("Bash|apply_patch|mcp__.*")),
            ("post-tool", "PostToolUse", Some("Bash|apply_patch|mcp__.*")),
            ("stop", "Stop", None),
        ],
        timeout: 5,
        user: |p| p.of(CODEX.home).join("hooks.json"),
        project: ".codex/hooks.json",
        beside: &[],
        then: "Start a new session and trust them with /hooks: until then Codex does not run them.",
    },
    Hooked {
        host: "gemini",
        form: Form::Grouped,
        events: &[
            ("session-start", "SessionStart", None),
            ("pre-tool", "BeforeTool", Some("run_shell_command|write_file|replace|mcp_.*")),
            ("post-tool", "AfterTool", Some("run_shell_command|write_file|replace|mcp_.*")),
            ("stop", "AfterAgent", None),
        ],
        // Milliseconds.
        timeout: 5_000,
        user: |p| p.home.join(".gemini/settings.json"),
        project: ".gemini/settings.json",
        beside: &[],
        then: "Start a new session; /hooks panel lists them.",
    },
    Hooked {
        host: "copilot",
        form: Form::Bash,
        events: &[
            ("session-start", "sessionStart", None),
            ("pre-tool", "preToolUse", None),
            ("post-tool", "postToolUse", None),
            ("post-tool", "postToolUseFailure", None),
            ("stop", "agentStop", None),
        ],
        timeout: 5,
        user: |p| p.of(COPILOT.home).join("hooks/packd.json"),
        project: ".github/hooks/packd.json",
        beside: &[("version", 1)],
        then: "Start a new session.",
    },
    Hooked {
        host: "cursor",
        form: Form::Plain,
        events: &[
            ("session-start", "sessionStart", None),
            ("pre-tool", "preToolUse", Some("Shell|Write|Delete|MCP")),
            ("post-tool", "postToolUse", Some("Shell|Write|Delete|MCP")),
            ("post-tool", "postToolUseFailure", Some("Shell|Write|Delete|MCP")),
            ("stop", "stop", None),
        ],
        timeout: 5,
        user: |p| p.home.join(".cursor/hooks.json"),
        project: ".cursor/hooks.json",
        beside: &[("version", 1)],
        then: "Cursor takes them up at once; its settings list them under Hooks.",
    },
];

/// The program that hooks run, and what it has to be told.
#[derive(Debug, Clone, Default)]
pub struct HookProgram {
    pub command: String,
    /// The value of `PACKD_HOME`, where it is not the usual place.
    pub home: Option<String>,
}

impl HookProgram {
    /// A line for a shell.
    fn line(&self, event: &str, host: Option<&str>) -> String {
        let home = self.home.as_ref().map(|home| format!("PACKD_HOME={} ", quoted(home))).unwrap_or_default();
        let host = host.map(|host| format!(" --host {host}")).unwrap_or_default();
        format!("{home}{} hook {event}{host}", quoted(&self.command))
    }
}

/// As a shell reads it; what needs no quotes gets none.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

impl Hooked {
    pub fn find(host: &str) -> Option<&'static Hooked> {
        HOOKED.iter().find(|hooked| hooked.host == host)
    }

    pub fn file(&self, places: &UserDirs, project: bool) -> std::path::PathBuf {
        if project { places.workspace.join(self.project) } else { (self.user)(places) }
    }

    /// The host's events in the order of a session, each with the entry it gets.
    pub fn entries(&self, program: &HookProgram, named: bool) -> Vec<(&'static str, Value)> {
        let host = named.then_some(self.host);
        let entry = |(event, theirs, tools): &(&'static str, &'static str, Option<&'static str>)| {
            (*theirs, self.entry(&program.line(event, host), *tools))
        };
        self.events.iter().map(entry).collect()
    }

    fn entry(&self, command: &str, tools: Option<&str>) -> Value {
        let mut entry = Map::new();
        match self.form {
            Form::Grouped => {
                if let Some(tools) = tools {
                    entry.insert("matcher".into(), json!(tools));
                }
                let run = json!({"type": "command", "command": command, "timeout": self.timeout});
                entry.insert("hooks".into(), json!([run]));
            }
            Form::Bash => {
                entry.insert("type".into(), json!("command"));
                entry.insert("bash".into(), json!(command));
                entry.insert("timeoutSec".into(), json!(self.timeout));
            }
            Form::Plain => {
                entry.insert("command".into(), json!(command));
                if let Some(tools) = tools {
                    entry.insert("matcher".into(), json!(tools));
                }
                entry.insert("timeout".into(), json!(self.timeout));
            }
        }
        Value::Object(entry)
    }

    /// A file of its own with nothing but these events.
    pub fn whole_file(&self, program: &HookProgram, named: bool, wanted: impl Fn(&str) -> bool) -> Value {
        let mut hooks = Map::new();
        for (event, entry) in self.entries(program, named).into_iter().filter(|(event, _)| wanted(event)) {
            hooks.insert(event.to_string(), json!([entry]));
        }
        let mut file = Map::new();
        for (name, number) in self.beside {
            file.insert((*name).to_string(), json!(number));
        }
        file.insert("hooks".into(), Value::Object(hooks));
        Value::Object(file)
    }

    /// What a new file holds beside the hooks.
    fn beside(&self) -> &'static [(&'static str, u64)] {
        self.beside
    }

    /// Is this a file in which the host keeps hooks, by the end of its name?
    pub fn reads(&self, path: &std::path::Path) -> bool {
        let nowhere = UserDirs { home: "/".into(), ..UserDirs::default() };
        let user = (self.user)(&nowhere);
        path.ends_with(self.project) || user.strip_prefix("/").is_ok_and(|tail| path.ends_with(tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_for_a_shell_only_where_it_has_to_be() {
        let line = |command: &str, home: Option<&str>| {
            HookProgram { command: command.into(), home: home.map(str::to_string) }
                .line("stop", Some("claude"))
        };
        assert_eq!(line("/usr/bin/packd-mcp", None), "/usr/bin/packd-mcp hook stop --host claude");
        assert_eq!(
            line("/o'b/packd-mcp", Some("/a b")),
            "PACKD_HOME='/a b' '/o'\\''b/packd-mcp' hook stop --host claude"
        );
    }
}
