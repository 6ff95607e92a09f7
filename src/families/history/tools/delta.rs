//! `history_delta`: what was done since a given operation, oldest first.

use serde::{Deserialize, Serialize};

use crate::core::arguments::trimmed;
use crate::core::{Ctx, Look, Needs, Outcome, Result, SessionInfo, Tool, two_logs};

use super::super::filter::{Filter, cursor, next_id};
use super::super::reply::{self, Summary};

pub struct Delta;

#[derive(Debug, Deserialize)]
pub struct DeltaArgs {
    #[serde(flatten)]
    filter: Filter,
    #[serde(default, deserialize_with = "trimmed")]
    since: Option<String>,
}

#[derive(Serialize)]
struct DeltaReply<'a> {
    operations: Vec<Summary<'a>>,
    has_more: bool,
    latest_id: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl Tool for Delta {
    type Args = DeltaArgs;
    type Seen = ();
    const NAME: &'static str = "history_delta";

    fn needs(_session: &SessionInfo, args: &DeltaArgs) -> Needs {
        args.filter.needs()
    }

    fn look(_look: &Look, _args: &DeltaArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &DeltaArgs, _seen: &()) -> Result<Outcome> {
        let mut query = args.filter.query(ctx)?;
        if let Some(id) = &args.since {
            query.after = Some(cursor(ctx, query.stream, id)?);
        }
        let page = two_logs::ops(ctx, &query)?;
        let last = || page.ops.last().map(|op| op.id.clone()).or(args.since.clone());
        let latest_id = next_id(ctx, &query, &page)?.or_else(last);
        let operations = page.ops.iter().map(Summary::of).collect();
        let body = DeltaReply {
            operations,
            has_more: page.has_more,
            latest_id,
            warnings: args.filter.warnings(ctx, page.ops.is_empty())?,
        };
        Ok(Outcome::reply(reply::reply(ctx, args.filter.full, &body)))
    }
}
