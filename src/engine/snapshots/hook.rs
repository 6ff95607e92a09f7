//! `packd/snapshot`: what a host's hook asks for before and after a tool call. Never keeps a host waiting for long.
//!
//! The work goes on when whoever asked has left. A `before` is answered as soon as the tree was looked at; recording
//! it comes after that.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::place::TreePlace;
use super::take::{TakenSnapshot, WantedSnapshot, take};
use crate::core::snapshot::{Doer, FAMILY, HookAsk, Phase, Why, name};
use crate::core::{Error, Result, SessionInfo, Timestamp};
use crate::engine::call_world::CallWorld;
use crate::engine::{Engine, Session, Shared};

/// How long a hook may take, where it does not say.
const BUDGET_MS: i64 = 50;
const MAX_TEXT: usize = 200;

#[derive(Debug, Deserialize)]
struct Params {
    cwd: PathBuf,
    phase: Phase,
    session: String,
    #[serde(default)]
    host: Option<String>,
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    call_id: Option<String>,
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    host_session: Option<String>,
    /// Microseconds since 1970.
    #[serde(default)]
    at: Option<i64>,
    #[serde(default)]
    budget_ms: Option<i64>,
    #[serde(default)]
    pid: Option<u32>,
    #[serde(default)]
    alone: bool,
}

#[derive(Debug, Serialize)]
struct Answer {
    state: &'static str,
    snapshot: Option<String>,
    operation_id: Option<String>,
    changed: usize,
    shared: bool,
    late: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

impl Params {
    fn ask(self, now: Timestamp) -> Result<(PathBuf, HookAsk)> {
        if self.session.trim().is_empty() || !self.cwd.is_absolute() {
            return Err(invalid("'session' must not be empty, and 'cwd' must be a full path."));
        }
        let short = |text: Option<String>| text.map(|t| t.chars().take(MAX_TEXT).collect::<String>());
        let or = |text: Option<String>, other: &str| {
            short(text).filter(|t| !t.trim().is_empty()).unwrap_or_else(|| other.to_string())
        };
        // A clock that runs ahead would make every change look old; nobody asks in the future.
        let at = Timestamp(self.at.filter(|at| *at > 0).unwrap_or(now.micros()).min(now.micros()));
        let budget = self.budget_ms.unwrap_or(BUDGET_MS).clamp(0, 60_000);
        let ask = HookAsk {
            phase: self.phase,
            doer: Doer {
                session: or(Some(self.session), "unknown"),
                host: or(self.host, "unknown"),
                tool: or(self.tool, "A tool"),
                call_id: short(self.call_id),
                task: short(self.task),
                host_session: short(self.host_session),
            },
            at,
            gone: Timestamp(at.micros().saturating_add(budget * 1000)),
            pid: self.pid,
            alone: self.alone,
        };
        Ok((self.cwd, ask))
    }
}

fn invalid(message: &str) -> Error {
    Error::invalid("invalid_params", message).hint(
        "Send cwd, phase (before, after or end), session, and as much of host, tool and call_id as is known.",
    )
}

impl Engine {
    pub(in crate::engine) async fn snapshot(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let params: Params = serde_json::from_value(params.clone())
            .map_err(|e| invalid(&format!("This cannot be read: {e}.")))?;
        let (cwd, ask) = params.ask(self.shared.clock.now())?;
        if !self.shared.snapshots.settings.automatic {
            return Ok(json!(Answer::off("Automatic snapshots are switched off in config.toml.")));
        }
        let (tell, told) = oneshot::channel();
        tokio::spawn(work(self.shared.clone(), session.info(), cwd, ask, tell));
        told.await.unwrap_or_else(|_| Err(Error::internal("A snapshot was stopped by a defect.")))
    }
}

type Tell = oneshot::Sender<Result<Value>>;

async fn work(shared: Arc<Shared>, info: SessionInfo, cwd: PathBuf, ask: HookAsk, tell: Tell) {
    let found = {
        let info = info.clone();
        tokio::task::spawn_blocking(move || TreePlace::of(&cwd, &info)).await
    };
    let place = match found {
        Ok(Ok(place)) => place,
        Ok(Err(e)) => return drop(tell.send(Ok(json!(Answer::none(&e.message))))),
        Err(_) => return,
    };
    // In the order of arrival, whatever the order in which threads come to run.
    let mut memory = shared.snapshots.turn(&place.root).lock_owned().await;
    let root = place.root.clone();
    let phase = ask.phase;
    let (by, why) = (ask.doer.who(), if phase == Phase::Before { Why::Before } else { Why::After });
    let wanted =
        WantedSnapshot { place, ask: Some(ask), label: None, by, why, only_look: false, told_by: None };
    let service = shared.clone();
    let done = tokio::task::spawn_blocking(move || {
        let world = CallWorld::quiet(&service, FAMILY, &info);
        let tell = Mutex::new(Some(tell));
        let answer = |result: Result<Value>| {
            let tell = tell.lock().unwrap_or_else(PoisonError::into_inner).take();
            tell.map(|tell| tell.send(result))
        };
        let early = |taken: &TakenSnapshot| {
            if phase == Phase::Before {
                answer(Ok(json!(Answer::of(taken))));
            }
        };
        let result = take(&service, &world, &info, &mut memory, &wanted, &early);
        if let Err(e) = &result {
            tracing::warn!("no snapshot of {}: {e}", wanted.place.root.display());
        }
        answer(result.map(|taken| json!(Answer::of(&taken))));
        drop(memory);
        service.snapshots.forget_some(&root);
        service.make_room();
    });
    if done.await.is_err() {
        tracing::error!("a snapshot was stopped by a defect");
    }
}

impl Answer {
    fn of(taken: &TakenSnapshot) -> Answer {
        if let Some(why) = &taken.off {
            return Answer::off(why);
        }
        Answer {
            state: if taken.changes.is_empty() && !taken.new { "unchanged" } else { "taken" },
            snapshot: (taken.number > 0).then(|| name(taken.number)),
            operation_id: taken.operation.clone(),
            changed: taken.changes.len(),
            shared: taken.doers.len() > 1,
            late: taken.late,
            because: None,
        }
    }

    fn without(state: &'static str, why: &str) -> Answer {
        let because = Some(why.to_string());
        Answer { state, snapshot: None, operation_id: None, changed: 0, shared: false, late: false, because }
    }

    fn off(why: &str) -> Answer {
        Answer::without("off", why)
    }

    fn none(why: &str) -> Answer {
        Answer::without("none", why)
    }
}
