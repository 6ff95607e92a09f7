//! What waits for confirmation, what lapsed and what came of it: for whoever asked, and for people.
//!
//! A caller may wait for a person's decision; it hears of it when it is made, not when it looks again.

use std::time::Duration;

use serde_json::{Value, json};

use super::request::CancelFlag;
use super::token::{headline, step};
use super::{Engine, Shared};
use crate::core::confirm::{self, CONFIRMATIONS, Ended, Pending, Status};
use crate::core::{
    Call, Draft, Error, Family, Key, Kind, Reply, Result, SessionInfo, Timestamp, Tool, View, redact,
};
use crate::families::ecosystems::{Answer, next};

/// Nobody waits longer than this in one call.
const MOST_SECONDS: u64 = 3600;
/// Answers of confirmed calls that are kept for whoever waits for them.
const KEPT_ANSWERS: usize = 64;

impl Engine {
    pub(super) async fn list_pending(&self, info: &SessionInfo, call: &Call) -> Result<Reply> {
        self.note_lapses().await;
        let wanted = call.text("id").map(str::to_string);
        if let Some(seconds) = call.number("wait_seconds") {
            self.wait_decided(info, wanted.as_deref(), seconds, &CancelFlag::default()).await?;
        }
        let shared = &self.shared;
        let now = shared.clock.now();
        let snapshot = shared.store.read()?;
        let view = snapshot.view();
        let session = (!info.is_cli()).then_some(info.id.as_str());
        let waiting = confirm::list(&view, session, now)?;
        let waiting = waiting.into_iter().filter(|(_, p)| !p.human).collect::<Vec<_>>();
        let asked = confirm::asked(&view, session, confirm::kept_since(now))?;
        let asked = asked.into_iter().map(|(key, p)| (confirm::id_of(&key), p));
        let (open, ended): (Vec<_>, Vec<_>) = asked.partition(|(_, p)| p.status == Status::Waiting);
        let fits = |id: &str| wanted.as_deref().is_none_or(|w| id == w);
        let open: Vec<_> = waiting.into_iter().chain(open).filter(|(id, _)| fits(id)).collect();
        let ended: Vec<_> = ended.into_iter().filter(|(id, _)| fits(id)).collect();
        let rows: Vec<Vec<String>> = open
            .iter()
            .map(|(id, p)| {
                let until = if p.lapsed(now) { "lapsed".to_string() } else { p.expires.zulu() };
                vec![id.clone(), p.tool.clone(), p.kind.clone(), until, p.summary.clone()]
            })
            .collect();
        let text = match open.len() {
            0 => "Nothing waits for confirmation.".to_string(),
            n => format!("{n} confirmation{} waiting.", if n == 1 { "" } else { "s" }),
        };
        let mut answer = Answer::new(text).table(&["Id", "Tool", "Type", "Expires", "What"], &rows);
        answer = answer.lines(ended.iter().map(|(id, p)| {
            let told = p.ended.as_ref().map_or("", |e| e.text.as_str());
            format!("{id} {}: {} {told}", p.state(now), p.summary).trim_end().to_string()
        }));
        let pending: Vec<Value> = open.iter().map(|(id, p)| one(id, p, now, info.is_person())).collect();
        let decided: Vec<Value> = ended.iter().map(|(id, p)| result(id, p, now)).collect();
        Ok(answer
            .fields(json!({"pending": pending, "needs_human": shared.human_confirms}))
            .fields(if decided.is_empty() { json!({}) } else { json!({"decided": decided}) })
            .next(next("amof_scope_info", json!({})))
            .next(next("amof_get_active_runs", json!({})))
            .reply_for(info, call.mode, now))
    }

    /// Waits until a person has decided about one confirmation of the session, or about any that waits now.
    pub(super) async fn wait_decided(
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
            let open = asked.into_iter().filter(|(_, p)| p.ended.is_none() && p.status != Status::Drifted);
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
    pub(super) fn decided_answer(
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
    pub(super) async fn ended(
        &self,
        key: &Key,
        tool: &Tool,
        owner: &SessionInfo,
        original: &Call,
        result: &Result<Reply>,
        operation_id: Option<String>,
    ) {
        let shared = self.shared.clone();
        let reply = match result {
            Ok(reply) => reply.clone(),
            Err(e) => shared.render(&tool.family, e, owner, original),
        };
        let run_id = reply.structured.as_ref().and_then(|s| s["run_id"].as_str()).map(str::to_string);
        let ended = Ended {
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
        let (key, family, owner, original) =
            (key.clone(), tool.family.clone(), owner.clone(), original.clone());
        let told = self
            .shared
            .in_writer(move |batch| {
                let view = batch.view();
                let Some((mut pending, _)) = (&view as &dyn View).get::<Pending>(CONFIRMATIONS, &key)? else {
                    return Ok(());
                };
                let mut record = step(&ended.how, &key, &pending, "packd");
                record.data["operation_id"] = json!(ended.operation_id);
                record.data["run_id"] = json!(ended.run_id);
                record.data["result"] = json!(ended.text);
                pending.ended = Some(ended);
                let mut draft = Draft::new(&view);
                draft.put(CONFIRMATIONS, &key, &pending)?;
                shared.apply_and_audit(batch, draft, &family, &owner, &original, record)
            })
            .await;
        if let Err(e) = told {
            tracing::warn!("the end of a confirmation could not be recorded: {e}");
        }
        self.shared.decisions.send_modify(|n| *n += 1);
    }

    /// Every confirmation that lapsed without a decision is recorded once.
    pub(super) async fn note_lapses(&self) {
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
                    let family = shared.tool(&pending.tool).map_or("ecosystems", |t| t.family.as_str());
                    let mut draft = Draft::new(&view);
                    pending.lapse_noted = true;
                    draft.put(CONFIRMATIONS, &key, &pending)?;
                    let call = Call { args: pending.args.clone(), ..super::serve::serving(&pending.tool) };
                    let record = step("expired", &key, &pending, "nobody");
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

/// One confirmation as it is listed; people get the whole question.
fn one(id: &str, p: &Pending, now: Timestamp, whole: bool) -> Value {
    let mut out = json!({
        "id": id, "status": p.state(now), "tool": p.tool, "arguments": redact::object(&p.args), "type": p.kind,
        "summary": p.summary, "expires_at": p.expires.zulu(), "attempts_left": p.tries_left,
        "client": p.info.client, "workspace": p.info.workspace, "needs_human": p.human,
    });
    if whole {
        out["question"] = json!(p.question.text(usize::MAX));
        out["typed"] = json!(p.typed);
    }
    out
}

fn result(id: &str, p: &Pending, now: Timestamp) -> Value {
    let mut out = json!({"id": id, "status": p.state(now), "tool": p.tool, "summary": p.summary});
    if let Some(ended) = &p.ended {
        out["at"] = json!(ended.at.zulu());
        out["result"] = json!(ended.text);
        out["operation_id"] = json!(ended.operation_id);
        out["run_id"] = json!(ended.run_id);
    }
    out
}
