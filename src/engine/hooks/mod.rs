//! What happens in hosts, told by their hooks: what a session should know when it starts, and snapshots around tools
//! that may write, attributed to the session they belong to.
//!
//! A hook waits for milliseconds and then is gone; what it set going comes to its end here. Nothing a hook says can
//! fail a host: what cannot be done is left undone, and counted.

mod join;
mod tally;

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::consult::guarded;
use super::snapshots::lives;
use super::{Engine, Environment, Session};
use crate::core::snapshot::FAMILY as WORK_TREE;
use crate::core::view::{LogQuery, View};
use crate::core::{Result, SessionInfo, Timestamp};
use tally::Tally;

/// Said before what others wrote, so that it is not taken for the user's word.
const HEADING: &str = "From packd, the memory of this workspace. What follows was written by the sessions it names, \
not by the user: it says how things stand and asks for nothing.";
/// The least of what hosts take into a session without cutting it or putting it into a file.
const LONGEST: usize = 8_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookEvent {
    SessionStart,
    PreTool,
    PostTool,
    Stop,
}

impl HookEvent {
    pub fn parse(name: &str) -> Option<HookEvent> {
        Some(match name {
            "session-start" => HookEvent::SessionStart,
            "pre-tool" => HookEvent::PreTool,
            "post-tool" => HookEvent::PostTool,
            "stop" => HookEvent::Stop,
            _ => return None,
        })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "session-start",
            HookEvent::PreTool => "pre-tool",
            HookEvent::PostTool => "post-tool",
            HookEvent::Stop => "stop",
        }
    }
}

/// One thing that happened in a host.
#[derive(Debug, Clone)]
pub struct Hook {
    pub event: HookEvent,
    pub host: String,
    /// The host's own id of its session.
    pub session: String,
    pub source: String,
    pub tool: String,
    /// The host's id of the tool's call.
    pub call: String,
    /// No other call of the session runs beside it.
    pub alone: bool,
    /// When the hook began, and how long it waits.
    pub began: Timestamp,
    pub waits_ms: u64,
    /// The process of the hook.
    pub pid: u32,
    /// As a session of this host in this directory would have them.
    pub info: SessionInfo,
}

/// What the daemon remembers of hooks. In memory only.
#[derive(Default)]
pub struct Hooks(Mutex<State>);

#[derive(Default)]
struct State {
    tally: Tally,
    joined: join::Joined,
    recent: tally::Recent,
    spoken: tally::Spoken,
}

impl Hooks {
    fn state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Engine {
    /// Takes up what a hook tells, and gives back what is to be said in the host.
    pub async fn hook(&self, hook: Hook) -> String {
        let now = self.shared.clock.now();
        // A plugin and an entry of its own may both tell the same thing.
        if self.shared.hooks.state(|state| state.recent.again(&hook, now)) {
            self.shared.hooks.state(|state| state.tally.twice(&hook));
            return String::new();
        }
        let session = self.session_of(&hook);
        let said = match hook.event {
            HookEvent::SessionStart => self.starts(&session).await,
            HookEvent::PreTool => self.around_tool(&hook, &session, "before").await,
            HookEvent::PostTool => self.around_tool(&hook, &session, "after").await,
            HookEvent::Stop => self.stops(&hook, &session).await,
        };
        let took = (self.shared.clock.now().micros() - hook.began.micros()).max(0);
        self.shared.hooks.state(|state| state.tally.count(&hook, now, took));
        said
    }

    /// The cold start, under a line that says what it is.
    async fn starts(&self, session: &Arc<Session>) -> String {
        let Some(uri) = self.shared.cold_start else { return String::new() };
        match self.read_resource(session, uri).await.map(|found| found.text) {
            Ok(text) if !text.trim().is_empty() => within(&format!("{HEADING}\n\n{text}")),
            _ => String::new(),
        }
    }

    async fn around_tool(&self, hook: &Hook, session: &Arc<Session>, phase: &str) -> String {
        self.snapshot_for(hook, session, phase).await;
        String::new()
    }

    /// Renews what the session holds, and says once what it leaves behind.
    async fn stops(&self, hook: &Hook, session: &Arc<Session>) -> String {
        self.snapshot_for(hook, session, "end").await;
        let info = session.info();
        self.shared.attendance.called(&info.id, self.shared.clock.now());
        if self.shared.hooks.state(|state| state.spoken.contains(hook)) {
            return String::new();
        }
        let said = self.reminder(info).await.unwrap_or_default();
        if !said.is_empty() {
            self.shared.hooks.state(|state| state.spoken.add(hook));
        }
        said
    }

    async fn reminder(&self, info: SessionInfo) -> Result<String> {
        self.elsewhere(&info.id.clone(), move |shared| {
            let call = super::serve::serving("a stop");
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let ctx = shared.ctx(&view, &info, &call);
            let query = LogQuery {
                workspace: Some(info.workspace.clone()),
                family: Some(WORK_TREE.to_string()),
                session: Some(info.id.clone()),
                newest_first: true,
                limit: 1,
                ..LogQuery::default()
            };
            let changed = view.log().ops(&query)?.ops.first().map(|op| op.seq);
            for family in &shared.families {
                if let Some(said) = guarded("a stop", || family.at_stop(&ctx, changed))? {
                    return Ok(said);
                }
            }
            Ok(String::new())
        })
        .await
    }

    /// What the session works on.
    fn in_hand(&self, info: &SessionInfo) -> Option<String> {
        let call = super::serve::serving("a hook");
        let snapshot = self.shared.store.read().ok()?;
        self.shared.in_hand(&snapshot.view(), info, &call).ok()?
    }

    async fn snapshot_for(&self, hook: &Hook, session: &Arc<Session>, phase: &str) {
        let info = session.info();
        let mut params = json!({
            "cwd": info.cwd, "phase": phase, "session": info.id, "host": info.client, "tool": hook.tool,
            "host_session": hook.session, "alone": hook.alone, "at": hook.began.micros(), "budget_ms": hook.waits_ms,
        });
        if let Some(task) = self.in_hand(&info) {
            params["task"] = json!(task);
        }
        if !hook.call.is_empty() {
            params["call_id"] = json!(hook.call);
        }
        // The hook is gone in a moment; the server that its host started lives as long as the host.
        if session.pid() > 0 {
            params["pid"] = json!(session.pid());
        }
        if let Err(error) = self.admin(session, "packd/snapshot", &params).await {
            self.shared.hooks.state(|state| state.tally.trouble(hook, &error.message));
        }
    }

    /// The MCP session of the same client, or one that stands for the host where it has none.
    fn session_of(&self, hook: &Hook) -> Arc<Session> {
        let open = self.shared.sessions.all();
        if let Some(joined) = self.shared.hooks.state(|state| state.joined.find(hook, &open)) {
            let mut info = joined.info();
            // Where the tool works, which need not be where the server was started.
            info.cwd = hook.info.cwd.clone();
            let session = Session::new(info, Environment::default());
            // A host in a container of its own says a number that means another process here, or none.
            if lives(joined.pid()) {
                session.runs_as(joined.pid());
            }
            return Arc::new(session);
        }
        Arc::new(Session::new(hook.info.clone(), Environment::default()))
    }

    /// For `packd doctor`: whether hooks fire, and how long they take.
    pub(super) fn hooks_seen(&self) -> Value {
        let now = self.shared.clock.now();
        self.shared.hooks.state(|state| state.tally.to_json(now))
    }
}

/// Cut at the end of a line, and only where it has to be.
fn within(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_string();
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = text[..end].rfind('\n').unwrap_or(end);
    format!("{}\n(The rest was left out.)", &text[..cut])
}
