//! Modes and confirmations as tools: what a session may do, what waits for a yes, and saying it.
//!
//! The rules themselves are the policy's, and running what was confirmed is the engine's; here are the words.

mod tools;

use crate::core::confirm::ConfirmNames;
use crate::core::ctx::ErrorCtx;
use crate::core::layout::{self, Next};
use crate::core::{AnyTool, Error, Family, Reply, Tool};

use tools::cancel_confirm::CancelConfirm;
use tools::confirm::ModesConfirm;
use tools::list_pending::ListPending;
use tools::set_mode::SetMode;

/// What everybody else calls these tools.
pub const NAMES: ConfirmNames = ConfirmNames {
    family: NAME,
    set_mode: SetMode::NAME,
    confirm: ModesConfirm::NAME,
    cancel: CancelConfirm::NAME,
    list: ListPending::NAME,
};

const NAME: &str = "modes";

pub struct ModesFamily;

impl Family for ModesFamily {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        let lists = ["confirm_unknown", "confirm_wrong_session", "confirm_used", "confirm_expired"];
        let next = lists.contains(&error.code.as_str()).then(|| Next::call(ListPending::NAME));
        layout::error(error, ctx, None, next.into_iter().collect())
    }
}
