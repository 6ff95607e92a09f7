//! What became of confirmations: decisions that callers wait for, ends that are recorded, lapses that are noted.
//!
//! A caller may wait for a person's decision; it hears of it when it is made, not when it looks again.

use std::time::Duration;

use serde_json::json;

use crate::core::confirm::{self, CONFIRMATIONS, ConfirmEnded, ConfirmStatus, Gatekeeper, Pending, steps};
use crate::core::{
    Call, Draft, Error, Family, Key, Kind, Mode, Reply, Result, SessionInfo, Timestamp, View, redact,
};
use crate::engine::checks::lowest;
use crate::engine::confirm::take::Agreed;
use crate::engine::confirm::words::headline;
use crate::engine::request::CancelFlag;
use crate::engine::{Engine, Shared};

/// Nobody waits longer than this in one call.
const MOST_SECONDS: u64 = 3600;
/// Answers of confirmed calls that are kept for whoever waits for them.
const KEPT_ANSWERS: usize = 64;

impl Engine {
    /// Waits until a person has decided about one confirmation of the session, or about any that waits now.
    pub(in crate::engine) async fn wait_decided(
        &self,
        info: &SessionInfo,
        id: Option<&str>,
        seconds: u64,
        cancel: &CancelFlag,
    ) -> Result<()> {
        let shared = &self.shared;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(seconds.min(MOST_SECONDS));
        let mut pulse = shared.decisions.subscribe();
        let open = || -> Result<Vec<String>> {
            let snapshot = shared.store.read()?;
            let since = confirm::kept_since(shared.clock.now());
            let asked = confirm::asked(&snapshot.view(), Some(&info.id), since)?;
            let open =
                asked.into_iter().filter(|(_, p)| p.ended.is_none() && p.status != ConfirmStatus::Drifted);
            Ok(open.map(|(key, _)| confirm::id_of(&key)).filter(|x| id.is_none_or(|id| id == x)).collect())
        };
        let before = open()?;
        loop {
            let now = tokio::time::Instant::now();
            let over = shared.runs.stopping() || cancel.is_set() || now >= deadline;
            if before.is_empty() || over || open()? != before {
                return Ok(());
            }
            // A cancelled caller is noticed within this time; everything else comes with the pulse.
            let soon = deadline.min(now + Duration::from_millis(250));
            let _ = tokio::time::timeout_at(soon, pulse.changed()).await;
        }
    }

    /// The answer to a call that waited for a person, if there is one by now.
    pub(in crate::engine) fn decided_answer(
        &self,
        family: &dyn Family,
        info: &SessionInfo,
        call: &Call,
        id: &str,
    ) -> Option<Reply> {
        let shared = &self.shared;
        let snapshot = shared.store.read().ok()?;
        let view = snapshot.view();
        let key = confirm::key_by_id(&view, id).ok()??;
        let (pending, _) = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key).ok()??;
        let ended = pending.ended?;
        if ended.how == "declined" {
            let error = Error::new(
                Kind::Denied,
                "declined",
                "A person was asked and did not agree; nothing was done.",
            )
            .hint("Do not ask for the same again unless the user wants it.")
            .details(json!({"confirmation": {"id": id}}));
            return Some(shared.render(family.name(), &error, info, call));
        }
        let kept = shared.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.iter().find(|(of, _)| of == id).map(|(_, reply)| reply.clone())
    }

    /// Records what came of a confirmed call and tells whoever waits for it.
    pub(super) async fn ended(&self, agreed: &Agreed, result: &Result<Reply>, operation_id: Option<String>) {
        let shared = self.shared.clone();
        let Agreed { key, family, staged, .. } = agreed;
        let reply = match result {
            Ok(reply) => reply.clone(),
            Err(e) => shared.render(family, e, &staged.info, &staged.call),
        };
        let run_id = reply.run.clone();
        let ended = ConfirmEnded {
            how: if reply.is_error { "failed" } else { "done" }.to_string(),
            at: shared.clock.now(),
            text: match (&operation_id, &run_id, result) {
                (_, _, Err(e)) => redact::text(&e.message).0,
                (Some(op), ..) => format!("Operation {op}."),
                (_, Some(run), _) => format!("Run {run} was started."),
                _ => redact::text(&headline(&reply)).0.chars().take(200).collect(),
            },
            operation_id,
            run_id,
        };
        {
            let mut kept = shared.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            kept.push_back((confirm::id_of(key), reply));
            while kept.len() > KEPT_ANSWERS {
                kept.pop_front();
            }
        }
        let (key, family, staged) = (key.clone(), *family, staged.clone());
        let told = self
            .shared
            .in_writer(move |batch| {
                let view = batch.view();
                let Some((mut pending, _)) = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)? else {
                    return Ok(());
                };
                let mut record = steps::step(&ended.how, &key, &pending, "packd")?;
                record.data["operation_id"] = json!(ended.operation_id);
                record.data["run_id"] = json!(ended.run_id);
                record.data["result"] = json!(ended.text);
                pending.ended = Some(ended);
                let mut draft = Draft::new(&view);
                draft.put(CONFIRMATIONS, &key, &pending)?;
                shared.apply_and_audit(batch, draft, family, &staged.info, &staged.call, record)
            })
            .await;
        if let Err(e) = told {
            tracing::warn!("the end of a confirmation could not be recorded: {e}");
        }
        self.shared.decisions.send_modify(|n| *n += 1);
    }

    /// Every confirmation that lapsed without a decision is recorded once.
    pub(in crate::engine) async fn note_lapses(&self) {
        let shared = self.shared.clone();
        if !shared.lapses().is_ok_and(|lapses| !lapses.is_empty()) {
            return;
        }
        let noted = self
            .shared
            .in_writer(move |batch| {
                let now = shared.clock.now();
                let (view, since) = (batch.view(), confirm::kept_since(now));
                for (key, mut pending) in unnoted(&view, since, now)? {
                    let family =
                        shared.tool(&pending.tool).map_or(shared.names.family, |t| t.family.as_str());
                    let mut draft = Draft::new(&view);
                    pending.lapse_noted = true;
                    draft.put(CONFIRMATIONS, &key, &pending)?;
                    let call =
                        Call { args: pending.args.clone(), ..crate::engine::serve::serving(&pending.tool) };
                    let record = steps::step("expired", &key, &pending, "nobody")?;
                    shared.apply_and_audit(batch, draft, family, &pending.info, &call, record)?;
                }
                Ok(())
            })
            .await;
        if let Err(e) = noted {
            tracing::warn!("lapsed confirmations could not be recorded: {e}");
        }
    }
}

impl Gatekeeper for Shared {
    fn people_decide(&self) -> bool {
        self.human_confirms
    }

    fn forbidden(&self, pending: &Pending, info: &SessionInfo) -> Result<Option<String>> {
        let owner = self.owner_of(pending, info);
        let Some(tool) = self.tool(&pending.tool) else { return Ok(None) };
        let (_, denied) = self.permitted(tool, pending, &owner)?;
        let ceiling = lowest(owner.max_mode, self.max_mode).filter(|m| *m < Mode::Execute);
        Ok(denied.map(|mode| match ceiling {
            Some(most) => format!(
                "It cannot be approved: the ceiling (config.toml or --max-mode) is {}, and this needs execute.",
                most.as_str()
            ),
            None => format!("It cannot be approved: the mode of whoever asked is {} now.", mode.as_str()),
        }))
    }
}

impl Shared {
    fn lapses(&self) -> Result<Vec<(Key, Pending)>> {
        let now = self.clock.now();
        unnoted(&self.store.read()?.view(), confirm::kept_since(now), now)
    }
}

fn unnoted(view: &dyn View, since: Timestamp, now: Timestamp) -> Result<Vec<(Key, Pending)>> {
    let lapsed = confirm::unanswered(view, since, now)?;
    Ok(lapsed.into_iter().filter(|(_, p)| !p.lapse_noted).collect())
}
