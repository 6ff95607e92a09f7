//! How things stand for one session: what the families say, what others did since it last looked, what waits for a person.
//!
//! Whatever cannot be found out is left out; nothing here fails.

use crate::core::confirm::{CONFIRMATIONS, Pending, WAITING};
use crate::core::op::Stream;
use crate::core::standing::{Remark, Standing, WorkInHand};
use crate::core::view::LogQuery;
use crate::core::{Ctx, IndexQuery, Key, Look, Op, Result, Timestamp, two_logs};

use super::looks;

/// Everything that the text is made of.
pub struct NowStanding {
    pub workspace: String,
    pub person: bool,
    pub now: Timestamp,
    pub work: Option<WorkInHand>,
    pub holders: Vec<String>,
    pub others: Others,
    /// What waits for a person, one line each.
    pub waiting: Vec<String>,
    pub remarks: Vec<Remark>,
}

/// What others did.
#[derive(Default)]
pub struct Others {
    /// Since this session looked; `None` = it looks for the first time, and these are the newest.
    pub since: Option<Timestamp>,
    /// Newest first.
    pub ops: Vec<Op>,
    /// There are more than these.
    pub more: bool,
}

const OPS: usize = 6;
/// Where a session looks for the first time, the newest are news enough.
const FIRST_OPS: usize = 3;
const CONFIRMATIONS_LOOKED_AT: usize = 50;

pub fn of(look: &Look) -> NowStanding {
    let ctx = look.ctx;
    let mut out = NowStanding {
        workspace: ctx.session.tree().to_string(),
        person: ctx.session.is_cli(),
        now: ctx.now,
        work: None,
        holders: Vec::new(),
        others: others(ctx).unwrap_or_default(),
        waiting: waiting(ctx).unwrap_or_default(),
        remarks: Vec::new(),
    };
    for Standing { work, holders, remarks } in ctx.neighbours.standings(look) {
        out.work = out.work.or(work);
        out.holders.extend(holders);
        out.remarks.extend(remarks);
    }
    out
}

fn others(ctx: &Ctx) -> Result<Others> {
    let last = looks::last(ctx)?;
    let limit = if last.is_some() { OPS } else { FIRST_OPS };
    let query = LogQuery {
        stream: Stream::Ops,
        workspace: Some(ctx.session.workspace.clone()),
        newest_first: true,
        limit: limit * 4,
        step: Some(200),
        ..LogQuery::default()
    };
    let page = two_logs::ops(ctx, &query)?;
    let mine = |op: &Op| match ctx.session.is_cli() {
        true => op.who.client == ctx.session.client,
        false => op.who.session == ctx.session.id,
    };
    let new = |op: &&Op| last.is_none_or(|last| op.seq > last.seq);
    let mut ops: Vec<Op> = page.ops.iter().take_while(|op| new(op)).filter(|op| !mine(op)).cloned().collect();
    let more = ops.len() > limit;
    ops.truncate(limit);
    Ok(Others { since: last.map(|last| last.at), ops, more: more && last.is_some() })
}

fn waiting(ctx: &Ctx) -> Result<Vec<String>> {
    let query = IndexQuery::new(WAITING, Key::of("all")).reverse().limit(CONFIRMATIONS_LOOKED_AT);
    let mut out = Vec::new();
    for entry in ctx.view.index(&query)? {
        let Some((pending, _)) = ctx.view.get::<Pending>(CONFIRMATIONS, &Key::from_bytes(&entry.value))?
        else {
            continue;
        };
        if pending.human && !pending.lapsed(ctx.now) && ctx.session.sees(&pending.info.workspace) {
            out.push(format!("{} (asked by {})", pending.summary, pending.info.client));
        }
    }
    Ok(out)
}
