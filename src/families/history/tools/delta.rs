//! `history_delta`: what was done since a given operation, oldest first.

use serde::{Deserialize, Serialize};

use crate::core::arguments::trimmed;
use crate::core::{Ctx, Look, Needs, Outcome, Result, SessionInfo, Tool, two_logs};

use super::super::filter::{HistoryFilter, cursor, next_id};
use super::super::reply::{self, RecordSummary};

pub struct HistoryDelta;

#[derive(Debug, Deserialize)]
pub struct HistoryDeltaArgs {
    #[serde(flatten)]
    filter: HistoryFilter,
    #[serde(default, deserialize_with = "trimmed")]
    since: Option<String>,
}

#[derive(Serialize)]
struct DeltaReply<'a> {
    operations: Vec<RecordSummary<'a>>,
    has_more: bool,
    latest_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Tool for HistoryDelta {
    type Args = HistoryDeltaArgs;
    type Seen = ();
    const NAME: &'static str = "history_delta";

    fn needs(_session: &SessionInfo, args: &HistoryDeltaArgs) -> Needs {
        args.filter.needs()
    }

    fn look(_look: &Look, _args: &HistoryDeltaArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &HistoryDeltaArgs, _seen: &()) -> Result<Outcome> {
        let mut query = args.filter.query(ctx)?;
        if let Some(id) = &args.since {
            query.after = Some(cursor(ctx, query.stream, id)?);
        }
        let page = two_logs::ops(ctx, &query)?;
        let last = || page.ops.last().map(|op| op.id.clone()).or(args.since.clone());
        let latest_id = next_id(ctx, &query, &page)?.or_else(last);
        let operations = page.ops.iter().map(RecordSummary::of).collect();
        let body = DeltaReply {
            operations,
            has_more: page.has_more,
            latest_id,
            warnings: args.filter.warnings(ctx, page.ops.is_empty())?,
        };
        Ok(Outcome::reply(reply::reply(ctx, args.filter.full, &body)))
    }
}
