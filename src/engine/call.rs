//! One tool call from arguments to reply: gate, schema, policy, preparation, then read or commit.

use std::sync::Arc;
use std::time::Instant;

use super::call_world::CallWorld;
use super::checks::{FilesBack, check_gates, is_refusal, lowest, refusal, take_mode, take_wait};
use super::confirm::stage::StagedCall;
use super::confirm::take::Word;
use super::consult::let_go;
use super::request::{CallRequest, CancelFlag, ProgressSink};
use super::session::scoped;
use super::{Engine, Session, Shared};
use crate::core::arguments;
use crate::core::call::PAGE_CLIENT;
use crate::core::declared::Confirm;
use crate::core::tool::{Act, Wait};
use crate::core::{Call, Declared, Error, Family, Needs, Outcome, Reply, Result, Safety, SessionInfo};
use crate::policy::{self, Decision};

/// A call on its way: what is called, for whom, and who waits for it.
struct Asked<'a> {
    tool: &'a Declared,
    family: &'a dyn Family,
    session: &'a Session,
    info: SessionInfo,
    call: Call,
    /// How long to wait for a person, should one be asked.
    patience: Option<u64>,
    cancel: CancelFlag,
    progress: Option<ProgressSink>,
}

impl Engine {
    pub async fn call(&self, session: &Arc<Session>, request: CallRequest) -> Reply {
        let (shared, started, name) = (&self.shared, Instant::now(), request.tool.clone());
        shared.attendance.called(session.id(), shared.clock.now());
        let _turn = session.turn(shared.tool(&name).is_some_and(|t| t.rules.ungated)).await;
        let reply = match shared.asked(session, request) {
            Ok(mut asked) => {
                shared.heal().await;
                let reads = asked.tool.only_reads(&asked.call.args);
                let mut done = self.decide_and_run(&mut asked).await;
                if done.as_ref().is_err_and(|e| reads && e.code == crate::store::INTERRUPTED) {
                    // A failing write closed the database under this reader, who has nothing to do with it.
                    shared.heal().await;
                    done = self.decide_and_run(&mut asked).await;
                }
                match done {
                    Ok(reply) => self.after_person(&asked, reply).await,
                    Err(error) => shared.refused(&asked, &error).await,
                }
            }
            Err(error) => Reply::text(error.to_string()).error(),
        };
        // What the page reads to show itself is nobody's call.
        if session.id() != PAGE_CLIENT {
            shared.stats.count(&name, started.elapsed(), reply.is_error);
        }
        reply
    }

    async fn decide_and_run(&self, asked: &mut Asked<'_>) -> Result<Reply> {
        let (shared, tool, family) = (&self.shared, asked.tool, asked.family);
        let (info, call, progress) = (&asked.info, &mut asked.call, asked.progress.as_ref());
        let call_mode = take_mode(tool, call)?;
        let only_reads = tool.only_reads(&call.args);
        check_gates(tool, info, only_reads)?;
        arguments::settle(tool, call)?;
        let typed = shared.typed(&tool.name)?;
        typed.read(call)?;
        if let Some(wait) = typed.waits(call) {
            self.wait(wait, info, progress, &asked.cancel).await?;
        }
        let ceiling = info.max_mode;
        let session_mode = if asked.session.may_have_said() { shared.session_mode(info)? } else { info.mode };
        let said = call_mode.or(session_mode);
        let effective = policy::effective(said, ceiling);
        (call.mode, call.mode_said) = (effective.mode, effective.said);
        if let Some(Act::Confirm { token, typed, wait }) = typed.act(call) {
            let word = Word { token: &token, typed: typed.as_deref(), by_dialog: false };
            let reply = self.confirm(info, call, word).await?;
            return self.after_run(info, reply, wait, progress, &asked.cancel).await;
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
        let world = CallWorld {
            cancel: asked.cancel.clone(),
            progress: asked.progress.clone(),
            offline: matches!(decision, Decision::Refuse { .. } | Decision::DryRun),
            ..CallWorld::quiet(shared, family.name(), info)
        };
        super::mirror::moments::take_in(shared, info, call).await?;
        let staged = |kind, call: &Call| {
            let (info, call) = (info.clone(), call.clone());
            StagedCall { kind, info, call, call_mode, session_mode }
        };
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
                call.preview = true;
                self.stage(staged(kind, call), family, world).await
            }
            Decision::Person(kind) => self.ask_person(staged(kind, call), family, world).await,
            Decision::Run => {
                if shared.human_confirms && safety == Safety::Dangerous && !tool.rules.ungated {
                    self.unlocked(info)?;
                }
                let again = CallWorld { locks: Default::default(), ..world.clone() };
                match self.change(family, info, call, world, self.files_back(info)).await? {
                    Some(reply) => Ok(reply),
                    None => self.ask_person(staged(Confirm::Simple, call), family, again).await,
                }
            }
        }
    }

    /// The answer to a call for which a person was asked, where somebody waits for what they say.
    async fn after_person(&self, asked: &Asked<'_>, reply: Reply) -> Reply {
        let (Some(seconds), Some(asks)) = (asked.patience, &reply.asks) else { return reply };
        // Failing to wait is no reason to say less.
        let _ = self.wait_decided(&asked.info, Some(&asks.id), seconds, &asked.cancel).await;
        self.decided_answer(asked.family, &asked.info, &asked.call, &asks.id).unwrap_or(reply)
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
        let gathered = self.gather(info, call, world, None).await?;
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
        let (gathered, files) = self.gather_in_turn(family, info, call, world, None).await?;
        Shared::commit(&self.shared, family.name(), info.clone(), call.clone(), gathered, files, files_back)
            .await
    }
}

impl Shared {
    /// The call that a request is, of the session as the family knows it.
    fn asked<'a>(&'a self, session: &'a Session, request: CallRequest) -> Result<Asked<'a>> {
        let unknown = || Error::not_found(format!("There is no tool {}.", request.tool));
        let tool = self.tool(&request.tool).ok_or_else(unknown)?;
        let family = self.family(&tool.family)?;
        let mut info = session.info();
        let ceiling = lowest(info.max_mode, self.max_mode);
        if info.max_mode != ceiling {
            info.max_mode = ceiling;
        }
        let mut call = Call {
            request_id: request.request_id,
            request_key: request.request_key,
            trace: request.trace,
            ..Call::of(&request.tool, request.args)
        };
        let patience = take_wait(tool, family.spans_families(), &mut call).filter(|_| !request.dialog);
        let (cancel, progress) = (request.cancel, request.progress);
        Ok(Asked { tool, family, session, info: scoped(info, family), call, patience, cancel, progress })
    }

    /// The answer to a call that was not done.
    async fn refused(&self, asked: &Asked<'_>, error: &Error) -> Reply {
        let Asked { tool, family, info, call, .. } = asked;
        if is_refusal(tool, call, error) {
            self.note_refusal(family.name(), info, call, error).await;
        }
        self.render(family.name(), error, info, call)
    }

    /// Lets the writer open the database again where that is due: after a failure of the disk, or because the file
    /// was replaced. Whoever comes next gets the reason if it cannot.
    async fn heal(&self) {
        if self.store.must_reopen() {
            let _ = self.in_writer(|_| Ok(())).await;
        }
    }
}
