//! `history_show`: one operation with everything it did; with `at`, what it was about as it was then.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::core::arguments::trimmed;
use crate::core::{Ctx, Error, Look, Needs, Op, Outcome, Result, RowChange, Tool, history};

use super::super::changes;
use super::super::errors::invalid;
use super::super::files::{self, ShownFile};
use super::super::filter::visible;
use super::super::reply::{FollowingCall, ROOM, RecordSummary, reply};
use super::at;

/// Characters of one file or row that is too long for any reply; `full` gives all of it.
const CUT_AT: usize = 4000;

pub struct HistoryShow;

#[derive(Debug, Deserialize)]
pub struct HistoryShowArgs {
    #[serde(default, deserialize_with = "trimmed")]
    operation_id: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    request_key: Option<String>,
    #[serde(default)]
    at: bool,
    #[serde(default, deserialize_with = "trimmed")]
    target: Option<String>,
    /// Files and rows to leave out; with `at`, characters.
    #[serde(default)]
    offset: usize,
    #[serde(default)]
    full: bool,
}

#[derive(Serialize)]
struct ShowReply<'a> {
    #[serde(flatten)]
    summary: RecordSummary<'a>,
    happened: bool,
    request: &'a Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    trace: &'a Value,
    data: &'a Value,
    effects: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effects_total: Option<usize>,
    /// Null where they are no longer kept.
    changes: Option<Vec<Value>>,
    /// Files and rows that had no room.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<FollowingCall>,
}

impl Tool for HistoryShow {
    type Args = HistoryShowArgs;
    type Seen = Vec<ShownFile>;
    const NAME: &'static str = "history_show";
    /// Diffs may take a while, so they are made where nobody else waits.
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &HistoryShowArgs) -> Result<Vec<ShownFile>> {
        files::shown(look, &meant(look, args)?)
    }

    fn decide(ctx: &Ctx, args: &HistoryShowArgs, files: &Vec<ShownFile>) -> Result<Outcome> {
        let op = meant(ctx, args)?;
        if args.at {
            return at::show(ctx, &op, args.target.as_deref(), args.offset);
        }
        let total = op.effects.len();
        let told = |row: &RowChange| {
            args.full || !ctx.view.table(&row.table).is_ok_and(|table| ctx.view.shape(table).is_aside())
        };
        let rows = ctx.view.log().changes(&op)?;
        let rows = rows.map(|rows| changes::shown(rows.iter().filter(|row| told(row))));
        let kept = rows.is_some();
        let whole = args.full || ctx.session.is_cli();
        let mut items = Items::new(args.offset, if whole { usize::MAX } else { ROOM });
        let effects = items.taken(files);
        let changes = items.taken(&rows.unwrap_or_default());
        let next = items.next().map(|offset| FollowingCall::again(ctx, "offset", offset));
        let body = ShowReply {
            summary: RecordSummary::of(&op),
            happened: true,
            request: &op.request,
            trace: &op.trace,
            data: &op.data,
            effects,
            effects_total: (total > files::MOST).then_some(total),
            changes: kept.then_some(changes),
            left: Some(items.left).filter(|left| *left > 0),
            next,
        };
        Ok(Outcome::reply(reply(ctx, args.full, &body)))
    }
}

/// Files and rows, as many as a reply has room for.
struct Items {
    skip: usize,
    room: usize,
    shown: usize,
    left: usize,
    offset: usize,
}

impl Items {
    fn new(offset: usize, room: usize) -> Items {
        Items { skip: offset, room, shown: 0, left: 0, offset }
    }

    fn taken(&mut self, all: &[impl Serialize]) -> Vec<Value> {
        let skipped = self.skip.min(all.len());
        self.skip -= skipped;
        let mut out = Vec::new();
        for item in &all[skipped..] {
            let item = serde_json::to_value(item).unwrap_or_default();
            let size = item.to_string().len();
            // One is always shown, or nobody would get past it; it is cut where it is too long alone.
            if self.left > 0 || (size > self.room && self.shown > 0) {
                self.left += 1;
                continue;
            }
            self.room = self.room.saturating_sub(size);
            self.shown += 1;
            out.push(if size > ROOM && self.room == 0 { cut(&item) } else { item });
        }
        out
    }

    /// Where the next page begins.
    fn next(&self) -> Option<usize> {
        (self.left > 0).then_some(self.offset + self.shown)
    }
}

/// The beginning of something that is longer than a reply may be.
fn cut(item: &Value) -> Value {
    let text = item.to_string();
    let head: String = text.chars().take(CUT_AT).collect();
    json!({"cut": head, "characters": text.chars().count()})
}

/// The operation a call means.
fn meant(ctx: &Ctx, args: &HistoryShowArgs) -> Result<Op> {
    match (&args.operation_id, &args.request_key) {
        (Some(id), _) => match ctx.view.log().op(id)?.filter(|op| visible(ctx, op)) {
            Some(op) => Ok(op),
            None => history::find(ctx, id),
        },
        (None, Some(key)) => match ctx.view.log().op_by_request(key)?.filter(|op| visible(ctx, op)) {
            Some(op) => Ok(op),
            None => {
                let message = format!("No operation was stored for the request {key}: it did not happen.");
                Err(Error::not_found(message)
                    .hint("It is safe to send the request again.")
                    .details(json!({"request_key": key, "happened": false})))
            }
        },
        (None, None) => Err(invalid("Either 'operation_id' or 'request_key' is required.")
            .hint("history_list shows operation ids.")),
    }
}
