//! `amof_list_pending`: what waits for confirmation, what lapsed and what people decided. Tokens are never shown.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ACTIVE_RUNS, SCOPE};
use crate::core::confirm::{self, ConfirmStatus, Pending};
use crate::core::layout::{Answer, Next};
use crate::core::tool::Wait;
use crate::core::{Ctx, Look, Outcome, Result, Timestamp, Tool, redact};

pub struct ListPending;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListPendingArgs {
    id: Option<String>,
    wait_seconds: Option<u64>,
}

/// One confirmation that is open.
#[derive(Serialize)]
struct Open<'a> {
    id: &'a str,
    status: &'a str,
    tool: &'a str,
    arguments: Map<String, Value>,
    r#type: &'a str,
    summary: &'a str,
    expires_at: String,
    attempts_left: u8,
    client: &'a str,
    workspace: &'a str,
    needs_human: bool,
    /// For people: the whole of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    typed: Option<&'a str>,
    /// Why it cannot be agreed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    forbidden: Option<String>,
}

/// One that is decided.
#[derive(Serialize)]
struct Decided<'a> {
    id: &'a str,
    status: &'a str,
    tool: &'a str,
    summary: &'a str,
    #[serde(flatten)]
    ended: Option<Ending<'a>>,
}

#[derive(Serialize)]
struct Ending<'a> {
    at: String,
    result: &'a str,
    operation_id: Option<&'a str>,
    run_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Listed<'a> {
    pending: Vec<Open<'a>>,
    needs_human: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    decided: Vec<Decided<'a>>,
}

impl Tool for ListPending {
    type Args = ListPendingArgs;
    type Seen = ();
    const NAME: &'static str = "amof_list_pending";

    /// What lapsed is noted before it is listed, whether or not anybody waits.
    fn waits(args: &ListPendingArgs) -> Option<Wait> {
        Some(Wait::Decision { id: args.id.clone(), seconds: args.wait_seconds.unwrap_or(0) })
    }

    fn look(_look: &Look, _args: &ListPendingArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &ListPendingArgs, _seen: &()) -> Result<Outcome> {
        let now = ctx.now;
        let session = (!ctx.session.is_cli()).then_some(ctx.session.id.as_str());
        let waiting = confirm::list(ctx.view, session, now)?.into_iter().filter(|(_, p)| !p.human);
        let asked = confirm::asked(ctx.view, session, confirm::kept_since(now))?;
        let asked = asked.into_iter().map(|(key, p)| (confirm::id_of(&key), p));
        let (open, ended): (Vec<_>, Vec<_>) = asked.partition(|(_, p)| p.status == ConfirmStatus::Waiting);
        let fits = |id: &str| args.id.as_deref().is_none_or(|wanted| id == wanted);
        let open: Vec<_> = waiting.chain(open).filter(|(id, _)| fits(id)).collect();
        let ended: Vec<_> = ended.into_iter().filter(|(id, _)| fits(id)).collect();
        let row = |(id, p): &(String, Pending)| {
            let until = if p.lapsed(now) { "lapsed".to_string() } else { p.expires.zulu() };
            vec![id.clone(), p.tool.clone(), p.kind.clone(), until, p.summary.clone()]
        };
        let told = |(id, p): &(String, Pending)| {
            let how = p.ended.as_ref().map_or("", |e| e.text.as_str());
            format!("{id} {}: {} {how}", p.state(now), p.summary).trim_end().to_string()
        };
        let text = match open.len() {
            0 => "Nothing waits for confirmation.".to_string(),
            n => format!("{n} confirmation{} waiting.", if n == 1 { "" } else { "s" }),
        };
        let rows: Vec<Vec<String>> = open.iter().map(row).collect();
        let listed = Listed {
            pending: open.iter().map(|(id, p)| shown(ctx, id, p)).collect::<Result<_>>()?,
            needs_human: ctx.gatekeeper.people_decide(),
            decided: ended.iter().map(|(id, p)| decided(id, p, now)).collect(),
        };
        let answer = Answer::new(text)
            .table(&["Id", "Tool", "Type", "Expires", "What"], &rows)
            .told(ended.iter().map(told))
            .fields(listed)
            .next(Next::call(SCOPE))
            .next(Next::call(ACTIVE_RUNS));
        Ok(Outcome::reply(answer.reply(ctx)))
    }
}

fn shown<'a>(ctx: &Ctx, id: &'a str, p: &'a Pending) -> Result<Open<'a>> {
    let whole = ctx.session.is_person();
    let forbidden = if whole { ctx.gatekeeper.forbidden(p, ctx.session)? } else { None };
    Ok(Open {
        id,
        status: p.state(ctx.now),
        tool: &p.tool,
        arguments: redact::object(&p.args),
        r#type: &p.kind,
        summary: &p.summary,
        expires_at: p.expires.zulu(),
        attempts_left: p.tries_left,
        client: &p.info.client,
        workspace: &p.info.workspace,
        needs_human: p.human,
        question: whole.then(|| p.question.text(usize::MAX)),
        typed: p.typed.as_deref().filter(|_| whole),
        forbidden,
    })
}

fn decided<'a>(id: &'a str, p: &'a Pending, now: Timestamp) -> Decided<'a> {
    let ended = p.ended.as_ref().map(|ended| Ending {
        at: ended.at.zulu(),
        result: &ended.text,
        operation_id: ended.operation_id.as_deref(),
        run_id: ended.run_id.as_deref(),
    });
    Decided { id, status: p.state(now), tool: &p.tool, summary: &p.summary, ended }
}
