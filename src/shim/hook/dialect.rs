//! The hosts' dialects: what each calls its events, where its fields stand, how it wants to be answered.
//!
//! A fact about a host's hooks is in this file and nowhere else. A host that has no field for a message is told nothing.

use crate::ipc::hook::Happened;
use crate::ipc::{json, scan};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    SessionStart,
    PreTool,
    PostTool,
    Stop,
}

impl Event {
    /// packd's names and the hosts' own, whatever their case and their dashes.
    pub fn named(name: &str) -> Option<Event> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match plain.to_ascii_lowercase().as_str() {
            "sessionstart" | "agentspawn" => Event::SessionStart,
            "pretool" | "pretooluse" | "beforetool" => Event::PreTool,
            "posttool" | "posttooluse" | "posttoolusefailure" | "aftertool" => Event::PostTool,
            "stop" | "agentstop" | "afteragent" => Event::Stop,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Event::SessionStart => "session-start",
            Event::PreTool => "pre-tool",
            Event::PostTool => "post-tool",
            Event::Stop => "stop",
        }
    }

    pub fn is_of_a_tool(self) -> bool {
        matches!(self, Event::PreTool | Event::PostTool)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    Claude,
    Codex,
    Gemini,
    Copilot,
    Cursor,
    Kiro,
}

const HOSTS: [(Host, &str); 6] = [
    (Host::Claude, "claude"),
    (Host::Codex, "codex"),
    (Host::Gemini, "gemini"),
    (Host::Copilot, "copilot"),
    (Host::Cursor, "cursor"),
    (Host::Kiro, "kiro"),
];

/// Ids and names are short; a longer one is none of a host.
const LONGEST: usize = 512;

impl Host {
    pub fn named(name: &str) -> Option<Host> {
        HOSTS.iter().find(|(_, known)| *known == name).map(|(host, _)| *host)
    }

    fn name(self) -> &'static str {
        // Every host is in the table.
        HOSTS.iter().find(|(host, _)| *host == self).map_or("", |(_, name)| name)
    }

    /// Whose words these are. Variables come first: they are set by the host and not by what it runs.
    pub fn told_by(text: &str, env: impl Fn(&str) -> Option<String>) -> Option<Host> {
        let has = |name: &str| scan::member(text, &[name]).is_some();
        let event = field(text, &["hook_event_name"]);
        let camel = event.chars().next().is_some_and(|c| c.is_ascii_lowercase());
        Some(match () {
            _ if has("cursor_version") || has("conversation_id") => Host::Cursor,
            _ if has("sessionId") => Host::Copilot,
            _ if event.is_empty() => return None,
            _ if camel => Host::Kiro,
            // Copilot speaks like Claude Code to entries that are named as Claude Code names them.
            _ if env("COPILOT_CLI").is_some() || env("COPILOT_PROJECT_DIR").is_some() => Host::Copilot,
            _ if env("GEMINI_SESSION_ID").is_some() || has("timestamp") => Host::Gemini,
            _ if has("turn_id") || (has("model") && has("permission_mode")) => Host::Codex,
            _ => Host::Claude,
        })
    }

    /// What is worth telling the daemon.
    pub fn happened(self, event: Event, text: &str) -> Happened {
        let first = |names: &[&str]| {
            names.iter().map(|name| field(text, &[name])).find(|value| !value.is_empty()).unwrap_or_default()
        };
        Happened {
            event: event.name().into(),
            host: self.name().into(),
            session: first(&["session_id", "sessionId", "conversation_id"]),
            source: first(&["source"]),
            tool: first(&["tool_name", "toolName"]),
            call: first(&["tool_use_id", "toolUseId", "toolCallId"]),
            cwd: self.cwd(text, first(&["cwd"])),
            alone: self.runs_alone(&first(&["tool_name", "toolName"])),
            ..Happened::default()
        }
    }

    /// Codex lets nothing else run beside a patch, and tells no end of one that fails.
    fn runs_alone(self, tool: &str) -> bool {
        self == Host::Codex && tool == "apply_patch"
    }

    /// Cursor names the folders of its window and, in some events, no directory.
    fn cwd(self, text: &str, said: String) -> String {
        if !said.is_empty() || self != Host::Cursor {
            return said;
        }
        let folders = scan::member(text, &["workspace_roots"]).unwrap_or_default();
        scan::first(folders).and_then(json::unquote).unwrap_or_default()
    }

    /// The answer as this host wants it; `None`: it has no place for one.
    pub fn answer(self, event: Event, text: &str) -> Option<String> {
        if text.is_empty() {
            return None;
        }
        let quoted = json::quote(text);
        match (event, self) {
            (Event::SessionStart, Host::Claude | Host::Codex | Host::Gemini) => Some(format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":"SessionStart","additionalContext":{quoted}}}}}"#
            )),
            (Event::SessionStart, Host::Copilot) => Some(format!(r#"{{"additionalContext":{quoted}}}"#)),
            (Event::SessionStart, Host::Cursor) => Some(format!(r#"{{"additional_context":{quoted}}}"#)),
            (Event::SessionStart, Host::Kiro) => Some(text.to_string()),
            (Event::Stop, Host::Claude | Host::Codex | Host::Gemini) => {
                Some(format!(r#"{{"systemMessage":{quoted}}}"#))
            }
            // Copilot and Cursor would take it as the next thing to do, and go on; Kiro shows it to nobody.
            (Event::Stop, Host::Copilot | Host::Cursor | Host::Kiro) => None,
            (Event::PreTool | Event::PostTool, _) => None,
        }
    }
}

/// A member that is a string and not too long, else nothing.
fn field(text: &str, path: &[&str]) -> String {
    let raw = scan::member(text, path).unwrap_or_default();
    json::unquote(raw).filter(|value| value.len() <= LONGEST).unwrap_or_default()
}

/// Not those that change no file, by the names hosts give them; nor packd's own, which record what they do themselves.
/// An event that names no tool tells of no call.
pub fn may_write(tool: &str) -> bool {
    const READERS: [&str; 24] = [
        "Read",
        "Glob",
        "Grep",
        "LS",
        "NotebookRead",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "TodoRead",
        "ToolSearch",
        "read_file",
        "read_many_files",
        "list_directory",
        "glob",
        "grep",
        "grep_search",
        "search_file_content",
        "google_web_search",
        "web_fetch",
        "view",
        "fs_read",
        "update_plan",
        "view_image",
        "report_intent",
    ];
    const OWN: [&str; 6] =
        ["mcp__packd__", "mcp__plugin_packd_", "mcp_packd_", "packd-", "packd/", "@packd/"];
    !tool.is_empty() && !READERS.contains(&tool) && !OWN.iter().any(|own| tool.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, set: &[&str]) -> Option<Host> {
        Host::told_by(text, |name| set.contains(&name).then(|| "1".to_string()))
    }

    #[test]
    fn events_have_many_names() {
        for (name, event) in [
            ("session-start", Event::SessionStart),
            ("SessionStart", Event::SessionStart),
            ("agentSpawn", Event::SessionStart),
            ("preToolUse", Event::PreTool),
            ("BeforeTool", Event::PreTool),
            ("post-tool", Event::PostTool),
            ("PostToolUseFailure", Event::PostTool),
            ("agentStop", Event::Stop),
            ("AfterAgent", Event::Stop),
        ] {
            assert_eq!(Event::named(name), Some(event), "{name}");
        }
        assert_eq!(Event::named("userPromptSubmit"), None);
        assert_eq!(Event::named(""), None);
    }

    #[test]
    fn hosts_are_told_by_what_they_say() {
        let claude = r#"{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}"#;
        assert_eq!(told(claude, &[]), Some(Host::Claude));
        let codex = r#"{"session_id":"s","turn_id":"1","cwd":"/w","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"Bash"}"#;
        assert_eq!(told(codex, &[]), Some(Host::Codex));
        let gemini = r#"{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z"}"#;
        assert_eq!(told(gemini, &[]), Some(Host::Gemini));
        assert_eq!(
            told(r#"{"sessionId":"s","timestamp":17,"cwd":"/w","source":"new"}"#, &[]),
            Some(Host::Copilot)
        );
        assert_eq!(told(claude, &["COPILOT_CLI"]), Some(Host::Copilot));
        let cursor =
            r#"{"conversation_id":"c","hook_event_name":"sessionStart","workspace_roots":["/w","/x"]}"#;
        assert_eq!(told(cursor, &[]), Some(Host::Cursor));
        assert_eq!(told(r#"{"hook_event_name":"agentSpawn","cwd":"/w"}"#, &[]), Some(Host::Kiro));
        assert_eq!(told(r#"{"hello":"world"}"#, &[]), None);
        assert_eq!(told("{}", &[]), None);
    }

    #[test]
    fn a_cursor_window_names_its_folders() {
        let text = |roots: &str| format!(r#"{{"conversation_id":"c","workspace_roots":{roots}}}"#);
        for (roots, cwd) in [
            (r#"["/w"]"#, "/w"),
            (r#"["/w,1","/x"]"#, "/w,1"),
            (r#"[ "/w" , "/x"]"#, "/w"),
            ("[]", ""),
            ("7", ""),
        ] {
            assert_eq!(Host::Cursor.happened(Event::Stop, &text(roots)).cwd, cwd, "{roots}");
        }
    }

    #[test]
    fn no_answer_allows_or_forbids_anything() {
        for (host, _) in HOSTS {
            for event in [Event::SessionStart, Event::PreTool, Event::PostTool, Event::Stop] {
                let said = host.answer(event, "a \"b\"").unwrap_or_default();
                for word in
                    ["allow", "approve", "block", "deny", "decision", "permission", "continue", "followup"]
                {
                    assert!(!said.contains(word), "{said}");
                }
                assert_eq!(host.answer(event, ""), None);
                assert!(!event.is_of_a_tool() || said.is_empty());
            }
        }
    }

    #[test]
    fn readers_and_packds_own_tools_are_left_alone() {
        for tool in ["Edit", "Bash", "apply_patch", "run_shell_command", "mcp__github__create", "mcp_other_x"]
        {
            assert!(may_write(tool), "{tool}");
        }
        for tool in
            ["", "Read", "mcp__packd__now", "mcp__plugin_packd_packd__now", "mcp_packd_now", "packd-now"]
        {
            assert!(!may_write(tool), "{tool}");
        }
    }
}
