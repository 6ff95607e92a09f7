//! What a face for people asks besides tools: who is connected, what undo would take back, whether anything is new.
//!
//! It only reads, and it names no tool and no family.

use std::time::Duration;

use super::Engine;
use crate::core::call::PAGE_CLIENT;
use crate::core::view::LogView;
use crate::core::{Mode, Presence, Result};

/// How much was recorded so far.
#[derive(Debug, Clone, Copy)]
pub struct RecordedCount {
    pub count: u64,
    /// The daemon is about to end.
    pub ending: bool,
}

/// A session that is open now.
#[derive(Debug, Clone)]
pub struct LiveSession {
    pub id: String,
    pub client: String,
    pub workspace: String,
    pub mode: Option<Mode>,
    /// Since its last call; `None` = it has called nothing yet.
    pub idle: Option<Duration>,
}

/// The operations that undo and redo would take in one workspace.
#[derive(Debug, Clone, Default)]
pub struct NextSteps {
    pub undo: Option<String>,
    pub redo: Option<String>,
}

impl Engine {
    /// At once if more was recorded than the caller knows of, else once it has.
    pub async fn hear(&self, seen: Option<u64>) -> RecordedCount {
        self.shared.news.hear(seen).await
    }

    pub fn heard(&self) -> u64 {
        self.shared.news.heard()
    }

    /// Everybody who is connected, people's own faces left out.
    pub fn live(&self) -> Result<Vec<LiveSession>> {
        let mut out = Vec::new();
        for session in self.shared.sessions.all() {
            let info = session.info();
            if info.is_cli() || info.client == PAGE_CLIENT {
                continue;
            }
            let mode = self.shared.session_mode(&info)?;
            let last = self.shared.attendance.of(&info.id).last_call;
            let idle = last.map(|at| self.shared.clock.now().micros().saturating_sub(at.micros()).max(0));
            out.push(LiveSession {
                id: info.id.clone(),
                client: info.client.clone(),
                workspace: info.workspace.clone(),
                mode,
                idle: idle.map(|micros| Duration::from_micros(micros.unsigned_abs())),
            });
        }
        Ok(out)
    }

    pub fn next_steps(&self, workspace: &str) -> Result<NextSteps> {
        let snapshot = self.shared.store.read()?;
        let view = snapshot.view();
        let log: &dyn LogView = &view;
        Ok(NextSteps {
            undo: log.newest_live(workspace, None)?.map(|op| op.id),
            redo: log.newest_undone(workspace, None)?.map(|op| op.id),
        })
    }

    /// The ceiling of every session, set in the configuration.
    pub fn ceiling(&self) -> Option<Mode> {
        self.shared.max_mode
    }

    /// A person has to say a passphrase before anything counts as theirs.
    pub fn asks_passphrase(&self) -> bool {
        self.shared.passphrase.is_set()
    }
}
