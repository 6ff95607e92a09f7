//! One tool call from arguments to reply: gate, schema, policy, preparation, then read or commit.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::OwnedMutexGuard;

use super::call_world::CallWorld;
use super::checks::{FilesBack, check_gates, is_refusal, lowest, refusal, take_mode, take_wait};
use super::confirm::phases::Word;
use super::consult::let_go;
use super::files::locks::WriteLocks;
use super::request::{CallRequest, CancelFlag, ProgressSink};
use super::session::scoped;
use super::{Engine, Session, Shared};
use crate::core::arguments;
use crate::core::call::{PAGE_CLIENT, SESSIONS, SessionState};
use crate::core::tool::{Act, Wait};
use crate::core::{
    Call, Declared, Family, Key, Mode, Needs, Outcome, Reply, Result, Safety, SessionInfo, View, Writes,
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
    pub async fn call(&self, session: &Arc<Session>, request: CallRequest) -> Reply {
        let started = Instant::now();
        self.shared.attendance.called(session.id(), self.shared.clock.now());
        let name = request.tool.clone();
        let reply = if self.shared.tool(&name).is_some_and(|t| t.rules.ungated) {
            let _changing = session.barrier.write().await;
            self.dispatch(session, request).await
        } else {
            drop(session.barrier.read().await);
            self.dispatch(session, request).await
        };
        // What the page reads to show itself is nobody's call.
        if session.id() != PAGE_CLIENT {
            self.shared.stats.count(&name, started.elapsed(), reply.is_error);
        }
        reply
    }

    async fn dispatch(&self, session: &Arc<Session>, request: CallRequest) -> Reply {
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
            request_id: request.request_id,
            request_key: request.request_key,
            trace: request.trace,
            ..Call::of(&request.tool, request.args)
        };
        let family = match shared.family(&tool.family) {
            Ok(family) => family,
            Err(e) => return Reply::text(e.to_string()).error(),
        };
        let info = scoped(info, family);
        let wait = take_wait(tool, family.spans_families(), &mut call).filter(|_| !request.dialog);
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
                shared.render(family.name(), &error, &info, &call)
            }
        }
    }

    async fn decide_and_run(
        &self,
        tool: &Declared,
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
        arguments::settle(tool, call)?;
        let typed = shared.typed(&tool.name)?;
        typed.read(call)?;
        if let Some(wait) = typed.waits(call) {
            self.wait(wait, info, progress.as_ref(), &cancel).await?;
        }
        let ceiling = info.max_mode;
        let call_mode = said;
        let stored = if session.may_have_said() { shared.session_mode(info)? } else { None };
        let session_mode = stored.or(info.mode);
        let said = call_mode.or(session_mode);
        let effective = policy::effective(said, ceiling);
        call.mode = effective.mode;
        call.mode_said = effective.said;
        if let Some(Act::Confirm { token, typed, wait }) = typed.act(call) {
            let word = Word { token: &token, typed: typed.as_deref(), by_dialog: false };
            let reply = self.confirm(info, call, word).await?;
            return self.after_run(info, reply, wait, progress.as_ref(), &cancel).await;
        }
        let (safety, confirm) = tool.safety(&call.args);
        let decision = policy::decide(policy::PolicyRequest {
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
        super::mirror::moments::take_in(shared, info, call).await?;
        match decision {
            Decision::Refuse { mode, reason } => {
                let told = self.explain(info, call, world).await;
                Err(refusal(tool, shared.names.set_mode, mode, reason, &told))
            }
            Decision::DryRun => {
                call.preview = true;
                let outcome = self.look(info, call, world).await?;
                shared.preview_reply(family.name(), info, call, outcome).await
            }
            Decision::Run if only_reads => {
                let mut outcome = self.look(info, call, world).await?;
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
                let staged = super::confirm::phases::StagedCall { tool, kind, call_mode, session_mode };
                self.stage(staged, family, info, call, world).await
            }
            Decision::Person(kind) => {
                let staged = super::confirm::phases::StagedCall { tool, kind, call_mode, session_mode };
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
                        let kind = crate::core::declared::Confirm::Simple;
                        let staged =
                            super::confirm::phases::StagedCall { tool, kind, call_mode, session_mode };
                        self.ask_person(staged, family, info, call, again).await
                    }
                }
            }
        }
    }

    /// Lets a call wait for what it names; whoever cancels it, or the end of the daemon, ends that.
    async fn wait(
        &self,
        wait: Wait,
        info: &SessionInfo,
        progress: Option<&ProgressSink>,
        cancel: &CancelFlag,
    ) -> Result<()> {
        match wait {
            Wait::Run { id, seconds } => {
                let limit = std::time::Duration::from_secs(seconds);
                super::runs::watch(&self.shared, info, id.as_deref(), limit, progress, cancel).await
            }
            Wait::Decision { id, seconds } => {
                self.note_lapses().await;
                match seconds {
                    0 => Ok(()),
                    _ => self.wait_decided(info, id.as_deref(), seconds, cancel).await,
                }
            }
        }
    }

    /// Runs a call that changes nothing: on a snapshot, without the writer.
    pub(super) async fn look(&self, info: &SessionInfo, call: &Call, world: CallWorld) -> Result<Outcome> {
        let gathered = self.gather(info, call, world).await?;
        if self.shared.typed(&call.tool)?.needs(call, info) == Needs::Scan {
            return self.scan(info, call, gathered).await;
        }
        let snapshot = self.shared.store.read()?;
        let outcome = self.shared.decide(&snapshot.view(), info, call, gathered.as_ref());
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
        let turn = shared.turn_to_write(family, call).await?;
        let (programs, progress, reserved) =
            (world.locks.clone(), world.progress.clone(), world.reserved.clone());
        let gathered = self.gather(info, call, world).await?;
        let files = match turn {
            Some(turn) => {
                let calls = shared.files.clone().lock_owned().await;
                Some(WriteLocks { _turn: turn, _calls: calls, _programs: programs, progress, reserved })
            }
            None => None,
        };
        Shared::commit(shared, family.name(), info.clone(), call.clone(), gathered, files, files_back).await
    }
}

impl Shared {
    /// The turn of its family, for a call that may write files.
    pub(super) async fn turn_to_write(
        &self,
        family: &dyn Family,
        call: &Call,
    ) -> Result<Option<OwnedMutexGuard<()>>> {
        let writes = self.typed(&call.tool)?.writes(call) == Writes::Files;
        Ok(match self.turns.get(family.name()).filter(|_| writes) {
            Some(turn) => Some(turn.clone().lock_owned().await),
            None => None,
        })
    }

    /// Lets the writer open the database again where that is due: after a failure of the disk, or because the file
    /// was replaced. Whoever comes next gets the reason if it cannot.
    async fn heal(&self) {
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
