//! Which MCP session a hook belongs to: the one of the same client and workspace that has the nearest parent process
//! in common with it.
//!
//! A host starts its servers and its hooks itself, so the two meet in the host's own process. What they have in common
//! further up, a shell or a terminal, says nothing.

use std::collections::HashMap;
use std::sync::Arc;

use super::Hook;
use crate::engine::Session;

/// The host itself, or a small program of it that starts servers: further above a server no host is looked for.
const ABOVE_A_SERVER: usize = 2;
/// Deeper trees of processes are no host's.
const DEEPEST: usize = 64;
/// Sessions of hosts that are remembered.
const REMEMBERED: usize = 1024;

/// Host and its own session id, to the MCP session it was found to be.
#[derive(Default)]
pub struct Joined(HashMap<(String, String), String>);

impl Joined {
    pub fn find(&mut self, hook: &Hook, open: &[Arc<Session>]) -> Option<Arc<Session>> {
        let key = (hook.host.clone(), hook.session.clone());
        if let Some(id) = self.0.get(&key)
            && let Some(known) = open.iter().rev().find(|session| session.info().id == *id)
        {
            return Some(Arc::clone(known));
        }
        let found = nearest(hook, open, parents)?;
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        if !hook.session.is_empty() {
            self.0.insert(key, found.info().id.clone());
        }
        Some(found)
    }
}

fn nearest(hook: &Hook, open: &[Arc<Session>], parents: impl Fn(u32) -> Vec<u32>) -> Option<Arc<Session>> {
    let fits = |session: &&Arc<Session>| {
        let info = session.info();
        info.workspace == hook.info.workspace
            && !hook.host.is_empty()
            && info.client.to_ascii_lowercase().contains(&hook.host)
    };
    let candidates: Vec<&Arc<Session>> = open.iter().filter(fits).collect();
    let above = parents(hook.pid);
    if above.is_empty() {
        // The system does not tell; one session that fits has to be it.
        return match candidates.as_slice() {
            [only] => Some(Arc::clone(only)),
            _ => None,
        };
    }
    let distance = |session: &Arc<Session>| {
        let theirs = parents(session.pid());
        above.iter().position(|pid| theirs.iter().take(ABOVE_A_SERVER).any(|their| their == pid))
    };
    // Of two that are equally near, the one that came last.
    let near = candidates.into_iter().rev().filter_map(|session| Some((distance(session)?, session)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, session)| Arc::clone(session))
}

/// The parent of a process, its parent, and so on; without the first process of all.
#[cfg(target_os = "linux")]
fn parents(pid: u32) -> Vec<u32> {
    let mut out = Vec::new();
    let mut at = pid;
    while out.len() < DEEPEST
        && at > 1
        && let Some(parent) = parent(at)
        && parent > 1
    {
        out.push(parent);
        at = parent;
    }
    out
}

#[cfg(not(target_os = "linux"))]
fn parents(_pid: u32) -> Vec<u32> {
    Vec::new()
}

/// The name of a program may hold anything, so the fields are counted from the last parenthesis.
#[cfg(target_os = "linux")]
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{SessionFacts, SessionInfo, Timestamp};
    use crate::engine::Environment;
    use crate::engine::hooks::HookEvent;

    fn info(id: &str, client: &str, workspace: &str) -> SessionInfo {
        SessionFacts {
            id: id.into(),
            client: client.into(),
            workspace: workspace.into(),
            tree: workspace.into(),
            cwd: workspace.into(),
            home: "/h".into(),
            ..SessionFacts::default()
        }
        .into()
    }

    fn session(id: &str, client: &str, workspace: &str, pid: u32) -> Arc<Session> {
        let session = Session::new(info(id, client, workspace), Environment::default());
        session.runs_as(pid);
        Arc::new(session)
    }

    fn hook(host: &str, pid: u32) -> Hook {
        Hook {
            event: HookEvent::PreTool,
            host: host.into(),
            session: "host-session".into(),
            source: String::new(),
            tool: "Bash".into(),
            call: "1".into(),
            alone: false,
            began: Timestamp(0),
            waits_ms: 50,
            pid,
            info: info("h", host, "/w"),
        }
    }

    /// 10 a terminal with the shells 11 to 13; 20, 30 and 39 hosts in them; 21, 33 servers; 22, 34 and 40 hooks.
    fn tree(pid: u32) -> Vec<u32> {
        match pid {
            21 | 22 => vec![20, 11, 10],
            33 => vec![30, 12, 10],
            34 => vec![32, 30, 12, 10],
            40 => vec![39, 13, 10],
            _ => vec![],
        }
    }

    #[test]
    fn the_nearest_common_parent_decides() {
        let open = [session("a", "claude-code", "/w", 21), session("b", "claude-code", "/w", 33)];
        let found = |pid| nearest(&hook("claude", pid), &open, tree).map(|s| s.info().id.clone());
        assert_eq!(found(22).as_deref(), Some("a"));
        assert_eq!(found(34).as_deref(), Some("b"), "a shell between the host and its hook");
        assert_eq!(found(40), None, "a terminal in common is nothing in common");
    }

    #[test]
    fn another_client_or_another_workspace_is_never_joined() {
        let open = [session("a", "codex-mcp-client", "/w", 21), session("b", "claude-code", "/x", 21)];
        assert!(nearest(&hook("claude", 22), &open, tree).is_none());
        assert!(nearest(&hook("", 22), &open, tree).is_none());
    }

    #[test]
    fn where_the_system_is_silent_only_one_that_fits_is_joined() {
        let open = [session("a", "claude-code", "/w", 1), session("b", "claude-code", "/w", 2)];
        assert!(nearest(&hook("claude", 9), &open, |_| Vec::new()).is_none());
        assert!(nearest(&hook("claude", 9), &open[..1], |_| Vec::new()).is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_parents() {
        // Where tests are started by the first process of a container, there is nobody above to be named.
        let parent = std::os::unix::process::parent_id();
        assert!(parent <= 1 || parents(std::process::id()).contains(&parent));
    }
}
