//! `tasks_history`: recent operations; with `compact=false` each with its request and result.

use serde::{Deserialize, Serialize};

use crate::core::view::LogQuery;
use crate::core::{Needs, Result};

use super::super::answer::Answer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::log::{LogArgs, OpShown, Wanted, WantedShown, Ways, ways};
use super::super::request::Request;
use super::super::target::Target;

pub struct History;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HistoryArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    filters: LogArgs,
}

#[derive(Serialize)]
struct HistoryReply {
    #[serde(flatten)]
    wanted: WantedShown,
    operations: Vec<OpShown>,
    #[serde(flatten)]
    ways: Ways,
}

impl Intent for History {
    type Args = HistoryArgs;
    const TOOL: &'static str = "tasks_history";

    fn common(args: &HistoryArgs) -> &Common {
        &args.common
    }

    fn looks(args: &HistoryArgs) -> Needs {
        if args.filters.scans() { Needs::Scan } else { Needs::Rows }
    }

    fn answer(request: &mut Request, args: &HistoryArgs, target: &Target) -> Result<Answer> {
        let wanted = Wanted::of(&args.filters, &target.task)?;
        let limit = args.filters.limit(20)?;
        let query = LogQuery { newest_first: true, ..wanted.query(request.workspace(), limit) };
        let mut ops = if limit == 0 { Vec::new() } else { request.view().log().ops(&query)?.ops };
        ops.reverse();
        let show = if args.common.compact() { OpShown::summary } else { OpShown::full };
        let operations = ops.iter().map(show).collect();
        Ok(Answer::new(&HistoryReply { wanted: wanted.shown(), operations, ways: ways(request)? }))
    }
}
