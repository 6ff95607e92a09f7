//! `tasks_history`: recent operations; with `compact=false` each with its request and result.

use serde::{Deserialize, Serialize};

use crate::core::view::LogQuery;
use crate::core::{Needs, Result};

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::log::{OpShown, TaskLogArgs, TaskLogQuery, WantedShown, Ways, ways};
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct TasksHistory;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TasksHistoryArgs {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    filters: TaskLogArgs,
}

#[derive(Serialize)]
struct HistoryReply {
    #[serde(flatten)]
    wanted: WantedShown,
    operations: Vec<OpShown>,
    #[serde(flatten)]
    ways: Ways,
}

impl Intent for TasksHistory {
    type Args = TasksHistoryArgs;
    const TOOL: &'static str = "tasks_history";

    fn common(args: &TasksHistoryArgs) -> &Common {
        &args.common
    }

    fn looks(args: &TasksHistoryArgs) -> Needs {
        if args.filters.scans() { Needs::Scan } else { Needs::Rows }
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksHistoryArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let wanted = TaskLogQuery::of(&args.filters, &target.task)?;
        let limit = args.filters.limit(20)?;
        let query = LogQuery { newest_first: true, ..wanted.query(request.workspace(), limit) };
        let mut ops = if limit == 0 { Vec::new() } else { request.view().log().ops(&query)?.ops };
        ops.reverse();
        let show = if args.common.compact() { OpShown::summary } else { OpShown::full };
        let operations = ops.iter().map(show).collect();
        Ok(IntentAnswer::new(&HistoryReply { wanted: wanted.shown(), operations, ways: ways(request)? }))
    }
}
