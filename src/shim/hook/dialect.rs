//! The hosts' dialects: what each calls its events, where its fields stand, how it wants to be answered.
//!
//! A fact about a host's hooks is in this file and nowhere else. A host that has no field for a message is told nothing.

use crate::ipc::hook::Happened;
use crate::ipc::{json, scan};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostEvent {
    SessionStart,
    PreTool,
    PostTool,
    Stop,
}

impl HostEvent {
    /// packd's names and the hosts' own, whatever their case and their dashes.
    pub fn named(name: &str) -> Option<HostEvent> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match plain.to_ascii_lowercase().as_str() {
            "sessionstart" | "agentspawn" => HostEvent::SessionStart,
            "pretool" | "pretooluse" | "beforetool" => HostEvent::PreTool,
            "posttool" | "posttooluse" | "posttoolusefailure" | "aftertool" => HostEvent::PostTool,
            "stop" | "agentstop" | "afteragent" => HostEvent::Stop,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            HostEvent::SessionStart => "session-start",
            HostEvent::PreTool => "pre-tool",
            HostEvent::PostTool => "post-tool",
            HostEvent::Stop => "stop",
        }
    }

    pub fn is_of_a_tool(self) -> bool {
        matches!(self, HostEvent::PreTool | HostEvent::PostTool)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookHost {
    Claude,
    Codex,
    Gemini,
    Copilot,
    Cursor,
    Kiro,
}

const HOSTS: [(HookHost, &str); 6] = [
    (HookHost::Claude, "claude"),
    (HookHost::Codex, "codex"),
    (HookHost::Gemini, "gemini"),
    (HookHost::Copilot, "copilot"),
    (HookHost::Cursor, "cursor"),
    (HookHost::Kiro, "kiro"),
];

/// Ids and names are short; a longer one is none of a host.
const LONGEST: usize = 512;

impl HookHost {
    pub fn named(name: &str) -> Option<HookHost> {
        HOSTS.iter().find(|(_, known)| *known == name).map(|(host, _)| *host)
    }

    fn name(self) -> &'static str {
        // Every host is in the table.
        HOSTS.iter().find(|(host, _)| *host == self).map_or("", |(_, name)| name)
    }

    /// Whose words these are. Variables come first: they are set by the host and not by what it runs.
    pub fn told_by(text: &str, env: impl Fn(&str) -> Option<String>) -> Option<HookHost> {
        let has = |name: &str| scan::member(text, &[name]).is_some();
        let event = field(text, &["hook_event_name"]);
        let camel = event.chars().next().is_some_and(|c| c.is_ascii_lowercase());
        Some(match () {
            _ if has("cursor_version") || has("conversation_id") => HookHost::Cursor,
            _ if has("sessionId") => HookHost::Copilot,
            _ if event.is_empty() => return None,
            _ if camel => HookHost::Kiro,
            // Copilot speaks like Claude Code to entries that are named as Claude Code names them.
            _ if env("COPILOT_CLI").is_some() || env("COPILOT_PROJECT_DIR").is_some() => HookHost::Copilot,
            _ if env("GEMINI_SESSION_ID").is_some() || has("timestamp") => HookHost::Gemini,
            _ if has("turn_id") || (has("model") && has("permission_mode")) => HookHost::Codex,
            _ => HookHost::Claude,
        })
    }

    /// What is worth telling the daemon.
    pub fn happened(self, event: HostEvent, text: &str) -> Happened {
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
        self == HookHost::Codex && tool == "apply_patch"
    }

    /// Cursor names the folders of its window and, in some events, no directory.
    fn cwd(self, text: &str, said: String) -> String {
        if !said.is_empty() || self != HookHost::Cursor {
            return said;
        }
        let folders = scan::member(text, &["workspace_roots"]).unwrap_or_default();
        scan::first(folders).and_then(json::unquote).unwrap_or_default()
    }

    /// The answer as this host wants it; `None`: it has no place for one.
    pub fn answer(self, event: HostEvent, text: &str) -> Option<String> {
        if text.is_empty() {
            return None;
        }
        let quoted = json::quote(text);
        match (event, self) {
            (HostEvent::SessionStart, HookHost::Claude | HookHost::Codex | HookHost::Gemini) => {
                Some(format!(
                    r#"{{"hookSpecificOutput":{{"hookEventName":"SessionStart","additionalContext":{quoted}}}}}"#
                ))
            }
            (HostEvent::SessionStart, HookHost::Copilot) => {
                Some(format!(r#"{{"additionalContext":{quoted}}}"#))
            }
            (HostEvent::SessionStart, HookHost::Cursor) => {
                Some(format!(r#"{{"additional_context":{quoted}}}"#))
            }
            (HostEvent::SessionStart, HookHost::Kiro) => Some(text.to_string()),
            (HostEvent::Stop, HookHost::Claude | HookHost::Codex | HookHost::Gemini) => {
                Some(format!(r#"{{"systemMessage":{quoted}}}"#))
            }
            // Copilot and Cursor would take it as the next thing to do, and go on; Kiro shows it to nobody.
            (HostEvent::Stop, HookHost::Copilot | HookHost::Cursor | HookHost::Kiro) => None,
            (HostEvent::PreTool | HostEvent::PostTool, _) => None,
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

    fn told(text: &str, set: &[&str]) -> Option<HookHost> {
        HookHost::told_by(text, |name| set.contains(&name).then(|| "1".to_string()))
    }

    #[test]
    fn events_have_many_names() {
        for (name, event) in [
            ("session-start", HostEvent::SessionStart),
            ("SessionStart", HostEvent::SessionStart),
            ("agentSpawn", HostEvent::SessionStart),
            ("preToolUse", HostEvent::PreTool),
            ("BeforeTool", HostEvent::PreTool),
            ("post-tool", HostEvent::PostTool),
            ("PostToolUseFailure", HostEvent::PostTool),
            ("agentStop", HostEvent::Stop),
            ("AfterAgent", HostEvent::Stop),
        ] {
            assert_eq!(HostEvent::named(name), Some(event), "{name}");
        }
        assert_eq!(HostEvent::named("userPromptSubmit"), None);
        assert_eq!(HostEvent::named(""), None);
    }

    #[test]
    fn hosts_are_told_by_what_they_say() {
        let claude = r#"{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}"#;
        assert_eq!(told(claude, &[]), Some(HookHost::Claude));
        let codex = r#"{"session_id":"s","turn_id":"1","cwd":"/w","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"Bash"}"#;
        assert_eq!(told(codex, &[]), Some(HookHost::Codex));
        let gemini = r#"{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z"}"#;
        assert_eq!(told(gemini, &[]), Some(HookHost::Gemini));
        assert_eq!(
            told(r#"{"sessionId":"s","timestamp":17,"cwd":"/w","source":"new"}"#, &[]),
            Some(HookHost::Copilot)
        );
        assert_eq!(told(claude, &["COPILOT_CLI"]), Some(HookHost::Copilot));
        let cursor =
            r#"{"conversation_id":"c","hook_event_name":"sessionStart","workspace_roots":["/w","/x"]}"#;
        assert_eq!(told(cursor, &[]), Some(HookHost::Cursor));
        assert_eq!(told(r#"{"hook_event_name":"agentSpawn","cwd":"/w"}"#, &[]), Some(HookHost::Kiro));
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
            assert_eq!(HookHost::Cursor.happened(HostEvent::Stop, &text(roots)).cwd, cwd, "{roots}");
        }
    }

    #[test]
    fn no_answer_allows_or_forbids_anything() {
        for (host, _) in HOSTS {
            for event in [HostEvent::SessionStart, HostEvent::PreTool, HostEvent::PostTool, HostEvent::Stop] {
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
