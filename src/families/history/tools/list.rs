//! `history_list`: what was done in this workspace, newest first.

use serde::{Deserialize, Serialize};

use crate::core::arguments::trimmed;
use crate::core::{Ctx, Look, Needs, Outcome, Result, SessionInfo, Tool, two_logs};

use super::super::filter::{HistoryFilter, cursor, next_id};
use super::super::reply::{self, RecordSummary};

pub struct HistoryList;

#[derive(Debug, Deserialize)]
pub struct HistoryListArgs {
    #[serde(flatten)]
    filter: HistoryFilter,
    #[serde(default, deserialize_with = "trimmed")]
    before: Option<String>,
}

#[derive(Serialize)]
struct ListReply<'a> {
    operations: Vec<RecordSummary<'a>>,
    has_more: bool,
    next_before: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Tool for HistoryList {
    type Args = HistoryListArgs;
    type Seen = ();
    const NAME: &'static str = "history_list";

    fn needs(_session: &SessionInfo, args: &HistoryListArgs) -> Needs {
        args.filter.needs()
    }

    fn look(_look: &Look, _args: &HistoryListArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &HistoryListArgs, _seen: &()) -> Result<Outcome> {
        let mut query = args.filter.query(ctx)?;
        query.newest_first = true;
        if let Some(id) = &args.before {
            query.before = Some(cursor(ctx, query.stream, id)?);
        }
        let page = two_logs::ops(ctx, &query)?;
        let next_before = next_id(ctx, &query, &page)?;
        let operations = page.ops.iter().map(RecordSummary::of).collect();
        let body = ListReply {
            operations,
            has_more: page.has_more,
            next_before,
            warnings: args.filter.warnings(ctx, page.ops.is_empty())?,
        };
        Ok(Outcome::reply(reply::reply(ctx, args.filter.full, &body)))
    }
}
