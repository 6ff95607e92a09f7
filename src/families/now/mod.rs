//! Where am I, and where is it? Reads across all families, through what each of them contributes.
//!
//! It owns nothing but when each session last looked. It names no other family: how things stand and what can be found is
//! told by the families themselves.

mod looks;
mod offers;
mod reply;
mod standing;
mod tools;

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::resource::Offers;
use crate::core::{AnyTool, Ctx, Error, Family, Reply, Result, Table};

pub struct WhereAmI;

impl Family for WhereAmI {
    fn name(&self) -> &'static str {
        "now"
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn tables(&self) -> &'static [Table] {
        &[looks::LOOKS]
    }

    fn fleeting(&self) -> &'static [Table] {
        &[looks::LOOKS]
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(format!("It failed: {error}")).error()
    }

    fn offers(&self) -> Option<&dyn Offers> {
        Some(&offers::NowOffers)
    }

    fn sweep(&self, ctx: &Ctx, _in_project: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
        looks::sweep(ctx)
    }
}
