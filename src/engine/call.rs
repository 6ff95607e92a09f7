//! One tool call from arguments to reply: gate, schema, policy, preparation, then read or commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::call_world::CallWorld;
use super::locks::{Held, Locks};
use super::{Engine, Session, Shared};
use crate::core::call::{SESSIONS, SessionState};
use crate::core::ctx::{ErrorCtx, Explanation, Gathered};
use crate::core::{
    Call, Ctx, Error, Family, Key, Kind, Mode, Outcome, Reply, Result, SessionInfo, Tool, View, schema,
};
use crate::policy::{self, Decision, Reason};

/// Set when the caller no longer wants the answer.
#[derive(Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub struct Progress {
    pub progress: f64,
    pub total: Option<f64>,
    pub message: String,
}

pub type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

pub struct Request {
    pub tool: String,
    pub args: Map<String, Value>,
    pub request_id: Value,
    pub request_key: Option<String>,
    /// The host's own names for this request; `null` = none.
    pub trace: Value,
    pub cancel: CancelFlag,
    pub progress: Option<ProgressSink>,
}

impl Request {
    /// A call without an id, cancellation or progress.
    pub fn new(tool: &str, args: Value) -> Self {
        let args = if let Value::Object(map) = args { map } else { Map::new() };
        Request {
            tool: tool.to_string(),
            args,
            request_id: Value::Null,
            request_key: None,
            trace: Value::Null,
            cancel: CancelFlag::default(),
            progress: None,
        }
    }
}

impl Engine {
    pub async fn call(&self, session: &Arc<Session>, request: Request) -> Reply {
        let started = Instant::now();
        let name = request.tool.clone();
        let reply = if self.shared.tool(&name).is_some_and(|t| t.rules.ungated) {
            let _changing = session.barrier.write().await;
            self.dispatch(session, request).await
        } else {
            drop(session.barrier.read().await);
            self.dispatch(session, request).await
        };
        self.shared.stats.count(&name, started.elapsed(), reply.is_error);
        reply
    }

    async fn dispatch(&self, session: &Arc<Session>, request: Request) -> Reply {
        let shared = &self.shared;
        let Some(tool) = shared.tool(&request.tool) else {
            return Reply::text(format!("There is no tool {}.", request.tool)).error();
        };
        let mut info = session.info();
        info.max_mode = lowest(info.max_mode, shared.max_mode);
        let mut call = Call {
            tool: request.tool,
            args: request.args,
            request_id: request.request_id,
            request_key: request.request_key,
            trace: request.trace,
            preview: false,
            mode: Mode::Ask,
            mode_said: false,
        };
        let family = match shared.family(&tool.family) {
            Ok(family) => family,
            Err(e) => return Reply::text(e.to_string()).error(),
        };
        let done =
            self.decide_and_run(tool, family, &info, &mut call, request.cancel, request.progress).await;
        match done {
            Ok(reply) => reply,
            Err(error) => {
                let now = shared.clock.now();
                let ctx = ErrorCtx { tool: &tool.name, call: Some(&call), session: Some(&info), now };
                family.render_error(&error, &ctx)
            }
        }
    }

    async fn decide_and_run(
        &self,
        tool: &Tool,
        family: &dyn Family,
        info: &SessionInfo,
        call: &mut Call,
        cancel: CancelFlag,
        progress: Option<ProgressSink>,
    ) -> Result<Reply> {
        let shared = &self.shared;
        let said = take_mode(tool, call)?;
        let only_reads = tool.only_reads(&call.args);
        check_gates(tool, info, only_reads)?;
        if tool.rules.strict
            && let Some(wrong) = schema::check(&tool.schema, &Value::Object(call.args.clone()))
        {
            return Err(Error::invalid("invalid_arguments", wrong.problem.clone())
                .hint(wrong.hint)
                .details(json!({"field": wrong.field})));
        }
        if let (Some(run), Some(seconds)) = (call.text("run_id"), call.number("wait_seconds")) {
            let limit = std::time::Duration::from_secs(seconds);
            super::runs::watch(shared, run, limit, progress.as_ref(), &cancel).await?;
        }
        let ceiling = info.max_mode;
        let call_mode = said;
        let session_mode = shared.session_mode(info)?.or(info.mode);
        let said = call_mode.or(session_mode);
        let effective = policy::effective(said, ceiling);
        call.mode = effective.mode;
        call.mode_said = effective.said;
        if super::confirm::is_confirm_tool(&tool.name) {
            return self.confirm_tool(info, call, false).await;
        }
        let (safety, confirm) = tool.safety(&call.args);
        let decision = policy::decide(policy::Request {
            said,
            ceiling,
            safety,
            gate: tool.rules.gate,
            confirm,
            only_reads,
            ungated: tool.rules.ungated,
        });
        let world = CallWorld { inner: shared.world.clone(), cancel, progress, locks: Locks::default() };
        super::mirroring::take_in(shared, info, call).await?;
        match decision {
            Decision::Refuse { mode, reason } => {
                let told = self.explain(family, info, call, world).await;
                let error = refusal(tool, mode, reason, &told);
                shared.audit_refusal(family.name(), info, call, &error).await;
                Err(error)
            }
            Decision::DryRun => {
                call.preview = true;
                let outcome = self.look(family, info, call, world).await?;
                shared.preview_reply(family.name(), info, call, outcome).await
            }
            Decision::Run if only_reads => {
                let outcome = self.look(family, info, call, world).await?;
                if outcome.audit {
                    return shared.preview_reply(family.name(), info, call, outcome).await;
                }
                Ok(outcome.reply)
            }
            Decision::Confirm(kind) => {
                let staged = super::confirm::Staged { tool, kind, call_mode, session_mode };
                self.stage(staged, family, info, call, world).await
            }
            Decision::Run => self.change(family, info, call, world).await,
        }
    }

    /// Runs a call that changes nothing: on a snapshot, without the writer.
    pub(super) async fn look(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Result<Outcome> {
        let gathered = self.gather(family, info, call, world).await?;
        let snapshot = self.shared.store.read()?;
        let outcome = self.shared.run_family(family, &snapshot.view(), info, call, gathered.as_ref());
        let_go(gathered);
        outcome
    }

    pub(super) async fn change(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Result<Reply> {
        let shared = &self.shared;
        // Two calls of a family must not plan from the same state. Others need not wait while one of them asks a
        // remote: should they write the same file after all, it is not what the later one expects.
        let turn = match shared.turns.get(family.name()).filter(|_| family.writes_files(call)) {
            Some(turn) => Some(turn.clone().lock_owned().await),
            None => None,
        };
        let (programs, progress) = (world.locks.clone(), world.progress.clone());
        let gathered = self.gather(family, info, call, world).await?;
        let files = match turn {
            Some(turn) => {
                let calls = shared.files.clone().lock_owned().await;
                Some(Held { _turn: turn, _calls: calls, _programs: programs, progress })
            }
            None => None,
        };
        Shared::commit(shared, family.name(), info.clone(), call.clone(), gathered, files).await
    }

    /// The family's `prepare`, on a blocking thread, if it wants one.
    pub(super) async fn gather(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Result<Option<Gathered>> {
        if !family.wants_world(call, info) {
            return Ok(None);
        }
        let shared = self.shared.clone();
        let (name, info, call) = (family.name(), info.clone(), call.clone());
        let work = move || {
            let family = shared.family(name)?;
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let ctx = shared.ctx(&view, &info, &call, None);
            guarded(&call.tool, || family.prepare(&ctx, &world)).map(Some)
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(defect(&call_name(family))))
    }

    /// What the ask answer says; a failure to look at the world only makes it shorter.
    async fn explain(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
    ) -> Explanation {
        let gathered = self.gather(family, info, call, world).await.unwrap_or(None);
        let told = self.shared.store.read().and_then(|snapshot| {
            let view = snapshot.view();
            let ctx = self.shared.ctx(&view, info, call, gathered.as_ref());
            guarded(&call.tool, || Ok(family.explain(&ctx)))
        });
        told.unwrap_or_default()
    }
}

/// What was gathered may be large; it is let go where it was made, so that neither the caller nor others wait.
pub(super) fn let_go(gathered: Option<Gathered>) {
    if let Some(gathered) = gathered {
        drop(tokio::task::spawn_blocking(move || drop(gathered)));
    }
}

fn call_name(family: &dyn Family) -> String {
    format!("the preparation of {}", family.name())
}

impl Shared {
    pub fn ctx<'a>(
        &'a self,
        view: &'a dyn View,
        info: &'a SessionInfo,
        call: &'a Call,
        gathered: Option<&'a Gathered>,
    ) -> Ctx<'a> {
        let gathered = gathered.map(|g| &**g);
        Ctx { view, now: self.clock.now(), ids: &*self.ids, session: info, call, gathered }
    }

    pub fn run_family(
        &self,
        family: &dyn Family,
        view: &dyn View,
        info: &SessionInfo,
        call: &Call,
        gathered: Option<&Gathered>,
    ) -> Result<Outcome> {
        let ctx = self.ctx(view, info, call, gathered);
        guarded(&call.tool, || family.call(&ctx))
    }

    /// The mode this session said earlier; survives a restart of the daemon.
    pub(super) fn session_mode(&self, info: &SessionInfo) -> Result<Option<Mode>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let state = (&view as &dyn View).get::<SessionState>(SESSIONS, &Key::of(&info.id))?;
        Ok(state.and_then(|(state, _)| state.mode))
    }
}

/// A panic in one call is one error reply.
pub(super) fn guarded<T>(what: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(defect(what)))
}

fn defect(what: &str) -> Error {
    Error::internal(format!("A defect in packd stopped {what}; nothing was changed."))
        .hint("The daemon's log has the details.")
}

/// Takes the `mode` argument out of a writing call; families never see it.
fn take_mode(tool: &Tool, call: &mut Call) -> Result<Option<Mode>> {
    if tool.rules.ungated || tool.rules.safety == crate::core::Safety::ReadOnly {
        return Ok(None);
    }
    match call.args.shift_remove("mode") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().and_then(Mode::parse).map(Some).ok_or_else(|| {
            Error::invalid("invalid_mode", format!("'mode' is {value}, which is not a mode."))
                .hint("Use one of: ask, plan, execute.")
        }),
    }
}

fn check_gates(tool: &Tool, info: &SessionInfo, only_reads: bool) -> Result<()> {
    if only_reads || tool.rules.ungated {
        return Ok(());
    }
    if info.read_only {
        return Err(Error::new(
            Kind::Denied,
            "read_only",
            format!("{} changes things, but this session is read-only.", tool.name),
        )
        .hint("Start packd-mcp without --read-only to allow it."));
    }
    if tool.rules.gate == crate::core::tool::Gate::AllowWrite && !info.allow_write {
        return Err(Error::new(
            Kind::Denied,
            "permission_denied",
            format!("{} needs write access.", tool.name),
        )
        .hint("Start packd-mcp with --allow-write (or PACKD_ALLOW_WRITE=1) to allow it."));
    }
    Ok(())
}

pub(super) fn lowest(a: Option<Mode>, b: Option<Mode>) -> Option<Mode> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// The contract's ask answer: what would happen, the state, what cannot be undone, how to switch.
fn refusal(tool: &Tool, mode: Mode, reason: Reason, told: &Explanation) -> Error {
    let why = match reason {
        Reason::Said => format!("the mode is {}", mode.as_str()),
        Reason::Default => "no mode was said and the default is ask".to_string(),
        Reason::Ceiling => format!("the ceiling set for this session is {}", mode.as_str()),
    };
    let switch = json!({"tool": "amof_set_mode", "arguments": {"mode": "execute"}});
    let hint = match reason {
        Reason::Ceiling => {
            "A person can raise the ceiling (--max-mode or config.toml); no call can.".to_string()
        }
        _ => format!(
            "Preview with mode=plan. To do it, add \"mode\":\"execute\" to this call or call amof_set_mode {}.",
            switch["arguments"]
        ),
    };
    Error::new(
        Kind::Denied,
        "mode_denied",
        format!("{} was not run because {why}. {}", tool.name, told.would),
    )
    .hint(hint)
    .details(json!({
        "tool": tool.name, "mode": mode.as_str(), "reason": reason, "would": told.would, "state": told.state,
        "irreversible": told.irreversible, "alternatives": told.alternatives, "switch": switch,
    }))
}
