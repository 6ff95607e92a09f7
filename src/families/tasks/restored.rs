//! Plans and tasks that an undo brings back: their state follows from their steps, and a plan that comes or goes takes no
//! task with it.

use crate::core::restored::Restored;
use crate::core::{Draft, OpKind, Result, Timestamp};

use super::{parents, rows, state};

pub struct TasksBack;

impl Restored for TasksBack {
    fn resettle(&self, table: &str, value: Vec<u8>) -> Result<Vec<u8>> {
        if table == rows::ITEMS.0 { state::resettled(value) } else { Ok(value) }
    }

    fn check(&self, kind: &OpKind, draft: &Draft, _now: Timestamp) -> Result<()> {
        parents::check_restore(kind, draft)
    }
}
