//! Windows: from before a tool call until after it. What changed while one was open is that call's; while several
//! were, it is shared by them; while none was, nobody's here.
//!
//! Pure rules; what changed and when is told by whoever looks.

use serde::{Deserialize, Serialize};

use crate::core::{Timestamp, Who};

/// A window whose end never came counts for so long.
const LONGEST: i64 = 4 * 60 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Before,
    After,
    /// The session ends or rests: all its windows close.
    End,
}

/// A tool call of a host that may write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doer {
    pub session: String,
    pub host: String,
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_session: Option<String>,
}

impl Doer {
    pub fn who(&self) -> Who {
        Who {
            session: self.session.clone(),
            client: self.host.clone(),
            task: self.task.clone(),
            ..Who::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Window {
    #[serde(flatten)]
    pub doer: Doer,
    pub begun: Timestamp,
    /// The host's process, where the hook told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// No other call of its session runs beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
}

/// What a hook asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct HookAsk {
    pub phase: Phase,
    pub doer: Doer,
    /// When the hook began.
    pub at: Timestamp,
    /// When it is gone, finished or not.
    pub gone: Timestamp,
    pub pid: Option<u32>,
    pub alone: bool,
}

impl Window {
    fn is(&self, ask: &HookAsk) -> bool {
        let same = self.doer.session == ask.doer.session;
        match (&ask.doer.call_id, &self.doer.call_id) {
            (Some(asked), Some(known)) => same && asked == known,
            (None, None) => same && self.doer.tool == ask.doer.tool,
            _ => false,
        }
    }
}

/// Takes out the windows that nobody will close any more.
pub fn expire(windows: &mut Vec<Window>, now: Timestamp, lives: &dyn Fn(u32) -> bool) {
    windows.retain(|w| now < w.begun.plus_seconds(LONGEST) && w.pid.is_none_or(lives));
}

/// The windows after a hook's word.
pub fn turn(windows: &mut Vec<Window>, ask: &HookAsk) {
    match ask.phase {
        Phase::Before => {
            // It is over, although nobody told so.
            windows.retain(|w| !w.alone || w.doer.session != ask.doer.session || w.is(ask));
            // The same call once more: a hook that was entered twice.
            if !windows.iter().any(|w| w.is(ask) && ask.doer.call_id.is_some()) {
                let doer = ask.doer.clone();
                windows.push(Window { doer, begun: ask.at, pid: ask.pid, alone: ask.alone });
            }
        }
        Phase::After => {
            if let Some(at) = windows.iter().rposition(|w| w.is(ask)) {
                windows.remove(at);
            }
        }
        Phase::End => windows.retain(|w| w.doer.session != ask.doer.session),
    }
}

/// Whose the changes are that were found now: every call that was under way since the last look. The one whose end
/// was told stands first. A call whose beginning nobody told counts too, as far as anybody can tell.
pub fn doers(windows: &[Window], ask: Option<&HookAsk>) -> Vec<Doer> {
    let mut out: Vec<Doer> = windows.iter().map(|w| w.doer.clone()).collect();
    let Some(ask) = ask.filter(|ask| ask.phase == Phase::After) else { return out };
    match windows.iter().rposition(|w| w.is(ask)) {
        Some(at) => {
            let first = out.remove(at);
            out.insert(0, first);
        }
        None => out.insert(0, ask.doer.clone()),
    }
    out
}

/// Whether the call was known to be under way.
pub fn known(windows: &[Window], ask: &HookAsk) -> bool {
    windows.iter().any(|w| w.is(ask))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(phase: Phase, session: &str, call: &str) -> HookAsk {
        let doer = Doer {
            session: session.into(),
            host: "claude-code".into(),
            tool: "Bash".into(),
            call_id: Some(call.into()),
            ..Doer::default()
        };
        HookAsk { phase, doer, at: Timestamp(1), gone: Timestamp(2), pid: None, alone: false }
    }

    fn sessions(doers: &[Doer]) -> Vec<&str> {
        doers.iter().map(|d| d.session.as_str()).collect()
    }

    #[test]
    fn what_changed_belongs_to_every_call_that_was_under_way() {
        let mut windows = Vec::new();
        assert!(doers(&windows, Some(&ask(Phase::Before, "a", "1"))).is_empty(), "nobody was at work");
        turn(&mut windows, &ask(Phase::Before, "a", "1"));
        turn(&mut windows, &ask(Phase::Before, "a", "1"));
        assert_eq!(sessions(&doers(&windows, Some(&ask(Phase::Before, "b", "2")))), ["a"]);
        turn(&mut windows, &ask(Phase::Before, "b", "2"));
        assert_eq!(sessions(&doers(&windows, Some(&ask(Phase::After, "b", "2")))), ["b", "a"]);
        turn(&mut windows, &ask(Phase::After, "b", "2"));
        assert_eq!(sessions(&doers(&windows, None)), ["a"]);
        turn(&mut windows, &ask(Phase::End, "a", "other"));
        assert!(windows.is_empty());
    }

    /// Codex tells no end of a patch that fails: everything later in the turn was taken for the work of two calls.
    #[test]
    fn a_call_that_runs_alone_is_over_when_its_session_goes_on() {
        let mut windows = Vec::new();
        let patch = HookAsk { alone: true, ..ask(Phase::Before, "a", "1") };
        turn(&mut windows, &patch);
        turn(&mut windows, &patch);
        assert_eq!(windows.len(), 1, "told twice");
        turn(&mut windows, &ask(Phase::Before, "b", "2"));
        assert_eq!(windows.len(), 2, "another session may go on beside it");
        let next = ask(Phase::Before, "a", "3");
        assert_eq!(sessions(&doers(&windows, Some(&next))), ["a", "b"], "what it left behind is its own");
        turn(&mut windows, &next);
        assert_eq!(sessions(&doers(&windows, Some(&ask(Phase::After, "a", "3")))), ["a", "b"]);
    }

    #[test]
    fn a_window_ends_with_its_host_and_with_time() {
        let mut windows = Vec::new();
        turn(&mut windows, &HookAsk { pid: Some(7), ..ask(Phase::Before, "a", "1") });
        turn(&mut windows, &ask(Phase::Before, "b", "2"));
        expire(&mut windows, Timestamp(2), &|pid| pid != 7);
        assert_eq!(windows.len(), 1, "its host is gone");
        expire(&mut windows, Timestamp::from_seconds(LONGEST + 1), &|_| true);
        assert!(windows.is_empty());
    }
}
