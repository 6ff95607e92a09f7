//! One file per tool, and the one list of them. Their contract has every answer name calls that may come next, also of other subjects.

pub mod cancel_confirm;
pub mod confirm;
pub mod list_pending;
pub mod set_mode;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] =
    &[&cancel_confirm::CancelConfirm, &confirm::ModesConfirm, &list_pending::ListPending, &set_mode::SetMode];

/// Where the session stands.
const SCOPE: &str = "amof_scope_info";
const ECOSYSTEMS: &str = "amof_list_ecosystems";
const ACTIVE_RUNS: &str = "amof_get_active_runs";
