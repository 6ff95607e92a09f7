//! One tool call from arguments to reply: gate, schema, policy, preparation, then read or commit.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::call_world::CallWorld;
use super::checks::{FilesBack, check_gates, is_refusal, lowest, refusal, take_mode, take_wait};
use super::consult::let_go;
use super::locks::Held;
use super::request::{CancelFlag, ProgressSink, Request};
use super::{Engine, Session, Shared};
use crate::core::call::{SESSIONS, SessionState};
use crate::core::ctx::ErrorCtx;
use crate::core::{
    Call, Error, Family, Key, Mode, Outcome, Reply, Result, Safety, SessionInfo, Tool, View, redact, schema,
};
use crate::policy::{self, Decision};

/// Who waits for a call.
#[derive(Clone)]
struct Caller<'a> {
    session: &'a Session,
    cancel: CancelFlag,
    progress: Option<ProgressSink>,
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
        let ceiling = lowest(info.max_mode, shared.max_mode);
        if info.max_mode != ceiling {
            info.max_mode = ceiling;
        }
        let mut call = Call {
            tool: request.tool,
            args: request.args,
            request_id: request.request_id,
            request_key: request.request_key,
            trace: request.trace,
            preview: false,
            mode: Mode::Ask,
            mode_said: false,
            asked: None,
        };
        let family = match shared.family(&tool.family) {
            Ok(family) => family,
            Err(e) => return Reply::text(e.to_string()).error(),
        };
        let wait = take_wait(tool, &mut call).filter(|_| !request.dialog);
        shared.heal().await;
        let cancel = request.cancel;
        let caller = Caller { session, cancel: cancel.clone(), progress: request.progress };
        let reads = tool.only_reads(&call.args);
        let mut done = self.decide_and_run(tool, family, &info, &mut call, caller.clone()).await;
        if let Err(e) = &done
            && reads
            && e.code == crate::store::INTERRUPTED
        {
            // A failing write closed the database under this reader, who has nothing to do with it.
            shared.heal().await;
            done = self.decide_and_run(tool, family, &info, &mut call, caller).await;
        }
        match done {
            Ok(reply) => match (wait, &reply.asks) {
                (Some(seconds), Some(asks)) => {
                    // Failing to wait is no reason to say less.
                    let _ = self.wait_decided(&info, Some(&asks.id), seconds, &cancel).await;
                    self.decided_answer(family, &info, &call, &asks.id).unwrap_or(reply)
                }
                _ => reply,
            },
            Err(error) => {
                if is_refusal(tool, &call, &error) {
                    shared.note_refusal(family.name(), &info, &call, &error).await;
                }
                let error = redact::error(error);
                call.args = redact::arguments(&call.args);
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
        caller: Caller<'_>,
    ) -> Result<Reply> {
        let shared = &self.shared;
        let Caller { session, cancel, progress } = caller;
        let said = take_mode(tool, call)?;
        let only_reads = tool.only_reads(&call.args);
        check_gates(tool, info, only_reads)?;
        if tool.rules.strict
            && let Some(wrong) = check_schema(tool, call)
        {
            return Err(Error::invalid("invalid_arguments", wrong.problem.clone())
                .hint(wrong.hint)
                .details(json!({"field": wrong.field})));
        }
        if let (Some(run), Some(seconds)) = (call.text("run_id"), call.number("wait_seconds")) {
            let limit = std::time::Duration::from_secs(seconds);
            super::runs::watch(shared, info, run, limit, progress.as_ref(), &cancel).await?;
        }
        let ceiling = info.max_mode;
        let call_mode = said;
        let stored = if session.may_have_said() { shared.session_mode(info)? } else { None };
        let session_mode = stored.or(info.mode);
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
            wants_person: shared.human_confirms && !info.is_person(),
        });
        let offline = matches!(decision, Decision::Refuse { .. } | Decision::DryRun);
        let quiet = CallWorld::quiet(shared, family.name(), info);
        let world = CallWorld { cancel, progress, offline, ..quiet };
        super::mirroring::take_in(shared, info, call).await?;
        match decision {
            Decision::Refuse { mode, reason } => {
                let told = self.explain(family, info, call, world).await;
                Err(refusal(tool, mode, reason, &told))
            }
            Decision::DryRun => {
                call.preview = true;
                let outcome = self.look(family, info, call, world).await?;
                shared.preview_reply(family.name(), info, call, outcome).await
            }
            Decision::Run if only_reads => {
                let mut outcome = self.look(family, info, call, world).await?;
                if outcome.audit {
                    return shared.preview_reply(family.name(), info, call, outcome).await;
                }
                let reply = std::mem::take(&mut outcome.reply);
                if outcome.quiet && !info.read_only {
                    shared.learn(outcome);
                }
                Ok(reply)
            }
            Decision::Confirm(kind) => {
                let staged = super::confirm::Staged { tool, kind, call_mode, session_mode };
                self.stage(staged, family, info, call, world).await
            }
            Decision::Person(kind) => {
                let staged = super::confirm::Staged { tool, kind, call_mode, session_mode };
                self.ask_person(staged, family, info, call, world).await
            }
            Decision::Run => {
                if shared.human_confirms && safety == Safety::Dangerous && !tool.rules.ungated {
                    self.unlocked(info)?;
                }
                let again = CallWorld { locks: Default::default(), ..world.clone() };
                match self.change(family, info, call, world, self.files_back(info)).await? {
                    Some(reply) => Ok(reply),
                    None => {
                        let kind = crate::core::tool::Confirm::Simple;
                        let staged = super::confirm::Staged { tool, kind, call_mode, session_mode };
                        self.ask_person(staged, family, info, call, again).await
                    }
                }
            }
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
        if family.scans(call) {
            return self.scan(family, info, call, gathered).await;
        }
        let snapshot = self.shared.store.read()?;
        let outcome = self.shared.run_family(family, &snapshot.view(), info, call, gathered.as_ref());
        let_go(gathered);
        outcome
    }

    /// `None` = a person must be asked first; nothing was changed.
    pub(super) async fn change(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        world: CallWorld,
        files_back: FilesBack,
    ) -> Result<Option<Reply>> {
        let shared = &self.shared;
        // Two calls of a family must not plan from the same state. Others need not wait while one of them asks a
        // remote: should they write the same file after all, it is not what the later one expects.
        let turn = match shared.turns.get(family.name()).filter(|_| family.writes_files(call)) {
            Some(turn) => Some(turn.clone().lock_owned().await),
            None => None,
        };
        let (programs, progress, reserved) =
            (world.locks.clone(), world.progress.clone(), world.reserved.clone());
        let gathered = self.gather(family, info, call, world).await?;
        let files = match turn {
            Some(turn) => {
                let calls = shared.files.clone().lock_owned().await;
                Some(Held { _turn: turn, _calls: calls, _programs: programs, progress, reserved })
            }
            None => None,
        };
        Shared::commit(shared, family.name(), info.clone(), call.clone(), gathered, files, files_back).await
    }
}

/// The arguments as one value, without a copy of them.
fn check_schema(tool: &Tool, call: &mut Call) -> Option<schema::Violation> {
    let args = Value::Object(std::mem::take(&mut call.args));
    let wrong = schema::check(&tool.schema, &args);
    if let Value::Object(args) = args {
        call.args = args;
    }
    wrong
}

impl Shared {
    /// Lets the writer open the database again where that is due: after a failure of the disk, or because the file
    /// was replaced. Whoever comes next gets the reason if it cannot.
    pub(super) async fn heal(&self) {
        if self.store.must_reopen() {
            let _ = self.in_writer(|_| Ok(())).await;
        }
    }

    /// The mode this session said earlier; survives a restart of the daemon.
    pub(super) fn session_mode(&self, info: &SessionInfo) -> Result<Option<Mode>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let state = (&view as &dyn View).get::<SessionState>(SESSIONS, &Key::of(&info.id))?;
        Ok(state.and_then(|(state, _)| state.mode))
    }
}
